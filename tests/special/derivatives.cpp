// Derivatives of special functions against finite differences, and in float, in batches and where they are refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <ricci/special.hpp>

namespace rc = ricci;
namespace sp = rc::special;

namespace {

template <class F, class X>
bool derived(F f, X const& x, int order = 2) {
  return static_cast<bool>(rc::check_grads([=](auto a) { return rc::sum(f(a)); }, x, {.order = order}));
}
rc::tensor<double, 3> const positive{0.7, 1.9, 8.5}, unit{0.1, 0.45, 0.8};

}  // namespace

TEST_CASE("of the gamma and zeta functions") {
  CHECK(derived(sp::digamma, positive));
  CHECK(derived(sp::gammaln, positive));
  CHECK(derived([](auto a) { return sp::beta(a, a + 1.); }, positive));
  CHECK(derived([](auto q) { return sp::zeta(3., q); }, positive));
  CHECK(derived([](auto s) { return sp::zeta(s + 1., 1.5); }, positive, 1));
  CHECK(derived(sp::polygamma<2>, positive));
}
TEST_CASE("of the error functions") {
  CHECK(derived(sp::log_ndtr, rc::tensor<double, 3>{-4, 0.5, 2}));
  auto const slope = [](auto x) { return rc::grad(sp::log_ndtr)(x); };
  CHECK(rc::grad(slope)(60.).item() == 0);
  CHECK(rc::grad(slope)(30.f).item() == 0);
  CHECK(derived(sp::erfinv, unit));
  CHECK(derived(sp::ndtri, unit));
}
TEST_CASE("of Bessel functions, elliptic integrals, lambertw and logarithms") {
  CHECK(derived(sp::i1, rc::tensor<double, 3>{-2, 0, 1.5}));
  CHECK(derived(sp::k1, positive));
  CHECK(derived(sp::j1, rc::tensor<double, 3>{-2, 0, 1.5}));
  CHECK(derived(sp::y0, positive));
  CHECK(derived(sp::ellipk, rc::tensor<double, 4>{-0.5, 0, 0.001, 0.6}));
  CHECK(derived(sp::ellipe, rc::tensor<double, 4>{-0.5, 0, 0.001, 0.6}));
  CHECK(derived([](auto x) { return sp::lambertw(x); }, positive));
  CHECK(derived(sp::logit, unit));
  for (double end : {0., 1.}) {
    auto const [y, slope] = rc::jvp(sp::logit)(end)(1.);
    CHECK(y.item() == (end == 0 ? -HUGE_VAL : HUGE_VAL));
    CHECK(slope.item() == HUGE_VAL);
    CHECK(rc::grad(sp::logit)(end).item() == HUGE_VAL);
  }
  CHECK(derived(sp::entr, unit));
  CHECK(derived(sp::sinc, rc::tensor<double, 4>{-1.3, 0, 0.001, 0.5}));
  CHECK(rc::eval(sp::sinc(rc::tensor<double, 2>{0, 0.5}))(1) == doctest::Approx(0.63661977236758134).epsilon(1e-15));
}
TEST_CASE("of incomplete gamma functions, by both operands") {
  CHECK(derived([](auto x) { return sp::gammainc(2.5, x); }, positive));
  CHECK(derived([](auto a) { return sp::gammaincc(a, 1.3); }, positive, 1));
}
TEST_CASE("of their inverses and of the incomplete beta function, by each operand") {
  CHECK(derived([](auto p) { return sp::gammaincinv(2.5, p); }, unit));
  CHECK(derived([](auto q) { return sp::gammainccinv(2.5, q); }, unit));
  CHECK(derived([](auto a) { return sp::gammainccinv(a, 0.3); }, positive, 1));
  CHECK(derived([](auto x) { return sp::betainc(2.5, 0.7, x); }, unit));
  CHECK(derived([](auto a) { return sp::betainc(a, 1.5, 0.4); }, positive, 1));
  CHECK(derived([](auto b) { return sp::betaincc(0.8, b, 0.4); }, positive, 1));
  CHECK(derived([](auto p) { return sp::betaincinv(2.5, 1.2, p); }, unit));
  CHECK(derived([](auto q) { return sp::betainccinv(2.5, 1.2, q); }, unit));
  auto const of_all = [](auto a, auto b, auto p) { return rc::sum(sp::betaincinv(a, b, p)); };
  CHECK(rc::check_grads(of_all, positive, positive, unit, {.order = 1}));
  // a second one, by a parameter and then by what is not one
  auto const mixed = [](auto x) {
    return rc::sum(rc::grad([](auto a, auto t) { return rc::sum(sp::betainc(a, 1.5, t)); })(rc::ones_like(x) + 1., x));
  };
  CHECK(rc::check_grads(mixed, unit, {.order = 1, .reverse = false}));
}
TEST_CASE("products with logarithms are 0 where their factor is, and so are their derivatives") {
  auto const f = [](auto x, auto y) { return rc::sum(sp::xlogy(x, y)); };
  auto const [by_x, by_y] = rc::grad<0, 1>(f)(rc::tensor<double, 2>{0, 2}, rc::tensor<double, 2>{0, 4});
  CHECK(by_y(0) == 0);
  CHECK(by_y(1) == 0.5);
}
#if RICCI_EXCEPTIONS
TEST_CASE("a second derivative that there is none of is refused by name") {
  auto const f = [](auto a) { return rc::sum(sp::gammainc(a, 1.3)); };
  CHECK_THROWS_WITH(static_cast<void>(rc::check_grads(f, positive, {.order = 2})),
                    "slope_of_gammainc: there is no second derivative by this parameter");
}
#endif

