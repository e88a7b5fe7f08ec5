// Householder's reflections, by which `qr`, `svd` and their likes make triangles [Golub and Van Loan, Matrix
// Computations, sections 5.1 and 5.2].
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

// the sum of squares of moduli
template <class T>
RICCI_HD RICCI_INLINE constexpr auto sum_of_squares(T const* x, index_t n) {
  if constexpr (is_complex_matrix<T>) {
    real_for<T> sum = 0;
    for (index_t j = 0; j < n; ++j) sum += square_of(x[j]);
    return sum;
  } else {
    return product_of_rows(x, x, n);
  }
}
// Of x, n numbers, the reflection 1 - tau v v^H whose adjoint makes all but the first one zero: x[0] is what that
// becomes, a real number, behind it stands v, whose first element is 1; tau is returned. x is scaled: what vanishes
// when squared is left out.
template <class T>
RICCI_HD RICCI_INLINE constexpr T reflection_of(T* x, index_t n) {
  using R = real_for<T>;
  constexpr R tiny = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();
  if (n == 0) return 0;
  T const first = x[0];
  R const sum = sum_of_squares(x + 1, n - 1), all = square_of(first) + sum;
  bool is_real = true;
  if constexpr (is_complex_matrix<T>) is_real = first.im == 0;
  if ((sum == 0 && is_real) || all < tiny) {
    for (index_t j = 1; j < n; ++j) x[j] = 0;
    return 0;
  }
  R const length = square_root(all), onto = real_part(first) > 0 ? -length : length;
  T const inverse = T(1) / (first - T(onto));
  for (index_t j = 1; j < n; ++j) x[j] *= inverse;
  x[0] = onto;
  return (T(onto) - first) / T(onto);
}

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

// Rows of y are reflected, complex. w: n numbers.
template <class R>
RICCI_HD constexpr void reflect_with(complex_number<R> const* v, index_t m, complex_number<R> tau, complex_number<R>* y,
                                     index_t ld, index_t n, complex_number<R>* w) {
  using C = complex_number<R>;
  if (tau == 0) return;
  for (index_t j = 0; j < n; ++j) w[j] = 0;
  for (index_t i = 0; i < m; ++i)
    for (index_t j = 0; j < n; ++j) w[j] += conjugate(v[i]) * y[i * ld + j];
  for (index_t i = 0; i < m; ++i) {
    C const f = tau * v[i];
    for (index_t j = 0; j < n; ++j) y[i * ld + j] -= f * w[j];
  }
}
// Of complex matrices, one reflection after the other: a becomes its upper triangle, with a real diagonal, and below it
// the reflections that make it. w: reflection_memory.
template <class R>
RICCI_HD constexpr void triangularise(complex_number<R>* a, index_t rows, index_t columns, index_t steps,
                                      complex_number<R>* tau, complex_number<R>* w, complex_number<R>*) {
  using C = complex_number<R>;
  C* const v = w + columns;
  for (index_t k = 0; k < steps; ++k) {
    index_t const m = rows - k;
    for (index_t i = 0; i < m; ++i) v[i] = a[(k + i) * columns + k];
    tau[k] = reflection_of(v, m);
    for (index_t i = 0; i < m; ++i) a[(k + i) * columns + k] = v[i];
    v[0] = 1;
    reflect_with(v, m, conjugate(tau[k]), a + k * columns + k + 1, columns, columns - k - 1, w);
  }
}
template <class R>
RICCI_HD constexpr void reflect_back(complex_number<R> const* a, index_t ld, index_t steps,
                                     complex_number<R> const* tau, complex_number<R>* y, index_t rows, index_t n,
                                     complex_number<R>* w, bool) {
  complex_number<R>* const v = w + n;
  for (index_t k = steps - 1; k >= 0; --k) {
    index_t const m = rows - k;
    for (index_t i = 0; i < m; ++i) v[i] = i == 0 ? complex_number<R>(1) : a[(k + i) * ld + k];
    reflect_with(v, m, tau[k], y + k * n, n, n, w);
  }
}

// Several reflections together are 1 - v t v^T with an upper triangular t [Schreiber and Van Loan, A storage-efficient
// WY representation for products of Householder transformations, 1989]: so many at a time.
inline constexpr index_t reflections_together = 8, least_columns_together = 24;

