// Eigenvalues and vectors of several small symmetric matrices at once, one in each lane of packs, by Jacobi's rotations
// [Golub and Van Loan, Matrix Computations, section 8.5]: all of a sweep are the same operations for each matrix, and
// what needs no rotation in one of them is turned by 0.
#pragma once

#include <ricci/ops/elimination_in_lanes.hpp>

RICCI_OPTIMIZED
namespace ricci::linalg {

// The tangent of the rotation that makes 0 of b, which stands beside d and e on the diagonal of a symmetric matrix: the
// smaller one of two. (b is not 0.)
template <class N, class T>
RICCI_HD RICCI_INLINE constexpr T tangent_of_rotation(T d, T e, T b) {
  T const ratio = (e - d) / (b + b), size = N::magnitude(ratio), root = N::square_root(T(1) + ratio * ratio);
  return N::select(ratio < T(0), T(-1), T(1)) / (size + root);
}

inline constexpr index_t most_rows_in_lanes = 8;

template <class N>
struct eigh_in_lanes {
  using P = typename N::number;
  using condition = typename N::condition;
  using T = typename N::element;
  using lanes = in_lanes<N>;
  static constexpr int most_sweeps = 30;

  // of a, (n, n), n up to most_rows_in_lanes: w in ascending order; the rows of z are to be vectors, where it is there
  RICCI_INLINE static void run(P const* a, index_t n, P* w, P* z) {
    P x[most_rows_in_lanes * most_rows_in_lanes], largest = P(T(0));
    condition is_right = N::all();
    for (index_t k = 0; k < n * n; ++k) {
      P const size = N::magnitude(a[k]);
      largest = N::select(size > largest, size, largest), is_right = is_right && lanes::is_finite(size);
    }
    // no sum overflows, and no product of what matters vanishes
    constexpr bool is_double = sizeof(T) == 8;
    P const scale = N::select(largest > P(T(1)), P(T(1) / 64), P(is_double ? T(0x1p60) : T(0x1p20)));
    P const negligible = largest * scale * P(std::numeric_limits<T>::epsilon() / 8), half = scale * P(T(.5));
    for (index_t i = 0; i < n; ++i)
      for (index_t j = i; j < n; ++j) x[i * n + j] = a[i * n + j] * half + a[j * n + i] * half;
    if (z)
      for (index_t k = 0; k < n * n; ++k) z[k] = P(T(k % (n + 1) == 0));
    for (int sweep = 0;; ++sweep) {
      condition is_left = !N::all();
      for (index_t p = 0; p < n; ++p)
        for (index_t q = p + 1; q < n; ++q) {
          condition const turns = N::magnitude(x[p * n + q]) > negligible;
          if (!N::is_any(turns)) continue;
          is_left = is_left || turns;
          turn(turns, n, p, q, x, z);
        }
      if (!N::is_any(is_left && is_right)) break;
      if (sweep == most_sweeps) {
        is_right = is_right && !is_left;
        break;
      }
    }
    for (index_t i = 0; i < n; ++i) w[i] = x[i * n + i] / scale;
    sort(n, w, z);
    if (!N::is_any(!is_right)) return;
    lanes::fill_where_not(is_right, lanes::nan(), w, n);
    if (z) lanes::fill_where_not(is_right, lanes::nan(), z, n * n);
  }
  RICCI_INLINE static void turn(condition turns, index_t n, index_t p, index_t q, P* x, P* z) {
    P const b = x[p * n + q], d = x[p * n + p], e = x[q * n + q];
    P const t = N::select(turns, tangent_of_rotation<N>(d, e, b), P(T(0)));
    P const c = P(T(1)) / N::square_root(P(T(1)) + t * t), s = t * c;
    x[p * n + p] = d - t * b, x[q * n + q] = e + t * b, x[p * n + q] = N::select(turns, P(T(0)), b);
    auto const rotate = [c, s](P& y, P& other) RICCI_INLINE_LAMBDA {
      P const before = y;
      y = c * y - s * other, other = s * before + c * other;
    };
    for (index_t r = 0; r < p; ++r) rotate(x[r * n + p], x[r * n + q]);
    for (index_t r = p + 1; r < q; ++r) rotate(x[p * n + r], x[r * n + q]);
    for (index_t r = q + 1; r < n; ++r) rotate(x[p * n + r], x[q * n + r]);
    if (z)
      for (index_t k = 0; k < n; ++k) rotate(z[p * n + k], z[q * n + k]);
  }
  RICCI_INLINE static void sort(index_t n, P* w, P* z) {
    for (index_t i = 0; i < n; ++i)
      for (index_t k = i + 1; k < n; ++k) {
        condition const m = w[k] < w[i];
        if (!N::is_any(m)) continue;
        lanes::exchange(m, w + i, w + k, 1);
        if (z) lanes::exchange(m, z + i * n, z + k * n, n);
      }
  }
};

}  // namespace ricci::linalg
RICCI_OPTIMIZED_END
