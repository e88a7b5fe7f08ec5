// Half precision: conversions, loops over elements of two bytes, and that numbers are computed as float and rounded
// once in each operation.
#include <bit>
#include <cmath>
#include <sstream>

#include "element_loops.hpp"

namespace rc = ricci;
using rc::float16;

namespace {

constexpr float16 bits(int b) { return float16::of_bits(static_cast<std::uint16_t>(b)); }
constexpr bool converts(double x, int b) { return float16(x).bits() == b && float16(float(x)).bits() == b; }
static_assert(converts(1, 0x3c00) && converts(-2, 0xc000) && converts(65504, 0x7bff) && converts(0x1p-14, 0x0400));
static_assert(converts(65519, 0x7bff) && converts(65520, 0x7c00) && converts(-1e30, 0xfc00));     // half a step beyond
static_assert(converts(0x1p-24, 0x0001) && converts(0x1p-25, 0) && converts(0x1.8p-24, 0x0002));  // ties to even
static_assert(converts(2049, 0x6800) && converts(2051, 0x6802) && converts(-0., 0x8000));
static_assert(float16(0x1.8p-24 - 0x1p-60).bits() == 0x0001 && float16(0x1p-25 + 0x1p-70).bits() == 0x0001);
static_assert(float16(2049 + 0x1p-40).bits() == 0x6801 && float16(1e300).bits() == 0x7c00);  // doubles, rounded once

}  // namespace

TEST_CASE("every number of it is a float, and back") {
  int wrong = 0;
  for (int b = 0; b < 0x10000; ++b) {
    float const x = bits(b);
    int const exponent = b >> 10 & 31, digits = b & 1023;
    double const size = exponent == 31  ? digits == 0 ? INFINITY : NAN
                        : exponent == 0 ? std::ldexp(digits, -24)
                                        : std::ldexp(1024 + digits, exponent - 25);
    bool const nan = std::isnan(size);
    if (nan ? !std::isnan(x) : std::fabs(double(x)) != size || std::signbit(x) != (b >= 0x8000)) ++wrong;
    if (!nan && (float16(x).bits() != b || float16(double(x)).bits() != b)) ++wrong;
    if (nan && !std::isnan(float(float16(x)))) ++wrong;
  }
  CHECK(wrong == 0);
}

constexpr bool becomes(double x, int b) { return rc::bfloat16(x).bits() == b && rc::bfloat16(float(x)).bits() == b; }
static_assert(becomes(1, 0x3f80) && becomes(-2, 0xc000) && becomes(-0., 0x8000) && becomes(0x1p-133, 1));
static_assert(becomes(257, 0x4380) && becomes(259, 0x4382) && becomes(0x1p-134, 0));  // ties to even
static_assert(float(rc::bfloat16((std::int64_t(1) << 60) + (std::int64_t(1) << 52) + 1)) == 0x1.02p60f &&
              float(rc::bfloat16(-(std::int64_t(1) << 60) - (std::int64_t(1) << 52) - 1)) == -0x1.02p60f &&
              float(rc::bfloat16((std::int64_t(1) << 60) + (std::int64_t(1) << 52))) == 0x1p60f &&
              float(rc::bfloat16(~std::uint64_t(0))) == 0x1p64f &&
              float(rc::bfloat16(std::int64_t(1) << 53)) == 0x1p53f &&
              float(rc::bfloat16(std::numeric_limits<std::int64_t>::min())) == -0x1p63f);
static_assert(rc::bfloat16(257 + 0x1p-40).bits() == 0x4381 && rc::bfloat16(1e300).bits() == 0x7f80);
static_assert(float(std::numeric_limits<rc::bfloat16>::max()) == 0x1.fep127f &&
              float(std::numeric_limits<rc::bfloat16>::min()) == 0x1p-126f &&
              float(std::numeric_limits<rc::bfloat16>::epsilon()) == 0x1p-7f &&
              std::numeric_limits<rc::bfloat16>::max_exponent == 128 &&
              std::numeric_limits<rc::bfloat16>::min_exponent == -125);
static_assert(float(std::numeric_limits<float16>::max()) == 65504 &&
              float(std::numeric_limits<float16>::epsilon()) == 0x1p-10f &&
              float(std::numeric_limits<float16>::min()) == 0x1p-14f && std::numeric_limits<float16>::digits10 == 3);

TEST_CASE("bfloat16 is the upper half of a float") {
  int wrong = 0;
  for (std::uint32_t b = 0; b < 0x10000; ++b) {
    float const x = rc::bfloat16::of_bits(static_cast<std::uint16_t>(b)), all = std::bit_cast<float>(b << 16);
    if (std::isnan(all) ? !std::isnan(x) || !std::isnan(float(rc::bfloat16(x)))
                        : x != all || rc::bfloat16(x).bits() != b || rc::bfloat16(double(x)).bits() != b)
      ++wrong;
  }
  CHECK(wrong == 0);
  rc::ndarray<rc::bfloat16, 1> x = rc::astype<rc::bfloat16>(rc::arange<float>(300));
  CHECK(x(257) == 256);
  CHECK(rc::eval(rc::sum(rc::astype<float>(x(rc::range(0, 256))))).item() == 255 * 128);
  CHECK(rc::eval(rc::sum(x(rc::range(0, 9)) * 2 + 1)).item() == 81);
  static_assert(std::is_same_v<decltype(rc::eval(x + rc::tensor<float16, 300>()))::value_type, float>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::exp(x) * 2.))::value_type, rc::bfloat16>);
}

