// Each distribution against the table of its probabilities, by the chi-square test, with keys that do not change: of
// 20000 numbers those in each sixteenth of the probability, or those that are equal to each whole number. A right
// sampler exceeds the limits, which are those of 1 in 10000, for 1 key in 10000.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/random.hpp>

#include "tables.hpp"

namespace rc = ricci;

namespace {

rc::index_t const count = 20000;
rc::random::key const key(2024);
auto const shape = rc::shape(count);

// about, by E. Wilson and M. Hilferty
double limit(int degrees) {
  double const d = degrees, s = 1 - 2 / (9 * d) + 3.719 * std::sqrt(2 / (9 * d));
  return d * s * s * s;
}
template <std::size_t N>
bool fits(rc::ndarray<double, 1> const& x, double const (&quantiles)[N]) {
  double counts[N + 1]{}, sum = 0;
  for (rc::index_t i = 0; i < x.size(); ++i) {
    if (!(x(i) == x(i))) return false;
    std::size_t k = 0;
    while (k < N && x(i) > quantiles[k]) ++k;
    ++counts[k];
  }
  double const expected = double(x.size()) / double(N + 1);
  for (double c : counts) sum += (c - expected) * (c - expected) / expected;
  INFO("chi-square " << sum);
  CHECK(sum > 1);
  return sum < limit(int(N));
}
template <std::size_t N>
bool fits(rc::ndarray<double, 1> const& x, int first, double const (&p)[N]) {
  double counts[N]{}, other = 0, rest = 1, sum = 0;
  for (rc::index_t i = 0; i < x.size(); ++i) {
    double const k = x(i) - first;
    if (k >= 0 && k < double(N))
      ++counts[std::size_t(k)];
    else
      ++other;
  }
  double const n = double(x.size());
  for (std::size_t k = 0; k < N; ++k) {
    rest -= p[k];
    sum += (counts[k] - n * p[k]) * (counts[k] - n * p[k]) / (n * p[k]);
  }
  rest = rest > 0 ? rest : 0;
  CHECK(std::abs(other - n * rest) < 5 * std::sqrt(n * rest) + 3);
  return sum < limit(int(N));
}

}  // namespace

