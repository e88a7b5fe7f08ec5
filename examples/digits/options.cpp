#include "options.hpp"

#include <charconv>
#include <string_view>

#include "fail.hpp"

#ifndef DIGITS_DATA  // the build knows where the source lies
#define DIGITS_DATA "examples/digits/data/digits.csv.gz"
#endif

namespace {

constexpr auto usage = R"(usage: digits [--flag value]...

Trains a small net to read handwritten digits, and shows how well it does on a quarter of them that it has not seen.

  --data FILE     gzipped table, one digit a row: 64 pixels from 0 to 16, then the label
  --seed N        of the split, the first parameters and the order of the digits (0)
  --epochs N      passes over the training part, 1 to 100000 (60)
  --threads N     1 to 256 (1); the result is the same for any number
  --device NAME   cpu, or device:0 for a GPU where it was built for one (cpu)
  --out FOLDER    where digits.png and loss.svg are written (.)
  --help          this text
)";

template <class T>
void read_number(std::string_view flag, std::string_view text, T least, T most, T& to) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  if (error != std::errc{} || end != text.data() + text.size() || to < least || to > most)
    fail(std::string(flag) + " takes a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
             ", not \"" + std::string(text) + "\"",
         2);
}

}  // namespace

options parse_options(int argc, char const* const* argv) {
  options o{.data = DIGITS_DATA};
  for (int k = 1; k < argc; ++k) {
    std::string_view const flag = argv[k];
    if (flag == "--help") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    bool const known = flag == "--data" || flag == "--seed" || flag == "--epochs" || flag == "--threads" ||
                       flag == "--device" || flag == "--out";
    if (!known) fail("there is no flag \"" + std::string(flag) + "\", as --help shows", 2);
    if (++k == argc || argv[k][0] == '\0') fail(std::string(flag) + " needs a value", 2);
    std::string_view const value = argv[k];
    if (flag == "--data") o.data = value;
    if (flag == "--out") o.out = value;
    if (flag == "--device") o.device = value;
    if (flag == "--seed") read_number<std::uint64_t>(flag, value, 0, ~std::uint64_t{0}, o.seed);
    if (flag == "--epochs") read_number(flag, value, 1, 100000, o.epochs);
    if (flag == "--threads") read_number(flag, value, 1, 256, o.threads);
  }
  if (o.device == "cpu") o.device.append(1, ':').append(std::to_string(o.threads));
  return o;
}
