// Transforms from and to real numbers. Of n of them, where n is even, by a transform of n / 2 complex numbers, the
// even and the odd elements for real and imaginary parts (J. Cooley, P. Lewis, P. Welch, The fast Fourier transform
// algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms, 1970); else by one
// of n.
//
// Both are given by signs and weights, so that each is the other's transpose:
//
//   spectrum:      y[k] = w[k] sum over j < n of x[j] exp(-+ 2 pi i j k / n),   k <= n / 2
//   from spectrum: y[j] = sum over k <= n / 2 of w[k] Re(x[k] exp(-+ 2 pi i j k / n)),   j < n
//
// where w is 1, or, weighted, 2 for those k that stand for n - k, too.
#pragma once

#include <ricci/fft/cores.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

RICCI_HD constexpr bool is_even(index_t n) { return n % 2 == 0; }
// the length of the complex transform
RICCI_HD constexpr index_t length_of_complex(index_t n) { return is_even(n) ? n / 2 : n; }
// whether element k of a spectrum is the only one of its kind
RICCI_HD constexpr bool is_single(index_t k, index_t n) { return k == 0 || 2 * k == n; }
RICCI_HD constexpr index_t real_workspace(index_t n) {
  return workspace_of(length_of_complex(n)) + (is_even(n) ? (has_stages(n / 2) ? 1 : 2) * real_table::size(n) : 0);
}

// Elements k and h - k, for k from 1 on as far as vectors go, of one row that lies densely; where that ends is
// returned. w: a real_table.
template <class T>
RICCI_NOINLINE index_t spectrum_by_vectors(index_t h, split<T> a, T const* w, T* y, T real_by, T imag_by) {
  using V = vectors::of<T>;
  constexpr int n = vectors::width<T>;
  T const* const wi = w + h / 2 + 1;
  index_t k = 1;
  for (; k + n <= h - k - n + 1; k += n) {
    index_t const other = h - k - n + 1;
    V const ar = vectors::load<V>(a.re + k), ai = vectors::load<V>(a.im + k);
    V const br = vectors::reversed<T>(vectors::load<V>(a.re + other));
    V const bi = vectors::reversed<T>(vectors::load<V>(a.im + other));
    V const wr = vectors::load<V>(w + k), ws = vectors::load<V>(wi + k);
    V const er = ar + br, ei = ai - bi, fr = ar - br, fi = ai + bi, gr = wr * fi + ws * fr, gi = ws * fi - wr * fr;
    vectors::store_pairs<T>(y + 2 * k, real_by * (er + gr), imag_by * (ei + gi));
    vectors::store_pairs<T>(y + 2 * other, vectors::reversed<T>(real_by * (er - gr)),
                            vectors::reversed<T>(imag_by * (gi - ei)));
  }
  return k;
}
// The same the other way round.
template <class T>
RICCI_NOINLINE index_t from_spectrum_by_vectors(index_t h, T const* x, T const* w, split<T> a, T real_by, T imag_by) {
  using V = vectors::of<T>;
  constexpr int n = vectors::width<T>;
  T const* const wi = w + h / 2 + 1;
  index_t k = 1;
  for (; k + n <= h - k - n + 1; k += n) {
    index_t const other = h - k - n + 1;
    V pr{}, pi{}, qr{}, qi{};
    vectors::load_pairs<T>(x + 2 * k, pr, pi), vectors::load_pairs<T>(x + 2 * other, qr, qi);
    qr = vectors::reversed<T>(qr), qi = vectors::reversed<T>(qi);
    V const wr = vectors::load<V>(w + k), ws = vectors::load<V>(wi + k);
    V const er = real_by * (pr + qr), ei = imag_by * (pi - qi), dr = real_by * (pr - qr), di = imag_by * (pi + qi);
    V const fr = dr * wr + di * ws, fi = di * wr - dr * ws;
    vectors::store<V>(a.re + k, er - fi), vectors::store<V>(a.im + k, ei + fr);
    vectors::store<V>(a.re + other, vectors::reversed<T>(er + fi));
    vectors::store<V>(a.im + other, vectors::reversed<T>(fr - ei));
  }
  return k;
}
template <class E, class T, class Plan>
RICCI_NOINLINE RICCI_HD constexpr void spectrum_core(std::type_identity<Plan>, index_t n, index_t count,
                                                     rows<E const> x, rows<std::complex<E>> y, manner how, T* memory) {
  T const scale = scale_of<T>(how.division, n), twice = how.weighted ? 2 * scale : scale;
  T const sign = how.inverse ? T(-1) : T(1);
  index_t const h = length_of_complex(n);
  arrays<T> work(h, memory);
  T const* const w = is_even(n) ? table_of<real_table>(n, work.room) : nullptr;
  auto const put = [&](index_t row, index_t k, T re, T im) RICCI_INLINE_LAMBDA {
    T const by = is_single(k, n) ? scale : twice;
    y(row, k) = std::complex<E>(E(by * re), E(sign * by * im));
  };
  transform_rows<Plan>(
      h, count, x.row == 1 && y.row == 1, false, work,
      [&](split<T> a, index_t from, int width, auto layout) {
        constexpr int apart = layout.value;
        E const* const p = x.p + from * x.row;
        if constexpr (std::is_same_v<E, T> && vectors::exist<T>)
          if (is_even(n) && apart == 1 && x.step == 1 && has_vectors<E, T>())
            return load_complex<1, E>({reinterpret_cast<std::complex<E> const*>(p), 0, 1}, h, 1, a.re, a.im);
        for (index_t k = 0; k < h; ++k)
          for (int r = 0; r < width; ++r) {
            E const* const at = p + r * x.row;
            a.re[k * apart + r] = T(at[(is_even(n) ? 2 * k : k) * x.step]);
            a.im[k * apart + r] = is_even(n) ? T(at[(2 * k + 1) * x.step]) : T(0);
          }
      },
      [&](split<T> a, index_t from, int width, auto layout) {
        constexpr int apart = layout.value;
        if (!is_even(n)) {
          for (index_t k = 0; k <= n / 2; ++k)
            for (int r = 0; r < width; ++r) put(from + r, k, a.re[k * apart + r], a.im[k * apart + r]);
          return;
        }
        for (int r = 0; r < width; ++r) {
          T const re = a.re[r], im = a.im[r];
          put(from + r, 0, re + im, 0), put(from + r, h, re - im, 0);
        }
        T const* const wi = w + n / 4 + 1;
        index_t first = 1;
        if constexpr (std::is_same_v<E, T> && vectors::exist<T>)
          if (apart == 1 && y.step == 1 && has_vectors<E, T>())
            first = spectrum_by_vectors(h, a, w, reinterpret_cast<T*>(y.p + from * y.row), T(.5) * twice,
                                        T(.5) * sign * twice);
        for (index_t k = first; 2 * k <= h; ++k)
          for (int r = 0; r < width; ++r) {
            index_t const i = k * apart + r, j = (h - k) * apart + r;
            // those of the even elements, and of the odd ones times i
            T const er = a.re[i] + a.re[j], ei = a.im[i] - a.im[j], fr = a.re[i] - a.re[j], fi = a.im[i] + a.im[j];
            T const gr = w[k] * fi + wi[k] * fr, gi = wi[k] * fi - w[k] * fr;
            put(from + r, k, T(.5) * (er + gr), T(.5) * (ei + gi));
            put(from + r, h - k, T(.5) * (er - gr), T(.5) * (gi - ei));
          }
      });
}

