// Derivatives along a line against formulas, nested jvp and the interpreter, and how the cost grows with the order.
#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto cube = [](auto x) { return x * x * x; };
constexpr auto nested = [](auto x) {
  return rc::sum(rc::tanh(x * x) * rc::exp(x) + rc::log(2. + x * x) / (1. + x * x));
};
constexpr auto products = [](auto x) {
  auto y = x;
  for (int i = 0; i < 5; ++i) y = y * (y + x);
  return rc::sum(y);
};
constexpr auto layers = [](auto x) {
  auto const y = rc::tanh(rc::matmul(x, x));
  return rc::sum(rc::matmul(y, x) / (1. + rc::exp(y)));
};

template <class Kind = rc::values>
struct state {
  rc::field<Kind, double, 2> q;
  rc::field<Kind, double> p;
};

// How many instructions a jet of order K is, simplified.
template <int K, class F, class X>
double operations(F const&, X const&) {
  return rc::tracing::usual_program<rc::tracing::taylor<K>, F, X, X>::graph.size;
}
// A power of the order, about the second, and no factor with each order.
template <class F, class X>
void check_growth(F const& f, X const& x) {
  double const n[] = {operations<1>(f, x), operations<2>(f, x), operations<3>(f, x),
                      operations<4>(f, x), operations<5>(f, x), operations<6>(f, x)};
  INFO(n[0], " ", n[1], " ", n[2], " ", n[3], " ", n[4], " ", n[5]);
  CHECK(n[3] <= 4 * n[1]);
  CHECK(n[5] <= 5 * n[2]);
  CHECK(n[5] <= 20 * n[0]);
}

}  // namespace

