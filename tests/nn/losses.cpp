// Losses: values and gradients as PyTorch has them, derivatives by differences, shapes that are refused, and limits.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <ricci/ricci.hpp>

#include <ricci/nn/losses.hpp>
#include <ricci/nn/row_losses.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "near_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

using matrix = rc::tensor<double, 4, 5>;
auto const x = of_table<matrix>(table::x), y = of_table<matrix>(table::y), z = of_table<matrix>(table::z),
           p = of_table<matrix>(table::p), bits = of_table<matrix>(table::bits);
matrix const signs = 2. * bits - 1., variance = p + .1;
auto const sides = of_table<rc::tensor<double, 4>>(table::sides);

// Value and gradient against the table; and by the first operand the derivatives in both modes, by differences.
template <class Loss, std::size_t N, class... T>
void same(char const* name, Loss loss, double const (&value)[1], double const (&gradient)[N], T const&... t) {
  CAPTURE(std::string(name));
  auto const [v, g] = rc::value_and_grad(loss)(x, t...);
  CHECK(double(v) == doctest::Approx(value[0]).epsilon(1e-12));
  CHECK(near_table(g, gradient, 1e-12));
  rc::ndarray<double, 2> const dynamic = x;
  CHECK(near_table(rc::interpret(rc::grad(loss))(dynamic, t...), gradient, 1e-12));
  CHECK(rc::check_grads(loss, x, t...));
}
#define SAME(name, call, ...) \
  same(                       \
      #name, [](auto const& v, auto const&... t) { return call; }, table::name, table::name##_gradient, __VA_ARGS__)

}  // namespace

