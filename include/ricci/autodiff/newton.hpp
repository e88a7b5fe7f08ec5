// What finds the solution of an equation where nothing else is named: Newton's method, iteration to a fixed point, and
// elimination for linear ones. Functions of symbols, with loops of a number of iterations that is a value.
#pragma once

#include <ricci/autodiff/jacobian.hpp>
#include <ricci/autodiff/loops.hpp>
#include <ricci/autodiff/raveled.hpp>
#include <ricci/ops/converged.hpp>
#include <ricci/ops/solve.hpp>

namespace ricci {

// How `rc::custom_root` and `rc::fixed_point` look for a solution.
struct root_options {
  int max_steps = 0;     // no more than so many, else a value_error; 0: 100 of Newton's, 1000 to a fixed point
  double tolerance = 0;  // the last step is at most so large beside x; 0: what x's type allows
};

namespace tracing {
inline namespace RICCI_ABI {

// Newton's steps are squared from one to the next: where one is that small, the next would be rounding. Others are not.
template <class X>
constexpr double newton_tolerance(double given) {
  constexpr int digits = std::numeric_limits<element_type_in_t<X>>::digits;
  return given > 0 ? given : digits > 40 ? 1e-11 : digits > 20 ? 2e-5 : 1e-2;
}
template <class X>
constexpr double iteration_tolerance(double given) {
  constexpr int digits = std::numeric_limits<element_type_in_t<X>>::digits;
  return given > 0 ? given : digits > 40 ? 4e-15 : digits > 20 ? 2e-6 : 1e-2;
}

// z with J z = r, J being the derivative of f at x: all of its columns at once, and elimination
template <class F, class X>
constexpr X solved_with_derivative(F const& f, X const& x, X const& r) {
  auto& g = *x.v.g;
  index_t const n = ir::element_count(x.v);
  auto const matrix = jacfwd(f)(x);
  auto const z = solve_matrices_t::solved(ir::reshape(matrix.v, ir::intern(g, shape_t{2, {n, n}})),
                                          ir::reshape(r.v, ir::intern(g, shape_t{2, {n, 1}})));
  return X{ir::reshape(z, x.v.shape_id())};
}
struct dense_solver {
  static constexpr bool is_of_vectors = true;
  template <class F, class X>
  constexpr X operator()(F const& f, X const& b) const {
    return solved_with_derivative(f, X{ir::zeros_like(b.v)}, b);
  }
};

// the norm that neither overflows nor vanishes where elements do not: the sum of magnitudes
template <class X>
constexpr auto sum_of_magnitudes(X const& x) {
  return sum(abs(x));
}
// whether a step is as small as is asked for beside x; where x is 0, smaller than the square of that
template <class X, class Tolerance>
constexpr auto is_small(X const& step, X const& x, Tolerance const& tolerance) {
  return (sum_of_magnitudes(step) <= (sum_of_magnitudes(x) + tolerance) * tolerance) & isfinite(sum_of_magnitudes(x));
}

// Damped: a step that does not make the residual smaller is tried again with half its length [Nocedal and Wright,
// Numerical Optimization, section 11.2].
template <class Search, class Steps, class Tolerance>
struct newton {
  static constexpr bool is_of_vectors = true;
  Steps max_steps;
  Tolerance tolerance;

  template <class F, class X>
  constexpr X operator()(F const& f, X const& x0) const {
    using T = typename X::value_type;
    auto const first = f(x0);
    // x, its residual, how much of a step is taken, how many there were, whether x is the solution
    auto const last = while_loop(
        [&](auto const& s) {
          auto const& [x, r, damping, count, done] = s;
          return (count < max_steps) & (damping > T(1e-6)) & !done;
        },
        [&](auto const& s) {
          auto const& [x, r, damping, count, done] = s;
          X const step = solved_with_derivative(f, x, r), next{(x - damping * step).v}, rest = f(next);
          auto const better = sum_of_magnitudes(rest) < sum_of_magnitudes(r);
          return std::tuple(X{where(better, next, x).v}, X{where(better, rest, r).v},
                            where(better, minimum(damping * T(2), T(1)), damping * T(0.5)), count + 1,
                            is_small(step, x, tolerance) | (sum_of_magnitudes(rest) == T(0)));
        },
        std::tuple(x0, first, T(1), 0, sum_of_magnitudes(first) == T(0)));
    auto const& [x, r, damping, count, done] = last;
    return X{when_converged<Search>(x.v, done.v, value_in(*x.v.g, count), sum_of_magnitudes(r).v)};
  }
};

// x = f(x) again and again
template <class Search, class Steps, class Tolerance>
struct iteration {
  static constexpr bool is_of_vectors = true;
  Steps max_steps;
  Tolerance tolerance;

  template <class F, class X>
  constexpr X operator()(F const& f, X const& x0) const {
    X const first = f(x0);
    auto const last = while_loop(
        [&](auto const& s) {
          auto const& [x, step, count] = s;
          return (count < max_steps) & !is_small(step, x, tolerance);
        },
        [&](auto const& s) {
          auto const& [x, step, count] = s;
          X const next = f(x);
          return std::tuple(next, X{(next - x).v}, count + 1);
        },
        std::tuple(first, X{(first - x0).v}, 1));
    auto const& [x, step, count] = last;
    return X{when_converged<Search>(x.v, is_small(step, x, tolerance).v, value_in(*x.v.g, count),
                                    sum_of_magnitudes(step).v)};
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
