// A derivative in two halves: what does not depend on the seeds, the cotangents of a pullback or the tangents of a
// pushforward, is computed with the value, the rest when the map is called, from what is kept of the first half.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/transform/replay.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// Which way the map goes: what its seeds are like, what it gives, and what its errors call it.
struct backwards {  // from cotangents of the results to those of the arguments
  static constexpr char const* name = "vjp: a cotangent of shape ";
  static constexpr char const* belongs_to = " for a value of shape ";
  static constexpr auto const& seeds(auto const& /*arguments*/, auto const& results) { return results; }
  static constexpr auto const& given(auto const& arguments, auto const& /*results*/) { return arguments; }
  template <class Mode>
  static constexpr void carry_seeds(typename Mode::graph& g, int begin, leaf_ids const& arguments,
                                    leaf_ids const& results, leaf_ids const& seeds, int* ids) {
    transform::reverse<Mode>(g, begin, results.all(), seeds.all(), arguments.all(), ids);
  }
};
struct forwards {  // from tangents of the arguments to those of the results
  static constexpr char const* name = "linearize: a tangent of shape ";
  static constexpr char const* belongs_to = " for an argument of shape ";
  static constexpr auto const& seeds(auto const& arguments, auto const& /*results*/) { return arguments; }
  static constexpr auto const& given(auto const& /*arguments*/, auto const& results) { return results; }
  template <class Mode>
  static constexpr void carry_seeds(typename Mode::graph& g, int begin, leaf_ids const& arguments,
                                    leaf_ids const& results, leaf_ids const& seeds, int* ids) {
    leaf_ids tangents = seeds;  // integers have none
    for (int k = 0; k < arguments.count; ++k)
      if (!is_inexact(g.ins[arguments.id[k]].type)) tangents.id[k] = 0;
    transform::forward<Mode>(g, begin, g.size, arguments.all(), tangents.all(), results.all(), ids);
  }
};

// Both halves, recorded together.
template <class Direction, class F, class... A>
struct traced_halves {
  using mode = mode_for<F>;
  using V = ir::value<mode>;
  using result_symbols =
      decltype(call_itself::apply(std::declval<F const&>(), std::declval<tree::symbolic_t<mode, A> const&>()...));

  struct recorded {
    ir::graph first, second;
    bool dense[max_leaves], number[max_leaves], whole[max_leaves];
    int arguments, results, seeds, kept;
    int seed;  // the instruction of the first one; those of the others follow it
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
      else if (int const same = ir::aliased(g, v); same != 0)
        kept.needed[same] = true;
      else if (i.op->kind == view || i.op->kind == reshape)
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
    leaf_ids outs, seeds, wrt;
    collect<mode>(g, out, outs);
    make_stable<mode>(g, begin, outs.id, outs.count);
    collect<mode>(g, args, wrt);
    r.arguments = into.arguments;
    int leaves = 0;
    (detail::note_memory<A>(r.dense, r.whole, r.number, leaves), ...);
    for (int k = 0; k < into.arguments; ++k) r.dense[k] = into.dense[k];
    leaf_ids const &like = Direction::seeds(wrt, outs), &given = Direction::given(wrt, outs);
    r.seed = g.size;
    for (; seeds.count < like.count; ++seeds.count) {
      auto const& i = g.ins[like.id[seeds.count]];
      seeds.id[seeds.count] = ir::argument<mode>(g, i.type, g.shapes[i.shape], r.arguments + seeds.count).id;
    }
    int results[max_leaves]{};
    Direction::template carry_seeds<mode>(g, begin, wrt, outs, seeds, results);
    fill_zeros<mode>(g, given, results);

    bool depends[ir::capacity]{};
    kept_values kept;
    for (int k = 0; k < seeds.count; ++k) depends[seeds.id[k]] = true;
    bool needed[ir::capacity]{};
    transform::mark_computed(g, {results, given.count}, needed);
    for (int v = 1; v < g.size; ++v)
      for (int k = 0; k < g.ins[v].count; ++k) depends[v] = depends[v] || depends[g.in(v, k)];
    for (int v = g.size - 1; v > 0; --v) {  // a loop belongs to one half as a whole
      if (g.ins[v].op->kind != ir::op_kind::loop) continue;
      transform::loop_view<ir::graph> const loop(g, v);
      for (int i = loop.region; i < v; ++i)
        if (loop.holds(i)) depends[i] = depends[v];
    }
    for (int v = 1; v < g.size; ++v)
      if (depends[v] && needed[v]) {
        if (int const same = ir::aliased(g, v); same != 0) {
          if (!depends[same]) kept.needed[same] = true;
          continue;
        }
        for (int k = 0; k < g.ins[v].count; ++k)
          if (!depends[g.in(v, k)]) kept.needed[g.in(v, k)] = true;
      }
    for (int k = 0; k < given.count; ++k)
      if (!depends[results[k]]) kept.needed[results[k]] = true;
    choose(g, kept);

    r.results = outs.count;
    r.seeds = seeds.count;
    r.kept = kept.count;
    if (r.arguments + r.seeds + r.kept > max_leaves || r.results + r.kept > max_leaves)
      limits::a_pullback_keeps_more_than_512_values_use_grad_or_unroll_loops_less();
    r.first = g;
    for (int k = 0; k < outs.count; ++k) r.first.outputs[r.first.output_count++] = outs.id[k];
    for (int k = 0; k < kept.count; ++k) r.first.outputs[r.first.output_count++] = kept.id[k];
    for (int k = 0; k < kept.count; ++k)  // the second half starts from what was kept
      transform::become_argument(g, kept.id[k], r.arguments + r.seeds + k);
    for (int k = 0; k < given.count; ++k) g.outputs[g.output_count++] = results[k];
    r.second = g;
    return r;
  }
  static constexpr recorded trace = record();
  // Numbers of their own for what runs: clang keeps the whole of `trace`, megabytes, where a member of it is read.
  static constexpr int result_count = trace.results, seed_count = trace.seeds, kept_count = trace.kept;
};
// Their plans. Are: whether extents that may be 1 are taken for equal.
template <class Direction, class F, extents_are Are, class... A>
struct program_in_halves : traced_halves<Direction, F, A...> {
  using traced_halves<Direction, F, A...>::trace;

  struct first {
    static constexpr ir::graph graph = transform::finished<ir::statement, level::stable>(trace.first, Are);
    static constexpr void make(plan::plan_t& p) {
      all_dense const dense;
      plan::plan_graph(p, graph, {trace.dense, trace.arguments}, {dense.at, graph.output_count});
      plan::note_arguments(p, trace.number, trace.whole);
    }
    static constexpr plan::kept_t<first> plan = plan::keeper<first>::plan();
  };
  struct second {
    // seeds that nothing reads stay, so that their shapes are checked
    static constexpr ir::graph graph =
        transform::finished<ir::statement, level::stable>(trace.second, Are, trace.seed, trace.seed + trace.seeds);
    static constexpr void make(plan::plan_t& p) {
      all_dense const dense;
      plan::plan_graph(p, graph, {dense.at, trace.arguments + trace.seeds + trace.kept},
                       {dense.at, graph.output_count});
    }
    static constexpr plan::kept_t<second> plan = plan::keeper<second>::plan();
  };
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
