// Functions whose kernels the generic tests of accuracy know (further_... in list.hpp): their derivatives, several in
// one; bits, and what numbers are.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "numbers.hpp"

namespace rc = ricci;
using C = std::complex<double>;
using std::int32_t;

namespace {

double const inf = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

// Several functions in one: a difference in one of them shows.
constexpr auto of_one = [](auto x) {
  auto const a = rc::abs(x) + .25;
  return rc::exp2(x) + rc::log2(a) * rc::log10(a + 1.) + rc::cbrt(x) * rc::asinh(x) + rc::acosh(a + 1.) +
         rc::atanh(.5 * x) + rc::reciprocal(rc::positive(x)) + rc::trunc(x) + rc::rad2deg(x) * rc::deg2rad(x);
};
constexpr auto of_two = [](auto x, auto y) {
  return rc::hypot(x, y) * rc::copysign(x, y) + rc::fmod(x, y) * 2. + rc::logaddexp(x, y) * rc::logaddexp(y, -x) +
         rc::nextafter(y, x);
};
// compiled as interpreted, and gradients as central differences
template <class F, class... X>
void check_derivatives(F f, X const&... x) {
  rc::ndarray<double, 1> const y = rc::fn(f)(x...), same = rc::interpret(f)(x...);
  CHECK(numbers(y).near(numbers(same), 1e-13));
  auto const total = [f](auto... p) { return rc::sum(f(p...)); };
  std::tuple const g = [&] {
    if constexpr (sizeof...(X) == 1)
      return std::tuple(rc::grad(total)(x...));
    else
      return rc::grad<0, 1>(total)(x...);
  }();
  double const h = 1e-4;
  auto const along = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    auto const at = [&](double step) {
      std::tuple<X...> moved(x...);
      std::get<K>(moved) += step;
      return rc::ndarray<double, 1>(std::apply([&](auto const&... p) { return rc::fn(f)(p...); }, moved));
    };
    rc::ndarray<double, 1> const difference = (8. * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    CHECK_MESSAGE(numbers(std::get<K>(g)).near(numbers(difference), 1e-9), numbers(std::get<K>(g)));
  };
  along(std::integral_constant<std::size_t, 0>{});
  if constexpr (sizeof...(X) == 2) along(std::integral_constant<std::size_t, 1>{});
}

// results compiled and interpreted, several from one function
template <class F, class... X>
void give(std::vector<numbers> const& expected, F f, X const&... x) {
  auto const check = [&](auto const&... y) {
    std::size_t k = 0;
    for (numbers const& result : {numbers(y)...}) {
      CHECK_MESSAGE(result == expected[k], result);
      ++k;
    }
  };
  std::apply(check, rc::fn(f)(x...));
  std::apply(check, rc::interpret(f)(x...));
}
}  // namespace

TEST_CASE("derivatives") {
  rc::ndarray<double, 1> x(37), y(37);
  for (int k = 0; k < 37; ++k) x(k) = (k * 11 % 37 - 18) / 16. + .03, y(k) = (k * 7 % 13) / 4. - 1.18;
  check_derivatives(of_one, x);
  check_derivatives(of_two, x, y);
}

TEST_CASE("what numbers are") {
  rc::tensor<double, 7> const x{1, -0., inf, -inf, not_a_number, -1e-320, 0};
  give(
      {{0, 0, 0, 0, 1, 0, 0},
       {0, 0, 1, 1, 0, 0, 0},
       {1, 1, 0, 0, 0, 1, 1},
       {0, 1, 0, 1, 0, 1, 0},
       {1, 1, 0, 0, 0, 1, 1}},
      [](auto a) {
        return std::tuple(rc::isnan(a), rc::isinf(a), rc::isfinite(a), rc::signbit(a),
                          rc::isfinite(rc::astype<rc::float16>(a)));
      },
      x);
  CHECK(numbers(rc::eval((rc::isnan(x) | rc::isinf(x)) ^ rc::isfinite(rc::astype<C>(x)))) ==
        numbers{1, 1, 1, 1, 1, 1, 1});
  CHECK(numbers(rc::eval(rc::isfinite(rc::tensor<int32_t, 2>{-1, 7}))) == numbers{1, 1});
}

TEST_CASE("bits of integers, and of conditions") {
  rc::tensor<int32_t, 4> const a{12, -7, 0, 255}, b{10, 3, -1, 33};
  auto const all = [](auto p, auto q) { return std::tuple(p & q, p | q, p ^ q, ~p, p << q, p >> q, p & 3); };
  give({{8, 1, 0, 33},
        {14, -5, -1, 255},
        {6, -6, -1, 222},
        {-13, 6, -1, -256},
        {12288, -56, 0, 0},
        {0, -1, 0, 0},
        {0, 1, 0, 3}},
       all, a, b);
  rc::tensor<std::uint8_t, 3> const u{200, 1, 255}, by{1, 7, 8};
  CHECK(numbers(rc::eval(u << by)) == numbers{144, 128, 0});
  CHECK(numbers(rc::eval((u >> by) + rc::bitwise_invert(u))) == numbers{155, 254, 0});
  rc::tensor<bool, 4> const s{true, true, false, false}, t{true, false, true, false};
  CHECK(numbers(rc::eval((s ^ t) | (~s & rc::bitwise_or(s, t)))) == numbers{0, 1, 1, 0});
  CHECK(numbers(rc::eval((a & s) | (a & -4))) == numbers{12, -7, 0, 252});
  rc::ndarray<int32_t, 1> c = a;
  c &= 15, c ^= b, c <<= 1, c(rc::range(0, 2)) |= 64, c >>= 1;
  CHECK(numbers(c) == numbers{6 | 32, 10 | 32, -1, 46});
  CHECK(numbers(rc::eval(a % 5)) == numbers{2, 3, 0, 0});
  c %= b;
  CHECK(numbers(c) == numbers{8, 0, 0, 13});
  rc::ndarray<bool, 1> m = s;
  m |= t, m(rc::range(1, 4)) &= t(rc::range(1, 4)), m ^= true;
  CHECK(numbers(m) == numbers{0, 1, 0, 1});
  static_assert(rc::eval(rc::tensor<int, 1>{6} ^ 3)(0) == 5);
}

