// Systems of linear equations against products with what was found: orders, batches, types, strides, singular matrices,
// tensors of run-time order. Derivatives: structural_cases.hpp.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/any_tensor.hpp>
#include <ricci/ricci.hpp>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

rc::tensor<double, 3, 3> const a{{0, 2, 1}, {4, 1, 0}, {1, 1, 5}};  // needs another first row
rc::tensor<double, 3> const b{3, 5, 7};

}  // namespace

TEST_CASE("solve: vectors, matrices, batches, strides, types") {
  CHECK(numbers(rc::eval(rc::linalg::solve(a, b))).near({1, 1, 1}));
  static_assert(rc::eval(rc::linalg::solve(rc::tensor<double, 2, 2>{{0, 2}, {4, 0}}, rc::tensor<double, 2>{2, 8}))(0) ==
                2);
  rc::tensor<double, 3, 2> const columns{{1, 0}, {2, 5}, {0, 7}};
  auto const x = rc::eval(rc::linalg::solve(a.T(), columns));
  CHECK(numbers(rc::eval(rc::matmul(a.T(), x))).near(numbers(columns)));
  CHECK(numbers(rc::eval(rc::linalg::solve(a, columns(rc::all, 1))))
            .near(numbers(rc::eval(rc::linalg::solve(a, columns)(rc::all, 1)))));
  rc::ndarray<float, 3> many(2, 3, 3);
  many(0) = rc::astype<float>(a), many(1) = rc::astype<float>(2. * a);
  auto const each = rc::eval(rc::linalg::solve(many, b));  // one vector for both matrices; the types promote
  static_assert(std::is_same_v<decltype(each)::value_type, double>);
  CHECK(shape_of(each) == numbers{2, 3});
  CHECK(numbers(each).near({1, 1, 1, .5, .5, .5}));
  rc::ndarray<double, 3> right(2, 3, 1);
  for (int k = 0; k < 6; ++k) right(k / 3, k % 3, 0) = k * k;
  CHECK(numbers(rc::eval(rc::matmul(a, rc::linalg::solve(a, right)))).near(numbers(right)));
  auto const whole = rc::eval(rc::linalg::solve(rc::tensor<int, 2, 2>{{2, 0}, {0, 4}}, rc::tensor<int, 2>{1, 1}));
  static_assert(std::is_same_v<decltype(whole)::value_type, double>);
  CHECK(numbers(whole) == numbers{.5, .25});
  CHECK(rc::eval(rc::linalg::solve(rc::ndarray<double, 2>(0, 0), rc::ndarray<double, 1>(0))).size() == 0);
  CHECK(rc::eval(rc::linalg::solve(rc::any_tensor(a), rc::any_tensor(b))).order() == 1);
}

TEST_CASE("solve: what does not fit, and what has no solution") {
  CHECK_THROWS_AS(rc::eval(rc::linalg::solve(rc::ndarray<double, 2>(2, 3), rc::ndarray<double, 1>(3))),
                  rc::shape_error);
  CHECK_THROWS_AS(rc::eval(rc::linalg::solve(rc::ndarray<double, 2>(3, 3), rc::ndarray<double, 1>(2))),
                  rc::shape_error);
  rc::tensor<double, 2, 2, 2> const one_of_two{{{1, 2}, {2, 4}}, {{1, 0}, {0, 2}}};
  auto const x = rc::eval(rc::linalg::solve(one_of_two, rc::tensor<double, 2>{1, 1}));
  CHECK(!std::isfinite(x(0, 1)));
  CHECK(numbers(x(1)) == numbers{1, .5});
}

TEST_CASE("solve of larger matrices") {
  for (int const n : {1, 2, 7, 40}) {
    CAPTURE(n);
    rc::ndarray<double, 2> m(n, n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)  // what is large stands beside the diagonal, so that rows have to be exchanged
        m(i, k) = (i * 7919 + k * 104729 + i * k * 31) % 101 - 50 + (k == (i + 1) % n ? 100 * n : 0);
    rc::ndarray<double, 1> const right = rc::arange<double>(0, n);
    auto const x = rc::eval(rc::linalg::solve(m, right));
    CHECK(numbers(rc::eval(rc::matmul(m, x))).near(numbers(right), 1e-9));
    CHECK(numbers(rc::interpret([](auto s, auto t) { return rc::linalg::solve(s, t); })(m, right))
              .near(numbers(x), 1e-12));
  }
}
