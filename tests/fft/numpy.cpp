// Every function beside NumPy and SciPy: odd and even lengths, other ones, axes, norms; static and dynamic; float.
#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <initializer_list>

#include "../near.hpp"
#include "numpy_values.hpp"

namespace {

double part(int k, int factor, int more, int period) { return ((k * factor + more) % period - period / 2) / 8.; }
template <class X>
X filled(X x) {
  using T = typename X::value_type;
  for (int k = 0; k < int(x.size()); ++k) {
    if constexpr (rc::is_complex(rc::dtype_of<T>)) {
      using R = typename T::value_type;
      x.data()[k] = T(R(part(k, 7919, 13, 31)), R(part(k, 104729, 7, 29)));
    } else {
      x.data()[k] = T(part(k, 7919, 13, 31));
    }
  }
  return x;
}
void compare_all(double tolerance) {
  using R = double;
  using C = std::complex<double>;
  auto const compare = [&](char const* call, auto const& expression, std::initializer_list<int> shape,
                           std::initializer_list<double> wanted) {
    auto const y = rc::eval(expression);
    CAPTURE(call);
    REQUIRE(shape.size() == std::size_t(y.rank));
    int axis = 0;
    for (int n : shape) CHECK(y.shape(axis++) == n);
    using T = typename std::remove_cvref_t<decltype(y)>::value_type;
    constexpr int parts = rc::is_complex(rc::dtype_of<T>) ? 2 : 1;
    REQUIRE(std::size_t(y.size()) * parts == wanted.size());
    double worst = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      double const got = double(reinterpret_cast<rc::component_t<T> const*>(y.data())[k]);
      worst = std::max(worst, std::abs(got - wanted.begin()[k]));
    }
    CHECK(worst <= tolerance);
  };
  rc::tensor<R, 7> const x7 = filled(rc::tensor<R, 7>{});
  rc::ndarray<R, 1> const x8 = filled(rc::ndarray<R, 1>(8));
  rc::ndarray<C, 1> const z7 = filled(rc::ndarray<C, 1>(7));
  rc::tensor<C, 8> const z8 = filled(rc::tensor<C, 8>{});
  rc::tensor<R, rc::dyn, 4> const m = filled(rc::tensor<R, rc::dyn, 4>(3, 4));
  rc::ndarray<C, 3> const w = filled(rc::ndarray<C, 3>(2, 3, 5));
  compare_with_numpy(compare, x7, x8, z7, z8, m, w);
}

}  // namespace

TEST_CASE("results are those of NumPy") { compare_all(1e-13); }
TEST_CASE("float stays float, and is as near") {
  rc::tensor<float, 3, 8> const x = filled(rc::tensor<float, 3, 8>{});
  rc::tensor<double, 3, 8> const d = rc::astype<double>(x);
  check_near(rc::eval(rc::fft::fft(x)), rc::eval(rc::fft::fft(d)), 2e-6);
  check_near(rc::eval(rc::fft::irfft(rc::fft::rfft(x), 9)), rc::eval(rc::fft::irfft(rc::fft::rfft(d), 9)), 2e-6);
  check_near(rc::eval(rc::fft::dct(x, rc::axis<0>)), rc::eval(rc::fft::dct(d, rc::axis<0>)), 2e-6);
  using float_4 = rc::tensor<float, 4>;
  using complex_3 = rc::tensor<std::complex<float>, 3>;
  static_assert(std::is_same_v<decltype(rc::eval(rc::fft::fft(float_4{})))::value_type, std::complex<float>>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::fft::rfft(float_4{}))), complex_3>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::fft::irfft(complex_3{}))), float_4>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::fft::dst(float_4{}))), float_4>);
  static_assert(
      std::is_same_v<decltype(rc::eval(rc::fft::fft(rc::tensor<int, 4>{})))::value_type, std::complex<double>>);
}