TEST_CASE("as in PyTorch") {
  SAME(mse, nn::mse(v, t...), y);
  SAME(l1, nn::l1(v, t...), y);
  SAME(huber, nn::huber(v, t..., .7), y);
  SAME(log_cosh, nn::log_cosh(v, t...), y);
  SAME(bce, nn::bce_with_logits(v, t...), p);
  SAME(bce_weighted, nn::bce_with_logits(v, t..., 3.), p);
  SAME(focal, nn::focal(v, t...), bits);
  SAME(hinge, nn::hinge(v, t...), signs);
  SAME(poisson, nn::poisson_nll(v, t...), p);
}
TEST_CASE("as in PyTorch: three operands and rows") {
  SAME(gaussian, nn::gaussian_nll(v, t...), y, variance);
  SAME(ranking, nn::margin_ranking(v, t..., .2), y, signs);
  SAME(dice, nn::dice(rc::sigmoid(v), t...), bits);
  SAME(triplet, nn::triplet(v, t..., 1.5), y, z);
  SAME(cosine, nn::cosine_embedding(v, t..., -.3), y, sides);
}
TEST_CASE("a divergence, of a probability that is 0, too") {
  auto const kl = [](auto const& v, auto const& t) { return nn::kl(v, t); };
  auto const [v, g] = rc::value_and_grad(kl)(x, p);
  CHECK(double(v) == doctest::Approx(table::kl[0]).epsilon(1e-12));
  CHECK(near_table(g, table::kl_gradient, 1e-12));
  rc::tensor<double, 2> const certain{0, 1}, logs{-std::numeric_limits<double>::infinity(), 0};
  CHECK(double(rc::eval(nn::kl(logs, certain))) == 0);
  auto const [by_x, by_t] = rc::grad<0, 1>(kl)(logs, certain);
  CHECK((by_x(0) == 0 && by_x(1) == -.5 && by_t(0) == 0 && by_t(1) == .5));
}
TEST_CASE("reductions") {
  rc::tensor<double, 4, 5> const each = nn::mse(x, y, nn::unreduced);
  CHECK(numbers(each).near(numbers(rc::eval(rc::square(x - y))), 1e-15));
  CHECK(double(rc::eval(nn::mse(x, y, nn::summed))) == doctest::Approx(20 * table::mse[0]));
  CHECK(double(rc::eval(nn::huber(x, y, nn::summed, .7))) == doctest::Approx(20 * table::huber[0]));
  CHECK(raised([] { (void)nn::huber(x, y, -.5f); }) ==
        "value_error: nn::huber: a delta of -0.5, where a number above 0 was expected");
  CHECK(raised([] { (void)nn::huber(x, y, nn::unreduced, 0.); }).find("nn::huber: a delta of 0") != std::string::npos);
  rc::tensor<double, 4> const of_rows = nn::triplet(x, y, z, nn::unreduced, 1.5);
  CHECK(double(rc::eval(rc::mean(of_rows))) == doctest::Approx(table::triplet[0]));
  rc::tensor<double, 4> const batch = rc::vmap([](auto const& a, auto const& b) { return nn::mse(a, b); })(x, y);
  CHECK(numbers(batch).near(numbers(rc::eval(rc::mean(each, rc::axis<1>))), 1e-14));
  static_assert(
      std::is_same_v<decltype(rc::eval(nn::mse(rc::tensor<float, 3>{}, rc::tensor<float, 3>{})))::value_type, float>);
}
TEST_CASE("shapes that would broadcast are refused") {
  rc::ndarray<double, 2> const column(4, 1), many(4, 5);
  rc::ndarray<double, 1> const row(4);
  CHECK(raised([&] { (void)rc::eval(nn::mse(many, column)); }) == "shape_error: mse: (4, 5) (4, 1)");
  CHECK(raised([&] { (void)rc::eval(nn::cosine_embedding(many, many, rc::ndarray<double, 1>(3))); }) != "");
}
TEST_CASE("large numbers and no distance") {
  rc::tensor<float, 3> const large{-1e30f, 0, 1e30f}, none{0, 0, 0}, one{0, 1, 1};
  CHECK(float(rc::eval(nn::log_cosh(large, none, nn::summed))) == 2e30f);
  rc::tensor<float, 3> const cross = nn::bce_with_logits(large, one, nn::unreduced);
  CHECK((cross(0) == 0 && cross(1) == doctest::Approx(std::log(2.)) && cross(2) == 0));
  rc::tensor<float, 1> const little{1e-4f}, zero{0};
  CHECK(float(rc::eval(nn::log_cosh(little, zero))) == doctest::Approx(5e-9).epsilon(1e-6));
  auto const g = rc::grad([](auto const& a) {
    return nn::triplet(a, a, a) + nn::cosine_embedding(a, a, 0. * rc::sum(a));
  })(rc::tensor<double, 3>{0, 0, 0});
  CHECK((g(0) == 0 && g(1) == 0 && g(2) == 0));
}
TEST_CASE("right answers and long rows keep their digits") {
  rc::tensor<float, 4> const logits{20, -20, 15.25f, 200}, labels{1, 0, 1, 1};
  float const small[]{2.0611536e-9f, 2.0611536e-9f, 2.3823671e-7f, 0};
  auto const of = [](auto const& a, auto const& b) { return nn::bce_with_logits(a, b, nn::summed); };
  rc::tensor<float, 4> const terms = nn::bce_with_logits(logits, labels, nn::unreduced);
  auto const g = rc::grad(of)(logits, labels);
  for (int k = 0; k < 4; ++k) {
    CHECK(std::abs(terms(k) - small[k]) <= 1e-5f * small[k]);
    CHECK(std::abs(std::abs(g(k)) - small[k]) <= 1e-5f * small[k]);
  }
  // powers below 1 of a wrong answer whose probability is 0
  auto const focal = [](auto const& a, auto const& b) { return nn::focal(a, b, nn::summed, .5f, .25f); };
  CHECK(rc::grad(focal)(logits, labels)(3) == 0);
  rc::tensor<float, 3, 2> const a{{1e10f, 2e10f}, {3e-12f, 0}, {std::numeric_limits<float>::quiet_NaN(), 1}};
  rc::tensor<float, 3> const sides_of_a{1, -1, 1};
  rc::tensor<float, 3> const angles = nn::cosine_embedding(a, a, sides_of_a, nn::unreduced);
  CHECK(std::abs(angles(0)) <= 1e-6f);
  CHECK(angles(1) == doctest::Approx(1));
  CHECK(std::isnan(angles(2)));
}
TEST_CASE("a target that is NaN is told, and so is the operand that does not fit") {
  rc::tensor<double, 2> const logs{-1, -2}, t{0, std::nan("")};
  rc::tensor<double, 2> const each = nn::kl(logs, t, nn::unreduced);
  CHECK((each(0) == 0 && std::isnan(each(1))));
  rc::ndarray<double, 2> const two = rc::ones<double>(rc::shape(2, 3)), other = rc::ones<double>(rc::shape(2, 2));
  CHECK(raised([&] { (void)double(nn::gaussian_nll(two, two, other)); }) == "shape_error: gaussian_nll: (2, 3) (2, 2)");
}
