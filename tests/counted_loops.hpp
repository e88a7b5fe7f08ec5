// Loops whose numbers of iterations are values, and the same ones of C++.
#pragma once

#include <cmath>
#include <tuple>

#include "numbers.hpp"

namespace counted_loops {

// n steps of y = y x + sin(i + c), of which n may be anything that bounds a loop
inline constexpr auto steps = [](auto a, auto n, auto c) {
  return ricci::fori_loop(
      1, n, [=](auto i, auto y) { return y * a + ricci::sin(c + i); }, ricci::ones_like(a));
};
inline double by_hand(double a, int n, double c) {
  double y = 1;
  for (int i = 1; i < n; ++i) y = y * a + std::sin(c + i);
  return y;
}

// the square root of a, and how many of Newton's steps it took
inline constexpr auto newton = [](auto a) {
  auto const goes_on = [=](auto s) { return ricci::abs(std::get<0>(s) * std::get<0>(s) - a) > 1e-12; };
  auto const step = [=](auto s) { return std::tuple(.5 * (std::get<0>(s) + a / std::get<0>(s)), std::get<1>(s) + 1); };
  return ricci::while_loop(goes_on, step, std::tuple(a, 0));
};
inline constexpr auto root = [](auto a) { return std::get<0>(newton(a)); };
inline int newton_steps(double a) {
  int n = 0;
  for (double t = a; std::abs(t * t - a) > 1e-12; ++n) t = .5 * (t + a / t);
  return n;
}

}  // namespace counted_loops
