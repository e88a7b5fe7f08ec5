// Element types: NumPy 2's promotion of tensors, weak C++ scalars, arithmetic of integers and booleans, conversions;
// compiled, and in the interpreter.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "../raised.hpp"
#include "numbers.hpp"

namespace rc = ricci;
using std::int32_t;
using std::int64_t;

namespace {

template <class X>
using type_of_element = typename decltype(rc::eval(std::declval<X>()))::value_type;
template <class A, class B>
using sum_type = type_of_element<decltype(rc::tensor<A, 2>() + rc::tensor<B, 2>())>;
template <class A, class B>
using sum_with_number = type_of_element<decltype(rc::tensor<A, 2>() + B())>;
template <class R, class A, class B>
constexpr bool promotes = std::is_same_v<sum_type<A, B>, R>&& std::is_same_v<sum_type<B, A>, R>;
template <class R, class A, class B>
constexpr bool takes = std::is_same_v<sum_with_number<A, B>, R>;

// two tensors
static_assert(promotes<bool, bool, bool> && promotes<int32_t, bool, int32_t> && promotes<int64_t, bool, int64_t>);
static_assert(promotes<float, bool, float> && promotes<double, bool, double>);
static_assert(promotes<int32_t, int32_t, int32_t> && promotes<int64_t, int32_t, int64_t> &&
              promotes<int64_t, int64_t, int64_t>);
static_assert(promotes<double, int32_t, float> && promotes<double, int64_t, float>);  // float holds neither
static_assert(promotes<double, int32_t, double> && promotes<double, int64_t, double>);
static_assert(promotes<float, float, float> && promotes<double, float, double> && promotes<double, double, double>);
// a tensor and a number
static_assert(takes<float, float, double> && takes<float, float, int> && takes<float, float, long> &&
              takes<float, float, bool>);
static_assert(takes<double, double, float> && takes<double, int32_t, double> && takes<int32_t, int32_t, int64_t>);
static_assert(takes<int32_t, int32_t, bool> && takes<int32_t, bool, int32_t> && takes<double, bool, double>);
static_assert(takes<int64_t, int64_t, int> && takes<double, int64_t, double>);
// what is no arithmetic
static_assert(std::is_same_v<type_of_element<decltype(rc::tensor<float, 2>() < 1)>, bool>);
static_assert(std::is_same_v<type_of_element<decltype(rc::exp(rc::tensor<int, 2>()))>, double>);
static_assert(
    std::is_same_v<type_of_element<decltype(rc::where(rc::tensor<bool, 2>(), rc::tensor<float, 2>(), 1))>, float>);
static_assert(
    std::is_same_v<type_of_element<decltype(rc::where(rc::tensor<bool, 2>(), rc::tensor<int, 2>(), 1.))>, double>);

// compiled and interpreted
template <class F, class... X>
void gives(numbers const& expected, F f, X const&... x) {
  CHECK(numbers(rc::eval(f(x...))) == expected);
  CHECK(numbers(rc::fn(f)(x...)) == expected);
  CHECK(numbers(rc::interpret(f)(x...)) == expected);
}

}  // namespace

