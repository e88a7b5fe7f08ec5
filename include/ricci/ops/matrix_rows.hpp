// Loops over rows of matrices in row-major order, of which factorisations consist: their inner loops run along memory,
// so that compilers vectorise them. `ld` is how far it is from one row to the next, in elements.
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/ops/matrix_numbers.hpp>

namespace ricci::linalg {

// y[j] -= the sum of f[p * step] rows[p][j]
template <class T>
RICCI_HD RICCI_INLINE constexpr void subtract_rows(T* __restrict y, T const* f, index_t step, T const* rows, index_t ld,
                                                   index_t count, index_t n) {
  index_t p = 0;
  for (; p + 4 <= count; p += 4, rows += 4 * ld) {
    T const f0 = f[p * step], f1 = f[(p + 1) * step], f2 = f[(p + 2) * step], f3 = f[(p + 3) * step];
    T const *const r0 = rows, *const r1 = rows + ld, *const r2 = rows + 2 * ld, *const r3 = rows + 3 * ld;
    for (index_t j = 0; j < n; ++j) y[j] -= (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
  }
  for (; p < count; ++p, rows += ld) {
    T const f0 = f[p * step];
    for (index_t j = 0; j < n; ++j) y[j] -= f0 * rows[j];
  }
}
// The same of two rows at once, which read the others once: row y by f, row z by g.
template <class T>
RICCI_HD RICCI_INLINE constexpr void subtract_rows_of_two(T* __restrict y, T* __restrict z, T const* f, T const* g,
                                                          index_t step, T const* rows, index_t ld, index_t count,
                                                          index_t n) {
  index_t p = 0;
  for (; p + 4 <= count; p += 4, rows += 4 * ld) {
    T const f0 = f[p * step], f1 = f[(p + 1) * step], f2 = f[(p + 2) * step], f3 = f[(p + 3) * step];
    T const g0 = g[p * step], g1 = g[(p + 1) * step], g2 = g[(p + 2) * step], g3 = g[(p + 3) * step];
    T const *const r0 = rows, *const r1 = rows + ld, *const r2 = rows + 2 * ld, *const r3 = rows + 3 * ld;
    for (index_t j = 0; j < n; ++j) {
      T const a = r0[j], b = r1[j], c = r2[j], d = r3[j];
      y[j] -= (f0 * a + f1 * b) + (f2 * c + f3 * d);
      z[j] -= (g0 * a + g1 * b) + (g2 * c + g3 * d);
    }
  }
  subtract_rows(y, f + p * step, step, rows, ld, count - p, n);
  subtract_rows(z, g + p * step, step, rows, ld, count - p, n);
}

// The sum of products of two rows, in several sums side by side.
template <class T>
RICCI_HD RICCI_INLINE constexpr T product_of_rows(T const* x, T const* y, index_t n) {
  constexpr int lanes = 8;
  T s[lanes]{};
  index_t j = 0;
  for (; j + lanes <= n; j += lanes)
    for (int k = 0; k < lanes; ++k) s[k] += x[j + k] * y[j + k];
  T rest = 0;
  for (; j < n; ++j) rest += x[j] * y[j];
  return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7])) + rest;
}

template <class T>
RICCI_HD RICCI_INLINE constexpr void exchange_rows(T* __restrict x, T* __restrict y, index_t n) {
  for (index_t j = 0; j < n; ++j) {
    T const t = x[j];
    x[j] = y[j], y[j] = t;
  }
}
// x becomes c x + s y, and y becomes c y - s x
template <class T>
RICCI_HD RICCI_INLINE constexpr void rotate_rows(T* __restrict x, T* __restrict y, T c, T s, index_t n) {
  for (index_t j = 0; j < n; ++j) {
    T const a = x[j], b = y[j];
    x[j] = c * a + s * b;
    y[j] = c * b - s * a;
  }
}

// A power of two by which the largest of some numbers becomes one near 1, so that squares neither overflow nor vanish;
// 0 where one of them is no finite number.
template <class T>
RICCI_HD constexpr T scale_of(T largest) {
  if (!(largest <= std::numeric_limits<T>::max())) return 0;
  T scale = 1;
  if (largest == 0) return scale;
  for (; largest * scale > 2; scale /= 2) {
  }
  for (; largest * scale < T(.5) && scale < std::numeric_limits<T>::max() / 4; scale *= 2) {
  }
  return scale;
}
// The largest magnitude of a matrix that a view shows; NaN where there is one.
template <class X>
RICCI_HD constexpr auto largest_of(X const& x, index_t rows, index_t columns) {
  using T = real_for<std::remove_cvref_t<decltype(x(0, 0))>>;
  T largest = 0;
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j) {
      T const size = magnitude(x(i, j));
      if (!(size <= largest)) largest = size;
      if (size != size) return size;
    }
  return largest;
}

// From a view into rows and back.
template <class T, class X>
RICCI_HD RICCI_INLINE constexpr void read(T* to, index_t ld, X const& x, index_t rows, index_t columns) {
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j) to[i * ld + j] = x(i, j);
}
template <class T, class Y>
RICCI_HD RICCI_INLINE constexpr void write(T const* from, index_t ld, Y const& y, index_t rows, index_t columns) {
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j) y(i, j) = from[i * ld + j];
}
template <class T, class Y>
RICCI_HD RICCI_INLINE constexpr void fill(T x, Y const& y, index_t rows, index_t columns) {
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j) y(i, j) = x;
}

}  // namespace ricci::linalg
