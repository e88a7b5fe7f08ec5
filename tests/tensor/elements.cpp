// Element types other than double: integers of both widths, booleans, mixtures, and weak scalars beside them.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class X, class T>
constexpr bool holds = std::is_same_v<typename std::remove_cvref_t<X>::value_type, T>;

}  // namespace

TEST_CASE("integers stay integers, and keep all their digits") {
  rc::tensor<std::int32_t, 4> const a{7, -7, 2147483647, 0};
  rc::tensor<std::int64_t, 4> const b{3, 3, 1, 9007199254740993};
  auto const sum = rc::eval(a + b);
  static_assert(holds<decltype(sum), std::int64_t>);
  CHECK(sum(2) == 2147483648);
  CHECK(sum(3) == 9007199254740993);
  auto const twice = rc::eval(2 * b);
  static_assert(holds<decltype(twice), std::int64_t>);
  CHECK(twice(3) == 18014398509481986);
  static_assert(holds<decltype(a * 2), std::int32_t> && holds<decltype(a * 2L), std::int32_t>);
  CHECK(numbers(rc::eval(rc::floor_divide(a, 2))) == numbers{3, -4, 1073741823, 0});
  CHECK(numbers(rc::eval(rc::remainder(a, 3))) == numbers{1, 2, 1, 0});
  CHECK(numbers(rc::eval(rc::abs(a))) == numbers{7, 7, 2147483647, 0});
  CHECK(numbers(rc::eval(rc::square(a(rc::range(0, 2))))) == numbers{49, 49});
  CHECK(numbers(rc::eval(rc::maximum(a, 1))) == numbers{7, 1, 2147483647, 1});
  CHECK(numbers(rc::eval(-a)) == numbers{-7, 7, -2147483647, 0});
}

TEST_CASE("integers and floats meet in double, scalars give way") {
  rc::tensor<std::int32_t, 2> const i{1, 2};
  rc::tensor<float, 2> const f{0.5f, 1.5f};
  auto const meet = rc::eval(i + f);
  static_assert(holds<decltype(meet), double>);
  CHECK(numbers(meet) == numbers{1.5, 3.5});
  auto const half = rc::eval(i * 0.5);
  static_assert(holds<decltype(half), double>);
  CHECK(numbers(half) == numbers{0.5, 1});
  static_assert(holds<decltype(f * 2.), float> && holds<decltype(f + 1), float> && holds<decltype(f / 3), float>);
  auto const quotient = rc::eval(rc::divide(i, 2));
  static_assert(holds<decltype(quotient), double>);
  CHECK(numbers(quotient) == numbers{0.5, 1});
  static_assert(holds<decltype(rc::exp(i)), double> && holds<decltype(rc::mean(i)), double>);
  CHECK(rc::mean(i).item() == 1.5);
  rc::ndarray<float, 1> d{1, 2};
  d += 0.1;  // rounded to float, once
  CHECK(d(0) == 1.f + 0.1f);
}

TEST_CASE("sums of integers and booleans count") {
  rc::ndarray<std::int32_t, 1> const big{2147483647, 2147483647};
  static_assert(holds<decltype(rc::sum(big)), std::int64_t>);
  CHECK(rc::sum(big).item() == 4294967294);
  rc::tensor<bool, 2, 2> const b{{true, false}, {true, true}};
  static_assert(holds<decltype(rc::sum(b)), std::int64_t>);
  CHECK(rc::sum(b).item() == 3);
  CHECK(numbers(rc::eval(rc::sum(b, rc::axis<0>))) == numbers{2, 1});
  CHECK(rc::max(big).item() == 2147483647);
  static_assert(holds<decltype(rc::max(big)), std::int32_t>);
}

TEST_CASE("comparisons give booleans, which combine and choose") {
  rc::ndarray<double, 1> const x{-1, 0, 1, 2, std::nan("")};
  auto const positive = rc::eval(x > 0.);
  static_assert(holds<decltype(positive), bool>);
  CHECK(numbers(positive) == numbers{0, 0, 1, 1, 0});
  CHECK(numbers(rc::eval((x > 0.) & (x < 2.))) == numbers{0, 0, 1, 0, 0});
  CHECK(numbers(rc::eval((x < 0.) | (x == 2.))) == numbers{1, 0, 0, 1, 0});
  CHECK(numbers(rc::eval(!(x <= 1.))) == numbers{0, 0, 0, 1, 1});
  CHECK(numbers(rc::eval(x != x)) == numbers{0, 0, 0, 0, 1});
  CHECK(numbers(rc::eval(rc::logical_xor(x > 0., x > 1.))) == numbers{0, 0, 1, 0, 0});
  CHECK(numbers(rc::eval(rc::where(x > 0., x, -1.))) == numbers{-1, -1, 1, 2, -1});
  CHECK_FALSE(bool(rc::all(positive)));
  CHECK(bool(rc::any(positive)));
  rc::ndarray<int, 1> const n = positive;
  CHECK(numbers(n) == numbers{0, 0, 1, 1, 0});
  auto const both = rc::eval(positive + positive);  // as NumPy: booleans add to booleans
  CHECK(numbers(both) == numbers{0, 0, 1, 1, 0});
  rc::tensor<bool, 5> flags;
  flags = x >= 1.;
  flags(0) = true;
  CHECK(numbers(flags) == numbers{1, 0, 1, 1, 0});
}

