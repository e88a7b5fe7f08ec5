// Sparse jacobians against dense ones.
#pragma once

#include <doctest/doctest.h>

#include "numbers.hpp"
#include "raised.hpp"

namespace rc = ricci;

using vector = rc::ndarray<double, 1>;
using matrix = rc::ndarray<double, 2>;

// elements that happen to be zero nowhere
inline vector some(rc::index_t n, double seed = 0.3) {
  vector x(n);
  for (rc::index_t k = 0; k < n; ++k) x(k) = std::sin(seed + 1.7 * double(k) * double(k)) + 1.5;
  return x;
}
inline matrix some(rc::index_t m, rc::index_t n, double seed) {
  return rc::reshape(some(m * n, seed), rc::shape(m, n));
}

inline rc::index_t count_nonzeros(numbers const& x) {
  rc::index_t n = 0;
  for (double y : x.values) n += y != 0;
  return n;
}

// By argument I: the values are those of jacfwd, and, where it is exact, nothing else is in the pattern.
template <int I = 0, class F, class... A>
auto check(bool is_exact, F const& f, A const&... a) {
  auto const j = rc::sparse_jacobian<I>(f)(a...);
  numbers const dense(rc::eval(rc::jacfwd<I>(f)(a...)));
  CHECK(numbers(j.dense()).near(dense, 1e-12));
  if (is_exact)
    CHECK(j.nonzeros() == count_nonzeros(dense));
  else
    CHECK(j.nonzeros() >= count_nonzeros(dense));
  for (rc::index_t r = 0; r < j.shape(0); ++r)
    for (rc::index_t k = j.row_starts(r) + 1; k < j.row_starts(r + 1); ++k) CHECK(j.columns(k - 1) < j.columns(k));
  return j;
}
