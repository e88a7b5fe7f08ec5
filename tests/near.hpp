// Results that are to be the same, tensors or tuples of such: but for rounding, within a part of the larger of 1 and
// the number itself.
#pragma once

#include <doctest/doctest.h>

#include <tuple>

#include "numbers.hpp"

template <class A, class B>
void check_near(A const& a, B const& b, double tolerance = 1e-12) {
  if constexpr (ricci::Tensor<A>)
    CHECK_MESSAGE(numbers(a).near(numbers(b), tolerance), numbers(a), " and ", numbers(b));
  else
    std::apply([&](auto const&... p) { std::apply([&](auto const&... q) { (check_near(p, q, tolerance), ...); }, b); },
               a);
}
