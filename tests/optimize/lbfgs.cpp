// The method of L-BFGS beside SciPy's and scikit-learn's (scipy_table.py), on trees of any extents and both types.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <ricci/ops/create.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/optimize.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "scipy_table.hpp"

namespace rc = ricci;
namespace table = scipy_table;
using rc::optimize::lbfgs;
using rc::optimize::stop;

namespace {

constexpr auto rosenbrock = [](auto const& x) {
  auto const left = rc::eval(x(rc::range(0, -1))), right = rc::eval(x(rc::range(1, rc::end)));
  return rc::sum(100 * rc::square(right - left * left) + rc::square(1 - left));
};
template <class T>
rc::tensor<T, rc::dyn> valley(int n) {
  rc::tensor<T, rc::dyn> x = rc::zeros<T>(rc::shape(n));
  for (int k = 0; k < n; ++k) x(k) = k % 2 == 0 ? T(-1.2) : T(1);
  return x;
}
template <int N>
numbers ones() {
  rc::tensor<double, N> one = rc::ones<double>(rc::extents<N>{});
  return numbers(one);
}
template <class X, std::size_t N>
X filled(X x, double const (&values)[N], int from = 0) {
  for (int k = 0; k < int(x.size()); ++k) x.data()[k] = static_cast<typename X::value_type>(values[from + k]);
  return x;
}

template <class Kind = rc::values>
struct classifier {
  rc::field<Kind, double, 4, 3> w;
  rc::field<Kind, double, 3> b;
};
// minus the logarithms of the probabilities of the classes, and half the squares of the weights
constexpr auto logistic = [](auto const& p, auto const& x, auto const& is_class) {
  auto const scores = rc::eval(rc::matmul(x, p.w) + p.b);
  auto const chosen = rc::sum(scores * is_class);
  return rc::sum(rc::logsumexp(scores, rc::axis<1>)) - chosen + .5 * rc::sum(p.w * p.w);
};

template <class T>
struct net_of {
  template <class Kind = rc::values>
  struct params {
    rc::field<Kind, T, 2, 6> w;
    rc::field<Kind, T, 6> b, out;
    rc::field<Kind, T> shift;
  };
};
constexpr auto net_loss = [](auto const& p, auto const& x, auto const& y) {
  auto const hidden = rc::eval(rc::tanh(rc::matmul(x, p.w) + p.b));
  auto const wrong = rc::eval(rc::matmul(hidden, p.out) + p.shift - y);
  auto const squares = rc::sum(p.w * p.w) + rc::sum(p.b * p.b) + rc::sum(p.out * p.out) + p.shift * p.shift;
  return rc::mean(wrong * wrong) + 1e-3f * squares;
};
template <class T>
auto fitted_net(rc::optimize::lbfgs_options const& o) {
  typename net_of<T>::template params<> p;
  auto const& start = table::net_start;
  p.w = filled(p.w, start), p.b = filled(p.b, start, 12), p.out = filled(p.out, start, 18), p.shift = T(start[24]);
  rc::tensor<T, 25, 2> const x = filled(rc::tensor<T, 25, 2>(), table::points);
  rc::tensor<T, 25> const y = filled(rc::tensor<T, 25>(), table::targets);
  return lbfgs(net_loss, p, o, x, y);
}

}  // namespace

TEST_CASE("Rosenbrock's function of 2 and of 100 numbers") {
  auto const two = lbfgs(rosenbrock, rc::tensor<double, 2>{-1.2, 1}, {.gtol = 1e-8, .ftol = 0});
  CHECK(numbers(two.x).near({1, 1}, 1e-8));
  CHECK(two.reason == stop::gradient);
  CHECK(two.gradient_norm <= 1e-8);
  CHECK(two.value < 1e-15);
  CHECK(two.evaluations <= 1.3 * table::rosenbrock_2_evaluations[0]);
  CHECK(two.steps < two.evaluations);
  auto const many = lbfgs(rosenbrock, valley<double>(100), {.gtol = 1e-8, .ftol = 0});
  CHECK(numbers(many.x).near(ones<100>(), 1e-7));
  CHECK(many.reason == stop::gradient);
  CHECK(many.evaluations <= 1.3 * table::rosenbrock_100_evaluations[0]);
  // with more of the past, and in float
  auto const longer = lbfgs<30>(rosenbrock, valley<double>(100), {.gtol = 1e-8, .ftol = 0});
  CHECK(numbers(longer.x).near(ones<100>(), 1e-7));
  auto const single = lbfgs(rosenbrock, valley<float>(100), {.gtol = 1e-3});
  CHECK(numbers(single.x).near(ones<100>(), 1e-3));
}

TEST_CASE("as many evaluations whatever the unit of the function") {
  auto const evaluations = [](auto scale, double gtol) {
    using T = decltype(scale);
    rc::ndarray<T, 1> const c = rc::exp(rc::linspace<T>(0, 7, 50));
    auto const bowl = [](auto const& x, auto const& w, auto const& s) { return s * rc::sum(w * rc::square(x - 1)); };
    auto const r = lbfgs(bowl, rc::ndarray<T, 1>(rc::zeros<T>(rc::shape(50))),
                         {.gtol = gtol * double(scale), .ftol = 0, .max_evaluations = 2000}, c, rc::tensor<T>(scale));
    CHECK(r.reason == stop::gradient);
    return r.evaluations;
  };
  int const as_it_is = evaluations(1., 1e-6);
  for (double scale : {0x1p-33, 0x1p43, 0x1p60})
    CHECK(evaluations(scale, 1e-6) == doctest::Approx(as_it_is).epsilon(.1));
  int const single = evaluations(1.f, 1e-2);
  for (float scale : {0x1p-20f, 0x1p17f, 0x1p26f})
    CHECK(evaluations(scale, 1e-2) == doctest::Approx(single).epsilon(.3));
}

