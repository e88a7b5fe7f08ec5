// Derivative rules of one's own. Where a rule is to be seen at work it is not the derivative of its function: ten times
// that, say. In forward and reverse mode, of both orders, batched, in loops, compiled and interpreted.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../own_rules.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using namespace own_rules;

namespace {

constexpr auto softplus = rc::custom_jvp([](auto x) { return rc::log(1. + rc::exp(x)); },
                                         [](auto x, auto t) {
                                           return std::tuple{rc::log(1. + rc::exp(x)), t * rc::sigmoid(x)};
                                         });
constexpr auto clipped = rc::custom_vjp([](auto x) { return x; },
                                        [](auto x) {
                                          return std::tuple{x, std::tuple{}};
                                        },
                                        [](auto, auto ct) { return std::tuple{rc::clip(ct, -1., 1.)}; });

rc::tensor<double, 3> const x3{1, 2, 3};
rc::tensor<double, 2, 3> const x23{{1, 2, 3}, {4, 5, 6}};

// All that there is to derive of a function of one tensor, elementwise, whose value is x^2, its derivative 10 x by the
// rule, and that of that 10.
template <class F>
void check_square(F const& f) {
  auto const of_sum = [f](auto x) { return rc::sum(f(x)); };
  check_value(rc::fn(f), {1, 4, 9}, x3);
  check_value(rc::grad(of_sum), {10, 20, 30}, x3);
  CHECK(numbers(rc::jvp(f)(x3)(rc::tensor<double, 3>{1, 1, 2}).second).near({10, 20, 60}));
  CHECK(numbers(rc::interpret(rc::jvp(f))(x3)(rc::tensor<double, 3>{1, 1, 2}).second).near({10, 20, 60}));
  auto const [y, pull] = rc::vjp(f)(x3);
  CHECK(numbers(y) == numbers{1, 4, 9});
  CHECK(numbers(std::get<0>(pull(rc::tensor<double, 3>{1, 0, 2}))).near({10, 0, 60}));
  // higher orders, by all ways
  check_value(rc::hessian(of_sum), {10, 0, 0, 0, 10, 0, 0, 0, 10}, x3);
  check_value(rc::jacfwd(rc::jacfwd(of_sum)), {10, 0, 0, 0, 10, 0, 0, 0, 10}, x3);
  check_value(rc::grad([f](auto x) { return rc::sum(rc::grad([f](auto z) { return rc::sum(f(z)); })(x)); }),
              {10, 10, 10}, x3);
  // batches: of f, of its derivatives, derivatives of batches
  check_value(rc::vmap(f), {1, 4, 9, 16, 25, 36}, x23);
  check_value(rc::vmap(rc::grad(of_sum)), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::grad([f](auto x) { return rc::sum(rc::vmap(f)(x)); }), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::grad([f](auto x) { return rc::sum(rc::vmap(rc::vmap(f))(x)); }), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::vmap(rc::grad([f](auto x) { return rc::sum(rc::vmap(f)(x)); })), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::fn([f](auto x, auto t) { return rc::jvp([f](auto z) { return rc::vmap(f)(z); })(x)(t).second; }),
              {10, 20, 30, 40, 50, 60}, x23, rc::tensor<double, 2, 3>(rc::ones_like(x23)));
  // of extents that are known when it runs
  rc::ndarray<double, 1> const x = rc::arange<double>(1, 4);
  check_value(rc::grad(of_sum), {10, 20, 30}, x);
  check_value(rc::vmap(rc::grad(of_sum)), {10, 20, 30, 40, 50, 60}, rc::ndarray<double, 2>(x23));
  check_value(rc::grad([f](auto z) { return rc::sum(rc::vmap(f)(z)); }), {10, 20, 30, 40, 50, 60},
              rc::ndarray<double, 2>(x23));
}

}  // namespace

TEST_CASE("custom_jvp: a rule that neither overflows nor cancels") {
  rc::tensor<double, 3> const x{-1, 0, 800};
  auto const of_sum = [](auto z) { return rc::sum(softplus(z)); };
  double const s = 1 / (1 + std::exp(1.));
  check_value(rc::grad(of_sum), {s, .5, 1}, x);
  check_value(rc::grad([](auto z) { return rc::sum(rc::grad([](auto u) { return rc::sum(softplus(u)); })(z)); }),
              {s * (1 - s), .25, 0}, x);
  // called with tensors and numbers
  CHECK(numbers(softplus(rc::tensor<double, 1>{0})).near({std::log(2.)}));
  CHECK(double(softplus(0.)) == doctest::Approx(std::log(2.)));
  check_value(rc::grad([](auto z) { return softplus(z) * 2.; }), {1}, 0.);
}
TEST_CASE("custom_jvp: all modes, orders and batches") { check_square(square_by_tangent); }
TEST_CASE("custom_vjp: all modes, orders and batches") { check_square(square_by_cotangent); }

TEST_CASE("custom_vjp: what it makes of a cotangent") {
  check_value(rc::grad([](auto x) { return rc::sum(rc::square(clipped(x))); }), {-1, 0, 1},
              rc::tensor<double, 3>{-1, 0, 800});
  // linear where the cotangent is zero
  auto const [y, t] = rc::jvp(clipped)(x3)(rc::tensor<double, 3>{7, 8, 9});
  CHECK(numbers(y) == numbers{1, 2, 3});
  CHECK(numbers(t) == numbers{7, 8, 9});
  check_value(rc::grad([](auto x) { return rc::sum(rc::vmap(clipped)(x) * 3.); }), {1, 1, 1, 1, 1, 1}, x23);
}

// A quarter of the true derivative: what is derived twice shows whose derivative the value has.
TEST_CASE("custom rules: the value is derived by the rule in every order") {
  auto const by_tangent = rc::custom_jvp([](auto x) { return rc::sin(x); },
                                         [](auto x, auto t) {
                                           return std::tuple{rc::sin(x), .25 * rc::cos(x) * t};
                                         });
  auto const by_cotangent = rc::custom_vjp([](auto x) { return rc::sin(x); },
                                           [](auto x) {
                                             return std::tuple{rc::sin(x), x};
                                           },
                                           [](auto x, auto ct) { return std::tuple{.25 * ct * rc::cos(x)}; });
  double const s = std::sin(.7), c = std::cos(.7), second = 2 * (.25 * c * .25 * c - s * .25 * s);
  auto const check = [&](auto f) {
    auto h = [f](auto x) {
      auto y = f(x);
      return y * y;
    };
    check_value(rc::grad(rc::grad(h)), {second}, .7);
    check_value(rc::hessian(h), {second}, .7);
  };
  check(by_tangent), check(by_cotangent);
}