TEST_CASE("the test tells distributions apart") {
  CHECK_FALSE(fits(rc::random::normal<double>(key, shape) * 1.05, tables::normal));
  CHECK_FALSE(fits(rc::random::normal<double>(key, shape) + 0.05, tables::normal));
}
TEST_CASE("of one word") {
  CHECK(fits(rc::random::normal<double>(key, shape), tables::normal));
  CHECK(fits(rc::astype<double>(rc::random::normal<float>(key, shape)), tables::normal));
  CHECK(fits(rc::random::normal<double>(rc::random::threefry(1), shape), tables::normal));
  CHECK(fits(rc::random::exponential<double>(key, shape), tables::exponential));
  CHECK(fits(rc::random::gumbel<double>(key, shape), tables::gumbel));
  CHECK(fits(rc::random::logistic<double>(key, shape), tables::logistic));
  CHECK(fits(rc::random::laplace<double>(key, shape), tables::laplace));
  CHECK(fits(rc::random::cauchy<double>(key, shape), tables::cauchy));
  CHECK(fits(rc::random::truncated_normal<double>(key, -0.5, 2., shape), tables::truncated));
  CHECK(fits(rc::random::truncated_normal<double>(key, 6., 7., shape), tables::truncated_far));
}
TEST_CASE("of gamma numbers") {
  CHECK(fits(rc::random::gamma<double>(key, 7.5, shape), tables::gamma_large));
  CHECK(fits(rc::random::gamma<double>(key, 1., shape), tables::gamma_one));
  CHECK(fits(rc::random::gamma<double>(key, 0.3, shape), tables::gamma_small));
  CHECK(fits(rc::random::chi_square<double>(key, 5, shape), tables::chi_square));
  CHECK(fits(rc::random::beta<double>(key, 0.5, 3., shape), tables::beta));
  CHECK(fits(rc::random::student_t<double>(key, 4., shape), tables::student));
  // one of three numbers of a Dirichlet distribution is a beta number
  rc::tensor<double, 3> const alpha{0.5, 1.25, 1.75};
  auto const parts = rc::eval(rc::random::dirichlet<double>(key, alpha, shape));
  CHECK(fits(parts(rc::all, 0), tables::beta));
  CHECK(double(rc::max(rc::abs(rc::sum(parts, rc::axis<-1>) - 1.))) < 1e-14);
}
TEST_CASE("counts") {
  CHECK(fits(rc::random::poisson<double>(key, 3., shape), tables::poisson_few_first, tables::poisson_few));
  CHECK(fits(rc::random::poisson<double>(key, 37.5, shape), tables::poisson_many_first, tables::poisson_many));
  CHECK(fits(rc::random::binomial<double>(key, 10, 0.3, shape), tables::binomial_few_first, tables::binomial_few));
  CHECK(fits(rc::random::binomial<double>(key, 200, 0.7, shape), tables::binomial_many_first, tables::binomial_many));
  CHECK(fits(rc::random::geometric<double>(key, 0.25, shape), tables::geometric_first, tables::geometric));
  auto const classes = rc::eval(rc::random::multinomial<double>(key, 50, rc::tensor<double, 4>{2, 0, 3, 5}, shape));
  CHECK(fits(classes(rc::all, 2), tables::multinomial_first, tables::multinomial));
  CHECK(bool(rc::all(rc::sum(classes, rc::axis<-1>) == 50.)));
  CHECK(bool(rc::all(classes(rc::all, 1) == 0.)));
  double const classes_of_four[] = {0.1, 0.2, 0.3, 0.4}, coin[] = {0.3, 0.7}, die[] = {.2, .2, .2, .2, .2};
  rc::tensor<double, 4> const weights{1, 2, 3, 4};
  CHECK(fits(rc::astype<double>(rc::random::categorical(key, rc::log(weights), shape)), 0, classes_of_four));
  CHECK(fits(rc::where(rc::random::bernoulli(key, 0.7, shape), 1., 0.), 0, coin));
  CHECK(fits(rc::astype<double>(rc::random::randint<int>(key, shape, -2, 3)), -2, die));
  CHECK(fits(rc::astype<double>(rc::random::choice(key, 5, shape)), 0, die));
}
TEST_CASE("vectors and matrices") {
  auto const points = rc::eval(rc::random::ball<double>(key, 3, shape));
  CHECK(fits(rc::pow(rc::sum(rc::square(points), rc::axis<-1>), 1.5), tables::ball));
  auto const of_sums = rc::eval(rc::random::ball<double>(key, rc::known<2>, 1., shape));  // a square on its corner
  CHECK(fits(rc::square(rc::sum(rc::abs(of_sums), rc::axis<-1>)), tables::ball));
  auto const turns = rc::eval(rc::random::orthogonal<double>(key, rc::known<3>, shape));
  CHECK(double(rc::max(rc::abs(rc::matmul(turns, rc::matrix_transpose(turns)) - rc::eye<double>(3)))) < 1e-14);
  for (int k = 0; k < 3; ++k) CHECK(fits(rc::square(turns(rc::all, k, 2 - k)) * 1., tables::rotation));
  rc::tensor<double, 2> const mean{1, -2};
  rc::tensor<double, 2, 2> const l{{2, 0}, {1, 0.5}};
  auto const x = rc::eval(rc::random::multivariate_normal<double>(key, mean, rc::random::cholesky_factor(l), shape));
  CHECK(fits((x(rc::all, 0) - 1.) / 2., tables::normal));
  CHECK(fits((x(rc::all, 1) + 2.) / std::sqrt(1.25), tables::normal));
  CHECK(fits((x(rc::all, 1) + 2. - (x(rc::all, 0) - 1.) / 2.) / 0.5, tables::normal));
  rc::tensor<double, 2, 2> const covariance = rc::matmul(l, l.T());
  auto const same = rc::eval(rc::random::multivariate_normal<double>(key, mean, covariance, shape));
  CHECK(double(rc::max(rc::abs(same - x))) < 1e-13);
  auto const none = rc::eval(rc::random::multivariate_normal<double>(key, mean, -1. * covariance, rc::shape(2)));
  CHECK(std::isnan(none(1, 1)));
}
TEST_CASE("both tails of normal numbers") {
  CHECK(double(rc::random::normal_of_tail(-1e-19)) == doctest::Approx(-9.0132711531266754).epsilon(1e-15));
  CHECK(double(rc::random::normal_of_tail(1e-19)) == doctest::Approx(9.0132711531266754).epsilon(1e-15));
  CHECK(double(rc::random::normal_of_tail(-1e-9f)) == doctest::Approx(-5.9978070).epsilon(1e-6));
  rc::random::tail_of_word_t<float> const tail{};
  CHECK(tail(rc::tensor<std::uint32_t>(0u)).item() == 0x1p-33f);
  CHECK(tail(rc::tensor<std::uint32_t>(0x80000000u)).item() == -0x1p-33f);
  CHECK(tail(rc::tensor<std::uint32_t>(~0u)).item() == -0.5f);
}
TEST_CASE("parameters that are out of range, and those at its ends") {
  auto const few = rc::shape(3);
  CHECK(bool(rc::all(rc::isnan(rc::random::gamma<double>(key, rc::tensor<double, 3>{0, -1, NAN}, few)))));
  CHECK(bool(rc::all(rc::random::poisson(key, rc::tensor<double, 3>{-1, NAN, 1e300}, few) == -1)));
  CHECK(bool(rc::all(rc::random::binomial(key, 5, rc::tensor<double, 3>{-0.1, 1.1, NAN}, few) == -1)));
  CHECK(bool(rc::all(rc::random::binomial(key, 5, 1., few) == 5)));
  CHECK(bool(rc::all(rc::random::binomial(key, 5, 0., few) == 0)));
  CHECK(bool(rc::all(rc::random::poisson(key, 0., few) == 0)));
  CHECK(bool(rc::all(rc::random::geometric(key, 1., few) == 1)));
  CHECK(bool(rc::all(rc::random::geometric(key, 0., few) == -1)));
  CHECK_THROWS_WITH_AS(rc::random::bernoulli(key, 1.5, few),
                       "random::bernoulli: p is above 1, and has to be within 0 and 1", rc::value_error);
  CHECK_THROWS_WITH_AS(rc::random::bernoulli(key, -1, few),
                       "random::bernoulli: p is below 0, and has to be within 0 and 1", rc::value_error);
  CHECK_THROWS_WITH_AS(rc::random::bernoulli(key, NAN, few),
                       "random::bernoulli: p is NaN, and has to be within 0 and 1", rc::value_error);
  CHECK(bool(rc::all(rc::random::bernoulli(key, 1, few))));
  CHECK(!bool(rc::any(rc::random::bernoulli(key, 0.f, few))));
  CHECK(bool(rc::all(rc::random::bernoulli(key, rc::tensor<double, 3>{1.5, -1, NAN}, few) ==
                     rc::tensor<bool, 3>{true, false, false})));
  // all of their range
  auto const wide = rc::eval(rc::random::randint<std::int64_t>(key, rc::shape(1000), INT64_MIN, INT64_MAX));
  CHECK(double(rc::min(wide)) < -9e18);
  CHECK(double(rc::max(wide)) > 9e18);
  CHECK(bool(rc::all(rc::random::randint<int>(key, few, rc::tensor<int, 3>{1, 2, 3}, 2) ==
                     rc::tensor<int, 3>{1, 2, 3})));  // low where there is nothing
  rc::ndarray<float, 1> const u = rc::random::uniform<float>(key, rc::shape(100000));
  CHECK(float(rc::max(u)) < 1.f);
  CHECK(float(rc::min(u)) >= 0.f);
}
