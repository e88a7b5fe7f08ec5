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
// however many steps it took to find x; no matrix where linear solves of one's own stand behind:
//
//   rc::custom_root(f, x0, solver, tangent_solve)
//   rc::custom_linear_solve(f, b, solve, transpose_solve)    or rc::symmetric for the last
#pragma once

#include <ricci/autodiff/cond.hpp>
#include <ricci/autodiff/loops.hpp>
#include <ricci/autodiff/newton.hpp>
#include <ricci/autodiff/roots.hpp>
#include <ricci/ops/symmetric.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

struct custom_root_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "custom_root";
  static constexpr unfinished_search unfinished{};
};
struct fixed_point_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "fixed_point";
  static constexpr unfinished_search unfinished{};
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
// x as a tree of symbols, also where f alone knows the graph
template <class F, class X>
constexpr auto unknown_like(F const& f, X const& x) {
  using Mode = mode_t<X, decltype(f(x))>;
  (void)tensors_in_trace<Mode, X>();
  auto const first = [&] {
    if constexpr (is_traced<X>)
      return as_strong_symbols<Mode>(graph_in<Mode>(x), x);
    else
      return as_strong_symbols<Mode>(graph_in<Mode>(f(x)), x);
  }();
  using T = element_type_in_t<std::remove_const_t<decltype(first)>>;
  static_assert(!std::is_void_v<T>, "what solves an equation is of one element type, in all of its tensors");
  static_assert(std::is_void_v<T> || is_floating(dtype_of<std::conditional_t<std::is_void_v<T>, float, T>>),
                "what solves an equation is of real floating numbers");
  return first;
}
// what f or a solver made of x, as symbols like x
template <class Op, class X, class Y>
constexpr X like_unknown(X const& x, Y const& y) {
  static_assert(tree::same_structure<X, Y>(),
                "an equation's function, and what solves it, return a tree of the structure of x");
  if constexpr (is_symbol<X>) {
    static_assert(shapes::may_be_equal<typename X::extents, typename operand_extents<Y>::type>(),
                  "an equation's function, and what solves it, return the extents of x (both: see the types above)");
    static_assert(holds<X, Y>(),
                  "an equation's function returns a type that x does not hold, as double of x of floats");
    return X{next_of<Op>(x, y)};
  } else if constexpr (tree::same_structure<X, Y>()) {
    X all = x;
    tree::for_each_leaf([](auto& to, auto const& is) { to = like_unknown<Op>(to, is); }, all, y);
    return all;
  } else {
    return x;
  }
}

// A solve of the user's, of trees like `like`, as one of values.
template <class Op, class Solve, class S>
struct solve_of_trees {
  using V = ir::value<mode_t<S>>;
  Solve solve;
  S like;
  template <class G>
  constexpr V operator()(G const& g, V right) const {
    raveled<S> const all{like};
    using vector = typename raveled<S>::vector_type;
    auto const of = [&](auto const& x) { return all.tree(vector{g(all.vector(like_unknown<Op>(like, x)).v)}); };
    return all.vector(like_unknown<Op>(like, solve(of, all.tree(vector{right})))).v;
  }
};

// What finds x is a function of vectors where it is one of those of newton.hpp, else one of trees, of the user's; it
// may be two: what else solves with derivatives.
struct no_solve {};
template <class Solver, class Solve>
struct with_solve {
  Solver solver;
  Solve solve;
};

// x0 as an unknown, and functions of it
template <class Op, class F, class X>
struct unknown_tree {
  using S = std::remove_const_t<decltype(unknown_like(std::declval<F const&>(), std::declval<X const&>()))>;
  using vector = typename raveled<S>::vector_type;
  using Mode = mode_t<S>;
  using V = ir::value<Mode>;
  F const& f;
  S first;
  raveled<S> all;

