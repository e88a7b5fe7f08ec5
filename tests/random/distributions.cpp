// Each distribution against the table of its probabilities, by the chi-square test, with keys that do not change: of
// 20000 numbers those in each sixteenth of the probability, or those that are equal to each whole number. A right
// sampler exceeds the limits, which are those of 1 in 10000, for 1 key in 10000.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/random.hpp>

#include "../raised.hpp"
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
  rc::ndarray<double, 2> const high = rc::ones<double>(rc::shape(3, 1));
  CHECK(raised([&] { (void)rc::random::cholesky_factor(high); }) ==
        "shape_error: random::cholesky_factor: (3, 1) is not square");
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

TEST_CASE("each element has words of its own: a shape that parameters do not fit is an error") {
  auto const says = [](auto const& f, std::string const& expected) {
    CHECK(raised(f) == "shape_error: random::" + expected);
  };
  rc::tensor<double, 4> const four{1, 1, 1, 1};
  rc::ndarray<double, 2> const table = rc::ones<double>(rc::shape(8, 3));
  auto const one = rc::shape(1);
  std::string const other = ": an axis of a parameter has 4 elements, and that of the shape 1",
                    rows = ": an axis of a parameter has 8 elements, and that of the shape 1";
  says([&] { (void)rc::random::gamma<double>(key, four, one); }, "gamma" + other);
  says([&] { (void)rc::random::log_gamma<double>(key, four, one); }, "log_gamma" + other);
  says([&] { (void)rc::random::chi_square<double>(key, four, one); }, "chi_square" + other);
  says([&] { (void)rc::random::student_t<double>(key, four, one); }, "student_t" + other);
  says([&] { (void)rc::random::beta<double>(key, 2., four, one); }, "beta" + other);
  says([&] { (void)rc::random::dirichlet<double>(key, table, one); }, "dirichlet" + rows);
  says([&] { (void)rc::random::uniform<double>(key, one, four, 2.); }, "uniform" + other);
  says([&] { (void)rc::random::randint<int>(key, one, 0, rc::tensor<int, 4>{1, 2, 3, 4}); }, "randint" + other);
  says([&] { (void)rc::random::bernoulli(key, four, one); }, "bernoulli" + other);
  says([&] { (void)rc::random::truncated_normal<double>(key, four, 2., one); }, "truncated_normal" + other);
  says([&] { (void)rc::random::poisson(key, four, one); }, "poisson" + other);
  says([&] { (void)rc::random::binomial(key, 3, four, one); }, "binomial" + other);
  says([&] { (void)rc::random::geometric(key, four, one); }, "geometric" + other);
  says([&] { (void)rc::random::categorical(key, table, one); }, "categorical" + rows);
  says([&] { (void)rc::random::multinomial(key, 3, table, one); }, "multinomial" + rows);
  says(
      [&] {
        (void)rc::random::multivariate_normal<double>(key, four, rc::eval(table(rc::range(0, 1), rc::range(0, 1))),
                                                      one);
      },
      "multivariate_normal" + other);
  // in traced functions, too, where it is known when they run
  auto const f = [](auto k, auto a, auto like) { return rc::random::gamma<double>(k, a, rc::shape_of(like)); };
  rc::ndarray<double, 1> const a = four, short_one = rc::ones<double>(one);
  CHECK(raised([&] { (void)rc::fn(f)(key, a, short_one); }).find("shape_error") == 0);
  auto const traced = rc::eval(rc::fn(f)(key, a, a));
  CHECK(bool(rc::all(traced == rc::random::gamma<double>(key, a, rc::shape(4)))));
  CHECK(bool(rc::all(rc::fn(f)(key, short_one, a) == traced)));
  CHECK(double(traced(0)) != double(traced(1)));
  auto const g = rc::grad<1>([=](auto k, auto x) { return rc::sum(f(k, x, x)); })(key, a);
  CHECK(double(rc::min(g)) > 0);
}
TEST_CASE("whole numbers that are none, or beyond their type") {
  auto const few = rc::shape(20);
  CHECK(bool(rc::all(rc::random::binomial(key, 2.5, .5, few) == -1)));
  CHECK(bool(rc::all(rc::random::multinomial(key, 2.5, rc::tensor<double, 2>{1, 1}, few) == -1)));
  // where rounding left less than nothing for the last classes, they took trials back from others
  for (int a = 1; a < 10; ++a)
    for (int b = 1; b < 10; ++b) {
      rc::tensor<double, 5> const w{a / 10., b / 10., .7, 1e-20, 1e-20};
      auto const counts = rc::eval(rc::random::multinomial(key, 10, w, few));
      CHECK(bool(rc::all(counts >= 0) && rc::all(rc::sum(counts, rc::axis<1>) == 10) &&
                 rc::all(counts(rc::all, 3) == 0)));
    }
  auto const says = [](auto const& f, std::string const& expected) {
    CHECK(raised(f) == "value_error: random::randint: " + expected);
  };
  says([&] { (void)rc::random::randint<std::int8_t>(key, few, 0, 1000); },
       "from 0 to 999, where int8 has no numbers so high");
  says([&] { (void)rc::random::randint<std::uint8_t>(key, few, -5, 5); },
       "from -5 to 4, where uint8 has no numbers so low");
  says([&] { (void)rc::random::randint<std::int64_t>(key, few, 0, ~std::uint64_t(0)); },
       "from 0 to 18446744073709551614, where int64 has no numbers so high");
  says([&] { (void)rc::random::randint<int>(key, few, 0u, -1); }, "low is 0, high -1, and has to be above it");
  auto const all = rc::eval(rc::random::randint<std::uint64_t>(key, few, 0, ~std::uint64_t(0)));
  CHECK(bool(rc::any(all > std::uint64_t(1) << 63) && rc::any(all < std::uint64_t(1) << 63)));
  auto const bytes = rc::eval(rc::random::randint<std::int8_t>(key, few, -128, 128));
  CHECK(bool(rc::any(bytes < -64) && rc::any(bytes > 64)));
}
TEST_CASE("large counts, and ranges that no number has") {
  // variances of what is as many deviations from the mean
  auto const check = [](auto const& counts, double mean, double deviation) {
    auto const z = rc::eval((counts - mean) / deviation);
    CHECK(std::fabs(double(rc::mean(z))) < .03);
    CHECK(std::fabs(double(rc::mean(rc::square(z))) - 1) < .04);
  };
  for (double const n : {1e8, 1e14, 8e15}) {
    CAPTURE(n);
    check(rc::random::poisson<double>(key, n, shape), n, std::sqrt(n));
    check(rc::random::binomial<double>(key, n, .3, shape), .3 * n, std::sqrt(.21 * n));
  }
  CHECK(raised([] { (void)rc::random::uniform<double>(key, shape, -1.7e308, 1.7e308); }) ==
        "value_error: random::uniform: high - low is no finite number");
}
TEST_CASE("a ball of a large exponent is nearly a cube") {
  for (double const p : {20., 100., 1000.}) {
    CAPTURE(p);
    auto const x = rc::eval(rc::random::ball<float>(key, 3, static_cast<float>(p), shape));
    auto const size = rc::eval(rc::abs(rc::astype<double>(x)));
    CHECK(double(rc::min(size)) > 0);
    CHECK(double(rc::max(size)) <= 1);
    CHECK(std::fabs(double(rc::mean(size)) - .5) < .03);
    CHECK(std::fabs(double(rc::mean(x))) < .02);
  }
  CHECK(raised([] {
          (void)rc::random::ball<double>(key, 3, INFINITY, rc::shape(2));
        }).find("value_error: random::ball: p has to be finite") == 0);
}
TEST_CASE("weights of choices") {
  rc::ndarray<double, 1> const w = rc::ones<double>(rc::shape(20)), x = rc::arange<double>(0, 10);
  auto const few = rc::shape(5);
  std::string const said = "value_error: random::choice: 20 weights of 10 elements";
  CHECK(raised([&] { (void)rc::random::choice(key, 10, few, w); }) == said);
  CHECK(raised([&] { (void)rc::random::choice(key, x, few, w); }) == said);
  CHECK(raised([&] { (void)rc::random::choice(key, x, few, rc::random::without_replacement, w); }) == said);
  rc::ndarray<double, 1> const none(0);
  CHECK(raised([&] { (void)rc::random::choice(key, none, few, none); }) ==
        "value_error: random::choice: elements to choose from are expected, not 0");
  rc::tensor<int, 4> const four{1, 2, 3, 4};
  for (auto const& wrong : {rc::tensor<double, 4>{0, 0, 0, 0}, rc::tensor<double, 4>{1, -3, 1, 1},
                            rc::tensor<double, 4>{1, NAN, 1, 1}, rc::tensor<double, 4>{1, INFINITY, 1, 1}}) {
    CHECK(bool(rc::all(rc::random::choice(key, 4, few, wrong) == -1)));
    CHECK(bool(rc::all(rc::random::choice(key, 4, rc::shape(2), rc::random::without_replacement, wrong) == -1)));
    CHECK(raised([&] { (void)rc::eval(rc::random::choice(key, four, few, wrong)); }).find("index_error") == 0);
    CHECK(raised([&] {
            (void)rc::eval(rc::random::choice(key, four, rc::shape(2), rc::random::without_replacement, wrong));
          }).find("index_error") == 0);
  }
  auto const chosen = rc::eval(rc::random::choice(key, four, rc::shape(100), rc::tensor<double, 4>{0, 1, 0, 3}));
  CHECK(bool(rc::all((chosen == 2) | (chosen == 4))));
  CHECK(raised([] { (void)rc::random::bernoulli(key, rc::float16(2.f), rc::shape(2)); }).find("value_error") == 0);
}
