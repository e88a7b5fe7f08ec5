// Reverse mode of loops takes what is costly to compute from where the loop stacked it, and sums up what it captures
// behind the loop: against loops that are unrolled, and interpreted ones.
#include <doctest/doctest.h>

#include <tuple>

#include "../near.hpp"

namespace rc = ricci;

namespace {

using matrix = rc::tensor<double, 3, 3>;
using vector = rc::tensor<double, 3>;
vector const h{.3, -.4, .2}, b{.1, .2, -.3};
matrix const w{{.3, -.2, .1}, {.5, .1, -.4}, {.2, .6, -.1}};
rc::tensor<double, 2, 2, 3> const gates{{{.3, .1, -.5}, {.2, -.2, .4}}, {{-.6, .1, .3}, {.5, -.1, .2}}};
rc::tensor<double, 4, 3> const xs{{.1, .2, .3}, {-.4, .5, .1}, {.7, -.2, .2}, {.3, .3, -.6}};

// a product with a captured matrix, parts of a captured tensor, a bias, a number; costly values of several kinds
constexpr auto step = [](auto s, auto x, auto m, auto p, auto c, auto scale) {
  auto const z = rc::matmul(s, m) + rc::matmul(x, m) + c;
  auto const gate = rc::sigmoid(s * p(0, 0) + x * p(0, 1)), change = rc::tanh(z * p(1, 0) + p(1, 1));
  auto const size = rc::sum(rc::exp(z));
  return gate * change + rc::sin(scale * s) / size;
};
constexpr auto scanned = [](auto s, auto x, auto m, auto p, auto c, auto scale) {
  auto const [last, ys] = rc::scan(
      [=](auto carry, auto row) {
        auto const next = step(carry, row, m, p, c, scale);
        return std::pair(next, rc::tanh(next) * carry);
      },
      s, x);
  return rc::sum(last * c) + rc::sum(ys * ys);
};
constexpr auto unrolled = [](auto s, auto x, auto m, auto p, auto c, auto scale) {
  auto sum = 0. * rc::sum(s);
  auto carry = s;
  for (int i = 0; i < 4; ++i) {
    auto const next = step(carry, x(i), m, p, c, scale);
    auto const y = rc::tanh(next) * carry;
    sum = sum + rc::sum(y * y);
    carry = next;
  }
  return rc::sum(carry * c) + sum;
};

}  // namespace

TEST_CASE("costly values of several kinds, captured matrices, parts, vectors and numbers") {
  auto const expected = rc::grad<0, 1, 2, 3, 4, 5>(unrolled)(h, xs, w, gates, b, .8);
  check_near(rc::grad<0, 1, 2, 3, 4, 5>(scanned)(h, xs, w, gates, b, .8), expected);
  rc::ndarray<double, 2> const rows = xs;
  check_near(rc::grad<0, 1, 2, 3, 4, 5>(scanned)(h, rows, w, gates, b, .8), expected);
  check_near(std::get<1>(rc::vjp(scanned)(h, xs, w, gates, b, .8))(1.), expected);
  check_near(rc::interpret(rc::grad<2, 3>(scanned))(h, xs, w, gates, b, .8),
             std::tuple(std::get<2>(expected), std::get<3>(expected)));
  // of no rows and of one
  rc::ndarray<double, 2> const none(0, 3);
  auto const of_none = rc::grad<0, 2, 3>(scanned)(h, none, w, gates, b, .8);
  check_near(std::get<0>(of_none), b);
  check_near(std::get<1>(of_none), matrix{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  check_near(std::get<2>(of_none), rc::tensor<double, 2, 2, 3>(rc::zeros_like(gates)));
  rc::ndarray<double, 2> const one = xs(rc::range<0, 1>(), rc::all);
  check_near(rc::grad<0, 1, 2, 3>(scanned)(h, one, w, gates, b, .8),
             rc::interpret(rc::grad<0, 1, 2, 3>(scanned))(h, one, w, gates, b, .8));
}
