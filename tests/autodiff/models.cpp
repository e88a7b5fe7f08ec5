// Models of statistics and learning with known derivatives: compared with formulas derived by hand, and with
// differences where the formula would be the program once more.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr rc::all_t all{};

rc::ndarray<double, 1> points(int n, double from, double by) {
  rc::ndarray<double, 1> x(n);
  for (int i = 0; i < n; ++i) x(i) = from + by * std::sin(3. * i);
  return x;
}
rc::ndarray<double, 2> table(int m, int n, double scale) {
  rc::ndarray<double, 2> t(m, n);
  for (int i = 0; i < m * n; ++i) t.data()[i] = scale * std::sin(1. + 2.7 * i);
  return t;
}

}  // namespace

TEST_CASE("softmax cross entropy: probabilities minus targets, also for logits far out") {
  auto const loss = [](auto logits, auto targets) {
    return -rc::mean(rc::sum(targets * rc::log(rc::softmax(logits)), rc::axis<1>));
  };
  auto const by_logsumexp = [](auto logits, auto targets) {
    return rc::mean(rc::logsumexp(logits, rc::axis<1>) - rc::sum(targets * logits, rc::axis<1>));
  };
  rc::tensor<double, 3, 4> const targets{{1, 0, 0, 0}, {0, 0.5, 0.5, 0}, {0, 0, 0, 1}};
  for (double scale : {1., 30.}) {
    rc::tensor<double, 3, 4> const logits = scale * table(3, 4, 1);
    auto const p = rc::eval(rc::softmax(logits));
    numbers const want(rc::eval((p - targets) / 3.));
    CHECK(numbers(rc::grad(loss)(logits, targets)).near(want));
    CHECK(numbers(rc::grad(by_logsumexp)(logits, targets)).near(want));
    CHECK(double(rc::fn(loss)(logits, targets)) == doctest::Approx(double(rc::fn(by_logsumexp)(logits, targets))));
  }
  rc::tensor<double, 3, 4> const far = 1e4 * table(3, 4, 1);
  auto const g = rc::grad(by_logsumexp)(far, targets);
  for (int i = 0; i < 12; ++i) CHECK(std::isfinite(g.data()[i]));
}

TEST_CASE("log-sum-exp at its extremes") {
  auto const f = [](auto x) { return rc::logsumexp(x); };
  double const inf = std::numeric_limits<double>::infinity();
  CHECK(numbers(rc::grad(f)(rc::tensor<double, 3>{1e300, 0, -1e300})) == numbers{1, 0, 0});
  CHECK(numbers(rc::grad(f)(rc::tensor<double, 3>{-inf, 5, 5})) == numbers{0, 0.5, 0.5});
  CHECK(rc::fn(f)(rc::tensor<double, 2>{-inf, -inf}).item() == -inf);
  CHECK(rc::fn(f)(rc::ndarray<double, 1>(0)).item() == -inf);
  // the second derivative: diag(p) - p p^T
  rc::tensor<double, 3> const x{1, 2, 3}, t{1, -1, 2};
  auto const p = rc::eval(rc::softmax(x));
  auto const ht = rc::jvp(rc::grad(f))(x)(t).second;
  double const pt = double(rc::sum(p * t));
  for (int i = 0; i < 3; ++i) CHECK(ht(i) == doctest::Approx(p(i) * (t(i) - pt)));
}

// the objective of Srajer, Kukelova, Fitzgibbon, A benchmark of selected algorithmic differentiation tools (2018), for
// diagonal covariances: sum_i logsumexp_k (a_k + sum q_k - |exp(q_k) (x_i - m_k)|^2 / 2) - n logsumexp(a)
TEST_CASE("a mixture of Gaussians: means and weights against their formulas, the rest against differences") {
  auto const objective = [](auto p, auto x) {
    auto [alpha, means, q] = p;
    auto const n = x.shape(0);
    auto const d = (rc::expand_dims(x, rc::axis<1>) - means) * rc::exp(q);  // (n, k, dimensions)
    auto const each = alpha + rc::sum(q, rc::axis<1>) - 0.5 * rc::sum(d * d, rc::axis<2>);
    return rc::sum(rc::logsumexp(each, rc::axis<1>)) - n * rc::logsumexp(alpha);
  };
  rc::ndarray<double, 2> const x = table(20, 2, 2), means = table(3, 2, 1.5), q = table(3, 2, 0.3);
  rc::ndarray<double, 1> const alpha{0.1, -0.2, 0.4};
  auto const p = std::tuple(alpha, means, q);
  auto const [da, dm, dq] = rc::grad(objective)(p, x);
  // responsibilities
  rc::ndarray<double, 2> r(20, 3);
  for (int i = 0; i < 20; ++i) {
    double total = 0;
    for (int k = 0; k < 3; ++k) {
      double e = alpha(k);
      for (int j = 0; j < 2; ++j) e += q(k, j) - 0.5 * std::pow((x(i, j) - means(k, j)) * std::exp(q(k, j)), 2);
      total += r(i, k) = std::exp(e);
    }
    r(i) /= total;
  }
  double weights = 0;
  for (int k = 0; k < 3; ++k) weights += std::exp(alpha(k));
  for (int k = 0; k < 3; ++k) {
    CHECK(da(k) == doctest::Approx(double(rc::sum(r(all, k))) - 20 * std::exp(alpha(k)) / weights));
    for (int j = 0; j < 2; ++j) {
      double m = 0, s = 0;
      for (int i = 0; i < 20; ++i) {
        double const z = (x(i, j) - means(k, j)) * std::exp(q(k, j));
        m += r(i, k) * z * std::exp(q(k, j));
        s += r(i, k) * (1 - z * z);
      }
      CHECK(dm(k, j) == doctest::Approx(m));
      CHECK(dq(k, j) == doctest::Approx(s));
    }
  }
}

