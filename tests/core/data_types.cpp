// The data type functions of the array API standard, and products in a type that is asked for.
#include <doctest/doctest.h>

#include <string>

#include "numbers.hpp"
#include "raised.hpp"

namespace rc = ricci;
using rc::dtype;
using std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint64_t;
using C = std::complex<float>;

namespace {

static_assert(std::is_same_v<rc::result_type<int8_t, uint8_t>, int16_t> &&
              std::is_same_v<rc::result_type<float>, float>);
static_assert(std::is_same_v<rc::result_type<int64_t, uint64_t>, double>);
static_assert(std::is_same_v<rc::result_type<rc::float16, rc::bfloat16>, float>);
static_assert(std::is_same_v<rc::result_type<bool, int8_t, C, double>, std::complex<double>>);

// in whatever order: a float16 holds the numbers of both
static_assert(std::is_same_v<rc::result_type<uint8_t, int8_t, rc::float16>, rc::float16> &&
              std::is_same_v<rc::result_type<rc::float16, int8_t, uint8_t>, rc::float16>);
static_assert(std::is_same_v<rc::result_type<int16_t, std::uint16_t, float>, float>);

static_assert(rc::can_cast<int32_t, double>() && !rc::can_cast<int32_t, float>() && rc::can_cast<uint8_t, int16_t>());
static_assert(!rc::can_cast<double, float>() && rc::can_cast<float, C>() && !rc::can_cast<uint64_t, int64_t>());
static_assert(rc::can_cast(dtype::boolean, dtype::int8) && !rc::can_cast(dtype::float16, dtype::bfloat16));

static_assert(rc::isdtype<int8_t>("signed integer") && rc::isdtype<uint8_t>("unsigned integer"));
static_assert(rc::isdtype<int8_t>("integral") && !rc::isdtype<bool>("integral") && rc::isdtype<bool>("bool"));
static_assert(rc::isdtype<rc::bfloat16>("real floating") && rc::isdtype<C>("complex floating"));
static_assert(rc::isdtype<C>("numeric") && rc::isdtype<float>("numeric") && !rc::isdtype<bool>("numeric"));
static_assert(!rc::isdtype<float>("integral") && rc::isdtype(dtype::float32, dtype::float32));

static_assert(rc::finfo<float>().bits == 32 && rc::finfo<float>().eps == 0x1p-23f && rc::finfo<float>().min < -3e38f);
static_assert(rc::finfo<double>().smallest_normal == 0x1p-1022 && rc::finfo<C>().dtype == dtype::float32);
static_assert(float(rc::finfo<rc::float16>().max) == 65504 && rc::finfo<rc::bfloat16>().bits == 16);
static_assert(rc::iinfo<int8_t>().min == -128 && rc::iinfo<uint64_t>().max == ~uint64_t(0));
static_assert(rc::iinfo<int16_t>().bits == 16 && rc::iinfo<int32_t>().dtype == dtype::int32);

}  // namespace

TEST_CASE("a word that is no kind") {
  std::string const word = "floating";
  CHECK(raised([&] { (void)rc::isdtype(dtype::float32, word.c_str()); }) ==
        "value_error: isdtype: no kind of element types is called floating");
}

TEST_CASE("products in a type that is asked for") {
  rc::ndarray<int8_t, 2> const a = rc::full<int8_t>(rc::shape(8, 16), 100),
                               b = rc::full<int8_t>(rc::shape(16, 4), -100);
  auto const product = [](auto x, auto y) { return rc::matmul(x, y, rc::result<int32_t>); };
  rc::ndarray<int32_t, 2> const y = rc::matmul(a, b, rc::result<int32_t>);
  CHECK(y(7, 3) == -160000);
  CHECK(numbers(rc::fn(product)(a, b)) == numbers(y));
  CHECK(numbers(rc::interpret(product)(a, b)) == numbers(y));
  rc::tensor<rc::float16, 2, 3> const h{{1, 300, .5}, {2, 2, 2}};
  rc::tensor<float, 2, 2> const s = rc::matmul(h, h.T(), rc::result<float>);  // beyond what a half holds
  CHECK(numbers(s) == numbers{90001.25, 603, 603, 12});
}

TEST_CASE("three types meet in the type that the result has") {
  rc::tensor<uint8_t, 2> const x{3, 200};
  rc::tensor<rc::float16, 2> const low{5.f, 5.f};
  rc::tensor<int8_t, 2> const high{100, 100};
  auto const y = rc::eval(rc::clip(x, low, high));
  static_assert(std::is_same_v<decltype(y)::value_type, rc::float16>);
  CHECK((float(y(0)) == 5 && float(y(1)) == 100));
  CHECK(numbers(rc::eval(rc::concat(x, high, low))) == numbers{3, 200, 100, 100, 5, 5});
}