TEST_CASE("of numbers and tensors, by formulas") {
  auto const series = rc::jet<3>(cube)(2., 1.);
  static_assert(std::is_same_v<decltype(series), std::array<rc::tensor<double>, 4> const>);
  for (int k = 0; k < 4; ++k) CHECK(double(series[std::size_t(k)]) == (k == 0 ? 8 : k == 3 ? 6 : 12));
  rc::tensor<double, 3> const x{1, 2, -1}, v{1, 0.5, 2};
  auto const check = [&](auto const& all) {
    CHECK(numbers(all[0]) == numbers{1, 8, -1});
    CHECK(numbers(all[1]) == numbers{3, 6, 6});    // 3 x^2 v
    CHECK(numbers(all[2]) == numbers{6, 3, -24});  // 6 x v^2
    CHECK(numbers(all[3]) == numbers{6, 0.75, 48});
    CHECK(numbers(all[4]) == numbers{0, 0, 0});
  };
  check(rc::jet<4>(cube)(x, v));
  check(rc::interpret(rc::jet<4>(cube))(x, v));
  rc::ndarray<double, 1> const nx = x, nv = v;
  check(rc::jet<4>(cube)(nx, nv));
  check(rc::interpret(rc::jet<4>(cube))(nx, nv));
  CHECK(numbers(rc::jet<0>(cube)(x, v)[0]) == numbers{1, 8, -1});
  auto const of_exp = rc::jet<5>([](auto y) { return rc::exp(2. * y); })(0., 1.);
  for (int k = 0; k < 6; ++k) CHECK(double(of_exp[std::size_t(k)]) == std::pow(2., k));
  auto const of_log = rc::jet<4>([](auto y) { return rc::log(y); })(2., 1.);
  numbers const expected{std::log(2.), 0.5, -0.25, 0.25, -0.375};
  for (std::size_t k = 0; k < 5; ++k) CHECK(double(of_log[k]) == doctest::Approx(expected.values[k]).epsilon(1e-14));
  auto const of_tanh = rc::jet<3>([](auto y) { return rc::tanh(y); })(0., 1.);
  CHECK(double(of_tanh[3]) == -2);
}
TEST_CASE("as nested derivatives, to the third") {
  rc::tensor<double, 4> const x{0.5, -0.25, 1, 0.1}, v{1, -2, 0.5, 0.25};
  auto const series = rc::jet<3>(nested)(x, v);
  auto const once = [](auto f) {
    return [=](auto y, auto u) { return rc::jvp([=](auto z) { return f(z, u); })(y)(u).second; };
  };
  auto const first = once([](auto y, auto) { return nested(y); });
  auto const second = once(first);
  auto const third = once(second);
  CHECK(double(series[1]) == doctest::Approx(double(rc::fn(first)(x, v))).epsilon(1e-13));
  CHECK(double(series[2]) == doctest::Approx(double(rc::fn(second)(x, v))).epsilon(1e-13));
  CHECK(double(series[3]) == doctest::Approx(double(rc::fn(third)(x, v))).epsilon(1e-13));
  CHECK(double(rc::interpret(rc::jet<3>(nested))(x, v)[3]) == doctest::Approx(double(series[3])).epsilon(1e-12));
}
TEST_CASE("several arguments, records, parts that do not depend on them") {
  auto const energy = [](auto const& s, auto t) {
    return std::tuple{rc::sum(s.q * s.q) * s.p, t * t, rc::astype<int>(rc::sum(s.q)), 1.5};
  };
  state<> s{{1, 2}, {}}, u{{1, 0}, {}};
  s.p = 3, u.p = 1;
  auto const check = [](auto const& series) {
    CHECK(double(std::get<0>(series[0])) == 15);
    CHECK(double(std::get<0>(series[1])) == 11);  // (q q + 2 t q + t^2) (p + t)
    CHECK(double(std::get<0>(series[2])) == 10);
    CHECK(double(std::get<0>(series[3])) == 6);
    CHECK(double(std::get<1>(series[2])) == 8);
    CHECK(double(std::get<1>(series[3])) == 0);
    CHECK(int(std::get<2>(series[0])) == 3);
    CHECK(int(std::get<2>(series[1])) == 0);
    CHECK(double(std::get<3>(series[0])) == 1.5);
    CHECK(double(std::get<3>(series[2])) == 0);
  };
  check(rc::jet<3>(energy)(s, 0.5, u, 2.));
  check(rc::interpret(rc::jet<3>(energy))(s, 0.5, u, 2.));
}
TEST_CASE("in traced functions, through loops") {
  rc::tensor<double, 3> const x{1, 2, -1};
  auto const second = [](auto y) { return rc::jet<2>(cube)(y, rc::ones_like(y))[2]; };
  CHECK(numbers(rc::fn(second)(x)) == numbers{6, 12, -6});
  CHECK(numbers(rc::vmap(second)(x)) == numbers{6, 12, -6});
  CHECK(numbers(rc::grad([=](auto y) { return rc::sum(second(y) * y); })(x)) == numbers{12, 24, -12});
  // y <- y + h k y, four times: y (1 + h k)^4
  auto const growth = [](auto k) {
    auto const step = [](auto y, auto hk) { return std::pair{y + hk * y, y}; };
    auto [last, all] = rc::scan(step, rc::ones_like(k), k * rc::full<double>(rc::extents<4>{}, 0.5, rc::like(k)));
    return last;
  };
  auto const series = rc::jet<3>(growth)(2., 1.);
  CHECK(double(series[0]) == 16);
  CHECK(double(series[1]) == 16);  // 4 h (1 + h k)^3
  CHECK(double(series[2]) == 12);
  CHECK(double(series[3]) == 6);
  CHECK(double(rc::interpret(rc::jet<3>(growth))(2., 1.)[3]) == 6);
}
TEST_CASE("derivatives of higher orders do not double the work with each") {
  check_growth(nested, rc::tensor<double, 4>{});
  check_growth(products, rc::tensor<double, 4>{});
  check_growth(layers, rc::tensor<double, 4, 4>{});
}

TEST_CASE("jet and hvp: a direction of another shape is an error that says whose it is") {
  rc::ndarray<double, 1> const two{1, 2}, three{1, 2, 3};
  CHECK(raised([&] { rc::jet<2>(cube)(two, three); }) == "shape_error: jet, a direction: (2,) (3,)");
  auto const sum = [](auto x) { return rc::sum(cube(x)); };
  CHECK(raised([&] { rc::hvp(sum)(two, three); }) == "shape_error: hvp, the vector: (2,) (3,)");
}
