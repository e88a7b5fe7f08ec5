// Eigenvalues and vectors of one symmetric matrix of 2 or 3 rows, without loops along rows: a rotation of two, and of
// three one reflection to a tridiagonal matrix, the implicit QL method until one value stands alone, and a rotation of
// the other two [Golub and Van Loan, Matrix Computations, sections 8.3 and 8.5].
#pragma once

#include <ricci/linalg/eigh_in_lanes.hpp>
#include <ricci/linalg/rotations.hpp>
#include <ricci/linalg/small.hpp>

namespace ricci::linalg {

template <index_t N, class T>
struct eigh_of_few {
  T d[N]{}, e[N]{};  // the diagonal, and what stands beside it
  T z[N][N]{};       // rows, which are to be vectors

  // y and x in the plane of two rows: z[i] becomes c z[i] + s z[k], z[k] becomes c z[k] - s z[i]
  RICCI_HD RICCI_INLINE constexpr void rotate(index_t i, index_t k, T c, T s) {
    RICCI_UNROLL(4)
    for (index_t j = 0; j < N; ++j) {
      T const x = z[i][j], y = z[k][j];
      z[i][j] = c * x + s * y, z[k][j] = c * y - s * x;
    }
  }
  RICCI_HD RICCI_INLINE constexpr bool is_negligible(index_t i) const {
    return magnitude(e[i]) <= std::numeric_limits<T>::epsilon() * (magnitude(d[i]) + magnitude(d[i + 1]));
  }
  // rows i and i + 1, between which and the others is nothing
  RICCI_HD RICCI_INLINE constexpr void turn_two(index_t i) {
    if (is_negligible(i)) return;
    T const b = e[i], t = tangent_of_rotation<one_by_one<T>>(d[i], d[i + 1], b), c = 1 / square_root(1 + t * t);
    d[i] -= t * b, d[i + 1] += t * b;
    rotate(i, i + 1, c, -t * c);
  }
  RICCI_HD RICCI_INLINE constexpr void sort_two(index_t i) {
    if (!(d[i + 1] < d[i])) return;
    T const t = d[i];
    d[i] = d[i + 1], d[i + 1] = t;
    RICCI_UNROLL(4)
    for (index_t j = 0; j < N; ++j) {
      T const x = z[i][j];
      z[i][j] = z[i + 1][j], z[i + 1][j] = x;
    }
  }
  // One step of the QL method on all three rows. False where squares may have vanished.
  RICCI_HD RICCI_INLINE constexpr bool step() {
    T const difference = (d[1] - d[0]) / (2 * e[0]), root = square_root(1 + difference * difference);
    T f = d[2] - d[0] + e[0] / (difference + (difference < 0 ? -root : root));  // less Wilkinson's shift
    T s = 1, c = 1, moved = 0;
    RICCI_UNROLL(2)
    for (index_t i = 1; i >= 0; --i) {
      T const beside = s * e[i], b = c * e[i], length = square_root(beside * beside + f * f);
      if (!(length > square_root_of_least<T>())) return false;
      if (i == 0) e[1] = length;
      s = beside / length, c = f / length;
      T const shifted = d[i + 1] - moved, r = (d[i] - shifted) * s + 2 * c * b;
      moved = s * r;
      d[i + 1] = shifted + moved;
      f = c * r - b;
      rotate(i + 1, i, c, s);
    }
    d[0] -= moved, e[0] = f;
    return true;
  }
  // Of a matrix of which the upper triangle stands in x, row by row. False where the loops for any matrix have to say
  // what it is.
  RICCI_HD RICCI_INLINE constexpr bool run(T const (&x)[3]) requires(N == 2) {
    d[0] = x[0], d[1] = x[2], e[0] = x[1];
    z[0][0] = z[1][1] = 1;
    turn_two(0);
    sort_two(0);
    return true;
  }
  RICCI_HD RICCI_INLINE constexpr bool run(T const (&x)[6]) requires(N == 3) {
    d[0] = x[0], z[0][0] = 1;
    if (x[2] == 0) {
      d[1] = x[3], d[2] = x[5], e[0] = x[1], e[1] = x[4];
      z[1][1] = z[2][2] = 1;
    } else {
      T const length = square_root(x[1] * x[1] + x[2] * x[2]);
      if (!(length > square_root_of_least<T>())) return false;
      T const c = x[1] / length, s = x[2] / length, q = 2 * c * x[4] + s * (x[5] - x[3]);
      d[1] = x[3] + s * q, d[2] = x[5] - s * q, e[0] = length, e[1] = x[4] - c * q;
      z[1][1] = c, z[1][2] = s, z[2][1] = s, z[2][2] = -c;
    }
    constexpr int most_steps = 30;
    for (int k = 0; !is_negligible(0); ++k) {
      if (is_negligible(1)) {
        turn_two(0);
        e[1] = 0;
        break;
      }
      if (k == most_steps || !step()) return false;
    }
    turn_two(1);
    sort_two(0), sort_two(1), sort_two(0);
    return true;
  }
};

// Whether sums of squares of numbers, the largest of which is this, neither overflow nor lose what matters.
template <class T>
RICCI_HD RICCI_INLINE constexpr bool is_moderate(T largest) {
  return sizeof(T) == 4 ? largest >= T(0x1p-20) && largest <= T(0x1p50)
                        : largest >= T(0x1p-400) && largest <= T(0x1p400);
}
// w and the vectors y, where they are wanted, of the symmetric part of a. False where the loops for any matrix have to
// say what it is.
template <index_t N, class T, class A, class W, class... Y>
RICCI_HD RICCI_INLINE constexpr bool eigenvalues_of_few(A const& a, W const& w, Y const&... y) {
  T x[N * (N + 1) / 2]{}, largest = 0;
  index_t at = 0;
  RICCI_UNROLL(4)
  for (index_t i = 0; i < N; ++i) RICCI_UNROLL(4)
  for (index_t j = i; j < N; ++j) {
    T const element = a(i, j) / 2 + a(j, i) / 2, size = magnitude(element);
    x[at++] = element;
    if (!(size <= largest)) largest = size;
    if (size != size) return false;
  }
  if (!is_moderate(largest)) return false;
  eigh_of_few<N, T> it;
  if (!it.run(x)) return false;
  RICCI_UNROLL(4)
  for (index_t i = 0; i < N; ++i) {
    w(i) = it.d[i];
    RICCI_UNROLL(4)
    for (index_t j = 0; j < N; ++j) (void(y(j, i) = it.z[i][j]), ...);
  }
  return true;
}

}  // namespace ricci::linalg
