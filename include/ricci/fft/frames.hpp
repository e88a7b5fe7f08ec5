// Spectra over time: windows, by which a part of a signal is weighted so that its ends do not show as frequencies (F.
// Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978), and the spectra of
// frames.
#pragma once

#include <ricci/fft/frequencies.hpp>
#include <ricci/fft/functions.hpp>
#include <ricci/ops/padding.hpp>
#include <ricci/ops/windows.hpp>

namespace ricci::fft {

namespace frames {

// sum over j of by[j] cos(2 pi j k / n), n - 1 in place of n for symmetric windows
template <class T, class N, int Terms>
constexpr auto cosines(char const* name, N const& n, bool is_symmetric, double const (&by)[Terms]) {
  return frequencies::made<T>(
      name, n, [](index_t m) { return m; },
      [&](index_t k, index_t m) {
        if (m == 1) return 1.;
        index_t const period = m - is_symmetric;
        double sum = by[0];
        for (int j = 1; j < Terms; ++j) sum += by[j] * root_of_unity<double>(j * k % period, period).real;
        return sum;
      });
}

}  // namespace frames

// (n,): a window of n weights, of type T, double where none is named; n may be `rc::known<512>`. A length that is not
// above 0 is a value_error. A window of one weight is 1. A window is one period of its cosines, for spectra, or with
// rc::symmetric its last weight is the first one again, for filters.
template <Element T = double, frequencies::Length N>
constexpr auto hann(N const& n) {
  return frames::cosines<T>("hann", n, false, {.5, -.5});
}
template <Element T = double, frequencies::Length N>
constexpr auto hann(N const& n, symmetric_t) {
  return frames::cosines<T>("hann", n, true, {.5, -.5});
}
template <Element T = double, frequencies::Length N>
constexpr auto hamming(N const& n) {
  return frames::cosines<T>("hamming", n, false, {.54, -.46});
}
template <Element T = double, frequencies::Length N>
constexpr auto hamming(N const& n, symmetric_t) {
  return frames::cosines<T>("hamming", n, true, {.54, -.46});
}
template <Element T = double, frequencies::Length N>
constexpr auto blackman(N const& n) {
  return frames::cosines<T>("blackman", n, false, {.42, -.5, .08});
}
template <Element T = double, frequencies::Length N>
constexpr auto blackman(N const& n, symmetric_t) {
  return frames::cosines<T>("blackman", n, true, {.42, -.5, .08});
}

// The spectra of frames of x, (..., t), as long as `window`, (n,), times it, which begin every `hop` elements:
// (..., (t - n) / hop + 1, n / 2 + 1), complex, of real x. Frames are parts of x alone, without padding; what is left
// behind the last whole one is not read. An x shorter than a window is an index_error, a hop below 1 a value_error.
template <class X, class W>
constexpr auto stft(X const& x, W const& window, index_t hop) {
  static_assert(rank_of<W> == 1, "stft: a window is a vector");
  if (hop < 1) core::raise<value_error>(core::text() << "stft: a hop above 0 is expected, not " << hop);
  return rfft(sliding_window_view(x, window.shape(0))(ellipsis, range(0, end, hop), all) * window);
}

}  // namespace ricci::fft
