// `rc::checkpoint(f)`, as jax.checkpoint: f, of which reverse mode keeps the arguments and nothing else. What f
// computes inside is computed again from them when the cotangent is there.
//
//   auto const block = [](auto h, auto w) { return rc::tanh(rc::matmul(h, w)); };
//   for (int i = 0; i < 8; ++i) h = rc::checkpoint(block)(h, w);
#pragma once

#include <ricci/autodiff/custom_call.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// The arguments once more, of which what is inside is computed again when a derivative is there.
template <class Op, class Mode>
constexpr void again_for(typename Mode::graph& g, ir::span<int> x, ir::span<int> derivatives, int* ids) {
  int after = 0;
  for (int k = 0; k < derivatives.size && after == 0; ++k) after = derivatives.data[k];
  for (int k = 0; k < x.size; ++k) ids[k] = transform::recomputed<Op>(ir::value<Mode>{&g, x.data[k]}, after).id;
}

// The tangents of f's result, as a function of the arguments and of their tangents.
template <class F>
struct tangents_of {
  F f;
  template <class... S>
  constexpr auto operator()(S const&... s) const {
    return pushforward::apply(f, s...).second;
  }
};

// Tangents are checkpointed, too; those of tangents are not.
template <class F, bool OfTangents>
struct rule_of_checkpoint {
  static constexpr auto name = "checkpoint";
  template <class Mode, class Args, class Out>
  static constexpr void jvp(typename Mode::graph& g, call_at const& c, int* results) {
    constexpr int n = tree::count_leaves<Args>();
    int again[ir::max_operands]{};
    again_for<transform::recomputed_forward_t, Mode>(g, {c.arguments, n}, {c.derivatives, n}, again);
    auto const all =
        std::tuple_cat(symbols_at<Args>(g, again), derivatives_at<Mode, Args>(g, c.arguments, c.derivatives));
    constexpr tangents_of<F> tangents{stateless_object<F>()};
    auto const t = tree::apply(
        [&](auto const&... s) {
          if constexpr (OfTangents)
            return tangents(s...);
          else
            return call_with_rule<rule_of_checkpoint<tangents_of<F>, true>>(tangents, s...);
        },
        all);
    leaf_ids ids;
    collect<Mode>(g, t, ids);
    for (int k = 0; k < ids.count; ++k) results[k] = is_inexact(g.ins[c.results[k]].type) ? ids.id[k] : 0;
  }
  template <class Mode, class Args, class Out>
  static constexpr void vjp(typename Mode::graph& g, call_at const& c, int* arguments) {
    constexpr int n = tree::count_leaves<Args>(), m = tree::count_leaves<Out>();
    int const begin = g.size;
    int again[ir::max_operands]{};
    again_for<transform::recomputed_t, Mode>(g, {c.arguments, n}, {c.derivatives, m}, again);
    leaf_ids outs;
    collect<Mode>(g, applied(stateless_object<F>(), symbols_at<Args>(g, again)), outs);
    make_stable<Mode>(g, begin, outs.id, outs.count);
    transform::reverse<Mode>(g, begin, outs.all(), {c.derivatives, m}, {again, n}, arguments);
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// f, of which reverse mode keeps the arguments and computes again what f computes inside: less memory for more time.
// `rc::vjp(g)(x).second.bytes()` says how much a pullback keeps, `rc::workspace_bytes` what a gradient needs. Where
// all of f is elementwise, a gradient computes it in registers anyway, and a checkpoint costs time alone. f is a traced
// function without captured values: all that it reads are arguments.
template <class F>
constexpr auto checkpoint(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  (void)sizeof(tracing::functions_without_state<F>);
  return tracing::function_with_rule<tracing::rule_of_checkpoint<F, false>, F>{f, {}};
}

}  // namespace ricci
