// One stage of an autosorting transform (Stockham's; C. Van Loan, Computational Frameworks for the Fast Fourier
// Transform, 1992, section 1.7): of s interleaved transforms of length R m it makes R s of length m,
//
//   y[q + s (R p + k)] = w^(p k) sum over j < R of x[q + s (p + m j)] exp(-2 pi i j k / R),  w = exp(-2 pi i / (R m))
//
// so that after all stages the results stand in their order. Real and imaginary parts lie apart. The innermost loop
// goes along q, where elements are neighbours.
#pragma once

#include <ricci/fft/roots.hpp>
#include <ricci/fft/vectors.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

// primes up to this one have stages, larger ones Bluestein's algorithm
inline constexpr int largest_radix = 31;

// A transform of R elements, x.re(k) and x.im(k), each of which goes to to(k, real part, imaginary part). V: a number,
// or a vector of numbers of type T.
template <int R>
struct butterfly {
  template <class V, class T, class In, class Out>
  RICCI_INLINE RICCI_HD static constexpr void run(In const& x, Out const& to) {
    if constexpr (R == 2) {
      V const ar = x.re(0), ai = x.im(0), br = x.re(1), bi = x.im(1);
      to(0, ar + br, ai + bi), to(1, ar - br, ai - bi);
    } else if constexpr (R == 3) {
      constexpr T sine = T(0.86602540378443864676L);
      V const ar = x.re(0), ai = x.im(0), br = x.re(1), bi = x.im(1), cr = x.re(2), ci = x.im(2);
      V const sr = br + cr, si = bi + ci, dr = sine * (br - cr), di = sine * (bi - ci);
      V const ur = ar - T(.5) * sr, ui = ai - T(.5) * si;
      to(0, ar + sr, ai + si), to(1, ur + di, ui - dr), to(2, ur - di, ui + dr);
    } else if constexpr (R == 4) {
      V const ar = x.re(0), ai = x.im(0), br = x.re(1), bi = x.im(1);
      V const cr = x.re(2), ci = x.im(2), dr = x.re(3), di = x.im(3);
      V const er = ar + cr, ei = ai + ci, fr = ar - cr, fi = ai - ci;
      V const gr = br + dr, gi = bi + di, hr = bi - di, hi = dr - br;
      to(0, er + gr, ei + gi), to(1, fr + hr, fi + hi), to(2, er - gr, ei - gi), to(3, fr - hr, fi - hi);
    } else if constexpr (R == 5) {
      constexpr T c1 = T(0.30901699437494742410L), c2 = T(-0.80901699437494742410L);
      constexpr T s1 = T(0.95105651629515357212L), s2 = T(0.58778525229247312917L);
      V const ar = x.re(0), ai = x.im(0), br = x.re(1), bi = x.im(1), cr = x.re(2), ci = x.im(2);
      V const dr = x.re(3), di = x.im(3), er = x.re(4), ei = x.im(4);
      V const pr = br + er, pi = bi + ei, qr = cr + dr, qi = ci + di;
      V const mr = br - er, mi = bi - ei, nr = cr - dr, ni = ci - di;
      V const ur = ar + (c1 * pr + c2 * qr), ui = ai + (c1 * pi + c2 * qi);
      V const vr = ar + (c2 * pr + c1 * qr), vi = ai + (c2 * pi + c1 * qi);
      V const gr = s1 * mr + s2 * nr, gi = s1 * mi + s2 * ni, hr = s2 * mr - s1 * nr, hi = s2 * mi - s1 * ni;
      to(0, ar + (pr + qr), ai + (pi + qi));
      to(1, ur + gi, ui - gr), to(2, vr + hi, vi - hr), to(3, vr - hi, vi + hr), to(4, ur - gi, ui + gr);
    } else {
      static_assert(R == 8);
      constexpr T r = T(0.70710678118654752440L);
      V const ar = x.re(0) + x.re(4), ai = x.im(0) + x.im(4), br = x.re(0) - x.re(4), bi = x.im(0) - x.im(4);
      V const cr = x.re(2) + x.re(6), ci = x.im(2) + x.im(6);
      V const dr = x.im(2) - x.im(6), di = x.re(6) - x.re(2);
      V const er = x.re(1) + x.re(5), ei = x.im(1) + x.im(5), fr = x.re(1) - x.re(5), fi = x.im(1) - x.im(5);
      V const gr = x.re(3) + x.re(7), gi = x.im(3) + x.im(7);
      V const hr = x.im(3) - x.im(7), hi = x.re(7) - x.re(3);
      V const a0r = ar + cr, a0i = ai + ci, a2r = ar - cr, a2i = ai - ci;
      V const a1r = br + dr, a1i = bi + di, a3r = br - dr, a3i = bi - di;
      V const b0r = er + gr, b0i = ei + gi, b2r = ei - gi, b2i = gr - er;
      V const pr = fr + hr, pi = fi + hi, qr = fr - hr, qi = fi - hi;
      V const b1r = r * (pr + pi), b1i = r * (pi - pr), b3r = r * (qi - qr), b3i = -r * (qr + qi);
      to(0, a0r + b0r, a0i + b0i), to(1, a1r + b1r, a1i + b1i), to(2, a2r + b2r, a2i + b2i);
      to(3, a3r + b3r, a3i + b3i), to(4, a0r - b0r, a0i - b0i), to(5, a1r - b1r, a1i - b1i);
      to(6, a2r - b2r, a2i - b2i), to(7, a3r - b3r, a3i - b3i);
    }
  }
};

