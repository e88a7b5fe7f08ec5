// An operation's derivative rules as pointers, so that the passes below are plain functions over data.
#pragma once

#include <ricci/ops/masked.hpp>

namespace ricci::ir {

template <class Op, class Mode>
struct rules_of {
  using graph = typename Mode::graph;
  using V = value<Mode>;

  static constexpr int jvp(graph& g, int id, int const* tangents) {
    if constexpr (requires(application<V> at, V const* t) { Op::jvp(at, t); }) {
      V t[max_operands]{};
      int const n = g.ins[id].count;
      if (n <= max_operands) {
        for (int k = 0; k < n; ++k) t[k] = {&g, tangents[k]};
        return Op::jvp(application<V>{{&g, id}}, t).id;
      }
    }
    return 0;
  }
  static constexpr void vjp(graph& g, int id, int cotangent, int* cotangents) {
    if constexpr (requires(application<V> at, V ct, V * out) { Op::vjp(at, ct, out); }) {
      V out[max_operands]{};
      int const n = g.ins[id].count;
      if (n <= max_operands) {
        Op::vjp(application<V>{{&g, id}}, V{&g, cotangent}, out);
        for (int k = 0; k < n; ++k) cotangents[k] = out[k].id;
      }
    }
  }
  static constexpr int batch(graph& g, int id, int const* operands) {
    application<V> const at{{&g, id}};
    if constexpr (Op::kind == op_kind::view) {
      return Op::batched(at, V{&g, operands[0]}).id;
    } else {
      V x[max_operands]{};
      for (int k = 0; k < at.count(); ++k) x[k] = {&g, operands[k]};
      return Op::batched(at, x).id;
    }
  }
  static constexpr auto batching() {
    if constexpr (Op::kind == op_kind::view || Op::kind == op_kind::assemble)
      return &batch;
    else
      return nullptr;
  }
  static constexpr op_rules<graph> table{&jvp, &vjp, batching()};
};

}  // namespace ricci::ir