TEST_CASE("integers") {
  rc::tensor<int32_t, 6> const a{7, -7, 7, -7, 0, 5}, b{2, 2, -2, -2, 3, 5};
  gives(
      {9, -5, 5, -9, 3, 10}, [](auto const& p, auto const& q) { return p + q; }, a, b);
  gives(
      {14, -14, -14, 14, 0, 25}, [](auto const& p, auto const& q) { return p * q; }, a, b);
  gives(
      {5, -9, 9, -5, -3, 0}, [](auto const& p, auto const& q) { return p - q; }, a, b);
  gives(
      {3, -4, -4, 3, 0, 1}, [](auto const& p, auto const& q) { return rc::floor_divide(p, q); }, a, b);
  gives(
      {1, 1, -1, -1, 0, 0}, [](auto const& p, auto const& q) { return rc::remainder(p, q); }, a, b);
  gives(
      {3.5, -3.5, -3.5, 3.5, 0, 1}, [](auto const& p, auto const& q) { return rc::divide(p, q); }, a, b);
  gives(
      {7, 2, 7, -2, 3, 5}, [](auto const& p, auto const& q) { return rc::maximum(p, q); }, a, b);
  gives(
      {2, -7, -2, -7, 0, 5}, [](auto const& p, auto const& q) { return rc::minimum(p, q); }, a, b);
  gives(
      {7, 7, 7, 7, 0, 5}, [](auto const& p, auto const&) { return rc::abs(p); }, a, b);
  gives(
      {1, -1, 1, -1, 0, 1}, [](auto const& p, auto const&) { return rc::sign(p); }, a, b);
  gives(
      {49, 49, 49, 49, 0, 25}, [](auto const& p, auto const&) { return rc::square(p); }, a, b);
  gives(
      {-7, 7, -7, 7, 0, -5}, [](auto const& p, auto const&) { return -p; }, a, b);
  gives(
      {7, 0, 7, 0, 0, 5}, [](auto const& p, auto const&) { return rc::relu(p); }, a, b);
  gives(
      {3, -3, 3, -3, 0, 3}, [](auto const& p, auto const&) { return rc::clip(p, -3, 3); }, a, b);
  gives(
      {7, -7, 7, -7, 0, 5}, [](auto const& p, auto const&) { return rc::floor(p) + rc::ceil(p) - rc::round(p); }, a, b);
  gives(
      {49, 49, 0, 0, 0, 3125}, [](auto const& p, auto const& q) { return rc::pow(p, q); }, a, b);
  gives(
      {343, -343, 343, -343, 0, 125}, [](auto const& p, auto const&) { return rc::pow(p, 3); }, a, b);
  gives(
      {0, 0, 0, 0, 0, 1}, [](auto const& p, auto const& q) { return p == q; }, a, b);
  gives(
      {1, 0, 1, 0, 0, 1}, [](auto const& p, auto const& q) { return (p >= q) & (p != 0); }, a, b);
  CHECK(numbers(rc::eval(rc::pow(rc::tensor<std::int8_t, 4>{1, -1, -1, 3},
                                 rc::tensor<std::int8_t, 4>{-3, -2, -3, 5}))) == numbers{1, 1, -1, -13});
  CHECK(raised([&] { (void)rc::pow(a, -1); }) == "value_error: pow: integers to the negative power -1");
  static_assert(std::is_same_v<type_of_element<decltype(rc::pow(a, b))>, int32_t> &&
                std::is_same_v<type_of_element<decltype(rc::pow(a, 2.))>, double> &&
                std::is_same_v<type_of_element<decltype(rc::pow(2, a))>, int32_t>);
  // beyond 32 bits, and beyond what a double holds
  rc::tensor<int64_t, 2> const large{int64_t(1) << 62, (int64_t(1) << 53) + 1};
  CHECK(rc::eval(large + 1)(0) == (int64_t(1) << 62) + 1);
  CHECK(rc::fn([](auto x) { return x * 1 + 1; })(large)(1) == (int64_t(1) << 53) + 2);
  CHECK(rc::eval(rc::maximum(large, large - 1))(1) == (int64_t(1) << 53) + 1);
}

