// Heads: probabilities of all labels sum to 1, losses are those of the labels, chains of labels beside all of them.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include <ricci/ricci.hpp>

#include <ricci/nn/crf.hpp>
#include <ricci/nn/heads.hpp>

#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {
auto const x = rc::eval(rc::random::normal<float>(nn::key(1), rc::extents<4, 3>{}));

template <int Labels, class P>
void check_head(P p, rc::tensor<int, 4> const& labels) {
  rc::tree::for_each_leaf(
      [k = 0](auto& leaf) mutable { leaf = rc::random::normal<float>(nn::key(++k), rc::shape_of(leaf)); }, p);
  rc::tensor<float, 4, Labels> const logs = p(x);
  for (int n = 0; n < 4; ++n) CHECK(double(rc::sum(rc::exp(logs(n)))) == doctest::Approx(1).epsilon(1e-5));
  double expected = 0;
  for (int n = 0; n < 4; ++n) expected -= double(logs(n, labels(n))) / 4;
  CHECK(double(p.loss(x, labels)) == doctest::Approx(expected).epsilon(1e-5));
  rc::ndarray<float, 2> const dynamic = x;
  rc::ndarray<std::int64_t, 1> const long_labels = rc::astype<std::int64_t>(labels);
  CHECK(double(p.loss(dynamic, long_labels)) == doctest::Approx(expected).epsilon(1e-5));
  CHECK(double(rc::max(rc::abs(p(dynamic) - logs))) < 1e-5);
  // the same derivative as by the way over all labels
  auto const by_all = [](auto const& q, auto const& v, auto const& l) {
    auto const all = rc::eval(q(v));
    return -rc::mean(rc::take_along_axis(all, l(rc::all, rc::newaxis), rc::axis<1>));
  };
  auto const by_loss = [](auto const& q, auto const& v, auto const& l) { return q.loss(v, l); };
  auto const a = rc::grad<0, 1>(by_all)(p, x, labels), b = rc::grad<0, 1>(by_loss)(p, x, labels);
  CHECK(double(rc::max(rc::abs(std::get<0>(a).w - std::get<0>(b).w))) < 1e-5);
  CHECK(double(rc::max(rc::abs(std::get<0>(a).b - std::get<0>(b).b))) < 1e-5);
  CHECK(double(rc::max(rc::abs(std::get<1>(a) - std::get<1>(b)))) < 1e-5);
  CHECK(double(rc::max(rc::abs(std::get<0>(b).w))) > .01);
}
}  // namespace

TEST_CASE("probabilities by classes") { check_head<12>(nn::class_factored<3, 4, 3>::params<>{}, {0, 11, 5, 7}); }
TEST_CASE("probabilities by a tree") {
  check_head<7>(nn::hierarchical_softmax<3, 7>::params<>{}, {0, 6, 2, 3});
  check_head<2>(nn::hierarchical_softmax<3, 2>::params<>{}, {0, 1, 1, 0});
  check_head<8>(nn::hierarchical_softmax<3, 8>::params<>{}, {0, 7, 2, 4});
  static_assert(nn::hierarchical_softmax<3, 8>::depth == 3 && nn::hierarchical_softmax<3, 7>::depth == 3);
}
TEST_CASE("labels among noise") {
  rc::tensor<double, 2> const s{.5, -1}, q{-2, -3};
  rc::tensor<double, 2, 3> const t{{1, 2, -1}, {0, .5, -.5}}, r{{-1, -2, -3}, {-2, -2, -1}};
  auto const softplus = [](double z) { return std::log1p(std::exp(z)); };
  double expected = 0;
  for (int n = 0; n < 2; ++n) {
    expected += softplus(-(s(n) - q(n) - std::log(3.))) / 2;
    for (int k = 0; k < 3; ++k) expected += softplus(t(n, k) - r(n, k) - std::log(3.)) / 2;
  }
  CHECK(double(nn::nce(s, t, q, r)) == doctest::Approx(expected).epsilon(1e-12));
  CHECK(rc::check_grads([](auto const&... a) { return nn::nce(a...); }, s, t, q, r));
}

