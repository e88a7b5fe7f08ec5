// One stage of an autosorting transform (Stockham's; C. Van Loan, Computational Frameworks for the Fast Fourier
// Transform, 1992, section 1.7): of s interleaved transforms of length R m it makes R s of length m,
//
//   y[q + s (R p + k)] = w^(p k) sum over j < R of x[q + s (p + m j)] exp(-2 pi i j k / R),  w = exp(-2 pi i / (R m))
//
// so that after all stages the results stand in their order. Real and imaginary parts lie apart. The innermost loop
// goes along q, where elements are neighbours.
#pragma once

#include <ricci/fft/roots.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {

// elements that innermost loops take at once
inline constexpr int lanes = 8;
// primes up to this one have stages, larger ones Bluestein's algorithm
inline constexpr int largest_radix = 31;

// R elements, `in` from each other, to R others; Twiddles: times w[0 .. 2 (R - 2) + 1], the powers of a root but for 1.
template <int R, bool Twiddles>
struct butterfly {
  template <class T>
  RICCI_INLINE RICCI_HD static constexpr void put(int k, T re, T im, T* yr, T* yi, index_t out, T const* w) {
    if constexpr (Twiddles) {
      if (k > 0) {
        T const c = w[2 * (k - 1)], s = w[2 * (k - 1) + 1];
        yr[k * out] = re * c - im * s, yi[k * out] = re * s + im * c;
        return;
      }
    }
    yr[k * out] = re, yi[k * out] = im;
  }
  template <class T>
  RICCI_INLINE RICCI_HD static constexpr void run(T const* xr, T const* xi, index_t in, T* yr, T* yi, index_t out,
                                                  T const* w) {
    auto const to = [=](int k, T re, T im) RICCI_INLINE_LAMBDA { put(k, re, im, yr, yi, out, w); };
    if constexpr (R == 2) {
      T const ar = xr[0], ai = xi[0], br = xr[in], bi = xi[in];
      to(0, ar + br, ai + bi), to(1, ar - br, ai - bi);
    } else if constexpr (R == 3) {
      constexpr T sine = T(0.86602540378443864676L);
      T const ar = xr[0], ai = xi[0], br = xr[in], bi = xi[in], cr = xr[2 * in], ci = xi[2 * in];
      T const sr = br + cr, si = bi + ci, dr = sine * (br - cr), di = sine * (bi - ci);
      T const ur = ar - T(.5) * sr, ui = ai - T(.5) * si;
      to(0, ar + sr, ai + si), to(1, ur + di, ui - dr), to(2, ur - di, ui + dr);
    } else if constexpr (R == 4) {
      T const ar = xr[0], ai = xi[0], br = xr[in], bi = xi[in];
      T const cr = xr[2 * in], ci = xi[2 * in], dr = xr[3 * in], di = xi[3 * in];
      T const er = ar + cr, ei = ai + ci, fr = ar - cr, fi = ai - ci;
      T const gr = br + dr, gi = bi + di, hr = bi - di, hi = dr - br;
      to(0, er + gr, ei + gi), to(1, fr + hr, fi + hi), to(2, er - gr, ei - gi), to(3, fr - hr, fi - hi);
    } else if constexpr (R == 5) {
      constexpr T c1 = T(0.30901699437494742410L), c2 = T(-0.80901699437494742410L);
      constexpr T s1 = T(0.95105651629515357212L), s2 = T(0.58778525229247312917L);
      T const ar = xr[0], ai = xi[0], br = xr[in], bi = xi[in], cr = xr[2 * in], ci = xi[2 * in];
      T const dr = xr[3 * in], di = xi[3 * in], er = xr[4 * in], ei = xi[4 * in];
      T const pr = br + er, pi = bi + ei, qr = cr + dr, qi = ci + di;
      T const mr = br - er, mi = bi - ei, nr = cr - dr, ni = ci - di;
      T const ur = ar + (c1 * pr + c2 * qr), ui = ai + (c1 * pi + c2 * qi);
      T const vr = ar + (c2 * pr + c1 * qr), vi = ai + (c2 * pi + c1 * qi);
      T const gr = s1 * mr + s2 * nr, gi = s1 * mi + s2 * ni, hr = s2 * mr - s1 * nr, hi = s2 * mi - s1 * ni;
      to(0, ar + (pr + qr), ai + (pi + qi));
      to(1, ur + gi, ui - gr), to(2, vr + hi, vi - hr), to(3, vr - hi, vi + hr), to(4, ur - gi, ui + gr);
    } else {
      static_assert(R == 8);
      constexpr T r = T(0.70710678118654752440L);
      T const ar = xr[0] + xr[4 * in], ai = xi[0] + xi[4 * in], br = xr[0] - xr[4 * in], bi = xi[0] - xi[4 * in];
      T const cr = xr[2 * in] + xr[6 * in], ci = xi[2 * in] + xi[6 * in];
      T const dr = xi[2 * in] - xi[6 * in], di = xr[6 * in] - xr[2 * in];
      T const er = xr[in] + xr[5 * in], ei = xi[in] + xi[5 * in], fr = xr[in] - xr[5 * in], fi = xi[in] - xi[5 * in];
      T const gr = xr[3 * in] + xr[7 * in], gi = xi[3 * in] + xi[7 * in];
      T const hr = xi[3 * in] - xi[7 * in], hi = xr[7 * in] - xr[3 * in];
      T const a0r = ar + cr, a0i = ai + ci, a2r = ar - cr, a2i = ai - ci;
      T const a1r = br + dr, a1i = bi + di, a3r = br - dr, a3i = bi - di;
      T const b0r = er + gr, b0i = ei + gi, b2r = ei - gi, b2i = gr - er;
      T const pr = fr + hr, pi = fi + hi, qr = fr - hr, qi = fi - hi;
      T const b1r = r * (pr + pi), b1i = r * (pi - pr), b3r = r * (qi - qr), b3i = -r * (qr + qi);
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

template <int R, bool Twiddles, class T>
RICCI_VECTORISED RICCI_HD constexpr void stage_of_blocks(T const* __restrict xr, T const* __restrict xi,
                                                         T* __restrict yr, T* __restrict yi, T const* __restrict w,
                                                         index_t m, index_t s) {
  for (index_t p = 0; p < m; ++p, w += Twiddles ? 2 * (R - 1) : 0)
    for (index_t q = 0; q < s; q += lanes)
      for (int l = 0; l < lanes; ++l)
        butterfly<R, Twiddles>::run(xr + s * p + q + l, xi + s * p + q + l, s * m, yr + s * R * p + q + l,
                                    yi + s * R * p + q + l, s, w);
}
template <int R, bool Twiddles, class T>
RICCI_VECTORISED RICCI_HD constexpr void stage_of_any(T const* __restrict xr, T const* __restrict xi, T* __restrict yr,
                                                      T* __restrict yi, T const* __restrict w, index_t m, index_t s) {
  for (index_t p = 0; p < m; ++p, w += Twiddles ? 2 * (R - 1) : 0)
    for (index_t q = 0; q < s; ++q)
      butterfly<R, Twiddles>::run(xr + s * p + q, xi + s * p + q, s * m, yr + s * R * p + q, yi + s * R * p + q, s, w);
}
template <int R, class T>
RICCI_HD constexpr void stage(split<T> x, split<T> y, T const* w, index_t m, index_t s) {
  bool const blocks = s % lanes == 0;
  if (m == 1)
    blocks ? stage_of_blocks<R, false>(x.re, x.im, y.re, y.im, w, m, s)
           : stage_of_any<R, false>(x.re, x.im, y.re, y.im, w, m, s);
  else
    blocks ? stage_of_blocks<R, true>(x.re, x.im, y.re, y.im, w, m, s)
           : stage_of_any<R, true>(x.re, x.im, y.re, y.im, w, m, s);
}

// A stage of any odd radix r, by sums and differences of what stands symmetrically; `roots`: the r-th roots of unity,
// behind which the twiddles stand.
template <int Lanes, class T>
RICCI_VECTORISED RICCI_HD constexpr void butterfly_of_odd(T const* __restrict xr, T const* __restrict xi, index_t in,
                                                          T* __restrict yr, T* __restrict yi, index_t out,
                                                          T const* __restrict roots, int r, T const* __restrict w) {
  constexpr int most = largest_radix / 2;
  T sr[most * Lanes]{}, si[most * Lanes]{}, dr[most * Lanes]{}, di[most * Lanes]{};
  T ar[Lanes]{}, ai[Lanes]{};
  int const half = r / 2;
  for (int l = 0; l < Lanes; ++l) ar[l] = xr[l], ai[l] = xi[l];
  for (int j = 0; j < half; ++j) {
    T const *const ur = xr + (j + 1) * in, *const ui = xi + (j + 1) * in;
    T const *const vr = xr + (r - 1 - j) * in, *const vi = xi + (r - 1 - j) * in;
    for (int l = 0; l < Lanes; ++l) {
      sr[j * Lanes + l] = ur[l] + vr[l], si[j * Lanes + l] = ui[l] + vi[l];
      dr[j * Lanes + l] = ur[l] - vr[l], di[j * Lanes + l] = ui[l] - vi[l];
      ar[l] += sr[j * Lanes + l], ai[l] += si[j * Lanes + l];
    }
  }
  for (int l = 0; l < Lanes; ++l) yr[l] = ar[l], yi[l] = ai[l];
  for (int k = 1; k <= half; ++k) {
    T er[Lanes]{}, ei[Lanes]{}, fr[Lanes]{}, fi[Lanes]{};
    for (int j = 0, at = 0; j < half; ++j) {
      at += k;
      if (at >= r) at -= r;
      T const c = roots[2 * at], s = roots[2 * at + 1];  // cos and -sin
      for (int l = 0; l < Lanes; ++l) {
        er[l] += c * sr[j * Lanes + l], ei[l] += c * si[j * Lanes + l];
        fr[l] -= s * di[j * Lanes + l], fi[l] += s * dr[j * Lanes + l];
      }
    }
    T const c1 = w[2 * (k - 1)], s1 = w[2 * (k - 1) + 1], c2 = w[2 * (r - k - 1)], s2 = w[2 * (r - k - 1) + 1];
    for (int l = 0; l < Lanes; ++l) {
      T const gr = xr[l] + er[l], gi = xi[l] + ei[l];
      T const pr = gr + fr[l], pi = gi + fi[l], qr = gr - fr[l], qi = gi - fi[l];
      yr[k * out + l] = pr * c1 - pi * s1, yi[k * out + l] = pr * s1 + pi * c1;
      yr[(r - k) * out + l] = qr * c2 - qi * s2, yi[(r - k) * out + l] = qr * s2 + qi * c2;
    }
  }
}
template <class T>
RICCI_HD constexpr void stage_of_odd(split<T> x, split<T> y, T const* w, int r, index_t m, index_t s) {
  T const* const roots = w;
  w += 2 * r;
  for (index_t p = 0; p < m; ++p, w += 2 * (r - 1)) {
    index_t q = 0, const_from = s * p, to = s * r * p;
    for (; q + lanes <= s; q += lanes)
      butterfly_of_odd<lanes>(x.re + const_from + q, x.im + const_from + q, s * m, y.re + to + q, y.im + to + q, s,
                              roots, r, w);
    for (; q < s; ++q)
      butterfly_of_odd<1>(x.re + const_from + q, x.im + const_from + q, s * m, y.re + to + q, y.im + to + q, s, roots,
                          r, w);
  }
}

// The last stage of a transform of length 8 m whose elements stood in lanes: lane l of row k of x is element k of the
// transform of elements l, l + 8, l + 16, ... `w`: exp(-2 pi i l k / (8 m)) by l = 1..7, m real parts, then m imaginary
// ones. Element k of the result goes to y[Step k].
template <int Step, class T>
RICCI_VECTORISED RICCI_HD constexpr void combine_lanes(T const* __restrict xr, T const* __restrict xi, T* __restrict yr,
                                                       T* __restrict yi, T const* __restrict w, index_t m, T scale) {
  auto const one = [=](index_t k, T* re, T* im) RICCI_INLINE_LAMBDA {
    re[0] = xr[8 * k], im[0] = xi[8 * k];
    for (int l = 1; l < 8; ++l) {
      T const c = w[2 * (l - 1) * m + k], s = w[(2 * l - 1) * m + k], a = xr[8 * k + l], b = xi[8 * k + l];
      re[l] = a * c - b * s, im[l] = a * s + b * c;
    }
  };
  index_t k = 0;
  for (; k + lanes <= m; k += lanes) {
    T re[8 * lanes]{}, im[8 * lanes]{};
    for (int i = 0; i < lanes; ++i) {
      T const *const fr = xr + 8 * (k + i), *const fi = xi + 8 * (k + i);
      for (int l = 0; l < 8; ++l) re[l * lanes + i] = fr[l], im[l * lanes + i] = fi[l];
    }
    for (int l = 1; l < 8; ++l) {
      T const *const c = w + 2 * (l - 1) * m + k, *const s = c + m;
      for (int i = 0; i < lanes; ++i) {
        T const a = re[l * lanes + i], b = im[l * lanes + i];
        re[l * lanes + i] = a * c[i] - b * s[i], im[l * lanes + i] = a * s[i] + b * c[i];
      }
    }
    T zr[8 * lanes]{}, zi[8 * lanes]{};
    for (int i = 0; i < lanes; ++i) butterfly<8, false>::run(re + i, im + i, lanes, zr + i, zi + i, lanes, w);
    for (int l = 0; l < 8; ++l)
      for (int i = 0; i < lanes; ++i)
        yr[Step * (k + i + m * l)] = scale * zr[l * lanes + i], yi[Step * (k + i + m * l)] = scale * zi[l * lanes + i];
  }
  for (; k < m; ++k) {
    T re[8]{}, im[8]{}, zr[8]{}, zi[8]{};
    one(k, re, im);
    butterfly<8, false>::run(re, im, 1, zr, zi, 1, w);
    for (int l = 0; l < 8; ++l) yr[Step * (k + m * l)] = scale * zr[l], yi[Step * (k + m * l)] = scale * zi[l];
  }
}

}  // namespace ricci::fft
RICCI_OPTIMIZED_END
