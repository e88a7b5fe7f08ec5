// Numbers that layers and optimisers are given, checked: a value_error of one line that tells the number.
#pragma once

#include <initializer_list>

#include <ricci/core/errors.hpp>

namespace ricci::nn {
inline namespace RICCI_ABI {

// to four places behind the point
RICCI_COLD inline core::text& tell(core::text& t, double x) {
  if (!(x == x)) return t << "NaN";
  if (x < 0) t << "-", x = -x;
  if (!(x < 1e12)) return t << "1e12 or more";
  auto const n = static_cast<index_t>(x * 1e4 + .5);
  t << n / 10000;
  if (n % 10000 != 0) t << ".";
  for (index_t rest = n % 10000, unit = 1000; rest != 0; rest %= unit, unit /= 10) t << rest / unit;
  return t;
}
[[noreturn]] RICCI_COLD inline void raise_number(char const* function, char const* number, double x,
                                                 char const* expected) {
  core::text t;
  t << function << ": " << number << " ";
  tell(t, x) << ", where " << expected << " was expected";
  core::raise<value_error>(t);
}

// Decays of running means lie from 0 to below 1. One of .001 is a learning rate in the place where PyTorch's optimisers
// take it; nobody means a decay between 0 and .05.
RICCI_COLD inline void require_decays(char const* link, std::initializer_list<float> decays) {
  for (float const d : decays)
    if (!(d >= 0 && d < 1) || (d > 0 && d < .05f))
      core::raise<value_error>(core::text()
                               << link << ": a decay is 0, or from .05 to below 1; a learning rate is a link of its "
                               << "own: nn::adam{} | nn::constant{1e-3f}");
}

}  // namespace RICCI_ABI

// a probability, from 0 to 1, or to below 1
constexpr void require_rate(char const* function, double rate) {
  if (!(rate >= 0 && rate <= 1)) raise_number(function, "a rate of", rate, "0 to 1");
}
constexpr void require_rate_below_1(char const* function, double rate) {
  if (!(rate >= 0 && rate < 1)) raise_number(function, "a rate of", rate, "0 to below 1");
}
constexpr void require_above_0(char const* function, char const* number, double x) {
  if (!(x > 0)) raise_number(function, number, x, "a number above 0");
}

}  // namespace ricci::nn
