// The innermost part of a matrix product: Rows x Packs accumulators in registers, one row of B and one column of A per
// step. What it needs of A is a pointer and two strides, of B a row of packs at a time; so transposes of A cost
// nothing, and B is either read in place or from panels.
#pragma once

#include <ricci/exec/cpu/math.hpp>
#include <ricci/exec/cpu/memory.hpp>
#include <ricci/exec/cpu/product.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// Shapes by the number of SIMD registers: as many accumulators as leave room for a row of B and a number of A.
#if defined(__AVX512F__)
inline constexpr int micro_rows = 8;
#elif defined(__AVX2__)
inline constexpr int micro_rows = 6;
#else
inline constexpr int micro_rows = 4;
#endif
inline constexpr int micro_packs = 2;

// c[r][0..Packs) (+)= sum over k of a[r * row + k * column] * b[k * b_row ..]; strides in elements. Unrolled by order:
// at -O2 g++ would leave the accumulators in memory. There are `columns` of them and `rows` rows; where All, these are
// Rows, and all packs but the last are whole. Parts of a pack are loaded only where one instruction does so.
template <int Rows, int Packs, bool All, class T>
RICCI_INLINE void multiply_tile(matrix_ref<T> const& of_a, [[maybe_unused]] index_t rows, T const* b, index_t b_row,
                                index_t depth, T* c, index_t c_row, bool add, [[maybe_unused]] index_t columns) {
  using P = simd::pack<T>;
  auto const is_part = [](int j) RICCI_INLINE_LAMBDA { return simd::loads_parts && (!All || j == Packs - 1); };
  auto const lanes = [&](int j) RICCI_INLINE_LAMBDA {
    index_t const n = columns - j * P::size;
    return n < 0 ? 0 : n < P::size ? n : P::size;
  };
  auto const load = [&](T const* p, int j) RICCI_INLINE_LAMBDA {
    return is_part(j) ? simd::load_first(p + j * P::size, lanes(j)) : P::load(p + j * P::size);
  };
  auto const row_at = [&](int r) RICCI_INLINE_LAMBDA -> index_t {
    if constexpr (All)
      return r;
    else
      return r < rows ? r : rows - 1;
  };
  T const* a = of_a.p;
  index_t at[Rows];
  P acc[Rows][Packs];
  RICCI_UNROLL(16)
  for (int r = 0; r < Rows; ++r) {
    at[r] = row_at(r) * of_a.row;
    RICCI_UNROLL(16)
    for (int j = 0; j < Packs; ++j) acc[r][j] = add ? load(c + row_at(r) * c_row, j) : P(T(0));
  }
  for (index_t k = 0; k < depth; ++k) {
    P row_of_b[Packs];
    RICCI_UNROLL(16)
    for (int j = 0; j < Packs; ++j) row_of_b[j] = load(b, j);
    RICCI_UNROLL(16)
    for (int r = 0; r < Rows; ++r) {
      P const x(a[at[r]]);
      RICCI_UNROLL(16)
      for (int j = 0; j < Packs; ++j) acc[r][j] = simd::fma(x, row_of_b[j], acc[r][j]);
    }
    a += of_a.column;
    b += b_row;
  }
  RICCI_UNROLL(16)
  for (int r = 0; r < Rows; ++r) {
    if (!All && r >= rows) break;
    RICCI_UNROLL(16)
    for (int j = 0; j < Packs; ++j) {
      if (is_part(j))
        simd::store_first(acc[r][j], c + r * c_row + j * P::size, lanes(j));
      else
        acc[r][j].store(c + r * c_row + j * P::size);
    }
  }
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
