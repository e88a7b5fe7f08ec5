// Singular values and vectors by one-sided rotations: rows of a triangle, the factor of a QR factorisation with columns
// in the order of their lengths, are turned until they are orthogonal [Drmac and Veselic, New fast and accurate Jacobi
// SVD algorithm, 2008]. Small singular values are as accurate as large ones where scaling rows of the matrix makes it
// well conditioned.
#pragma once

#include <ricci/linalg/reflections.hpp>

namespace ricci::linalg {

// Turns the n rows of g until they are orthogonal, and with them those of j, where it is there; s[i] becomes the length
// of row i. What is short enough for squares to vanish, 1e-15 (double: 1e-146) of what is long, becomes 0. False where
// that does not come to an end, as with numbers that are none.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool make_rows_orthogonal(T* g, index_t n, T* s, T* j) {
  constexpr T eps = std::numeric_limits<T>::epsilon(), tiny = std::numeric_limits<T>::min() / eps;
  constexpr int most_sweeps = 40, usual_sweeps = 10;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool turned = false;
    // rows may be turned to and fro by what is but the rounding of their product: then that much is left
    T const negligible = sweep < usual_sweeps ? eps : eps * T(n + 4);
    for (index_t i = 0; i < n; ++i) {
      s[i] = product_of_rows(g + i * n, g + i * n, n);
      if (s[i] < tiny)
        for (index_t k = 0; k < n; ++k) g[i * n + k] = s[i] = 0;
    }
    for (index_t i = 0; i + 1 < n; ++i)
      for (index_t k = i + 1; k < n; ++k) {
        T *const x = g + i * n, *const y = g + k * n;
        T const a = s[i], b = s[k], c = product_of_rows(x, y, n);
        if (magnitude(c) <= negligible * square_root(a) * square_root(b)) continue;
        if (c != c) return false;
        turned = true;
        T const ratio = (b - a) / (2 * c),
                root = magnitude(ratio) > 1 / eps ? magnitude(ratio) : square_root(1 + ratio * ratio),
                t = 1 / (ratio < 0 ? ratio - root : ratio + root), cosine = 1 / square_root(1 + t * t);
        rotate_rows(x, y, cosine, -t * cosine, n);
        if (j) rotate_rows(j + i * n, j + k * n, cosine, -t * cosine, n);
        s[i] = a - t * c, s[k] = b + t * c;
        if (s[i] <= a / 4 || s[k] <= b / 4) {  // little is left: not by a difference
          s[i] = product_of_rows(x, x, n);
          s[k] = product_of_rows(y, y, n);
        }
      }
    if (!turned) break;
    if (sweep + 1 == most_sweeps) return false;
  }
  for (index_t i = 0; i < n; ++i) s[i] = square_root(product_of_rows(g + i * n, g + i * n, n));
  return true;
}

// Row i of x, of n, becomes a unit vector that is perpendicular to the rows before it. w: n numbers.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void complete_row(T* x, index_t i, index_t n, T* w) {
  // the axis of which the rows before have least
  for (index_t k = 0; k < n; ++k) w[k] = 0;
  for (index_t r = 0; r < i; ++r)
    for (index_t k = 0; k < n; ++k) w[k] += x[r * n + k] * x[r * n + k];
  index_t axis = 0;
  for (index_t k = 1; k < n; ++k)
    if (w[k] < w[axis]) axis = k;
  T* const row = x + i * n;
  for (index_t k = 0; k < n; ++k) row[k] = T(k == axis);
  for (int twice = 0; twice < 2; ++twice)
    for (index_t r = 0; r < i; ++r) {
      T const f = product_of_rows(row, x + r * n, n);
      for (index_t k = 0; k < n; ++k) row[k] -= f * x[r * n + k];
    }
  T const length = square_root(product_of_rows(row, row, n));
  for (index_t k = 0; k < n; ++k) row[k] /= length;
}

}  // namespace ricci::linalg
