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
  for (int hop : {1, 3, 4, 5, 6}) {
    auto const y = rc::eval(rc::fft::istft(rc::fft::stft(x, window, hop), window, hop));
    REQUIRE(y.shape(0) == (20 - 8) / hop * hop + 8);
    CHECK(y(0) == 0);
    CHECK(double(rc::max(rc::abs(y(rc::range(1, rc::end)) - x(rc::range(1, y.shape(0)))))) < 1e-14);
  }
  // overlapping frames added up one by one, also where they are fewer than lie over one another, and apart
  auto const positive = rc::fft::hamming(8);
  for (int const frames : {1, 2, 3, 7})
    for (int const hop : {1, 3, 4, 5, 8, 11}) {
      CAPTURE(frames);
      CAPTURE(hop);
      rc::ndarray<std::complex<double>, 2> z(frames, 5);
      for (int k = 0; k < 5 * frames; ++k) z.data()[k] = {std::cos(k), k % 5 % 4 == 0 ? 0 : std::sin(3 * k)};
      rc::ndarray<double, 2> const parts = rc::fft::irfft(z, 8);
      rc::ndarray<double, 1> sum((frames - 1) * hop + 8), weight((frames - 1) * hop + 8);
      for (int i = 0; i < frames; ++i)
        for (int k = 0; k < 8; ++k) {
          sum(i * hop + k) += parts(i, k) * positive(k);
          weight(i * hop + k) += positive(k) * positive(k);
        }
      auto const signal = rc::eval(rc::fft::istft(z, positive, hop));
      REQUIRE(signal.shape(0) == sum.shape(0));
      CHECK(double(rc::max(rc::abs(signal - rc::where(weight > 0., sum / weight, 0.)))) < 1e-13);
      if (hop == 3) {
        auto const traced = rc::fn([](auto const& x1, auto const& w) { return rc::eval(rc::fft::istft(x1, w, 3)); });
        CHECK(rc::all(traced(z, positive) == signal));
      }
    }
  rc::ndarray<std::complex<double>, 3> const spectra = rc::fft::stft(rc::stack(x, 2. * x), window, 4);
  CHECK(bool(rc::check_grads([](auto z, auto w) { return rc::sum(rc::sin(rc::fft::istft(z, w, 4))); }, spectra,
                             rc::fft::hamming(8))));
  CHECK(bool(rc::check_grads([](auto z, auto w) { return rc::sum(rc::sin(rc::fft::istft(z, w, 3))); }, spectra,
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

namespace {

using matrix = rc::ndarray<float, 2>;

matrix noise(rc::index_t rows, rc::index_t columns) {
  matrix x(rows, columns);
  unsigned seed = unsigned(columns);
  for (rc::index_t k = 0; k < x.size(); ++k)
    x.data()[k] = float((seed = seed * 1664525u + 1013904223u) >> 8) / float(1 << 23) - 1;
  return x;
}
// What f makes of x and w as a statement and as a function, by several threads and where the target is the operand, is
// what it makes of a few rows at a time, which are in cache as they are and not run in blocks.
template <class F>
void check_blocks(F const& f, matrix const& x, rc::ndarray<float, 1> const& w) {
  CAPTURE(x.shape(1));
  auto const y = rc::eval(f(x, w));
  for (rc::index_t i = 0; i < x.shape(0); i += 16) {
    rc::index_t const to = i + 16 < x.shape(0) ? i + 16 : x.shape(0);
    REQUIRE(rc::all(rc::eval(f(x(rc::range(i, to)), w)) == y(rc::range(i, to))));
  }
  CHECK(rc::all(rc::fn(f)(x, w) == y));
  CHECK(rc::all(rc::eval(f(x, w), rc::cpu{.threads = 3}) == y));
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(y)>, matrix>)
    if (y.shape(1) == x.shape(1)) {
      matrix z = x;
      z = f(z, w);
      CHECK(rc::all(z == y));
    }
  CHECK(rc::explain(f, x, w).text.find("in blocks of their outermost loop:\n  step") != std::string::npos);
}

}  // namespace

TEST_CASE("what stands before and behind a transform of rows runs with it, in blocks that stay in cache") {
  auto const power = [](auto const& x, auto const& w) { return rc::square(rc::abs(rc::fft::rfft(w * x))); };
  auto const magnitude = [](auto const& x, auto const& w) { return rc::abs(rc::fft::fft(w * x)); };
  auto const scaled = [](auto const& x, auto const&) { return rc::abs(rc::fft::rfft(x * 3.f)); };
  auto const filtered = [](auto const& x, auto const& w) {
    return rc::fft::irfft(rc::fft::rfft(x) * w(rc::range(0, x.shape(1) / 2 + 1)), x.shape(1));
  };
  auto const cosine = [](auto const& x, auto const& w) { return rc::abs(rc::fft::dct(w * x)); };
  auto const sorted = [](auto const& x, auto const& w) { return rc::sort(w * x, rc::axis<1>) * 2.f; };
  for (auto const& [rows, columns] : {std::pair{401, 256}, {150, 1024}, {37, 4098}}) {
    matrix const x = noise(rows, columns);
    auto const w = rc::eval(rc::fft::hann<float>(columns));
    check_blocks(power, x, w);
    check_blocks(magnitude, x, w);
    check_blocks(scaled, x, w);
    check_blocks(cosine, x, w);
    check_blocks(sorted, x, w);
  }
  matrix const x = noise(150, 1024);
  auto const w = rc::eval(rc::fft::hann<float>(1024));
  auto const down = rc::eval(rc::abs(rc::fft::fft(w * x, rc::axis<0>)));  // rows of the result are made of all rows
  CHECK(rc::allclose(down.T(), rc::abs(rc::fft::fft(rc::eval((w * x).T()))), 1e-4, 1e-4));
  CHECK(rc::allclose(filtered(x, w), rc::fft::irfft(rc::eval(rc::fft::rfft(x) * w(rc::range(0, 513))), 1024), 1e-5,
                     1e-5));
}
TEST_CASE("a spectrogram runs in blocks of frames") {
  rc::ndarray<float, 1> const x = noise(1, 100000)(0), w = rc::fft::hann<float>(512);
  auto const spectrogram = [](auto const& signal, auto const& window) {
    return rc::log(rc::abs(rc::fft::stft(signal, window, 160)) + 1e-3f);
  };
  matrix const y = spectrogram(x, w);
  for (rc::index_t i : {0, 1, 300, 621}) {
    matrix const one = spectrogram(x(rc::range(i * 160, i * 160 + 512)), w);
    CHECK(rc::all(one(0) == y(i)));
  }
  CHECK(rc::explain(spectrogram, x, w).text.find("steps 0 to 2, where arrays are large, in blocks of") !=
        std::string::npos);
}

namespace {

// spectra and signals of temporaries with memory of their own, gone when these return
[[gnu::noinline]] auto spectra_of_temporaries(rc::tensor<double, 64> const& x) {
  return rc::fft::stft(rc::tensor<double, 64>(x), rc::fft::hann(rc::known<16>), 8);
}
[[gnu::noinline]] auto signal_of_temporaries(rc::tensor<std::complex<double>, 7, 9> const& y) {
  return rc::fft::istft(rc::tensor<std::complex<double>, 7, 9>(y), rc::fft::hann(rc::known<16>), 8);
}
[[gnu::noinline]] double overwrite_stack() {
  double volatile other[1024];
  for (auto& x : other) x = 7;
  return other[512];
}

}  // namespace

TEST_CASE("spectra of temporaries keep them") {
  rc::tensor<double, 64> const x = rc::sin(rc::linspace<double>(0, 20, 64));
  auto const window = rc::fft::hann(rc::known<16>);
  rc::tensor<std::complex<double>, 7, 9> const expected = rc::fft::stft(x, window, 8);
  auto const spectra = spectra_of_temporaries(x);
  auto const signal = signal_of_temporaries(expected);
  CHECK(overwrite_stack() == 7);
  CHECK(rc::all(rc::eval(spectra) == expected));
  CHECK(rc::all(rc::eval(signal) == rc::eval(rc::fft::istft(expected, window, 8))));
  // what has a name is not copied
  auto const of_names = rc::fft::stft(x, window, 8);
  CHECK(sizeof of_names < sizeof x);
}

TEST_CASE("a window has elements") {
  rc::ndarray<double, 1> const x(4), none(0);
  CHECK(raised([&] { (void)rc::fft::stft(x, none, 1); }) == "value_error: stft: a window has no elements");
  rc::ndarray<std::complex<double>, 2> const y(4, 1);
  CHECK(raised([&] { (void)rc::fft::istft(y, none, 1); }) == "value_error: istft: a window has no elements");
}
