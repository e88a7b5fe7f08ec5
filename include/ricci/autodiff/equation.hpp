// An equation as instructions of a graph: what a function recorded of a variable, its unknown, up to a result. It is
// recorded again, with another value in place of the unknown, to be derived there (roots.hpp, trajectories.hpp).
#pragma once

#include <ricci/autodiff/trace.hpp>
#include <ricci/graph/eager_graph.hpp>
#include <ricci/transform/loops.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// Values that an equation is derived by, each once, with something beside it.
struct captured_values {
  int id[max_leaves]{}, other[max_leaves]{};
  int count = 0;
  constexpr void add(int x, int of_x) {
    for (int k = 0; k < count; ++k)
      if (id[k] == x) return;
    if (count == max_leaves) limits::an_equation_reads_more_than_512_values_that_it_is_derived_by();
    id[count] = x, other[count++] = of_x;
  }
};

// The instructions between an unknown and what the equation makes of it, with the bodies of loops among them.
template <class Mode>
struct equation {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;
  using storage = typename graph::storage;
  graph& g;
  int from, to, second, first, home;  // first: of the unknowns
  int last;                           // of the instructions: behind r, what belongs to the same loop or call
  typename storage::template array<bool, ir::capacity> member;

  // of one unknown, or of two
  constexpr equation(graph& of, int unknown, int r, int other = 0)
      : g(of),
        from(unknown),
        to(r),
        second(other),
        first(other != 0 && other < unknown ? other : unknown),
        home(of.scope),
        last(r),
        member{} {
    typename storage::template array<bool, ir::capacity> needed{}, depends{};
    int const size = g.size;
    storage::reserve(member, size), storage::reserve(needed, size), storage::reserve(depends, size);
    needed[to] = depends[from] = true;
    if (second != 0) depends[second] = true;
    // (of a loop that reads an unknown, some instructions may be older than that)
    for (int i = to; i > 0; --i) {
      if (!needed[i]) continue;
      for (int k = 0; k < g.ins[i].count; ++k) needed[g.in(i, k)] = true;
      for (int k = 1; k < int(g.ins[i].results); ++k) needed[i + k] = true;
    }
    for (int i = first + 1; i < size; ++i) {
      for (int k = 0; k < g.ins[i].count; ++k)
        if (depends[g.in(i, k)]) depends[i] = true;
      member[i] = needed[i] && depends[i] && i != from && i != second && g.ins[i].scope == home;
    }
    if constexpr (!Mode::runs)
      for (int i = first + 1; i < size; ++i) {
        if (!member[i] || g.ins[i].op->kind != ir::op_kind::loop || g.ins[i].scope != home) continue;
        transform::loop_view<graph> const loop(g, i);
        for (int k = loop.region; k < i; ++k) member[k] = member[k] || (needed[k] && loop.holds(k));
      }
    for (int i = to + 1; i < size; ++i)
      if (member[i]) last = i;
  }
  // Values from elsewhere that it is derived by: those that have tangents, with these; and those that are active.
  constexpr captured_values with_tangents(int const* tangent) const {
    captured_values by;
    for_each_captured([&](int x) {
      if (tangent[x] != 0) by.add(x, tangent[x]);
    });
    return by;
  }
  constexpr captured_values active_ones(bool const* active) const {
    captured_values by;
    for_each_captured([&](int x) {
      if (active[x] && is_inexact(g.ins[x].type)) by.add(x, 0);
    });
    return by;
  }
  // f(id) for every value from elsewhere that is read, but for the unknowns; some more than once
  template <class F>
  constexpr void for_each_captured(F const& f) const {
    for (int i = 1; i <= last; ++i)
      for (int k = 0; member[i] && k < g.ins[i].count; ++k)
        if (int const x = g.in(i, k); x != from && x != second && !member[x]) f(x);
  }
  // Records all that once more, where instructions are recorded now, with x in place of the unknown, and with other in
  // place of the other one; what has become of r.
  constexpr int again(int x, int other = 0) const {
    if constexpr (Mode::runs) {
      ir::growing<int> become;
      become.reserve(last + 1);
      become[from] = x;
      become[second] = other;
      int call = 0;  // what has results that are not there yet
      for (int i = first + 1; i <= last; ++i) {
        if (!member[i]) continue;
        auto const one = g.ins[i];
        int operands[ir::max_operands]{};
        for (int k = 0; k < one.count; ++k) operands[k] = become[g.in(i, k)] ? become[g.in(i, k)] : g.in(i, k);
        int const id = become[i] = ir::append_again(g, i, one, operands);
        bool const is_part = one.op->kind == ir::op_kind::part;
        if (!is_part && one.results == 1) one.run(g, id);
        if (!is_part) call = id;
        if (is_part && id == call + int(g.ins[call].results) - 1) g.ins[call].run(g, call);
      }
      return become[to] ? become[to] : to;
    } else {
      transform::body_again<Mode> body(g);
      int const here = g.scope;
      body.scopes[home] = here;
      body.to[from] = x;
      body.to[second] = other;
      for (int i = first + 1; i <= last; ++i)
        if (member[i] && g.ins[i].scope == home) {
          transform::with_region(g, member, i, [&](int id) { body.copy(id); });
          g.scope = here;
        }
      return body.of(to);
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
