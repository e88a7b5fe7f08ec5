// With -ffast-math (tests/ops/CMakeLists.txt) and without: what is left of roundings in the reduction of angles is not
// taken for 0, and what is not finite is found.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <ricci/ricci.hpp>

// near multiples of pi / 2, where nearly all of x cancels
TEST_CASE_TEMPLATE("sine, cosine and tangent keep their promise", T, float, double) {
  int const n = 4000;
  ricci::ndarray<T, 1> x(n);
  for (int k = 0; k < n; ++k) x(k) = static_cast<T>(1.57079632679489661923L * (k / 4) + (k % 4) * 0.0007L);
  ricci::ndarray<T, 1> const s = ricci::sin(x), c = ricci::cos(x), t = ricci::tan(x);
  auto const ulps = [](T y, long double wanted) {
    int exponent;
    (void)std::frexp(static_cast<double>(wanted), &exponent);
    return std::abs(y - wanted) / std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  };
  // not what a compiler makes of these functions with that flag
  long double (*volatile sine)(long double) = ::sinl;
  long double (*volatile cosine)(long double) = ::cosl;
  long double (*volatile tangent)(long double) = ::tanl;
  long double worst = 0;
  for (int k = 0; k < n; ++k) {
    long double const exact = x(k);
    if (exact == 0) continue;
    worst = std::max({worst, ulps(s(k), sine(exact)), ulps(c(k), cosine(exact)), ulps(t(k), tangent(exact))});
  }
  CHECK(worst < 4);
}

// with that flag nothing on the way may be subnormal, which is taken for 0
TEST_CASE_TEMPLATE("cube roots of normal numbers keep their digits", T, float, double) {
  using limits = std::numeric_limits<T>;
  int const steps = limits::max_exponent - limits::min_exponent;
  ricci::ndarray<T, 1> x(steps);
  for (int k = 0; k < steps; ++k) x(k) = static_cast<T>(std::ldexp(1.1 + k % 7 * 0.1, limits::min_exponent + k));
  ricci::ndarray<T, 1> const y = ricci::cbrt(x);
  long double (*volatile root)(long double) = ::cbrtl;
  long double worst = 0;
  for (int k = 0; k < steps; ++k) {
    long double const exact = root(x(k));
    worst = std::max(worst, std::abs(y(k) - exact) / (exact * limits::epsilon()));
  }
  CHECK(worst < 2);
}

TEST_CASE_TEMPLATE("whole numbers are whole", T, float, double) {
  int const n = 400;
  ricci::ndarray<T, 1> x(n);
  for (int k = 0; k < n; ++k) x(k) = static_cast<T>(k - 200) / 4;
  ricci::ndarray<T, 1> const down = ricci::floor(x), up = ricci::ceil(x), nearest = ricci::round(x);
  for (int k = 0; k < n; ++k) {
    CHECK(down(k) == std::floor(x(k)));
    CHECK(up(k) == std::ceil(x(k)));
    CHECK(nearest(k) == std::nearbyint(x(k)));
  }
}

TEST_CASE_TEMPLATE("what is not finite", T, float, double) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  int const n = 37;
  bits const infinity = sizeof(T) == 4 ? bits(0x7f800000u) : bits(0x7ff0000000000000u), sign = ~(~bits(0) >> 1);
  bits const special[] = {infinity, infinity | sign, infinity + 1, infinity | sign | (infinity >> 1), sign, 0};
  bits memory[n];  // no compiler knows these numbers
  for (int k = 0; k < n; ++k) memory[k] = special[k % 6];
  ricci::ndarray<T, 1> x(n);
  std::memcpy(x.data(), memory, sizeof memory);
  ricci::ndarray<bool, 1> const nan = ricci::isnan(x), inf = ricci::isinf(x), finite = ricci::isfinite(x),
                                minus = ricci::signbit(x);
  for (int k = 0; k < n; ++k) {
    CHECK(nan(k) == (k % 6 == 2 || k % 6 == 3));
    CHECK(inf(k) == (k % 6 < 2));
    CHECK(finite(k) == (k % 6 > 3));
    CHECK(minus(k) == ((special[k % 6] & sign) != 0));
  }
  auto const behind = x(ricci::range(2, n));  // NaN, NaN, -0, 0, inf, -inf
  CHECK(ricci::nanargmax(behind).item() == 4);
  CHECK(ricci::nanargmin(behind).item() == 5);
}
