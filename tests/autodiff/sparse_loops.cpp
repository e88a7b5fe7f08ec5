// Patterns of sparse jacobians: of loops and branches.
#include "../sparse.hpp"

TEST_CASE("loops and branches") {
  auto const cell = [](auto h, auto x) { return std::pair(0.5 * h + rc::square(x), h * x); };
  auto const walk = [cell](auto xs) {
    auto [last, ys] = rc::scan(cell, 0.25, xs);
    return rc::concat(ys, rc::reshape(last, rc::shape(1)), rc::axis<0>);
  };
  auto const j = check(true, walk, some(6));
  CHECK(j.nonzeros() == 1 + 2 + 3 + 4 + 5 + 6 + 6);
  // only what is carried: a moving window of two
  auto const window = [](auto xs) {
    auto const step = [](auto before, auto x) { return std::pair(x, x * before); };
    return std::get<1>(rc::scan(step, 1., xs));
  };
  auto const w = check(true, window, some(50));
  CHECK((w.nonzeros() == 99 && w.colors == 2));
  auto const branch = [](auto a, auto b) {
    return rc::cond(
        a(0) > 0., [](auto x, auto y) { return x * y(0); }, [](auto x, auto y) { return rc::flip(x) * y; }, a, b);
  };
  check(false, branch, some(5), some(5, 0.8));
  check(false, branch, vector(-some(5)), some(5, 0.8));
  check<1>(false, branch, some(5), some(5, 0.8));
}
