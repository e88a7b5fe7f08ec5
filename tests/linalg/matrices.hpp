// Matrices of several kinds on which factorisations are tried, and what is left of them, in units of rounding as in
// LAPACK's tests: |a - product| / (n |a| eps), |1 - q^T q| / (n eps). A result is right where that stays below 30.
#pragma once

#include <ricci/linalg.hpp>

#include <cmath>
#include <limits>

namespace matrices {

namespace rc = ricci;

template <class T>
using matrix = rc::ndarray<T, 2>;

inline constexpr char const* kinds[] = {"well conditioned", "ill conditioned", "graded",    "rank 1",         "zero",
                                        "near overflow",    "near underflow",  "clustered", "graded upwards", "shift"};
inline constexpr int kind_count = 10;

// numbers between -1 and 1 that have no pattern
inline double noise(unsigned k) {
  k = (k ^ 61u ^ k >> 16) * 9u;
  k = (k ^ k >> 4) * 0x27d4eb2du;
  return double(k ^ k >> 15) / 2147483648. - 1;
}
template <class T>
matrix<T> of_kind(int kind, int m, int n, unsigned seed = 1) {
  matrix<T> a(m, n);
  double const eps = std::numeric_limits<T>::epsilon();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double x = noise(seed * 7919u + unsigned(i * 131 + j)) + (i == j ? 2 : 0);
      if (kind == 1) x = 1 + (noise(unsigned(i * 131 + j)) * 100 * eps);
      if (kind == 2) x *= std::pow(eps, .1 * i);
      if (kind == 3) x = (1 + i) * (2. - j);
      if (kind == 4) x = 0;
      if (kind == 5) x *= double(std::numeric_limits<T>::max()) / 4 / (m + n);
      if (kind == 6) x *= double(std::numeric_limits<T>::min()) * 8;
      if (kind == 7) x = (i == j) + (noise(unsigned(i * 131 + j)) * 10 * eps);
      if (kind == 8) x *= std::pow(eps, .1 * (m - 1 - i));
      if (kind == 9) x = i + 1 == j;
      a(i, j) = T(x);
    }
  return a;
}
template <class X>
double largest(X const& x) {
  double most = 0;
  for (int i = 0; i < x.shape(0); ++i)
    for (int j = 0; j < x.shape(1); ++j) {
      double const size = std::abs(double(x(i, j)));
      if (!(size <= most)) most = size;
    }
  return most;
}
// in long double, so that no intermediate value overflows
template <class A, class B>
rc::ndarray<double, 2> exact_product(A const& a, B const& b, double scale = 1) {
  rc::ndarray<double, 2> c(a.shape(0), b.shape(1));
  for (int i = 0; i < a.shape(0); ++i)
    for (int j = 0; j < b.shape(1); ++j) {
      long double sum = 0;
      for (int k = 0; k < b.shape(0); ++k) sum += static_cast<long double>(a(i, k)) * static_cast<long double>(b(k, j));
      c(i, j) = double(sum / static_cast<long double>(scale));
    }
  return c;
}
template <class A, class B, class C>
double residual(A const& a, B const& b, C const& c) {
  using T = typename A::value_type;
  double const size = largest(a), scale = size > 0 ? size : 1;
  auto const product = exact_product(b, c, scale);
  double most = 0;
  for (int i = 0; i < a.shape(0); ++i)
    for (int j = 0; j < a.shape(1); ++j) {
      double const d = std::abs(double(a(i, j)) / scale - product(i, j));
      if (!(d <= most)) most = d;
    }
  double const n = double(a.shape(0) > a.shape(1) ? a.shape(0) : a.shape(1));
  return most == 0 ? 0 : most / (n * double(std::numeric_limits<T>::epsilon()));
}
template <class Q>
double from_orthonormal(Q const& q) {  // columns
  using T = typename Q::value_type;
  auto const product = exact_product(q.T(), q);
  double most = 0;
  for (int i = 0; i < q.shape(1); ++i)
    for (int j = 0; j < q.shape(1); ++j) {
      double const d = std::abs(product(i, j) - (i == j));
      if (!(d <= most)) most = d;
    }
  return most == 0 ? 0 : most / (double(q.shape(0)) * double(std::numeric_limits<T>::epsilon()));
}

}  // namespace matrices
