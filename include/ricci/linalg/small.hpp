// Determinants and inverses of matrices of up to 3 rows by their cofactors, and determinants of 4 by those of pairs of
// rows. Where the determinant is no normal number, as where products have overflown or vanished, they leave the matrix
// to elimination.
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

template <class T>
RICCI_HD RICCI_INLINE constexpr bool is_normal(T x) {
  return magnitude(x) >= std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon() &&
         magnitude(x) <= std::numeric_limits<T>::max();
}

// a(i, k) a(j, l) - a(i, l) a(j, k)
template <class A>
RICCI_HD RICCI_INLINE constexpr auto minor_of(A const& a, int i, int j, int k, int l) {
  return a(i, k) * a(j, l) - a(i, l) * a(j, k);
}
// for 1 to 4 rows
template <class T, class A>
RICCI_HD RICCI_INLINE constexpr T determinant_of_few(A const& a, index_t n) {
  if (n == 1) return a(0, 0);
  if (n == 2) return minor_of(a, 0, 1, 0, 1);
  if (n == 3)
    return a(0, 0) * minor_of(a, 1, 2, 1, 2) - a(0, 1) * minor_of(a, 1, 2, 0, 2) + a(0, 2) * minor_of(a, 1, 2, 0, 1);
  return (minor_of(a, 0, 1, 0, 1) * minor_of(a, 2, 3, 2, 3) - minor_of(a, 0, 1, 0, 2) * minor_of(a, 2, 3, 1, 3)) +
         (minor_of(a, 0, 1, 0, 3) * minor_of(a, 2, 3, 1, 2) + minor_of(a, 0, 1, 1, 2) * minor_of(a, 2, 3, 0, 3)) -
         (minor_of(a, 0, 1, 1, 3) * minor_of(a, 2, 3, 0, 2) - minor_of(a, 0, 1, 2, 3) * minor_of(a, 2, 3, 0, 1));
}
// The inverse of 1 to 3 rows into y. False where elimination has to say what it is.
template <class T, class A, class Y>
RICCI_HD RICCI_INLINE constexpr bool inverse_of_few(A const& a, Y const& y, index_t n) {
  T const d = determinant_of_few<T>(a, n);
  if (!is_normal(d)) return false;
  T const f = 1 / d;
  if (n == 1) {
    y(0, 0) = f;
  } else if (n == 2) {
    T const x[] = {a(1, 1), -a(0, 1), -a(1, 0), a(0, 0)};
    for (int k = 0; k < 4; ++k) y(k / 2, k % 2) = x[k] * f;
  } else {
    T x[9]{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) x[3 * j + i] = minor_of(a, (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3) * f;
    for (int k = 0; k < 9; ++k) y(k / 3, k % 3) = x[k];
  }
  return true;
}

}  // namespace ricci::linalg