template <class T>
struct split {
  T *re, *im;
};

// Elements that are `apart` from each other, from p on.
template <class V, class T>
struct spaced {
  T const *p, *q;
  index_t apart;
  RICCI_INLINE RICCI_HD constexpr V re(int k) const { return vectors::load<V>(p + k * apart); }
  RICCI_INLINE RICCI_HD constexpr V im(int k) const { return vectors::load<V>(q + k * apart); }
};
template <class V, int R, bool Twiddles, class T>
RICCI_INLINE RICCI_HD constexpr void stage_of(split<T> x, split<T> y, T const* w, index_t m, index_t s) {
  constexpr int width = int(sizeof(V) / sizeof(T));
  for (index_t p = 0; p < m; ++p, w += Twiddles ? 2 * (R - 1) : 0) {
    T c[2 * R]{};
    if constexpr (Twiddles)
      for (int k = 0; k < 2 * (R - 1); ++k) c[k] = w[k];
    for (index_t block = 0; block < s; block += width) {
      index_t const q = block + width <= s ? block : s - width;  // the last ones may be computed twice
      index_t const from = s * p + q, to = s * R * p + q;
      butterfly<R>::template run<V, T>(
          spaced<V, T>{x.re + from, x.im + from, s * m}, [&](int k, V const& re, V const& im) RICCI_INLINE_LAMBDA {
            T *const yr = y.re + to + k * s, *const yi = y.im + to + k * s;
            if (!Twiddles || k == 0) {
              vectors::store<V>(yr, re), vectors::store<V>(yi, im);
            } else {
              T const a = c[2 * (k - 1)], b = c[2 * (k - 1) + 1];
              vectors::store<V>(yr, re * a - im * b), vectors::store<V>(yi, re * b + im * a);
            }
          });
    }
  }
}
// A stage of any odd radix r, by sums and differences of what stands symmetrically; `roots`: the r-th roots of unity,
// behind which the twiddles stand.
template <class V, class T>
RICCI_NOINLINE RICCI_HD constexpr void butterfly_of_odd(split<T const> x, index_t in, split<T> y, index_t out,
                                                        T const* roots, int r, T const* w) {
  constexpr int most = largest_radix / 2;
  V sr[most]{}, si[most]{}, dr[most]{}, di[most]{};
  int const half = r / 2;
  V const fr = vectors::load<V>(x.re), fi = vectors::load<V>(x.im);
  V ar = fr, ai = fi;
  for (int j = 0; j < half; ++j) {
    index_t const first = (j + 1) * in, last = (r - 1 - j) * in;
    V const ur = vectors::load<V>(x.re + first), ui = vectors::load<V>(x.im + first);
    V const vr = vectors::load<V>(x.re + last), vi = vectors::load<V>(x.im + last);
    sr[j] = ur + vr, si[j] = ui + vi, dr[j] = ur - vr, di[j] = ui - vi;
    ar += sr[j], ai += si[j];
  }
  vectors::store<V>(y.re, ar), vectors::store<V>(y.im, ai);
  for (int k = 1; k <= half; ++k) {
    V er{}, ei{}, gr{}, gi{};
    for (int j = 0, at = 0; j < half; ++j) {
      at += k;
      if (at >= r) at -= r;
      T const c = roots[2 * at], s = roots[2 * at + 1];  // cos and -sin
      er += c * sr[j], ei += c * si[j], gr -= s * di[j], gi += s * dr[j];
    }
    T const c1 = w[2 * (k - 1)], s1 = w[2 * (k - 1) + 1], c2 = w[2 * (r - k - 1)], s2 = w[2 * (r - k - 1) + 1];
    er += fr, ei += fi;
    V const pr = er + gr, pi = ei + gi, qr = er - gr, qi = ei - gi;
    vectors::store<V>(y.re + k * out, pr * c1 - pi * s1), vectors::store<V>(y.im + k * out, pr * s1 + pi * c1);
    vectors::store<V>(y.re + (r - k) * out, qr * c2 - qi * s2);
    vectors::store<V>(y.im + (r - k) * out, qr * s2 + qi * c2);
  }
}
template <class T>
RICCI_NOINLINE RICCI_HD constexpr void stage_of_odd(split<T> x, split<T> y, T const* w, int r, index_t m, index_t s) {
  T const* const roots = w;
  w += 2 * r;
  for (index_t p = 0; p < m; ++p, w += 2 * (r - 1)) {
    index_t q = 0;
    index_t const from = s * p, to = s * r * p;
    if constexpr (vectors::exist<T>)
      if (!__builtin_is_constant_evaluated())
        for (; q + vectors::width<T> <= s; q += vectors::width<T>)
          butterfly_of_odd<vectors::of<T>, T>({x.re + from + q, x.im + from + q}, s * m, {y.re + to + q, y.im + to + q},
                                              s, roots, r, w);
    for (; q < s; ++q)
      butterfly_of_odd<T, T>({x.re + from + q, x.im + from + q}, s * m, {y.re + to + q, y.im + to + q}, s, roots, r, w);
  }
}

