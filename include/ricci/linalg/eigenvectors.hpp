// Eigenvalues and eigenvectors of what stands in Schur's form, by substitution from the last row of each value's block
// on [Golub and Van Loan, Matrix Computations, section 7.6.4].
#pragma once

#include <ricci/linalg/real_schur.hpp>

namespace ricci::linalg {

// Eigenvalue i of a real or complex form t; of a pair of a real form that with the positive imaginary part comes first.
template <class T>
RICCI_HD constexpr complex_number<real_for<T>> eigenvalue_of_schur(T const* t, index_t n, index_t i) {
  if constexpr (is_complex_matrix<T>) {
    return t[i * n + i];
  } else {
    bool const first = i + 1 < n && t[(i + 1) * n + i] != 0, second = i > 0 && t[i * n + i - 1] != 0;
    if (!first && !second) return t[i * n + i];
    index_t const k = first ? i : i - 1;
    T const size = square_root(magnitude(t[k * n + k + 1])) * square_root(magnitude(t[(k + 1) * n + k]));
    return {t[i * n + i], first ? size : -size};
  }
}

// Complex numbers in memory of numbers of type T, two of which a real one takes for each.
template <class T>
struct complex_row {
  using C = complex_number<real_for<T>>;
  T* p;
  index_t n;
  RICCI_HD constexpr C operator()(index_t k) const {
    if constexpr (is_complex_matrix<T>)
      return p[k];
    else
      return {p[k], p[n + k]};
  }
  RICCI_HD constexpr void set(index_t k, C x) const {
    if constexpr (is_complex_matrix<T>)
      p[k] = x;
    else
      p[k] = x.re, p[n + k] = x.im;
  }
  // the sum of products of elements from k to `end` with those of a row of numbers
  RICCI_HD constexpr C product(T const* row, index_t k, index_t end) const {
    if constexpr (is_complex_matrix<T>)
      return product_of_rows(row + k, p + k, end - k);
    else
      return {product_of_rows(row + k, p + k, end - k), product_of_rows(row + k, p + n + k, end - k)};
  }
  // more of a row of numbers
  RICCI_HD constexpr void add(C f, T const* row) const {
    if constexpr (is_complex_matrix<T>) {
      for (index_t j = 0; j < n; ++j) p[j] += f * row[j];
    } else {
      for (index_t j = 0; j < n; ++j) p[j] += f.re * row[j];
      for (index_t j = 0; j < n; ++j) p[n + j] += f.im * row[j];
    }
  }
};

// x with (t - value) x = 0, whose elements behind the block of the value, from `end` on, are 0, and those of the block
// are there.
template <class T, class C>
RICCI_HD constexpr void substitute_from(T const* t, index_t n, C value, index_t from, index_t end,
                                        complex_row<T> const& x, real_for<T> least) {
  using R = real_for<T>;
  constexpr R large = sizeof(R) == 4 ? R(1e12) : R(1e100);
  auto const no_less = [least](C a, R bound) { return magnitude(a) < least * bound ? C(least * bound) : a; };
  for (index_t j = from - 1; j >= 0;) {
    index_t rows = 1;
    if constexpr (!is_complex_matrix<T>)
      if (j > 0 && t[j * n + j - 1] != 0) rows = 2;
    T const *const last = t + j * n, *const above = last - n;
    C const right = -x.product(last, j + 1, end), own = C(last[j]) - value;
    if (rows == 1) {
      x.set(j, right / no_less(own, 1));
    } else {
      C const upper = -x.product(above, j + 1, end), p = C(above[j - 1]) - value, q = above[j], r = last[j - 1];
      C const determinant = no_less(p * own - q * r, least);
      x.set(j, (p * right - r * upper) / determinant);
      x.set(j - 1, (own * upper - q * right) / determinant);
    }
    j -= rows;
    R size = 0;
    for (index_t k = j + 1; k <= j + rows; ++k) size = magnitude(x(k)) > size ? magnitude(x(k)) : size;
    if (size > large)
      for (index_t k = j + 1; k < end; ++k) x.set(k, x(k) * C(1 / size));
  }
}
// Column k of the result, v: a vector of length 1 whose largest element is real.
template <class C, class Row, class Y>
RICCI_HD constexpr void write_normalised(Row const& x, index_t n, Y const& v, index_t k, bool conjugated) {
  using R = real_for<C>;
  R most = 0, largest = 0, sum = 0;
  for (index_t i = 0; i < n; ++i) most = magnitude(x(i)) > most ? magnitude(x(i)) : most;
  index_t at = 0;
  for (index_t i = 0; i < n; ++i) {
    C const c = x(i) * C(1 / most);
    R const square = square_of(c);
    sum += square;
    if (square > largest) largest = square, at = i;
  }
  C const pivot = x(at) * C(1 / most);
  R const f = 1 / (most * square_root(sum));
  bool const is_real = pivot.im == 0;
  C const turn = is_real ? C(f) : conjugate(pivot) * C(f / square_root(largest));
  for (index_t i = 0; i < n; ++i) {
    C c = x(i) * turn;
    if (i == at) c.im = 0;
    v(i, k) = conjugated ? conjugate(c) : c;
  }
}

// The eigenvectors of q t q^H, of which the rows of z are the columns of q, times the diagonal d. memory: 4 n numbers.
template <class T, class Y>
RICCI_HD RICCI_VECTORISED constexpr void eigenvectors_of_schur(T const* t, T const* z, T const* d, index_t n, T* memory,
                                                               Y const& v) {
  using R = real_for<T>;
  using C = complex_number<R>;
  complex_row<T> const x{memory, n}, y{memory + 2 * n, n};
  R norm = 0;
  for (index_t i = 0; i < n; ++i)
    for (index_t j = i; j < n; ++j) norm = magnitude(t[i * n + j]) > norm ? magnitude(t[i * n + j]) : norm;
  R const tiny = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon(),
          least = norm * std::numeric_limits<R>::epsilon() > tiny ? norm * std::numeric_limits<R>::epsilon() : tiny;
  for (index_t k = 0; k < n; ++k) {
    C const value = eigenvalue_of_schur(t, n, k);
    index_t end = k + 1;
    x.set(k, C(1));
    if constexpr (!is_complex_matrix<T>)
      if (value.im > 0) {  // of ((a, b), (c, a)), and the vector of the next value is the conjugate one
        T const b = t[k * n + k + 1];
        if (magnitude(b) >= value.im)
          x.set(end++, C(0, value.im / b));
        else
          x.set(k, C(0, -b / value.im)), x.set(end++, C(1));
      }
    substitute_from(t, n, value, k, end, x, least);
    for (index_t i = 0; i < n; ++i) y.set(i, C(0));
    for (index_t i = 0; i < end; ++i) y.add(x(i), z + i * n);
    for (index_t i = 0; i < n; ++i) y.set(i, y(i) * C(d[i]));
    write_normalised<C>(y, n, v, k, false);
    if (end == k + 2) write_normalised<C>(y, n, v, ++k, true);
  }
}

}  // namespace ricci::linalg
