// Products of small complex matrices whose extents the compiler knows: in registers, as larger ones are
// (complex_product.hpp), with nothing packed or called.
#pragma once

#include <ricci/exec/cpu/complex_product.hpp>
#include <ricci/exec/cpu/small_product.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

// The first N lanes: as a part of a register, or of half of one, rather than lane by lane under a mask, for which loads
// wait that follow.
template <int N, class F>
RICCI_INLINE simd::pack<F> load_known(F const* p) {
#if defined(__GNUC__) || defined(__clang__)
  if constexpr (N % 4 == 0) return simd::load_by_halves(p, N);
#endif
  return simd::load_first(p, N);
}
template <int N, class F>
RICCI_INLINE void store_known(simd::pack<F> x, F* p) {
#if defined(__GNUC__) || defined(__clang__)
  if constexpr (N % 4 == 0) return simd::store_by_halves(x, p, N);
#endif
  simd::store_first(x, p, N);
}

// Strides count real numbers here, and so do Columns.
template <int Rows, int Columns, int Depth, class F>
RICCI_INLINE void multiply_complex_part(F const* a, index_t row, index_t column, F const* b, index_t b_row, F* c,
                                        index_t c_row) {
  using P = simd::pack<F>;
  constexpr int packs = (Columns + P::size - 1) / P::size, last = Columns - (packs - 1) * P::size;
  auto const load = [](F const* p, int j) RICCI_INLINE_LAMBDA {
    return last < P::size && j == packs - 1 ? load_known<last>(p + j * P::size) : P::load(p + j * P::size);
  };
  P acc[Rows][2][packs];
  RICCI_UNROLL(16)
  for (int r = 0; r < Rows; ++r) RICCI_UNROLL(2)
  for (int part = 0; part < 2; ++part) RICCI_UNROLL(4)
  for (int j = 0; j < packs; ++j) acc[r][part][j] = P(F(0));
  RICCI_UNROLL(4)
  for (int k = 0; k < Depth; ++k) {
    P of_b[packs];
    RICCI_UNROLL(4)
    for (int j = 0; j < packs; ++j) of_b[j] = load(b + k * b_row, j);
    RICCI_UNROLL(16)
    for (int r = 0; r < Rows; ++r) RICCI_UNROLL(2)
    for (int part = 0; part < 2; ++part) {
      P const x(a[r * row + k * column + part]);
      RICCI_UNROLL(4)
      for (int j = 0; j < packs; ++j) acc[r][part][j] = simd::fma(x, of_b[j], acc[r][part][j]);
    }
  }
  RICCI_UNROLL(16)
  for (int r = 0; r < Rows; ++r) RICCI_UNROLL(4)
  for (int j = 0; j < packs; ++j) {
    P const sum = plus_i_times(acc[r][0][j], acc[r][1][j]);
    if (last < P::size && j == packs - 1)
      store_known<last>(sum, c + r * c_row + j * P::size);
    else
      sum.store(c + r * c_row + j * P::size);
  }
}

// One number after the other: of few, or of columns that no register would hold.
template <int M, int N, int K, class C>
RICCI_INLINE void multiply_complex_numbers(C const* a, index_t row, index_t column, C const* b, index_t b_row,
                                           index_t b_column, C* c, index_t c_row) {
  C sums[M * N];
  RICCI_UNROLL(16)
  for (int r = 0; r < M; ++r) RICCI_UNROLL(16)
  for (int j = 0; j < N; ++j) {
    C sum = scalar::multiply(a[r * row], b[j * b_column]);
    RICCI_UNROLL(16)
    for (int k = 1; k < K; ++k)
      sum = scalar::add(sum, scalar::multiply(a[r * row + k * column], b[k * b_row + j * b_column]));
    sums[r * N + j] = sum;
  }
  RICCI_UNROLL(16)
  for (int r = 0; r < M; ++r) RICCI_UNROLL(16)
  for (int j = 0; j < N; ++j) c[r * c_row + j] = sums[r * N + j];
}

// M x K by K x N: as multiply_small.
template <int M, int N, int K, class F>
RICCI_INLINE void multiply_small_complex(std::complex<F> const* a, index_t row, index_t column,
                                         std::complex<F> const* b, index_t b_row, std::complex<F>* c, index_t c_row) {
  if constexpr (is_tiny<M, N, K>) {
    multiply_complex_numbers<M, N, K>(a, row, column, b, b_row, 1, c, c_row);
  } else {
    constexpr int width = simd::pack<F>::size, all = 2 * N, block = all <= width ? all : 2 * width;
    constexpr int most = micro_rows * micro_packs / 2 / (all <= width ? 1 : 2);
    constexpr int parts = (M + most - 1) / most, rows = (M + parts - 1) / parts, left = M % rows;
    auto const* const x = reinterpret_cast<F const*>(a);
    auto const* const y = reinterpret_cast<F const*>(b);
    auto* const z = reinterpret_cast<F*>(c);
    auto const columns = [&]<int Columns>(std::integral_constant<int, Columns>, int j) RICCI_INLINE_LAMBDA {
      for (int i = 0; i + rows <= M; i += rows)
        multiply_complex_part<rows, Columns, K>(x + 2 * i * row, 2 * row, 2 * column, y + j, 2 * b_row,
                                                z + 2 * i * c_row + j, 2 * c_row);
      if constexpr (left > 0)
        multiply_complex_part<left, Columns, K>(x + 2 * (M - left) * row, 2 * row, 2 * column, y + j, 2 * b_row,
                                                z + 2 * (M - left) * c_row + j, 2 * c_row);
    };
    for (int j = 0; j + block <= all; j += block) columns(std::integral_constant<int, block>{}, j);
    if constexpr (all % block != 0) columns(std::integral_constant<int, all % block>{}, all - all % block);
  }
}
// M x K by a column: as multiply_small_column.
template <int M, int K, index_t Row, class F>
RICCI_INLINE void multiply_small_complex_column(std::complex<F> const* a, std::complex<F> const* x,
                                                std::complex<F>* y) {
  if constexpr (M * K <= 16 && 2 * K < simd::pack<F>::size) {
    multiply_complex_numbers<1, M, K>(x, 0, 1, a, 1, Row, y, 0);
  } else {
    for (int i = 0; i < M; i += 4) {
      F const* rows[4];
      std::complex<F> sums[4];
      for (int l = 0; l < 4; ++l) rows[l] = reinterpret_cast<F const*>(a + (i + l < M ? i + l : M - 1) * Row);
      complex_dots(reinterpret_cast<F const*>(x), rows, 2 * K, sums);
      for (int l = 0; l < 4 && i + l < M; ++l) y[i + l] = sums[l];
    }
  }
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