// The first stages, of less than `lanes` transforms side by side: vectors go along u = q + s p, in the order of which
// elements are read, and twiddles stand. What is computed of places behind the last one is not stored. Null
// for w: there are no twiddles.
template <class V, int R, class T>
RICCI_NOINLINE RICCI_HD constexpr void first_stage_of(split<T> x, split<T> y, T const* w, index_t m, index_t s) {
  constexpr int width = int(sizeof(V) / sizeof(T));
  index_t const all = s * m;
  index_t q = 0, to = 0;
  for (index_t u = 0; u < all; u += width) {
    T re[R * width]{}, im[R * width]{};
    butterfly<R>::template run<V, T>(
        spaced<V, T>{x.re + u, x.im + u, all}, [&](int k, V const& a, V const& b) RICCI_INLINE_LAMBDA {
          if (k == 0 || !w) {
            vectors::store<V>(re + k * width, a), vectors::store<V>(im + k * width, b);
          } else {
            T const* const at = w + 2 * (k - 1) * all + u;
            V const c = vectors::load<V>(at), d = vectors::load<V>(at + all);
            vectors::store<V>(re + k * width, a * c - b * d), vectors::store<V>(im + k * width, a * d + b * c);
          }
        });
    index_t const end = all - u < width ? all - u : width;
    for (index_t l = 0; l < end; ++l) {
      RICCI_UNROLL(8)
      for (int k = 0; k < R; ++k) y.re[to + k * s] = re[k * width + l], y.im[to + k * s] = im[k * width + l];
      ++to;
      if (++q == s) q = 0, to += s * (R - 1);
    }
  }
}
template <int R, bool Twiddles, class T>
RICCI_NOINLINE RICCI_HD constexpr void stage_of_some(split<T> x, split<T> y, T const* w, index_t m, index_t s) {
  if constexpr (vectors::exist<T>)
    if (!__builtin_is_constant_evaluated()) return stage_of<vectors::of<T>, R, Twiddles>(x, y, w, m, s);
  stage_of<T, R, Twiddles>(x, y, w, m, s);
}
template <int R, int Beside, class T>
RICCI_HD constexpr void stage(split<T> x, split<T> y, T const* w, index_t m, index_t s) {
  if constexpr (Beside < lanes)
    if (s < lanes) {
      T const* const twiddles = m > 1 ? w : nullptr;
      if constexpr (vectors::exist<T>)
        if (!__builtin_is_constant_evaluated()) return first_stage_of<vectors::of<T>, R>(x, y, twiddles, m, s);
      return first_stage_of<T, R>(x, y, twiddles, m, s);
    }
  if (m == 1)
    stage_of_some<R, false>(x, y, w, m, s);
  else if constexpr (R > 2)  // of which there is one, the last
    stage_of_some<R, true>(x, y, w, m, s);
}

