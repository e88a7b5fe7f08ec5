// Derivatives of what an equation defines: x with f(x, a) = 0, whatever found it. In a graph that is two instructions
// and what f recorded between them:
//
//   unknown(x)             the solution as f finds it; no derivative goes on from it to the solver
//   r = ...                f, recorded once, at the unknown
//   root(unknown, r, ...)  the solution for all that follows; attributes: how many axes it has without batches, and
//                          which linear solves the user gave for its derivatives (solves.hpp): the variable and
//                          the result of each are the other operands, or, interpreted, its number an attribute
//
// Where a changes by da, the root does by -inv(J) (df/da) da, with J = df/dx; a cotangent ct of the root gives a that
// of f with the cotangent -inv(J)^T ct [Blondel et al., Efficient and modular implicit differentiation, 2022, section
// 2.1]. Both derivatives of f are those of the instructions between unknown and r, recorded once more with the *root*
// in place of the unknown: so they depend on a by way of the root, too, and second derivatives, and those of any order,
// come from the same two rules. Where the user gave no solve for J, or none for its transpose, it is with the matrix;
// else what it finds is the root of a linear equation.
#pragma once

#include <ricci/autodiff/equation.hpp>
#include <ricci/autodiff/solves.hpp>
#include <ricci/autodiff/stack.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/solve.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

struct root_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "root";
};

// The value that solves an equation: find() finds it, f(x) is what is to be 0, and solves_at(x, f(x)) says what the
// user gave to solve with derivatives.
template <class Mode, class Find, class F, class Solves>
constexpr ir::value<Mode> root_of(typename Mode::graph& g, Find const& find, F const& f, Solves const& solves_at) {
  int const begin = g.size;
  ir::value<Mode> const found = find();
  rules_of_searches<Mode>::mark(g, begin);
  auto const x = unknown(found);
  auto const r = f(x);
  given_solves const solves = solves_at(x, r);
  int operands[6] = {x.id, r.id}, count = 2;
  index_t attributes[4] = {found.rank(), 0};
  for (int k = 0; k < 2; ++k) {
    if (!solves.is_given[k]) continue;
    attributes[1] |= 1 << k;
    if constexpr (Mode::runs)
      attributes[2 + k] = solves.right[k];
    else
      operands[count++] = solves.right[k], operands[count++] = solves.found[k];
  }
  return ir::record<root_t, Mode>(g, x.type(), x.shape_id(), {operands, count}, {attributes, 4});
}

// The tangent of r, the result of instructions [x, end), where that of x is t.
template <class Mode>
constexpr ir::value<Mode> pushed_through(typename Mode::graph& g, int x, int end, int r, ir::value<Mode> t) {
  int result = 0;
  transform::forward<Mode>(g, x, end, {&x, 1}, {&t.id, 1}, {&r, 1}, &result);
  return result ? ir::value<Mode>{&g, result} : ir::zeros_like(ir::value<Mode>{&g, r});
}
// The cotangent of x where that of r is ct.
template <class Mode>
constexpr ir::value<Mode> pulled_through(typename Mode::graph& g, int x, int end, int r, ir::value<Mode> ct) {
  transform::reversal<Mode> way{};
  way.begin(g, x, {&r, 1}, {&ct.id, 1}, {&x, 1});
  way.advance(g, x, end);
  int const found = way.cotangent[x];
  return found ? ir::value<Mode>{&g, found} : ir::zeros_like(ir::value<Mode>{&g, x});
}

// The derivative of what an equation makes of its unknown, as linear functions that may be recorded anywhere, in loops,
// too: the equation is recorded once more there.
template <class Mode>
struct derivative_at {
  using V = ir::value<Mode>;
  V unknown;
  equation<Mode> f;
  constexpr derivative_at(V x, V r) : unknown(x), f(*x.g, x.id, r.id) {}
  constexpr V forward(V t) const {
    V const x = as_variable{}(unknown);
    int const r = f.again(x.id);
    return pushed_through<Mode>(f.g, x.id, f.g.size, r, t);
  }
  constexpr V reverse(V ct) const {
    V const x = as_variable{}(unknown);
    int const r = f.again(x.id);
    return pulled_through<Mode>(f.g, x.id, f.g.size, r, ct);
  }
};

template <class Mode>
struct rules_of_roots {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  // The equation once more at the root, on a variable of its own.
  struct at_root {
    graph& g;
    V y;
    equation<Mode> f;
    V x;
    int r, end;
    int batch;  // axes of the batches
    index_t m = 1;
    given_solves solves{};