TEST_CASE("neighbours, signs, rest, angles") {
  rc::tensor<double, 4> const x{-0., 2.75, -2.75, inf}, y{-1, -1, .5, 0};
  double const pi = 3.14159265358979323846;
  give(
      {{0, 2, -2, inf},
       {-0., -2.75, 2.75, inf},
       {-5e-324, std::nextafter(2.75, -1.), std::nextafter(-2.75, 1.), std::numeric_limits<double>::max()},
       {pi, 0, pi, 0}},
      [](auto a, auto b) { return std::tuple(rc::trunc(a), rc::copysign(a, b), rc::nextafter(a, b), rc::angle(a)); }, x,
      y);
  CHECK(std::signbit(rc::eval(rc::copysign(x, y))(0)));
  rc::tensor<rc::float16, 5> const h{1.f, 1.f, 0.f, -0.f, 2.f}, towards{2.f, -2.f, 1.f, -1.f, 2.f};
  CHECK(numbers(rc::eval(rc::nextafter(h, towards))) == numbers{1 + 0x1p-10, 1 - 0x1p-11, 0x1p-24, -0x1p-24, 2});
  CHECK(float(rc::eval(rc::nextafter(rc::tensor<rc::bfloat16, 1>{1.f}, 2))(0)) == 1 + 0x1p-7f);
  rc::tensor<int32_t, 6> const i{7, -7, 7, -7, 5, 5}, by{3, 3, -3, -3, 0, -1};
  CHECK(numbers(rc::eval(rc::fmod(i, by))) == numbers{1, -1, 1, -1, 0, 0});
  numbers const angles(rc::eval(rc::angle(rc::tensor<C, 4>{C(0, 1), C(-1, 0), C(1, 1), C(0, -3)})));
  CHECK(angles.near({pi / 2, pi, pi / 4, -pi / 2}, 1e-15));
  using angle_of_floats = decltype(rc::eval(rc::angle(rc::tensor<std::complex<float>, 1>{})));
  static_assert(std::is_same_v<angle_of_floats, rc::tensor<float, 1>>);
}

TEST_CASE("kinks") {
  rc::tensor<double, 2> const zero{0, 0}, equal_ones{3, 3}, low{-inf, -inf};
  auto const length = [](auto a, auto b) { return rc::sum(rc::hypot(a, b)); };
  CHECK(numbers(rc::grad(length)(zero, zero)) == numbers{0, 0});
  auto const sum = [](auto a, auto b) { return rc::sum(rc::logaddexp(a, b)); };
  CHECK(numbers(rc::grad(sum)(equal_ones, equal_ones)) == numbers{.5, .5});
  auto const slope = [sum](auto a, auto b) { return rc::sum(rc::grad(sum)(a, b)); };
  CHECK(numbers(rc::grad(slope)(equal_ones, equal_ones)) == numbers{.25, .25});
  CHECK(numbers(rc::eval(rc::logaddexp(low, low))) == numbers{-inf, -inf});
  CHECK(rc::eval(rc::logaddexp(equal_ones, low))(0) == 3);
  CHECK(std::isnan(rc::eval(rc::logaddexp(equal_ones * not_a_number, -low))(0)));
}

// values by <complex>, derivatives of holomorphic functions along the real and the imaginary axis
TEST_CASE("complex numbers") {
  // what is stable of real numbers is not the function of complex ones
  constexpr auto stable = [](auto x) {
    return rc::log(rc::exp(x)) + rc::log(rc::sum(rc::exp(x))) + rc::log(1. + rc::exp(x)) +
           rc::exp(x) / rc::sum(rc::exp(x));
  };
  rc::tensor<C, 2> const large{C(1, 4), C(-.5, -3.5)};
  auto const stable_ones = rc::fn(stable)(large);
  C const sum = exp(large(0)) + exp(large(1));
  for (int k = 0; k < 2; ++k) {
    C const e = exp(large(k));
    CHECK(std::abs(stable_ones(k) - (log(e) + log(sum) + log(1. + e) + e / sum)) < 1e-14);
  }
  rc::tensor<C, 3> const z{C(.5, 1), C(-2, .25), C(.125, -3)};
  auto const f = [](auto x) {
    return rc::asin(x) + rc::acos(x) * rc::atan(x) + rc::asinh(x) * rc::acosh(x) + rc::atanh(x) * rc::tan(x) +
           rc::log10(x) * rc::reciprocal(rc::positive(x)) * rc::rsqrt(x);
  };
  double const h = 1e-6;
  for (C d : {C(1), C(0, 1)}) {
    rc::tensor<C, 3> const t = rc::full<C>(rc::extents<3>{}, d);
    auto const [y, slope] = rc::jvp(f)(z)(t);
    for (int k = 0; k < 3; ++k) {
      auto const expected = [](C x) {
        return asin(x) + acos(x) * atan(x) + asinh(x) * acosh(x) + atanh(x) * tan(x) + log10(x) / x / sqrt(x);
      };
      CHECK(std::abs(y(k) - expected(z(k))) < 1e-14);
      CHECK(std::abs(slope(k) - (expected(z(k) + h * d) - expected(z(k) - h * d)) / (2 * h)) < 1e-8);
    }
  }
}
