// Patterns of sparse jacobians: of rows that integers name, which are known when it is called.
#include "../sparse.hpp"

namespace {

using indices = rc::ndarray<int, 1>;

// positions of points in the plane, and the lengths of bars between some of them
constexpr auto lengths = [](auto p, auto from, auto to) {
  auto const d = rc::take(p, from, rc::axis<0>) - rc::take(p, to, rc::axis<0>);
  return rc::sqrt(rc::sum(d * d, rc::axis<1>));
};

}  // namespace

TEST_CASE("by arguments, and by what follows from them") {
  matrix const p = some(6, 2, 0.2);
  indices const from{0, 1, 2, 3, 5}, to{1, 2, 3, -2, 0};
  auto const j = check(true, lengths, p, from, to);
  CHECK(j.nonzeros() == 5 * 4);
  CHECK(numbers(j.columns(rc::range(8, 12))) == numbers{4, 5, 6, 7});
  CHECK(check(
            true, [](auto x, auto i) { return x(i * 2 + 1) * x(i); }, some(8), indices{0, 1, 3})
            .nonzeros() == 6);
  auto const elements = [](auto x, auto r, auto c) { return x(r, c) * x(0, 1); };
  check(true, elements, some(4, 3, 0.1), indices{1, 2, 3, 3}, indices{0, 2, -1, 1});
  rc::ndarray<long, 2> const table{{0, 3}, {2, 2}};
  check(
      true, [](auto x, auto i) { return rc::take(x, i, rc::axis<1>); }, some(2, 4, 0.1), table);
  auto const constant = [](auto x) { return x(rc::tensor<int, 3>{4, 0, 4}) * 2.; };
  CHECK(check(true, constant, some(5)).nonzeros() == 3);
}

TEST_CASE("that are written or added to") {
  indices const i{1, 3, 1};
  auto const written = [](auto x, auto y, auto at) {
    auto z = x * x;
    z(at) = y;
    return z;
  };
  auto const added = [](auto x, auto y, auto at) {
    auto z = x * x;
    z(at).add(y * y);
    return z;
  };
  vector const x = some(5), y = some(3, 0.8);
  CHECK(check(true, written, x, y, i).nonzeros() == 3);
  CHECK(check<1>(true, written, x, y, i).nonzeros() == 2);
  CHECK(check(true, added, x, y, i).nonzeros() == 5);
  CHECK(check<1>(true, added, x, y, i).nonzeros() == 3);
}

TEST_CASE("conditions that choose") {
  auto const observed = [](auto x, auto there) { return rc::where(there, x * rc::flip(x), 0.); };
  rc::tensor<bool, 6> const there{true, false, false, true, true, false};
  CHECK(check(true, observed, some(6), there).nonzeros() == 6);
  auto const lower = [](auto a) { return rc::tril(a * rc::flip(a, rc::axis<1>)); };
  check(true, lower, some(3, 3, 0.2));
}
