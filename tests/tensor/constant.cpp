// Constant expressions: statements and interpreted functions over small tensors of static extents are evaluated by the
// compiler, and what comes out is what the program computes when it runs.
#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

using m22 = rc::tensor<double, 2, 2>;

// the same function is called by the compiler and by the program
constexpr double statements() {
  m22 a{{1, 2}, {3, 4}};
  m22 b = rc::matmul(a, a) + 1.;                           // 8 11 / 16 23
  b -= a.T();                                              // 7 8 / 14 19
  b(0) *= 2.;                                              // 14 16
  b(rc::all, 1) = a(0) * 10.;                              // 14 10 / 14 20
  rc::tensor<double, 2> s = rc::sum(b, rc::axis<0>) / 2.;  // 14 15
  return s(0) * 1000 + s(1) + double(rc::max(b));
}
static_assert(statements() == 14035);

constexpr int integers() {
  rc::tensor<int, 5> x = rc::tensor<int, 5>{5, 4, 3, 2, 1} * 2;
  x(rc::range<1, 5>()) = x(rc::range<0, 4>());  // overlapping
  return int(rc::sum(x)) * 10 + int(rc::argmin(x));
}
static_assert(integers() == (10 + 10 + 8 + 6 + 4) * 10 + 4);

constexpr bool broadcasting() {
  rc::tensor<float, 2, 1> column{{1}, {2}};
  rc::tensor<float, 3> row{10, 20, 30};
  rc::tensor<float, 2, 3> t = column * row - 1.f;
  return t(1, 2) == 59 && t(0, 0) == 9 && bool(rc::all(t > 0.f)) && t.at(-1, -1) == 59;
}
static_assert(broadcasting());

constexpr bool shaping() {
  m22 a{{1, 2}, {3, 4}};
  rc::tensor<double, 4> flat = rc::reshape(a, rc::extents<4>{});
  rc::tensor<double, 2, 4> both = rc::stack(flat, rc::flip(flat));
  rc::tensor<double, 3, 2> longer = rc::concat(a, rc::expand_dims(rc::sum(a, rc::axis<0>), rc::axis<0>));
  return both(1, 0) == 4 && longer(2, 1) == 6;
}
static_assert(shaping());

constexpr auto loss = [](auto w, auto x) { return rc::sum(rc::square(rc::matmul(w, x))); };
constexpr double traced() {
  m22 w{{1, 2}, {3, 4}};
  rc::tensor<double, 2> x{1, -1};
  return double(rc::interpret(loss)(w, x));
}
static_assert(traced() == 2);
constexpr double derived() {
  m22 w{{1, 2}, {3, 4}};
  rc::tensor<double, 2> x{1, -1};
  auto g = rc::interpret(rc::grad(loss))(w, x);
  return g(0, 0) * 10 + g(1, 1);
}
static_assert(derived() == -20 + 2);

}  // namespace

TEST_CASE("the program computes what the compiler did") {
  CHECK(statements() == 14035);
  CHECK(integers() == 384);
  CHECK(broadcasting());
  CHECK(traced() == 2);
  CHECK(derived() == -18);
}
