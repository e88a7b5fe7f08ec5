// Transforms of N x N elements that lie side by side, in registers: N transforms of length N along the columns,
// twiddles, a transposition, and N along the columns again (D. Bailey, FFTs in external or hierarchical memory, 1990),
// where each vector is a row of a matrix of N x N elements.
#pragma once

#include <ricci/fft/stages.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

// exp(-2 pi i p k / N^2) for k = 1..N - 1, those of all p side by side: N real parts, then N imaginary ones.
template <class T, int N>
struct square_table {
  T at[2 * N * (N - 1)]{};
  constexpr square_table() {
    for (int k = 1; k < N; ++k)
      for (int p = 0; p < N; ++p) {
        root_t<T> const z = root_of_unity<T>(p * k, N * N);
        at[2 * N * (k - 1) + p] = z.real, at[2 * N * (k - 1) + N + p] = z.imag;
      }
  }
};
template <class T, int N>
inline constexpr square_table<T, N> square_roots{};

// Whether N numbers of type T are one register.
template <class T, int N>
inline constexpr bool has_squares = vectors::exist<T> && (N <= lanes) &&
                                    (N * int(sizeof(T)) <= vectors::register_bytes);

// `sign`: -1 for exp(+2 pi i j k / n), as the conjugate of the transform of the conjugate.
template <int N, class T>
RICCI_NOINLINE void square_row(T const* x, T* y, T sign, T scale) {
  using V = vectors::of<T, N>;
  T const* const w = square_roots<T, N>.at;
  turned<V, T, N> a, b;
  RICCI_UNROLL(8)
  for (int j = 0; j < N; ++j) {
    vectors::load_pairs<T, N>(x + 2 * N * j, a.r[j], a.i[j]);
    a.i[j] *= sign;
  }
  butterfly<N>::template run<V, T>(a, [&](int k, V const& re, V const& im) RICCI_INLINE_LAMBDA {
    if (k == 0) {
      b.r[0] = re, b.i[0] = im;
    } else {
      V const c = vectors::load<V>(w + 2 * N * (k - 1)), s = vectors::load<V>(w + 2 * N * (k - 1) + N);
      b.r[k] = re * c - im * s, b.i[k] = re * s + im * c;
    }
  });
  vectors::transpose<T, N>(b.r), vectors::transpose<T, N>(b.i);
  butterfly<N>::template run<V, T>(b, [&](int k, V const& re, V const& im) RICCI_INLINE_LAMBDA {
    vectors::store_pairs<T, N>(y + 2 * N * k, scale * re, sign * scale * im);
  });
}
// Rows of 16 and 64; whether they are of such a length.
template <class T>
bool square_rows(index_t n, index_t count, T const* x, index_t next_x, T* y, index_t next_y, T sign, T scale) {
  if (has_squares<T, 4> && n == 16) {
    if constexpr (has_squares<T, 4>)
      for (index_t k = 0; k < count; ++k) square_row<4>(x + k * next_x, y + k * next_y, sign, scale);
  } else if (has_squares<T, 8> && n == 64) {
    if constexpr (has_squares<T, 8>)
      for (index_t k = 0; k < count; ++k) square_row<8>(x + k * next_x, y + k * next_y, sign, scale);
  } else {
    return false;
  }
  return true;
}

}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
