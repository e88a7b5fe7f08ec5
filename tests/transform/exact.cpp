// The rules that change no value, one by one, on small graphs; with them what recording and finishing do by themselves:
// common subexpressions become one, dead code goes.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "rewritten.hpp"

namespace {

using namespace rewriting;
using enum rc::level;

// ---- arithmetic ----

static_assert(becomes(
    exact, [](auto o) { return o.x * 1.; }, [](auto o) { return o.x; }));
static_assert(becomes(
    exact, [](auto o) { return 1. * o.x; }, [](auto o) { return o.x; }));
static_assert(becomes(
    exact, [](auto o) { return o.x / 1.; }, [](auto o) { return o.x; }));
static_assert(becomes(
    exact, [](auto o) { return o.x - 0.; }, [](auto o) { return o.x; }));
static_assert(becomes(
    exact, [](auto o) { return -(-o.x); }, [](auto o) { return o.x; }));
static_assert(becomes(
    exact, [](auto o) { return -(-(-o.x)); }, [](auto o) { return -o.x; }));
static_assert(becomes(
    exact, [](auto o) { return o.x + -o.y; }, [](auto o) { return o.x - o.y; }));
static_assert(becomes(
    exact, [](auto o) { return -o.x + o.y; }, [](auto o) { return o.y - o.x; }));
static_assert(becomes(
    exact, [](auto o) { return o.x - -o.y; }, [](auto o) { return o.x + o.y; }));
static_assert(becomes(
    exact, [](auto o) { return o.x / 8.; }, [](auto o) { return o.x * 0.125; }));
static_assert(becomes(
    exact, [](auto o) { return o.x / 0x1p126; }, [](auto o) { return o.x * 0x1p-126; }, rc::dtype::float32));
static_assert(becomes(
    exact, [](auto o) { return o.x / 0x1p-1022; }, [](auto o) { return o.x * 0x1p1022; }));

// ((x * 2) * 2) * 2 is x * 8, for both element types
constexpr auto thrice_doubled = [](auto o) { return ((o.x * 2.) * 2.) * 2.; };
constexpr auto times_eight = [](auto o) { return o.x * 8.; };
static_assert(becomes(exact, thrice_doubled, times_eight));
static_assert(becomes(exact, thrice_doubled, times_eight, rc::dtype::float32));
static_assert(becomes(
    exact, [](auto o) { return 2. * (o.x * 4.); }, times_eight));

// what would round differently, or lose a NaN, an infinity or the sign of a zero, stays
static_assert(stays(exact, [](auto o) { return (o.x * 3.) * 2.; }));
static_assert(stays(exact, [](auto o) { return (o.x * 0.5) * 2.; }));
static_assert(stays(exact, [](auto o) { return o.x / 3.; }));
static_assert(stays(exact, [](auto o) { return o.x - -0.; }));
// as well as factors that are infinite or lose digits in their type
constexpr auto far_up = [](auto o) { return (o.x * 0x1p90) * 0x1p90; };
static_assert(becomes(exact, far_up, [](auto o) { return o.x * 0x1p180; }));
static_assert(stays(exact, far_up, rc::dtype::float32));
static_assert(stays(exact, [](auto o) { return (o.x * 0x1p600) * 0x1p600; }));
static_assert(stays(
    exact, [](auto o) { return o.x / 0x1p127; }, rc::dtype::float32));
static_assert(stays(exact, [](auto o) { return o.x / 0x1p1023; }));
static_assert(stays(exact, [](auto o) { return o.x / 0.; }));
static_assert(stays(exact, [](auto o) { return o.x / __builtin_inf(); }));
static_assert(stays(exact, [](auto o) { return o.x * 0.; }));
static_assert(stays(exact, [](auto o) { return o.x + 0.; }));
static_assert(stays(exact, [](auto o) { return o.x - o.x; }));
static_assert(stays(exact, [](auto o) { return (o.x + 1.) - 1.; }));
static_assert(stays(exact, [](auto o) { return rc::log(rc::exp(o.x)); }));

// ---- constants ----

static_assert(becomes(
    exact, [](auto o) { return o.x + number(o.x, 2) * number(o.x, 3); }, [](auto o) { return o.x + 6.; }));
static_assert(becomes(
    exact, [](auto o) { return o.x * -(number(o.x, 5) - number(o.x, 8)); }, [](auto o) { return o.x * 3.; }));
static_assert(becomes(
    exact, [](auto o) { return o.x * rc::square(number(o.x, 3)); }, [](auto o) { return o.x * 9.; }));
static_assert(becomes(
    exact, [](auto o) { return o.x * rc::maximum(number(o.x, 3), number(o.x, 4)); }, [](auto o) { return o.x * 4.; }));
static_assert(becomes(
    exact, [](auto o) { return o.x * rc::minimum(number(o.x, 3), number(o.x, 4)); }, [](auto o) { return o.x * 3.; }));
static_assert(becomes(
    exact, [](auto o) { return o.x * -rc::maximum(number(o.x, 3), number(o.x, __builtin_inf())); },
    [](auto o) { return o.x * -__builtin_inf(); }));
// but for what is infinite or NaN: not all compilers know it
constexpr auto product_of_numbers = [](double a, double b) {
  return [=](auto o) { return number(o.x, a) * number(o.x, b); };
};
constexpr auto quotient_of_numbers = [](double a, double b) {
  return [=](auto o) { return number(o.x, a) / number(o.x, b); };
};
constexpr auto sum_of_numbers = [](double a, double b) {
  return [=](auto o) { return number(o.x, a) + number(o.x, b); };
};
constexpr auto just = [](double a) { return [=](auto o) { return number(o.x, a); }; };
static_assert(stays(exact, product_of_numbers(1e20, 1e20), rc::dtype::float32));
static_assert(stays(exact, product_of_numbers(1e200, 1e200)));
static_assert(stays(exact, product_of_numbers(__builtin_inf(), 0)));
static_assert(stays(exact, sum_of_numbers(3e38, 3e38), rc::dtype::float32));
static_assert(stays(exact, sum_of_numbers(1.7e308, 1.7e308)));
static_assert(stays(exact, sum_of_numbers(__builtin_inf(), -__builtin_inf())));
static_assert(stays(exact, quotient_of_numbers(1, 0)));
static_assert(stays(exact, quotient_of_numbers(1, -0.)));
static_assert(stays(exact, quotient_of_numbers(1e30, 1e-30), rc::dtype::float32));
static_assert(stays(exact, quotient_of_numbers(1e300, 1e-300)));
static_assert(becomes(exact, product_of_numbers(1e20, 1e20), just(1e40)));
// a result that loses digits, or all of them, is rounded once
static_assert(becomes(exact, product_of_numbers(0x1p-100, 0x1.8p-49), just(0x1p-148), rc::dtype::float32));
static_assert(becomes(exact, product_of_numbers(1e-30, 1e-30), just(0), rc::dtype::float32));
// in the precision of the type
static_assert(becomes(
    exact, [](auto o) { return o.x * (number(o.x, 1) / number(o.x, 3)); },
    [](auto o) { return o.x * double(1.f / 3.f); }, rc::dtype::float32));

// ---- choices ----

static_assert(becomes(
    exact, [](auto o) { return rc::where(o.x < o.y, o.x, o.x); }, [](auto o) { return o.x; }));
static_assert(becomes(
    exact, [](auto o) { return rc::where(o.x < o.y, o.x * 1., o.x); }, [](auto o) { return o.x; }));
static_assert(stays(exact, [](auto o) { return rc::where(o.x < o.y, o.x, o.y); }));

// ---- views ----

static_assert(becomes(
    exact, [](auto o) { return transposed(transposed(o.x)); }, [](auto o) { return o.x; }));
static_assert(becomes(
    exact, [](auto o) { return transposed(transposed(transposed(o.x))); }, [](auto o) { return transposed(o.x); }));
constexpr auto cube = [](V x) { return shaped(x, {3, {1, 2, 3}}); };
constexpr auto permuted = [](V x, rc::index_t a, rc::index_t b, rc::index_t c) {
  rc::index_t const axes[] = {a, b, c};
  return ir::permute(x, axes, 3);
};
static_assert(becomes(
    exact, [](auto o) { return permuted(permuted(cube(o.x), 2, 0, 1), 2, 1, 0); },
    [](auto o) { return permuted(cube(o.x), 1, 0, 2); }));
static_assert(becomes(
    exact,
    [](auto o) {
      return shaped(shaped(o.x, {1, {6}}), matrix);
    },
    [](auto o) { return o.x; }));
static_assert(becomes(
    exact,
    [](auto o) {
      return shaped(shaped(o.x, {1, {6}}), {2, {3, 2}});
    },
    [](auto o) {
      return shaped(o.x, {2, {3, 2}});
    }));
static_assert(becomes(
    exact,
    [](auto o) {
      return broadcast(broadcast(o.x, {3, {4, 2, 3}}), {4, {5, 4, 2, 3}});
    },
    [](auto o) {
      return broadcast(o.x, {4, {5, 4, 2, 3}});
    }));
static_assert(becomes(
    exact, [](auto o) { return shaped(o.x * 1., matrix) + transposed(transposed(o.y)); },
    [](auto o) { return o.x + o.y; }));
// literals take any shape: a view of one is one
static_assert(becomes(
    exact, [](auto o) { return transposed(o.y * 0. + number(o.y, 2) * number(o.y, 2)) * transposed(o.x); },
    [](auto o) { return transposed(o.y * 0. + 4.) * transposed(o.x); }));

// ---- common subexpressions and dead code ----

// two that become equal by simplification become one
constexpr auto equal_in_disguise = [](auto o) { return rc::exp(o.x * 1. + o.y) * rc::exp(o.y - -o.x); };
static_assert(instructions(recorded(equal_in_disguise)) == 10);  // x, y, 1, x * 1, two sums, -x, two exps, product
static_assert(instructions(simplified(exact, equal_in_disguise)) == 5);  // x, y, x + y, exp, product
// operands of a commutative operation come in any order
static_assert(instructions(simplified(exact, [](auto o) { return (o.x * o.y) / (o.y * o.x); })) == 4);
static_assert(instructions(simplified(exact, [](auto o) {
                (void)(rc::exp(o.x) + rc::log(o.y));
                return o.x * o.x;
              })) == 2);
static_assert(instructions(simplified(off, thrice_doubled)) == 3 + 2 &&
              instructions(simplified(exact, thrice_doubled)) == 3);

// ---- the same on the types of expressions ----

using t3 = rc::tensor<double, 3>;
using doubled = decltype(((std::declval<t3&>() * 2.) * 2.) * 2.);
// run-time numbers are operands of a statement, so nothing is known of them: only what the type knows is rewritten
static_assert(rc::simplified_t<doubled>::graph.ins[rc::simplified_t<doubled>::graph.outputs[0]].op->name ==
              rc::multiply_t::name);
using there_and_back = decltype(std::declval<rc::tensor<double, 2, 3>&>().T().T());
using as_it_was = rc::simplified_t<there_and_back>;
static_assert(as_it_was::graph.ins[as_it_was::graph.outputs[0]].op->kind == ir::op_kind::argument);
using negated_twice = rc::simplified_t<decltype(-(-std::declval<t3&>()))>;
static_assert(negated_twice::graph.ins[negated_twice::graph.outputs[0]].op->kind == ir::op_kind::argument);

}  // namespace

TEST_CASE("rewriting at run time does the same") {
  CHECK(becomes(exact, thrice_doubled, times_eight));
  CHECK(stays(exact, [](auto o) { return (o.x * 3.) * 2.; }));
}

TEST_CASE("a traced function is simplified, and its value is that of what was written") {
  auto const f = [](auto x) { return ((x * 2.) * 2.) * 2. + -(-x) * 1. - x / 4.; };
  rc::tensor<double, 3> const x{1, -2, 3e300};
  CHECK(numbers(rc::fn(f)(x)) == numbers{8.75, -17.5, 8.75 * 3e300});
}

TEST_CASE("so is a statement, and zeros keep their sign") {
  rc::tensor<double, 2> const x{-0., 1e308};
  rc::tensor<double, 2> const y = rc::simplified(-(-x)) * 1.;
  CHECK(std::signbit(y(0)));
  CHECK(y(1) == 1e308);
  // in between, the product is rounded to infinity, and stays so
  rc::tensor<double, 2> const z = (x * 4.) * 0.25;
  CHECK(z(1) == __builtin_inf());
}
