// Cross-entropy of integer labels, with its options, as PyTorch has it (torch_tables.py).
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include <ricci/nn/cross_entropy.hpp>

#include "near_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

auto const scores = of_table<rc::tensor<double, 6, 4>>(table::scores);
auto const weights = of_table<rc::tensor<double, 4>>(table::class_weights);
rc::tensor<int, 6> const given{0, 3, -1, 1, 2, -1};

template <nn::labels Options, class... W>
void compare(auto const& value, auto const& gradient, W const&... w) {
  auto const loss = [](auto x, auto label, auto... v) { return nn::cross_entropy<Options>(x, label, v...); };
  auto const [y, g] = rc::value_and_grad(loss)(scores, given, w...);
  CHECK(std::abs(double(y) - value[0]) < 1e-12);
  CHECK(near_table(g, gradient, 1e-12));
  CHECK(std::abs(double(rc::eval(nn::cross_entropy<Options>(scores, given, w...))) - value[0]) < 1e-12);
  CHECK(rc::check_grads([](auto x, auto label, auto... v) { return nn::cross_entropy<Options>(x, label, v...); },
                        scores, given, w...));
}

}  // namespace

TEST_CASE("ignored places, smoothing and weights of classes") {
  using namespace table;
  compare<nn::labels{.ignored = -1}>(cross_entropy_ignoring, cross_entropy_ignoring_gradient);
  compare<nn::labels{.smoothing = .2, .ignored = -1}>(cross_entropy_smoothed, cross_entropy_smoothed_gradient);
  compare<nn::labels{.ignored = -1}>(cross_entropy_weighted, cross_entropy_weighted_gradient, weights);
  compare<nn::labels{.smoothing = .2, .ignored = -1}>(cross_entropy_weighted_smoothed,
                                                      cross_entropy_weighted_smoothed_gradient, weights);
}

TEST_CASE("without options it is the mean of the negative logarithms, also over more axes, and of large scores") {
  rc::tensor<double, 2, 2, 2> const x{{{0, 0}, {1000, 0}}, {{0, 1000}, {0, 0}}};
  rc::tensor<int, 2, 2> const label{{0, 0}, {0, 1}};
  CHECK(double(rc::eval(nn::cross_entropy(x, label))) == doctest::Approx((2 * std::log(2.) + 1000) / 4));
  rc::tensor<double, 2> const w{1, 3};
  CHECK(double(rc::eval(nn::cross_entropy(x, label, w))) == doctest::Approx((4 * std::log(2.) + 1000) / 6));
  CHECK_THROWS_AS(rc::eval(nn::cross_entropy(x, label + 1)), rc::index_error);
  CHECK_THROWS_AS(rc::eval(nn::cross_entropy(scores, given(rc::range(0, 5)))), rc::shape_error);
  // one label is not stretched over all rows
  CHECK_THROWS_WITH_AS(rc::eval(nn::cross_entropy(scores, given(rc::range(0, 1)))), "cross_entropy: (6, 4) (1,)",
                       rc::shape_error);
}
TEST_CASE("a negative label is outside: it is not the last class, unless it is the ignored one") {
  char const* const said = "cross_entropy: index -1 is out of range for an axis of 4";
  CHECK_THROWS_WITH_AS(rc::eval(nn::cross_entropy(scores, given)), said, rc::index_error);
  CHECK_THROWS_WITH_AS(rc::eval(nn::cross_entropy(scores, given, weights)), said, rc::index_error);
  CHECK_THROWS_WITH_AS(rc::grad([](auto x, auto label) { return nn::cross_entropy(x, label); })(scores, given), said,
                       rc::index_error);
  CHECK_THROWS_WITH_AS(rc::eval(nn::cross_entropy<nn::labels{.ignored = 3}>(scores, given)), said, rc::index_error);
}
