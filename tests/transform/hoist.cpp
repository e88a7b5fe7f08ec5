// What leaves a loop where a graph is finished, and what stays in it: looked at in the graph, and in values that are
// the interpreter's.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

// How many instructions called that stand in regions of a finished graph.
template <class F, class... A>
constexpr int in_loops(char const* name, F const&, A const&...) {
  using call = rc::inspect::call_of<F>;
  using program = rc::tracing::usual_program<typename call::transform, typename call::function, A...>;
  int n = 0;
  for (int i = 1; i < program::graph.size; ++i) {
    char const *x = program::graph.ins[i].op->name, *y = name;
    while (*x != 0 && *x == *y) ++x, ++y;
    n += *x == *y && program::graph.ins[i].scope != 0;
  }
  return n;
}

rc::tensor<double, 3> const a{1, 2, -.5}, b{.5, -2, 4};
rc::tensor<double, 3, 3> const w{{1, 0, .5}, {.25, -1, 0}, {0, .5, .75}};
rc::tensor<double, 4, 3> const rows{{1, 2, 3}, {0, -1, .5}, {2, .25, 1}, {.5, .5, -2}};

constexpr auto moving = [](auto u, auto v, auto m, auto xs) {
  auto const step = [=](auto c, auto x) {
    auto const inner = rc::fori_loop(
        0, 2, [=](auto, auto q) { return q * rc::exp(v) + x / v + rc::sum(u * v); }, c);
    auto const next = rc::matmul(m * .5, inner) + u / v + rc::concat(u(rc::range(0, 1)), v(rc::range(0, 2)));
    return std::pair(next, next * x);
  };
  auto const [last, all] = rc::scan(step, u, xs);
  return rc::sum(last) + rc::sum(all);
};
constexpr auto staying = [](auto u, auto v, auto m, auto xs) {
  auto const step = [=](auto c, auto x) {
    auto const outer = u(rc::all, rc::newaxis) + v;  // larger than what it is made of
    auto const branch = rc::cond(
        rc::sum(c) > 0., [=](auto y) { return y + rc::log(rc::abs(u)); }, [=](auto y) { return y * rc::sum(m); }, c);
    return std::pair(branch * .5 + 2. * u, rc::sum(outer * x) + rc::sum(c));
  };
  auto const [last, all] = rc::scan(step, v, xs);
  return rc::sum(last * last) + rc::sum(all);
};
// an index that lies outside, in a loop that may have no iterations
constexpr auto indexed = [](auto u, auto at, auto xs) {
  auto const [last, all] =
      rc::scan([=](auto c, auto x) { return std::pair(c + rc::take(u, at, rc::axis<0>) * x, rc::sum(x)); }, u, xs);
  return rc::sum(last) + rc::sum(all);
};

}  // namespace

TEST_CASE("what is the same in all iterations is computed before them") {
  auto const f = rc::fn(moving);
  static_assert(in_loops("exp", f, a, b, w, rows) == 0 && in_loops("sum", f, a, b, w, rows) == 0);
  static_assert(in_loops("concat", f, a, b, w, rows) == 0);
  static_assert(in_loops("divide", f, a, b, w, rows) == 1);  // by x, which the inner loop alone may leave
  static_assert(in_loops("matmul", f, a, b, w, rows) == 1);
  CHECK(f(a, b, w, rows).item() == doctest::Approx(rc::interpret(moving)(a, b, w, rows).item()));
  auto const g = rc::grad<1>(moving);
  static_assert(in_loops("exp", g, a, b, w, rows) == 0);
  CHECK(numbers(g(a, b, w, rows)).near(numbers(rc::interpret(g)(a, b, w, rows))));
}
TEST_CASE("branches keep what is theirs, bodies what is cheap or large") {
  auto const f = rc::fn(staying);
  static_assert(in_loops("log", f, a, b, w, rows) == 1);
  static_assert(in_loops("add", f, a, b, w, rows) >= 4);
  CHECK(f(a, b, w, rows).item() == doctest::Approx(rc::interpret(staying)(a, b, w, rows).item()));
}
TEST_CASE("what may be refused stays where it is") {
  rc::tensor<rc::index_t, 3> const inside{2, 0, -1}, outside{0, 5, 1};
  rc::ndarray<double, 2> none(0, 3), one(1, 3);
  auto const f = rc::fn(indexed);
  static_assert(in_loops("take", f, a, inside, one) == 1);
  one(0) = a;
  CHECK(f(a, outside, none).item() == doctest::Approx(2.5));
  CHECK(raised([&] { f(a, outside, one); }).find("take") != std::string::npos);
  CHECK(f(a, inside, one).item() == doctest::Approx(2.5 + (-.5 * 1 + 1 * 2 - .5 * -.5) + 2.5));
}
