// Functions of plain numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <ricci/ricci.hpp>

// What constant expressions compute instead of a builtin that compilers do not fold there.
TEST_CASE_TEMPLATE("whole numbers near a number, as <cmath> has them", T, float, double) {
  namespace constant = ricci::scalar::constant;
  using limits = std::numeric_limits<T>;
  T const first_whole = T(1) / limits::epsilon();
  T const values[] = {T(0),
                      -T(0),
                      T(0.5),
                      T(-0.5),
                      T(1.5),
                      T(2.5),
                      T(-1.5),
                      T(-2.5),
                      T(3.7),
                      T(-3.7),
                      limits::max(),
                      limits::min(),
                      -limits::min(),
                      first_whole,
                      first_whole - T(0.5),
                      -first_whole,
                      limits::denorm_min(),
                      limits::infinity(),
                      -limits::infinity(),
                      limits::quiet_NaN()};
  auto const same = [](T a, T b) {
    CHECK((a == b || (std::isnan(a) && std::isnan(b))));
    CHECK((std::isnan(a) || std::signbit(a) == std::signbit(b)));
  };
  for (T const x : values) {
    INFO(x);
    same(constant::floor(x), std::floor(x));
    same(constant::ceil(x), std::ceil(x));
    same(constant::round(x), std::nearbyint(x));
    for (T const y : values) {
      INFO("over ", y);
      same(constant::truncated_remainder(x, y), std::fmod(x, y));
    }
  }
  constexpr ricci::tensor<T, 4> x{T(0.5), T(1.5), T(-0.25), T(-2.5)};
  static_assert(ricci::eval(ricci::round(x))(1) == 2 && ricci::eval(ricci::round(x))(3) == -2);
  static_assert(ricci::eval(ricci::floor(x))(2) == -1 && ricci::eval(ricci::ceil(x))(0) == 1);
  static_assert(ricci::eval(ricci::remainder(x, T(1)))(1) == T(0.5) &&
                ricci::eval(ricci::floor_divide(x, T(2)))(3) == -2);
}
