// Derivatives of random numbers by the parameters of their distributions.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/random.hpp>

#include "../numbers.hpp"
#include "tables.hpp"

namespace rc = ricci;

namespace {

rc::random::key const key(5);
// rows of a jacobian, forwards and backwards
template <class F, class X>
void agrees(F const& f, X const& x) {
  auto const forwards = rc::eval(rc::jacfwd<1>(f)(key, x)), backwards = rc::eval(rc::jacrev<1>(f)(key, x));
  CHECK(numbers(forwards).near(numbers(backwards), 1e-12));
}

}  // namespace

TEST_CASE("formulas, to the second order") {
  auto const uniform = [](auto a, auto b) {
    return rc::sum(rc::square(rc::random::uniform<double>(key, rc::extents<5>{}, a, b)));
  };
  CHECK(rc::check_grads(uniform, rc::tensor<double>(-1.), rc::tensor<double>(2.), {.order = 2}));
  auto const truncated = [](auto a, auto b) {
    return rc::sum(rc::square(rc::random::truncated_normal<double>(key, a, b, rc::extents<5>{})));
  };
  CHECK(rc::check_grads(truncated, rc::tensor<double>(-0.5), rc::tensor<double>(1.5), {.order = 2}));
  CHECK(rc::check_grads(truncated, rc::tensor<double>(3.), rc::tensor<double>(4.), {.order = 2}));
  auto const normal = [](auto m, auto l) {
    return rc::sum(rc::exp(
        0.3 * rc::random::multivariate_normal<double>(key, m, rc::random::cholesky_factor(l), rc::extents<4>{})));
  };
  CHECK(
      rc::check_grads(normal, rc::tensor<double, 2>{1, -2}, rc::tensor<double, 2, 2>{{2, 0}, {1, 0.5}}, {.order = 2}));
  auto const of_covariance = [](auto m, auto c) {
    return rc::sum(rc::exp(0.3 * rc::random::multivariate_normal<double>(key, m, c, rc::extents<4>{})));
  };
  CHECK(rc::check_grads(of_covariance, rc::tensor<double, 2>{1, -2}, rc::tensor<double, 2, 2>{{4, 2}, {2, 1.25}}));
  CHECK(rc::check_grads([](auto t) { return rc::sum(rc::random::normal_of_tail(t)); },
                        rc::tensor<double, 4>{-0.4, -1e-2, 1e-3, 0.2}, {.order = 2}));
}
TEST_CASE("numbers of the gamma distribution move so that the probability of less stays what it is") {
  constexpr std::size_t rows = sizeof tables::slopes / sizeof *tables::slopes / 3;
  for (std::size_t k = 0; k < rows; ++k) {
    double const *const row = tables::slopes + 3 * k, tolerance = row[0] > 1e4 ? 2e-9 : 1e-12;
    CHECK(rc::special::slope_of_log_gamma(row[0], row[1]) == doctest::Approx(row[2]).epsilon(tolerance));
  }
  // so the derivative of the mean is that of the distribution's: of gamma 1, of beta b / (a + b)^2
  auto const mean =
      rc::grad([](auto a, auto k) { return rc::mean(rc::random::gamma<double>(k, a, rc::shape(20000))); })(3., key);
  CHECK(double(mean) == doctest::Approx(1).epsilon(0.02));
  auto const of_beta =
      rc::grad([](auto a, auto k) { return rc::mean(rc::random::beta<double>(k, a, 3., rc::shape(20000))); })(2., key);
  CHECK(double(of_beta) == doctest::Approx(3. / 25).epsilon(0.03));
  // mean of x^2 for t: df / (df - 2)
  auto const of_t = rc::grad([](auto df, auto k) {
    return rc::mean(rc::square(rc::random::student_t<double>(k, df, rc::shape(100000))));
  })(9., key);
  CHECK(double(of_t) == doctest::Approx(-2. / 49).epsilon(0.2));
}
TEST_CASE("forwards as backwards") {
  agrees([](auto k, auto a) { return rc::random::gamma<double>(k, a, rc::extents<3>{}); },
         rc::tensor<double, 3>{0.2, 1.5, 30});
  agrees([](auto k, auto a) { return rc::random::dirichlet<double>(k, a, rc::extents<2>{}); },
         rc::tensor<double, 3>{0.2, 1.5, 3});
  agrees([](auto k, auto a) { return rc::random::chi_square<double>(k, a, rc::extents<2>{}); }, rc::tensor<double>(4.));
  // the parts of a Dirichlet sample add up to 1: their derivatives to 0
  auto const j = rc::eval(rc::jacfwd<1>([](auto k, auto a) {
    return rc::random::dirichlet<double>(k, a, rc::extents<>{});
  })(key, rc::tensor<double, 3>{0.2, 1.5, 3}));
  CHECK(double(rc::max(rc::abs(rc::sum(j, rc::axis<0>)))) < 1e-14);
}
TEST_CASE("noise in functions: dropout, batches of keys and parameters, counts without derivatives") {
  auto const dropout = [](auto k, auto x) {
    return rc::where(rc::random::uniform<double>(k, rc::shape_of(x)) < 0.8, x / 0.8, 0.);
  };
  rc::ndarray<double, 1> const x = rc::ones<double>(rc::shape(1000));
  auto const g = rc::grad<1>([=](auto k, auto y) { return rc::sum(dropout(k, y)); })(key, x);
  CHECK(numbers(g) == numbers(rc::fn(dropout)(key, x)));
  CHECK(double(rc::max(g)) == 1.25);
  CHECK(double(rc::min(g)) == 0);

  auto const f = [](auto k, auto a) { return rc::sum(rc::random::gamma<double>(k, a, rc::extents<3>{})); };
  auto const keys = rc::eval(rc::random::fold_in(key, rc::tensor<int, 2>{0, 1}));
  rc::tensor<double, 2> const a{0.5, 4};
  auto const each = rc::vmap(rc::grad<1>(f))(keys, a);
  for (int k = 0; k < 2; ++k)
    CHECK(each(k) == doctest::Approx(double(rc::grad<1>(f)(rc::random::fold_in(key, k), rc::tensor<double>(a(k))))));

  auto const counts = [](auto k, auto rate) {
    return rc::sum(rate * rc::random::poisson<double>(k, rate, rc::extents<3>{}));
  };
  CHECK(double(rc::grad<1>(counts)(key, 4.)) ==
        double(rc::sum(rc::random::poisson<double>(key, 4., rc::extents<3>{}))));
}
