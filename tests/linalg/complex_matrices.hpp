// Complex matrices of the kinds of matrices.hpp, and what is left of them.
#pragma once

#include <complex>

#include "matrices.hpp"

namespace matrices {

template <class T>
matrix<std::complex<T>> complex_of_kind(int kind, int m, int n, unsigned seed = 1) {
  auto const x = of_kind<T>(kind, m, n, seed), y = of_kind<T>(kind, m, n, seed + 100);
  matrix<std::complex<T>> a(m, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = {x(i, j), (i == j ? T(.25) : T(1)) * y(i, j)};
  return a;
}
template <class X>
double size_of(X const& x) {
  double most = 0;
  for (int i = 0; i < x.shape(0); ++i)
    for (int j = 0; j < x.shape(1); ++j) {
      double const size = std::abs(std::complex<double>(x(i, j)));
      if (!(size <= most)) most = size;
    }
  return most;
}
// the largest element of a - b c, in long double
template <class A, class B, class C>
double size_of_residual(A const& a, B const& b, C const& c) {
  using wide = std::complex<long double>;
  double most = 0;
  for (int i = 0; i < a.shape(0); ++i)
    for (int j = 0; j < a.shape(1); ++j) {
      wide sum = wide(a(i, j));
      for (int k = 0; k < b.shape(1); ++k) sum -= wide(b(i, k)) * wide(c(k, j));
      double const size = double(std::abs(sum));
      if (!(size <= most)) most = size;
    }
  return most;
}
template <class T>
matrix<std::complex<T>> adjoint(matrix<std::complex<T>> const& a) {
  return rc::eval(rc::conj(a.T()));
}

}  // namespace matrices
