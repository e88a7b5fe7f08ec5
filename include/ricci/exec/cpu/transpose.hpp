// A square of elements, as many rows as a SIMD register has lanes, transposed in registers: blocks off the diagonal are
// swapped, of half the size each time [Eklundh, A fast computer method for matrix transposing, 1972].
#pragma once

#include <ricci/exec/cpu/memory.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD && (defined(__GNUC__) || defined(__clang__))

template <int Distance, class T, int Rows, int... L>
RICCI_INLINE void swap_blocks(simd::pack<T> (&x)[Rows], std::integer_sequence<int, L...>) {
  using V = typename simd::pack<T>::register_type;
  constexpr int size = sizeof...(L);
  RICCI_UNROLL(64)
  for (int i = 0; i < Rows; ++i)
    if ((i & Distance) == 0) {
      V const a = x[i].v, b = x[i + Distance].v;
      x[i] = simd::pack<T>(V(__builtin_shufflevector(a, b, ((L & Distance) != 0 ? size + (L ^ Distance) : L)...)));
      x[i + Distance] =
          simd::pack<T>(V(__builtin_shufflevector(a, b, ((L & Distance) != 0 ? size + L : (L ^ Distance))...)));
    }
}
// All of a square, of which x holds the rows; or, of fewer rows, of each of the squares that stand side by side there.
template <class T, int Size>
RICCI_INLINE void transpose_registers(simd::pack<T> (&x)[Size]) {
  constexpr auto lanes = std::make_integer_sequence<int, simd::pack<T>::size>{};
  if constexpr (Size > 8) swap_blocks<8, T>(x, lanes);
  if constexpr (Size > 4) swap_blocks<4, T>(x, lanes);
  if constexpr (Size > 2) swap_blocks<2, T>(x, lanes);
  if constexpr (Size > 1) swap_blocks<1, T>(x, lanes);
}
// The rows of such a square of elements of type T; 0 where there is none.
template <class T>
inline constexpr index_t square_of = sizeof(T) == 4   ? simd::pack<float>::size
                                     : sizeof(T) == 8 ? simd::pack<double>::size
                                                      : 0;
// Its rows, `from_row` elements apart, to columns of rows that are `to_row` apart. What the bits mean does not matter.
template <class T>
RICCI_INLINE void transpose_square(T const* from, index_t from_row, T* to, index_t to_row) {
  using number = std::conditional_t<sizeof(T) == 4, float, double>;
  using P = simd::pack<number>;
  constexpr int size = P::size;
  P x[size];
  RICCI_UNROLL(64)
  for (int i = 0; i < size; ++i) x[i] = P::load(reinterpret_cast<number const*>(from + i * from_row));
  transpose_registers(x);
  RICCI_UNROLL(64)
  for (int i = 0; i < size; ++i) x[i].store(reinterpret_cast<number*>(to + i * to_row));
}

#else

template <class T>
inline constexpr index_t square_of = 0;
template <class T>
void transpose_square(T const* from, index_t from_row, T* to, index_t to_row);

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