// Loops divide by reciprocals of floating numbers, single numbers by the machine's division: quotients are equal where
// roundings are closest, beside multiples and at the ends of the type.
namespace {

template <class T>
void divides_like_numbers() {
  using U = std::make_unsigned_t<T>;
  auto const times = [](T x, T y) { return static_cast<U>(std::uint64_t(x) * std::uint64_t(y)); };
  T const low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  std::vector<T> ends{low, T(low + 1), T(high - 1), high, 0, 1, 2, 3, T(-1), T(-2), T(-3), 7, T(-7), 10, 100, T(-100)};
  for (int k = 3; k < int(8 * sizeof(T)); ++k) ends.push_back(T(U(1) << k)), ends.push_back(T((U(1) << k) - 1));
  rc::ndarray<T, 1> a(static_cast<int>(4 * ends.size())), q(a.shape(0)), each(a.shape(0));
  int wrong = 0;
  for (T const b : ends) {
    for (int k = 0; k < a.shape(0); ++k) {
      T const of = ends[static_cast<std::size_t>(k / 4)];
      U const multiple = b == 0 || b == T(-1) ? U(of) : times(T(of / b), b);
      a(k) = k % 4 == 3 ? of : T(U(multiple + U(k % 4)) - 1), each(k) = b;
    }
    for (bool const one : {true, false}) {
      if (one)
        q = rc::floor_divide(a, b);
      else
        q = rc::floor_divide(a, each);
      for (int k = 0; k < a.shape(0); ++k) {
        T const x = a(k);
        bool const beyond = std::is_signed_v<T> && b == T(-1);
        T const truncated = b == 0 ? T(0) : beyond ? T(U(0) - U(x)) : T(x / b);
        wrong += q(k) != T(truncated - (b != 0 && !beyond && x % b != 0 && (x < 0) != (b < 0)));
      }
    }
    q = rc::remainder(a, b);
    each = rc::floor_divide(a, b);
    for (int k = 0; k < a.shape(0); ++k) wrong += q(k) != (b == 0 ? T(0) : T(U(a(k)) - times(each(k), b)));
  }
  CHECK(wrong == 0);
}
static_assert(rc::scalar::floor_divide(-7, 2) == -4 && rc::scalar::remainder(-7, 2) == 1);

}  // namespace

TEST_CASE("integers divided by one number, and each by its own") {
  divides_like_numbers<std::int16_t>();
  divides_like_numbers<std::int32_t>();
  divides_like_numbers<std::int64_t>();
  divides_like_numbers<std::uint64_t>();
}

TEST_CASE("division as in Python") {
  rc::tensor<double, 8> const a{1, -1, 5.5, -5.5, 5.5, -5.5, 1, 0}, b{0.1, 0.1, 2, 2, -2, -2, 1. / 3, 2};
  gives(
      {9, -10, 2, -3, -3, 2, 3, 0}, [](auto const& p, auto const& q) { return rc::floor_divide(p, q); }, a, b);
  numbers const rest(rc::eval(rc::remainder(a, b)));
  CHECK(rest.near({std::fmod(1, 0.1), 0.1 - std::fmod(1, 0.1), 1.5, 0.5, -0.5, -1.5, std::fmod(1, 1. / 3), 0}, 0));
}

