// Few results of many numbers on the host, as gradients of images with one to four channels are: dot products of packs
// along the numbers that are read, for some pixels at a time, where a tile of features would be nearly empty.
#pragma once

#include <ricci/exec/cpu/call.hpp>
#include <ricci/exec/cpu/microkernel.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::convolutions {
inline namespace RICCI_ABI {

// Where the part of the window begins of which numbers lie side by side, from the pixel, and its row of weights.
struct tap {
  index_t from, row;
};
inline constexpr int most_dots = 4;

// sums[r * apart + m] = over taps and k < depth of pixels[r][from + k] * weights[m][row + k]; depth is so many packs
template <int Outputs, int Pixels, class T>
RICCI_NOINLINE void dots_of_taps(T const* const* pixels, tap const* taps, index_t count, index_t depth,
                                 T const* weights, index_t rows, T* sums, index_t apart) {
  using P = simd::pack<T>;
  T const* x[Pixels];
  P acc[Pixels][Outputs];
  RICCI_UNROLL(8)
  for (int r = 0; r < Pixels; ++r) {
    x[r] = pixels[r];
    RICCI_UNROLL(4)
    for (int m = 0; m < Outputs; ++m) acc[r][m] = P(T(0));
  }
  for (index_t t = 0; t < count; ++t) {
    T const* const b = weights + taps[t].row;
    index_t const from = taps[t].from;
    RICCI_UNROLL(1)
    for (index_t k = 0; k < depth; k += P::size) {
      P by[Outputs];
      RICCI_UNROLL(4)
      for (int m = 0; m < Outputs; ++m) by[m] = P::load(b + m * rows + k);
      RICCI_UNROLL(8)
      for (int r = 0; r < Pixels; ++r) {
        P const a = P::load(x[r] + from + k);
        RICCI_UNROLL(4)
        for (int m = 0; m < Outputs; ++m) acc[r][m] = simd::fma(a, by[m], acc[r][m]);
      }
    }
  }
  RICCI_UNROLL(8)
  for (int r = 0; r < Pixels; ++r) RICCI_UNROLL(4)
  for (int m = 0; m < Outputs; ++m) {
    alignas(64) T lanes[P::size];
    acc[r][m].store(lanes);
    T sum = lanes[0];
    for (int k = 1; k < P::size; ++k) sum += lanes[k];
    sums[r * apart + m] = sum;
  }
}
// the same of as many results as there are, for the pixels of a tile
template <class T>
RICCI_INLINE void dots_of_some(index_t outputs, T const* const* pixels, tap const* taps, index_t count, index_t depth,
                               T const* weights, index_t rows, T* sums, index_t apart) {
  constexpr int half = exec::micro_rows / 2;
  static_assert(exec::micro_rows % 2 == 0);
  for (int r = 0; r < exec::micro_rows; r += half) {
    T const* const* const some = pixels + r;
    T* const to = sums + r * apart;
    if (outputs == 1) dots_of_taps<1, half>(some, taps, count, depth, weights, rows, to, apart);
    if (outputs == 2) dots_of_taps<2, half>(some, taps, count, depth, weights, rows, to, apart);
    if (outputs == 3) dots_of_taps<3, half>(some, taps, count, depth, weights, rows, to, apart);
    if (outputs == 4) dots_of_taps<4, half>(some, taps, count, depth, weights, rows, to, apart);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::convolutions
RICCI_OPTIMIZED_END
#endif
