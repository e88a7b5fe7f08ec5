// Transforms beside their sums in long double, and what must hold for every length: linearity, shifts, impulses,
// energy; lengths that are not there; views, batches in every layout, constant expressions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include <ricci/fft.hpp>

#include "../near.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::index_t;

namespace {

template <class T>
rc::ndarray<std::complex<T>, 1> noise(index_t n, unsigned seed = 1) {
  std::mt19937 bits(seed);
  std::normal_distribution<double> normal;
  rc::ndarray<std::complex<T>, 1> x(n);
  for (index_t k = 0; k < n; ++k) {
    T const re = T(normal(bits));
    x.data()[k] = {re, T(normal(bits))};
  }
  return x;
}
using wide = std::complex<long double>;
// sum over j of x[j] exp(sign 2 pi i j k / n) for some k
wide element(auto const& x, index_t k, std::vector<wide> const& roots) {
  wide s = 0;
  index_t const n = x.size();
  for (index_t j = 0, at = 0; j < n; ++j) {
    s += wide(x.data()[j]) * roots[std::size_t(at)];
    at += k;
    if (at >= n) at -= n;
  }
  return s;
}
std::vector<wide> roots_of_unity(index_t n) {
  std::vector<wide> r;
  long double const turn = 2 * std::acos(-1.L);
  for (index_t k = 0; k < n; ++k)
    r.push_back(std::polar(1.L, -turn * static_cast<long double>(k) / static_cast<long double>(n)));
  return r;
}
// the error of a transform as a part of it, over the unit roundoff and the root of log2(n); of 200 elements, where
// there are more
template <class T>
double error(index_t n) {
  auto const x = noise<T>(n, unsigned(n));
  auto const roots = roots_of_unity(n);
  rc::ndarray<std::complex<T>, 1> const y = rc::fft::fft(x);
  long double wrong = 0, all = 0;
  index_t const step = n <= 2000 ? 1 : n / 200;
  for (index_t k = 0; k < n; k += step) {
    wide const wanted = element(x, k, roots);
    wrong += std::norm(wanted - wide(y.data()[k])), all += std::norm(wanted);
  }
  double const steps = std::log2(double(n < 2 ? 2 : n));
  return double(std::sqrt(wrong / all)) / double(std::numeric_limits<T>::epsilon() / 2) / std::sqrt(steps);
}

}  // namespace

// One, but for convolutions in double precision.
template <class T>
double allowed(index_t n) {
  return sizeof(T) == 8 && !rc::fft::has_stages(n) ? 1.15 : 1;
}

TEST_CASE_TEMPLATE("errors are at most those of roundings, of every length", T, float, double) {
  double worst = 0;
  for (index_t n = 1; n <= 128; ++n) {
    double const e = error<T>(n);
    worst = std::max(worst, e);
    CHECK_MESSAGE(e <= allowed<T>(n), n, ": ", e);
  }
  for (index_t n : {256, 512, 1000, 1024, 2187, 3125, 4096, 3600,     10000,   65536,
                    131, 251, 509,  1009, 1021, 2003, 9973, 2 * 1009, 17 * 31, 37 * 37}) {
    double const e = error<T>(n);
    worst = std::max(worst, e);
    CHECK_MESSAGE(e <= allowed<T>(n), n, ": ", e);
  }
  MESSAGE("the largest error: ", worst);
}