TEST_CASE("loops over elements of two bytes") { element_loops::check_loops<float16>(); }

TEST_CASE("operations are rounded once; sums, products and formulas as a whole") {
  rc::tensor<float16, 3> const x{1, 2048, 0.1}, y{0x1p-11, 1, 3};
  CHECK(numbers(rc::eval(x + y)) == numbers{1, 2048, double(float(float16(3 + float(x(2)))))});
  CHECK(rc::eval((x + y) - x)(0) == 0);  // each of them
  CHECK(rc::fn([](auto a, auto b) { return (a + b) - a; })(x, y)(0) == 0);
  rc::ndarray<float16, 1> many(3000);
  many = 30.f;
  CHECK(rc::eval(rc::mean(many)).item() == 30);  // though the sum is beyond
  CHECK(std::isinf(float(rc::eval(rc::sum(many)).item())));
  many = 1.f;
  CHECK(rc::eval(rc::sum(many)).item() == 3000);
  CHECK(rc::eval(rc::matmul(many, many)).item() == 3000);
  CHECK(rc::eval(rc::cumulative_sum(many))(2999) == 3000);
  CHECK(rc::eval(rc::var(many * 200.f)).item() == 0);
  CHECK(rc::eval(rc::norm(many * 256.f)).item() == float16(256 * std::sqrt(3000.)));
  static_assert(std::is_same_v<decltype(rc::eval(rc::exp(x) < x * 2))::value_type, bool>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::exp(x) * 2. + float16(1)))::value_type, float16>);
  static_assert(std::is_same_v<decltype(rc::eval(x + rc::tensor<float, 3>()))::value_type, float>);
}

TEST_CASE("derivatives and batches") {
  auto const f = [](auto w, auto x) { return rc::sum(rc::where(x > 0.f, rc::log(x) * w, 0.f) + rc::square(w)); };
  rc::tensor<float16, 3> const w{1, 2, 3}, x{1, 0, 4};
  auto const [gw, gx] = rc::grad<0, 1>(f)(w, x);
  static_assert(std::is_same_v<decltype(gw), rc::tensor<float16, 3> const>);
  CHECK(numbers(gw) == numbers{2, 4, double(float(float16(6 + float(float16(std::log(4.))))))});
  CHECK(numbers(gx) == numbers{1, 0, 0.75});  // what where leaves out stays out
  CHECK(numbers(rc::interpret(rc::grad<1>(f))(w, x)) == numbers{1, 0, 0.75});
  auto const [value, tangent] = rc::jvp(f)(w, x)(w, x);
  CHECK(tangent.item() == doctest::Approx(2 * 14 + 3 * std::log(4.) + 1 + 3).epsilon(1e-3));
  rc::tensor<float16, 2, 3> const batch{{1, 0, 4}, {2, 2, 2}};
  CHECK(numbers(rc::vmap(rc::grad<1>(f), rc::in_axes<rc::unbatched, 0>)(w, batch)) == numbers{1, 0, 0.75, 0.5, 1, 1.5});
  CHECK(numbers(rc::eval(rc::take(batch, rc::tensor<int, 2>{1, -1}, rc::axis<0>))) == numbers{2, 2, 2, 2, 2, 2});
  // rows that are added meet in float
  auto const rows = [](auto t, auto i) { return rc::sum(rc::take(t, i, rc::axis<0>)); };
  CHECK(numbers(rc::grad(rows)(w, rc::zeros<int>(rc::extents<2500>{}))) == numbers{2500, 0, 0});
}

TEST_CASE("made, printed, converted") {
  std::ostringstream s;
  s << rc::linspace<float16>(0., 1., 5) << rc::arange<float16>(3) << rc::full<float16>(rc::shape(2), 1e6);
  CHECK(s.str() == "[0 0.25 0.5 0.75 1][0 1 2][inf inf]");
  rc::tensor<float16, 3> const x{-1.5, 300, 65504};
  CHECK(numbers(rc::eval(rc::astype<std::uint8_t>(x))) == numbers{0, 255, 255});
  CHECK(numbers(rc::eval(rc::astype<float16>(rc::tensor<std::int64_t, 2>{2049, 100000}))) == numbers{2048, INFINITY});
  CHECK(numbers(rc::eval(rc::astype<bool>(x))) == numbers{1, 1, 1});
  float16 number = rc::eval(rc::max(x)).item();
  CHECK(rc::fn([](auto a, auto k) { return a + k; })(x, number)(1) == float16(65804));
}

// by the compiler
constexpr float constant() {
  rc::tensor<float16, 3> const x{2048, 1, 0.5};
  rc::tensor<float16, 3> const y = x * 2 + rc::flip(x);
  return y(0) + y(1);
}
static_assert(constant() == 4096 + 3);
