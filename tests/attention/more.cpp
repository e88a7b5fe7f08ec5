// Attention beyond its values: derivatives of all orders, rows that see nothing, batches, views, groups of heads,
// static extents, constant expressions, threads, errors.
#include <doctest/doctest.h>

#include <cstring>

#include <ricci/attention.hpp>

#include "../near.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr rc::attention_options causal{.causal = true};

template <class T, class... N>
auto sample(double seed, N... n) {
  rc::ndarray<T, int(sizeof...(N))> x(n...);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = T(std::sin(seed + 1.7 * double(k * k)));
  return x;
}

}  // namespace

TEST_CASE("derivatives, to the second order") {
  auto const q = sample<double>(1, 2, 3, 2), k = sample<double>(2, 2, 4, 2), v = sample<double>(3, 2, 4, 3);
  auto const plain = [](auto a, auto b, auto c) { return rc::sum(rc::sin(rc::attention(a, b, c))); };
  auto const first = rc::check_grads(plain, q, k, v, {.order = 2});
  CHECK_MESSAGE(first, first.text());
  auto const bias = sample<double>(4, 3, 4);
  auto const biased = [](auto a, auto b, auto c, auto d) {
    return rc::sum(rc::sin(rc::attention<causal>(a, b, c, d)));
  };
  auto const second = rc::check_grads(biased, q, k, v, bias, {.order = 2});
  CHECK_MESSAGE(second, second.text());
}
TEST_CASE("a query that sees nothing gets 0, and so do its derivatives") {
  rc::tensor<double, 2, 3> const q{{1, 2, 3}, {3, 2, 1}}, k{{1, 0, 1}, {0, 1, 0}};
  rc::tensor<double, 2, 2> const v{{1, 2}, {3, 4}};
  rc::tensor<bool, 2, 2> const mask{{false, false}, {false, true}};
  check_near(rc::eval(rc::attention(q, k, v, mask)), rc::tensor<double, 2, 2>{{0, 0}, {3, 4}}, 0);
  check_near(rc::interpret([](auto a, auto b, auto c, auto m) { return rc::attention(a, b, c, m); })(q, k, v, mask),
             rc::tensor<double, 2, 2>{{0, 0}, {3, 4}}, 0);
  auto const loss = [](auto a, auto b, auto c, auto m) { return rc::sum(rc::attention(a, b, c, m)); };
  auto const [by_q, by_k, by_v] = rc::grad<0, 1, 2>(loss)(q, k, v, mask);
  check_near(by_q, rc::tensor<double, 2, 3>{}, 0);
  check_near(by_k, rc::tensor<double, 2, 3>{}, 0);
  check_near(by_v, rc::tensor<double, 2, 2>{{0, 0}, {1, 1}}, 0);
  rc::ndarray<float, 2> const none(0, 3), values(0, 2), queries = rc::astype<float>(q);
  check_near(rc::eval(rc::attention(queries, none, values)), rc::tensor<float, 2, 2>{}, 0);
}
TEST_CASE("large scores, and what is no number") {
  rc::tensor<float, 2, 1> const q{{1000}, {-1000}}, k{{1000}, {-1000}}, v{{1}, {2}};
  check_near(rc::eval(rc::attention(q, k, v)), rc::tensor<float, 2, 1>{{1}, {2}}, 0);
  rc::tensor<float, 2, 1> const broken{{std::numeric_limits<float>::quiet_NaN()}, {1}};
  auto const y = rc::eval(rc::attention(broken, k, v));
  CHECK(y(0, 0) != y(0, 0));
  CHECK(y(1, 0) == 1);
}
TEST_CASE("the interpreter and the kernels agree") {
  auto const q = sample<double>(1, 2, 66, 5), k = sample<double>(2, 2, 70, 5), v = sample<double>(3, 2, 70, 3);
  auto const f = [](auto a, auto b, auto c) { return rc::attention<causal>(a, b, c); };
  check_near(rc::interpret(f)(q, k, v), rc::eval(f(q, k, v)));
  auto const loss = [](auto a, auto b, auto c) { return rc::sum(rc::sin(rc::attention<causal>(a, b, c))); };
  check_near(rc::interpret(rc::grad<0, 1, 2>(loss))(q, k, v), rc::grad<0, 1, 2>(loss)(q, k, v));
}
TEST_CASE("batches, views, and heads that share their places") {
  auto const q = sample<float>(1, 3, 2, 2, 7, 4), k = sample<float>(2, 3, 2, 1, 9, 4),
             v = sample<float>(3, 3, 2, 1, 9, 6);
  auto const whole = rc::eval(rc::attention(q, k, v));
  CHECK(whole.shape(3) == 7);
  CHECK(whole.shape(4) == 6);
  for (rc::index_t b = 0; b < 3; ++b)
    for (rc::index_t h = 0; h < 2; ++h)
      check_near(rc::eval(whole(b, h, 1)), rc::eval(rc::attention(q(b, h, 1), k(b, h, 0), v(b, h, 0))), 1e-6);
  auto const f = [](auto a, auto b, auto c) { return rc::attention(a, b, c); };
  check_near(rc::eval(rc::vmap(f)(q, k, v)), whole, 1e-6);
  check_near(rc::eval(rc::vmap(f, rc::in_axes<0, rc::unbatched, rc::unbatched>)(rc::eval(q(0)), rc::eval(k(0, 0)),
                                                                                rc::eval(v(0, 0)))),
             rc::eval(rc::attention(q(0), k(0, 0), v(0, 0))), 1e-6);
  // places before heads, as JAX has them
  auto const places_first = [](auto const& x) { return rc::eval(rc::swapaxes(x, rc::axis<-3>, rc::axis<-2>)); };
  auto const back = [](auto const& x) { return rc::swapaxes(x, rc::axis<-3>, rc::axis<-2>); };
  auto const qt = places_first(q), kt = places_first(k), vt = places_first(v);
  check_near(rc::eval(rc::attention(back(qt), back(kt), back(vt))), whole, 1e-6);
}
TEST_CASE("static extents, and other types") {
  rc::tensor<double, 2, 2> const q{{1, 0}, {0, 1}}, v{{1, 2}, {3, 4}};
  auto const y = rc::eval(rc::attention<rc::attention_options{.scale = 1}>(q, q, v));
  static_assert(std::is_same_v<decltype(y), rc::tensor<double, 2, 2> const>);
  double const e = std::exp(1.);
  check_near(y, rc::tensor<double, 2, 2>{{(e + 3) / (e + 1), (2 * e + 4) / (e + 1)},
                                         {(1 + 3 * e) / (e + 1), (2 + 4 * e) / (e + 1)}});
  check_near(rc::eval(rc::attention(rc::astype<int>(q), q, rc::astype<int>(v))), rc::eval(rc::attention(q, q, v)));
  auto const half =
      rc::eval(rc::attention(rc::astype<rc::bfloat16>(q), rc::astype<rc::bfloat16>(q), rc::astype<rc::bfloat16>(v)));
  static_assert(std::is_same_v<decltype(half), rc::tensor<rc::bfloat16, 2, 2> const>);
  CHECK(std::abs(float(half(0, 0)) - float(rc::eval(rc::attention(q, q, v))(0, 0))) < .01f);
}
TEST_CASE("any number of threads gives the same bits") {
  auto const q = sample<float>(1, 3, 130, 16), k = sample<float>(2, 3, 140, 16), v = sample<float>(3, 3, 140, 16);
  auto const bytes = [](auto const& x) { return std::size_t(x.size()) * sizeof(float); };
  auto const y = rc::attention<causal>(q, k, v);
  auto const alone = rc::eval(y, rc::cpu{.threads = 1}), shared = rc::eval(y, rc::cpu{.threads = 3});
  CHECK(double(rc::sum(rc::abs(alone))) > 0);
  CHECK(std::memcmp(alone.data(), shared.data(), bytes(alone)) == 0);
  auto const by_q = rc::grad([](auto a, auto b, auto c) { return rc::sum(rc::sin(rc::attention(a, b, c))); });
  rc::ndarray<float, 3> const wide = rc::eval(q, rc::cpu{.threads = 3});
  auto const g = by_q(q, k, v), h = by_q(wide, k, v);
  CHECK(std::memcmp(g.data(), h.data(), bytes(g)) == 0);
}
TEST_CASE("what misfits is told") {
  rc::ndarray<float, 2> const q(2, 3), k(4, 3), v(4, 2), mask(3, 4), wide(4, 5);
  CHECK(raised([&] { (void)rc::eval(rc::attention(q, wide, v)); }) == "shape_error: attention: (2, 3) (4, 5)");
  CHECK(raised([&] { (void)rc::eval(rc::attention(q, k, q)); }) == "shape_error: attention: (4, 3) (2, 3)");
  CHECK(raised([&] { (void)rc::eval(rc::attention(q, k, v, mask)); }) == "shape_error: attention: (2, 3) (3, 4)");
}