template <class E, class T, class Plan>
RICCI_NOINLINE RICCI_HD constexpr void from_spectrum_core(std::type_identity<Plan>, index_t n, index_t count,
                                                          rows<std::complex<E> const> x, rows<E> y, manner how,
                                                          T* memory) {
  T const scale = scale_of<T>(how.division, n), half = how.weighted ? T(1) : T(.5);
  T const sign = how.inverse ? T(1) : T(-1);
  index_t const h = length_of_complex(n);
  arrays<T> work(h, memory);
  T const* const w = is_even(n) ? table_of<real_table>(n, work.room) : nullptr;
  // element k as it stands in the whole spectrum, whose other half is its conjugate
  auto const part = [&](index_t row, index_t k) RICCI_INLINE_LAMBDA {
    std::complex<E> const z = x(row, k);
    return is_single(k, n) ? root_t<T>{T(z.real()), 0} : root_t<T>{half * T(z.real()), sign * half * T(z.imag())};
  };
  transform_rows<Plan>(
      h, count, x.row == 1 && y.row == 1, true, work,
      [&](split<T> a, index_t from, int width, auto layout) {
        constexpr int apart = layout.value;
        if (!is_even(n)) {
          for (index_t k = 0; k <= n / 2; ++k)
            for (int r = 0; r < width; ++r) {
              root_t<T> const z = part(from + r, k);
              a.re[k * apart + r] = z.real, a.im[k * apart + r] = z.imag;
              if (k > 0) a.re[(n - k) * apart + r] = z.real, a.im[(n - k) * apart + r] = -z.imag;
            }
          return;
        }
        for (int r = 0; r < width; ++r) {
          T const first = T(x(from + r, 0).real()), last = T(x(from + r, h).real());
          a.re[r] = first + last, a.im[r] = first - last;
        }
        T const* const wi = w + n / 4 + 1;
        index_t begin = 1;
        if constexpr (std::is_same_v<E, T> && vectors::exist<T>)
          if (apart == 1 && x.step == 1 && has_vectors<E, T>())
            begin =
                from_spectrum_by_vectors(h, reinterpret_cast<T const*>(x.p + from * x.row), w, a, half, sign * half);
        for (index_t k = begin; 2 * k <= h; ++k)
          for (int r = 0; r < width; ++r) {
            root_t<T> const p = part(from + r, k), q = part(from + r, h - k);
            T const er = p.real + q.real, ei = p.imag - q.imag, dr = p.real - q.real, di = p.imag + q.imag;
            // the odd ones: times the conjugate of the root
            T const fr = dr * w[k] + di * wi[k], fi = di * w[k] - dr * wi[k];
            index_t const i = k * apart + r, j = (h - k) * apart + r;
            a.re[i] = er - fi, a.im[i] = ei + fr;
            a.re[j] = er + fi, a.im[j] = fr - ei;
          }
      },
      [&](split<T> a, index_t from, int width, auto layout) {
        constexpr int apart = layout.value;
        E* const p = y.p + from * y.row;
        if constexpr (std::is_same_v<E, T> && vectors::exist<T>)
          if (is_even(n) && apart == 1 && y.step == 1 && has_vectors<E, T>())
            return store_complex<1, E>({reinterpret_cast<std::complex<E>*>(p), 0, 1}, h, 1, a.re, a.im, scale);
        for (index_t k = 0; k < h; ++k)
          for (int r = 0; r < width; ++r) {
            E* const at = p + r * y.row;
            at[(is_even(n) ? 2 * k : k) * y.step] = E(scale * a.re[k * apart + r]);
            if (is_even(n)) at[(2 * k + 1) * y.step] = E(scale * a.im[k * apart + r]);
          }
      });
}

}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
