// The innermost part of a matrix product: Rows x Packs accumulators in registers, one row of B and one column of A per
// step. What it needs of A is a pointer and two strides, of B a row of packs at a time; so transposes of A cost
// nothing, and B is either read in place or from panels.
#pragma once

#include <ricci/exec/cpu/math.hpp>
#include <ricci/exec/cpu/memory.hpp>
#include <ricci/exec/cpu/product.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Shapes by the number of SIMD registers: as many accumulators as leave room for a row of B and a number of A. What a
// dot product costs beside a tile is told in thin_products.hpp.
#if defined(__AVX512F__)
inline constexpr int micro_rows = 8, dot_cost = 12, dot_row_cost = 8;
#elif defined(__AVX2__)
inline constexpr int micro_rows = 6, dot_cost = 8, dot_row_cost = 11;
#else
inline constexpr int micro_rows = 4, dot_cost = 6, dot_row_cost = 7;
#endif
inline constexpr int micro_packs = 2;
inline constexpr bool has_three_packs = micro_rows == 8;  // whether there are registers for a third pack of each row
inline constexpr index_t rows_ahead = 8;                  // of B, which are asked for while as many are multiplied

// One row after another of B, each of packs of columns; what follows `width` columns of C is `panel` further on in B.
template <class T>
struct columns_of_b {
  static constexpr index_t size = simd::pack<T>::size, width = size * micro_packs;
  T const* p;
  index_t row, panel;
};

// c[r][j] (+)= sum over k of a[r * g.a.row + k * g.a.column] * b[k][j] for `rows` rows, Rows at a time, from each of
// which to the next A moves by `a_tile`. They are a multiple of Rows or one less: the last one is computed twice then.
// There are `columns` columns j: at most one pack, which is never added to what is there, and is loaded and stored in
// part; or any number, more than a pack behind whole tiles, of which the last pack begins within the one before. (A
// load in part takes a slot of those that multiply, too: 12 % of all, on Intel's cores.) Unrolled by order: at -O2 g++
// would leave the accumulators in memory.
template <int Rows, int Packs, class T>
RICCI_NOINLINE void multiply_tiles(product_t<T> const& g, T const* a, index_t a_tile, index_t rows,
                                   columns_of_b<T> const& all_of_b, index_t depth, T* c, index_t c_row, index_t columns,
                                   [[maybe_unused]] bool add) {
  using P = simd::pack<T>;
  constexpr index_t size = P::size, width = size * Packs;
  constexpr bool loads_part = Packs == 1 && simd::loads_parts;
  index_t const a_row = g.a.row, a_column = g.a.column, b_row = all_of_b.row;
  // Rows of B that lie far apart are no stream to a processor: where few rows of C read them, they are prefetched.
  bool const prefetches = Packs > 1 && g.m <= 4 * micro_rows && b_row >= 8 * width && depth > 2 * rows_ahead;
  index_t const together = prefetches ? rows_ahead : depth;
  T const* panel = all_of_b.p;
  do {
    bool const is_part = Packs == 1 && columns < size;
    index_t const last = Packs > 1 && columns < width ? columns - size : width - size;
    auto const load = [&](T const* p, int j) RICCI_INLINE_LAMBDA {
      if constexpr (loads_part)
        return simd::load_first(p, columns);
      else
        return is_part ? simd::load_first(p, columns) : P::load(p + (j == Packs - 1 ? last : j * size));
    };
    T const* tile = a;
    T* c_tile = c;
    index_t left = rows;
    RICCI_UNROLL(1)
    do {
      // without a branch, for which g++ would compile the loops twice
      index_t const twice = (Rows - left) & ((left - Rows) >> 63), twice_of_a = twice * a_row,
                    twice_of_c = twice * c_row;
      T const *x = tile, *b = panel;
      // what is added to is loaded before any of it is stored: a row that is computed twice is added to once
      P acc[Rows][Packs];
      RICCI_UNROLL(16)
      for (int r = 0; r < Rows; ++r) RICCI_UNROLL(16)
      for (int j = 0; j < Packs; ++j)
        acc[r][j] = Packs > 1 && add ? load(c_tile + r * c_row - (r == Rows - 1 ? twice_of_c : 0), j) : P(T(0));
      for (index_t k = 0; k < depth;) {
        index_t const end = depth - k < together ? depth : k + together;
        if (prefetches) RICCI_UNROLL(1)
        for (index_t i = 0; i < rows_ahead; ++i)
          for (int j = 0; j < Packs; ++j) __builtin_prefetch(b + (rows_ahead + i) * b_row + j * size);
        RICCI_UNROLL(1)
        for (; k < end; ++k) {
          P row_of_b[Packs];
          RICCI_UNROLL(16)
          for (int j = 0; j < Packs; ++j) row_of_b[j] = load(b, j);
          RICCI_UNROLL(16)
          for (int r = 0; r < Rows; ++r) {
            P const of_a(x[r * a_row - (r == Rows - 1 ? twice_of_a : 0)]);
            RICCI_UNROLL(16)
            for (int j = 0; j < Packs; ++j) acc[r][j] = simd::fma(of_a, row_of_b[j], acc[r][j]);
          }
          x += a_column;
          b += b_row;
        }
      }
      if (is_part && !loads_part) {
        T all[Rows * size];
        RICCI_UNROLL(16)
        for (int r = 0; r < Rows; ++r) acc[r][0].store(all + r * size);
        for (index_t r = 0; r < Rows && r < left; ++r)
          for (index_t j = 0; j < columns; ++j) c_tile[r * c_row + j] = all[r * size + j];
      } else {
        RICCI_UNROLL(16)
        for (int r = 0; r < Rows; ++r) {
          T* const to = c_tile + r * c_row - (r == Rows - 1 ? twice_of_c : 0);
          RICCI_UNROLL(16)
          for (int j = 0; j < Packs; ++j) {
            if constexpr (loads_part)
              simd::store_first(acc[r][j], to, columns);
            else
              acc[r][j].store(to + (j == Packs - 1 ? last : j * size));
          }
        }
      }
      left -= Rows, tile += a_tile, c_tile += Rows * c_row;
    } while (left > 0);
    panel += all_of_b.panel;
    c += width;
    columns -= width;
  } while (Packs > 1 && columns > 0);
}

// the sum of x[k] * y[k], both in rows
template <class T>
inline T dot(T const* x, T const* y, index_t n) {
  using P = simd::pack<T>;
  P acc[4] = {P(T(0)), P(T(0)), P(T(0)), P(T(0))};
  index_t k = 0;
  for (; k + 4 * P::size <= n; k += 4 * P::size) RICCI_UNROLL(4)
  for (int w = 0; w < 4; ++w) acc[w] = simd::fma(P::load(x + k + w * P::size), P::load(y + k + w * P::size), acc[w]);
  for (; k + P::size <= n; k += P::size) acc[0] = simd::fma(P::load(x + k), P::load(y + k), acc[0]);
  if (k < n) acc[1] = simd::fma(simd::load_first(x + k, n - k), simd::load_first(y + k, n - k), acc[1]);
  alignas(64) T lane[P::size];
  ((acc[0] + acc[1]) + (acc[2] + acc[3])).store(lane);
  for (int half = P::size / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
  return lane[0];
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