// Numbers that `triangularise` and `reflect_back` need.
RICCI_HD constexpr index_t reflection_memory(index_t rows, index_t columns) {
  return columns + rows + reflections_together * (rows + columns + reflections_together);
}
// From the reflections below the diagonal of columns k to k + count: v, one row each, `m` long, and t.
template <class T>
RICCI_HD RICCI_INLINE constexpr void gather_reflections(T const* a, index_t ld, index_t k, index_t count, index_t m,
                                                        T const* tau, T* v, T* t) {
  for (index_t p = 0; p < count; ++p) {
    T* const row = v + p * m;
    for (index_t i = 0; i < m; ++i) row[i] = i < p ? T(0) : i == p ? T(1) : a[(k + i) * ld + k + p];
    T* const column = t + p;
    for (index_t q = 0; q < count; ++q) column[q * count] = 0;
    column[p * count] = tau[k + p];
    for (index_t q = 0; q < p; ++q) {
      T const f = -tau[k + p] * product_of_rows(v + q * m, row, m);
      for (index_t r = 0; r <= q; ++r) column[r * count] += f * t[r * count + q];
    }
  }
}
// y, of m rows and n columns, by 1 - v t v^T, or with t transposed. w: count n numbers.
template <class T>
RICCI_HD RICCI_INLINE constexpr void reflect_together(T const* v, T const* t, index_t count, index_t m, bool transposed,
                                                      T* y, index_t ld, index_t n, T* w) {
  for (index_t j = 0; j < count * n; ++j) w[j] = 0;
  for (index_t i = 0; i < m; i += 4) {
    index_t const rows = m - i < 4 ? m - i : 4;
    index_t p = 0;
    for (; p + 2 <= count; p += 2)
      subtract_rows_of_two(w + p * n, w + (p + 1) * n, v + p * m + i, v + (p + 1) * m + i, 1, y + i * ld, ld, rows, n);
    if (p < count) subtract_rows(w + p * n, v + p * m + i, 1, y + i * ld, ld, rows, n);
  }
  for (index_t k = 0; k < count; ++k) {  // w is -v^T y, and becomes t v^T y
    index_t const p = transposed ? count - 1 - k : k, others = transposed ? 0 : p + 1;
    T* __restrict const row = w + p * n;
    T const own = -t[p * count + p];
    for (index_t j = 0; j < n; ++j) row[j] *= own;
    subtract_rows(row, transposed ? t + p : t + p * count + p + 1, transposed ? count : 1, w + others * n, n,
                  transposed ? p : count - 1 - p, n);
  }
  index_t i = 0;
  for (; i + 2 <= m; i += 2) subtract_rows_of_two(y + i * ld, y + (i + 1) * ld, v + i, v + i + 1, m, w, n, count, n);
  if (i < m) subtract_rows(y + i * ld, v + i, m, w, n, count, n);
}

// a becomes its upper triangle r and, below it, the reflections that make it: `steps` of them. w: reflection_memory.
// Where `order` is there, columns are taken in another order, each time the longest one of what is left, and order[k]
// is which column of a stands at k.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void triangularise(T* a, index_t rows, index_t columns, index_t steps, T* tau, T* w,
                                                       T* order) {
  T* const v = w + columns;
  index_t from = 0, reached = 0,
          last = columns;  // of the reflections that are applied together to columns from `last` on
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
    if (k >= reached) {
      bool const together = !order && columns - k >= least_columns_together;
      from = k, reached = together && k + reflections_together < steps ? k + reflections_together : steps;
      last = together ? reached : columns;
    }
    tau[k] = reflection_of_column(a, columns, rows, k, v);
    reflect(v, rows - k - 1, tau[k], a + k * columns + k + 1, columns, last - k - 1, w);
    if (k + 1 == reached && last < columns) {
      index_t const m = rows - from, count = reached - from;
      T *const all = v + rows, *const t = all + reflections_together * rows,
               *const more = t + reflections_together * reflections_together;
      gather_reflections(a, columns, from, count, m, tau, all, t);
      reflect_together(all, t, count, m, true, a + from * columns + last, columns, columns - last, more);
    }
  }
}
// The product of those reflections with y, a matrix of n columns. w: reflection_memory. Where `of_unit`, columns of y
// that they have left as they were in a unit matrix are left out.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void reflect_back(T const* a, index_t ld, index_t steps, T const* tau, T* y,
                                                      index_t rows, index_t n, T* w, bool of_unit) {
  T *const v = w + n, *const all = v + rows, *const t = all + reflections_together * rows,
           *const more = t + reflections_together * reflections_together;
  bool const together = n >= least_columns_together;
  for (index_t k = steps; k > 0;) {
    index_t const count = together ? (k - 1) % reflections_together + 1 : 1;
    k -= count;
    index_t const from = of_unit ? k : 0, m = rows - k;
    if (count > 1) {
      gather_reflections(a, ld, k, count, m, tau, all, t);
      reflect_together(all, t, count, m, false, y + k * n + from, n, n - from, more);
      continue;
    }
    for (index_t i = 0; i + 1 < m; ++i) v[i] = a[(k + 1 + i) * ld + k];
    reflect(v, m - 1, tau[k], y + k * n + from, n, n - from, w);
  }
}

}  // namespace ricci::linalg
