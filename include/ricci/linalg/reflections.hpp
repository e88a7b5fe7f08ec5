// Householder's reflections, by which `qr`, `svd` and their likes make triangles [Golub and Van Loan, Matrix
// Computations, sections 5.1 and 5.2].
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

// Of column k of a matrix from row k on: the reflection 1 - tau v v^T that makes all but its first element zero. That
// element is what it becomes, those below it are v, whose first element is 1. Signs are LAPACK's.
template <class T>
RICCI_HD RICCI_INLINE constexpr T reflection_of_column(T* a, index_t ld, index_t rows, index_t k) {
  constexpr T tiny = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  T const* const below = a + (k + 1) * ld + k;
  index_t const m = rows - k - 1;
  T sum = 0, first = a[k * ld + k], scale = 1;
  for (index_t i = 0; i < m; ++i) sum += below[i * ld] * below[i * ld];
  if (first * first + sum < tiny) {  // squares may have vanished
    T largest = magnitude(first);
    for (index_t i = 0; i < m; ++i) largest = magnitude(below[i * ld]) > largest ? magnitude(below[i * ld]) : largest;
    scale = scale_of(largest);
    first *= scale, sum = 0;
    for (index_t i = 0; i < m; ++i) sum += (below[i * ld] * scale) * (below[i * ld] * scale);
  }
  if (sum == 0) return 0;
  T const length = square_root(first * first + sum), onto = first > 0 ? -length : length;
  T const inverse = 1 / (first - onto);
  for (index_t i = k + 1; i < rows; ++i) a[i * ld + k] = a[i * ld + k] * scale * inverse;
  a[k * ld + k] = onto / scale;
  return (onto - first) / onto;
}
// Rows k to `rows` of `n` columns of y, by the reflection whose v lies below row k in column k of a; w: n numbers.
template <class T>
RICCI_HD RICCI_INLINE constexpr void reflect(T const* a, index_t ld, index_t k, T tau, T* y, index_t y_ld, index_t rows,
                                             index_t n, T* __restrict w) {
  if (tau == 0) return;
  T* const top = y + k * y_ld;
  T const* const v = a + (k + 1) * ld + k;
  for (index_t j = 0; j < n; ++j) w[j] = -top[j];
  subtract_rows(w, v, ld, top + y_ld, y_ld, rows - k - 1, n);
  for (index_t j = 0; j < n; ++j) w[j] *= tau;  // now minus tau v^T y
  for (index_t j = 0; j < n; ++j) top[j] += w[j];
  for (index_t i = 0; i < rows - k - 1; ++i) {
    T const f = v[i * ld];
    T* __restrict const row = top + (i + 1) * y_ld;
    for (index_t j = 0; j < n; ++j) row[j] += f * w[j];
  }
}

// a becomes its upper triangle r and, below it, the reflections that make it: `steps` of them. w: as many numbers as
// there are columns.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void triangularise(T* a, index_t rows, index_t columns, index_t steps, T* tau,
                                                       T* w) {
  for (index_t k = 0; k < steps; ++k) {
    tau[k] = reflection_of_column(a, columns, rows, k);
    reflect(a, columns, k, tau[k], a + k + 1, columns, rows, columns - k - 1, w);
  }
}
// The same with columns in another order, each time with the longest one of what is left; order[k] is which column of a
// stands at k.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void triangularise_by_length(T* a, index_t rows, index_t columns, index_t steps,
                                                                 T* tau, T* w, T* order) {
  for (index_t j = 0; j < columns; ++j) order[j] = T(j);
  for (index_t k = 0; k < steps; ++k) {
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
    tau[k] = reflection_of_column(a, columns, rows, k);
    reflect(a, columns, k, tau[k], a + k + 1, columns, rows, columns - k - 1, w);
  }
}
// The product of those reflections with y, a matrix of n columns. w: n numbers. Where `of_unit`, rows and columns of y
// that the reflections behind them have left as they were in a unit matrix are left out.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void reflect_back(T const* a, index_t ld, index_t steps, T const* tau, T* y,
                                                      index_t rows, index_t n, T* w, bool of_unit) {
  for (index_t k = steps - 1; k >= 0; --k) {
    index_t const from = of_unit ? k : 0;
    reflect(a, ld, k, tau[k], y + from, n, rows, n - from, w);
  }
}

}  // namespace ricci::linalg
