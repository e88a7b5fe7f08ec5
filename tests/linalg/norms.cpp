// Norms of very large and very small elements, which neither overflow nor vanish, and their derivatives; what is exact
// stays so.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <ricci/linalg.hpp>

#include "../numbers.hpp"

namespace rc = ricci;
namespace la = rc::linalg;

namespace {

template <class T>
void of_size(T size) {
  CAPTURE(double(size));
  rc::tensor<T, 2, 2> const a{{3 * size, 0}, {-4 * size, 0}};
  auto const is = [size](auto const& x, double expected) {
    CHECK(double(rc::eval(x).item()) / double(size) == doctest::Approx(expected).epsilon(1e-5));
  };
  is(la::vector_norm(a), 5);
  is(la::matrix_norm(a), 5);
  is(la::matrix_norm(a, la::ord<2>), 5);
  is(la::matrix_norm(a, la::nuc), 5);
  is(la::matrix_norm(a, la::ord<1>), 7);
  is(la::vector_norm(a, la::ord<3>), std::cbrt(91.));
  is(la::vector_norm(a, la::ord<.5>), 7 + 2 * std::sqrt(12.));
  rc::tensor<T, 2> const without_zero{3 * size, 4 * size};
  is(la::vector_norm(without_zero, la::ord<-2>), 12. / 5);
  auto const columns = rc::eval(la::vector_norm(a, rc::axis<0>));
  CHECK(double(columns(0)) / double(size) == doctest::Approx(5));
  CHECK(columns(1) == 0);
  auto const g = rc::grad([](auto x) { return la::vector_norm(x); })(a);
  CHECK(numbers(g).near({.6, 0, -.8, 0}, size < T(1e-39) && sizeof(T) == 4 ? 1e-4 : 1e-6));
  auto const h = rc::grad([](auto x) { return la::matrix_norm(x, la::fro) + la::vector_norm(x, la::ord<3>); })(a);
  CHECK(double(h(0, 0)) == doctest::Approx(.6 + 9 / std::pow(91., 2. / 3)).epsilon(1e-5));
}

}  // namespace

TEST_CASE("norms of elements of any size") {
  for (double const size : {1e-310, 1e-300, 1e-150, 1., 1e150, 1e300}) of_size(size);
  for (float const size : {1e-40f, 1e-37f, 1e-20f, 1.f, 1e20f, 1e37f}) of_size(size);
}
TEST_CASE("what is exact stays so") {
  rc::tensor<double, 3> const x{3, 4, 12};
  CHECK(rc::eval(la::vector_norm(x)).item() == 13);
  CHECK(rc::eval(la::vector_norm(rc::tensor<double, 2>{3e200, INFINITY})).item() == INFINITY);
  CHECK(std::isnan(rc::eval(la::vector_norm(rc::tensor<double, 2>{NAN, INFINITY})).item()));
  CHECK(rc::eval(la::vector_norm(rc::tensor<double, 2>{INFINITY, 1}, la::ord<3>)).item() == INFINITY);
  CHECK(rc::eval(la::vector_norm(0. * x)).item() == 0);
  CHECK(numbers(rc::grad([](auto y) { return la::vector_norm(y); })(rc::eval(0. * x))) == numbers{0, 0, 0});
  CHECK(rc::eval(la::vector_norm(rc::ndarray<double, 1>(0))).item() == 0);
  rc::tensor<double, 2, 2> const zeros{};
  CHECK(numbers(rc::grad([](auto y) { return la::matrix_norm(y, la::ord<2>); })(zeros)) == numbers{0, 0, 0, 0});
  CHECK(numbers(rc::grad([](auto y) { return la::matrix_norm(y, la::nuc); })(zeros)) == numbers{0, 0, 0, 0});
  CHECK(rc::eval(la::vector_norm(rc::tensor<int, 2>{3, 4})).item() == 5);
}
TEST_CASE("largest ones of no elements, and the condition of what has no inverse, as in NumPy") {
  rc::ndarray<double, 1> const none(0);
  rc::ndarray<double, 2> const no_rows(0, 3), no_columns(3, 0);
  CHECK(rc::eval(la::vector_norm(none, la::ord<la::inf>)).item() == 0);
  CHECK(rc::eval(la::matrix_norm(no_rows, la::ord<2>)).item() == 0);
  CHECK(rc::eval(la::matrix_norm(no_columns, la::ord<1>)).item() == 0);
  CHECK(rc::eval(la::matrix_norm(no_rows, la::ord<la::inf>)).item() == 0);
  rc::tensor<double, 2, 2> const singular{{1, 2}, {2, 4}}, no_number{{1, NAN}, {2, 4}}, zero{}, regular{{1, 2}, {3, 4}};
  auto const conditions = [](auto const& x) {
    return numbers{rc::eval(la::cond(x)).item(), rc::eval(la::cond(x, la::ord<1>)).item(),
                   rc::eval(la::cond(x, la::fro)).item(), rc::eval(la::cond(x, la::ord<la::inf>)).item(),
                   rc::eval(la::cond(x, la::ord<-2>)).item()};
  };
  auto const at_singular = conditions(singular), at_zero = conditions(zero), at_nan = conditions(no_number);
  CHECK(at_singular.values[0] > 1e15);
  for (std::size_t k = 1; k < 4; ++k) CHECK(at_singular.values[k] == INFINITY);
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(at_zero.values[k] == INFINITY);
    CHECK(std::isnan(at_nan.values[k]));
  }
  CHECK(conditions(regular).near({14.933034373659261, 21, 15, 21, 1 / 14.933034373659261}, 1e-12));
}