TEST_CASE("what holds for every length") {
  for (index_t n : {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 30, 31, 32, 37, 64, 97, 100, 128, 360, 1009}) {
    CAPTURE(n);
    using C = std::complex<double>;
    rc::ndarray<C, 1> const x = noise<double>(n, 2), z = noise<double>(n, 3);
    C const a(.5, -2);
    rc::ndarray<C, 1> const fx = rc::fft::fft(x), fz = rc::fft::fft(z);
    check_near(rc::eval(rc::fft::fft(a * x + z)), rc::eval(a * fx + fz), 1e-12 * double(n));
    check_near(rc::eval(rc::fft::ifft(fx)), x, 1e-13);
    CHECK(double(rc::sum(rc::square(rc::abs(fx)))) ==
          doctest::Approx(double(n) * double(rc::sum(rc::square(rc::abs(x))))).epsilon(1e-12));
    // an impulse has a spectrum of one size, a shift turns it
    rc::ndarray<C, 1> impulse = rc::zeros<C>(rc::shape(n));
    impulse(0) = C(2);
    check_near(rc::eval(rc::fft::fft(impulse)), rc::eval(2. * rc::ones<C>(rc::shape(n))));
    rc::ndarray<C, 1> turned(n);
    auto const roots = roots_of_unity(n);
    for (index_t k = 0; k < n; ++k) turned.data()[k] = fx.data()[k] * C(roots[std::size_t(k)]);
    check_near(rc::eval(rc::fft::fft(rc::roll(x, 1))), turned, 1e-12 * double(n));
    // real numbers: half of the spectrum, and back
    rc::ndarray<double, 1> const r = rc::real(x);
    rc::ndarray<C, 1> const half = rc::fft::rfft(r), whole = rc::fft::fft(r);
    check_near(half, rc::eval(whole(rc::range(0, n / 2 + 1))), 1e-12);
    check_near(rc::eval(rc::fft::irfft(half, n)), r, 1e-13);
    check_near(rc::eval(rc::fft::hfft(rc::fft::ihfft(r), n)), r, 1e-13);
    rc::ndarray<float, 1> const f = rc::astype<float>(r);
    check_near(rc::eval(rc::fft::irfft(rc::fft::rfft(f), n)), f, 2e-6);
  }
}

TEST_CASE("rows are transformed together as alone, along every axis and in every layout") {
  using C = std::complex<double>;
  for (index_t n : {1, 6, 7, 24, 64, 300, 37}) {
    CAPTURE(n);
    for (index_t rows : {1, 2, 8, 13}) {
      rc::ndarray<C, 2> const x = rc::reshape(noise<double>(n * rows, 5), rc::shape(rows, n));
      rc::ndarray<C, 2> const columns = x.T();
      rc::ndarray<C, 2> const y = rc::fft::fft(x), along = rc::fft::fft(columns, rc::axis<0>);
      rc::ndarray<double, 2> const re = rc::real(x);
      rc::ndarray<C, 2> const half = rc::fft::rfft(re), half_along = rc::fft::rfft(rc::eval(re.T()), rc::axis<0>);
      rc::ndarray<double, 2> const back = rc::fft::irfft(half, n),
                                   back_along = rc::fft::irfft(half_along, n, rc::axis<0>);
      double worst = 0;
      for (index_t r = 0; r < rows; ++r) {
        rc::ndarray<C, 1> const one = rc::fft::fft(x(r)), half_one = rc::fft::rfft(re(r));
        for (index_t k = 0; k < n; ++k) {
          worst = std::max({worst, std::abs(y(r, k) - one(k)), std::abs(along(k, r) - one(k)),
                            std::abs(back(r, k) - re(r, k)), std::abs(back_along(k, r) - re(r, k))});
          if (k <= n / 2)
            worst = std::max({worst, std::abs(half(r, k) - half_one(k)), std::abs(half_along(k, r) - half_one(k))});
        }
      }
      CHECK(worst < 1e-12);
      // views: every second row from behind, turned over
      auto const view = rc::flip(x(rc::range(0, rc::end, 2)), rc::axis<1>);
      rc::ndarray<C, 2> const dense = view;
      check_near(rc::eval(rc::fft::fft(view)), rc::eval(rc::fft::fft(dense)), 1e-12);
    }
  }
}

TEST_CASE("a tensor becomes its own transform") {
  using C = std::complex<double>;
  for (index_t n : {12, 64, 37}) {
    rc::ndarray<C, 2> x = rc::reshape(noise<double>(n * n, 8), rc::shape(n, n));
    rc::ndarray<C, 2> const y = rc::fft::fft(x, rc::axis<0>);
    x = rc::fft::fft(x, rc::axis<0>);
    check_near(x, y, 1e-13);
  }
}

