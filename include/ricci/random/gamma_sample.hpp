// Numbers of the gamma distribution as plain functions: a sample.
#pragma once

#include <cmath>
#include <limits>

#include <ricci/random/normal.hpp>

namespace ricci::random {
inline namespace RICCI_ABI {

// The words of one element of a distribution that takes no fixed number of them: blocks of the stream under its own
// word, two of 64 bits each.
class word_stream {
 public:
  RICCI_HD constexpr explicit word_stream(std::uint64_t seed) : seed_(seed) {}
  // in (0, 1)
  RICCI_HD constexpr double unit() {
    double const t = tail();
    return t < 0 ? -t : 1 - t;
  }
  RICCI_HD constexpr double normal() { return normal_of_tail_t::kernel(tail()); }

 private:
  RICCI_HD constexpr double tail() {
    if (at_ % 2 == 0) block_ = philox_block(seed_, at_ / 2);
    auto const* const w = block_.word + 2 * (at_++ % 2);
    return tail_of_word_t<double>::kernel(w[0] | std::uint64_t(w[1]) << 32);
  }

  std::uint64_t seed_, at_ = 0;
  philox4x32 block_{};
};

// The logarithm of a number of the gamma distribution with parameter a > 0 (and scale 1), so that none is lost where a
// is small; NaN for other a. (G. Marsaglia, W. Tsang, A simple method for generating gamma variables, ACM Transactions
// on Mathematical Software 26, 2000: a transformed normal number, taken in 19 of 20 cases or more; and section 6 for
// a < 1: with parameter a + 1, times u^(1/a).)
RICCI_HD constexpr double log_of_gamma(double a, std::uint64_t seed) {
  if (!(a > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (a > std::numeric_limits<double>::max()) return a;
  word_stream words(seed);
  double const added = a < 1 ? std::log(words.unit()) / a : 0;
  double const d = (a < 1 ? a + 1 : a) - 1. / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    double const z = words.normal(), s = 1 + c * z, v = s * s * s, u = words.unit();
    if (s > 0 && std::log(u) < z * z / 2 + d - d * v + d * std::log(v)) return std::log(d * v) + added;
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::random
