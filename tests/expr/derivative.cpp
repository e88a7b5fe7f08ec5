// Derivatives of statements: types that are expressions again, lazy, usable inside others, and derived once more.
#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"

namespace rc = ricci;

namespace operands {
rc::tensor<double, 3>& x();
rc::ndarray<double, 2>& m();
}  // namespace operands

namespace {

using square_sum = decltype(rc::sum(rc::wrt<"x">(operands::x()) * rc::wrt<"x">(operands::x())));
using slope = rc::gradient_t<square_sum, "x">;
static_assert(rc::Expression<slope> && std::is_same_v<slope::extents, rc::extents<3>>);
static_assert(std::is_same_v<slope::value_type, double> && rc::Expression<rc::simplified_t<slope>>);
using curve = decltype(rc::exp(rc::wrt<"x">(operands::m())) * 2.);
static_assert(rc::Expression<rc::tangent_t<curve, "x">> && rc::tangent_t<curve, "x">::rank == 2);
static_assert(rc::Expression<rc::gradient_t<decltype(rc::sum(slope(std::declval<square_sum>()))), "x">>);

}  // namespace

TEST_CASE("gradients of sums, tangents of what is elementwise") {
  rc::tensor<double, 3> const x{1, 2, 3};
  CHECK(numbers(rc::eval(rc::derivative<"x">(rc::sum(rc::wrt<"x">(x) * rc::wrt<"x">(x))))) == numbers{2, 4, 6});
  CHECK(numbers(rc::eval(rc::derivative<"x">(rc::wrt<"x">(x) * rc::wrt<"x">(x) * x))) == numbers{2, 8, 18});
  rc::tensor<double, 3> const twice = 2. * rc::derivative<"x">(rc::sum(rc::exp(rc::wrt<"x">(x)))) - 1.;
  CHECK(numbers(twice).near({2 * std::exp(1.) - 1, 2 * std::exp(2.) - 1, 2 * std::exp(3.) - 1}));
  CHECK(double(rc::sum(rc::derivative<"x">(rc::sum(rc::wrt<"x">(x) * x)))) == 6);
}

TEST_CASE("the derivative is lazy, too") {
  rc::ndarray<double, 1> x{1, 2};
  auto const de = rc::derivative<"x">(rc::sum(rc::wrt<"x">(x) * rc::wrt<"x">(x) * 3.));
  x(0) = 10;
  CHECK(numbers(rc::eval(de)) == numbers{60, 12});
  x = rc::eval(x - 0.1 * de);
  CHECK(numbers(x).near({4, 0.8}));
}

TEST_CASE("several names, matrices, views") {
  rc::ndarray<double, 2> const m{{1, 2}, {3, 4}};
  rc::tensor<double, 2> const v{1, -1};
  auto const e = rc::sum(rc::square(rc::matmul(rc::wrt<"m">(m), rc::wrt<"v">(v))));  // |(-1, -1)|^2
  CHECK(double(e) == 2);
  CHECK(numbers(rc::eval(rc::derivative<"m">(e))) == numbers{-2, 2, -2, 2});
  CHECK(numbers(rc::eval(rc::derivative<"v">(e))) == numbers{-8, -12});
  auto const column = rc::sum(rc::wrt<"c">(m(rc::all, 1)) * v);
  CHECK(numbers(rc::eval(rc::derivative<"c">(column))) == numbers{1, -1});
}

TEST_CASE("derivatives of derivatives, of either kind") {
  rc::tensor<double, 3> const x{1, 2, -0.5};
  auto const value = rc::sum(rc::exp(rc::wrt<"x">(x)) * rc::wrt<"x">(x));
  auto const first = rc::derivative<"x">(value);            // exp(x) (1 + x)
  auto const second = rc::derivative<"x">(rc::sum(first));  // exp(x) (2 + x)
  auto const third = rc::derivative<"x">(second);           // elementwise: exp(x) (3 + x)
  rc::tensor<double, 3> const a = first, b = second, c = third;
  for (int k = 0; k < 3; ++k) {
    CHECK(a(k) == doctest::Approx(std::exp(x(k)) * (1 + x(k))));
    CHECK(b(k) == doctest::Approx(std::exp(x(k)) * (2 + x(k))));
    CHECK(c(k) == doctest::Approx(std::exp(x(k)) * (3 + x(k))));
  }
}

TEST_CASE("in a direction") {
  rc::ndarray<double, 2> const m{{1, 2}, {3, 4}};
  rc::ndarray<double, 2> const direction{{1, 0}, {0, 1}};
  auto const e = rc::matmul(rc::wrt<"m">(m), rc::wrt<"m">(m));  // D M + M D = 2 M where D = 1
  CHECK(numbers(rc::eval(rc::derivative<"m">(e, direction))) == numbers{2, 4, 6, 8});
  auto const sum = rc::sum(rc::square(rc::wrt<"m">(m)));
  CHECK(double(rc::derivative<"m">(sum, direction)) == 10);
  CHECK(double(rc::derivative<"m">(sum, 1.)) == 20);
}

TEST_CASE("with respect to what is broadcast, and to numbers") {
  rc::tensor<double, 3> const row{1, 2, 3};
  rc::tensor<double> const bias = 0.5;
  rc::ndarray<double, 2> const m = rc::ones<double>(rc::shape(4, 3));
  auto const e = rc::sum(rc::square(m * rc::wrt<"row">(row) + rc::wrt<"bias">(bias)));
  CHECK(numbers(rc::eval(rc::derivative<"row">(e))) == numbers{12, 20, 28});
  CHECK(double(rc::derivative<"bias">(e)) == 60);
}

TEST_CASE("simplified by level") {
  rc::tensor<double, 2> const x{800, 1};
  auto const naive = rc::log(1. + rc::exp(rc::wrt<"x">(x)));
  CHECK(std::isinf(rc::eval(naive)(0)));
  // the number 1 is an operand of a statement, so that nothing is known of it
  auto const ratio = rc::exp(rc::wrt<"x">(x)) / rc::sum(rc::exp(rc::wrt<"x">(x)));
  CHECK(std::isnan(rc::eval(ratio)(0)));
  CHECK(numbers(rc::eval(rc::simplified<rc::level::stable>(ratio))).near({1, 0}));
}

TEST_CASE("a named operand has its shape, and views take it as any tensor") {
  rc::ndarray<double, 2> m(2, 3);
  m = 2.;
  m(0, 1) = 5.;
  auto const w = rc::wrt<"m">(m);
  CHECK((w.shape(0) == 2 && w.shape(-1) == 3 && w.shape() == m.shape()));
  auto const flat = rc::ravel(w);
  CHECK(numbers(rc::eval(rc::derivative<"m">(rc::sum(flat * flat)))) == numbers{4, 10, 4, 4, 4, 4});
  CHECK(numbers(rc::eval(rc::derivative<"m">(rc::sum(rc::reshape(w, rc::shape(-1)))))) == numbers{1, 1, 1, 1, 1, 1});
  CHECK(numbers(rc::eval(rc::derivative<"m">(rc::sum(rc::matmul(w.T(), w))))) == numbers{18, 18, 18, 12, 12, 12});
  rc::tensor<int, 1> const first{0};
  auto const part = rc::take(rc::sin(w), first, rc::axis<0>);
  CHECK(numbers(rc::eval(rc::derivative<"m">(rc::sum(part))))
            .near({std::cos(2.), std::cos(5.), std::cos(2.), 0, 0, 0}, 1e-14));
}
