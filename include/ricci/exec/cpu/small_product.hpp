// Products of small matrices whose extents the compiler knows: everything stays in registers, nothing is packed, and
// nothing is called. Three ways, by what a SIMD register holds: a whole matrix, two rows, or a part of one row; and
// numbers by themselves where a row or a column meets a few of them.
#pragma once

#include <bit>

#include <ricci/exec/cpu/dots.hpp>
#include <ricci/exec/cpu/memory.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t most_unrolled = 32;  // extents up to here are part of a kernel's type

#if RICCI_HAS_XSIMD

// ---- part of a row ----

// Rows x Columns elements of c = a b, in accumulators. The columns behind whole packs are loaded and stored in part.
template <int Rows, int Columns, int Depth, class T>
RICCI_INLINE void multiply_part(T const* a, index_t row, index_t column, T const* b, index_t b_row, T* c,
                                index_t c_row) {
  using P = simd::pack<T>;
  constexpr int packs = (Columns + P::size - 1) / P::size, last = Columns - (packs - 1) * P::size;
  auto const load = [](T const* p, int j) RICCI_INLINE_LAMBDA {
    if (last < P::size && j == packs - 1) return simd::load_first(p + j * P::size, last);
    return P::load(p + j * P::size);
  };
  P acc[Rows][packs];
  RICCI_UNROLL(32)
  for (int r = 0; r < Rows; ++r) RICCI_UNROLL(8)
  for (int j = 0; j < packs; ++j) acc[r][j] = P(T(0));
  RICCI_UNROLL(4)
  for (int k = 0; k < Depth; ++k) {
    P of_b[packs];
    RICCI_UNROLL(8)
    for (int j = 0; j < packs; ++j) of_b[j] = load(b + k * b_row, j);
    RICCI_UNROLL(32)
    for (int r = 0; r < Rows; ++r) {
      P const x(a[r * row + k * column]);
      RICCI_UNROLL(8)
      for (int j = 0; j < packs; ++j) acc[r][j] = simd::fma(x, of_b[j], acc[r][j]);
    }
  }
  RICCI_UNROLL(32)
  for (int r = 0; r < Rows; ++r) RICCI_UNROLL(8)
  for (int j = 0; j < packs; ++j) {
    if (last < P::size && j == packs - 1)
      simd::store_first(acc[r][j], c + r * c_row + j * P::size, last);
    else
      acc[r][j].store(c + r * c_row + j * P::size);
  }
}

// As many rows at a time as there are accumulators for, columns in blocks of at most two packs.
template <int M, int N, int K, class T>
RICCI_INLINE void multiply_by_rows(T const* a, index_t row, index_t column, T const* b, index_t b_row, T* c,
                                   index_t c_row) {
  constexpr int width = simd::pack<T>::size, block = N <= width ? N : 2 * width, packs = N <= width ? 1 : 2;
  constexpr int most = micro_rows * micro_packs / packs;
  constexpr int parts = (M + most - 1) / most, rows = (M + parts - 1) / parts, left = M % rows;
  auto const columns = [&]<int Columns>(std::integral_constant<int, Columns>, int j) RICCI_INLINE_LAMBDA {
    for (int i = 0; i + rows <= M; i += rows)
      multiply_part<rows, Columns, K>(a + i * row, row, column, b + j, b_row, c + i * c_row + j, c_row);
    if constexpr (left > 0)
      multiply_part<left, Columns, K>(a + (M - left) * row, row, column, b + j, b_row, c + (M - left) * c_row + j,
                                      c_row);
  };
  for (int j = 0; j + block <= N; j += block) columns(std::integral_constant<int, block>{}, j);
  if constexpr (N % block != 0) columns(std::integral_constant<int, N % block>{}, N - N % block);
}

#if defined(__GNUC__) || defined(__clang__)

// ---- a whole matrix in a register ----

// element [r][At] of A in the lane of [r][c] of C; lanes behind the matrix repeat the last one
template <int M, int N, int K, int At, class V, int... Lane>
RICCI_INLINE V column_in_lanes(V a, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(a, a, ((Lane < M * N ? Lane : M * N - 1) / N * K + At)...);
}
template <int N, int At, class V, int... Lane>
RICCI_INLINE V row_in_lanes(V b, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(b, b, (Lane % N + At * N)...);
}
template <int N, class T>
RICCI_INLINE simd::pack<T> load_dense(T const* p) {
  if constexpr (N == simd::pack<T>::size)
    return simd::pack<T>::load(p);
  else
    return simd::load_first(p, N);
}
// row At of B, dense with N columns, again and again
template <int N, int K, int At, class T, class B>
RICCI_INLINE simd::pack<T> repeated_row([[maybe_unused]] T const* b, B const& all_of_b) {
  using P = simd::pack<T>;
#if defined(__AVX512F__)
  if constexpr (N * sizeof(T) == 16)
    return
        typename P::batch((typename P::register_type)_mm512_broadcast_f32x4(_mm_loadu_ps((float const*)(b + At * N))));
#endif
  return P(row_in_lanes<N, At>(all_of_b, std::make_integer_sequence<int, P::size>{}));
}
template <int M, int N, int K, class T>
RICCI_INLINE void multiply_in_register(T const* a, T const* b, T* c) {
  using P = simd::pack<T>;
  using lanes = std::make_integer_sequence<int, P::size>;
  typename P::register_type const x = load_dense<M * K>(a).v, y = load_dense<K * N>(b).v;
  [&]<int... At>(std::integer_sequence<int, At...>) RICCI_INLINE_LAMBDA {
    P acc(T(0));
    ((acc = simd::fma(P(column_in_lanes<M, N, K, At>(x, lanes{})), repeated_row<N, K, At>(b, y), acc)), ...);
    if constexpr (M * N == P::size)
      acc.store(c);
    else
      simd::store_first(acc, c, M * N);
  }
  (std::make_integer_sequence<int, K>{});
}

