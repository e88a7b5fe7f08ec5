// A single transform of any length, sum over j of x[j] exp(-2 pi i j k / n), in parts that lie apart: by stages; by
// stages of eight transforms side by side, where n is a multiple of 8; or, where a prime factor is large, as a
// convolution (L. Bluestein, A linear filtering approach to the computation of discrete Fourier transform, 1970). That
// the other way round is the same with real and imaginary parts exchanged.
#pragma once

#include <ricci/exec/scratch.hpp>
#include <ricci/fft/tables.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

// Transforms by stages.
template <class T>
struct staged {
  index_t n;
  bool in_lanes;
  radices factors;  // of what the stages are
  T const *stages, *combining = nullptr;

  static RICCI_HD constexpr index_t table_size(index_t n) {
    return runs_in_lanes(n) ? stage_table<lanes>::size(n / lanes) + lane_table::size(n) : stage_table<1>::size(n);
  }
  RICCI_NOINLINE RICCI_HD constexpr staged(index_t length, split<T>, split<T>, T*& room)
      : n(length),
        in_lanes(runs_in_lanes(n)),
        factors(in_lanes ? n / lanes : n),
        stages(in_lanes ? table_of<stage_table<lanes>>(n / lanes, room) : table_of<stage_table<1>>(n, room)) {
    if (in_lanes) combining = table_of<lane_table>(n, room);
  }
  // of x, by help of y; where the result is, is returned
  RICCI_HD constexpr split<T> run(split<T> x, split<T> y) const {
    return in_lanes ? run_in_lanes(x, y) : run_stages<1>(factors, n, x, y, stages, 1);
  }
  RICCI_NOINLINE RICCI_HD constexpr split<T> run_in_lanes(split<T> x, split<T> y) const {
    split<T> const z = run_stages<lanes>(factors, n / lanes, x, y, stages, lanes), other = z.re == x.re ? y : x;
    combine_lanes<1>(z, other, combining, n / lanes, T(1));
    return other;
  }
};

// exp(-pi i k^2 / n) for k < n, and the transform of its conjugate, continued to length m, over m.
struct chirp_table {
  static RICCI_HD constexpr index_t size(index_t n) { return 2 * (n + length_of_convolution(n)); }
  // By a transform of length m, and two arrays for it: of numbers with more digits, where there are such and memory for
  // them, since what is wrong here is wrong in every result.
  template <class T>
  RICCI_NOINLINE RICCI_HD static constexpr void fill(index_t n, T* w, staged<T> const& transform, split<T> a,
                                                     split<T> b) {
#if !defined(__CUDA_ARCH__)
    if constexpr (core::has_heap && sizeof(long double) > sizeof(T))
      if (!__builtin_is_constant_evaluated() && filled_by_more_digits(n, transform.n, w)) return;
#endif
    filled(n, w, transform, a, b);
  }
  template <class T>
  static bool filled_by_more_digits(index_t n, index_t m, T* w) {
    using wide = long double;
    exec::scratch<0> memory(6 * m * index_t(sizeof(wide)), std::nothrow);
    if (!memory.is_there()) return false;
    wide* const p = reinterpret_cast<wide*>(memory.data());
    plain const transform{m, {p + 4 * m, p + 5 * m}};
    filled(n, w, transform, split<wide>{p, p + m}, split<wide>{p + 2 * m, p + 3 * m});
    return true;
  }
  // The same stages by their definition: small to compile, and slow, as befits what runs once.
  struct plain {
    index_t n;
    split<long double> roots;
    split<long double> run_in_lanes(split<long double> x, split<long double> y) const {
      for (index_t k = 0; k < n; ++k) {
        root_t<long double> const z = root_of_unity<long double>(k, n);
        roots.re[k] = z.real, roots.im[k] = z.imag;
      }
      radices const f(n);
      index_t m = n, s = 1;
      for (int stage = 0; stage < f.count; ++stage) {
        int const r = f.of[stage];
        m /= r;
        for (index_t to = 0; to < n; ++to) {
          index_t const q = to % s, k = to / s % r, p = to / s / r;
          long double re = 0, im = 0;
          for (int j = 0; j < r; ++j) {
            index_t const from = q + s * (p + m * j), turn = k * (p + m * j) % (m * r) * s;
            re += x.re[from] * roots.re[turn] - x.im[from] * roots.im[turn];
            im += x.re[from] * roots.im[turn] + x.im[from] * roots.re[turn];
          }
          y.re[to] = re, y.im[to] = im;
        }
        s *= r;
        split<long double> const t = x;
        x = y, y = t;
      }
      return x;
    }
  };
  template <class T, class N>
  RICCI_NOINLINE RICCI_HD static constexpr void filled(index_t n, T* w, auto const& transform, split<N> a, split<N> b) {
    index_t const m = transform.n;
    T *const re = w, *const im = w + n, *const fr = w + 2 * n, *const fi = fr + m;
    for (index_t k = 0; k < m; ++k) a.re[k] = a.im[k] = 0;
    for (index_t k = 0, square = 0; k < n; ++k) {
      root_t<N> const z = root_of_unity<N>(square, 2 * n);
      re[k] = static_cast<T>(z.real), im[k] = static_cast<T>(z.imag);
      a.re[k] = z.real, a.im[k] = -z.imag;
      if (k > 0) a.re[m - k] = z.real, a.im[m - k] = -z.imag;
      square += 2 * k + 1;
      if (square >= 2 * n) square -= 2 * n;
    }
    split<N> const y = transform.run_in_lanes(a, b);
    N const part = N(1) / static_cast<N>(m);
    for (index_t k = 0; k < m; ++k) fr[k] = static_cast<T>(y.re[k] * part), fi[k] = static_cast<T>(y.im[k] * part);
  }
};

