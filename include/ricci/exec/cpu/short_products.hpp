// Batches of products of small matrices whose extents show at run time: a row of C is one register, several rows at a
// time, and nothing is packed or called for each product. Some extents are found out once for all of a batch, of which
// the compiler knows them then (small_product.hpp).
#pragma once

#include <ricci/exec/cpu/map.hpp>
#include <ricci/exec/cpu/product.hpp>
#include <ricci/exec/cpu/small_product.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t most_short_rows = 16, longest_short_depth = 64;

#if RICCI_HAS_XSIMD

// Rows rows of C, which have a register of columns each, or the first n of one.
template <int Rows, bool Whole, class T>
RICCI_INLINE void multiply_short_rows(matrix_ref<T> a, matrix_ref<T> b, index_t n, index_t depth, T* c, index_t c_row) {
  using P = simd::pack<T>;
  P sum[Rows];
  RICCI_UNROLL(8)
  for (int r = 0; r < Rows; ++r) sum[r] = P(T(0));
  for (index_t k = 0; k < depth; ++k) {
    P const row = Whole ? P::load(b.p + k * b.row) : simd::load_first(b.p + k * b.row, n);
    RICCI_UNROLL(8)
    for (int r = 0; r < Rows; ++r) sum[r] = simd::fma(P(a.p[r * a.row + k * a.column]), row, sum[r]);
  }
  RICCI_UNROLL(8)
  for (int r = 0; r < Rows; ++r) {
    if constexpr (Whole)
      sum[r].store(c + r * c_row);
    else
      simd::store_first(sum[r], c + r * c_row, n);
  }
}
// `count` products, from each to the next of which a, b and c move so many elements.
template <bool Whole, class T>
RICCI_NOINLINE void multiply_short(matrix_ref<T> a, matrix_ref<T> b, T* c, index_t c_row, index_t m, index_t n,
                                   index_t depth, index_t count, index_t a_step, index_t b_step, index_t c_step) {
  for (; count > 0; --count, a.p += a_step, b.p += b_step, c += c_step) {
    index_t i = 0;
    for (; i + 4 <= m; i += 4)
      multiply_short_rows<4, Whole>({a.p + i * a.row, a.row, a.column}, b, n, depth, c + i * c_row, c_row);
    for (; i < m; ++i)
      multiply_short_rows<1, Whole>({a.p + i * a.row, a.row, a.column}, b, n, depth, c + i * c_row, c_row);
  }
}
// `count` products of N x N matrices without gaps.
template <int N, class T>
RICCI_NOINLINE void multiply_squares(T const* a, T const* b, T* c, index_t count, index_t a_step, index_t b_step,
                                     index_t c_step) {
  for (; count > 0; --count, a += a_step, b += b_step, c += c_step)
    multiply_small<N, N, N, true, true>(a, N, 1, b, N, c, N);
}

#endif

// Batches [from, to) of such products of a step (contract.hpp), whose result is stored to operand `to_slot` as it is.
// False where they are not such.
template <class T>
bool run_short_products([[maybe_unused]] geometry const& g, [[maybe_unused]] int to_slot, [[maybe_unused]] index_t from,
                        [[maybe_unused]] index_t to) {
#if RICCI_HAS_XSIMD
  constexpr index_t size = sizeof(T), width = simd::pack<T>::size;
  int const last = g.loops - 4, m = g.loops - 3, n = m + 1, k = m + 2;
  bool const whole = g.extent[n] == width;
  auto const is_dense = [&](int slot, int row, int column) {
    return g.stride[column][slot] == size && g.stride[row][slot] == g.extent[column] * size;
  };
  index_t const side = g.extent[m] == g.extent[n] && g.extent[n] == g.extent[k] ? g.extent[n] : 0;
  auto* const squares = side == 3 ? &multiply_squares<3, T> : side == 4 ? &multiply_squares<4, T> : nullptr;
  bool const square = to_slot >= 0 && squares && is_dense(0, m, k) && is_dense(1, k, n) && is_dense(to_slot, m, n);
  if (!square &&
      (to_slot < 0 || g.stride[n][to_slot] != size || g.stride[n][1] != size || g.extent[m] > most_short_rows ||
       g.extent[k] > longest_short_depth || (!whole && (!simd::loads_parts || g.extent[n] > width))))
    return false;
  index_t const* const step = g.stride[last];
  odometer at(g);
  index_t const inner = g.extent[last];
  if (inner == 0) return true;
  at.seek(g, 0, last, from / inner);
  for (index_t j = from % inner; from < to; j = 0, at.next(g, 0, last)) {
    index_t const count = inner - j < to - from ? inner - j : to - from;
    auto const element = [&](int slot) { return reinterpret_cast<T*>(at.p[slot] + j * step[slot]); };
    if (square)
      squares(element(0), element(1), element(to_slot), count, step[0] / size, step[1] / size, step[to_slot] / size);
    else
      (whole ? &multiply_short<true, T>
             : &multiply_short<false, T>)({element(0), g.stride[m][0] / size, g.stride[k][0] / size},
                                          {element(1), g.stride[k][1] / size, 1}, element(to_slot),
                                          g.stride[m][to_slot] / size, g.extent[m], g.extent[n], g.extent[k], count,
                                          step[0] / size, step[1] / size, step[to_slot] / size);
    from += count;
  }
  return true;
#else
  return false;
#endif
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
