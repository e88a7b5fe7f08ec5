// Loops that reverse mode goes through: of iterations that are known, or bounded by rc::at_most; and the same unrolled.
#pragma once

#include "near.hpp"

namespace bounded_loops {

using matrix = ricci::tensor<double, 2, 2>;
using vector = ricci::tensor<double, 2>;
inline matrix const w{{.3, -.2}, {.5, .1}};
inline vector const x{1, -2};

inline constexpr auto unrolled = [](auto h, auto m, auto c) {
  auto s = h;
  for (int i = 0; i < 4; ++i) s = ricci::tanh(ricci::matmul(s, m)) * c + ricci::sin(c) * i;
  return ricci::sum(s * s) + ricci::sin(c);
};
// recorded once
inline constexpr auto looped = [](auto h, auto m, auto c) {
  auto const last = ricci::fori_loop(
      0, 4, [=](auto i, auto s) { return ricci::tanh(ricci::matmul(s, m)) * c + ricci::sin(c) * i; }, h);
  return ricci::sum(last * last) + ricci::sin(c);
};
// of a number of iterations that is a value, at most 6
inline constexpr auto bounded = [](auto h, auto m, auto c, auto n) {
  auto const last = ricci::fori_loop(
      0, n, [=](auto i, auto s) { return ricci::tanh(ricci::matmul(s, m)) * c + ricci::sin(c) * i; }, h,
      ricci::at_most<6>);
  return ricci::sum(last * last) + ricci::sin(c);
};
// a square root
inline constexpr auto root = [](auto a) {
  return ricci::while_loop([=](auto t) { return ricci::abs(t * t - a) > 1e-12; },
                           [=](auto t) { return .5 * (t + a / t); }, a, ricci::at_most<9>);
};

}  // namespace bounded_loops
