// Forward mode: one loop forwards, each operation's tangent from those of its operands. It appends to the same graph.
#pragma once

#include <ricci/ops/cotangents.hpp>

namespace ricci::transform {

struct nothing_more {
  constexpr void operator()(int) const {}
};
// Instructions [first, last) of a scope, but for those in loops in it, of which each brings its own rule. `then(i)`
// follows each rule.
template <class Mode, class Tangents, class Then = nothing_more>
constexpr void push_forward_in(int scope, typename Mode::graph& g, int first, int last, Tangents& tangent,
                               Then const& then = {}) {
  int t[ir::max_operands]{};
  for (int i = first; i < last; ++i) {
    auto const kind = g.ins[i].op->kind;
    int const n = g.ins[i].count;
    if (g.ins[i].scope != scope || n == 0) continue;  // (an instruction without operands may have no rules)
    if (g.ins[i].rules->loop.are_there) {
      g.ins[i].rules->loop.forward(g, i, &tangent[0]);
      continue;
    }
    if (tangent[i] != 0 || kind == ir::op_kind::part) continue;
    if (g.ins[i].results == 1 && !is_inexact(g.ins[i].type)) continue;
    bool any = false;
    for (int k = 0; k < n; ++k) any = (t[k] = tangent[g.in(i, k)]) != 0 || any;
    if (!any) continue;
    g.ins[i].rules->jvp(g, i, t, &tangent[i]);
    for (int k = i; k < i + g.ins[i].results; ++k)
      if (tangent[k] != 0) tangent[k] = derivative_of_type(ir::value<Mode>{&g, tangent[k]}, g.ins[k].type).id;
    then(i);
  }
}

// The same of the present scope.
template <class Mode, class Tangents, class Then = nothing_more>
constexpr void push_forward(typename Mode::graph& g, int first, int last, Tangents& tangent, Then const& then = {}) {
  push_forward_in<Mode>(g.scope, g, first, last, tangent, then);
}

// The tangents of `outputs` where those of `wrt` are given, 0 where there is none. Only values with ids from `begin` to
// before `end` are looked through, which were recorded in this scope; what is recorded may lie in a loop or branch in
// it.
template <class Mode>
constexpr void forward_in(int scope, typename Mode::graph& g, int begin, int end, ir::span<int> wrt,
                          ir::span<int> tangents, ir::span<int> outputs, int* results) {
  using storage = typename Mode::graph::storage;
  typename storage::template array<int, ir::capacity> tangent{};
  storage::reserve(tangent, end);
  for (int k = 0; k < wrt.size; ++k) tangent[wrt.data[k]] = tangents.data[k];
  push_forward_in<Mode>(scope, g, begin, end, tangent);
  for (int k = 0; k < outputs.size; ++k) results[k] = tangent[outputs.data[k]];
}
// The same of what was recorded in the present scope.
template <class Mode>
constexpr void forward(typename Mode::graph& g, int begin, int end, ir::span<int> wrt, ir::span<int> tangents,
                       ir::span<int> outputs, int* results) {
  forward_in<Mode>(g.scope, g, begin, end, wrt, tangents, outputs, results);
}

}  // namespace ricci::transform