TEST_CASE("logistic regression, as of scikit-learn") {
  rc::tensor<double, 60, 4> const x = filled(rc::tensor<double, 60, 4>(), table::x);
  rc::tensor<double, 60, 3> is_class = rc::zeros<double>(rc::extents<60, 3>{});
  for (int k = 0; k < 60; ++k) is_class(k, table::labels[k]) = 1;
  auto const r = lbfgs(logistic, classifier<>{}, {.gtol = 1e-8, .ftol = 0}, x, is_class);
  CHECK(numbers(r.x.w).near(numbers(filled(rc::tensor<double, 4, 3>(), table::weights)), 1e-6));
  CHECK(r.value == doctest::Approx(table::logistic_value[0]).epsilon(1e-12));
  CHECK(r.evaluations <= 1.3 * table::logistic_evaluations[0]);
}

TEST_CASE("a net, in double and in float") {
  auto const r = fitted_net<double>({.gtol = 1e-8, .ftol = 0});
  CHECK(r.value <= 1.01 * table::net_value[0]);
  CHECK(r.reason == stop::gradient);
  auto const single = fitted_net<float>({.gtol = 1e-4});
  CHECK(single.value <= 1.05 * table::net_value[0]);
}

TEST_CASE("trees: numbers, tuples, views") {
  auto const bowl = [](auto const& p, auto const& centre) {
    auto const& [a, b] = p;
    return rc::square(a - centre) + rc::sum(rc::square(b - 2 * a));
  };
  rc::tensor<double, 2, 3> const rows{{1, 2, 3}, {4, 5, 6}};
  auto const r = lbfgs(bowl, std::tuple(1., rows(1)), {.gtol = 1e-10, .ftol = 0}, 3.);
  CHECK(std::get<0>(r.x).item() == doctest::Approx(3));
  CHECK(numbers(std::get<1>(r.x)).near({6, 6, 6}, 1e-9));
  auto const one = lbfgs([](auto const& x) { return rc::cosh(x - 1); }, 5.f);
  CHECK(one.x.item() == doctest::Approx(1).epsilon(1e-4));
  rc::tensor<double, rc::dyn, rc::dyn> const none = rc::zeros<double>(rc::shape(0, 3));
  auto const empty = lbfgs([](auto const& x) { return rc::sum(x * x); }, none);
  CHECK(empty.reason == stop::gradient);
  CHECK(empty.evaluations == 1);
}

TEST_CASE("why it stops") {
  rc::tensor<double, 2> const x0{-1.2, 1};
  CHECK(lbfgs(rosenbrock, rc::tensor<double, 2>{1, 1}).steps == 0);
  auto const short_of_steps = lbfgs(rosenbrock, x0, {.max_steps = 3});
  CHECK(short_of_steps.reason == stop::max_steps);
  CHECK(short_of_steps.steps == 3);
  for (int most = 1; most < 30; ++most) {
    auto const r = lbfgs(rosenbrock, x0, {.max_evaluations = most});
    CHECK(r.reason == stop::max_evaluations);
    CHECK(r.evaluations == most);
    CHECK(r.value == doctest::Approx(rc::fn(rosenbrock)(r.x).item()));
    CHECK(r.value <= 24.2 + 1e-9);
  }
  auto const flat = lbfgs(rosenbrock, x0, {.gtol = 0, .ftol = 1e-3});
  CHECK(flat.reason == stop::value);
  // |x| has no minimum with a gradient of 0
  auto const corner = lbfgs([](auto const& x) { return rc::sum(rc::abs(x)); }, x0, {.gtol = 1e-5, .ftol = 0});
  CHECK(corner.reason == stop::no_progress);
  CHECK(corner.value < 1e-3);
  CHECK(std::string(name_of(corner.reason)) == "no_progress");
}

TEST_CASE("places where the function is not finite") {
  // NaN left of 0, where the first step goes
  auto const walled = [](auto const& x) { return rc::sum(x - rc::log(x)); };
  auto const r = lbfgs(walled, rc::tensor<double, 2>{.01, 60}, {.gtol = 1e-9, .ftol = 0});
  CHECK(numbers(r.x).near({1, 1}, 1e-8));
  CHECK(raised([&] {
          (void)lbfgs(walled, rc::tensor<double, 2>{-1, 1});
        }) == "value_error: optimize::lbfgs: at x0 the value is NaN");
  CHECK(raised([&] {
          (void)lbfgs(walled, rc::tensor<double, 2>{0, 1});
        }) == "value_error: optimize::lbfgs: at x0 the value is infinity");
  CHECK(raised([] { (void)lbfgs([](auto const& x) { return rc::sum(rc::asin(x)); }, rc::tensor<double, 1>{1}); }) ==
        "value_error: optimize::lbfgs: at x0 an element of the gradient is infinity");
  CHECK(raised([&] {
          (void)lbfgs(rosenbrock, rc::tensor<double, 2>{1, 2}, {.gtol = -1});
        }) == "value_error: optimize::lbfgs: a gtol of at least 0 is expected");
  CHECK(raised([&] {
          (void)lbfgs(rosenbrock, rc::tensor<double, 2>{1, 2}, {.max_evaluations = 0});
        }) == "value_error: optimize::lbfgs: max_evaluations above 0 is expected");
  // falls without end
  auto const endless = lbfgs([](auto const& x) { return rc::sum(x); }, rc::tensor<double, 2>{1, 2}, {.max_steps = 20});
  CHECK(endless.value < -1e6);
}
