// Checkpoints: the same values and derivatives as without them, of less that is kept.
#include <doctest/doctest.h>

#include <tuple>

#include "../checkpoints.hpp"

namespace rc = ricci;
using namespace checkpoints;

namespace {

constexpr auto deep = [](auto h) {
  for (int i = 0; i < 8; ++i) h = rc::checkpoint(block)(h);
  return rc::sum(h);
};
constexpr auto plain = [](auto h) {
  for (int i = 0; i < 8; ++i) h = block(h);
  return rc::sum(h);
};

// several arguments and results
constexpr auto layer = [](auto h, auto w) {
  auto const y = rc::tanh(rc::matmul(h, w));
  return std::tuple{rc::matmul(rc::exp(y * .1), w), rc::sum(y * y)};
};
template <bool Checkpoints>
constexpr auto net = [](auto h, auto w) {
  auto penalty = rc::sum(w) * 0.;
  for (int k = 0; k < 3; ++k) {
    auto [next, p] = [&] {
      if constexpr (Checkpoints)
        return rc::checkpoint(layer)(h, w);
      else
        return layer(h, w);
    }();
    h = next;
    penalty += p;
  }
  return rc::sum(rc::square(h)) + penalty;
};
template <bool Checkpoints>
constexpr auto layers = [](auto h, auto w) {
  auto const one = [](auto x, auto v) { return rc::tanh(rc::matmul(rc::exp(rc::matmul(x, v) * .1), v)); };
  for (int k = 0; k < 6; ++k) {
    if constexpr (Checkpoints)
      h = rc::checkpoint(one)(h, w);
    else
      h = one(h, w);
  }
  return rc::sum(h);
};
rc::tensor<double, 2, 2> const h0{{.1, -.2}, {.3, .4}}, w0{{.5, .1}, {-.2, .3}};

}  // namespace

TEST_CASE("a pullback keeps the arguments of what a checkpoint computes again") {
  rc::tensor<double, 128> const x = rc::linspace<double>(-1, 1, 128);
  auto const [value, pull] = rc::vjp(deep)(x);
  auto const [same, pull_plain] = rc::vjp(plain)(x);
  CHECK(numbers(value).near(numbers(same)));
  CHECK(pull.bytes() == 8 * 1024);  // of each block what it began with
  CHECK(pull.bytes() * 2 <= pull_plain.bytes());
  check_near(pull(1.), pull_plain(1.));
  // one around others keeps x alone
  auto const pull_nested = rc::vjp([](auto h) { return rc::checkpoint(deep)(h); })(x).second;
  CHECK(pull_nested.bytes() == 1024);
  check_near(pull_nested(2.), pull_plain(2.));
  // extents that are known when it runs; an argument that the pullback does not read is not kept
  rc::ndarray<double, 1> const y{1, 2, 3};
  auto const scaled =
      rc::vjp([](auto a, auto b) { return rc::sum(rc::checkpoint([](auto c) { return c * 2.; })(a) * b); })(y, y);
  CHECK(scaled.second.bytes() <= 128);
  CHECK(numbers(std::get<0>(scaled.second(1.))) == numbers{2, 4, 6});
}
TEST_CASE("a gradient needs less memory, for more operations") {
  using matrix = rc::tensor<double, 32, 32>;
  matrix const h = rc::full_like(matrix{}, .1), w = rc::full_like(matrix{}, .01);
  constexpr auto with = rc::workspace_bytes<decltype(rc::grad(layers<true>)), matrix, matrix>,
                 without = rc::workspace_bytes<decltype(rc::grad(layers<false>)), matrix, matrix>;
  CHECK(with * 3 < without * 2);
  CHECK(rc::count(rc::grad(layers<true>), h, w).operations > rc::count(rc::grad(layers<false>), h, w).operations);
  check_near(rc::grad(layers<true>)(h, w), rc::grad(layers<false>)(h, w));
  // tangents keep nothing in either case
  CHECK(rc::count(rc::jvp(layers<true>), h, w, h, w).operations ==
        rc::count(rc::jvp(layers<false>), h, w, h, w).operations);
}
TEST_CASE("an argument itself as a gradient") {
  auto const f = [](auto x, auto y) { return rc::checkpoint([](auto a, auto b) { return rc::sum(a * b); })(x, y); };
  rc::tensor<double, 2> const a{1, 2}, b{3, 4};
  auto const [of_a, of_b] = rc::grad<0, 1>(f)(a, b);
  CHECK(numbers(of_a) == numbers{3, 4});
  CHECK(numbers(of_b) == numbers{1, 2});
  auto const product = [](auto x, auto y) {
    return rc::sum(rc::checkpoint([](auto u, auto v) { return rc::matmul(u, v.T()); })(x, y));
  };
  rc::tensor<double, 2, 2> const c{{1, 2}, {3, 4}};
  check_same(rc::grad<0, 1>(product), rc::grad<0, 1>([](auto x, auto y) { return rc::sum(rc::matmul(x, y.T())); }), c,
             c);
}
TEST_CASE("a checkpoint changes no derivative") {
  check_same(rc::value_and_grad<0, 1>(net<true>), rc::value_and_grad<0, 1>(net<false>), h0, w0);
  rc::ndarray<double, 2> const h = h0, w = w0;
  check_near(rc::grad<0, 1>(net<true>)(h, w), rc::grad<0, 1>(net<false>)(h0, w0));
  check_near(rc::vjp(net<true>)(h0, w0).second(1.), rc::vjp(net<false>)(h0, w0).second(1.));
  check_near(rc::jvp(net<true>)(h0, w0)(w0, h0), rc::jvp(net<false>)(h0, w0)(w0, h0));
  check_near(rc::interpret(rc::jvp(net<true>))(h0, w0)(w0, h0), rc::jvp(net<false>)(h0, w0)(w0, h0));
}
