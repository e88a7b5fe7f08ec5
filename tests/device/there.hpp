// The device that tests use, and what lies there beside what is on the host.
#pragma once

#include <ricci/device.hpp>

#include <doctest/doctest.h>

#include "../numbers.hpp"

inline ricci::device const there{};

template <class X>
numbers elements(X const& x) {
  return numbers(ricci::copy(x, ricci::cpu{}));
}
// f(x...) of tensors there is what it is here
template <class F, class... X>
void check_there(F const& f, X const&... x) {
  CHECK(elements(f(ricci::copy(x, there)...)).near(numbers(f(x...)), 1e-12));
}
