// Patterns of sparse jacobians: of what goes over axes.
#include "../sparse.hpp"

TEST_CASE("what goes over axes") {
  matrix const x = some(4, 5, 0.2);
  vector const v = some(5, 0.7);
  check(
      true, [](auto a) { return rc::sum(a * a, rc::axis<0>); }, x);
  check(
      true, [](auto a) { return rc::prod(a, rc::axis<1>); }, x);
  check(
      true, [](auto a) { return rc::sum(a, rc::axis<0, 1>); }, x);
  check(
      true, [](auto a) { return a / rc::sum(a, rc::axis<1>, rc::keepdims); }, x);
  check(
      false, [](auto a) { return rc::max(a, rc::axis<1>); }, x);
  check(
      true, [](auto a) { return rc::cumulative_sum(a, rc::axis<0>); }, x);
  check(
      true, [](auto a) { return rc::cumulative_prod(rc::flip(a, rc::axis<1>) * a, rc::axis<1>); }, x);
  check(
      false, [](auto a) { return rc::sort(a, rc::axis<1>); }, x);
  check(
      true, [](auto a, auto b) { return rc::matmul(a, b); }, x, v);
  check<1>(
      true, [](auto a, auto b) { return rc::matmul(a, b); }, x, v);
  check(
      true, [](auto a) { return rc::matmul(a, rc::permute_dims(a, rc::axes<1, 0>)); }, x);
  CHECK(check(
            true, [](auto a, auto b) { return rc::convolve(a, b); }, some(9), some(3))
            .nonzeros() == 9 * 3);
  check<1>(
      true, [](auto a, auto b) { return rc::correlate(a, b); }, some(7), some(3));
  check(
      true, [](auto a, auto b) { return rc::convolve(a, b, rc::overlap::same); }, x, some(3));
  // every row in one derivative, by rows: a result that depends on everything makes columns costly
  auto const spread = [](auto a) {
    return rc::concat(a(rc::range(0, 3)), rc::reshape(rc::sum(a), rc::shape(1)), rc::axis<0>);
  };
  auto const j = check(true, spread, some(40));
  CHECK(j.colors == 2);
  // and a parameter that everything depends on, rows
  auto const common = check(
      true, [](auto a) { return a(0) * a; }, some(40));
  CHECK(common.colors == 2);
}
