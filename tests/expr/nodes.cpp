// Lazy expressions: what they are made of, what they hold, and when they read it.
#include <doctest/doctest.h>

#include <algorithm>

#include "../numbers.hpp"

namespace rc = ricci;
namespace ir = rc::ir;

namespace operands {
rc::tensor<float, 2, 3>& a();
rc::ndarray<float, 2>& d();
}  // namespace operands
using namespace operands;

namespace {

// ---- concepts ----

static_assert(rc::Expression<decltype(a() + a())> && rc::Expression<decltype(rc::sum(d())) const&>);
static_assert(!rc::Expression<rc::tensor<float, 2, 3>> && !rc::Expression<decltype(d()(0))> && !rc::Expression<float>);
static_assert(rc::Tensor<decltype(a() + 1.f)> && rc::Matrix<decltype(a() * d())> && rc::Scalar<decltype(rc::max(d()))>);
static_assert(rc::Differentiable<decltype(a() + a())> && !rc::Differentiable<decltype(a() > a())>);
static_assert(std::is_same_v<decltype(a() > a())::value_type, bool>);

// ---- what a node holds: a pointer for each tensor, the number itself for a number; nothing for what is constant ----

static_assert(sizeof(a() + a()) == 2 * sizeof(void*) && sizeof(d() + d()) == 2 * sizeof(void*));
static_assert(sizeof(a() * 2.f) == 2 * sizeof(void*) && sizeof(rc::sum(d(), rc::axis<0>)) == sizeof(void*));
static_assert(sizeof(rc::tanh(rc::exp(-a()))) <= 3 * sizeof(void*));
// a temporary in place moves in
static_assert(sizeof(rc::tensor<float, 2, 3>{} * 2.f) >= sizeof(rc::tensor<float, 2, 3>));

// ---- the graph is a constant of the type ----

using chain = decltype(rc::sum(a() * a() + 1.f));
static_assert(chain::graph.output_count == 1 && ir::is_literal(chain::graph, 1) == false);
static_assert(chain::graph.ins[chain::graph.outputs[0]].op->kind == ir::op_kind::reduce);
static_assert(chain::rank == 0 && std::is_same_v<chain::operation, rc::sum_t>);
// numbers are arguments: 2 f and 3 f are one program
static_assert(std::is_same_v<decltype(a() * 2.f), decltype(a() * 3.f)>);
// and so are bounds of shapes and slices that are values
static_assert(std::is_same_v<decltype(rc::reshape(d(), rc::shape(2, 3))), decltype(rc::reshape(d(), rc::shape(3, 2)))>);

}  // namespace

TEST_CASE("expressions are values: copied, kept, used many times") {
  rc::tensor<float, 3> const x{1, 2, 3};
  auto const e = x * x;
  auto const copy = e;
  std::vector<std::remove_const_t<decltype(e)>> many(3, e);
  CHECK(numbers(rc::eval(copy + many[1] - many[2])) == numbers{1, 4, 9});
  CHECK(float(rc::sum(e) / rc::sum(x)) == doctest::Approx(14. / 6));
}

TEST_CASE("an expression of order 0 converts and compares") {
  rc::ndarray<double, 1> const x{3, 4};
  auto const norm = rc::sqrt(rc::sum(x * x));
  CHECK(norm.item() == 5);
  CHECK(float(norm) == 5.f);
  CHECK(int(norm) == 5);
  if (norm < 4.9) FAIL("5 < 4.9");
  CHECK(bool(norm == 5.));
  bool const large = norm > 4.;
  CHECK(large);
  rc::tensor<double> const as_tensor = norm;
  CHECK(as_tensor.item() == 5);
  rc::ndarray<double, 1> const unit = x / norm;
  CHECK(numbers(unit) == numbers{0.6, 0.8});
}

TEST_CASE("elements of an expression are computed when they are asked for") {
  rc::tensor<float, 2, 3> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK((x + x)(1, 2) == 12.f);
  CHECK(numbers(rc::eval((x * x)(rc::all, 1))) == numbers{4, 25});
}

TEST_CASE("numbers are read when the expression is written, tensors when it is evaluated") {
  float factor = 2;
  rc::tensor<float, 2> x{1, 2};
  auto const e = factor * x;
  factor = 100;
  x(0) = 50;
  CHECK(numbers(rc::eval(e)) == numbers{100, 4});
}

TEST_CASE("a deep expression is one program") {
  rc::ndarray<double, 1> const x = rc::linspace<double>(0.1, 1, 33);
  auto const e = rc::log(rc::exp(rc::sqrt(rc::square(rc::tanh(x) + 1.) - x * 0.5) + rc::abs(-x)) + rc::maximum(x, 0.5));
  rc::ndarray<double, 1> const y = e;
  for (int k = 0; k < 33; ++k) {
    double const v = x(k);
    double const want =
        std::log(std::exp(std::sqrt(std::pow(std::tanh(v) + 1, 2) - v * 0.5) + std::abs(-v)) + std::max(v, 0.5));
    CHECK(y(k) == doctest::Approx(want).epsilon(1e-12));
  }
}

TEST_CASE("transposes, products and reductions inside each other") {
  rc::ndarray<double, 2> const m{{1, 2, 3}, {4, 5, 6}};
  auto const gram = rc::matmul(m, m.T());
  CHECK(numbers(rc::eval(gram.T())) == numbers{14, 32, 32, 77});
  CHECK(double(rc::sum(rc::matmul(gram, gram) * gram.T())) == 1220 * 14 + 2 * 2912 * 32 + 6953 * 77);
  CHECK(numbers(rc::eval(rc::max(gram, rc::axis<1>) - rc::sum(m.T(), rc::axis<0>))) == numbers{26, 62});
}
