// Learns to read handwritten digits. The net and how it learns stand here, data.hpp says how its data come in; the
// other files draw and print.
#include <chrono>
#include <cstdio>

#include <ricci/nn.hpp>
#if defined(DIGITS_DEVICE)
#include <ricci/device.hpp>
#endif

#include "chart.hpp"
#include "data.hpp"
#include "options.hpp"
#include "output.hpp"
#include "report.hpp"
#include "sheet.hpp"

namespace nn = ricci::nn;

namespace {

// Of 90 settings the one with the least loss on quarters of a training part. With Adam at its usual rate of 0.001
// throughout and no noise, the median over ten seeds was 97.56 %.
constexpr int hidden = 64, batch_size = 32;
constexpr float first_rate = 0.02f;  // falls to zero
constexpr float noise = 0.4f;  // of the ink: no picture is seen twice, which a small net on few pictures needs most

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<pixels, hidden>, Kind> in;
  nn::layer<nn::linear<hidden, classes>, Kind> out;
  constexpr auto operator()(auto const& images) const { return out(rc::relu(in(images))); }
};
constexpr auto loss = [](auto const& model, auto state, auto const&, auto const& images, auto const& labels) {
  return std::pair(nn::cross_entropy(model(images), labels), state);
};
constexpr auto loss_and_digits = [](auto const& model, auto const& images, auto const& labels) {
  auto const scores = model(images);
  return std::pair(nn::cross_entropy(scores, labels), rc::argmax(scores, rc::axis<1>));
};

// How the training went, in the words of an observer of nn::fit.
struct course {
  std::vector<float> training_losses, held_out_losses;
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  double last = 0, seconds = 0;  // without what is measured between epochs
};
struct observer {
  course* all;
  progress* bar;
  template <class Run>
  observer of() const {
    return *this;
  }
  bool epoch(auto const& run, float mean_loss, float accuracy) const {
    all->training_losses.push_back(mean_loss);
    bar->show(int(run.epoch), mean_loss, all->held_out_losses.back(), accuracy, all->last);
    return true;
  }
  void finish(auto const&) const {}
};

int learn(options const& chosen, auto const& context) {
  auto const key = rc::random::key(chosen.seed);
  auto const [training, held_out] = nn::split(read_digits(chosen.data), .25f, key.fold(0));
  require_writable(chosen.out);
  std::printf("%d digits to learn from, %d held out (seed %llu)\n\n", static_cast<int>(training.labels.size()),
              static_cast<int>(held_out.labels.size()), static_cast<unsigned long long>(chosen.seed));

  auto const batches = [&](nn::key const& k) {
    return nn::batches(training, {.size = batch_size}, k)
        .map(
            [&](digits b, nn::key const& of_batch) {
              b.images += rc::random::uniform<float>(of_batch, rc::shape_of(b.images), -noise, noise);
              return std::pair(rc::copy(b.images, context), rc::copy(b.labels, context));
            },
            k.fold(-1));
  };
  float const steps = float(chosen.epochs * batches(key).size());
  auto const optimiser = nn::adam{} | nn::polynomial_decay{.init = first_rate, .end = 0, .power = 1, .steps = steps};
  auto run = nn::start(rc::copy(nn::init<net<>>(key.fold(1)), context), std::tuple<>{}, optimiser, key.fold(2));

  auto const images = rc::copy(held_out.images, context);
  auto const labels = rc::copy(held_out.labels, context);
  course all;
  labels_t seen;
  auto const accuracy = [&](auto const& r) {
    all.last = std::chrono::duration<double>(std::chrono::steady_clock::now() - all.since).count();
    all.seconds += all.last;
    auto const [value, digits] = rc::fn(loss_and_digits)(r.params, images, labels);
    seen = rc::copy(digits, rc::cpu{});
    all.held_out_losses.push_back(value.item());
    all.since = std::chrono::steady_clock::now();
    return float(nn::accuracy(seen, held_out.labels));
  };
  progress bar(chosen.epochs);
  nn::fit<loss>(run, optimiser, batches, {.epochs = chosen.epochs}, accuracy, observer{&all, &bar});

  print_confusion(held_out.labels, seen);
  write_files(chosen.out, {{"digits.png", draw_sheet(held_out.images, held_out.labels, seen).png()},
                           {"loss.svg", draw_losses(all.training_losses, all.held_out_losses)}});
  std::printf("wrote digits.png and loss.svg to %s\n", chosen.out.c_str());
  std::printf("%d epochs of %.2f ms, %.2f s in all\n", chosen.epochs, 1e3 * all.seconds / chosen.epochs, all.seconds);
  std::printf("accuracy %.2f %%\n", 100 * double(nn::accuracy(seen, held_out.labels)));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  options const chosen = parse_options(argc, argv);
  auto const in = [&](auto context) { return learn(chosen, context); };
#if defined(__cpp_exceptions)
  try {
#endif
#if defined(DIGITS_DEVICE)
    return rc::with_context<rc::cpu, rc::device>(chosen.device, in);
#else
  return rc::with_context<rc::cpu>(chosen.device, in);
#endif
#if defined(__cpp_exceptions)
  } catch (rc::error const& e) {
    fail(e.what());
  }
#endif
}
