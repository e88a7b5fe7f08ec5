// Linear solves that the user gives, as derivatives of an equation use them in place of a matrix: `solve(g, y)` returns
// x with g(x) = y for a linear function g. It is recorded once, with a variable for y,
//
//   unknown(right)                what y is; a second operand, on which g depends, makes a batch of it where g is one
//   found = ...                   solve, recorded for it
//
// and recorded again for every other right-hand side, so that it may read what values it likes of the function around
// it. Interpreted, where loops run as they are recorded, the function object itself is kept and called again.
#pragma once

#include <ricci/autodiff/raveled.hpp>
#include <ricci/graph/eager_graph.hpp>
#include <ricci/transform/loops.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

template <class Mode>
struct linear_function {
  using V = ir::value<Mode>;
  constexpr virtual V operator()(V x) const = 0;
};
template <class Mode, class F>
struct linear_function_by final : linear_function<Mode> {
  using V = ir::value<Mode>;
  F const& f;
  constexpr explicit linear_function_by(F const& function) : f(function) {}
  constexpr V operator()(V x) const override { return f(x); }
};
template <class Mode>
struct kept_solve : ir::kept_object {
  using V = ir::value<Mode>;
  constexpr virtual V operator()(linear_function<Mode> const& g, V right) const = 0;
};
template <class Mode, class Solve>
struct kept_solve_by final : kept_solve<Mode> {
  using V = ir::value<Mode>;
  Solve solve;
  constexpr explicit kept_solve_by(Solve const& s) : solve(s) {}
  constexpr V operator()(linear_function<Mode> const& g, V right) const override { return solve(g, right); }
};

// Solves with an equation's derivative [0] and with its transpose [1]: which there are; of each the variable and what
// was found, or, interpreted, the number of the object.
struct given_solves {
  bool is_given[2]{};
  int right[2]{}, found[2]{};

  constexpr void add(int which, int r, int z) { is_given[which] = true, right[which] = r, found[which] = z; }
  constexpr void add(int which, given_solves const& all, int other) {
    if (all.is_given[other]) add(which, all.right[other], all.found[other]);
  }
  constexpr given_solves transposed() const {
    given_solves all;
    all.add(0, *this, 1), all.add(1, *this, 0);
    return all;
  }
};

struct unknown_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "unknown";
};
template <class Mode>
constexpr ir::value<Mode> unknown(ir::value<Mode> found, ir::value<Mode> beside = {}) {
  index_t const number[] = {++found.g->fresh_count};
  int const operands[] = {found.id, beside.id};
  return ir::record<unknown_t, Mode>(*found.g, found.type(), found.shape_id(), {operands, beside ? 2 : 1}, {number, 1});
}

// No derivative goes through loops that look for a solution.
template <class Mode>
struct rules_of_searches {
  using graph = typename Mode::graph;
  static constexpr void forward(graph&, int, int*) {}
  static constexpr void reverse(graph&, int, bool const*, int*) {}
  static constexpr void batch(graph& g, int id, index_t n, int* of) {
    int const begin = g.size;
    transform::rules_of_loops<Mode>::batch(g, id, n, of);
    mark(g, begin);
  }
  static constexpr ir::loop_rules<graph> loop{&forward, &reverse, &batch, true, true};
  static constexpr ir::op_rules<graph> table{nullptr, nullptr, nullptr, loop};

  // of all loops from instruction `begin` on
  static constexpr void mark(graph& g, int begin) {
    if constexpr (!Mode::runs)
      for (int i = begin; i < g.size; ++i)
        if (g.ins[i].op->kind == ir::op_kind::loop && g.ins[i].scope == g.scope) g.ins[i].rules = &table;
  }
};

// Records solve(f, y) for a variable y, whose value is `right` now, or keeps solve where it runs.
template <class Mode, class Solve, class F>
constexpr void give_solve(given_solves& all, int which, Solve const& solve, F const& f, ir::value<Mode> right,
                          ir::value<Mode> beside) {
  auto& g = *right.g;
  if constexpr (Mode::runs) {
    all.add(which, static_cast<ir::eager_graph&>(g).keep(new kept_solve_by<Mode, Solve>(solve)), 0);
  } else {
    int const begin = g.size;
    auto const y = unknown(right, beside);
    auto const z = solve(f, y);
    rules_of_searches<Mode>::mark(g, begin);
    all.add(which, y.id, z.id);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