TEST_CASE("threads share rows, and the tables that are not there yet") {
  using C = std::complex<double>;
  for (index_t n : {192, 1080, 94}) {
    rc::ndarray<C, 2> const x = rc::reshape(noise<double>(n * 32, 7), rc::shape(32, n));
    auto const y = rc::eval(rc::fft::fft(x), rc::cpu{.threads = 4});
    check_near(y, rc::eval(rc::fft::fft(x), rc::cpu{.threads = 1}), 1e-13);
  }
}

TEST_CASE("a length of 0, or below, is an error that says so") {
  rc::ndarray<double, 1> const x = rc::ones<double>(rc::shape(4)), none = rc::ones<double>(rc::shape(0));
  rc::ndarray<std::complex<double>, 1> const one = rc::fft::fft(rc::ones<double>(rc::shape(1)));
  CHECK(raised([&] { rc::eval(rc::fft::fft(none)); }) == "value_error: fft: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::eval(rc::fft::rfft(none)); }) == "value_error: rfft: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::eval(rc::fft::irfft(one)); }) == "value_error: irfft: a length above 0 is expected, not 0");
  rc::ndarray<double, 2> const no_rows(0, 0);
  CHECK(raised([&] { rc::eval(rc::fft::fft(no_rows)); }) == "value_error: fft: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::fn([](auto z) { return rc::fft::rfft(z); })(no_rows); }) ==
        "value_error: rfft: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::eval(rc::fft::irfft(none)); }) == "value_error: irfft: a length above 0 is expected, not -2");
  CHECK(raised([&] { rc::eval(rc::fft::dct(no_rows)); }) ==
        "index_error: dct: needs 1 elements of an axis with extent 0");
  CHECK(raised([&] { rc::eval(rc::fft::fft(x, 0)); }) == "value_error: fft: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::eval(rc::fft::rfft(x, -1)); }) == "value_error: rfft: a length above 0 is expected, not -1");
  CHECK(raised([&] { rc::eval(rc::fft::ifftn(x, rc::shape(-5))); }) ==
        "value_error: ifftn: a length above 0 is expected, not -5");
  CHECK(raised([&] { rc::eval(rc::fft::ifft(none)); }) == "value_error: ifft: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::eval(rc::fft::rfft2(no_rows)); }) ==
        "value_error: rfft2: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::interpret([](auto z) { return rc::fft::ihfft(z); })(none); }) ==
        "value_error: ihfft: a length above 0 is expected, not 0");
  CHECK(raised([&] { rc::eval(rc::fft::idst(none)); }) ==
        "index_error: idst: needs 1 elements of an axis with extent 0");
  CHECK(raised([&] { (void)rc::fft::fftfreq(0); }) == "value_error: fftfreq: a length above 0 is expected, not 0");
}

TEST_CASE("static lengths are constant expressions") {
  static constexpr auto y = [] {
    rc::tensor<double, 6> const x{1, 2, 3, 4, 5, 7};
    rc::tensor<std::complex<double>, 4> const half = rc::fft::rfft(x);
    rc::tensor<double, 6> const back = rc::fft::irfft(half, rc::known<6>);
    return std::pair(half(0).real() + half(3).real(), back(5));
  }();
  static_assert(y.first == 22 - 4 && y.second > 7 - 1e-14 && y.second < 7 + 1e-14);
  static constexpr auto z = [] {
    rc::tensor<std::complex<float>, 37> x;
    for (int k = 0; k < 37; ++k) x(k) = std::complex<float>(k == 1 ? 1.f : 0.f);
    rc::tensor<std::complex<float>, 37> const spectrum = rc::fft::fft(x);
    return spectrum(0).real() + spectrum(36).real();
  }();
  CHECK(z == doctest::Approx(1 + std::cos(2 * std::acos(-1.) / 37)).epsilon(1e-6));
}
