// Activations: values and gradients as PyTorch has them, derivatives by differences, and limits.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <ricci/ricci.hpp>

#include <ricci/nn/activations.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "near_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

using matrix = rc::tensor<double, 4, 5>;
auto const x = of_table<matrix>(table::x), y = of_table<matrix>(table::y);

// Values, and the gradient of half their squares' sum
template <class F, std::size_t N, std::size_t M>
void same(char const* name, F f, double const (&value)[N], double const (&gradient)[M]) {
  CAPTURE(std::string(name));
  auto const loss = [=](auto const& v) { return .5 * rc::sum(rc::square(f(v))); };
  CHECK(near_table(rc::eval(f(x)), value, 1e-12));
  CHECK(near_table(rc::grad(loss)(x), gradient, 1e-7));  // some of PyTorch's rules have constants of single precision
  CHECK(rc::check_grads(loss, x));
}
#define SAME(name, call) \
  same(                  \
      #name, [](auto const& v) { return call; }, table::of_##name, table::of_##name##_gradient)

}  // namespace

TEST_CASE("as in PyTorch") {
  SAME(elu, nn::elu(v, .8));
  SAME(selu, nn::selu(v));
  SAME(celu, nn::celu(v, 1.3));
  SAME(leaky_relu, nn::leaky_relu(v, .02));
  SAME(mish, nn::mish(v));
  SAME(hard_sigmoid, nn::hard_sigmoid(v));
}
TEST_CASE("as in PyTorch: the others") {
  SAME(hard_swish, nn::hard_swish(v));
  SAME(hard_tanh, nn::hard_tanh(v));
  SAME(softsign, nn::softsign(v));
  SAME(relu6, nn::relu6(3. * v));
  SAME(log_softmax, nn::log_softmax(v));
}
TEST_CASE("gated linear units halve the last axis") {
  rc::tensor<double, 4, 10> const both = rc::concat(x, y, rc::axis<1>);
  CHECK(near_table(rc::eval(nn::glu(both)), table::of_glu, 1e-12));
  rc::ndarray<double, 2> const dynamic = both;
  CHECK(near_table(rc::eval(nn::glu(dynamic)), table::of_glu, 1e-12));
  CHECK(numbers(rc::eval(nn::swiglu(both))).near(numbers(rc::eval(x * rc::silu(y))), 1e-15));
  CHECK(numbers(rc::eval(nn::geglu(both))).near(numbers(rc::eval(x * rc::gelu(y))), 1e-15));
  CHECK(rc::check_grads([](auto const& v) { return rc::sum(rc::square(nn::swiglu(v))); }, both, {.order = 2}));
  rc::ndarray<double, 2> const odd(2, 3);
  CHECK(raised([&] { (void)rc::eval(nn::glu(odd)); }) == "shape_error: glu: (2, 3)");
}
TEST_CASE("a slope that is a parameter, and large numbers") {
  rc::tensor<double, 5> const slopes{0, .1, .2, .3, 1};
  auto const by_slopes = rc::grad<1>([](auto const& v, auto const& s) { return rc::sum(nn::prelu(v, s)); })(x, slopes);
  matrix const negative = rc::minimum(x, 0.);
  CHECK(numbers(by_slopes).near(numbers(rc::eval(rc::sum(negative, rc::axis<0>))), 1e-14));
  rc::tensor<float, 2> const large{-1e5f, 1e5f};
  auto const slope = rc::grad([](auto const& v) { return rc::sum(nn::elu(v) + nn::mish(v)); })(large);
  CHECK((slope(0) == 0 && slope(1) == 2));
  rc::tensor<float, 2> const logs = nn::log_softmax(large);
  CHECK((logs(0) == -2e5f && logs(1) == 0));
}
TEST_CASE("derivatives are 0 at the ends of lines, as in PyTorch, and NaN stays") {
  auto const slopes = [](auto const& f, double least, double most) {
    rc::tensor<double, 2> const ends{least, most};
    return rc::eval(rc::grad([=](auto const& v) { return rc::sum(f(v)); })(ends));
  };
  CHECK(bool(rc::all(slopes(nn::hard_tanh, -1, 1) == 0.)));
  CHECK(bool(rc::all(slopes(nn::relu6, 0, 6) == 0.)));
  CHECK(bool(rc::all(slopes(nn::hard_sigmoid, -3, 3) == 0.)));
  CHECK(bool(rc::all(slopes(nn::hard_swish, -3, 3) == rc::tensor<double, 2>{0, 1})));
  rc::tensor<double, 1> const none{std::numeric_limits<double>::quiet_NaN()};
  CHECK(bool(rc::all(rc::isnan(nn::hard_tanh(none)))));
  CHECK(bool(rc::all(rc::isnan(nn::relu6(none)))));
}
