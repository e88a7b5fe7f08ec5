// Derivatives of all transforms: real losses of spectra, of both orders; forward and reverse; batched; interpreted.
#include <doctest/doctest.h>

#include <complex>

#include <ricci/fft.hpp>

#include "../near.hpp"

namespace rc = ricci;

namespace {

using C = std::complex<double>;
rc::tensor<double, 5> const odd{.3, -1, 2, .7, -.4};
rc::tensor<double, 6> const even{.3, -1, 2, .7, -.4, 1.1};
rc::tensor<C, 3> const half{C(.5, .2), C(-1, .7), C(.3, -2)};
rc::tensor<C, 2, 3> const z{{C(.5, .2), C(-1, .7), C(.3, -2)}, {C(1, -.2), C(.1, .9), C(-.6, .4)}};
// a real number of a spectrum, in which no part is missing
auto const loss = [](auto y) {
  return rc::sum(rc::real(y) * rc::imag(y) + rc::square(rc::abs(y)) + rc::sin(rc::real(y)));
};

template <class F, class X>
void check(char const* name, F f, X const& x) {
  auto const report = rc::check_grads([f](auto a) { return loss(f(a)); }, x, {.order = 2});
  CHECK_MESSAGE(report, name, ": ", report.text());
}

}  // namespace

TEST_CASE("from real numbers") {
  check(
      "fft", [](auto x) { return rc::fft::fft(x); }, odd);
  check(
      "rfft, odd", [](auto x) { return rc::fft::rfft(x, rc::fft::ortho); }, odd);
  check(
      "rfft, even", [](auto x) { return rc::fft::rfft(x); }, even);
  check(
      "ihfft of fewer", [](auto x) { return rc::fft::ihfft(x, rc::known<4>); }, even);
}
TEST_CASE("from complex numbers") {
  check(
      "ifft of more", [](auto x) { return rc::fft::ifft(x, rc::known<4>, rc::axis<0>); }, z);
  check(
      "irfft, even", [](auto x) { return rc::fft::irfft(x); }, half);
  check(
      "irfft, odd", [](auto x) { return rc::fft::irfft(x, rc::known<5>, rc::fft::ortho); }, half);
  check(
      "hfft", [](auto x) { return rc::fft::hfft(x); }, half);
  rc::ndarray<C, 2> const dynamic = z;
  check(
      "fftn", [](auto x) { return rc::fft::fftn(x, rc::fft::forward); }, dynamic);
  check(
      "shifted", [](auto x) { return rc::fft::ifftshift(rc::fft::fft2(rc::fft::fftshift(x))); }, dynamic);
}
TEST_CASE("a gradient of a spectrum is that by hand") {
  // the sum of w[k] |y[k]|^2 has the gradient 2 Re(sum over k of w[k] conj(y[k]) exp(-2 pi i j k / n))
  rc::ndarray<double, 1> const x = even, w = rc::linspace<double>(1, 2, 6);
  auto const g = rc::grad([](auto a, auto b) { return rc::sum(b * rc::square(rc::abs(rc::fft::fft(a)))); })(x, w);
  rc::ndarray<C, 1> const y = rc::fft::fft(x);
  check_near(g, rc::eval(2. * rc::real(rc::fft::fft(w * rc::conj(y)))), 1e-12);
}
TEST_CASE("batched and interpreted it is the same") {
  rc::ndarray<double, 2> xs(3, 6);
  for (int k = 0; k < 18; ++k) xs.data()[k] = std::sin(3. * k);
  auto const f = [](auto x) { return loss(rc::fft::rfft(x)); };
  rc::ndarray<double, 2> const g = rc::vmap(rc::grad(f))(xs);
  rc::ndarray<C, 2> const y = rc::vmap([](auto x) { return rc::fft::fft(rc::fft::irfft(rc::fft::rfft(x))); })(xs);
  for (int k = 0; k < 3; ++k) {
    rc::tensor<double, 6> const row = xs(k);
    check_near(rc::eval(g(k)), rc::grad(f)(row), 1e-12);
    check_near(rc::eval(y(k)), rc::eval(rc::fft::fft(row)), 1e-12);
    CHECK(double(rc::interpret(f)(row)) == doctest::Approx(double(rc::fn(f)(row))).epsilon(1e-12));
    check_near(rc::interpret(rc::grad(f))(row), rc::grad(f)(row), 1e-12);
  }
}
TEST_CASE("cosine and sine transforms of types I and IV") {
  namespace ft = rc::fft;
  auto const sines = [](auto y) { return rc::sum(rc::sin(y)); };
  auto const of = [&](auto transform) {
    rc::ndarray<double, 2> const x{{.3, -1, 2, .7, -.4}, {1, .2, .6, -.8, .5}};
    auto const f = [=](auto a) { return sines(transform(a)); };
    CHECK(rc::check_grads(f, x, {.order = 2}));
    CHECK(rc::check_grads(f, odd, {.order = 1}));
    // batches are rows
    rc::ndarray<double, 2> const rows = rc::vmap(transform)(x);
    check_near(rows, rc::eval(transform(x)), 1e-14);
  };
  of([](auto a) { return ft::dct(a, ft::type<1>, ft::ortho); });
  of([](auto a) { return ft::dst(a, ft::type<1>); });
  of([](auto a) { return ft::dct(a, ft::type<4>); });
  of([](auto a) { return ft::idst(a, ft::type<4>, ft::ortho); });
  // one element, where there is such a transform
  rc::tensor<double, 1> const one{2};
  CHECK(rc::eval(ft::dst(one, ft::type<1>))(0) == doctest::Approx(4));
  CHECK(rc::eval(ft::dct(one, ft::type<4>))(0) == doctest::Approx(2.8284271247461903));
  // what the inverse brings back, of float and along another axis
  rc::tensor<float, 4, 3> const m = rc::reshape(rc::arange<float>(rc::extents<12>{}), rc::extents<4, 3>{});
  check_near(rc::eval(ft::idct(ft::dct(m, ft::type<1>, rc::axis<0>), ft::type<1>, rc::axis<0>)), m, 1e-5);
  check_near(rc::eval(ft::idst(ft::dst(m, ft::type<4>, rc::axis<0>), ft::type<4>, rc::axis<0>)), m, 1e-5);
}