  constexpr unknown_tree(F const& function, X const& x0) : f(function), first(unknown_like(function, x0)), all{first} {}
  constexpr auto of_trees() const {
    return [this](auto const& x) { return like_unknown<Op>(first, f(like_unknown<Op>(first, x))); };
  }
  constexpr vector operator()(vector const& x) const { return all.vector(of_trees()(all.tree(x))); }
  template <class Solver>
  constexpr V found_by(Solver const& solver) const {
    if constexpr (requires { Solver::is_of_vectors; })
      return solver(*this, all.vector(first)).v;
    else
      return all.vector(like_unknown<Op>(first, solver(of_trees(), first))).v;
  }
  template <class Solve>
  constexpr auto as_solve(Solve const& solve) const {
    if constexpr (requires { Solve::is_of_vectors; })
      return solve;
    else
      return solve_of_trees<Op, Solve, S>{solve, first};
  }
  constexpr auto& graph() const { return *all.vector(first).v.g; }
  constexpr S tree(V x) const { return all.tree(vector{x}); }
};

// Op: whose name stands in errors. x is found by solver(f, x0), and residual(f(x), x) is what is to be 0.
template <class Op, class Residual, class F, class X, class Solver>
constexpr auto solution(Residual const& residual, F const& f, X const& x0, Solver const& solver) {
  unknown_tree<Op, F, X> const x(f, x0);
  using V = typename decltype(x)::V;
  using vector = typename decltype(x)::vector;
  using Mode = typename decltype(x)::Mode;
  auto& g = x.graph();
  auto const at = [&](V v) { return residual(x(vector{v}).v, v); };
  auto const find = [&] {
    if constexpr (requires { solver.solve; })
      return x.found_by(solver.solver);
    else
      return x.found_by(solver);
  };
  auto const solves_at = [&]([[maybe_unused]] V v, [[maybe_unused]] V r) {
    given_solves all;
    if constexpr (requires { solver.solve; }) {
      auto const solve = x.as_solve(solver.solve);
      derivative_at<Mode> const derivative(v, r);
      V const none = ir::zeros_like(v);
      give_solve<Mode>(
          all, 0, solve, [&](V t) { return derivative.forward(t); }, none, r);
      give_solve<Mode>(
          all, 1, solve, [&](V ct) { return derivative.reverse(ct); }, none, r);
    }
    return all;
  };
  return x.tree(root_of<Mode>(g, find, at, solves_at));
}
// x with f(x) = b, found by solver.solver(f, b); solver.solve solves with the transpose of f, or says that f is its
// own.
template <class Op, class F, class B, class Solver, class Transposed>
constexpr auto linear_solution(F const& f, B const& b, with_solve<Solver, Transposed> const& solver) {
  unknown_tree<Op, F, B> const x(f, b);
  using V = typename decltype(x)::V;
  using vector = typename decltype(x)::vector;
  using Mode = typename decltype(x)::Mode;
  auto& g = x.graph();
  V const right = x.all.vector(x.first).v;
  auto const by = x.as_solve(solver.solver);
  auto const of = [&](V v) { return x(vector{v}).v; };
  given_solves all;
  auto const find = [&] {
    give_solve<Mode>(all, 0, by, of, right, of(right));
    if constexpr (Mode::runs)
      return by(of, right);
    else
      return V{&g, all.found[0]};
  };
  auto const solves_at = [&]([[maybe_unused]] V v, [[maybe_unused]] V r) {
    if constexpr (std::is_same_v<Transposed, symmetric_t>) {
      all.add(1, all, 0);
    } else if constexpr (!std::is_same_v<Transposed, no_solve>) {
      derivative_at<Mode> const derivative(v, r);
      give_solve<Mode>(
          all, 1, x.as_solve(solver.solve), [&](V ct) { return derivative.reverse(ct); }, ir::zeros_like(v), r);
    }
    return all;
  };
  return x.tree(root_of<Mode>(
      g, find, [&](V v) { return V(of(v) - right); }, solves_at));
}
struct finding_roots {
  using search = custom_root_t;
  template <class... A>
  static constexpr auto apply(A const&... a) {
    return solution<custom_root_t>([](auto y, auto) { return y; }, a...);
  }
};
struct finding_fixed_points {
  using search = fixed_point_t;
  template <class... A>
  static constexpr auto apply(A const&... a) {
    return solution<fixed_point_t>([](auto y, auto x) { return decltype(y)(y - x); }, a...);
  }
};
struct solving_linear_equations {
  template <class F, class B, class Solver>
  static constexpr auto apply(F const& f, B const& b, Solver const& solver) {
    if constexpr (std::is_same_v<Solver, dense_solver>) {
      unknown_tree<custom_linear_solve_t, F, B> const x(f, b);
      auto const right = x.all.vector(x.first).v;
      return solution<custom_linear_solve_t>([right](auto y, auto) { return decltype(y)(y - right); }, f, b, solver);
    } else {
      return linear_solution<custom_linear_solve_t>(f, b, solver);
    }
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

// x with f(x) = 0, a tree of the structure, shapes and type of x0, as is f(x): a tensor, a number, or a record or tuple
// of such. By Newton's method from x0, whose steps are cut in halves where they do not help; it solves with the whole
// matrix of derivatives. A value_error where it does not come to an end. Of several solutions derivatives are those of
// the one that was found.
template <class F, class X>
constexpr auto custom_root(F const& f, X const& x0, root_options options = {}) {
  return tracing::solved_with_options<tracing::finding_roots, tracing::newton>(
      f, x0, options.max_steps > 0 ? options.max_steps : 100, tracing::newton_tolerance<X>(options.tolerance));
}
// The same by a solver of one's own: `solver(f, x0)` returns x. (Derivatives make the matrix.)
template <class F, class X, class Solver>
constexpr auto custom_root(F const& f, X const& x0, Solver const& solver) {
  return tracing::solved_by<tracing::finding_roots>(f, x0, solver);
}
// The same without a matrix: `tangent_solve(g, y)` returns x with g(x) = y, where g is f's derivative at the solution,
// a linear function of trees like x0, or, in reverse mode, its transpose.
template <class F, class X, class Solver, class Solve>
constexpr auto custom_root(F const& f, X const& x0, Solver const& solver, Solve const& tangent_solve) {
  return tracing::solved_by<tracing::finding_roots>(f, x0, tracing::with_solve<Solver, Solve>{solver, tangent_solve});
}

// x with x = f(x), by x = f(x) again and again from x0. A value_error where that does not come to an end. (Derivatives
// make the matrix.)
template <class F, class X>
constexpr auto fixed_point(F const& f, X const& x0, root_options options = {}) {
  return tracing::solved_with_options<tracing::finding_fixed_points, tracing::iteration>(
      f, x0, options.max_steps > 0 ? options.max_steps : 1000, tracing::iteration_tolerance<X>(options.tolerance));
}

// x with matvec(x) = b, matvec being linear and x a tree like b, by elimination with the matrix that matvec is. A
// singular one gives infinities or NaN.
template <class F, class B>
constexpr auto custom_linear_solve(F const& matvec, B const& b) {
  return tracing::solved_by<tracing::solving_linear_equations>(matvec, b, tracing::dense_solver{});
}
// The same by a solve of one's own: `solve(matvec, b)` returns x. Forward mode solves by it, too; reverse mode makes
// the matrix.
template <class F, class B, class Solve>
constexpr auto custom_linear_solve(F const& matvec, B const& b, Solve const& solve) {
  return tracing::solved_by<tracing::solving_linear_equations>(
      matvec, b, tracing::with_solve<Solve, tracing::no_solve>{solve, {}});
}
// The same without a matrix: reverse mode solves by `transpose_solve(vecmat, ct)`, vecmat being the transpose of
// matvec; `rc::symmetric` in its place says that matvec is its own transpose.
template <class F, class B, class Solve, class Transposed>
constexpr auto custom_linear_solve(F const& matvec, B const& b, Solve const& solve, Transposed const& transpose_solve) {
  return tracing::solved_by<tracing::solving_linear_equations>(
      matvec, b, tracing::with_solve<Solve, Transposed>{solve, transpose_solve});
}

}  // namespace ricci
