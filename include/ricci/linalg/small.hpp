// Determinants and inverses of matrices of up to 4 rows by their cofactors, of 4 by minors of pairs of rows [Horn and
// Johnson, Matrix Analysis, section 0.8]. Where the determinant is no normal number, as where products have overflown
// or vanished, and of 3 and 4 rows where much of it has cancelled (inverses: of 2, too), they leave the matrix to
// elimination.
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

template <class T>
struct one_by_one {
  using number = T;
  using condition = bool;
  using element = T;
  RICCI_HD RICCI_INLINE static constexpr T magnitude(T x) { return linalg::magnitude(x); }
  RICCI_HD RICCI_INLINE static constexpr bool is_any(bool x) { return x; }
  RICCI_HD RICCI_INLINE static constexpr T square_root(T x) { return linalg::square_root(x); }
  RICCI_HD RICCI_INLINE static constexpr T select(bool m, T a, T b) { return m ? a : b; }
};

// what a determinant may be smaller than only where products have vanished
template <class N>
inline constexpr auto least_normal =
    std::numeric_limits<typename N::element>::min() / std::numeric_limits<typename N::element>::epsilon();

template <class N>
RICCI_HD RICCI_INLINE constexpr auto is_normal(typename N::number x) {
  using P = typename N::number;
  return N::magnitude(x) >= P(least_normal<N>) && N::magnitude(x) <= P(std::numeric_limits<typename N::element>::max());
}

