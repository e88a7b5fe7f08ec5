// Rotations that are kept for a while and then turn many rows at once, as the vectors of the implicit QR method: a part
// of all rows that fits into the cache takes part in several sweeps before the next one does [Van Zee, van de Geijn and
// Quintana-Orti, Restructuring the tridiagonal and bidiagonal QR algorithms for performance, 2014].
#pragma once

#include <ricci/ops/matrix_rows.hpp>

namespace ricci::linalg {

// Squares of what is larger keep all their digits.
template <class T>
RICCI_HD constexpr T square_root_of_least() {
  return sizeof(T) == 4 ? T(1e-15) : T(1e-145);
}

// Rows of `columns` numbers, in panels: all rows of the first columns, then those of the next ones. Rotations that are
// kept stand in `pairs`, each sweep behind a pair that says where it begins and how long it is.
template <class T>
struct sweeps {
  static constexpr index_t wide = 32, together = 8;
  index_t rows, columns;
  T *panels, *pairs;
  index_t used = 0;

  RICCI_HD static constexpr index_t panel_memory(index_t rows, index_t columns) {
    return (columns + wide - 1) / wide * wide * rows;
  }
  RICCI_HD static constexpr index_t pair_memory(index_t rows) { return 2 * together * (rows + 1); }
  RICCI_HD constexpr T& operator()(index_t row, index_t column) const {
    return panels[(column / wide * rows + row) * wide + column % wide];
  }

  RICCI_HD constexpr bool is_full(index_t count) const { return 2 * (used + count + 1) > pair_memory(rows); }
  // where the pairs (c, s) of a sweep of `count` planes from row `first` on are to be written
  RICCI_HD constexpr T* next(index_t first, index_t count, bool from_below) {
    T* const p = pairs + 2 * used;
    p[0] = T(2 * first + from_below), p[1] = T(count);
    used += count + 1;
    return p + 2;
  }
  // Row x becomes c x + s y, and y, the one after it, becomes c y - s x, sweep by sweep.
  RICCI_HD RICCI_VECTORISED constexpr void apply() {
    for (index_t from = 0; from < columns; from += wide) {
      T* const panel = panels + from * rows;
      for (T const *p = pairs, *const end = pairs + 2 * used; p != end;) {
        index_t const first = static_cast<index_t>(p[0]), count = static_cast<index_t>(p[1]);
        T* row = panel + first / 2 * wide;
        index_t const step = first % 2 != 0 ? -wide : wide;
        p += 2;
        T carried[wide];
        for (index_t j = 0; j < wide; ++j) carried[j] = row[j];
        for (index_t i = 0; i < count; ++i, p += 2, row += step) {
          T const c = p[0], s = p[1];
          T const* const y = row + step;
          for (index_t j = 0; j < wide; ++j) {
            T const a = carried[j], b = y[j];
            row[j] = c * a + s * b;
            carried[j] = c * b - s * a;
          }
        }
        for (index_t j = 0; j < wide; ++j) row[j] = carried[j];
      }
    }
    used = 0;
  }
};

}  // namespace ricci::linalg
