#include "report.hpp"

#include <cstdio>
#include <string>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace {

bool stdout_is_terminal() {
#if __has_include(<unistd.h>)
  return isatty(STDOUT_FILENO) != 0;
#else
  return false;
#endif
}

// A line of 12 characters, `done` of it bright.
std::string bar(double done) {
  constexpr int width = 12;
  auto const bright = static_cast<int>(done * width);
  std::string line = "\x1b[32m";
  for (int k = 0; k < width; ++k) line += k == bright ? "\x1b[90m━" : "━";
  return line + "\x1b[0m";
}

}  // namespace

progress::progress(int epochs) : epochs_(epochs), on_terminal_(stdout_is_terminal()) {}

void progress::show(int epoch, float training_loss, float held_out_loss, float accuracy, double seconds) {
  bool const last = epoch == epochs_;
  int const width = static_cast<int>(std::to_string(epochs_).size());
  if (on_terminal_) {
    std::printf("\r%s ", bar(static_cast<double>(epoch) / epochs_).c_str());
  } else {
    int const every = (epochs_ + 9) / 10;  // ten lines are enough for a file
    if (epoch % every != 0 && epoch != 1 && !last) return;
  }
  std::printf("epoch %*d/%d  loss %.4f, held out %.4f  %6.2f %% right  %5.2f ms", width, epoch, epochs_, training_loss,
              held_out_loss, 100 * accuracy, 1e3 * seconds);
  if (!on_terminal_ || last) std::printf("\n");
  std::fflush(stdout);
}

void print_confusion(std::span<std::int64_t const> labels, std::span<std::int64_t const> seen) {
  bool const in_color = stdout_is_terminal();
  int count[10][10] = {};
  for (std::size_t k = 0; k < labels.size(); ++k) ++count[labels[k]][seen[k]];
  std::printf("\n  taken for    0    1    2    3    4    5    6    7    8    9\n");
  for (int row = 0; row < 10; ++row) {
    std::printf("  digit %d  ", row);
    for (int column = 0; column < 10; ++column) {
      bool const wrong = row != column && count[row][column] > 0;
      if (count[row][column] == 0)
        std::printf("    ·");
      else
        std::printf(wrong && in_color ? "\x1b[31m%5d\x1b[0m" : "%5d", count[row][column]);
    }
    std::printf("\n");
  }
  std::printf("\n");
}