// re + i im times w, element by element
template <class V, class T>
RICCI_INLINE RICCI_HD constexpr void multiply_at(T const* wr, T const* wi, T* re, T* im, index_t k) {
  V const a = vectors::load<V>(re + k), b = vectors::load<V>(im + k), c = vectors::load<V>(wr + k),
          d = vectors::load<V>(wi + k);
  vectors::store<V>(re + k, a * c - b * d), vectors::store<V>(im + k, a * d + b * c);
}
template <class T>
RICCI_NOINLINE RICCI_HD constexpr void multiply(T const* wr, T const* wi, T* re, T* im, index_t n) {
  index_t k = 0;
  if constexpr (vectors::exist<T>)
    if (!__builtin_is_constant_evaluated())
      for (; k + vectors::width<T> <= n; k += vectors::width<T>) multiply_at<vectors::of<T>>(wr, wi, re, im, k);
  for (; k < n; ++k) multiply_at<T>(wr, wi, re, im, k);
}

// The length of the transforms by stages that make one of length n.
RICCI_HD constexpr index_t length_of_stages(index_t n) { return has_stages(n) ? n : length_of_convolution(n); }
// real numbers that an array of it takes; a few more where it is long, so that arrays are not whole pages apart
RICCI_HD constexpr index_t array_size(index_t n) {
  index_t const m = length_of_stages(n);
  return m < 256 ? (m + 7) / 8 * 8 : m + 32;
}
// those of all its tables
RICCI_HD constexpr index_t table_size(index_t n) {
  return staged<double>::table_size(length_of_stages(n)) + (has_stages(n) ? 0 : chirp_table::size(n));
}

// Transforms of lengths without stages.
template <class T>
struct convolved {
  index_t n;
  staged<T> stages;
  T const* chirp;

  // by help of arrays for one transform
  RICCI_NOINLINE RICCI_HD constexpr convolved(index_t length, split<T> a, split<T> b, T*& room)
      : n(length), stages(length_of_convolution(n), a, b, room), chirp(table_of<chirp_table>(n, room, stages, a, b)) {}
  RICCI_NOINLINE RICCI_HD constexpr split<T> run(split<T> x, split<T> y) const {
    T const *const cr = chirp, *const ci = cr + n, *const fr = ci + n, *const fi = fr + stages.n;
    multiply(cr, ci, x.re, x.im, n);
    for (index_t k = n; k < stages.n; ++k) x.re[k] = x.im[k] = 0;
    split<T> z = stages.run_in_lanes(x, y);
    multiply(fr, fi, z.re, z.im, stages.n);
    split<T> const other = z.re == x.re ? y : x, back = stages.run_in_lanes({z.im, z.re}, {other.im, other.re});
    z = {back.im, back.re};
    multiply(cr, ci, z.re, z.im, n);
    return z;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
