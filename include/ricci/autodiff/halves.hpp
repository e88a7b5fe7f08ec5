// A pullback in two halves: what does not depend on the cotangent is computed with the value, the rest when the
// pullback is called, from what is kept of the first half.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/transform/replay.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// Both halves of a pullback, recorded together.
template <class F, class... A>
struct traced_pullback {
  using mode = mode_for<F>;
  using V = ir::value<mode>;
  using result_symbols =
      decltype(call_itself::apply(std::declval<F const&>(), std::declval<tree::symbolic_t<mode, A> const&>()...));

  struct recorded {
    ir::graph forward, backward;
    bool dense[max_leaves], number[max_leaves], whole[max_leaves];
    int arguments, results, kept;
    int cotangents;  // the instruction of the first one; those of the others follow it
  };
  // Values that the second half needs from the first, arguments among them. What is cheap to make again is made again:
  // views are, from what they show. If one slice is all that is read of a value, the slice is kept instead of the
  // value.
  struct kept_values {
    int id[max_leaves]{};
    int count = 0;
    bool needed[ir::capacity]{};
    constexpr void add(int v) {
      if (count == max_leaves) limits::a_pullback_keeps_more_than_512_values_use_grad_or_unroll_loops_less();
      id[count++] = v;
    }
  };
  static constexpr void choose(ir::graph const& g, kept_values& kept) {
    int slices[ir::capacity]{}, slice[ir::capacity]{};
    for (int v = g.size - 1; v > 0; --v) {  // users before what they use
      auto const& i = g.ins[v];
      using enum ir::op_kind;
      if (i.op->kind == literal || i.op->kind == number || i.op->kind == table) continue;
      if (!kept.needed[v] && slices[v] == 1) kept.add(slice[v]);
      if (!kept.needed[v] && slices[v] <= 1) continue;
      if (ir::same_operation(i.op, ir::facts_of<slice_t>()))
        ++slices[g.in(v, 0)], slice[g.in(v, 0)] = v;
      else if (i.op->kind == view || i.op->kind == reshape || i.op->kind == alias)
        kept.needed[g.in(v, 0)] = true;
      else
        kept.add(v);
    }
  }

  static constexpr recorded record() {
    recorded r{};
    ir::graph g{};
    expr::reifier<mode> into{g};
    std::tuple<tree::symbolic_t<mode, A>...> const inputs{symbols_for<mode, A>(into)...};
    int const begin = g.size;
    std::tuple<tree::symbolic_t<mode, A>...> args = tree::apply(
        [&](auto const&... x) { return std::tuple<tree::symbolic_t<mode, A>...>(fresh<mode>(g, x)...); }, inputs);
    auto const out = tree::apply(stateless_object<F>(), args);
    leaf_ids outs, cts, wrt;
    collect<mode>(g, out, outs);
    make_stable<mode>(g, begin, outs.id, outs.count);
    collect<mode>(g, args, wrt);
    r.arguments = into.arguments;
    int leaves = 0;
    (detail::note_memory<A>(r.dense, r.whole, r.number, leaves), ...);
    for (int k = 0; k < into.arguments; ++k) r.dense[k] = into.dense[k];
    r.cotangents = g.size;
    for (int k = 0; k < outs.count; ++k) {
      auto const& i = g.ins[outs.id[k]];
      cts.id[cts.count++] = ir::argument<mode>(g, i.type, g.shapes[i.shape], r.arguments + k).id;
    }
    int results[max_leaves]{};
    transform::reverse<mode>(g, begin, outs.all(), cts.all(), wrt.all(), results);
    fill_zeros<mode>(g, wrt, results);

    bool depends[ir::capacity]{};
    kept_values kept;
    for (int k = 0; k < cts.count; ++k) depends[cts.id[k]] = true;
    bool needed[ir::capacity]{};
    transform::mark_needed(g, 1, {results, wrt.count}, needed, false);
    for (int v = 1; v < g.size; ++v)
      for (int k = 0; k < g.ins[v].count; ++k) depends[v] = depends[v] || depends[g.in(v, k)];
    for (int v = g.size - 1; v > 0; --v) {  // a loop belongs to one half as a whole
      if (g.ins[v].op->kind != ir::op_kind::loop) continue;
      transform::loop_view<ir::graph> const loop(g, v);
      for (int i = loop.region; i < v; ++i)
        if (loop.holds(i)) depends[i] = depends[v];
    }
    for (int v = 1; v < g.size; ++v)
      if (depends[v] && needed[v])
        for (int k = 0; k < g.ins[v].count; ++k)
          if (!depends[g.in(v, k)]) kept.needed[g.in(v, k)] = true;
    for (int k = 0; k < wrt.count; ++k)
      if (!depends[results[k]]) kept.needed[results[k]] = true;
    choose(g, kept);

    r.results = outs.count;
    r.kept = kept.count;
    if (r.arguments + r.results + r.kept > max_leaves)
      limits::a_pullback_keeps_more_than_512_values_use_grad_or_unroll_loops_less();
    r.forward = g;
    for (int k = 0; k < outs.count; ++k) r.forward.outputs[r.forward.output_count++] = outs.id[k];
    for (int k = 0; k < kept.count; ++k) r.forward.outputs[r.forward.output_count++] = kept.id[k];
    for (int k = 0; k < kept.count; ++k) {  // the second half starts from what was kept
      auto& i = g.ins[kept.id[k]];
      i.op = ir::facts_of<ir::argument_t>();
      i.count = 0;
      i.attr = g.attr_count;
      i.attrs = 1;
      ir::graph::storage::reserve(g, 0, 1);
      g.attributes[g.attr_count++] = r.arguments + outs.count + k;
    }
    for (int k = 0; k < wrt.count; ++k) g.outputs[g.output_count++] = results[k];
    r.backward = g;
    return r;
  }
  static constexpr recorded trace = record();
};
// Their plans. Are: whether extents that may be 1 are taken for equal.
template <class F, extents_are Are, class... A>
struct pullback_program : traced_pullback<F, A...> {
  using traced_pullback<F, A...>::trace;

  struct forward {
    static constexpr ir::graph graph = transform::finished<ir::statement, level::stable>(trace.forward, Are);
    static constexpr void make(plan::plan_t& p) {
      all_dense const dense;
      plan::plan_graph(p, graph, {trace.dense, trace.arguments}, {dense.at, graph.output_count});
      plan::note_arguments(p, trace.number, trace.whole);
    }
    static constexpr plan::kept_t<forward> plan = plan::keeper<forward>::plan();
  };
  struct backward {
    // cotangents that nothing reads stay, so that their shapes are checked
    static constexpr ir::graph graph = transform::finished<ir::statement, level::stable>(
        trace.backward, Are, trace.cotangents, trace.cotangents + trace.results);
    static constexpr void make(plan::plan_t& p) {
      all_dense const dense;
      plan::plan_graph(p, graph, {dense.at, trace.arguments + trace.results + trace.kept},
                       {dense.at, graph.output_count});
    }
    static constexpr plan::kept_t<backward> plan = plan::keeper<backward>::plan();
  };
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