// ---- two rows in a register ----

// Lane 2c of an accumulator holds the even part of the sum for column c, lane 2c + 1 the odd one: so a register of B is
// two of its rows interleaved, one of A a pair of neighbours repeated, and a store takes two accumulators together.
template <class V, int... Lane>
RICCI_INLINE V interleaved(V rows, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(rows, rows, (Lane / 2 + Lane % 2 * int(sizeof...(Lane) / 2))...);
}
template <int Part, class V, int... Lane>
RICCI_INLINE V every_second(V x, V y, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(x, y, (2 * Lane + Part)...);
}
RICCI_INLINE simd::pack<float> repeated_pair(float const* p) {
  double two;
  __builtin_memcpy(&two, p, sizeof two);
  return std::bit_cast<xsimd::batch<float>>(xsimd::batch<double>(two));
}
template <int M, int N, int K>
RICCI_INLINE void multiply_in_pairs(float const* a, index_t row, float const* b, float* c) {
  using P = simd::pack<float>;
  using lanes = std::make_integer_sequence<int, P::size>;
  P acc[M], of_b[K / 2];
  RICCI_UNROLL(32)
  for (int k = 0; k < K / 2; ++k)
    of_b[k] = P(interleaved(static_cast<typename P::register_type>(P::load(b + 2 * k * N).v), lanes{}));
  RICCI_UNROLL(32)
  for (int r = 0; r < M; ++r) {
    acc[r] = repeated_pair(a + r * row) * of_b[0];
    RICCI_UNROLL(32)
    for (int k = 1; k < K / 2; ++k) acc[r] = simd::fma(repeated_pair(a + r * row + 2 * k), of_b[k], acc[r]);
  }
  RICCI_UNROLL(32)
  for (int r = 0; r < M; r += 2) {
    typename P::register_type const x = acc[r].v, y = acc[r + 1].v;
    (P(every_second<0>(x, y, lanes{})) + P(every_second<1>(x, y, lanes{}))).store(c + r * N);
  }
}

#endif

// ---- numbers by themselves ----

// A few numbers by a row or a column: a register loaded in part would wait for what was just stored beside it.
template <int M, int N, int K>
inline constexpr bool is_tiny = (M == 1 || N == 1) && M* N* K <= 16;
template <int M, int N, int K, class T>
RICCI_INLINE void multiply_numbers(T const* a, index_t row, index_t column, T const* b, index_t b_row, T* c,
                                   index_t c_row) {
  T sums[M * N];
  RICCI_UNROLL(16)
  for (int r = 0; r < M; ++r) RICCI_UNROLL(16)
  for (int j = 0; j < N; ++j) {
    sums[r * N + j] = a[r * row] * b[j];
    RICCI_UNROLL(16)
    for (int k = 1; k < K; ++k) sums[r * N + j] += a[r * row + k * column] * b[k * b_row + j];
  }
  RICCI_UNROLL(16)
  for (int r = 0; r < M; ++r) RICCI_UNROLL(16)
  for (int j = 0; j < N; ++j) c[r * c_row + j] = sums[r * N + j];
}

// M x K by a column: the rows of A, Row apart, are read along k.
template <int M, int K, index_t Row, class T>
RICCI_INLINE void multiply_small_column(T const* a, T const* x, T* y) {
  if constexpr (is_tiny<M, 1, K>) {
    multiply_numbers<M, 1, K>(a, Row, 1, x, 1, y, 1);
  } else if constexpr (M >= 4) {
    RICCI_UNROLL(8)
    for (int i = 0; i < M; i += 4) {
      int const at = i + 4 <= M ? i : M - 4;  // the last four may be computed together with some that are there already
      multiply_dots<1, 1>(rows_along_k<T>{x, 0}, rows_along_k<T>{a + at * Row, Row}, K, sums_to<T>{y + at, 0, 1});
    }
  } else {
    for (int i = 0; i < M; ++i) y[i] = dot(a + i * Row, x, K);
  }
}

// ---- the best of them ----

// M x K by K x N. Of A any strides, of B and C those between rows. Dense: rows of B and C follow each other without a
// gap, and Plain: those of A do, too.
template <int M, int N, int K, bool Dense, bool Plain, class T>
RICCI_INLINE void multiply_small(T const* a, index_t row, index_t column, T const* b, index_t b_row, T* c,
                                 index_t c_row) {
  if constexpr (is_tiny<M, N, K>) return multiply_numbers<M, N, K>(a, row, column, b, b_row, c, c_row);
  constexpr int width = simd::pack<T>::size;
#if defined(__GNUC__) || defined(__clang__)
  constexpr bool fits = M * N <= width && M * K <= width && K * N <= width;
  if constexpr (Plain && fits && (simd::loads_parts || (M * N == width && M * K == width && K * N == width)))
    return multiply_in_register<M, N, K>(a, b, c);
  else if constexpr (Dense && std::is_same_v<T, float> && 2 * N == width && M % 2 == 0 && K % 2 == 0 &&
                     M <= micro_rows) {
    if (column == 1) return multiply_in_pairs<M, N, K>(a, row, b, c);
  }
#endif
  multiply_by_rows<M, N, K>(a, row, column, b, b_row, c, c_row);
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
