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

namespace {

bool same_or_both_nan(auto const& a, auto const& b, double tolerance) {
  return bool(rc::all((a == b) | (rc::abs(a - b) <= tolerance) | ((a != a) & (b != b))));
}

void check_part(int part, bool is_right) {
  CAPTURE(part);
  CHECK(is_right);
}
// Padding that is no number, by a mask, by a bias and by causal, forward and backward: the kernels as the interpreter,
// and as if the hidden places were 0. The numbers of queries, places and outputs fill blocks and do not.
template <class T>
void check_padding(int m, int n, int e, T wrong) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(wrong);
  auto const q = sample<T>(1, m, 5), dy = sample<T>(5, m, e);
  auto k = sample<T>(2, n, 5), v = sample<T>(3, n, e);
  rc::ndarray<bool, 1> const seen = rc::arange<int>(0, n) < n - 2;
  rc::ndarray<T, 1> const bias = rc::where(seen, T(0.25), -std::numeric_limits<T>::infinity());
  auto const masked = [](auto a, auto b, auto c, auto s, auto d) { return rc::sum(rc::attention(a, b, c, s) * d); };
  auto const of = [&](auto const& hides) {
    return std::tuple_cat(std::tuple(rc::eval(rc::attention(q, k, v, hides))),
                          rc::grad<0, 1, 2>(masked)(q, k, v, hides, dy));
  };
  auto const interpreted = [&] {
    return rc::interpret([](auto a, auto b, auto c, auto s) { return rc::attention(a, b, c, s); })(q, k, v, seen);
  };
  k(rc::range(n - 2, n)) = T(0), v(rc::range(n - 2, n)) = T(0);
  auto const expected = of(seen), by_bias = of(bias);
  k(n - 2) = wrong, v(n - 1) = wrong;
  auto const found = of(seen), found_by_bias = of(bias);
  double const tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13;
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (check_part(int(K), same_or_both_nan(std::get<K>(found), std::get<K>(expected), tolerance)), ...);
    (check_part(int(K), same_or_both_nan(std::get<K>(found_by_bias), std::get<K>(by_bias), tolerance)), ...);
  }
  (std::make_index_sequence<4>{});
  CHECK(same_or_both_nan(interpreted(), std::get<0>(expected), tolerance));
  // hidden by causal from the queries before it alone
  auto const f = [](auto a, auto b, auto c) { return rc::attention<causal>(a, b, c); };
  auto const loss = [f](auto a, auto b, auto c, auto d) { return rc::sum(f(a, b, c) * d); };
  k = sample<T>(2, n, 5), v = sample<T>(3, n, e);
  auto const before = rc::eval(f(q, k, v));
  int const broken = n / 2;
  v(broken) = wrong;
  auto const after = rc::eval(f(q, k, v)), of_interpreter = rc::eval(rc::interpret(f)(q, k, v));
  int const clean = broken < m ? broken : m;
  CHECK(same_or_both_nan(after, of_interpreter, tolerance));
  CHECK(same_or_both_nan(after(rc::range(0, clean)), before(rc::range(0, clean)), tolerance));
  if (broken < m) CHECK(!bool(rc::any(rc::isfinite(after(broken)))));
  k(broken) = wrong;
  auto const g = rc::grad<0, 1, 2>(loss);
  auto const slow = rc::interpret(g);
  auto const [by_q, by_k, by_v] = g(q, k, v, dy);
  auto const [to_q, to_k, to_v] = slow(q, k, v, dy);
  CHECK(same_or_both_nan(by_q, to_q, 10 * tolerance));
  CHECK(same_or_both_nan(by_k, to_k, 10 * tolerance));
  CHECK(same_or_both_nan(by_v, to_v, 10 * tolerance));
  CHECK(bool(rc::all(rc::isfinite(by_q(rc::range(0, clean))))));
}

}  // namespace

TEST_CASE("numbers of hidden places need not be finite") {
  for (auto const& [m, n, e] : {std::tuple(4, 4, 2), {70, 150, 32}, {200, 133, 7}, {3, 300, 64}}) {
    check_padding<double>(m, n, e, std::numeric_limits<double>::quiet_NaN());
    check_padding<double>(m, n, e, std::numeric_limits<double>::infinity());
    check_padding<float>(m, n, e, std::numeric_limits<float>::quiet_NaN());
  }
}
