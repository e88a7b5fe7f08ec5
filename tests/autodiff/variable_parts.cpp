// Statements over parts of variables, and over operands that are none: where cotangents go, and what is copied.
#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

TEST_CASE("parts, rows and transposes") {
  rc::tape tape;
  auto m = tape.variable(rc::tensor<double, 3, 2>{{1, 2}, {3, 4}, {5, 6}});
  rc::variable s = rc::sum(m(rc::range(0, 2), 1) * m(1)) + m(2, 0) * m(2, 0);
  CHECK(double(s) == 2 * 3 + 4 * 4 + 25);
  s.backward();
  CHECK(numbers(m.grad()) == numbers{0, 3, 2, 8, 10, 0});
  m.zero_grad();
  rc::variable t = rc::sum(rc::matmul(m.T(), m));
  t.backward();
  CHECK(numbers(m.grad()) == numbers{6, 6, 14, 14, 22, 22});
  m.zero_grad();
  rc::variable row = m(-1);  // a copy that remembers where it came from
  rc::variable u = row(1) * row(1) * 1.;
  u.backward();
  CHECK(numbers(m.grad()) == numbers{0, 0, 0, 0, 0, 12});

  auto d = tape.variable(rc::ndarray<double, 2>{{1, 2}, {3, 4}, {5, 6}});
  rc::tensor<int, 3> rows{2, 0, 2};
  rc::variable g = d(rows) * rc::tensor<double, 3, 1>{{1}, {10}, {100}};
  rows = 0;  // is nothing to the statement
  g.backward(rc::ones<double>(rc::shape(3, 2)));
  CHECK(numbers(d.grad()) == numbers{10, 10, 0, 0, 101, 101});
  d.zero_grad();
  rc::tensor<int, 2> const i{0, 2}, j{1, 0};
  rc::variable picked = rc::sum(rc::square(d(i, j)));
  CHECK(double(picked) == 4 + 25);
  picked.backward();
  CHECK(numbers(d.grad()) == numbers{0, 4, 0, 0, 10, 0});
  d.zero_grad();
  rc::variable flat = rc::sum(rc::reshape(d, rc::shape(2, 3)) * 0.) + rc::sum(rc::flip(d) * d);
  flat.backward();
  CHECK(numbers(d.grad()) == numbers{12, 10, 8, 6, 4, 2});
}

TEST_CASE("operands that are no variables may be written to afterwards") {
  rc::tape tape;
  auto w = tape.variable(rc::ndarray<double, 1>{1, 2, 3, 4});
  rc::ndarray<double, 1> x{1, 2, 3, 4}, y{5, 6, 7, 8};
  rc::tensor<double, 4> z{2, 2, 2, 2};
  rc::variable s = rc::sum(w * x * z) + rc::sum(w(rc::range(0, 4, 2)) * y(rc::range(3, 0, -2)));
  x = 0., z = 0., y = rc::zeros<double>(rc::shape(7));
  s.backward();
  CHECK(numbers(w.grad()) == numbers{2 + 8, 4, 6 + 6, 8});
}

TEST_CASE("a derivative of a statement is a statement") {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
  auto const x = rc::wrt<"x">(w);
  rc::variable g = rc::derivative<"x">(rc::sum(x * x * x));
  CHECK(numbers(g.value()) == numbers{3, 12, 27});
  rc::variable s = rc::sum(g * g);
  s.backward();
  CHECK(numbers(w.grad()) == numbers{36, 288, 972});
}
