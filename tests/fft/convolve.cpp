// Convolutions by spectra beside those by sums: all overlaps, orders of operands, batches, complex numbers,
// derivatives.
#include <doctest/doctest.h>

#include <complex>

#include <ricci/fft.hpp>

#include "../near.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

template <class T>
rc::ndarray<T, 1> signal(int n, int seed) {
  rc::ndarray<T, 1> x(n);
  for (int k = 0; k < n; ++k) {
    double const re = std::sin(seed + 1.7 * k * k), im = std::cos(seed + 2.3 * k * k);
    if constexpr (rc::is_complex(rc::dtype_of<T>))
      x.data()[k] = T(re, im);
    else
      x.data()[k] = T(re);
  }
  return x;
}
template <class T, class Which>
void compare(Which which) {
  for (auto [n, m] : {std::pair(1, 1), {7, 3}, {3, 7}, {8, 8}, {100, 37}, {36, 101}}) {
    CAPTURE(n);
    auto const a = signal<T>(n, 1), v = signal<T>(m, 2);
    check_near(rc::eval(rc::fft::convolve(a, v, which)), rc::eval(rc::convolve(a, v, which)), 1e-13 * n);
    check_near(rc::eval(rc::fft::correlate(a, v, which)), rc::eval(rc::correlate(a, v, which)), 1e-13 * n);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("by spectra it is as by sums", T, double, std::complex<double>) {
  compare<T>(rc::overlap::full);
  compare<T>(rc::overlap::same);
  compare<T>(rc::overlap::valid);
}
TEST_CASE("batches, static extents, float, integers") {
  rc::tensor<float, 2, 3> const a{{1, 2, 3}, {-1, 0, 2}};
  rc::tensor<float, 2> const v{1, -2};
  rc::tensor<float, 2, 4> const y = rc::fft::convolve(a, v);
  check_near(y, rc::eval(rc::convolve(a, v)), 1e-6);
  check_near(rc::eval(rc::fft::convolve(rc::tensor<int, 3>{1, 2, 3}, rc::tensor<int, 2>{1, 1})),
             rc::tensor<double, 4>{1, 3, 5, 3}, 1e-14);
}
TEST_CASE("derivatives") {
  rc::tensor<double, 5> const a{1, -.5, 2, .3, -1};
  rc::tensor<double, 3> const v{.7, -1.2, .4};
  auto const f = [](auto x, auto y) {
    return rc::sum(rc::sin(rc::fft::convolve(x, y))) + rc::sum(rc::cos(rc::fft::correlate(x, y)));
  };
  auto const report = rc::check_grads(f, a, v, {.order = 2});
  CHECK_MESSAGE(report, report.text());
  rc::ndarray<double, 1> const long_a = signal<double>(70, 3), long_v = signal<double>(9, 4);
  auto const g =
      rc::grad<0, 1>([](auto x, auto y) { return rc::sum(rc::sin(rc::fft::convolve(x, y))); })(long_a, long_v);
  auto const h = rc::grad<0, 1>([](auto x, auto y) { return rc::sum(rc::sin(rc::convolve(x, y))); })(long_a, long_v);
  check_near(std::get<0>(g), std::get<0>(h), 1e-12);
  check_near(std::get<1>(g), std::get<1>(h), 1e-12);
}
TEST_CASE("cosine and sine transforms have derivatives, too") {
  rc::tensor<double, 5> const a{1, -.5, 2, .3, -1};
  auto const f = [](auto x) { return rc::sum(rc::sin(rc::fft::dct(x)) * rc::fft::idst(x, rc::fft::ortho)); };
  auto const report = rc::check_grads(f, a, {.order = 2});
  CHECK_MESSAGE(report, report.text());
}
TEST_CASE("vectors without elements have none, in traced functions neither") {
  rc::ndarray<double, 1> const none(0), some = signal<double>(3, 1);
  auto const convolve = [](auto a, auto v) { return rc::fft::convolve(a, v); };
  auto const correlate = [](auto a, auto v) { return rc::fft::correlate(a, v); };
  for (auto const& [a, v] : {std::pair(none, some), std::pair(some, none), std::pair(none, none)}) {
    CHECK(raised([&] { rc::eval(convolve(a, v)); }) == "value_error: convolve: a vector has no elements");
    CHECK(raised([&] { rc::eval(correlate(a, v)); }) == "value_error: correlate: a vector has no elements");
    CHECK(raised([&] { rc::fn(convolve)(a, v); }).find("value_error") == 0);
    CHECK(raised([&] { rc::fn(correlate)(a, v); }).find("value_error") == 0);
  }
}
