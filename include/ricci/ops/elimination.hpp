// Elimination with row pivots, which `solve` and, in <ricci/linalg.hpp>, `lu`, `inv`, `det` and `slogdet` share.
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

// In place, of rows >= columns or fewer, the strict lower triangle of l (its diagonal is 1) and the upper one of u, l u
// = a with rows in another order; `exchanged(i, k)` is told which rows were. Columns beyond the matrix, as those of
// right-hand sides, become inv(l) times what they were. Blocks of columns, the rows behind them two at a time [Golub
// and Van Loan, Matrix Computations, sections 3.4.1 and 3.2.11]. A pivot that is 0 is left where it is.
template <class T, class Exchanged>
RICCI_HD RICCI_VECTORISED constexpr void eliminate(T* a, index_t ld, index_t rows, index_t pivots, index_t columns,
                                                   Exchanged exchanged) {
  constexpr index_t width = 8;
  for (index_t from = 0; from < pivots; from += width) {
    index_t const to = from + width < pivots ? from + width : pivots;
    for (index_t k = from; k < to; ++k) {
      index_t pivot = k;
      auto largest = magnitude(a[k * ld + k]);
      for (index_t i = k + 1; i < rows; ++i)
        if (auto const size = magnitude(a[i * ld + k]); size > largest) largest = size, pivot = i;
      if (pivot != k) {
        exchange_rows(a + k * ld, a + pivot * ld, columns);
        exchanged(k, pivot);
      }
      T const* const top = a + k * ld;
      if (top[k] == 0) continue;
      T const inverse = 1 / top[k];
      bool const is_finite = magnitude(inverse) <= std::numeric_limits<real_for<T>>::max();
      for (index_t i = k + 1; i < rows; ++i) {
        T* const row = a + i * ld;
        T const f = is_finite ? row[k] * inverse : row[k] / top[k];
        row[k] = f;
        for (index_t j = k + 1; j < to; ++j) row[j] -= f * top[j];
      }
    }
    index_t const rest = columns - to;
    if (rest == 0) continue;
    T const* const block = a + from * ld + to;
    for (index_t k = from + 1; k < to; ++k)
      subtract_rows(a + k * ld + to, a + k * ld + from, 1, block, ld, k - from, rest);
    index_t i = to;
    for (; i + 2 <= rows; i += 2) {
      T *const y = a + i * ld, *const z = y + ld;
      subtract_rows_of_two(y + to, z + to, y + from, z + from, 1, block, ld, to - from, rest);
    }
    if (i < rows) subtract_rows(a + i * ld + to, a + i * ld + from, 1, block, ld, to - from, rest);
  }
}
struct ignore_exchanges {
  RICCI_HD constexpr void operator()(index_t, index_t) const {}
};

// Solves as solve_beside does, for N rows, by loops of known length that compilers unroll.
template <index_t N, class T>
RICCI_HD RICCI_INLINE constexpr bool solve_few_beside(T* a, index_t columns) {
  index_t const ld = N + columns;
  RICCI_UNROLL(4)
  for (index_t k = 0; k < N; ++k) {
    T* const top = a + k * ld;
    index_t pivot = k;
    auto largest = magnitude(top[k]);
    RICCI_UNROLL(4)
    for (index_t i = k + 1; i < N; ++i)
      if (auto const size = magnitude(a[i * ld + k]); size > largest) largest = size, pivot = i;
    if (pivot != k) {
      T* const other = a + pivot * ld;
      for (index_t j = k; j < ld; ++j) {
        T const t = top[j];
        top[j] = other[j], other[j] = t;
      }
    }
    if (!(largest > 0)) return false;
    T const inverse = 1 / top[k];
    bool const is_finite = magnitude(inverse) <= std::numeric_limits<real_for<T>>::max();
    RICCI_UNROLL(4)
    for (index_t i = k + 1; i < N; ++i) {
      T* const row = a + i * ld;
      T const f = is_finite ? row[k] * inverse : row[k] / top[k];
      for (index_t j = k + 1; j < ld; ++j) row[j] -= f * top[j];
    }
  }
  RICCI_UNROLL(4)
  for (index_t i = N - 1; i >= 0; --i) {
    T* const row = a + i * ld;
    RICCI_UNROLL(4)
    for (index_t k = i + 1; k < N; ++k)
      for (index_t j = N; j < ld; ++j) row[j] -= row[k] * a[k * ld + j];
    T const pivot = row[i];
    for (index_t j = N; j < ld; ++j) row[j] /= pivot;
  }
  return true;
}

// Of a system whose right-hand sides stand beside the matrix: they become its solutions. False where a pivot is 0 or no
// number.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool solve_beside(T* a, index_t n, index_t columns) {
  if (n == 2) return solve_few_beside<2>(a, columns);
  if (n == 3) return solve_few_beside<3>(a, columns);
  if (n == 4)
    return columns == 1   ? solve_few_beside<4>(a, 1)
           : columns == 4 ? solve_few_beside<4>(a, 4)
                          : solve_few_beside<4>(a, columns);
  index_t const ld = n + columns;
  eliminate(a, ld, n, n, ld, ignore_exchanges{});
  for (index_t i = n - 1; i >= 0; --i) {
    T const pivot = a[i * ld + i];
    if (!(magnitude(pivot) > 0)) return false;
    T* const x = a + i * ld + n;
    subtract_rows(x, a + i * ld + i + 1, 1, x + ld, ld, n - 1 - i, columns);
    for (index_t j = 0; j < columns; ++j) x[j] /= pivot;
  }
  return true;
}
// The same of matrices whose number of rows may be known, `Rows`, or else is -1.
template <index_t Rows, class T>
RICCI_HD RICCI_INLINE constexpr bool solve_known_beside(T* a, index_t n, index_t columns) {
  if constexpr (Rows >= 2 && Rows <= 4)
    return solve_few_beside<Rows>(a, columns);
  else
    return solve_beside(a, n, columns);
}

}  // namespace ricci::linalg
