// Learns to read handwritten digits.
//
// Read model.hpp for the net, train.cpp for how it learns, data.cpp for how its data come in; the other files draw and
// print.
#include <cstdio>

#include "chart.hpp"
#include "options.hpp"
#include "output.hpp"
#include "report.hpp"
#include "sheet.hpp"
#include "train.hpp"

int main(int argc, char** argv) {
  options const chosen = parse_options(argc, argv);
  require_context(chosen.device);
  random_source random(chosen.seed);
  parts const data = split(read_digits(chosen.data), random);
  require_writable(chosen.out);
  digits const& held_out = data.held_out;
  std::printf("%d digits to learn from, %d held out (seed %llu)\n\n", static_cast<int>(data.training.labels.size()),
              static_cast<int>(held_out.labels.size()), static_cast<unsigned long long>(chosen.seed));

  std::vector<float> training_losses, held_out_losses;
  double seconds = 0;
  progress bar(chosen.epochs);
  measurement const result = train(data, chosen.epochs, random, chosen.device, [&](epoch_report const& r) {
    bar.show(r.epoch, r.training_loss, r.held_out.loss, r.held_out.accuracy, r.seconds);
    training_losses.push_back(r.training_loss);
    held_out_losses.push_back(r.held_out.loss);
    seconds += r.seconds;
  });

  print_confusion(held_out.labels, result.seen);
  write_files(chosen.out, {{"digits.png", draw_sheet(held_out.images, held_out.labels, result.seen).png()},
                           {"loss.svg", draw_losses(training_losses, held_out_losses)}});
  std::printf("wrote digits.png and loss.svg to %s\n", chosen.out.c_str());
  std::printf("%d epochs of %.2f ms, %.2f s in all\n", chosen.epochs, 1e3 * seconds / chosen.epochs, seconds);
  std::printf("accuracy %.2f %%\n", 100 * result.accuracy);
  return 0;
}
