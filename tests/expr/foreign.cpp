// Types of somebody else as tensors: what points to its elements is read where they are, by any strides; else they are
// asked for one by one when the expression is evaluated.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace theirs {

// a table that is computed
struct grid {
  using value_type = double;
  using extents = rc::extents<2, 3>;
  static constexpr int rank = 2;
  static inline int calls = 0;
  double offset = 0;
  double operator()(rc::index_t i, rc::index_t j) const { return ++calls, offset + double(10 * i + j); }
};

// a vector of run-time length
struct samples {
  using value_type = float;
  using extents = rc::extents<rc::dyn>;
  std::vector<float> values;
  float const* data() const { return values.data(); }
  rc::index_t shape(int) const { return rc::index_t(values.size()); }
  std::array<rc::index_t, 1> strides() const { return {1}; }
};

// a matrix by columns, as Eigen and Fortran have them
struct by_columns {
  using value_type = double;
  using extents = rc::extents<rc::dyn, rc::dyn>;
  rc::index_t rows, columns;
  std::vector<double> values;
  double const* data() const { return values.data(); }
  rc::index_t shape(int axis) const { return axis == 0 ? rows : columns; }
  std::array<rc::index_t, 2> strides() const { return {1, rows}; }
};

}  // namespace theirs

template <>
inline constexpr bool rc::enable_tensor<theirs::grid> = true;
template <>
inline constexpr bool rc::enable_tensor<theirs::samples> = true;
template <>
inline constexpr bool rc::enable_tensor<theirs::by_columns> = true;

static_assert(rc::Matrix<theirs::grid> && rc::Vector<theirs::samples> && rc::TensorOf<theirs::samples, float>);
static_assert(!rc::Tensor<std::vector<float>>);

TEST_CASE("operators with numbers, with each other and with tensors") {
  theirs::grid const g;
  rc::tensor<double, 2, 3> const t{{1, 1, 1}, {2, 2, 2}};
  CHECK(numbers(rc::eval(2. * g + 1.)) == numbers{1, 3, 5, 21, 23, 25});
  CHECK(numbers(rc::eval(g - g / 2.)) == numbers{0, 0.5, 1, 5, 5.5, 6});
  CHECK(numbers(rc::eval(-g * t)) == numbers{-0., -1, -2, -20, -22, -24});
  CHECK(numbers(rc::eval(g > 10.)) == numbers{0, 0, 0, 0, 1, 1});
  CHECK(double(rc::sum(g)) == 36);
  CHECK(numbers(rc::eval(rc::matmul(g, t.T()))) == numbers{3, 6, 33, 66});
  rc::tensor<double, 2, 3> u = g;
  u += g;
  u(0) = rc::sum(g, rc::axis<0>);
  CHECK(numbers(u) == numbers{10, 12, 14, 20, 22, 24});
}

TEST_CASE("elements are asked for when the expression is evaluated, once each") {
  theirs::grid g;
  auto const e = g * 2. + 1.;
  theirs::grid::calls = 0;
  g.offset = 100;
  rc::tensor<double, 2, 3> const t = e;
  CHECK(theirs::grid::calls == 6);
  CHECK(t(1, 2) == 225);
}

TEST_CASE("temporaries move in") {
  auto const make = [] { return theirs::grid{5} + 1.; };
  CHECK(rc::eval(make())(0, 0) == 6);
  auto const other = [] { return rc::exp(theirs::samples{{0, 0, 0}}) * 2.f; };
  CHECK(numbers(rc::eval(other())) == numbers{2, 2, 2});
}

TEST_CASE("memory is read where it is, by its strides") {
  theirs::by_columns c{2, 3, {1, 2, 3, 4, 5, 6}};
  CHECK(numbers(rc::eval(c * 1.)) == numbers{1, 3, 5, 2, 4, 6});
  rc::ndarray<double, 2> const sum = c + rc::ones<double>(rc::shape(2, 3));
  CHECK(numbers(sum) == numbers{2, 4, 6, 3, 5, 7});
  CHECK(numbers(rc::eval(rc::matmul(c, rc::ndarray<double, 1>{1, 0, 1}))) == numbers{6, 8});
  CHECK(numbers(rc::eval(rc::matrix_transpose(c))) == numbers{1, 2, 3, 4, 5, 6});
  auto const e = c * 10.;
  c.values[0] = 7;
  CHECK(rc::eval(e)(0, 0) == 70);
  CHECK(raised([&] { rc::eval(c + rc::ones<double>(rc::shape(3, 3))); }) == "shape_error: add: (2, 3) (3, 3)");
  theirs::samples const s{{1, 2, 3}};
  CHECK(numbers(rc::eval(s * s - 1)) == numbers{0, 3, 8});
  CHECK(numbers(rc::eval(c - s)) == numbers{6, 1, 2, 1, 2, 3});
}

TEST_CASE("arguments of traced functions") {
  theirs::by_columns const c{2, 3, {1, 2, 3, 4, 5, 6}};
  theirs::grid const g;
  auto const f = [](auto a, auto b) { return rc::sum(a * a * b); };
  CHECK(double(rc::fn(f)(c, g)) == 0 + 9 + 50 + 40 + 16 * 11 + 36 * 12);
  auto const d = rc::grad(f)(g, c);
  CHECK(d(1, 2) == 2 * 12 * 6);
  CHECK(double(rc::interpret(f)(c, g)) == double(rc::fn(f)(c, g)));
}

TEST_CASE("foreign tensors by name in derivatives") {
  theirs::samples const s{{1, 2, 3}};
  auto const e = rc::sum(rc::wrt<"s">(s) * rc::wrt<"s">(s));
  CHECK(numbers(rc::eval(rc::derivative<"s">(e))) == numbers{2, 4, 6});
}
