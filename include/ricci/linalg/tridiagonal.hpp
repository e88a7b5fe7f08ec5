// Eigenvalues and eigenvectors of symmetric matrices by Householder's reduction to a tridiagonal matrix and the
// implicit QL method [Golub and Van Loan, Matrix Computations, sections 8.3.1 and 8.3.5; Parlett, The Symmetric
// Eigenvalue Problem, chapter 8].
#pragma once

#include <ricci/linalg/reflections.hpp>

namespace ricci::linalg {

// A symmetric matrix (both triangles) becomes tridiagonal: its diagonal d and, from 0 to n - 2, what lies beside it, e.
// Row k of a, behind column k + 1, keeps the reflection's vector, whose first element is 1; tau its factors. w: 2 n.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void make_tridiagonal(T* a, index_t n, T* d, T* e, T* tau, T* w) {
  constexpr T tiny = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  for (index_t k = 0; k + 1 < n; ++k) {
    d[k] = a[k * n + k];
    index_t const m = n - k - 1;
    T* const v = a + k * n + k + 1;
    T const first = v[0], sum = product_of_rows(v + 1, v + 1, m - 1);
    if (sum == 0 || first * first + sum < tiny) {  // what is lost is less than rounding of the largest element
      e[k] = sum == 0 ? first : T(0), tau[k] = 0;
      continue;
    }
    T const length = square_root(first * first + sum), onto = first > 0 ? -length : length,
            inverse = 1 / (first - onto), t = (onto - first) / onto;
    for (index_t j = 1; j < m; ++j) v[j] *= inverse;
    v[0] = 1;
    e[k] = onto, tau[k] = t;
    // what is left loses v w^T + w v^T, with w = t (a v - t/2 (v^T a v) v)
    T* const rest = a + (k + 1) * n + k + 1;
    for (index_t j = 0; j < m; ++j) w[j] = 0;
    subtract_rows(w, v, 1, rest, n, m, m);
    T const half = t * t * product_of_rows(v, w, m) / 2;
    for (index_t j = 0; j < m; ++j) w[j] = -t * w[j] + half * v[j];
    for (index_t i = 0; i < m; ++i) {
      T const f = v[i], g = w[i];
      T* __restrict const row = rest + i * n;
      for (index_t j = 0; j < m; ++j) row[j] -= f * w[j] + g * v[j];
    }
  }
  if (n > 0) d[n - 1] = a[n * n - 1];
}
// The transposed product of those reflections, whose rows are to become eigenvectors.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void reflections_as_rows(T const* a, index_t n, T const* tau, T* z, T* w) {
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) z[i * n + j] = T(i == j);
  for (index_t k = n - 2; k >= 0; --k) {  // of z, rows and columns from k + 1 on: each row less its part along v
    index_t const m = n - k - 1;
    T const* const v = a + k * n + k + 1;
    T* const rest = z + (k + 1) * n + k + 1;
    if (tau[k] == 0) continue;
    for (index_t i = 0; i < m; ++i) w[i] = tau[k] * product_of_rows(rest + i * n, v, m);
    for (index_t i = 0; i < m; ++i) {
      T const f = w[i];
      T* __restrict const row = rest + i * n;
      for (index_t j = 0; j < m; ++j) row[j] -= f * v[j];
    }
  }
}

// The tridiagonal matrix becomes diagonal; the rows of z, where it is there, turn with it. False where that does not
// come to an end, as with numbers that are none.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool make_diagonal(T* d, T* e, index_t n, T* z) {
  constexpr T eps = std::numeric_limits<T>::epsilon();
  constexpr int most_steps = 60;  // for one eigenvalue; a few are usual
  for (index_t low = 0; low < n; ++low)
    for (int step = 0;; ++step) {
      index_t high = low;  // the block from `low` to `high` is not yet split
      while (high + 1 < n && !(magnitude(e[high]) <= eps * (magnitude(d[high]) + magnitude(d[high + 1])))) ++high;
      if (high == low) break;
      if (step == most_steps) return false;
      T const difference = (d[low + 1] - d[low]) / (2 * e[low]), root = square_root(1 + difference * difference);
      T f = d[high] - d[low] + e[low] / (difference + (difference < 0 ? -root : root));  // less Wilkinson's shift
      T s = 1, c = 1, moved = 0;
      bool split = false;
      for (index_t i = high - 1; i >= low; --i) {
        T const beside = s * e[i], b = c * e[i];
        T const larger = magnitude(beside) > magnitude(f) ? magnitude(beside) : magnitude(f);
        if (larger == 0) {
          d[i + 1] -= moved, e[i + 1] = 0;
          split = true;
          break;
        }
        T const x = beside / larger, y = f / larger, length = square_root(x * x + y * y) * larger;
        e[i + 1] = length;
        s = beside / length, c = f / length;
        T const shifted = d[i + 1] - moved, r = (d[i] - shifted) * s + 2 * c * b;
        moved = s * r;
        d[i + 1] = shifted + moved;
        f = c * r - b;
        if (z) rotate_rows(z + (i + 1) * n, z + i * n, c, s, n);
      }
      e[high] = 0;
      if (split) continue;
      d[low] -= moved;
      e[low] = f;
    }
  return true;
}

// Of a symmetric matrix that stands in a, both triangles: its eigenvalues in ascending order in d, their vectors as
// rows of z where it is there. memory: 4 n numbers.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool eigenvalues_of(T* a, index_t n, T* d, T* z, T* memory) {
  T *const e = memory, *const tau = e + n, *const w = tau + n;
  make_tridiagonal(a, n, d, e, tau, w);
  if (z) reflections_as_rows(a, n, tau, z, w);
  if (!make_diagonal(d, e, n, z)) return false;
  for (index_t i = 0; i < n; ++i) {
    index_t least = i;
    for (index_t k = i + 1; k < n; ++k)
      if (d[k] < d[least]) least = k;
    if (least == i) continue;
    T const t = d[i];
    d[i] = d[least], d[least] = t;
    if (z) exchange_rows(z + i * n, z + least * n, n);
  }
  return true;
}

}  // namespace ricci::linalg
