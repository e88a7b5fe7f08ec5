// An operation's derivative rules as pointers, so that the passes are plain functions over data.
#pragma once

#include <ricci/ops/masked.hpp>

namespace ricci::ir {

template <class Op, class Mode>
struct rules_of {
  using graph = typename Mode::graph;
  using V = value<Mode>;

  // operations with several results are given and give arrays
  static constexpr bool has_several = [] {
    if constexpr (Op::kind == op_kind::call)
      return Op::core.results > 1;
    else
      return false;
  }();

  static constexpr void jvp(graph& g, int id, int const* tangents, int* results) {
    V t[max_operands]{};
    int const n = g.ins[id].count;
    if (n > max_operands) __builtin_unreachable();  // no instruction has more
    for (int k = 0; k < n; ++k) t[k] = {&g, tangents[k]};
    application<V> const at{{&g, id}};
    if constexpr (has_several) {
      V y[most_call_arrays]{};
      if constexpr (requires { Op::jvp(at, t, y); })
        Op::jvp(at, t, y);
      else
        no_derivative<Op, Mode>();
      for (int k = 0; k < Op::core.results; ++k) results[k] = y[k].id;
    } else if constexpr (requires(V const* x) { Op::jvp(at, x); }) {
      results[0] = Op::jvp(at, t).id;
    } else if constexpr (traits_of(Op::kind).is_derived) {
      no_derivative<Op, Mode>();
    }
  }
  static constexpr void vjp(graph& g, int id, int const* cotangents, int* operands) {
    V out[max_operands]{};
    int const n = g.ins[id].count;
    if (n > max_operands) __builtin_unreachable();  // no instruction has more
    application<V> const at{{&g, id}};
    if constexpr (has_several) {
      V ct[most_call_arrays]{};
      for (int k = 0; k < Op::core.results; ++k) ct[k] = {&g, cotangents[k]};
      if constexpr (requires { Op::vjp(at, ct, out); })
        Op::vjp(at, ct, out);
      else
        no_derivative<Op, Mode>();
    } else if constexpr (requires(V ct, V * x) { Op::vjp(at, ct, x); }) {
      Op::vjp(at, V{&g, cotangents[0]}, out);
    } else if constexpr (traits_of(Op::kind).is_derived) {
      no_derivative<Op, Mode>();
    }
    for (int k = 0; k < n; ++k) operands[k] = out[k].id;
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
    else if constexpr (Op::kind == op_kind::call && requires(application<V> at, V const* x) { Op::batched(at, x); })
      return &batch;
    else
      return nullptr;
  }
  static constexpr int consumer(graph& g, int reader, int id) { return Op::consumer(V{&g, reader}, V{&g, id}).id; }
  static constexpr auto consuming() {
    if constexpr (requires(V x) { Op::consumer(x, x); })
      return &consumer;
    else
      return nullptr;
  }
  static constexpr op_rules<graph> table{&jvp, &vjp, batching(), {}, consuming()};
};

}  // namespace ricci::ir
