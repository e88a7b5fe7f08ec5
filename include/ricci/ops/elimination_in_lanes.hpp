// Elimination of several matrices at once, one in each lane of packs (exec/cpu/cores_in_lanes.hpp), as elimination.hpp
// does it of one: rows are exchanged lane by lane. N says what the packs are: `number`, `condition`, `element`, and
// `select`, `magnitude`, `less_product` and the like of them.
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/ops/matrix_numbers.hpp>

RICCI_OPTIMIZED
namespace ricci::linalg {

// Whether the rows of what a loop is given are known and no more than 4, so that loops are taken apart; others are
// compiled once for all extents.
template <class C>
inline constexpr bool has_few_rows = extent_of_core<C>(0) >= 0 && extent_of_core<C>(0) <= 4;
// The extent of a letter, there as a constant.
template <class C>
RICCI_INLINE constexpr index_t extent_or_few(C const& c, int letter) {
  if constexpr (has_few_rows<C>) return C::core.extent[letter];
  return c.extents[letter];
}

template <class N>
struct in_lanes {
  using P = typename N::number;
  using condition = typename N::condition;
  using T = typename N::element;

  RICCI_INLINE static condition is_finite(P x) { return N::magnitude(x) <= P(std::numeric_limits<T>::max()); }
  RICCI_INLINE static P nan() { return P(not_a_number<T>); }

  // x[j] -= f y[j]
  RICCI_INLINE static void subtract(P* x, P f, P const* y, index_t n) {
    RICCI_UNROLL(4)
    for (index_t j = 0; j < n; ++j) x[j] = N::less_product(x[j], f, y[j]);
  }
  // x and y change places where m is
  RICCI_INLINE static void exchange(condition m, P* x, P* y, index_t n) {
    RICCI_UNROLL(4)
    for (index_t j = 0; j < n; ++j) {
      P const a = x[j], b = y[j];
      x[j] = N::select(m, b, a), y[j] = N::select(m, a, b);
    }
  }
  RICCI_INLINE static void fill_where_not(condition m, P x, P* y, index_t n) {
    for (index_t k = 0; k < n; ++k) y[k] = N::select(m, y[k], x);
  }
  // The row k of each lane and of `pivot`, the row below from which its largest element comes, change places in a, of
  // `columns` from column `from` on, and in all of b. `exchanged(m, i)` is told where rows k and i did.
  template <class Exchanged>
  RICCI_INLINE static void bring_pivots(P* a, index_t n, index_t columns, index_t k, index_t from, P* b,
                                        index_t columns_of_b, Exchanged const& exchanged) {
    P largest = N::magnitude(a[k * columns + k]), pivot = P(T(k));
    RICCI_UNROLL(4)
    for (index_t i = k + 1; i < n; ++i) {
      P const size = N::magnitude(a[i * columns + k]);
      condition const m = size > largest;
      largest = N::select(m, size, largest), pivot = N::select(m, P(T(i)), pivot);
    }
    if (!N::is_any(pivot != P(T(k)))) return;
    for (index_t i = k + 1; i < n; ++i) {
      condition const m = pivot == P(T(i));
      if (!N::is_any(m)) continue;
      exchange(m, a + k * columns + from, a + i * columns + from, columns - from);
      exchange(m, b + k * columns_of_b, b + i * columns_of_b, columns_of_b);
      exchanged(m, k, i);
    }
  }
  // In place, the strict lower triangle of l and the upper one of u, as of `eliminate`; b, which stands beside them,
  // becomes inv(l) times what it was. Whole: the rows of l are exchanged, too.
  template <bool Whole, class Exchanged>
  RICCI_INLINE static void eliminate(P* a, index_t rows, index_t pivots, index_t columns, P* b, index_t columns_of_b,
                                     Exchanged const& exchanged) {
    for (index_t k = 0; k < pivots; ++k) {
      bring_pivots(a, rows, columns, k, Whole ? 0 : k, b, columns_of_b, exchanged);
      P const* const top = a + k * columns;
      P const pivot = top[k], inverse = P(T(1)) / pivot;
      bool const all_finite = !N::is_any(!is_finite(inverse));
      for (index_t i = k + 1; i < rows; ++i) {
        P* const row = a + i * columns;
        P const f = all_finite ? row[k] * inverse : N::select(is_finite(inverse), row[k] * inverse, row[k] / pivot);
        if (all_finite) {
          row[k] = f;
          subtract(row + k + 1, f, top + k + 1, columns - k - 1);
          subtract(b + i * columns_of_b, f, b + k * columns_of_b, columns_of_b);
        } else {
          subtract_where(pivot != P(T(0)), row + k + 1, f, top + k + 1, columns - k - 1);
          subtract_where(pivot != P(T(0)), b + i * columns_of_b, f, b + k * columns_of_b, columns_of_b);
          row[k] = N::select(pivot != P(T(0)), f, row[k]);
        }
      }
    }
  }
  // lanes with a pivot of 0 keep their rows
  RICCI_INLINE static void subtract_where(condition m, P* x, P f, P const* y, index_t n) {
    for (index_t j = 0; j < n; ++j) x[j] = N::select(m, N::less_product(x[j], f, y[j]), x[j]);
  }