// Packs divide by another way than single numbers where quotients are small; all bits are the same.
TEST_CASE("floating quotients and rests of many numbers") {
  std::vector<float> values{
      0, -0.f, .1f, -.3f, 1, -1, 2.5f, 3, -7, 1e-40f, 1e30f, 6e6f, std::numeric_limits<float>::infinity()};
  for (float const of : {3.f, .1f, -.7f, 1e-38f})
    for (int k : {-5, 2, 1000, 4194303})
      for (float const end : {-1e38f, 1e38f})
        values.push_back(of * float(k)), values.push_back(std::nextafter(of * float(k), end));
  int const n = static_cast<int>(values.size());
  rc::ndarray<float, 1> const a = rc::asarray(values);
  rc::ndarray<float, 1> q(n), rest(n), left(n);
  int wrong = 0;
  auto const same = [](float x, float y) {
    return (x != x && y != y) || std::bit_cast<int>(x) == std::bit_cast<int>(y);
  };
  for (float const b : values) {
    q = rc::floor_divide(a, b), rest = rc::remainder(a, b), left = rc::fmod(a, b);
    for (int k = 0; k < n; ++k) {
      wrong += !same(q(k), rc::scalar::floor_divide<float>(a(k), b));
      wrong += !same(rest(k), rc::scalar::remainder<float>(a(k), b));
      wrong += !same(left(k), rc::scalar::fmod<float>(a(k), b));
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rounding") {
  rc::tensor<float, 9> const x{-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 2.4f, -2.6f, 3e9f};
  gives(
      {-2, -2, 0, 0, 2, 2, 2, -3, 3e9f}, [](auto const& p) { return rc::round(p); }, x);
  gives(
      {-3, -2, -1, 0, 1, 2, 2, -3, 3e9f}, [](auto const& p) { return rc::floor(p); }, x);
  gives(
      {-2, -1, 0, 1, 2, 3, 3, -2, 3e9f}, [](auto const& p) { return rc::ceil(p); }, x);
}

TEST_CASE("booleans") {
  CHECK(numbers(rc::eval(rc::where(rc::tensor<int, 3>{0, 2, -1}, rc::tensor<double, 3>{1, 2, 3}, 0.))) ==
        numbers{0, 2, 3});
  rc::tensor<bool, 4> const a{true, true, false, false}, b{true, false, true, false};
  gives(
      {1, 0, 0, 0}, [](auto const& p, auto const& q) { return p & q; }, a, b);
  gives(
      {1, 1, 1, 0}, [](auto const& p, auto const& q) { return p | q; }, a, b);
  gives(
      {0, 1, 1, 0}, [](auto const& p, auto const& q) { return rc::logical_xor(p, q); }, a, b);
  gives(
      {0, 0, 1, 1}, [](auto const& p, auto const&) { return !p; }, a, b);
  gives(
      {1, 1, 1, 0}, [](auto const& p, auto const& q) { return p + q; }, a, b);  // as in NumPy: or
  gives(
      {2, 1, 0, -1}, [](auto const& p, auto const& q) { return p + q * 1 + (p * 1 - 1); }, a, b);
  gives(
      {2.5, 2.5, 0, 0}, [](auto const& p, auto const&) { return p * 2.5; }, a, b);
  gives(
      {0, 0, 1, 1}, [](auto const& p, auto const&) { return rc::logical_not(p * 3); }, a, b);
}

TEST_CASE("conversions") {
  rc::tensor<double, 5> const x{-2.7, -0.4, 0, 0.6, 3.9};
  gives(
      {-2, 0, 0, 0, 3}, [](auto const& p) { return rc::astype<int>(p); }, x);
  gives(
      {-2, 0, 0, 0, 3}, [](auto const& p) { return rc::astype<std::int64_t>(p); }, x);
  gives(
      {1, 1, 0, 1, 1}, [](auto const& p) { return rc::astype<bool>(p); }, x);
  gives(
      {double(-2.7f), double(-0.4f), 0, double(0.6f), double(3.9f)}, [](auto const& p) { return rc::astype<float>(p); },
      x);
  gives(
      {1, 1, 0, 0, 0}, [](auto const& p) { return rc::astype<double>(p < 0.); }, x);
  gives(
      {5, 5, 4, 4, 4}, [](auto const& p) { return rc::astype<int>(p < 0.) + 4; }, x);
}

// What lies beyond an integer type becomes its end, and NaN 0, also where conversions are lanes.
TEST_CASE("conversions of many numbers, some beyond integers") {
  auto const check = [](auto zero) {
    using F = decltype(zero);
    F const inf = std::numeric_limits<F>::infinity(), nan = std::numeric_limits<F>::quiet_NaN();
    F const numbers[] = {0,   F(-.9), F(2147483520), F(2147483648.), F(-2147483648.), F(-2147483904.),
                         inf, -inf,   nan,           F(1e30),        F(-7.5)};
    int32_t const most = 2147483647,
                  wanted[] = {0, 0, 2147483520, most, -most - 1, -most - 1, most, -most - 1, 0, most, -7};
    rc::ndarray<F, 1> x(101);
    for (rc::index_t k = 0; k < 101; ++k) x(k) = numbers[k % 11];
    rc::ndarray<int32_t, 1> const y = rc::astype<int32_t>(x);
    bool right = true;
    for (rc::index_t k = 0; k < 101; ++k) right &= y(k) == wanted[k % 11];
    CHECK(right);
  };
  check(float{});
  check(double{});
}

TEST_CASE("a C++ number in another type is that number") {
  static_assert(std::is_same_v<decltype(rc::astype<float>(2)), float>);
  static_assert(rc::astype<int>(-2.7) == -2 && rc::astype<bool>(3) && rc::astype<double>(true) == 1.);
  double const x = 300.5;
  CHECK(rc::astype<int>(x) == 300);
  CHECK(rc::astype<std::complex<float>>(std::complex<double>(1, 2)) == std::complex<float>(1, 2));
}

TEST_CASE("mixed types in one expression") {
  rc::tensor<float, 2, 3> const f{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<int, 3> const i{10, 20, 30};
  rc::tensor<bool, 2, 1> const b{{true}, {false}};
  gives(
      {11, 22, 33, 4, 5, 6}, [](auto const& p, auto const& q, auto const& r) { return p + q * r; }, f, i, b);
  gives(
      {1, 2, 3, 10, 20, 30}, [](auto const& p, auto const& q, auto const& r) { return rc::where(r, p, q); }, f, i, b);
  gives(
      {1.5, 2.5, 3.5, 4.5, 5.5, 6.5}, [](auto const& p, auto const&, auto const&) { return p + 0.5; }, f, i, b);
}

namespace {

template <class T>
void divides_by_common_divisors() {
  rc::ndarray<T, 1> a(37), b(37);
  for (int k = 0; k < 37; ++k)
    a(k) = T(k * 12 % 101 * (k % 3 == 0 && std::is_signed_v<T> ? -1 : 1)), b(k) = T(k * 18 % 91);
  auto const g = rc::eval(rc::gcd(a, b)), l = rc::eval(rc::lcm(a, b));
  rc::ndarray<std::uint8_t, 1> const ones = rc::bitwise_count(a);
  for (int k = 0; k < 37; ++k) {
    auto const x = std::int64_t(a(k)), y = std::int64_t(b(k));
    bool const as_numpy = g(k) == T(std::gcd(x, y)) && l(k) == T(std::lcm(x, y)) &&
                          ones(k) == __builtin_popcountll(std::uint64_t(x < 0 ? -x : x));
    CHECK(as_numpy);
  }
  constexpr auto all = [](auto x, auto y) { return rc::gcd(x, y) + rc::lcm(x, y) + rc::bitwise_count(x); };
  CHECK(numbers(rc::fn(all)(a, b)) == numbers(rc::eval(g + l + ones)));
  CHECK(numbers(rc::interpret(all)(a, b)) == numbers(rc::eval(g + l + ones)));
}

}  // namespace

// NumPy's values at the ends: np.gcd(np.int8(-128), np.int8(0)) and so on
TEST_CASE("common divisors and multiples, and bits that are 1") {
  divides_by_common_divisors<std::int8_t>(), divides_by_common_divisors<std::uint8_t>();
  divides_by_common_divisors<std::int32_t>(), divides_by_common_divisors<std::int64_t>();
  divides_by_common_divisors<std::uint64_t>();
  rc::tensor<std::int8_t, 5> const a{-128, 100, 0, 0, -128}, b{0, 90, 0, 5, 1};
  CHECK(numbers(rc::eval(rc::gcd(a, b))) == numbers{-128, 10, 0, 5, 1});
  CHECK(numbers(rc::eval(rc::lcm(a, b))) == numbers{0, -124, 0, 0, -128});
  CHECK(numbers(rc::eval(rc::bitwise_count(a))) == numbers{1, 3, 0, 0, 1});
  CHECK(numbers(rc::eval(rc::gcd(rc::tensor<int, 2, 1>{{12}, {-18}}, rc::tensor<int, 2>{8, 27}))) ==
        numbers{4, 3, 2, 9});
  static_assert(rc::gcd(12, 18) == 6 && rc::lcm(4, 6) == 12);
}