    constexpr at_root(graph& of, int id)
        : g(of),
          y{&g, id},
          f(g, g.in(id, 0), g.in(id, 1)),
          x(as_variable{}(y)),
          r(f.again(x.id)),
          end(g.size),
          batch(y.rank() - int(g.attr(id, 0))) {
      if (!V{&g, f.from}.is(ir::facts_of<unknown_t>()))
        limits::the_solution_of_an_equation_is_the_same_for_a_batch_of_which_the_equation_is_not();
      for (int k = batch; k < y.rank(); ++k) m = ir::times(g, m, y.shape().extent[k]);
      for (int k = 0, next = 2; k < 2; ++k)
        if (g.attr(id, 1) >> k & 1) {
          if constexpr (Mode::runs)
            solves.add(k, int(g.attr(id, 2 + k)), 0);
          else
            solves.add(k, g.in(id, next), g.in(id, next + 1)), next += 2;
        }
    }
    constexpr V derivative(V t) const { return pushed_through<Mode>(g, x.id, end, r, t); }
    constexpr V transposed(V ct) const { return pulled_through<Mode>(g, x.id, end, r, ct); }
    // df/dx: (batch..., m, m), of x with m elements; its columns are one more batch
    constexpr V jacobian() const {
      shape_t s{1, {m}}, all{1, {m}}, flattened{1, {m}};
      for (int k = 0; k < x.rank(); ++k) {
        index_t const n = x.shape().extent[k];
        s.push(k < batch ? 1 : n), all.push(n);
        if (k < batch) flattened.push(n);
      }
      flattened.push(m);
      V const identity = ir::reshape(ir::identity<Mode>(g, m, x.type()), ir::intern(g, s));
      V const basis = ir::broadcast_to(identity, ir::intern(g, all));
      V const columns = derivatives(basis);
      return ir::move_axis(ir::reshape(columns, ir::intern(g, flattened)), 0, batch + 1);
    }
    constexpr V derivatives(V basis) const {
      if constexpr (Mode::runs) {
        stack_of_values<Mode> stack(g, m);
        for (index_t j = 0; j == 0 || j < m; ++j)
          stack.push(symbol<double, extents<>, Mode>{derivative(stack.element(basis, j))});
        return stack.joined(0);
      } else {
        int of[ir::capacity]{};
        V const one = transform::element_of_batch(basis, x.shape_id());
        of[one.id] = basis.id;
        int const begin = g.size;
        int t = derivative(one).id;
        transform::batch_recorded<Mode>(g, m, of, begin, &t, 1);
        return {&g, t};
      }
    }
    // -inv(J) right, or with the transpose of J
    constexpr V solved(V right, bool with_transpose) const {
      if (solves.is_given[with_transpose]) {
        if (with_transpose) return solved_by(-right, solves.transposed(), [this](V v) { return transposed(v); });
        return solved_by(-right, solves, [this](V v) { return derivative(v); });
      }
      V const matrix = with_transpose ? ir::transposed(jacobian()) : jacobian();
      shape_t s = y.shape();
      s.rank = batch;
      s.push(m), s.push(1);
      V const z = solve_matrices_t::solved(matrix, ir::reshape(right, ir::intern(g, s)));
      return -ir::reshape(z, y.shape_id());
    }
    // z with j(z) = right. The next derivatives solve by what has been recorded here, so that a batch of right-hand
    // sides is a batch of all of it.
    template <class J>
    constexpr V solved_by(V right, given_solves const& by, J const& j) const {
      given_solves next = by;
      auto const find = [&] {
        if constexpr (Mode::runs) {
          auto const& kept = static_cast<ir::eager_graph&>(g).kept(by.right[0]);
          return static_cast<kept_solve<Mode> const&>(kept)(linear_function_by<Mode, J>(j), right);
        } else {
          V const found = again(by, 0, unknown(right), next);
          if (by.right[1] == by.right[0])
            next.add(1, next, 0);
          else if (by.is_given[1])
            again(by, 1, unknown(ir::zeros_like(right), right), next);
          return found;
        }
      };
      return root_of<Mode>(
          g, find, [&](V z) { return V(j(z) - right); }, [&](V, V) { return next; });
    }
    constexpr V again(given_solves const& by, int which, V right, given_solves& next) const {
      V const was{&g, by.right[which]};
      if (!was.is(ir::facts_of<unknown_t>()) || was.rank() != right.rank())
        limits::the_solution_of_an_equation_is_the_same_for_a_batch_of_which_the_equation_is_not();
      int const found = equation<Mode>(g, was.id, by.found[which]).again(right.id);
      next.add(which, right.id, found);
      return {&g, found};
    }
  };
  static constexpr void forward(graph& g, int id, int* tangent) {
    captured_values const by = equation<Mode>(g, g.in(id, 0), g.in(id, 1)).with_tangents(tangent);
    if (by.count == 0) return;
    at_root const at(g, id);
    int t = 0;
    transform::forward<Mode>(g, at.x.id, at.end, {by.id, by.count}, {by.other, by.count}, {&at.r, 1}, &t);
    if (t != 0) tangent[id] = at.solved(V{&g, t}, false).id;
  }
  static constexpr void reverse(graph& g, int id, bool const* active, int* cotangent) {
    if (cotangent[id] == 0) return;
    at_root const at(g, id);
    captured_values const by = at.f.active_ones(active);
    if (by.count == 0) return;
    V const ct = at.solved(V{&g, cotangent[id]}, true);
    transform::reversal<Mode> way{};
    way.begin(g, at.x.id, {&at.r, 1}, {&ct.id, 1}, {by.id, by.count});
    way.advance(g, at.x.id, at.end);
    for (int k = 0; k < by.count; ++k)
      transform::accumulate_cotangent<Mode>(g, by.id[k], way.cotangent[by.id[k]], active, cotangent);
  }
  static constexpr ir::loop_rules<graph> table{&forward, &reverse, nullptr, true, false};
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing

namespace ricci::ir {

template <class Mode>
struct rules_of<tracing::root_t, Mode> {
  static constexpr op_rules<typename Mode::graph> table{nullptr, nullptr, nullptr,
                                                        tracing::rules_of_roots<Mode>::table};
};

}  // namespace ricci::ir