// The last stage of a transform of length 8 m whose elements stood in lanes: lane l of row k of x is element k of the
// transform of elements l, l + 8, l + 16, ... `w`: a lane_table. Element k of the result goes to y[Step k]: with Step 2
// real and imaginary parts are neighbours, the real ones first, or the imaginary ones.
template <class V, class T, int N = lanes>
struct turned {  // the elements of one row, times their twiddles
  V r[N], i[N];
  RICCI_INLINE RICCI_HD constexpr V const& re(int k) const { return r[k]; }
  RICCI_INLINE RICCI_HD constexpr V const& im(int k) const { return i[k]; }
  RICCI_INLINE RICCI_HD constexpr void turn(T const* w) {
    RICCI_UNROLL(8)
    for (int l = 1; l < lanes; ++l) {
      V const c = vectors::load<V>(w + 2 * (l - 1) * lanes), s = vectors::load<V>(w + (2 * l - 1) * lanes), a = r[l],
              b = i[l];
      r[l] = a * c - b * s, i[l] = a * s + b * c;
    }
  }
};
template <int Step, class T>
RICCI_NOINLINE index_t combine_vectors(split<T> x, split<T> y, T const* w, index_t m, T scale) {
  using V = vectors::of<T>;
  constexpr int n = vectors::width<T>;
  [[maybe_unused]] bool const swapped = y.im < y.re;
  [[maybe_unused]] T* const first = swapped ? y.im : y.re;
  index_t k = 0;
  for (; k + n <= m; k += n) {
    turned<V, T> z;
    RICCI_UNROLL(8)
    for (int l = 0; l < lanes; l += n) {
      RICCI_UNROLL(8)
      for (int i = 0; i < n; ++i) {
        z.r[l + i] = vectors::load<V>(x.re + lanes * (k + i) + l);
        z.i[l + i] = vectors::load<V>(x.im + lanes * (k + i) + l);
      }
      vectors::transpose<T>(z.r + l), vectors::transpose<T>(z.i + l);
    }
    z.turn(w + k / lanes * (2 * (lanes - 1) * lanes) + k % lanes);
    butterfly<lanes>::run<V, T>(z, [&](int l, V const& re, V const& im) RICCI_INLINE_LAMBDA {
      index_t const to = Step * (k + m * l);
      if constexpr (Step == 2)
        vectors::store_pairs<T>(first + to, scale * (swapped ? im : re), scale * (swapped ? re : im));
      else
        vectors::store<V>(y.re + to, scale * re), vectors::store<V>(y.im + to, scale * im);
    });
  }
  return k;
}
template <int Step, class T>
RICCI_HD constexpr void combine_lanes(split<T> x, split<T> y, T const* w, index_t m, T scale) {
  index_t k = 0;
  if constexpr (vectors::exist<T>)
    if (!__builtin_is_constant_evaluated()) k = combine_vectors<Step>(x, y, w, m, scale);
  for (; k < m; ++k) {
    turned<T, T> z{};
    for (int l = 0; l < lanes; ++l) z.r[l] = x.re[lanes * k + l], z.i[l] = x.im[lanes * k + l];
    z.turn(w + k / lanes * (2 * (lanes - 1) * lanes) + k % lanes);
    butterfly<lanes>::template run<T, T>(z, [&](int l, T const& re, T const& im) RICCI_INLINE_LAMBDA {
      y.re[Step * (k + m * l)] = scale * re, y.im[Step * (k + m * l)] = scale * im;
    });
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