// one layer of long short-term memory over a sequence
TEST_CASE("a recurrent cell: all gradients against differences") {
  auto const run = [](auto p, auto sequence) {
    auto [wx, wh, b] = p;
    auto h = rc::zeros_like(b(rc::range<0, 3>()));
    auto c = h;
    auto loss = 0. * rc::sum(h);
    for (int t = 0; t < 3; ++t) {
      auto const z = rc::matmul(sequence(t), wx) + rc::matmul(h, wh) + b;
      auto const forget = rc::sigmoid(z(rc::range<0, 3>())), in = rc::sigmoid(z(rc::range<3, 6>()));
      auto const out = rc::sigmoid(z(rc::range<6, 9>())), fresh = rc::tanh(z(rc::range<9, 12>()));
      c = forget * c + in * fresh;
      h = out * rc::tanh(c);
      loss = loss + rc::sum(h * h);
    }
    return loss;
  };
  rc::tensor<double, 2, 12> const wx = table(2, 12, 0.8);
  rc::tensor<double, 3, 12> const wh = table(3, 12, 0.6);
  rc::tensor<double, 12> const b = points(12, 0.1, 0.2);
  rc::tensor<double, 4, 2> const sequence = table(4, 2, 1);
  auto const [gx, gh, gb] = rc::grad(run)(std::tuple(wx, wh, b), sequence);
  auto const value = [&](auto const& x, auto const& h, auto const& v) {
    return double(rc::fn(run)(std::tuple(x, h, v), sequence));
  };
  rc::tensor<double, 2, 12> const tx = table(2, 12, 1);
  rc::tensor<double, 3, 12> const th = table(3, 12, 1);
  double const step = 1e-5;
  auto const central = [&](auto const& up, auto const& down) { return (up - down) / (2 * step); };
  CHECK(double(rc::sum(gx * tx)) ==
        doctest::Approx(central(value(rc::eval(wx + step * tx), wh, b), value(rc::eval(wx - step * tx), wh, b)))
            .epsilon(1e-7));
  CHECK(double(rc::sum(gh * th)) ==
        doctest::Approx(central(value(wx, rc::eval(wh + step * th), b), value(wx, rc::eval(wh - step * th), b)))
            .epsilon(1e-7));
  CHECK(double(rc::sum(gb)) ==
        doctest::Approx(central(value(wx, wh, rc::eval(b + step)), value(wx, wh, rc::eval(b - step)))).epsilon(1e-7));
}

TEST_CASE("logistic regression: the gradient, and a step of Newton's method per iteration converges quadratically") {
  auto const loss = [](auto w, auto x, auto y) {
    return rc::mean(rc::log(1. + rc::exp(-y * rc::matmul(x, w)))) + 0.05 * rc::sum(w * w);
  };
  rc::ndarray<double, 2> const x = table(30, 2, 2);
  rc::ndarray<double, 1> y(30);
  for (int i = 0; i < 30; ++i) y(i) = x(i, 0) + 0.5 * x(i, 1) + 0.8 * std::sin(11. * i) > 0 ? 1 : -1;
  rc::ndarray<double, 1> w(2);
  auto const g0 = rc::grad(loss)(w, x, y);
  CHECK(numbers(g0).near(numbers(rc::eval(-0.5 * rc::matmul(y, x) / 30.))));
  auto const slope = [=](auto v, auto a, auto b) { return rc::grad(loss)(v, a, b); };
  rc::ndarray<double, 1> const e0{1, 0}, e1{0, 1};
  double size = 0;
  for (int k = 0; k < 7; ++k) {
    auto const zx = rc::zeros_like(x);
    auto const zy = rc::zeros_like(y);
    auto const [g, h0] = rc::jvp(slope)(w, x, y)(e0, zx, zy);
    auto const h1 = rc::jvp(slope)(w, x, y)(e1, zx, zy).second;
    double const det = h0(0) * h1(1) - h0(1) * h1(0);
    w -= rc::ndarray<double, 1>{(h1(1) * g(0) - h1(0) * g(1)) / det, (h0(0) * g(1) - h0(1) * g(0)) / det};
    size = double(rc::sum(rc::abs(rc::grad(loss)(w, x, y))));
  }
  CHECK(size < 1e-14);
}
