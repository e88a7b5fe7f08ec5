// One known value of every elementwise operation, from a table (Abramowitz and Stegun; Python): the other tests compare
// a kernel with the same kernel in long double, and would not see that sin computes a cosine.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "list.hpp"

namespace {

struct anchor {
  char const* name;
  double operands[3];
  double value;
};
constexpr anchor anchors[] = {
    {"exp", {1}, 2.718281828459045},
    {"expm1", {1e-10}, 1.00000000005e-10},
    {"log", {10}, 2.302585092994046},
    {"log1p", {1e-10}, 9.9999999995e-11},
    {"sqrt", {2}, 1.4142135623730951},
    {"rsqrt", {4}, 0.5},
    {"sigmoid", {1}, 0.7310585786300049},
    {"softplus", {0.5}, 0.9740769841801067},
    {"erf", {0.5}, 0.5204998778130465},
    {"sin", {1}, 0.8414709848078965},
    {"cos", {1}, 0.5403023058681398},
    {"tan", {1}, 1.5574077246549023},
    {"tanh", {0.5}, 0.46211715726000973},
    {"sinh", {1}, 1.1752011936438014},
    {"cosh", {1}, 1.543080634815244},
    {"asin", {0.5}, 0.5235987755982989},
    {"acos", {0.5}, 1.0471975511965979},
    {"atan", {1}, 0.7853981633974483},
    {"negative", {2}, -2},
    {"square", {-3}, 9},
    {"abs", {-3}, 3},
    {"sign", {-3}, -1},
    {"relu", {-3}, 0},
    {"relu", {3}, 3},
    {"floor", {-2.5}, -3},
    {"ceil", {-2.5}, -2},
    {"round", {-2.5}, -2},
    {"atan2", {1, -1}, 2.356194490192345},
    {"pow", {2, 10}, 1024},
    {"add", {2, 3}, 5},
    {"subtract", {2, 3}, -1},
    {"multiply", {2, 3}, 6},
    {"divide", {3, 2}, 1.5},
    {"maximum", {2, 3}, 3},
    {"minimum", {2, 3}, 2},
    {"floor_divide", {-7, 2}, -4},
    {"remainder", {-7, 2}, 1},
    {"equal", {2, 2}, 1},
    {"not_equal", {2, 2}, 0},
    {"less", {2, 3}, 1},
    {"less_equal", {3, 2}, 0},
    {"greater", {3, 2}, 1},
    {"greater_equal", {2, 3}, 0},
    {"logical_and", {1, 0}, 0},
    {"logical_or", {1, 0}, 1},
    {"logical_xor", {1, 1}, 0},
    {"logical_not", {1}, 0},
    {"clip", {5, -1, 2}, 2},
    {"where", {1, 7, 8}, 7},
};

}  // namespace

TEST_CASE("every elementwise operation has its known value") {
  operations::for_each_elementwise([](auto op) {
    using Op = decltype(op);
    std::string const name = Op::name;
    INFO("operation ", name);
    int found = 0;
    for (auto const& a : anchors) {
      if (name != a.name) continue;
      ++found;
      auto const& x = a.operands;
      double y = 0;
      if constexpr (Op::arity == 1)
        y = static_cast<double>(op(x[0]));
      else if constexpr (Op::arity == 2)
        y = static_cast<double>(op(x[0], x[1]));
      else if constexpr (Op::first_numeric == 1)
        y = static_cast<double>(op(x[0] != 0, x[1], x[2]));
      else
        y = static_cast<double>(op(x[0], x[1], x[2]));
      CHECK(y == doctest::Approx(a.value).epsilon(1e-15));
    }
    CHECK(found > 0);
  });
}

namespace {

// Numbers for which std::pow has rules come out as they do there.
template <class T>
bool is_power(T y, T wanted) {
  if (std::isnan(wanted)) return std::isnan(y);
  if (std::isinf(wanted) || wanted == 0) return y == wanted && std::signbit(y) == std::signbit(wanted);
  return std::abs(y - wanted) <= 2 * std::numeric_limits<T>::epsilon() * std::abs(wanted);
}

}  // namespace

// The kernels know exponents that are one number for all elements.
TEST_CASE_TEMPLATE("powers by one number, and each by its own", T, float, double) {
  T const inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  T const tiny = std::numeric_limits<T>::min(), largest = std::numeric_limits<T>::max();
  T const special[] = {T(0),     -T(0), inf,   -inf,   nan,     tiny, -tiny, tiny / 4, largest,
                       -largest, T(1),  T(-1), T(2.5), T(-2.5), T(3), T(-3), T(1e-3)};
  int const count = int(std::size(special)), n = 3 * count;
  ricci::ndarray<T, 1> x(n), y(n), powers(n);
  for (int k = 0; k < n; ++k) x(k) = special[k % count];
  for (T const power : {T(2), T(3), T(0.5), T(-1), T(1), T(0), T(1.5)}) {
    y = ricci::pow(x, power);
    for (int k = 0; k < n; ++k) CHECK_MESSAGE(is_power(y(k), std::pow(x(k), power)), x(k), "^", power, " is ", y(k));
  }
  for (int shift = 0; shift < count; ++shift) {
    for (int k = 0; k < n; ++k) powers(k) = special[(k + shift) % count];
    y = ricci::pow(x, powers);
    for (int k = 0; k < n; ++k)
      CHECK_MESSAGE(is_power(y(k), std::pow(x(k), powers(k))), x(k), "^", powers(k), " is ", y(k));
  }
}
