// The normal distribution, by the inverse of its distribution function: one word for each number, which grows with the
// word, and both tails as exact as numbers are. (Pairs by G. Box and M. Muller's method are two words for two numbers,
// a logarithm, a root, a sine and a cosine, and put every element at odds with its neighbour.)
#pragma once

#include <ricci/random/uniform.hpp>
#include <ricci/special/normal_quantile.hpp>

RICCI_OPTIMIZED
namespace ricci::random {

// The quantile of a normal variable at a tail, as tail_of_word_t has it: of -p the number below which it is with
// probability p, of p minus that. The derivative by the tail is -sqrt(2 pi) exp(y^2 / 2) on both sides.
struct normal_of_tail_t : elementwise<normal_of_tail_t, 1> {
  static constexpr auto name = "normal_of_tail";
  static constexpr std::uint8_t cost = 60;
  static constexpr interval domain{-0.5, 0.5};
  static constexpr double ulp = 16;
  template <class X>
  RICCI_FN kernel(X t) {
    using scalar::select, std::abs, std::log, std::sqrt;
    using T = typename special::number_of_lanes<X>::type;
    X const p = abs(t), q = X(T(0.5)) - p;
    X const y = select(q <= X(T(0.425)), special::quantile_near(q), special::quantile_beyond(X(sqrt(-log(p)))));
    return select(t < X(T(0)), -y, y);
  }
  static constexpr auto partials(auto y, auto) { return -2.5066282746310002 * exp(0.5 * (y * y)); }
};
inline constexpr normal_of_tail_t normal_of_tail{};

// Normal numbers of mean 0 and deviation 1. The largest is 6.3 for float and 9.2 for double, as likely as what is
// beyond.
template <class T, Key K, ShapeArgument S>
constexpr auto normal(K const& from, S const& shape) {
  return normal_of_tail(tails<T>(from, shape));
}

}  // namespace ricci::random
RICCI_OPTIMIZED_END
