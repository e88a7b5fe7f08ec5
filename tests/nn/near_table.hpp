// Tables of tests/nn/torch_tables.hpp as tensors, and compared with some.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdlib>

#include <ricci/ricci.hpp>

#include "torch_tables.hpp"

template <class T, std::size_t N>
T of_table(double const (&values)[N]) {
  T t;
  if (std::size_t(t.size()) != N) std::abort();  // before main, where doctest cannot say it
  for (std::size_t k = 0; k < N; ++k) t.data()[k] = typename T::value_type(values[k]);
  return t;
}
// Whether every element is as near as that, of numbers above 1 relative to them.
template <class T, std::size_t N>
bool near_table(T const& t, double const (&values)[N], double tolerance) {
  if (std::size_t(t.size()) != N) return false;
  for (std::size_t k = 0; k < N; ++k)
    if (!(std::abs(double(t.data()[k]) - values[k]) <= tolerance * std::fmax(1, std::abs(values[k])))) return false;
  return true;
}
