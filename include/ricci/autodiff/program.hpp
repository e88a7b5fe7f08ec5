// What a transformed function is compiled to, as constants of its type and of its arguments' types: what was recorded,
// the finished graph, its fusion, and its plan. Compilers limit what it takes to make a constant, so long functions are
// derived, finished, fused and emitted in parts (core/staged.hpp); only the function itself is called in one.
#pragma once

#include <ricci/autodiff/transforms.hpp>
#include <ricci/core/staged.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

using transform::extents_are;

// so many instructions, or kernels, in one constant
inline constexpr int at_once = 1024, derived_at_once = 256, kernels_at_once = 128;

template <class Transform>
inline constexpr bool is_gradient = false;
template <bool WithValue, int... I>
inline constexpr bool is_gradient<gradient<WithValue, I...>> = true;

// A function as it is recorded for arguments A.
template <class Transform, class F, class... A>
struct traced_call {
  static_assert((tree::count_leaves<A>() + ... + 0) <= max_leaves,
                "a function has at most 512 tensors and numbers as its arguments, and as many as its results");
  using mode = mode_for<F>;
  struct recorded {
    ir::graph g;
    bool dense[max_leaves], whole[max_leaves], number[max_leaves];
    int arguments;
    // of a gradient: it is still to be derived, by these, all from instruction `begin` to before `end`
    bool is_pending;
    leaf_ids variables;
    int begin, end;
  };

  template <class... S>
  static constexpr auto call(S const&... s) {
    return Transform::apply(stateless_object<F>(), s...);
  }
  using result_symbols = decltype(call(std::declval<tree::symbolic_t<mode, A> const&>()...));

  // a gradient is derived at once where it is no longer than `most`; nvcc keeps for ever what a call without an
  // argument returns
  static constexpr recorded record(int most) {
    recorded r{};
    expr::reifier<mode> into{r.g};
    std::tuple<tree::symbolic_t<mode, A>...> const args{symbols_for<mode, A>(into)...};
    int n = 0;
    (detail::note_memory<A>(r.dense, r.whole, r.number, n), ...);
    for (int k = 0; k < into.arguments; ++k) r.dense[k] = into.dense[k];
    r.arguments = into.arguments;
    if constexpr (is_gradient<Transform>) {
      r.begin = r.g.size;
      auto const [variables, out] =
          tree::apply([](auto const&... s) { return Transform::recorded(stateless_object<F>(), s...); }, args);
      r.g.outputs[0] = ids_of_one(r.g, out);
      collect<mode>(r.g, variables, r.variables);
      r.is_pending = r.g.size - r.begin > most;
      if (!r.is_pending) {
        transform::simplify<mode, level::stable>(r.g, r.begin, r.g.outputs, 1);
        transform::reversal<mode> way{};
        begin_deriving(r, way);
        way.advance(r.g, r.begin, r.end);
        end_deriving(r, way);
      }
    } else {
      auto const out = tree::apply([](auto const&... s) { return call(s...); }, args);
      r.g.output_count = ids_of<mode>(r.g, out, r.g.outputs);
    }
    return r;
  }
  static constexpr recorded first = record(derived_at_once);

  template <class S>
  static constexpr int ids_of_one(ir::graph& g, S const& out) {
    int id = 0;
    ids_of<mode>(g, out, &id);
    return id;
  }
  template <class Way>
  static constexpr void begin_deriving(recorded& r, Way& way) {
    int const one_id = ir::full_like(ir::value<mode>{&r.g, r.g.outputs[0]}, 1).id;
    r.end = r.g.size;
    way.begin(r.g, r.begin, {r.g.outputs, 1}, {&one_id, 1}, r.variables.all());
  }
  template <class Way>
  static constexpr void end_deriving(recorded& r, Way const& way) {
    int* const results = r.g.outputs + Transform::with_value;
    for (int k = 0; k < r.variables.count; ++k) results[k] = way.cotangent[r.variables.id[k]];
    fill_zeros<mode>(r.g, r.variables, results);
    r.g.output_count = Transform::with_value + r.variables.count;
  }

