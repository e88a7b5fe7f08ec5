// What an equation defines, differentiated at its solution whatever found that (roots.hpp):
//
//   rc::custom_root(f, x0)            x with f(x) = 0, by Newton's method from x0, or by a solver of one's own
//   rc::fixed_point(f, x0)            x with x = f(x), by iteration
//   rc::custom_linear_solve(f, b)     x with f(x) = b, f being linear
//
//   auto cube_root = [](auto a) { return rc::custom_root([=](auto x) { return x * x * x - a; }, rc::ones_like(a)); };
//   rc::grad(cube_root)(8.);  // 1 / 12
//
// f reads values of the function around it, and derivatives are with respect to these: of any order, in both modes, in
// batches. The memory they take is that of one call of f and a matrix of as many rows and columns as x has elements,
// however many steps it took to find x.
#pragma once

#include <ricci/autodiff/loops.hpp>
#include <ricci/autodiff/newton.hpp>
#include <ricci/autodiff/roots.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

struct custom_root_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "custom_root";
};
struct fixed_point_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "fixed_point";
};
struct custom_linear_solve_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "custom_linear_solve";
};

// Whether a call with f and x is one in a traced function: x is a symbol, or f has captured one.
template <class F, class X>
constexpr bool is_equation_of_symbols() {
  if constexpr (is_traced<X>)
    return true;
  else
    return is_traced<decltype(std::declval<F const&>()(std::declval<X const&>()))>;
}
// x as a symbol, also where f alone knows the graph
template <class F, class X>
constexpr auto unknown_like(F const& f, X const& x) {
  static_assert(Tensor<X> || Arithmetic<X>, "what solves an equation is one tensor or number");
  using Mode = mode_t<X, decltype(f(x))>;
  (void)tensors_in_trace<Mode, X>();
  auto const first = [&] {
    if constexpr (is_traced<X>)
      return as_strong_symbols<Mode>(graph_in<Mode>(x), x);
    else
      return as_strong_symbols<Mode>(graph_in<Mode>(f(x)), x);
  }();
  using S = std::remove_const_t<decltype(first)>;
  static_assert(is_floating(dtype_of<typename S::value_type>), "what solves an equation is of real floating numbers");
  return first;
}
// what f or a solver made of x, as a symbol like x
template <class Op, class X, class Y>
constexpr X like_unknown(X const& x, Y const& y) {
  static_assert(shapes::may_be_equal<typename X::extents, typename operand_extents<Y>::type>(),
                "an equation's function, and what solves it, return the extents of x (both: see the types above)");
  static_assert(holds<X, Y>(), "an equation's function returns a type that x does not hold, as double of x of floats");
  return X{next_of<Op>(x, y)};
}

// Op: whose name stands in errors. x is found by solver(f, x0), and residual(f(x), x, x0) is what is to be 0.
template <class Op, class Residual, class F, class X, class Solver>
constexpr auto solution(Residual const& residual, F const& f, X const& x0, Solver const& solver) {
  auto const first = unknown_like(f, x0);
  using S = std::remove_const_t<decltype(first)>;
  auto const of = [&f](auto const& x) { return like_unknown<Op>(x, f(x)); };
  auto const find = [&] { return like_unknown<Op>(first, solver(of, first)).v; };
  return S{root_of<typename S::mode>(*first.v.g, find, [&](auto v) { return residual(of(S{v}), S{v}, first).v; })};
}
struct finding_roots {
  using search = custom_root_t;
  template <class... A>
  static constexpr auto apply(A const&... a) {
    return solution<custom_root_t>([](auto const& y, auto const&, auto const&) { return y; }, a...);
  }
};
struct finding_fixed_points {
  using search = fixed_point_t;
  template <class... A>
  static constexpr auto apply(A const&... a) {
    return solution<fixed_point_t>([](auto const& y, auto const& x, auto const&) { return y - x; }, a...);
  }
};
struct solving_linear_equations {
  template <class... A>
  static constexpr auto apply(A const&... a) {
    return solution<custom_linear_solve_t>([](auto const& y, auto const&, auto const& b) { return y - b; }, a...);
  }
};

// As functions of their arguments alone, which are compiled and called with tensors.
template <class Equation, class F, class Solver>
struct equation_by {
  F f;
  Solver solver;
  template <class X>
  constexpr auto operator()(X const& x) const {
    return Equation::apply(f, x, solver);
  }
};
template <class Equation, template <class, class, class> class Solver, class F>
struct equation_with_options {
  F f;
  template <class X, class Steps, class Tolerance>
  constexpr auto operator()(X const& x, Steps const& max_steps, Tolerance const& tolerance) const {
    return Equation::apply(f, x, Solver<typename Equation::search, Steps, Tolerance>{max_steps, tolerance});
  }
};
template <class Equation, class F, class X, class Solver>
constexpr auto solved_by(F const& f, X const& x, Solver const& solver) {
  if constexpr (is_equation_of_symbols<F, X>())
    return Equation::apply(f, x, solver);
  else
    return fn(equation_by<Equation, F, Solver>{f, solver})(x);
}
template <class Equation, template <class, class, class> class Solver, class F, class X>
constexpr auto solved_with_options(F const& f, X const& x, int max_steps, double tolerance) {
  if constexpr (is_equation_of_symbols<F, X>())
    return Equation::apply(f, x, Solver<typename Equation::search, int, double>{max_steps, tolerance});
  else
    return fn(equation_with_options<Equation, Solver, F>{f})(x, max_steps, tolerance);
}

}  // namespace RICCI_ABI
}  // namespace tracing

// x with f(x) = 0, of x0's shape and type, as is f(x): one tensor or number. By Newton's method from x0, whose steps
// are cut in halves where they do not help; it solves with the whole matrix of derivatives. A value_error where it does
// not come to an end. Of several solutions derivatives are those of the one that was found.
template <class F, class X>
constexpr auto custom_root(F const& f, X const& x0, root_options options = {}) {
  return tracing::solved_with_options<tracing::finding_roots, tracing::newton>(
      f, x0, options.max_steps > 0 ? options.max_steps : 100, tracing::newton_tolerance<X>(options.tolerance));
}
// The same by a solver of one's own: `solver(f, x0)` returns x.
template <class F, class X, class Solver>
constexpr auto custom_root(F const& f, X const& x0, Solver const& solver) {
  return tracing::solved_by<tracing::finding_roots>(f, x0, solver);
}

// x with x = f(x), by x = f(x) again and again from x0. A value_error where that does not come to an end.
template <class F, class X>
constexpr auto fixed_point(F const& f, X const& x0, root_options options = {}) {
  return tracing::solved_with_options<tracing::finding_fixed_points, tracing::iteration>(
      f, x0, options.max_steps > 0 ? options.max_steps : 1000, tracing::iteration_tolerance<X>(options.tolerance));
}

// x with matvec(x) = b, matvec being linear and x like b, by elimination with the matrix that matvec is. A singular one
// gives infinities or NaN.
template <class F, class B>
constexpr auto custom_linear_solve(F const& matvec, B const& b) {
  return tracing::solved_by<tracing::solving_linear_equations>(matvec, b, tracing::dense_solver{});
}
// The same by a solver of one's own: `solver(matvec, b)` returns x. (Derivatives make the matrix.)
template <class F, class B, class Solver>
constexpr auto custom_linear_solve(F const& matvec, B const& b, Solver const& solver) {
  return tracing::solved_by<tracing::solving_linear_equations>(matvec, b, solver);
}

}  // namespace ricci
