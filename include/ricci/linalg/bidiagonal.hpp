// Householder's reduction of a square matrix to a bidiagonal one [Golub and Kahan, Calculating the singular values and
// pseudo-inverse of a matrix, 1965; Golub and Van Loan, Matrix Computations, section 5.4.8].
#pragma once

#include <ricci/linalg/reflections.hpp>

namespace ricci::linalg {

// y[i] = the sum of products of row i with x, four rows at a time
template <class T>
RICCI_HD RICCI_INLINE constexpr void products_with_rows(T* __restrict y, T const* rows, index_t ld, T const* x,
                                                        index_t count, index_t n) {
  constexpr int lanes = 8;
  index_t i = 0;
  for (; i + 4 <= count; i += 4, rows += 4 * ld) {
    T const *const r0 = rows, *const r1 = rows + ld, *const r2 = rows + 2 * ld, *const r3 = rows + 3 * ld;
    T s0[lanes]{}, s1[lanes]{}, s2[lanes]{}, s3[lanes]{};
    index_t j = 0;
    for (; j + lanes <= n; j += lanes)
      for (int k = 0; k < lanes; ++k) {
        T const f = x[j + k];
        s0[k] += f * r0[j + k], s1[k] += f * r1[j + k], s2[k] += f * r2[j + k], s3[k] += f * r3[j + k];
      }
    for (; j < n; ++j) {
      T const f = x[j];
      s0[0] += f * r0[j], s1[0] += f * r1[j], s2[0] += f * r2[j], s3[0] += f * r3[j];
    }
    T const* const sums[] = {s0, s1, s2, s3};
    for (int k = 0; k < 4; ++k) {
      T const* const s = sums[k];
      y[i + k] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
    }
  }
  for (; i < count; ++i, rows += ld) y[i] = product_of_rows(rows, x, n);
}

// A square matrix becomes upper bidiagonal: its diagonal d and, from 0 to n - 2, what lies above it, e. Column k of a
// below the diagonal keeps the reflection from the left, row k behind column k + 1 that from the right. What both leave
// and the product with the next one are one pass. memory: 6 n numbers.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void make_bidiagonal(T* a, index_t n, T* d, T* e, T* tau_left, T* tau_right,
                                                         T* memory) {
  T *const v = memory, *const x = v + n, *const y = x + n, *const u = y + n, *const next = u + n;
  T* __restrict const sums = next + n;
  for (index_t j = 0; j < 4 * n; ++j) memory[j] = 0;
  for (index_t k = 0; k < n; ++k) {  // what is left of a is yet to be made less by v y^T + x u^T
    index_t const m = n - k;
    T* const corner = a + k * n + k;
    for (index_t i = 0; i < m; ++i) next[i] = corner[i * n] - (v[k + i] * y[k] + x[k + i] * u[k]);
    T const tau = tau_left[k] = reflection_of(next, m);
    d[k] = next[0];
    next[0] = 1;
    // y^T and its product with the rows behind column k
    T* __restrict const beside = y + k + 1;
    T const* const above = u + k + 1;
    index_t const w = m - 1;
    for (index_t j = 0; j < w; ++j) sums[j] = 0;
    index_t i = 0;
    for (; i + 4 <= m; i += 4) {
      T* __restrict const r0 = corner + i * n + 1, * __restrict const r1 = r0 + n, * __restrict const r2 = r1 + n, * __restrict const r3 = r2 + n;
      T const *const f = v + k + i, *const g = x + k + i, *const h = next + i;
      T const f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3], g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3], h0 = h[0],
              h1 = h[1], h2 = h[2], h3 = h[3];
      for (index_t j = 0; j < w; ++j) {
        T const p = beside[j], q = above[j];
        T const s0 = r0[j] - (f0 * p + g0 * q), s1 = r1[j] - (f1 * p + g1 * q), s2 = r2[j] - (f2 * p + g2 * q),
                s3 = r3[j] - (f3 * p + g3 * q);
        r0[j] = s0, r1[j] = s1, r2[j] = s2, r3[j] = s3;
        sums[j] += (h0 * s0 + h1 * s1) + (h2 * s2 + h3 * s3);
      }
    }
    for (; i < m; ++i) {
      T* __restrict const row = corner + i * n + 1;
      T const f = v[k + i], g = x[k + i], h = next[i];
      for (index_t j = 0; j < w; ++j) {
        T const s = row[j] - (f * beside[j] + g * above[j]);
        row[j] = s;
        sums[j] += h * s;
      }
    }
    for (index_t j = 0; j < w; ++j) beside[j] = tau * sums[j];
    for (i = 0; i < m; ++i) v[k + i] = next[i];
    for (i = 1; i < m; ++i) corner[i * n] = next[i];
    if (w == 0) break;
    // row k, and the reflection that makes it (d, e, 0, ...)
    T *const row = corner + 1, *const right = u + k + 1;
    for (index_t j = 0; j < w; ++j) right[j] = row[j] - beside[j];
    T const other = tau_right[k] = reflection_of(right, w);
    e[k] = right[0];
    right[0] = 1;
    for (index_t j = 0; j < w; ++j) row[j] = right[j];
    // x = tau (a - v y^T) u
    T const along = product_of_rows(beside, right, w);
    products_with_rows(x + k + 1, corner + n + 1, n, right, w, w);
    for (i = 1; i < m; ++i) x[k + i] = other * (x[k + i] - along * v[k + i]);
  }
}

}  // namespace ricci::linalg
