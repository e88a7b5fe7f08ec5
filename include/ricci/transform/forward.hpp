// Forward mode: one loop forwards, each operation's tangent from those of its operands. It appends to the same graph.
#pragma once

#include <ricci/ops/call.hpp>

namespace ricci::transform {

// The tangents of `outputs` where those of `wrt` are given, 0 where there is none. Only values with ids from `begin` to
// before `end` are looked through.
template <class Mode>
constexpr void forward(typename Mode::graph& g, int begin, int end, ir::span<int> wrt, ir::span<int> tangents,
                       ir::span<int> outputs, int* results) {
  using storage = typename Mode::graph::storage;
  typename storage::template array<int, ir::capacity> tangent{};
  storage::reserve(tangent, end);
  for (int k = 0; k < wrt.size; ++k) tangent[wrt.data[k]] = tangents.data[k];
  int t[ir::max_operands]{};
  for (int i = begin; i < end; ++i) {
    int const n = g.ins[i].count;
    bool const several = ir::results_of(g.ins[i].op) > 1;
    if (n == 0 || tangent[i] != 0 || g.ins[i].op->kind == ir::op_kind::part) continue;
    if (!several && !is_floating(g.ins[i].type)) continue;
    bool any = false;
    for (int k = 0; k < n; ++k) any = (t[k] = tangent[g.in(i, k)]) != 0 || any;
    if (any) g.ins[i].rules->jvp(g, i, t, &tangent[i]);
  }
  for (int k = 0; k < outputs.size; ++k) results[k] = tangent[outputs.data[k]];
}

}  // namespace ricci::transform