  // x becomes the solution of t y = x, where t is a triangle of a, (n, n), and NaN where its diagonal has a zero; with
  // `NumbersAlone` also where it has NaN. Unit: the diagonal is taken for ones.
  template <bool Lower, bool Unit, bool NumbersAlone = false>
  RICCI_INLINE static void substitute(P const* a, index_t n, P* x, index_t columns) {
    condition is_regular = N::all();
    for (index_t step = 0; step < n; ++step) {
      index_t const i = Lower ? step : n - 1 - step, from = Lower ? 0 : i + 1, to = Lower ? i : n;
      P* const row = x + i * columns;
      if (columns == 1) {
        P sum = row[0], more = P(T(0));
        index_t k = from;
        for (; k + 2 <= to; k += 2) {
          sum = N::less_product(sum, a[i * n + k], x[k]);
          more = N::less_product(more, a[i * n + k + 1], x[k + 1]);
        }
        if (k < to) sum = N::less_product(sum, a[i * n + k], x[k]);
        row[0] = sum + more;
      } else {
        for (index_t k = from; k < to; ++k) subtract(row, a[i * n + k], x + k * columns, columns);
      }
      if constexpr (!Unit) {
        P const pivot = a[i * n + i], inverse = P(T(1)) / pivot;
        is_regular = is_regular && (NumbersAlone ? N::magnitude(pivot) > P(T(0)) : pivot != P(T(0)));
        if (!N::is_any(!is_finite(inverse)))
          for (index_t j = 0; j < columns; ++j) row[j] = row[j] * inverse;
        else
          for (index_t j = 0; j < columns; ++j)
            row[j] = N::select(is_finite(inverse), row[j] * inverse, row[j] / pivot);
      }
    }
    if (N::is_any(!is_regular)) fill_where_not(is_regular, nan(), x, n * columns);
  }
  // x becomes inv(a) x, for each lane; NaN where a is singular. What is left of a is of no use.
  RICCI_INLINE static void solve(P* a, index_t n, P* x, index_t columns) {
    eliminate<false>(a, n, n, n, x, columns, [](condition, index_t, index_t) {});
    substitute<false, false, true>(a, n, x, columns);
  }
  template <class C>
  RICCI_INLINE static void solve_for(C const&, P* a, index_t n, P* x, index_t columns) {
    if constexpr (has_few_rows<C>)
      solve(a, n, x, columns);
    else
      solve_any(a, n, x, columns);
  }
  RICCI_NOINLINE static void solve_any(P* a, index_t n, P* x, index_t columns) { solve(a, n, x, columns); }
};

}  // namespace ricci::linalg
RICCI_OPTIMIZED_END
