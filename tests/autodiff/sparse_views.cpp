// Patterns of sparse jacobians: of what moves elements, and of what has no derivative.
#include "../sparse.hpp"

TEST_CASE("what moves elements") {
  matrix const x = some(4, 6, 0.2);
  check(
      true, [](auto a) { return rc::flip(a, rc::axis<1>) * a; }, x);
  check(
      true, [](auto a) { return a(rc::all, rc::range(rc::end, rc::end, -2)) + a(rc::all, rc::range(0, rc::end, 2)); },
      x);
  check(
      true, [](auto a) { return rc::sin(rc::reshape(a, rc::shape(6, 4))) * rc::permute_dims(a, rc::axes<1, 0>); }, x);
  check(
      true, [](auto a) { return rc::concat(a(rc::range(1, 3)), rc::exp(a), rc::axis<0>); }, x);
  check(
      true, [](auto a) { return rc::stack(a(0), a(1) * a(2), rc::axis<1>); }, x);
  check(
      true, [](auto a) { return rc::roll(a, 2, rc::axis<0>) * a; }, x);
  auto const written = [](auto a) {
    auto b = a * a;
    b(1, rc::all) = a(0) * a(2);
    b(2, 3) = 0.;
    return b;
  };
  check(true, written, x);
}

TEST_CASE("what has no derivative is not in the pattern") {
  vector const x = some(5);
  auto const j = check(
      true, [](auto a) { return rc::floor(a) + rc::where(a > 1.5, a * a, 3. * a); }, x);
  CHECK(j.nonzeros() == 5);
  CHECK(check(
            true, [](auto a) { return rc::sign(a) + rc::round(a(0)); }, x)
            .nonzeros() == 0);
  CHECK(check(
            true, [](auto a) { return a * rc::stop_gradient(rc::flip(a)); }, x)
            .nonzeros() == 5);
  CHECK(check(
            true, [](auto a) { return rc::copysign(a, rc::flip(a)); }, x)
            .nonzeros() == 5);
  CHECK(rc::sparse_jacobian([](auto a) { return rc::ones_like(a); })(x).nonzeros() == 0);
}
