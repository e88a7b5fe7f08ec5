// Every elementwise operation as a statement, on vectors of all lengths that begin or end a batch of any width, against
// its kernel on single numbers; and against the interpreter, which runs that kernel in plain loops.
#include "accuracy.hpp"

#include <doctest/doctest.h>

#include <string>

#include "list.hpp"

namespace rc = ricci;

namespace {

constexpr int lengths[] = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 331};

template <class Op, class X>
auto applied(X const& a, X const& b, X const& c) {
  if constexpr (Op::arity == 1)
    return Op{}(a);
  else if constexpr (Op::arity == 2)
    return Op{}(a, b);
  else if constexpr (Op::first_numeric == 1)
    return Op{}(a != typename X::value_type(0), b, c);
  else
    return Op{}(a, b, c);
}

template <class Op, class T>
void check_statement(Op) {
  using R = decltype(applied<Op>(rc::tensor<T, 1>(), rc::tensor<T, 1>(), rc::tensor<T, 1>()))::value_type;
  std::string const name = std::string(Op::name) + " of " + rc::name_of(rc::dtype_of<T>);
  INFO("operation ", name);
  accuracy::operands<T> const at(Op::domain, Op::arity, 4000);
  int start = 0;
  double worst = 0;
  for (int n : lengths) {
    rc::tensor<T, rc::dyn> x[3] = {rc::tensor<T, rc::dyn>(n), rc::tensor<T, rc::dyn>(n), rc::tensor<T, rc::dyn>(n)};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < n; ++i) x[k].data()[i] = at.x[k][static_cast<std::size_t>(start + i)];
    rc::tensor<R, rc::dyn> y;
    if constexpr (Op::first_numeric == 1) {
      rc::tensor<bool, rc::dyn> condition(n);
      for (int i = 0; i < n; ++i) condition.data()[i] = x[0].data()[i] != 0;
      y = Op{}(condition, x[1], x[2]);
    } else {
      y = applied<Op>(x[0], x[1], x[2]);
    }
    REQUIRE(y.size() == n);
    for (int i = 0; i < n; ++i) {
      T const expected = accuracy::by_scalar<Op>(x[0].data()[i], x[1].data()[i], x[2].data()[i]);
      double const error = accuracy::ulps(static_cast<T>(y.data()[i]), static_cast<long double>(expected));
      worst = error > worst ? error : worst;
    }
    start += n + 1;
  }
  CHECK(worst <= 2 * Op::ulp);
}

}  // namespace

TEST_CASE("every elementwise operation is its kernel, in float") {
  operations::for_each_elementwise([](auto op) { check_statement<decltype(op), float>(op); });
}
#if !defined(RICCI_TEST_BRIEF)
TEST_CASE("every elementwise operation is its kernel, in double") {
  operations::for_each_elementwise([](auto op) { check_statement<decltype(op), double>(op); });
}
#endif

// Parts that begin anywhere, of any length and step, are read and written whole, and nothing beside them is.
TEST_CASE("statements on parts of vectors") {
  auto const check = [](auto zero) {
    using T = decltype(zero);
    constexpr int size = 150;
    rc::tensor<T, rc::dyn> x(size), y(size);
    for (int k = 0; k < size; ++k) x(k) = static_cast<T>(k) / 8;
    bool right = true;
    for (int from = 0; from < 9; ++from)
      for (int to = 0; to < 5; ++to)
        for (int step : {1, 2, 3, -1, -2})
          for (int n : {0, 1, 3, 4, 7, 8, 15, 16, 17, 33}) {
            auto const range_of = [&](int first) {
              return step > 0 ? rc::range(first, first + n * step, step) : rc::range(first + n * -step, first, step);
            };
            y = T(-1);
            y(range_of(to)) = rc::sqrt(x(range_of(from))) + T(1);
            y(rc::range(140 - to, 140 - to + n / 4)) = x(rc::range(from, from + n / 4)) * T(2);
            for (int k = 0; k < size; ++k) {
              T expected = -1;
              int const i = step > 0 ? (k - to) : (to + n * -step - k);
              int const stride = step > 0 ? step : -step;
              if (i >= 0 && i % stride == 0 && i / stride < n)
                expected = std::sqrt(x(step > 0 ? from + i : from + n * stride - i)) + T(1);
              if (k >= 140 - to && k < 140 - to + n / 4) expected = x(from + k - (140 - to)) * T(2);
              right = right && y(k) == expected;
            }
          }
    CHECK(right);
  };
  check(float{});
  check(double{});
}
