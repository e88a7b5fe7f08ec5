// Reductions in the interpreter, of arrays in row-major order. All of it is one loop that combines whole rows into a
// row, which compilers vectorise; what is told of the shape goes into how long a row is. Rows are combined as a binary
// tree, so that the rounding error of a sum grows with its height and not with the number of elements (N. J. Higham,
// The accuracy of floating point summation, 1993).
#pragma once

#include <ricci/core/owned_array.hpp>
#include <ricci/graph/graph.hpp>

namespace ricci::ir {
inline namespace RICCI_ABI {

template <class Op, class T>
struct reduction_interpreter {
  // Elements that are combined side by side, and rows that are combined before anything is paired.
  static constexpr index_t widest = RICCI_SMALL_STACK ? 32 : 256, lanes = RICCI_SMALL_STACK ? 16 : 64, leaf = 64;
  // Rows of a single column, or of few, that are short: there is no use in going side by side.
  static constexpr index_t few = 32;

  // y, of the shape that is left, from x, without the axes in `mask`: the last run of these first.
  static constexpr void run(T* y, T const* x, shape_t s, int mask) {
    core::owned_array<T> before;
    for (;;) {
      int end = s.rank;
      while (end > 0 && !(mask >> (end - 1) & 1)) --end;
      int begin = end;
      index_t outer = 1, rows = 1, inner = 1;
      for (int k = end; k < s.rank; ++k) inner *= s.extent[k];
      for (; begin > 0 && mask >> (begin - 1) & 1; --begin) rows *= s.extent[begin - 1], s.extent[begin - 1] = 1;
      for (int k = 0; k < begin; ++k) outer *= s.extent[k];
      mask &= (1 << begin) - 1;
      if (mask == 0) return reduce_middle(y, x, outer, rows, inner);
      core::owned_array<T> part(outer * inner);
      reduce_middle(&part[0], x, outer, rows, inner);
      before = static_cast<core::owned_array<T>&&>(part);
      x = &before[0];
    }
  }

 private:
  // (outer, rows, inner) to (outer, inner)
  static constexpr void reduce_middle(T* y, T const* x, index_t outer, index_t rows, index_t inner) {
    fill(y, outer * inner);
    for (index_t o = 0; o < outer; ++o, y += inner, x += rows * inner) {
      if (inner == 1 && rows < few)
        reduce_few(*y, x, rows);
      else if (2 * inner <= lanes && rows >= few)
        reduce_narrow(y, x, rows, inner);
      else
        for (index_t k = 0; k < inner; k += widest)
          reduce_tree(y + k, x + k, rows, inner, inner - k < widest ? inner - k : widest);
    }
  }
  static constexpr void reduce_few(T& y, T const* x, index_t rows) {
    for (; rows >= 8; rows -= 8, x += 8) y = combined(y, eight(x, 1));
    for (; rows > 0; --rows, ++x) y = combined(y, *x);
  }
  // Rows of few columns: several of them are a row, whose parts meet in the end.
  static constexpr void reduce_narrow(T* y, T const* x, index_t rows, index_t n) {
    index_t together = 2;
    while (2 * together * n <= lanes && 2 * together <= rows) together *= 2;
    index_t const width = together * n, whole = rows / together;
    T part[lanes];
    fill(part, width);
    reduce_tree(part, x, whole, width, width);
    reduce_rows(part, x + whole * width, 1, 0, (rows - whole * together) * n);
    for (; together > 1; together /= 2) reduce_rows(part, part + together / 2 * n, 1, 0, together / 2 * n);
    reduce_rows(y, part, 1, 0, n);
  }
  // n columns, at most the widest
  static constexpr void reduce_tree(T* y, T const* x, index_t rows, index_t stride, index_t n) {
    if (rows <= leaf) return reduce_rows(y, x, rows, stride, n);
    index_t half = leaf;
    while (2 * half < rows) half *= 2;
    reduce_tree(y, x, half, stride, n);
    T part[widest];
    fill(part, n);
    reduce_tree(part, x + half * stride, rows - half, stride, n);
    reduce_rows(y, part, 1, 0, n);
  }
  // rows of x, which are not those of y, into the row y
  RICCI_VECTORISED static constexpr void reduce_rows(T* __restrict y, T const* __restrict x, index_t rows,
                                                     index_t stride, index_t n) {
    for (; rows >= 8; rows -= 8, x += 8 * stride)
      for (index_t k = 0; k < n; ++k) y[k] = combined(y[k], eight(x + k, stride));
    for (; rows > 0; --rows, x += stride)
      for (index_t k = 0; k < n; ++k) y[k] = combined(y[k], x[k]);
  }
  static constexpr void fill(T* y, index_t n) {
    for (index_t k = 0; k < n; ++k) y[k] = Op::template identity<T>;
  }
  RICCI_INLINE static constexpr T eight(T const* x, index_t step) {
    T const* const y = x + 4 * step;
    return combined(combined(combined(x[0], x[step]), combined(x[2 * step], x[3 * step])),
                    combined(combined(y[0], y[step]), combined(y[2 * step], y[3 * step])));
  }
  RICCI_INLINE static constexpr T combined(T a, T b) { return static_cast<T>(Op::combine(a, b)); }
};

}  // namespace RICCI_ABI
}  // namespace ricci::ir
