// Measures against scikit-learn (sklearn_table.py), and what they refuse.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <ricci/ricci.hpp>

#include <ricci/nn/metrics.hpp>
#include <ricci/nn/ranking_metrics.hpp>

#include "../raised.hpp"
#include "sklearn_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;
namespace of = sklearn_table;

namespace {

template <class T, class E, std::size_t N>
T from(E const (&values)[N]) {
  T t;
  REQUIRE(std::size_t(t.size()) == N);
  for (std::size_t k = 0; k < N; ++k) t.data()[k] = values[k];
  return t;
}
bool near(double a, double b) { return std::abs(a - b) < 1e-12; }
template <class T, class E, std::size_t N>
bool same(T const& t, E const (&values)[N]) {
  bool all = std::size_t(t.size()) == N;
  for (std::size_t k = 0; all && k < N; ++k) all = near(double(t.data()[k]), double(values[k]));
  return all;
}

}  // namespace

TEST_CASE("measures of classes") {
  auto const scores = from<rc::tensor<double, 40, 5>>(of::scores);
  auto const labels = from<rc::tensor<int, 40>>(of::labels), predicted = from<rc::tensor<int, 40>>(of::predicted);
  CHECK(near(nn::accuracy(predicted, labels), of::accuracy[0]));
  std::size_t n = 0;
  for (int const k : {1, 2, 4}) CHECK(near(nn::top_k_accuracy(scores, labels, k), of::top[n++]));
  float const nan = std::numeric_limits<float>::quiet_NaN();
  rc::tensor<float, 3, 2> const unknown{{nan, nan}, {nan, 1}, {0, 1}};
  CHECK(nn::top_k_accuracy(unknown, rc::tensor<int, 3>{1, 1, 1}, 1) == doctest::Approx(1. / 3));
  auto const confusion = nn::confusion_matrix(predicted, labels, 5);
  CHECK(same(confusion, of::confusion));
  auto const m = nn::precision_recall_f(confusion);
  CHECK(same(m.precision, of::precision));
  CHECK(same(m.recall, of::recall));
  CHECK(same(m.f, of::f1));
  CHECK(same(nn::precision_recall_f(confusion, 2).f, of::f2));
  CHECK(int(rc::sum(m.support)) == 40);
  CHECK(near(nn::auroc(scores(rc::all, 0), labels == 1), of::auroc[0]));
  CHECK(raised([&] { (void)nn::auroc(scores(rc::all, 0), labels >= 0); }) ==
        "value_error: nn::auroc: both positive and negative examples are needed");
  CHECK(raised([&] { (void)nn::confusion_matrix(predicted, labels, 3); }).substr(0, 45) ==
        "index_error: nn::confusion_matrix: class 3 of");
  CHECK_THROWS_AS((void)nn::accuracy(rc::ndarray<int, 1>(3), labels), rc::shape_error);
  CHECK(raised([] { (void)nn::precision_recall_f(rc::ndarray<std::int64_t, 2>(3, 2)); }) ==
        "shape_error: nn::precision_recall_f: (classes, classes) is expected, not (3, 2)");
  rc::ndarray<double, 1> diverged = rc::zeros<double>(rc::shape(labels.size()));
  diverged(1) = std::nan("");
  CHECK(raised([&] { (void)nn::auroc(diverged, labels == 1); }) == "value_error: nn::auroc: a score is NaN");
}
TEST_CASE("measures of numbers and texts") {
  auto const x = from<rc::tensor<double, 30>>(of::x), y = from<rc::tensor<double, 30>>(of::y);
  CHECK(near(nn::r2(x, y), of::r2[0]));
  CHECK(nn::r2(x * 0. + 2., x * 0. + 2.) == 1);
  CHECK(nn::r2(x, x * 0. + 2.) == 0);
  CHECK(near(nn::perplexity(std::log(7.)), 7));
  using namespace std::string_view_literals;
  CHECK(nn::edit_distance("kitten"sv, "sitting"sv) == 3);
  CHECK(nn::edit_distance(""sv, "abc"sv) == 3);
  CHECK(nn::edit_distance("abc"sv, ""sv) == 3);
  CHECK(nn::edit_distance("saturday"sv, "sunday"sv) == 3);
  CHECK(nn::edit_distance(std::vector{1, 2, 3}, rc::tensor<int, 4>{1, 3, 3, 4}) == 2);
  CHECK(nn::error_rate(std::vector{"kitten"sv, "abc"sv}, std::vector{"sitting"sv, "abc"sv}) == .3);
  CHECK(raised([] {
          (void)nn::error_rate(std::vector{"a"sv}, std::vector{"a"sv, "b"sv});
        }) == "shape_error: nn::error_rate: as many sequences are predicted as are right");
  CHECK(raised([] {
          (void)nn::error_rate(std::vector{"a"sv, "b"sv}, std::vector{"a"sv});
        }) == "shape_error: nn::error_rate: as many sequences are predicted as are right");
  CHECK(raised([] { (void)nn::error_rate(std::vector{"a"sv}, std::vector{""sv}); }) ==
        "value_error: nn::error_rate: what is right is empty");
}
TEST_CASE("measures of orders") {
  auto const found = from<rc::tensor<double, 6, 8>>(of::found), untied = from<rc::tensor<double, 6, 8>>(of::untied);
  auto const relevance = from<rc::tensor<int, 6, 8>>(of::relevance), one = from<rc::tensor<int, 6, 8>>(of::one);
  CHECK(near(nn::ndcg(found, relevance), of::ndcg[0]));
  CHECK(near(nn::ndcg(found, relevance, 3), of::ndcg[1]));
  CHECK(near(nn::mean_average_precision(found, relevance > 2), of::average_precision[0]));
  CHECK(near(nn::mean_reciprocal_rank(untied, one), of::reciprocal_rank[0]));
  CHECK(nn::mean_reciprocal_rank(untied, one * 0) == 0);
  auto const scores = from<rc::tensor<double, 40, 5>>(of::scores);
  auto const labels = from<rc::tensor<int, 40>>(of::labels);
  auto const curve = nn::precision_recall_curve(scores(rc::all, 0), labels == 1);
  auto const same = [](std::vector<double> const& a, auto const& b) {
    bool all = a.size() == std::size(b);
    for (std::size_t k = 0; all && k < a.size(); ++k) all = near(a[k], b[k]);
    return all;
  };
  CHECK(same(curve.precision, of::precisions));
  CHECK(same(curve.recall, of::recalls));
  CHECK(same(curve.thresholds, of::thresholds));
  CHECK_THROWS_AS((void)nn::precision_recall_curve(scores(rc::all, 0), labels == 9), rc::value_error);
  CHECK_THROWS_AS((void)nn::ndcg(found, rc::ndarray<int, 2>(6, 7)), rc::shape_error);
  CHECK_THROWS_AS((void)nn::ndcg(found * std::nan(""), relevance), rc::value_error);
}
TEST_CASE("measures of numbers that are none, and of weights without end") {
  double const nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  CHECK(std::isnan(nn::r2(rc::tensor<double, 2>{nan, 1}, rc::tensor<double, 2>{1, 1})));
  rc::ndarray<std::int64_t, 2> const c{{3, 1}, {2, 4}};
  auto const m = nn::precision_recall_f(c, infinity);
  CHECK(bool(rc::all(m.f == m.recall)));
  CHECK(raised([&] { (void)nn::precision_recall_f(c, -1.); }) ==
        "value_error: nn::precision_recall_f: a beta of 0 or more was expected");
  rc::tensor<double, 1, 3> const scores{{1, 2, 3}};
  for (double const relevance : {nan, -1.})
    CHECK(raised([&] {
            (void)nn::ndcg(scores, rc::tensor<double, 1, 3>{{relevance, 1, 0}});
          }) == "value_error: nn::ndcg: a relevance that is negative or NaN");
}