namespace {

template <int Order, class F>
double nth(F f, double x) {
  if constexpr (Order == 0)
    return static_cast<double>(f(x));
  else
    return nth<Order - 1>(rc::grad(f), x);
}
constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("at edges: as in JAX, or as the series say") {
  auto const near = [](double found, double expected, double relative = 1e-12) {
    CAPTURE(found);
    CAPTURE(expected);
    CHECK(std::fabs(found - expected) <= relative * std::fabs(expected));
  };
  // by the factor also where it is 0
  near(nth<1>([](auto x) { return sp::xlogy(x, 3.); }, 0), std::log(3.));
  near(nth<1>([](auto x) { return sp::xlog1py(x, 3.); }, 0), std::log(4.));
  CHECK(nth<1>([](auto x) { return sp::entr(x); }, 0) == inf);
  CHECK(nth<1>([](auto x) { return sp::entr(x); }, -1) == 0);
  near(nth<1>([](auto x) { return sp::entr(x); }, .5), -1 - std::log(.5));
  auto const f = [](auto x, auto y) { return sp::xlogy(x, y); };
  near(static_cast<double>(rc::grad<0>([f](auto x, auto y) { return rc::grad<1>(f)(x, y); })(0., 3.)), 1. / 3);
  CHECK(rc::grad<1>(f)(0., 0.) == 0);
  CHECK(rc::grad<1>([](auto x, auto y) { return sp::xlog1py(x, y); })(0., -1.) == 0);
  // third and fourth derivatives at 0
  for (double const x : {0., 1e-3, .02}) {
    double const s = x * x;
    near(nth<3>([](auto t) { return sp::j1(t); }, x), -.375 + s * 5 / 32, 1e-6);
    near(nth<4>([](auto t) { return sp::j0(t); }, x), .375 - s * 5 / 32, 1e-6);
    near(nth<3>([](auto t) { return sp::i1(t); }, x), .375 + s * 5 / 32, 1e-6);
    near(nth<4>([](auto t) { return sp::i0(t); }, x), .375 + s * 5 / 32, 1e-6);
  }
  near(nth<1>([](auto x) { return sp::i1e(x); }, 0), .5);
  near(nth<1>([](auto x) { return sp::i1e(x); }, 1000), -6.3007312943015e-6, 1e-9);
  // densities at the ends of where they are
  near(nth<2>([](auto x) { return sp::gammainc(2., x); }, 0), 1);
  near(nth<2>([](auto x) { return sp::gammainc(1., x); }, 0), -1);
  near(nth<3>([](auto x) { return sp::gammainc(1., x); }, 0), 1);
  near(nth<3>([](auto x) { return sp::gammainc(2., x); }, 0), -2);
  near(nth<3>([](auto x) { return sp::gammainc(3., x); }, 0), 1);
  CHECK(nth<2>([](auto x) { return sp::gammainc(.5, x); }, 0) == -inf);
  near(nth<2>([](auto x) { return sp::gammaincc(2., x); }, 0), -1);
  for (double const x : {0., 1.}) {
    near(nth<2>([](auto t) { return sp::betainc(2., 1., t); }, x), 2);
    near(nth<2>([](auto t) { return sp::betainc(2., 2., t); }, x), x == 0 ? 6 : -6);
    near(nth<3>([](auto t) { return sp::betainc(2., 2., t); }, x), -12);
    near(nth<3>([](auto t) { return sp::betainc(3., 1., t); }, x), 6);
    CHECK(nth<2>([](auto t) { return sp::betainc(.5, .5, t); }, x) == (x == 0 ? -inf : inf));
  }
  near(nth<3>([](auto t) { return sp::betainc(.5, .75, t); }, .3), 6.4809845605606, 1e-11);
  CHECK(nth<1>([](auto a) { return sp::gammainc(a, inf); }, 2) == 0);
  CHECK(nth<1>([](auto a) { return sp::gammainc(a, 1e9); }, 1e7) == 0);
  CHECK(nth<1>([](auto a) { return sp::gammaincinv(a, 0.); }, 2) == 0);
  CHECK(nth<1>([](auto p) { return sp::gammaincinv(2., p); }, 1) == inf);
  CHECK(nth<1>([](auto a) { return sp::betaincinv(a, 2., 0.); }, 2) == 0);
  // far out, where what the formulas subtract is equal
  for (double const x : {7., 1e3, 1e6, 1e8}) {
    double const s = 1 / (x * x), first = -.56418958354775629 * s;
    near(nth<1>([](auto t) { return sp::erfcx(t); }, x), first * (1 - s * (1.5 - s * (3.75 - s * 13.125))), 1e-4 / x);
    near(nth<2>([](auto t) { return sp::erfcx(t); }, x), -first / x * (2 - s * (6 - s * (22.5 - s * 105))), 1e-3 / x);
  }
  for (double const x : {-1e3, -1e5, -1e7, -1e8})
    near(nth<2>([](auto t) { return sp::log_ndtr(t); }, x), -1 + 1 / (x * x), 1e-11);
}
