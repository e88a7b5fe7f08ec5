// Checkpoints derived twice, in batches, in loops and beside selections.
#include <doctest/doctest.h>

#include <tuple>

#include "../checkpoints.hpp"

namespace rc = ricci;
using namespace checkpoints;

TEST_CASE("checkpoints of the second order") {
  auto const f = [](auto x) { return rc::sum(rc::checkpoint(block)(x) * x); };
  auto const g = [](auto x) { return rc::sum(block(x) * x); };
  rc::tensor<double, 3> const x{.1, -.7, 2};
  check_same(rc::hessian(f), rc::hessian(g), x);
  check_near(rc::jacfwd(rc::jacfwd(f))(x), rc::hessian(g)(x));
  check_near(rc::jacrev(rc::jacfwd(f))(x), rc::hessian(g)(x));
}
TEST_CASE("checkpoints of batches and in loops") {
  rc::tensor<double, 2, 3> const x{{.1, -.7, 2}, {0, .4, -1}};
  auto const f = [](auto z) {
    return rc::sum(rc::vmap(rc::checkpoint([](auto r) { return r * rc::sum(block(r)); }))(z));
  };
  auto const g = [](auto z) { return rc::sum(rc::vmap([](auto r) { return r * rc::sum(block(r)); })(z)); };
  check_same(rc::grad(f), rc::grad(g), x);
  check_near(rc::vmap(rc::grad([](auto z) { return rc::sum(rc::checkpoint(block)(z)); }))(x),
             rc::grad([](auto z) { return rc::sum(block(z)); })(x));
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
}
TEST_CASE("loops, calls, rows and views inside of a checkpoint") {
  auto const inner = [](auto h, auto xs) {
    auto [last, ys] = rc::scan([h](auto c, auto x) { return std::pair(rc::sin(c * h + x), rc::sum(c)); }, h, xs);
    return rc::cumulative_sum(last) * rc::sort(h) + rc::sum(xs(1)) * rc::flip(h) + rc::sum(ys);
  };
  auto const f = [inner](auto h, auto xs) { return rc::sum(rc::square(rc::checkpoint(inner)(h, xs))); };
  auto const g = [inner](auto h, auto xs) { return rc::sum(rc::square(inner(h, xs))); };
  rc::tensor<double, 3> const h{.3, .2, .1};
  rc::tensor<double, 2, 3> const x{{.1, -.7, 2}, {0, .4, -1}};
  check_same(rc::grad<0, 1>(f), rc::grad<0, 1>(g), h, x);
  check_near(rc::vjp(f)(h, x).second(1.), rc::grad<0, 1>(g)(h, x));
}
TEST_CASE("what is left out by where stays out of a checkpoint, and its forms are stable") {
  auto const f = [](auto x) {
    return rc::sum(rc::where(x > 0., rc::checkpoint([](auto z) { return rc::log(z); })(x), 0.));
  };
  CHECK(numbers(rc::grad(f)(rc::tensor<double, 2>{0, 2})) == numbers{0, .5});
  auto const g = [](auto x) { return rc::checkpoint([](auto z) { return rc::log(rc::sum(rc::exp(z))); })(x); };
  rc::tensor<double, 2> const x{1000, 1000};
  CHECK(numbers(rc::grad(g)(x)) == numbers{.5, .5});
  CHECK(numbers(std::get<0>(rc::vjp(g)(x).second(1.))) == numbers{.5, .5});
}
