// Reverse mode: one loop backwards. It appends to the same graph, so a derivative can be derived again, and what the
// function and its gradient have in common is there once.
#pragma once

#include <ricci/ops/cotangents.hpp>
#include <ricci/ops/masked.hpp>

namespace ricci::transform {

// Which of the values from `begin` on depend on one of `wrt`, as far as derivatives are concerned.
template <class G, class Flags>
constexpr void mark_active(G const& g, int begin, ir::span<int> wrt, Flags& active) {
  G::storage::reserve(active, g.size);
  for (int k = 0; k < wrt.size; ++k) active[wrt.data[k]] = true;
  for (int i = begin; i < g.size; ++i) {
    if (!is_inexact(g.ins[i].type) && g.ins[i].results == 1 && g.ins[i].op->kind != ir::op_kind::yield) continue;
    for (int k = 0; k < g.ins[i].count; ++k)
      if (active[g.in(i, k)]) active[i] = true;
  }
}

template <class Mode, class Flags, class Ids>
constexpr void accumulate_cotangent(typename Mode::graph& g, int id, int ct, Flags const& active, Ids& cotangent) {
  using V = ir::value<Mode>;
  if (ct == 0 || !active[id]) return;
  ct = derivative_of_type(V{&g, ct}, g.ins[id].type).id;
  cotangent[id] = cotangent[id] == 0 ? ct : sum_of_cotangents(V{&g, cotangent[id]}, V{&g, ct}).id;
}

// Only values recorded from id `begin` on are looked through: what is older does not depend on `wrt`.
template <class Mode>
struct reversal {
  using V = ir::value<Mode>;
  using graph = typename Mode::graph;
  using storage = typename graph::storage;
  typename storage::template array<bool, ir::capacity> active;
  typename storage::template array<int, ir::capacity> cotangent;

  constexpr void accumulate(graph& g, int id, int ct) { accumulate_cotangent<Mode>(g, id, ct, active, cotangent); }
  constexpr void begin(graph& g, int begin, ir::span<int> outputs, ir::span<int> cotangents, ir::span<int> wrt) {
    mark_active(g, begin, wrt, active);
    storage::reserve(cotangent, g.size);
    for (int k = 0; k < outputs.size; ++k) accumulate(g, outputs.data[k], cotangents.data[k]);
  }
  // instructions [first, last) of the present scope, the last of them first, but for those in loops
  constexpr void advance(graph& g, int first, int last) { advance_in(g.scope, g, first, last); }
  // of another one, which may be around this
  constexpr void advance_in(int scope, graph& g, int first, int last) {
    int contributions[ir::max_operands]{};
    for (int i = last - 1; i >= first; --i) {
      int const n = g.ins[i].count;
      if (g.ins[i].scope != scope || n == 0) continue;  // (an instruction without operands may have no rules)
      if (g.ins[i].rules->loop.are_there) {
        g.ins[i].rules->loop.reverse(g, i, &active[0], &cotangent[0]);
        continue;
      }
      bool any = false;
      for (int k = 0; k < g.ins[i].results; ++k) any = any || cotangent[i + k] != 0;
      if (!any || g.ins[i].op->kind == ir::op_kind::part) continue;
      for (int k = 0; k < n; ++k) contributions[k] = 0;
      g.ins[i].rules->vjp(g, i, &cotangent[i], contributions);
      for (int k = 0; k < n; ++k) accumulate(g, g.in(i, k), contributions[k]);
    }
  }
};

// For outputs with cotangents (0: none), the cotangents of `wrt`, 0 where there is none; of what was recorded in this
// scope. What is recorded may lie in a loop or branch in it.
template <class Mode>
constexpr void reverse_in(int scope, typename Mode::graph& g, int begin, ir::span<int> outputs,
                          ir::span<int> cotangents, ir::span<int> wrt, int* results) {
  reversal<Mode> r{};
  int const end = g.size;
  r.begin(g, begin, outputs, cotangents, wrt);
  r.advance_in(scope, g, begin, end);
  for (int k = 0; k < wrt.size; ++k) results[k] = r.cotangent[wrt.data[k]];
}
// The same of what was recorded in the present scope.
template <class Mode>
constexpr void reverse(typename Mode::graph& g, int begin, ir::span<int> outputs, ir::span<int> cotangents,
                       ir::span<int> wrt, int* results) {
  reverse_in<Mode>(g.scope, g, begin, outputs, cotangents, wrt, results);
}

}  // namespace ricci::transform
