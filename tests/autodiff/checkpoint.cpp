// Checkpoints: the same values and derivatives as without them, of less that is kept.
#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class A, class B>
void check_near(A const& a, B const& b) {
  if constexpr (rc::Tensor<A>)
    CHECK_MESSAGE(numbers(a).near(numbers(b), 1e-12), numbers(a), " and ", numbers(b));
  else
    std::apply([&](auto const&... x) { std::apply([&](auto const&... y) { (check_near(x, y), ...); }, b); }, a);
}
template <class F, class G, class... A>
void check_same(F const& f, G const& g, A const&... a) {
  auto const expected = g(a...);
  check_near(f(a...), expected);
  check_near(rc::interpret(f)(a...), expected);
}

constexpr auto block = [](auto h) { return rc::tanh(rc::sin(h) * 2.); };
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
rc::tensor<double, 2, 2> const h0{{.1, -.2}, {.3, .4}}, w0{{.5, .1}, {-.2, .3}};

}  // namespace

TEST_CASE("a checkpoint keeps the arguments of what it computes again") {
  rc::ndarray<double, 1> const x = rc::linspace<double>(-1, 1, 10000);
  auto const [value, pull] = rc::vjp(deep)(x);
  auto const [same, pull_plain] = rc::vjp(plain)(x);
  CHECK(numbers(value).near(numbers(same)));
  CHECK(pull.bytes() == 8 * 10000 * 8 / 64 * 64);  // of each block what it began with
  CHECK(pull.bytes() * 2 <= pull_plain.bytes());
  check_near(pull(1.), pull_plain(1.));
  check_near(rc::eval(rc::grad(deep)(x)), rc::eval(rc::grad(plain)(x)));
  // one around all of it keeps x alone
  auto const around = [](auto h) { return rc::checkpoint(plain)(h); };
  auto const [v, pull_around] = rc::vjp(around)(x);
  CHECK(pull_around.bytes() == 80000);
  check_near(pull_around(2.), pull_plain(2.));
  // and so does one around others
  auto const nested = [](auto h) { return rc::checkpoint(deep)(h); };
  auto const pull_nested = rc::vjp(nested)(x).second;
  CHECK(pull_nested.bytes() == 80000);
  check_near(pull_nested(2.), pull_plain(2.));
}
TEST_CASE("a checkpoint changes no derivative") {
  check_same(rc::value_and_grad<0, 1>(net<true>), rc::value_and_grad<0, 1>(net<false>), h0, w0);
  check_near(rc::vjp(net<true>)(h0, w0).second(1.), rc::vjp(net<false>)(h0, w0).second(1.));
  check_near(rc::jvp(net<true>)(h0, w0)(w0, h0), rc::jvp(net<false>)(h0, w0)(w0, h0));
  check_near(rc::interpret(rc::jvp(net<true>))(h0, w0)(w0, h0), rc::jvp(net<false>)(h0, w0)(w0, h0));
  check_near(rc::hvp(net<true>)(h0, w0, w0), rc::hvp(net<false>)(h0, w0, w0));
}
TEST_CASE("checkpoints of the second order") {
  auto const f = [](auto x) { return rc::sum(rc::checkpoint(block)(x) * x); };
  auto const g = [](auto x) { return rc::sum(block(x) * x); };
  rc::tensor<double, 3> const x{.1, -.7, 2};
  check_same(rc::hessian(f), rc::hessian(g), x);
  check_same(rc::jacfwd(rc::jacfwd(f)), rc::jacfwd(rc::jacfwd(g)), x);
  check_same(rc::jacrev(rc::jacrev(f)), rc::jacrev(rc::jacrev(g)), x);
  check_same(rc::jacrev(rc::jacfwd(f)), rc::jacrev(rc::jacfwd(g)), x);
}
TEST_CASE("checkpoints of batches and in loops") {
  rc::tensor<double, 2, 3> const x{{.1, -.7, 2}, {0, .4, -1}};
  auto const f = [](auto z) { return rc::sum(rc::vmap(rc::checkpoint([](auto r) { return r * rc::sum(block(r)); }))(z)); };
  auto const g = [](auto z) { return rc::sum(rc::vmap([](auto r) { return r * rc::sum(block(r)); })(z)); };
  check_same(rc::grad(f), rc::grad(g), x);
  check_same(rc::grad(f), rc::grad(g), rc::ndarray<double, 2>(x));
  check_same(rc::vmap(rc::grad(deep)), rc::vmap(rc::grad(plain)), x);
  auto const scan_of = [](auto step) {
    return [step](auto h, auto xs) {
      auto [last, ys] = rc::scan(
          [step](auto c, auto e) {
            auto const next = step(c + e);
            return std::pair(next, rc::sum(next));
          },
          h, xs);
      return rc::sum(last * last) + rc::sum(ys);
    };
  };
  auto const scanned = scan_of(rc::checkpoint(block));
  auto const usual = scan_of(block);
  rc::tensor<double, 3> const h{.3, .2, .1};
  check_same(rc::grad<0, 1>(scanned), rc::grad<0, 1>(usual), h, x);
  check_near(rc::vjp(scanned)(h, x).second(1.), rc::vjp(usual)(h, x).second(1.));
}
TEST_CASE("what is left out by where stays out of a checkpoint, and its forms are stable") {
  auto const f = [](auto x) { return rc::sum(rc::where(x > 0., rc::checkpoint([](auto z) { return rc::log(z); })(x), 0.)); };
  CHECK(numbers(rc::grad(f)(rc::tensor<double, 2>{0, 2})) == numbers{0, .5});
  auto const g = [](auto x) { return rc::checkpoint([](auto z) { return rc::log(rc::sum(rc::exp(z))); })(x); };
  rc::tensor<double, 2> const x{1000, 1000};
  CHECK(numbers(rc::grad(g)(x)) == numbers{.5, .5});
  CHECK(numbers(std::get<0>(rc::vjp(g)(x).second(1.))) == numbers{.5, .5});
}
