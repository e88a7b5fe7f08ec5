// Elimination of one matrix of 2 to 16 rows, whose number is part of the type: loops along rows have a length that is
// known, also where that computes elements which nobody reads, so that each is a few vector instructions.
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

template <index_t N, class T>
struct elimination_of_known {
  T u[N * N]{};         // the matrix, then its factor u, of whose other triangle nothing is known
  T inverse[N]{};       // of the diagonal of u
  bool is_odd = false;  // as many exchanges of rows

  template <index_t From, index_t Length>
  RICCI_HD RICCI_INLINE constexpr void subtract_top(index_t k, T* right) {
    T const* const top = u + k * N;
    for (index_t i = k + 1; i < N; ++i) {
      T* const row = u + i * N;
      T const f = row[k] * inverse[k];
      RICCI_UNROLL(4)
      for (index_t j = From; j < From + Length; ++j) row[j] -= f * top[j];
      if (right) right[i] -= f * right[k];
    }
  }
  // With row pivots; `right`, a right-hand side or nullptr, becomes inv(l) times what it was. False where a pivot is 0,
  // no number or without a finite reciprocal: then other loops have to say what the result is.
  RICCI_HD RICCI_INLINE constexpr bool run(T* right) {
    for (index_t k = 0; k < N; ++k) {
      index_t pivot = k;
      T largest = magnitude(u[k * N + k]);
      for (index_t i = k + 1; i < N; ++i)
        if (T const size = magnitude(u[i * N + k]); size > largest) largest = size, pivot = i;
      if (pivot != k) {
        is_odd = !is_odd;
        exchange_rows(u + k * N, u + pivot * N, N);
        if (right) {
          T const t = right[k];
          right[k] = right[pivot], right[pivot] = t;
        }
      }
      inverse[k] = 1 / u[k * N + k];
      if (!(largest > 0 && magnitude(inverse[k]) <= std::numeric_limits<T>::max())) return false;
      if constexpr (N > 8) {
        if (k >= 7) {
          subtract_top<8, N - 8>(k, right);
          continue;
        }
      }
      subtract_top<0, N>(k, right);
    }
    return true;
  }
  // right becomes inv(u) right
  RICCI_HD RICCI_INLINE constexpr void substitute(T* right) const {
    for (index_t i = N - 1; i >= 0; --i) {
      T const x = right[i] * inverse[i];
      right[i] = x;
      for (index_t k = 0; k < i; ++k) right[k] -= u[k * N + i] * x;
    }
  }
};

// The same of 2 to 4 rows, with all loops taken apart, so that elements stay in registers.
template <index_t N, class T, class A, class B, class X>
RICCI_HD RICCI_INLINE constexpr bool solve_few(A const& a, B const& b, X const& x) {
  T u[N][N + 1]{}, inverse[N]{};
  RICCI_UNROLL(4)
  for (index_t i = 0; i < N; ++i) {
    RICCI_UNROLL(4)
    for (index_t j = 0; j < N; ++j) u[i][j] = a(i, j);
    u[i][N] = b(i, 0);
  }
  RICCI_UNROLL(4)
  for (index_t k = 0; k < N; ++k) {
    RICCI_UNROLL(4)
    for (index_t i = k + 1; i < N; ++i)
      if (magnitude(u[i][k]) > magnitude(u[k][k])) {
        RICCI_UNROLL(5)
        for (index_t j = k; j <= N; ++j) {
          T const t = u[k][j];
          u[k][j] = u[i][j], u[i][j] = t;
        }
      }
    inverse[k] = 1 / u[k][k];
    if (!(magnitude(u[k][k]) > 0 && magnitude(inverse[k]) <= std::numeric_limits<T>::max())) return false;
    RICCI_UNROLL(4)
    for (index_t i = k + 1; i < N; ++i) {
      T const f = u[i][k] * inverse[k];
      RICCI_UNROLL(5)
      for (index_t j = k + 1; j <= N; ++j) u[i][j] -= f * u[k][j];
    }
  }
  RICCI_UNROLL(4)
  for (index_t i = N - 1; i >= 0; --i) {
    T const y = u[i][N] * inverse[i];
    x(i, 0) = y;
    RICCI_UNROLL(4)
    for (index_t k = 0; k < i; ++k) u[k][N] -= u[k][i] * y;
  }
  return true;
}
// x with a x = b, one right-hand side; false where the loops for any matrix have to say what it is.
template <index_t N, class T, class A, class B, class X>
RICCI_HD RICCI_VECTORISED constexpr bool solve_known(A const& a, B const& b, X const& x) {
  elimination_of_known<N, T> e;
  T right[N]{};
  read(e.u, N, a, N, N);
  for (index_t i = 0; i < N; ++i) right[i] = b(i, 0);
  if (!e.run(right)) return false;
  e.substitute(right);
  for (index_t i = 0; i < N; ++i) x(i, 0) = right[i];
  return true;
}
// The determinant of a into d; false as above.
template <index_t N, class T, class A>
RICCI_HD RICCI_VECTORISED constexpr bool determinant_of_known(A const& a, T& d) {
  elimination_of_known<N, T> e;
  read(e.u, N, a, N, N);
  if (!e.run(nullptr)) return false;
  d = e.is_odd ? T(-1) : T(1);
  for (index_t k = 0; k < N; ++k) d *= e.u[k * N + k];
  return true;
}

}  // namespace ricci::linalg