TEST_CASE("conversions between element types") {
  rc::tensor<double, 4> const x{1.9, -1.9, 0, 3e9};
  CHECK(numbers(rc::eval(rc::astype<std::int64_t>(x))) == numbers{1, -1, 0, 3000000000});
  CHECK(numbers(rc::eval(rc::astype<bool>(x))) == numbers{1, 1, 0, 1});
  CHECK(rc::eval(rc::astype<float>(x))(0) == 1.9f);
  rc::tensor<int, 4> i;
  i = 5;
  CHECK(numbers(i) == numbers{5, 5, 5, 5});
  static_assert(holds<decltype(rc::astype<double>(i)), double>);
}

// The rule of astype, wherever a number becomes an integer element or an element a number.
TEST_CASE("numbers beyond an integer type become its end, and NaN 0") {
  constexpr int top = 2147483647, bottom = -top - 1;
  struct {
    double number;
    double element;
  } const cases[] = {{1e30, top}, {-1e30, bottom}, {2147483648., top}, {std::nan(""), 0}, {-2.9, -2}};
  rc::ndarray<int, 1> const rows{1};
  rc::tensor<bool, 3> const mask{false, true, false};
  for (auto const& [number, element] : cases) {
    CAPTURE(number);
    double const one[] = {number};
    rc::ndarray<int, 1> y(3);
    y = number;
    CHECK(y(2) == element);
    y = 7;
    y(rows) = number;
    CHECK(numbers(y) == numbers{7, element, 7});
    y = 7;
    y(mask) = number;
    CHECK(numbers(y) == numbers{7, element, 7});
    y(mask) = rc::tensor<double>(number) * 1.;
    CHECK(y(1) == element);
    y(rc::range(1, 3)) = number;
    CHECK(numbers(y) == numbers{7, element, element});
    y = 7;
    y = y + number;
    CHECK(y(0) == rc::astype<int>(rc::tensor<double>(number + 7)).item());
    CHECK(rc::tensor<int>(number).item() == element);
    CHECK(rc::full<int>(rc::shape(2), number)(1) == element);
    CHECK(rc::full_like(y, number)(1) == element);
    CHECK(rc::asarray<int>(one)(0) == element);
    CHECK(static_cast<int>(rc::tensor<double>(number)) == element);
    CHECK(static_cast<int>(rc::tensor<double>(number) * 1.) == element);
  }
  CHECK(static_cast<unsigned>(rc::tensor<double>(-1.)) == 0u);
  CHECK(static_cast<unsigned>(rc::tensor<double>(3e9)) == 3000000000u);
  CHECK(static_cast<unsigned>(rc::tensor<double>(5e9)) == 4294967295u);
  CHECK(static_cast<signed char>(rc::tensor<double>(200.)) == 127);
  constexpr auto in_constants = [] {
    rc::tensor<int, 2> t;
    t = 1e30;
    return t;
  }();
  static_assert(in_constants(0) == top);
}

TEST_CASE("positions of extrema are int64, the first of equal ones") {
  rc::ndarray<int, 2> const m{{3, 9, 9}, {9, 1, 0}};
  static_assert(holds<decltype(rc::argmax(m)), std::int64_t>);
  CHECK(rc::argmax(m).item() == 1);
  CHECK(numbers(rc::eval(rc::argmax(m, rc::axis<1>))) == numbers{1, 0});
  CHECK(numbers(rc::eval(rc::argmin(m, rc::axis<0>))) == numbers{0, 1, 1});
}

TEST_CASE("infinities and NaN go through") {
  double const inf = std::numeric_limits<double>::infinity();
  rc::ndarray<double, 1> const x{inf, -inf, std::nan(""), 0};
  CHECK(std::isnan(double(rc::sum(x))));
  CHECK(std::isnan(double(rc::max(x))));
  rc::ndarray<double, 1> const y = rc::exp(-rc::abs(x));
  CHECK(y(0) == 0);
  CHECK(std::isnan(y(2)));
  CHECK(numbers(rc::eval(rc::where(x == x, rc::sign(x), 7.))) == numbers{1, -1, 7, 0});
  rc::ndarray<double, 1> const clipped = rc::clip(x, -5., 5.);
  CHECK(clipped(0) == 5);
  CHECK(clipped(1) == -5);
  CHECK(std::isnan(clipped(2)));
}