  // a gradient in parts: the function in stable form, then its instructions from the last to the first
  struct simplification {
    struct state {
      recorded r;
      transform::renaming names;
    };
    static constexpr int items = first.g.size, at_once = tracing::at_once;
    static constexpr void begin(state& s) {
      s.r = first;
      transform::mark_needed(s.r.g, s.r.begin, {s.r.g.outputs, 1}, s.names.needed);
    }
    static constexpr void advance(state& s, int from, int to) {
      transform::simplify<mode, level::stable>(s.r.g, s.names, s.r.begin, from, to);
      if (to == items) s.r.g.outputs[0] = s.names.to[s.r.g.outputs[0]];
    }
  };
  static constexpr recorded stable = core::staged<simplification>().r;
  struct derivation {
    struct state {
      recorded r;
      transform::reversal<mode> way;
    };
    static constexpr int items = stable.g.size + 1 - stable.begin, at_once = derived_at_once;
    static constexpr void begin(state& s) {
      s.r = stable;
      begin_deriving(s.r, s.way);
    }
    static constexpr void advance(state& s, int from, int to) {
      s.way.advance(s.r.g, s.r.end - to > s.r.begin ? s.r.end - to : s.r.begin, s.r.end - from);
      if (to == items) end_deriving(s.r, s.way);
    }
  };
  static constexpr recorded derived = core::staged<derivation>().r;

  static constexpr recorded const& trace() {
    if constexpr (first.is_pending)
      return derived;
    else
      return first;
  }
};

// Whether it could be recorded. Of what could not, the compiler has said why when that was asked; what a plan of it
// would lack, a hundred lines, it need not say as well.
template <class Call>
concept Recorded = requires {
  typename std::bool_constant<(Call::first.g.size >= 0)>;
}
&&requires { typename std::bool_constant<(Call::trace().g.size >= 0)>; };

// Its plan. Are: whether extents that may be 1 are taken for equal.
template <class Transform, class F, extents_are Are, class... A>
struct program : traced_call<Transform, F, A...> {
  using base = traced_call<Transform, F, A...>;
  using recorded = typename base::recorded;

  struct finishing {
    struct state {
      ir::graph to;
      transform::renaming names;
    };
    static constexpr int items = base::trace().g.size, at_once = tracing::at_once;
    static constexpr void begin(state& s) {
      transform::begin_finishing<ir::statement>(base::trace().g, s.to, s.names, Are);
    }
    static constexpr void advance(state& s, int from, int to) {
      transform::finish<ir::statement, level::stable>(base::trace().g, s.to, s.names, from > 1 ? from : 1, to);
    }
  };
  static constexpr ir::graph graph = core::staged<finishing>().to;

  struct fusing {
    using state = plan::fusion;
    static constexpr int items = graph.size, at_once = tracing::at_once;
    template <class Work>
    static constexpr void with(state& f, Work work) {
      auto const& r = base::trace();
      all_dense const dense;
      work(plan::fuser<ir::graph>(graph, f, {r.dense, r.arguments}, {dense.at, graph.output_count}));
    }
    static constexpr void begin(state& f) {
      with(f, [](auto fuser) { fuser.begin(); });
    }
    static constexpr void advance(state& f, int from, int to) {
      with(f, [&](auto fuser) { fuser.advance(items - to > 1 ? items - to : 1, items - from); });
    }
  };
  static constexpr plan::fusion fusion = core::staged<fusing>();

  struct emission {
    struct state {
      plan::plan_t p;
      ir::graph g;
      plan::fusion f;
      plan::layout_of_values at;
    };
    static constexpr int items = fusion.group_count, at_once = kernels_at_once;
    static constexpr void begin(state& s) {
      auto const& r = base::trace();
      all_dense const dense;
      s.g = graph, s.f = fusion;
      plan::begin_plan(s.g, s.f, s.at, {r.dense, r.arguments}, {dense.at, s.g.output_count});
    }
    static constexpr void advance(state& s, int from, int to) {
      plan::emit_groups(s.p, s.g, s.f, s.at, base::trace().arguments, from, to);
    }
  };
  static constexpr typename emission::state emitted = core::staged<emission>();

  static constexpr void make(plan::plan_t& p) {
    all_dense const dense;
    if constexpr (plan::constants_are_costly) {
      auto const r = base::record(ir::capacity);
      auto const g = transform::finished<ir::statement, level::stable>(r.g, Are);
      plan::plan_graph(p, g, {r.dense, r.arguments}, {dense.at, g.output_count});
      plan::note_arguments(p, r.number, r.whole);
    } else {
      auto const& r = base::trace();
      if constexpr (core::parts_of<emission> == 1) {
        plan::plan_graph(p, graph, fusion, {r.dense, r.arguments}, {dense.at, graph.output_count});
      } else {
        p = emitted.p;
        plan::finish_plan(p, emitted.g, {r.dense, r.arguments});
      }
      plan::note_arguments(p, r.number, r.whole);
    }
  }
  static constexpr plan::kept_t<program> plan = plan::keeper<program>::plan();
};
template <class Transform, class F, class... A>
using usual_program = program<Transform, F, extents_are::equal, A...>;
template <class Transform, class F, class... A>
using general_program = program<Transform, F, extents_are::any, A...>;

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
