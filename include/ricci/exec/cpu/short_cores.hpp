// Cores of few elements whose number is known, dense and one behind the other, to registers of which each holds one
// element of all these cores, and back. Some elements at a time: those of a core are one piece, as many pieces as fill
// a register stand side by side in it, and as many registers as a piece has elements are transposed.
#pragma once

#include <ricci/exec/cpu/transpose.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t most_short_elements = 16;

#if RICCI_HAS_XSIMD && (defined(__GNUC__) || defined(__clang__))

// How many elements of a core, of which `left` are left, a piece has: half of a register, for which there are
// instructions that load it into its part, or less, but for registers of 16 bytes.
template <class T>
constexpr int piece_of(index_t left) {
  int piece = simd::pack<T>::size / (sizeof(typename simd::pack<T>::register_type) > 16 ? 2 : 1);
  while (piece > left) piece /= 2;
  return piece;
}

// Lanes elements: pieces of `Piece` elements, `distance` elements apart.
template <class T, int Piece, int Lanes>
RICCI_INLINE auto pieces_at(T const* p, index_t distance) {
  using lanes = typename simd::lanes_in_memory<T, Lanes>::type;
  if constexpr (Lanes == Piece) {
    return *reinterpret_cast<lanes const*>(p);
  } else if constexpr (Lanes == 2) {
    return lanes{p[0], p[distance]};
  } else {
    auto const low = pieces_at<T, Piece, Lanes / 2>(p, distance),
               high = pieces_at<T, Piece, Lanes / 2>(p + Lanes / 2 / Piece * distance, distance);
    return [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      return lanes(__builtin_shufflevector(low, high, L...));
    }
    (std::make_integer_sequence<int, Lanes>{});
  }
}
template <class T, int Piece, int Lanes, class V>
RICCI_INLINE void pieces_to(V x, T* p, index_t distance) {
  using lanes = typename simd::lanes_in_memory<T, Lanes>::type;
  if constexpr (Lanes == Piece) {
    *reinterpret_cast<lanes*>(p) = (lanes)x;
  } else if constexpr (Lanes == 2) {
    p[0] = x[0], p[distance] = x[1];
  } else {
    using half = typename simd::lanes_in_memory<T, Lanes / 2>::type;
    [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
      pieces_to<T, Piece, Lanes / 2>(half(__builtin_shufflevector(x, x, L...)), p, distance);
      pieces_to<T, Piece, Lanes / 2>(half(__builtin_shufflevector(x, x, (L + Lanes / 2)...)),
                                     p + Lanes / 2 / Piece * distance, distance);
    }
    (std::make_integer_sequence<int, Lanes / 2>{});
  }
}

// As many cores of `Elements` elements as a register has lanes, from p on.
template <class T, index_t Elements, index_t From = 0>
RICCI_INLINE void short_cores_to_lanes(simd::pack<T>* x, T const* p) {
  using P = simd::pack<T>;
  constexpr int piece = piece_of<T>(Elements - From);
  P rows[piece];
  RICCI_UNROLL(16)
  for (int i = 0; i < piece; ++i) {
    // lane k of them is one of core k
    auto const row = pieces_at<T, piece, P::size>(p + i * Elements + From, piece * Elements);
    rows[i] = P(typename P::batch((typename P::register_type)row));
  }
  transpose_registers(rows);
  RICCI_UNROLL(16)
  for (int i = 0; i < piece; ++i) x[From + i] = rows[i];
  if constexpr (From + piece < Elements) short_cores_to_lanes<T, Elements, From + piece>(x, p);
}
template <class T, index_t Elements, index_t From = 0>
RICCI_INLINE void lanes_to_short_cores(simd::pack<T> const* x, T* p) {
  using P = simd::pack<T>;
  constexpr int piece = piece_of<T>(Elements - From);
  P rows[piece];
  RICCI_UNROLL(16)
  for (int i = 0; i < piece; ++i) rows[i] = x[From + i];
  transpose_registers(rows);
  RICCI_UNROLL(16)
  for (int i = 0; i < piece; ++i)
    pieces_to<T, piece, P::size>((typename P::memory) static_cast<typename P::register_type>(rows[i].v),
                                 p + i * Elements + From, piece * Elements);
  if constexpr (From + piece < Elements) lanes_to_short_cores<T, Elements, From + piece>(x, p);
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