TEST_CASE("chains of labels beside all of them") {
  using layer = nn::crf<3, double>::params<>;
  layer p{};
  p.transitions = rc::random::normal<double>(nn::key(3), rc::extents<3, 3>{});
  p.first = rc::random::normal<double>(nn::key(4), rc::extents<3>{});
  p.last = rc::random::normal<double>(nn::key(5), rc::extents<3>{});
  rc::tensor<double, 4, 4, 3> const scores = rc::random::normal<double>(nn::key(6), rc::extents<4, 4, 3>{});
  rc::tensor<int, 4, 4> const labels{{0, 2, 1, 1}, {2, 2, 0, 1}, {1, 0, 0, 0}, {0, 0, 0, 0}};
  rc::tensor<int, 4> const lengths{4, 3, 1, 0};
  rc::tensor<double, 4> const loss = p.loss(scores, labels, lengths);
  auto const best = p.decoded(scores, lengths);
  for (int n = 0; n < 3; ++n) {
    int const end = lengths(n);
    auto const score_of = [&](std::array<int, 4> const& path) {
      double sum = p.first(path[0]) + p.last(path[std::size_t(end - 1)]);
      for (int t = 0; t < end; ++t) {
        sum += scores(n, t, path[std::size_t(t)]);
        if (t > 0) sum += p.transitions(path[std::size_t(t - 1)], path[std::size_t(t)]);
      }
      return sum;
    };
    double total = 0, most = -1e300;
    std::array<int, 4> likeliest{}, own{};
    for (int path = 0; path < std::lround(std::pow(3, end)); ++path) {
      std::array<int, 4> all{};
      for (int t = 0, rest = path; t < end; ++t, rest /= 3) all[std::size_t(t)] = rest % 3;
      total += std::exp(score_of(all));
      if (score_of(all) > most) most = score_of(all), likeliest = all;
    }
    for (int t = 0; t < end; ++t) own[std::size_t(t)] = labels(n, t);
    CHECK(loss(n) == doctest::Approx(std::log(total) - score_of(own)).epsilon(1e-12));
    for (int t = 0; t < 4; ++t) CHECK(best(n, t) == (t < end ? likeliest[std::size_t(t)] : 0));
  }
  CHECK(loss(3) == 0);
  auto const sum = [](auto const& q, auto const& s, auto const& l, auto const& ends) {
    return rc::sum(q.loss(s, l, ends));
  };
  CHECK(rc::check_grads(sum, p, scores, labels, lengths));
  CHECK(raised([&] {
          (void)p.decoded(scores, rc::tensor<int, 4>{5, 1, 1, 1});
        }) == "index_error: nn::crf: a length of 5 of 4 places");
}
TEST_CASE("labels outside are errors, and labels of few bits are those of many") {
  nn::class_factored<3, 2, 300>::params<> classes = nn::init<nn::class_factored<3, 2, 300>::params<>>(nn::key(2));
  nn::hierarchical_softmax<3, 300>::params<> tree = nn::init<nn::hierarchical_softmax<3, 300>::params<>>(nn::key(3));
  auto const of = [&](auto const& p, int label) {
    return raised([&] { (void)float(p.loss(x, rc::tensor<int, 4>{0, 1, 2, label})); });
  };
  CHECK(of(classes, 599) == "");
  CHECK(of(classes, 600) == "index_error: class_factored: index 600 is out of range for an axis of 2");
  CHECK(of(classes, -1) == "index_error: class_factored: index -1 is out of range for an axis of 2");
  CHECK(of(tree, 299) == "");
  CHECK(of(tree, 300) == "index_error: hierarchical_softmax: index 300 is out of range for an axis of 300");
  CHECK(of(tree, -1) == "index_error: hierarchical_softmax: index -1 is out of range for an axis of 300");
  rc::tensor<int, 4> const labels{0, 200, 7, 255};
  rc::tensor<std::uint8_t, 4> const bytes = rc::astype<std::uint8_t>(labels);
  CHECK(float(classes.loss(x, bytes)) == float(classes.loss(x, labels)));
  CHECK(float(tree.loss(x, bytes)) == float(tree.loss(x, labels)));
}
TEST_CASE("chains: labels and lengths outside, labels of few bits, and a label that a score forbids") {
  using layer = nn::crf<3, double>::params<>;
  layer p{};
  p.transitions = rc::random::normal<double>(nn::key(3), rc::extents<3, 3>{});
  p.first = {1, 2, 3};
  rc::tensor<double, 1, 2, 3> const s{{{1, 2, 3}, {1, 2, 3}}};
  auto const of = [&](rc::tensor<int, 1, 2> const& labels, int length) {
    return raised([&] { (void)rc::eval(p.loss(s, labels, rc::tensor<int, 1>{length})); });
  };
  CHECK(of({{1, 9}}, 1) == "");  // behind the end
  CHECK(of({{1, 9}}, 2) == "index_error: crf: index 9 is out of range for an axis of 3");
  CHECK(of({{-1, 1}}, 2) == "index_error: crf: index -1 is out of range for an axis of 3");
  CHECK(of({{1, 1}}, 3) == "index_error: crf, a length: index 3 is out of range for an axis of 3");
  CHECK(of({{1, 1}}, -1) == "index_error: crf, a length: index -1 is out of range for an axis of 3");
  rc::ndarray<double, 3> const many = rc::random::normal<double>(nn::key(4), rc::shape(1, 300, 3));
  rc::ndarray<int, 2> const labels = rc::random::randint<int>(nn::key(5), rc::shape(1, 300), 0, 3);
  rc::ndarray<std::int8_t, 2> const bytes = rc::astype<std::int8_t>(labels);
  rc::tensor<int, 1> const whole{300};
  CHECK(double(rc::sum(p.loss(many, labels, whole))) == double(rc::sum(p.loss(many, bytes, whole))));
  double const infinity = std::numeric_limits<double>::infinity();
  auto const forbidden = [&](double score) {
    rc::tensor<double, 1, 2, 3> const of_two{{{1, score, 2}, {1, 2, 0}}};
    auto const sum = [](auto const& q, auto const& x_, auto const& l, auto const& n) {
      return rc::sum(q.loss(x_, l, n));
    };
    auto const [value, g] = rc::value_and_grad(sum)(p, of_two, rc::tensor<int, 1, 2>{{0, 1}}, rc::tensor<int, 1>{2});
    return std::pair(double(value), double(rc::sum(g.transitions * rc::tensor<double, 3>{1, 2, 3})));
  };
  CHECK(forbidden(-infinity).first == doctest::Approx(forbidden(-1e9).first).epsilon(1e-12));
  CHECK(forbidden(-infinity).second == doctest::Approx(forbidden(-1e9).second).epsilon(1e-12));
}
TEST_CASE("first values of a class are those of a linear layer") {
  auto const p = nn::init<nn::class_factored<64, 100, 100>::params<>>(nn::key(1));
  double const bound = std::sqrt(6. / (64 + 100)), most = double(rc::max(rc::abs(p.w)));
  CHECK((most <= bound && most > .99 * bound));
  CHECK(double(rc::max(rc::abs(p.classes.w))) > .99 * bound);
}
