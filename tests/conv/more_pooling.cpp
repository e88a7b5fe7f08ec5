// Pooling beyond its values: static extents, ties, NaN, derivatives of second order, batches, views, threads.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include <ricci/conv.hpp>

#include "../near.hpp"

namespace rc = ricci;

using pools = rc::pool_options;
static constexpr pools of_three{.window = {3, 2}, .stride = {2, 1}, .pad = {1, 0}};
static constexpr pools overlapping{.window = {3, 2}, .stride = {2, 1}, .pad = {1, 0}, .zeros = rc::pool_zeros::ignored};

namespace {

rc::ndarray<double, 4> image(int n, int h, int w, int c) {
  rc::ndarray<double, 4> x(n, h, w, c);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = std::sin(1.3 * double(k * k));
  return x;
}

}  // namespace

TEST_CASE("static extents, by hand") {
  rc::tensor<double, 4, 1> const x{{1}, {3}, {3}, {-2}};
  auto const y = rc::eval(rc::max_pool<2>(x));
  static_assert(std::is_same_v<decltype(y), rc::tensor<double, 2, 1> const>);
  check_near(y, rc::tensor<double, 2, 1>{{3}, {3}});
  check_near(rc::eval(rc::avg_pool<pools{.window = 3, .stride = 1, .pad = 1, .zeros = rc::pool_zeros::counted}>(x)),
             rc::tensor<double, 4, 1>{{4. / 3}, {7. / 3}, {4. / 3}, {1. / 3}});
  check_near(rc::eval(rc::avg_pool<pools{.window = 3, .stride = 1, .pad = 1, .zeros = rc::pool_zeros::ignored}>(x)),
             rc::tensor<double, 4, 1>{{2}, {7. / 3}, {4. / 3}, {.5}});
  check_near(rc::eval(rc::adaptive_avg_pool<3>(x)), rc::tensor<double, 3, 1>{{2}, {3}, {.5}});
  auto const channels = rc::tensor<double, 2, 2, 2>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 0}}};
  check_near(rc::eval(rc::global_avg_pool<2>(channels)), rc::tensor<double, 2>{4, 3});
  check_near(rc::eval(rc::global_max_pool<2>(channels)), rc::tensor<double, 2>{7, 6});
  static_assert(std::is_same_v<decltype(rc::eval(rc::adaptive_avg_pool<1, 1>(channels))), rc::tensor<double, 1, 1, 2>>);
}
TEST_CASE("of equal elements the first has the derivative, in every window and for any number of channels") {
  auto const loss = [](auto x) { return rc::sum(rc::max_pool<pools{.window = {2, 2}, .stride = 1}>(x)); };
  rc::tensor<double, 3, 3, 1> const one = rc::eval(rc::zeros<double>(rc::extents<3, 3, 1>{}) + 5.);
  check_near(rc::grad(loss)(one), rc::tensor<double, 3, 3, 1>{{{1}, {1}, {0}}, {{1}, {1}, {0}}, {{0}, {0}, {0}}});
  rc::ndarray<float, 3> many(3, 3, 37);
  many = 5.f;
  auto const g = rc::grad(loss)(many);
  for (int c = 0; c < 37; ++c) CHECK((g(0, 0, c) == 1 && g(1, 1, c) == 1 && g(2, 2, c) == 0 && g(0, 2, c) == 0));
}
TEST_CASE("NaN is greater than every number, and the first has the derivative") {
  double const nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  rc::tensor<double, 4, 1> const x{{1}, {nan}, {-inf}, {-inf}};
  rc::ndarray<double, 2> const moving = x;
  CHECK(std::isnan(rc::eval(rc::max_pool<2>(moving))(0, 0)));
  CHECK(rc::eval(rc::max_pool<2>(moving))(1, 0) == -inf);
  auto const loss = [](auto a) { return rc::sum(rc::max_pool<2>(a)); };
  check_near(rc::grad(loss)(moving), rc::tensor<double, 4, 1>{{0}, {1}, {1}, {0}});
}
TEST_CASE("derivatives") {
  auto const x = image(2, 5, 4, 3);
  auto const greatest = [](auto a) { return rc::sum(rc::sin(rc::max_pool<of_three>(a))); };
  auto const averages = [](auto a) { return rc::sum(rc::sin(rc::avg_pool<overlapping>(a))); };
  auto const adaptive = [](auto a) { return rc::sum(rc::sin(rc::adaptive_avg_pool<2, 3>(a))); };
  auto const check = [&x](auto const& f) {
    auto const report = rc::check_grads(f, x, {.order = 2});
    CHECK_MESSAGE(report, report.text());
  };
  check(greatest);
  check(averages);
  check(adaptive);
}
TEST_CASE("batches by vmap, the interpreter, views, integers, half precision") {
  auto const x = image(3, 5, 6, 20);
  auto const f = [](auto a) { return rc::max_pool<of_three>(a); };
  auto const whole = rc::eval(f(x));
  check_near(rc::eval(rc::vmap(f)(x)), whole);
  check_near(rc::interpret(f)(x), whole);
  auto const slope = [](auto a) {
    return rc::sum(rc::square(rc::max_pool<of_three>(a) + rc::avg_pool<overlapping>(a)));
  };
  check_near(rc::interpret(rc::grad(slope))(x), rc::grad(slope)(x));
  rc::ndarray<double, 4> const first = rc::permute_dims(x, rc::axes<0, 3, 1, 2>);  // channels first
  auto const last = [](auto const& a) { return rc::permute_dims(a, rc::axes<0, 2, 3, 1>); };
  check_near(rc::eval(f(last(first))), whole);
  check_near(rc::eval(rc::avg_pool<overlapping>(last(first))), rc::eval(rc::avg_pool<overlapping>(x)));
  auto const by_first = rc::grad([](auto a) {
    return rc::sum(rc::square(rc::max_pool<of_three>(rc::permute_dims(a, rc::axes<0, 2, 3, 1>))));
  })(first);
  auto const by_last = rc::grad([](auto a) { return rc::sum(rc::square(rc::max_pool<of_three>(a))); })(x);
  check_near(rc::eval(last(by_first)), by_last);
  rc::ndarray<double, 4> there(3, 20, 3, 5);
  rc::permute_dims(there, rc::axes<0, 2, 3, 1>) = f(x);
  check_near(rc::eval(last(there)), whole);

  rc::ndarray<int, 4> const n = rc::astype<int>(x * 100.);
  check_near(rc::eval(rc::astype<double>(f(n))), rc::eval(f(rc::astype<double>(n))));
  static_assert(std::is_same_v<decltype(rc::eval(rc::avg_pool<2, 2>(n))), rc::ndarray<double, 4>>);
  check_near(rc::eval(rc::avg_pool<2, 2>(n)), rc::eval(rc::avg_pool<2, 2>(rc::astype<double>(n))));
  rc::ndarray<rc::bfloat16, 4> const h = rc::astype<rc::bfloat16>(x);
  check_near(rc::eval(rc::astype<float>(f(h))), rc::eval(f(rc::astype<float>(h))));
}
TEST_CASE("windows that see nothing, no elements") {
  rc::ndarray<double, 3> const small(1, 2, 3), none(0, 5, 3);
  CHECK(rc::eval(rc::max_pool<3>(small)).size() == 0);
  CHECK(rc::eval(rc::avg_pool<2>(none)).shape(1) == 2);
  rc::ndarray<double, 2> one(1, 1);
  one(0, 0) = 7;
  auto const between = [](auto a) { return rc::max_pool<pools{.window = 2, .stride = 1, .pad = 1, .dilation = 2}>(a); };
  CHECK(rc::eval(between(one))(0, 0) == rc::eval(rc::max(rc::ndarray<double, 1>(0))));
  auto const sum_between = [](auto a) {
    return rc::sum(rc::max_pool<pools{.window = 2, .stride = 1, .pad = 1, .dilation = 2}>(a));
  };
  CHECK(rc::grad(sum_between)(one)(0, 0) == 0);
}
TEST_CASE("any number of threads gives the same bits") {
  rc::ndarray<float, 4> x(2, 70, 90, 19);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = float(std::sin(1.3 * double(k % 977)));
  auto const same = [](auto const& y) {
    auto const alone = rc::eval(y, rc::cpu{.threads = 1}), shared = rc::eval(y, rc::cpu{.threads = 3});
    CHECK(double(rc::sum(rc::abs(alone))) > 0);
    return std::memcmp(alone.data(), shared.data(), std::size_t(alone.size()) * sizeof(float)) == 0;
  };
  CHECK(same(rc::max_pool<of_three>(x)));
  CHECK(same(rc::avg_pool<overlapping>(x)));
  auto const slope = [](auto a) {
    return rc::sum(rc::square(rc::max_pool<of_three>(a)) + rc::avg_pool<overlapping>(a));
  };
  auto const alone = rc::grad(slope)(rc::eval(x, rc::cpu{.threads = 1}));
  auto const shared = rc::grad(slope)(rc::eval(x, rc::cpu{.threads = 3}));
  CHECK(std::memcmp(alone.data(), shared.data(), std::size_t(alone.size()) * sizeof(float)) == 0);
}
constexpr rc::tensor<double, 2, 1> in_a_constant() {
  return rc::max_pool<2>(rc::tensor<double, 4, 1>{{1}, {2}, {4}, {-1}});
}
constexpr rc::tensor<double, 2, 1> mean_in_a_constant() {
  return rc::avg_pool<2>(rc::tensor<double, 4, 1>{{1}, {2}, {4}, {-1}});
}
TEST_CASE("constant expressions") {
  constexpr auto y = in_a_constant(), z = mean_in_a_constant();
  CHECK((y(0, 0) == 2 && y(1, 0) == 4 && z(0, 0) == 1.5 && z(1, 0) == 1.5));
}
