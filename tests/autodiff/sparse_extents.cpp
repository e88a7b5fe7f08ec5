// Patterns of sparse jacobians: of extents that show at run time.
#include "../sparse.hpp"

TEST_CASE("broadcasting that shows at run time, extents 0 and 1") {
  auto const product = [](auto a, auto b) { return a * b + rc::sin(a); };
  matrix const x = some(3, 4, 0.2), row = some(1, 4, 0.3), column = some(3, 1, 0.4), one = some(1, 1, 0.5);
  check(true, product, x, row);
  check(true, product, row, x);
  check(true, product, row, column);
  check<1>(true, product, row, column);
  check<1>(true, product, x, one);
  auto const chain = [](auto a) { return a(rc::range(1, rc::end)) * a(rc::range(0, -1)); };
  auto const none = rc::sparse_jacobian(chain)(some(1));
  CHECK((none.nonzeros() == 0 && none.shape(0) == 0 && none.shape(1) == 1 && none.colors == 0));
  auto const nothing = rc::sparse_jacobian([](auto a) { return rc::sin(a); })(vector(0));
  CHECK((nothing.nonzeros() == 0 && nothing.shape(0) == 0 && nothing.shape(1) == 0));
  CHECK(nothing.matvec(vector(0)).size() == 0);
  auto const of_none = rc::sparse_jacobian([](auto a) { return rc::sum(a); })(vector(0));
  CHECK((of_none.shape(0) == 1 && of_none.shape(1) == 0));
  CHECK(raised([&] { rc::sparse_jacobian(product)(x, some(2, 4, 0.1)); }).find("shape_error") == 0);
}
