// Windows by the sums of cosines that define them, and spectra of frames by transforms of each.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include <ricci/fft.hpp>

#include "../near.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr double pi = 3.14159265358979323846;

// the farthest that a window is from a - b cos(2 pi k / period) + c cos(4 pi k / period)
double off(auto const& w, double period, double a, double b, double c) {
  double most = 0;
  for (rc::index_t k = 0; k < w.shape(0); ++k) {
    double const turn = 2 * pi * double(k) / period;
    most = std::fmax(most, std::fabs(double(w(k)) - (a - b * std::cos(turn) + c * std::cos(2 * turn))));
  }
  return most;
}

}  // namespace

TEST_CASE("windows are one period of their cosines, or end where they began") {
  for (int n : {2, 3, 8, 17, 512}) {
    CAPTURE(n);
    CHECK(off(rc::fft::hann(n), n, .5, .5, 0) < 1e-15);
    CHECK(off(rc::fft::hamming(n), n, .54, .46, 0) < 1e-15);
    CHECK(off(rc::fft::blackman(n), n, .42, .5, .08) < 1e-15);
    CHECK(off(rc::fft::hann(n, rc::symmetric), n - 1, .5, .5, 0) < 1e-15);
    CHECK(off(rc::fft::hamming(n, rc::symmetric), n - 1, .54, .46, 0) < 1e-15);
    CHECK(off(rc::fft::blackman(n, rc::symmetric), n - 1, .42, .5, .08) < 1e-15);
    CHECK(off(rc::fft::hann<float>(n), n, .5, .5, 0) < 1e-7);
  }
  CHECK(rc::fft::hann(1)(0) == 1.);
  CHECK(rc::fft::blackman(1, rc::symmetric)(0) == 1.);
  constexpr auto w = rc::fft::hann(rc::known<4>);
  static_assert(w(0) == 0. && w(2) == 1.);
  CHECK(raised([] { return rc::fft::hamming(0); }) == "value_error: hamming: a length above 0 is expected, not 0");
}

TEST_CASE("spectra of frames are those of each part times the window") {
  auto const window = rc::fft::hann(8);
  for (int n : {8, 9, 20, 33})
    for (int hop : {1, 3, 8, 11}) {
      CAPTURE(n);
      CAPTURE(hop);
      rc::ndarray<double, 2> x(2, n);
      for (int k = 0; k < 2 * n; ++k) x.data()[k] = std::sin(k * k);
      auto const y = rc::eval(rc::fft::stft(x, window, hop));
      REQUIRE(y.shape(1) == (n - 8) / hop + 1);
      REQUIRE(y.shape(2) == 5);
      for (rc::index_t i = 0; i < y.shape(1); ++i) {
        auto const one = rc::eval(rc::fft::rfft(x(1, rc::range(i * hop, i * hop + 8)) * window));
        CHECK(double(rc::max(rc::abs(y(1, i) - one))) < 1e-14);
      }
    }
  rc::ndarray<double, 1> const x = rc::sin(rc::arange<double>(0, 20));
  // and back: everything but the first element, whose weight is 0
  for (int hop : {1, 3, 4}) {
    auto const y = rc::eval(rc::fft::istft(rc::fft::stft(x, window, hop), window, hop));
    REQUIRE(y.shape(0) == (20 - 8) / hop * hop + 8);
    CHECK(y(0) == 0);
    CHECK(double(rc::max(rc::abs(y(rc::range(1, rc::end)) - x(rc::range(1, y.shape(0)))))) < 1e-14);
  }
  rc::ndarray<std::complex<double>, 3> const spectra = rc::fft::stft(rc::stack(x, 2. * x), window, 4);
  CHECK(bool(rc::check_grads([](auto z, auto w) { return rc::sum(rc::sin(rc::fft::istft(z, w, 4))); }, spectra,
                             rc::fft::hamming(8))));
  CHECK(raised([&] { return rc::eval(rc::fft::istft(spectra, rc::fft::hann(9), 4)); }) == "");
  CHECK(raised([&] { return rc::eval(rc::fft::istft(spectra, rc::fft::hann(12), 4)); }) ==
        "shape_error: istft: spectra of frames of 12 elements have 7, not 5");
  CHECK(raised([&] { return rc::eval(rc::fft::istft(spectra, window, 0)); }) ==
        "value_error: istft: a hop above 0 is expected, not 0");
  // the energy of the frames, of x and of windows of one's own: its derivative by each, forward and in reverse
  rc::check_grads([](auto const& z, auto const& w) { return rc::sum(rc::square(rc::abs(rc::fft::stft(z, w, 4)))); }, x,
                  window);
  CHECK(raised([&] { return rc::eval(rc::fft::stft(x, window, 0)); }) ==
        "value_error: stft: a hop above 0 is expected, not 0");
}
