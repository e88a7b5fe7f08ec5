// How a transform of length n is made, and the tables that it reads.
#pragma once

#include <ricci/core/bits.hpp>
#include <ricci/fft/stages.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

// Divides n by a prime as often as it goes, and notes it. (R is a constant, so that remainders need no division.)
template <index_t R>
RICCI_HD constexpr void take_factor(index_t& n, int* of, int& count) {
  if (n <= 1) return;
  for (; n % R == 0; n /= R) of[count++] = int(R);
}
template <index_t... R>
RICCI_NOINLINE RICCI_HD constexpr void take_factors(index_t& n, int* of, int& count) {
  (take_factor<R>(n, of, count), ...);
}

// The radices of n, and what is left of it where a prime factor is too large for a stage.
struct radices {
  int count = 0;
  int of[64]{};
  index_t rest = 1;
  RICCI_NOINLINE RICCI_HD constexpr explicit radices(index_t n) {
    int twos = n > 0 ? core::trailing_zeros(static_cast<std::uint64_t>(n)) : 0;
    n >>= twos;
    take_factors<31, 29, 23, 19, 17, 13, 11, 7, 5, 3>(n, of, count);
    // the twos by 8, the last ones by 4
    for (; twos > 4 || twos == 3; twos -= 3) of[count++] = 8;
    for (; twos > 1; twos -= 2) of[count++] = 4;
    if (twos > 0) of[count++] = 2;
    rest = n;
  }
};
// Whether a transform of that length is made of stages alone.
RICCI_NOINLINE RICCI_HD constexpr bool has_stages(index_t n) {
  if (n <= 0 || (n & (n - 1)) == 0) return true;
  int of[64]{}, count = 0;
  n >>= core::trailing_zeros(static_cast<std::uint64_t>(n));
  take_factors<31, 29, 23, 19, 17, 13, 11, 7, 5, 3>(n, of, count);
  return n == 1;
}
// The length of the convolution by which Bluestein's algorithm makes a transform of length n: 2 n - 1 at least.
RICCI_NOINLINE RICCI_HD constexpr index_t length_of_convolution(index_t n) {
  index_t best = 8;
  while (best < 2 * n - 1) best *= 2;
  for (index_t odd : {3, 5, 9, 15}) {
    index_t m = 8 * odd;
    while (m < 2 * n - 1) m *= 2;
    if (m < best) best = m;
  }
  return best;
}
// Whether a single transform runs in lanes: those of elements l, l + 8, ... side by side.
RICCI_HD constexpr bool runs_in_lanes(index_t n) { return n % lanes == 0 && n >= 4 * lanes; }

template <class T>
RICCI_HD constexpr void put_root(T* w, index_t k, index_t n) {
  root_t<T> const z = root_of_unity<T>(k, n);
  w[0] = z.real, w[1] = z.imag;
}

// The twiddles of all stages of transforms of length n, of which s stand side by side.
template <class T>
RICCI_NOINLINE RICCI_HD constexpr void fill_stages(index_t n, index_t s, T* w) {
  radices const f(n);
  for (int k = 0; k < f.count; ++k) {
    int const r = f.of[k];
    index_t const m = n / r;
    bool const is_odd = r > 8 || r == 7;
    if (is_odd)
      for (int j = 0; j < r; ++j, w += 2) put_root(w, j, r);
    if (is_odd || (m > 1 && s >= lanes)) {
      for (index_t p = 0; p < m; ++p)
        for (int j = 1; j < r; ++j, w += 2) put_root(w, p * j, n);
    } else if (m > 1) {
      for (int j = 1; j < r; ++j, w += 2 * s * m)
        for (index_t u = 0; u < s * m; ++u) {
          root_t<T> const z = root_of_unity<T>(u / s * j, n);
          w[u] = z.real, w[s * m + u] = z.imag;
        }
    }
    n = m, s *= r;
  }
}
// Their number, at least: 2 m (R - 1) of a stage that makes transforms of length m of one of length R m, in all less
// than 2 n; and 2 r for each other odd radix, the product of which is a part of n. Of the first stages of a single
// transform, of which there are two at most (3 and 3), 2 s m (R - 1), less than 2 n each, behind the end of which
// vectors may read; powers of two have one such stage, which is the longest.
template <int Beside>
struct stage_table {
  static RICCI_HD constexpr index_t size(index_t n) {
    index_t const all = (n & (n - 1)) == 0 ? 2 * n : Beside == 1 ? 8 * n : 4 * n;
    return Beside == 1 && vectors::are_there ? all + lanes : all;
  }
  template <class T>
  static RICCI_HD constexpr void fill(index_t n, T* w) {
    if constexpr (Beside == 1)
      for (index_t k = 0; k < size(n); ++k) w[k] = 0;
    fill_stages(n, Beside, w);
  }
};
// What combines lanes: exp(-2 pi i l k / n) for l = 1..7, of eight k at a time, which lie side by side: 8 real parts
// and 8 imaginary ones of every l.
struct lane_table {
  static constexpr index_t block = 2 * (lanes - 1) * lanes;
  static RICCI_HD constexpr index_t size(index_t n) { return (n / lanes + lanes - 1) / lanes * block; }
  template <class T>
  RICCI_NOINLINE RICCI_HD static constexpr void fill(index_t n, T* w) {
    index_t const m = n / lanes;
    for (index_t k = 0; k < (m + lanes - 1) / lanes * lanes; ++k)
      for (int l = 1; l < lanes; ++l) {
        root_t<T> const z = k < m ? root_of_unity<T>(l * k, n) : root_t<T>{1, 0};
        T* const at = w + k / lanes * block + 2 * (l - 1) * lanes + k % lanes;
        at[0] = z.real, at[lanes] = z.imag;
      }
  }
};
// exp(-2 pi i k / n) for k <= n / 4, by which a transform of n real numbers is made of one of n / 2 complex ones; real
// parts, then imaginary ones.
struct real_table {
  static RICCI_HD constexpr index_t size(index_t n) { return 2 * (n / 4 + 1); }
  template <class T>
  RICCI_NOINLINE RICCI_HD static constexpr void fill(index_t n, T* w) {
    index_t const m = n / 4 + 1;
    for (index_t k = 0; k < m; ++k) {
      root_t<T> const z = root_of_unity<T>(k, n);
      w[k] = z.real, w[m + k] = z.imag;
    }
  }
};

// x to y by stages; where the result stands is returned. s transforms are interleaved; Beside: the least s.
template <int Beside, class T>
RICCI_NOINLINE RICCI_HD constexpr split<T> run_stages(radices const& f, index_t n, split<T> x, split<T> y, T const* w,
                                                      index_t s) {
  for (int k = 0; k < f.count; ++k) {
    int const r = f.of[k];
    index_t const m = n / r;
    switch (r) {
      case 2:
        stage<2, Beside>(x, y, w, m, s);
        break;
      case 3:
        stage<3, Beside>(x, y, w, m, s);
        break;
      case 4:
        stage<4, Beside>(x, y, w, m, s);
        break;
      case 5:
        stage<5, Beside>(x, y, w, m, s);
        break;
      case 8:
        stage<8, Beside>(x, y, w, m, s);
        break;
      default:
        stage_of_odd(x, y, w, r, m, s);
        w += 2 * r + 2 * m * (r - 1);
    }
    if (r <= 5 || r == 8) w += m > 1 ? 2 * m * (r - 1) * (s < lanes ? s : 1) : 0;
    n = m, s *= r;
    split<T> const t = x;
    x = y, y = t;
  }
  return x;
}

}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
