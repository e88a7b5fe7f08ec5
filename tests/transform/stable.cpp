// The rules that keep a formula from overflowing or cancelling: what they make of a graph, and what comes out where the
// formula as it was written has no digits left. Statements are rewritten by the exact rules alone, traced functions by
// these too.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../numbers.hpp"
#include "rewritten.hpp"

namespace {

using namespace rewriting;
using enum rc::level;

constexpr int columns = 0b10, everything = 0b11;
constexpr V sum(V x, int mask, bool keep = false) { return ir::reduced<rc::sum_t>(x, mask, keep); }

static_assert(becomes(
    stable, [](auto o) { return o.x + 0.; }, [](auto o) { return o.x; }));
static_assert(becomes(
    stable, [](auto o) { return 0. + o.x; }, [](auto o) { return o.x; }));
static_assert(becomes(
    stable, [](auto o) { return rc::exp(o.x) - 1.; }, [](auto o) { return rc::expm1(o.x); }));
static_assert(becomes(
    stable, [](auto o) { return rc::log(o.x + 1.); }, [](auto o) { return rc::log1p(o.x); }));
static_assert(becomes(
    stable, [](auto o) { return rc::log(rc::exp(o.x)); }, [](auto o) { return o.x; }));

constexpr auto softplus = [](auto o) { return rc::softplus_t{}(o.x); };
static_assert(becomes(
    stable, [](auto o) { return rc::log(1. + rc::exp(o.x)); }, softplus));
static_assert(becomes(
    stable, [](auto o) { return rc::log1p(rc::exp(o.x)); }, softplus));
static_assert(stays(stable, [](auto o) { return rc::maximum(o.x, 0.) + rc::log1p(rc::exp(-rc::abs(o.x))); }));

static_assert(becomes(
    stable, [](auto o) { return rc::log(sum(rc::exp(o.x), everything)); },
    [](auto o) { return rc::logsumexp_t::formula(o.x, everything, false); }));
static_assert(becomes(
    stable, [](auto o) { return rc::log(sum(rc::exp(o.x), columns, true)); },
    [](auto o) { return rc::logsumexp_t::formula(o.x, columns, true); }));
static_assert(stays(stable, [](auto o) { return rc::logsumexp_t::formula(o.x, columns, true); }));

static_assert(becomes(
    stable, [](auto o) { return rc::exp(o.x) / sum(rc::exp(o.x), columns, true); },
    [](auto o) { return rc::softmax_t::formula(o.x, columns); }));
static_assert(becomes(
    stable, [](auto o) { return rc::exp(o.x) / sum(rc::exp(o.x), everything); },
    [](auto o) { return rc::softmax_t::formula(o.x, everything); }));
static_assert(stays(stable, [](auto o) { return rc::softmax_t::formula(o.x, columns); }));
// other sums than that of the numerator, and sums that stand elsewhere, are not softmax
static_assert(stays(stable, [](auto o) { return rc::exp(o.x) / sum(rc::exp(o.y), columns, true); }));
static_assert(stays(stable, [](auto o) { return rc::exp(o.x) / sum(rc::exp(o.x) * 2., columns, true); }));
constexpr auto sums_of_rows_along_columns = [](auto o) {
  V const square = ir::slice(o.x, ir::intern(*o.x.g, {2, {2, 2}}), std::array<rc::index_t, 2>{0, 0}.data(),
                             std::array<rc::index_t, 2>{1, 1}.data());
  return rc::exp(square) / sum(rc::exp(square), columns);  // (2, 2) / (2): the sum of row i divides column i
};
static_assert(stays(stable, sums_of_rows_along_columns));

// none of them in a statement
static_assert(stays(exact, [](auto o) { return rc::log(1. + rc::exp(o.x)); }));
static_assert(stays(exact, [](auto o) { return rc::exp(o.x) / sum(rc::exp(o.x), columns, true); }));
static_assert(stays(exact, [](auto o) { return rc::exp(o.x) - 1.; }));

}  // namespace

TEST_CASE("exp(x) / sum(exp(x)) keeps its digits where exp(x) has no value") {
  auto const f = [](auto x) { return rc::exp(x) / rc::sum(rc::exp(x), rc::axis<1>, rc::keepdims); };
  rc::tensor<double, 2, 3> const x{{1000, 1001, 999}, {-1000, -1001, -2000}};
  auto const y = rc::fn(f)(x);
  double const e = std::exp(-1.), first = 1 / (1 + e + e * e), second = 1 / (1 + e);
  CHECK(numbers(y).near({first * e, first, first * e * e, second, second * e, 0}));
  // as a statement it is what it says
  rc::tensor<double, 2, 3> const naive = rc::exp(x) / rc::sum(rc::exp(x), rc::axis<1>, rc::keepdims);
  CHECK(std::isnan(naive(0, 0)));
}

TEST_CASE("log(sum(exp(x))) and its gradient, which is softmax") {
  auto const f = [](auto x) { return rc::log(rc::sum(rc::exp(x))); };
  for (double shift : {0., 1e4, -1e4, 700.}) {
    rc::tensor<double, 3> const x{shift, shift + 1, shift - 1};
    auto const [y, g] = rc::value_and_grad(f)(x);
    double const s = 1 + std::exp(1.) + std::exp(-1.);
    CHECK(y.item() == doctest::Approx(shift + std::log(s)));
    CHECK(numbers(g).near({1 / s, std::exp(1.) / s, std::exp(-1.) / s}));
  }
  double const inf = std::numeric_limits<double>::infinity();
  CHECK(rc::fn(f)(rc::tensor<double, 2>{-inf, -inf}).item() == -inf);
  CHECK(rc::fn(f)(rc::tensor<double, 2>{inf, 0}).item() == inf);
  CHECK(numbers(rc::grad(f)(rc::tensor<double, 3>{-inf, 0, 0})).near({0, 0.5, 0.5}));
}

TEST_CASE("log(1 + exp(x)) and its gradient, which is sigmoid") {
  auto const f = [](auto x) { return rc::sum(rc::log(1. + rc::exp(x))); };
  auto const each = [](auto x) { return rc::log(1. + rc::exp(x)); };
  rc::tensor<double, 6> const x{-800, -40, 0, 1, 40, 800};
  CHECK(numbers(rc::fn(each)(x))
            .near({0, std::exp(-40.), std::log(2.), std::log1p(std::exp(1.)), 40 + std::exp(-40.), 800}));
  CHECK(rc::fn(each)(x)(1) == doctest::Approx(std::exp(-40.)).epsilon(1e-13));
  CHECK(numbers(rc::grad(f)(x)).near({0, std::exp(-40.), 0.5, 1 / (1 + std::exp(-1.)), 1, 1}));
  CHECK(rc::grad(f)(x)(1) == doctest::Approx(std::exp(-40.)).epsilon(1e-13));
  // the second derivative comes from the stable form, too
  auto const slope = [=](auto z) { return rc::sum(rc::grad(f)(z)); };
  CHECK(numbers(rc::grad(slope)(x))
            .near({0, std::exp(-40.), 0.25, std::exp(1.) / std::pow(1 + std::exp(1.), 2), std::exp(-40.), 0}));
}

TEST_CASE("small differences from 1 keep their digits") {
  auto const f = [](auto x) { return rc::exp(x) - 1.; };
  auto const g = [](auto x) { return rc::log(1. + x); };
  CHECK(rc::fn(f)(1e-20).item() == 1e-20);
  CHECK(rc::fn(g)(1e-20).item() == 1e-20);
  rc::tensor<double> const tiny = 1e-20;
  CHECK(rc::eval(rc::log(1. + tiny)).item() == 0.);
}
