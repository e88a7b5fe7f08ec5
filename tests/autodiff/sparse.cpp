// Sparse jacobians: what they are, and what they are multiplied by.
#include "../sparse.hpp"

TEST_CASE("elementwise operations, parts of an argument, static and dynamic") {
  auto const chain = [](auto x) { return x(rc::range(1, rc::end)) * x(rc::range(0, -1)); };
  auto const j = check(true, chain, some(1000));
  CHECK((j.colors == 2 && j.nonzeros() == 2 * 999 && j.shape(0) == 999 && j.shape(1) == 1000));
  rc::tensor<float, 4> const x{1, 2, 3, 4};
  auto const small = rc::sparse_jacobian(chain)(x);
  static_assert(std::is_same_v<decltype(small)::value_type, float>);
  CHECK(numbers(small.row_starts) == numbers{0, 2, 4, 6});
  CHECK(numbers(small.columns) == numbers{0, 1, 1, 2, 2, 3});
  CHECK(numbers(small.values) == numbers{2, 1, 3, 2, 4, 3});
  CHECK(numbers(small.dense()) == numbers{2, 1, 0, 0, 0, 3, 2, 0, 0, 0, 4, 3});
  CHECK((small(1, 1) == 3 && small(1, 2) == 2 && small(1, 0) == 0 && small(2, 3) == 3));
  CHECK(raised([&] { (void)small(3, 0); }) == "index_error: sparse matrix: index 3 is out of range for an axis of 3");
  CHECK(raised([&] { (void)small(0, -1); }) == "index_error: sparse matrix: index -1 is out of range for an axis of 4");
  // one way alone
  auto const sums = [](auto y) { return rc::concat(y, rc::reshape(rc::sum(y * y), rc::shape(1)), rc::axis<0>); };
  auto const by_rows = rc::sparse_jacobian<0, rc::compressed::rows>(sums)(x);
  auto const by_columns = rc::sparse_jacobian<0, rc::compressed::columns>(sums)(x);
  CHECK((by_rows.colors == 2 && by_columns.colors == 4));
  CHECK(numbers(by_rows.dense()) == numbers(by_columns.dense()));
  CHECK(numbers(by_rows.values) == numbers{1, 1, 1, 1, 2, 4, 6, 8});
  // a laplacian in two dimensions, of which five neighbours matter
  auto const laplacian = [](auto u) {
    auto const inner = rc::range(1, -1);
    return u(rc::range(2, rc::end), inner) + u(rc::range(0, -2), inner) + u(inner, rc::range(2, rc::end)) +
           u(inner, rc::range(0, -2)) - 4. * u(inner, inner) * u(inner, inner);
  };
  auto const l = check(true, laplacian, some(7, 9, 0.1));
  CHECK((l.nonzeros() == 5 * 35 && l.colors <= 8 && l.shape(0) == 35 && l.shape(1) == 63));
}

TEST_CASE("products with vectors") {
  auto const f = [](auto x) { return rc::concat(x(rc::range(1, rc::end)) * x(rc::range(0, -1)), rc::sin(x)); };
  vector const x = some(6), v = some(6, 0.9), w = some(11, 0.4);
  auto const j = rc::sparse_jacobian(f)(x);
  CHECK(numbers(j.matvec(v)).near(numbers(rc::eval(rc::matmul(j.dense(), v))), 1e-13));
  CHECK(numbers(j.rmatvec(w)).near(numbers(rc::eval(rc::matmul(w, j.dense()))), 1e-13));
  CHECK(numbers(j.matvec(2. * v)).near(numbers(rc::eval(2. * rc::matmul(j.dense(), v))), 1e-13));
  CHECK(raised([&] { (void)j.matvec(w); }) == "shape_error: matvec: (11, 6) (11,)");
  CHECK(raised([&] { (void)j.rmatvec(v); }) == "shape_error: rmatvec: (11, 6) (6,)");
}
