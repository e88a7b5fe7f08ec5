// Elements without a sign, of one byte and of two: in every loop they give what int64 gives, modulo their size.
#include <sstream>

#include "../raised.hpp"
#include "element_loops.hpp"

namespace rc = ricci;
using element_loops::like_wide;
using std::uint32_t;
using std::uint8_t;

namespace {

template <class T>
void check_numbers() {
  // rows, dense; integers alone, and beside floats and conditions
  like_wide<T>([](auto a, auto b) { return a * b - (a + 7) * 3; });
  like_wide<T>([](auto a, auto b) { return rc::where(a < b, 0.5 * a, 1.25 * b) + 1.; });
  like_wide<T>([](auto a, auto b) { return (a > b) | (rc::maximum(a, b) == a) | (rc::minimum(a, b) != a); });
  like_wide<T>([](auto a, auto b) { return rc::floor_divide(a, b) + rc::remainder(a, b) + rc::sign(a); });
  like_wide<T>([](auto a, auto b) { return rc::abs(a) + rc::relu(b) + rc::clip(a, 3, 200) + rc::square(b); });
  like_wide<T>([](auto a, auto b) { return rc::sum(a, rc::axis<1>) + rc::mean(b.T(), rc::axis<0>); });
  like_wide<T>([](auto a, auto b) { return rc::max(a, rc::axis<0>) - rc::min(b, rc::axis<0>); });
}
template <class X>
std::string printed(X const& x) {
  std::ostringstream s;
  s << x;
  return s.str();
}

}  // namespace

TEST_CASE("numbers of uint8") { check_numbers<uint8_t>(); }
TEST_CASE("numbers of uint32") { check_numbers<uint32_t>(); }
TEST_CASE("loops over elements of one byte") { element_loops::check_loops<uint8_t>(); }

TEST_CASE("int8, int16, uint16 and uint64 beside each other") {
  like_wide<std::int8_t>([](auto a, auto b) { return a * b - (a + 7) * 3; });
  like_wide<std::int16_t>([](auto a, auto b) { return rc::where(a < b, 0.5 * a, 1.25 * b) + rc::sum(b); });
  rc::tensor<std::int8_t, 3> const s{127, -128, -1};
  rc::tensor<std::uint8_t, 3> const c{200, 1, 255};
  rc::tensor<std::uint16_t, 3> const v{65535, 1, 0};
  rc::tensor<std::uint64_t, 3> const q{0xffffffffffffffffu, 1, 0x8000000000000000u};
  CHECK(numbers(rc::eval(s + 1)) == numbers{-128, -127, 0});
  CHECK(numbers(rc::eval(-s)) == numbers{-127, -128, 1});
  CHECK(numbers(rc::eval(s + c)) == numbers{327, -127, 254});     // of int16
  CHECK(numbers(rc::eval(v * v + s)) == numbers{128, -127, -1});  // a product of uint16 wraps before
  CHECK(numbers(rc::eval((v >> 15) + (s >> 7) * 2)) == numbers{1, -2, -2});
  CHECK(rc::eval(q + v)(0) == 65534);
  CHECK(rc::eval(rc::max(q)).item() == 0xffffffffffffffffu);
  CHECK(rc::eval(rc::floor_divide(q, 2))(2) == 0x4000000000000000u);
  CHECK(rc::eval(q + 0xfffffffffffffffeu)(0) == 0xfffffffffffffffdu);
  CHECK(numbers(rc::eval(q > rc::astype<std::uint64_t>(v))) == numbers{1, 0, 1});
  CHECK(rc::eval(q + s)(2) == 0x1p63);  // of double
  CHECK(rc::fn([](auto a) { return a + 0xffffffffffffffffu; })(q)(1) == 0);
  CHECK(rc::interpret([](auto a) { return rc::prod(a) + 1; })(c).item() == 51001);
  static_assert(std::is_same_v<decltype(rc::eval(rc::sum(c)).item()), std::uint64_t>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::prod(s)).item()), std::int64_t>);
  CHECK(numbers(rc::eval(rc::astype<std::int8_t>(rc::tensor<float, 3>{300, -300.5f, 1.5f}))) == numbers{127, -128, 1});
  CHECK(rc::eval(rc::astype<std::uint64_t>(rc::tensor<double, 1>{1e30}))(0) == 0xffffffffffffffffu);
  CHECK(printed(s) == "[127 -128 -1]");
}

TEST_CASE("an extent of 1 that shows at run time") {
  rc::ndarray<uint8_t, 2> a(300, 200), one(300, 1), row(1, 200);
  a = 200, one = 100, row = 7;
  CHECK(rc::eval(a + one * row)(299, 199) == uint8_t(200 + 700));
  CHECK(rc::eval(one.T() + a(0)(rc::newaxis)(rc::all, rc::range(0, 1)))(0, 299) == uint8_t(300));
}

