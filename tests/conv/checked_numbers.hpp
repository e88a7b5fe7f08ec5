// Samples, sin(seed + 1.7 k^2) element by element, and the comparison of a tensor with what tables keep of it.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <ricci/conv.hpp>

#include "numbers.hpp"

inline double sample_at(int seed, ricci::index_t k) { return std::sin(seed + 1.7 * double(k) * double(k)); }
template <class T, class... N>
auto sample(int seed, N... n) {
  ricci::ndarray<T, sizeof...(N)> x(n...);
  for (ricci::index_t k = 0; k < x.size(); ++k) x.data()[k] = T(sample_at(seed, k));
  return x;
}
template <class Y>
void check_numbers(Y const& y, conv_numbers const& expected, double tolerance) {
  ricci::index_t const n = y.size();
  REQUIRE(double(n) == expected.size);
  if (n == 0) return;
  double sum = 0, weighted = 0;
  for (ricci::index_t k = 0; k < n; ++k)
    sum += double(y.data()[k]), weighted += std::cos(double(k)) * double(y.data()[k]);
  double const made[] = {sum, weighted, double(y.data()[0]), double(y.data()[n / 2]), double(y.data()[n - 1])};
  double const known[] = {expected.sum, expected.weighted, expected.first, expected.middle, expected.last};
  for (int k = 0; k < 5; ++k) CHECK(made[k] == doctest::Approx(known[k]).epsilon(tolerance).scale(double(n)));
}