// a(i, k) a(j, l) - a(i, l) a(j, k)
template <class A>
RICCI_HD RICCI_INLINE constexpr auto minor_of(A const& a, int i, int j, int k, int l) {
  return a(i, k) * a(j, l) - a(i, l) * a(j, k);
}
// Whether a sum is a normal number that lost no more than 6 bits to numbers of both signs. Where it is infinite, so is
// the sum of magnitudes.
template <class N, class T>
RICCI_HD RICCI_INLINE constexpr auto little_has_cancelled(T sum, T sum_of_magnitudes) {
  constexpr auto least = 64 * least_normal<N>;
  T const bound = N::select(sum_of_magnitudes < T(least), T(least), sum_of_magnitudes);
  return N::magnitude(sum) * T(64) > bound;
}
// Whether the minor of the rows i, j and the columns k, l is more than what rounding leaves of its products. Near a
// matrix of rank 1 none is, where the compiler contracts them, and then sums of theirs need not cancel; of 4 rows it is
// enough that those of two rows are not. (One that is zero says nothing, but then the determinant is zero as well.)
template <class N, class A>
RICCI_HD RICCI_INLINE constexpr typename N::condition is_more_than_rounding(A const& a, int i, int j, int k, int l) {
  using T = typename N::number;
  constexpr auto rounding = 512 * std::numeric_limits<typename N::element>::epsilon();
  return N::magnitude(minor_of(a, i, j, k, l)) >=
         (N::magnitude(a(i, k) * a(j, l)) + N::magnitude(a(i, l) * a(j, k))) * T(rounding);
}
// Whether there is nothing more to do: of one matrix. Of several at once the rest is computed in any case, which costs
// less than to ask.
template <class N>
RICCI_HD RICCI_INLINE constexpr bool is_wrong([[maybe_unused]] typename N::condition is_right) {
  if constexpr (std::is_same_v<typename N::condition, bool>)
    return !is_right;
  else
    return false;
}
// The determinant of 1 to 4 rows into d. False where elimination has to say what it is: it has smaller errors where all
// cofactors are small, as near a matrix of rank n - 2, which shows in a sum of products that cancels.
template <class N, class A>
RICCI_HD RICCI_INLINE constexpr typename N::condition determinant_of_few(A const& a, index_t n, typename N::number& d) {
  using T = typename N::number;
  if (n <= 2) {
    d = n == 1 ? a(0, 0) : minor_of(a, 0, 1, 0, 1);
    return is_normal<N>(d);
  }
  if (n == 3) {
    T const p = a(0, 0) * minor_of(a, 1, 2, 1, 2), q = a(0, 1) * minor_of(a, 1, 2, 0, 2),
            r = a(0, 2) * minor_of(a, 1, 2, 0, 1);
    d = p - q + r;
    return little_has_cancelled<N>(d, N::magnitude(p) + N::magnitude(q) + N::magnitude(r)) &&
           is_more_than_rounding<N>(a, 1, 2, 1, 2);
  }
  T const t[] = {minor_of(a, 0, 1, 0, 1) * minor_of(a, 2, 3, 2, 3), minor_of(a, 0, 1, 0, 2) * minor_of(a, 2, 3, 1, 3),
                 minor_of(a, 0, 1, 0, 3) * minor_of(a, 2, 3, 1, 2), minor_of(a, 0, 1, 1, 2) * minor_of(a, 2, 3, 0, 3),
                 minor_of(a, 0, 1, 1, 3) * minor_of(a, 2, 3, 0, 2), minor_of(a, 0, 1, 2, 3) * minor_of(a, 2, 3, 0, 1)};
  d = (t[0] - t[1]) + (t[2] + t[3]) - (t[4] - t[5]);
  return little_has_cancelled<N>(
             d, ((N::magnitude(t[0]) + N::magnitude(t[1])) + (N::magnitude(t[2]) + N::magnitude(t[3]))) +
                    (N::magnitude(t[4]) + N::magnitude(t[5]))) &&
         is_more_than_rounding<N>(a, 0, 1, 0, 1) && is_more_than_rounding<N>(a, 2, 3, 2, 3);
}
// The inverse of 2 to 4 rows into y. False where elimination has to say what it is.
template <class N, class A, class Y>
RICCI_HD RICCI_INLINE constexpr typename N::condition inverse_of_few(A const& a, Y const& y, index_t n) {
  using T = typename N::number;
  if (n == 2) {
    T const p = a(0, 0) * a(1, 1), q = a(0, 1) * a(1, 0), d = p - q;
    auto const is_right = little_has_cancelled<N>(d, N::magnitude(p) + N::magnitude(q));
    if (is_wrong<N>(is_right)) return is_right;
    // (each by itself: of a loop compilers make vectors of addresses)
    T const f = T(1) / d, x0 = a(1, 1) * f, x1 = -a(0, 1) * f, x2 = -a(1, 0) * f, x3 = a(0, 0) * f;
    y(0, 0) = x0, y(0, 1) = x1, y(1, 0) = x2, y(1, 1) = x3;
    return is_right;
  }
  if (n == 3) {
    T const a0 = a(0, 0), a1 = a(0, 1), a2 = a(0, 2), b0 = a(1, 0), b1 = a(1, 1), b2 = a(1, 2), c0 = a(2, 0),
            c1 = a(2, 1), c2 = a(2, 2);
    T const x = b1 * c2 - b2 * c1, y0 = b2 * c0 - b0 * c2, z = b0 * c1 - b1 * c0;
    T const p = a0 * x, q = a1 * y0, r = a2 * z, d = p + q + r;
    auto const is_right = little_has_cancelled<N>(d, N::magnitude(p) + N::magnitude(q) + N::magnitude(r));
    if (is_wrong<N>(is_right)) return is_right;
    T const f = T(1) / d;
    y(0, 0) = x * f, y(0, 1) = (a2 * c1 - a1 * c2) * f, y(0, 2) = (a1 * b2 - a2 * b1) * f;
    y(1, 0) = y0 * f, y(1, 1) = (a0 * c2 - a2 * c0) * f, y(1, 2) = (a2 * b0 - a0 * b2) * f;
    y(2, 0) = z * f, y(2, 1) = (a1 * c0 - a0 * c1) * f, y(2, 2) = (a0 * b1 - a1 * b0) * f;
    return is_right;
  }
  T m[16]{}, s[6]{}, c[6]{};
  for (int k = 0; k < 16; ++k) m[k] = a(k / 4, k % 4);
  constexpr int left[] = {0, 0, 0, 1, 1, 2}, right[] = {1, 2, 3, 2, 3, 3};
  RICCI_UNROLL(6)
  for (int k = 0; k < 6; ++k) {
    s[k] = m[left[k]] * m[4 + right[k]] - m[4 + left[k]] * m[right[k]];
    c[k] = m[8 + left[k]] * m[12 + right[k]] - m[12 + left[k]] * m[8 + right[k]];
  }
  T const t[] = {s[0] * c[5], -s[1] * c[4], s[2] * c[3], s[3] * c[2], -s[4] * c[1], s[5] * c[0]};
  // as a tree: the chain of additions would take longer than all else but the division
  T const d = ((t[0] + t[1]) + (t[2] + t[3])) + (t[4] + t[5]);
  T const all = ((N::magnitude(t[0]) + N::magnitude(t[1])) + (N::magnitude(t[2]) + N::magnitude(t[3]))) +
                (N::magnitude(t[4]) + N::magnitude(t[5]));
  auto const is_right = little_has_cancelled<N>(d, all);
  if (is_wrong<N>(is_right)) return is_right;
  T const f = T(1) / d;
  // column j of the result is made of row `other` of the matrix and of minors of the two rows that are not in its pair
  RICCI_UNROLL(4)
  for (int j = 0; j < 4; ++j) {
    T const* const row = m + 4 * (j ^ 1);
    T const* const w = j < 2 ? c : s;
    T const g = j % 2 == 0 ? f : -f;
    y(0, j) = (row[1] * w[5] - row[2] * w[4] + row[3] * w[3]) * g;
    y(1, j) = (row[2] * w[2] - row[0] * w[5] - row[3] * w[1]) * g;
    y(2, j) = (row[0] * w[4] - row[1] * w[2] + row[3] * w[0]) * g;
    y(3, j) = (row[1] * w[1] - row[0] * w[3] - row[2] * w[0]) * g;
  }
  return is_right;
}

}  // namespace ricci::linalg
