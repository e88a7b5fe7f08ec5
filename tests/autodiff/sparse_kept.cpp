// Patterns of sparse jacobians: of rows that other values name; those that are kept.
#include "../sparse.hpp"

namespace {

using indices = rc::ndarray<int, 1>;

// positions of points in the plane, and the lengths of bars between some of them
constexpr auto lengths = [](auto p, auto from, auto to) {
  auto const d = rc::take(p, from, rc::axis<0>) - rc::take(p, to, rc::axis<0>);
  return rc::sqrt(rc::sum(d * d, rc::axis<1>));
};

}  // namespace

TEST_CASE("that depend on floating arguments: any row may be meant") {
  vector const x = some(5), y = some(5, 0.8);
  auto const sorted = [](auto a, auto b) { return rc::take(a, rc::argsort(b), rc::axis<0>) * 2.; };
  CHECK(check(false, sorted, x, y).nonzeros() == 25);
  auto const scattered = [](auto a, auto b) {
    auto z = a * a;
    z(rc::argsort(b)) = 3. * a;
    return z;
  };
  CHECK(check(false, scattered, x, y).nonzeros() == 25);
}

TEST_CASE("in loops") {
  indices const order{2, 0, 3, 3};
  auto const walk = [](auto x, auto places) {
    auto const step = [x](auto before, auto k) { return std::pair(before, rc::take(x, k, rc::axis<0>) * x(0)); };
    return std::get<1>(rc::scan(step, 0., places));
  };
  CHECK(check(true, walk, some(5), order).nonzeros() == 7);
}

TEST_CASE("an index that is out of range") {
  matrix const p = some(6, 2, 0.2);
  CHECK(raised([&] { rc::sparse_jacobian(lengths)(p, indices{0}, indices{6}); }) ==
        "index_error: take: index 6 is out of range for an axis of 6");
}

TEST_CASE("the pattern is kept as long as it holds") {
  auto j = rc::prepared(rc::sparse_jacobian(lengths));
  for (int k = 0; k < 3; ++k) {
    matrix const p = some(6, 2, 0.2 + k);
    indices const from{0, 1, 2}, to{k, 4, 5 - k};
    CHECK(numbers(j(p, from, to).dense()).near(numbers(rc::eval(rc::jacfwd(lengths)(p + 0., from, to))), 1e-12));
    CHECK(numbers(j(2. * p, from, to).dense()).near(numbers(rc::eval(rc::jacfwd(lengths)(2. * p, from, to))), 1e-12));
  }
  matrix const more = some(9, 2, 0.4);
  CHECK(j(more, indices{8, 0}, indices{1, 2}).shape(1) == 18);
  // by the types of its arguments, too, which may be of other orders
  auto rows = rc::prepared(rc::sparse_jacobian([](auto x) { return rc::sum(x, rc::axis<0>); }));
  CHECK(rows(rc::tensor<double, 2, 3>(1.)).nonzeros() == 6);
  CHECK(rows(matrix(some(2, 3, 0.1))).shape(0) == 3);
  CHECK(rows(vector(some(6))).shape(0) == 1);
}
