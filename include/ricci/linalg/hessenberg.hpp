// What comes before eigenvalues of matrices that are not symmetric: scaling by powers of two [Parlett and Reinsch,
// Balancing a matrix for calculation of eigenvalues and eigenvectors, 1969; by Euclidean norms with the diagonal:
// James, Langou and Lowery, On matrix balancing and eigenvector computation, 2014] and the reduction to Hessenberg's
// form, zero below the first subdiagonal [Golub and Van Loan, Matrix Computations, sections 7.5.7 and 7.4.3]. Of real
// and complex numbers.
#pragma once

#include <ricci/linalg/reflections.hpp>

namespace ricci::linalg {

// a, with elements of about 1 and below, becomes inv(d) a d for a diagonal d, so that row k and column k have about the
// same length.
template <class T>
RICCI_HD constexpr void balance(T* a, index_t n, T* d) {
  using R = real_for<T>;
  for (index_t i = 0; i < n; ++i) d[i] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (index_t i = 0; i < n; ++i) {
      R column = 0, row = 0;
      for (index_t j = 0; j < n; ++j) column += square_of(a[j * n + i]), row += square_of(a[i * n + j]);
      if (column == 0 || row == 0) continue;
      column = square_root(column), row = square_root(row);
      R const sum = column + row;
      R f = 1;
      for (; column < row / 2 && f < R(0x1p40); column *= 4) f *= 2;
      for (; column >= row * 2 && f > R(0x1p-40); column /= 4) f /= 2;
      if (!(column + row < R(.95) * sum * f)) continue;
      changed = true;
      d[i] *= T(f);
      for (index_t j = 0; j < n; ++j) a[i * n + j] *= T(1 / f);
      for (index_t j = 0; j < n; ++j) a[j * n + i] *= T(f);
    }
  }
}

// a becomes h with a = q h q^H; if z is there, its rows become the columns of q. memory: 3 n numbers.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void make_hessenberg(T* a, index_t n, T* z, T* memory) {
  T *const tau = memory, *const v = tau + n, *__restrict const w = v + n;
  index_t const steps = n - (is_complex_matrix<T> ? 1 : 2);  // complex numbers below the diagonal become real
  for (index_t k = 0; k < steps; ++k) {
    index_t const m = n - k - 1;
    T* const corner = a + (k + 1) * n + k;
    for (index_t i = 0; i < m; ++i) v[i] = corner[i * n];
    T const t = tau[k] = reflection_of(v, m);
    for (index_t i = 0; i < m; ++i) corner[i * n] = v[i];
    if (t == 0) continue;
    v[0] = 1;
    for (index_t j = 0; j < m; ++j) w[j] = 0;
    for (index_t i = 0; i < m; ++i) {
      T const f = conjugate(v[i]);
      T const* const row = corner + i * n + 1;
      for (index_t j = 0; j < m; ++j) w[j] += f * row[j];
    }
    for (index_t i = 0; i < m; ++i) {
      T const f = conjugate(t) * v[i];
      T* __restrict const row = corner + i * n + 1;
      for (index_t j = 0; j < m; ++j) row[j] -= f * w[j];
    }
    for (index_t i = 0; i < n; ++i) {
      T* __restrict const row = a + i * n + k + 1;
      T const f = t * product_of_rows(row, v, m);
      for (index_t j = 0; j < m; ++j) row[j] -= f * conjugate(v[j]);
    }
  }
  if (z) {
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) z[i * n + j] = T(i == j);
    for (index_t k = steps - 1; k >= 0; --k) {
      index_t const m = n - k - 1;
      T const t = tau[k];
      if (t == 0) continue;
      for (index_t i = 0; i < m; ++i) v[i] = i == 0 ? T(1) : conjugate(a[(k + 1 + i) * n + k]);
      for (index_t i = k + 1; i < n; ++i) {
        T* __restrict const row = z + i * n + k + 1;
        T const f = t * product_of_rows(row, v, m);
        for (index_t j = 0; j < m; ++j) row[j] -= f * conjugate(v[j]);
      }
    }
  }
  for (index_t i = 2; i < n; ++i)
    for (index_t j = 0; j + 1 < i; ++j) a[i * n + j] = 0;
}

}  // namespace ricci::linalg
