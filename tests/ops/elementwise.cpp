// Every elementwise operation as a statement, on vectors of all lengths that begin or end a batch of any width, against its
// kernel on single numbers; and against the interpreter, which runs that kernel in plain loops.
#include "accuracy.hpp"

#include <doctest/doctest.h>

#include <string>

#include "list.hpp"

namespace rc = ricci;

namespace {

constexpr int lengths[] = {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 331};

template <class Op, class X>
auto applied(X const& a, X const& b, X const& c) {
  if constexpr (Op::arity == 1) return Op{}(a);
  else if constexpr (Op::arity == 2) return Op{}(a, b);
  else return Op{}(a, b, c);
}

template <class Op, class T>
void check_statement(Op) {
  using R = decltype(applied<Op>(rc::tensor<T, 1>(), rc::tensor<T, 1>(), rc::tensor<T, 1>()))::value_type;
  std::string const name = std::string(Op::name) + " of " + rc::name_of(rc::dtype_of<T>);
  INFO("operation ", name);
  accuracy::operands<Op, T> const at(4000);
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
TEST_CASE("every elementwise operation is its kernel, in double") {
  operations::for_each_elementwise([](auto op) { check_statement<decltype(op), double>(op); });
}
