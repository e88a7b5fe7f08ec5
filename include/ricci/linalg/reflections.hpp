// Householder's reflections, by which `qr`, `svd` and their likes make triangles [Golub and Van Loan, Matrix
// Computations, sections 5.1 and 5.2].
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

// Of column k of a matrix from row k on: the reflection 1 - tau v v^T that makes all but its first element zero. That
// element is what it becomes, those below it are v, whose first element is 1; so are those of `v`. Signs are LAPACK's.
template <class T>
RICCI_HD RICCI_INLINE constexpr T reflection_of_column(T* a, index_t ld, index_t rows, index_t k, T* v) {
  constexpr T tiny = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  T* const below = a + (k + 1) * ld + k;
  index_t const m = rows - k - 1;
  for (index_t i = 0; i < m; ++i) v[i] = below[i * ld];
  T sum = product_of_rows(v, v, m), first = a[k * ld + k], scale = 1;
  if (first * first + sum < tiny) {  // squares may have vanished
    T largest = magnitude(first);
    for (index_t i = 0; i < m; ++i) largest = magnitude(v[i]) > largest ? magnitude(v[i]) : largest;
    scale = scale_of(largest);
    first *= scale;
    for (index_t i = 0; i < m; ++i) v[i] *= scale;
    sum = product_of_rows(v, v, m);
  }
  if (sum == 0) return 0;
  T const length = square_root(first * first + sum), onto = first > 0 ? -length : length, inverse = 1 / (first - onto);
  for (index_t i = 0; i < m; ++i) below[i * ld] = v[i] *= inverse;
  a[k * ld + k] = onto / scale;
  return (onto - first) / onto;
}
// Of `n` columns of y the row at `top` and the m rows below it, by the reflection with these v below a 1; w: n numbers.
template <class T>
RICCI_HD RICCI_INLINE constexpr void reflect(T const* v, index_t m, T tau, T* top, index_t ld, index_t n,
                                             T* __restrict w) {
  if (tau == 0) return;
  for (index_t j = 0; j < n; ++j) w[j] = -top[j];
  subtract_rows(w, v, 1, top + ld, ld, m, n);
  for (index_t j = 0; j < n; ++j) w[j] *= tau;  // now minus tau v^T y
  for (index_t j = 0; j < n; ++j) top[j] += w[j];
  for (index_t i = 0; i < m; ++i) {
    T const f = v[i];
    T* __restrict const row = top + (i + 1) * ld;
    for (index_t j = 0; j < n; ++j) row[j] += f * w[j];
  }
}

// a becomes its upper triangle r and, below it, the reflections that make it: `steps` of them. w: as many numbers as
// there are rows and columns. Where `order` is there, columns are taken in another order, each time the longest one of
// what is left, and order[k] is which column of a stands at k.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void triangularise(T* a, index_t rows, index_t columns, index_t steps, T* tau, T* w,
                                                       T* order) {
  T* const v = w + columns;
  if (order)
    for (index_t j = 0; j < columns; ++j) order[j] = T(j);
  for (index_t k = 0; k < steps; ++k) {
    if (order) {
      for (index_t j = k; j < columns; ++j) w[j] = 0;
      for (index_t i = k; i < rows; ++i) {
        T const* const row = a + i * columns;
        for (index_t j = k; j < columns; ++j) w[j] += row[j] * row[j];
      }
      index_t longest = k;
      for (index_t j = k + 1; j < columns; ++j)
        if (w[j] > w[longest]) longest = j;
      if (longest != k) {
        T const t = order[k];
        order[k] = order[longest], order[longest] = t;
        for (index_t i = 0; i < rows; ++i) {
          T* const row = a + i * columns;
          T const x = row[k];
          row[k] = row[longest], row[longest] = x;
        }
      }
    }
    tau[k] = reflection_of_column(a, columns, rows, k, v);
    reflect(v, rows - k - 1, tau[k], a + k * columns + k + 1, columns, columns - k - 1, w);
  }
}
// The product of those reflections with y, a matrix of n columns. w: n numbers and as many as there are rows. Where
// `of_unit`, columns of y that they have left as they were in a unit matrix are left out.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void reflect_back(T const* a, index_t ld, index_t steps, T const* tau, T* y,
                                                      index_t rows, index_t n, T* w, bool of_unit) {
  T* const v = w + n;
  for (index_t k = steps - 1; k >= 0; --k) {
    index_t const from = of_unit ? k : 0, m = rows - k - 1;
    for (index_t i = 0; i < m; ++i) v[i] = a[(k + 1 + i) * ld + k];
    reflect(v, m, tau[k], y + k * n + from, n, n - from, w);
  }
}

}  // namespace ricci::linalg