TEST_CASE("wrapping, the ends of the types, and conversions") {
  rc::tensor<uint8_t, 4> const a{250, 3, 0, 255};
  CHECK(numbers(rc::eval(a + 10)) == numbers{4, 13, 10, 9});
  CHECK(numbers(rc::eval(-a)) == numbers{6, 253, 0, 1});
  CHECK(numbers(rc::eval(a + -1)) == numbers{249, 2, 255, 254});
  CHECK(rc::eval(rc::sum(a)).item() == 508);
  CHECK(rc::eval(rc::prod(a(rc::range<0, 2>()))).item() == 750);
  rc::ndarray<uint32_t, 1> const none(0);
  CHECK(rc::eval(rc::max(none)).item() == 0);
  CHECK(rc::eval(rc::min(none)).item() == 0xffffffffu);
  rc::tensor<uint32_t, 3> const u{0xffffffffu, 7, 0};
  CHECK(numbers(rc::eval(rc::floor_divide(u, 0xffffffffu))) == numbers{1, 0, 0});  // which is not -1
  CHECK(numbers(rc::eval(rc::remainder(u + 1, u))) == numbers{0, 1, 0});
  CHECK(numbers(rc::eval(rc::astype<float>(u))) == numbers{4294967296., 7, 0});
  CHECK(numbers(rc::eval(rc::astype<int>(u))) == numbers{-1, 7, 0});
  rc::tensor<double, 5> const d{-3, 300.5, 12.75, 5e9, std::numeric_limits<double>::quiet_NaN()};
  CHECK(numbers(rc::eval(rc::astype<uint8_t>(d))) == numbers{0, 255, 12, 255, 0});
  CHECK(numbers(rc::eval(rc::astype<uint32_t>(d))) == numbers{0, 300, 12, 4294967295., 0});
  CHECK(numbers(rc::interpret([](auto x) { return rc::astype<uint8_t>(x); })(d)) == numbers{0, 255, 12, 255, 0});
}

TEST_CASE("a comparison with a number that the type does not hold is an error") {
  rc::ndarray<uint8_t, 1> const x{1, 2, 255};
  rc::tensor<int8_t, 2> const s{-128, 127};
  CHECK(numbers(rc::eval(x < 255)) == numbers{1, 1, 0});
  CHECK(numbers(rc::eval(0 < x)) == numbers{1, 1, 1});
  CHECK(numbers(rc::eval(x < 2.5)) == numbers{1, 1, 0});
  CHECK(numbers(rc::eval(s == -128)) == numbers{1, 0});
  CHECK(numbers(rc::eval(rc::tensor<uint64_t, 2>{1, 2} < 18446744073709551615u)) == numbers{1, 1});
  CHECK(raised([&] { rc::eval(x < 300); }) ==
        "value_error: a comparison of uint8 with 300, which that type does not hold");
  CHECK(raised([&] { rc::eval(rc::less(x, 300)); }) ==
        "value_error: a comparison of uint8 with 300, which that type does not hold");
  CHECK(raised([&] { rc::eval(rc::not_equal(-1, x)); }).starts_with("value_error"));
  CHECK(numbers(rc::eval(rc::greater_equal(x, 2))) == numbers{0, 1, 1});
  CHECK(raised([&] { rc::eval(x > -1); }).starts_with("value_error"));
  CHECK(raised([&] { rc::eval(256 == x); }).starts_with("value_error"));
  CHECK(raised([&] { rc::eval(s >= 128u); }).starts_with("value_error"));
  CHECK(raised([&] { rc::interpret([](auto y) { return y != 256; })(x); }).starts_with("value_error"));
}

TEST_CASE("they are made, printed, read, mapped and differentiated beside") {
  CHECK(printed(rc::tensor<uint8_t, 3>{65, 0, 255}) == "[65 0 255]");
  CHECK(printed(rc::arange<uint32_t>(4294967290u, 4294967295u, 2u)) == "[4294967290 4294967292 4294967294]");
  CHECK(printed(rc::full<uint8_t>(rc::shape(2), 265)) == "[9 9]");
  CHECK(printed(rc::eye<uint8_t>(2)) == "[[1 0]\n [0 1]]");
  uint8_t memory[] = {1, 2, 3};
  CHECK(rc::eval(rc::sum(rc::frombuffer(memory, rc::shape(3)))).item() == 6);
  rc::tensor<float, 300> const table = rc::arange<float>(300);
  CHECK(numbers(rc::eval(table(rc::tensor<uint8_t, 2>{255, 3}))) == numbers{255, 3});
  rc::tensor<uint8_t, 2, 3> const batch{{1, 2, 3}, {4, 5, 255}};
  auto const scaled = [](auto w, auto x) { return rc::sum(w * x); };
  CHECK(numbers(rc::vmap(scaled, rc::in_axes<rc::unbatched, 0>)(2.f, batch)) == numbers{12, 528});
  CHECK(numbers(rc::grad(scaled)(rc::tensor<float, 3>{1, 1, 1}, batch(1))) == numbers{4, 5, 255});
}

// by the compiler
constexpr int constant() {
  rc::tensor<uint8_t, 3> const x{250, 1, 2};
  rc::tensor<uint8_t, 3> const y = x * 2 + rc::flip(x);
  rc::tensor<uint32_t> const s = rc::astype<uint32_t>(rc::sum(y)) - 1000u;
  return y(0) * 1000 + (s() == uint32_t(246 + 3 + 254 - 1000) ? 1 : 0);
}
static_assert(constant() == 246001);
