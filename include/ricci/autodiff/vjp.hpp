// `auto [value, pull] = rc::vjp(f)(x, y)`: f's value, and a function from a cotangent of it to one of every argument.
// The function is cut in two: what does not depend on the cotangent is computed with the value, and what the rest reads
// of it is kept in `pull`, which may be called any number of times.
#pragma once

#include <ricci/autodiff/functions.hpp>

namespace ricci {

namespace trace {
inline namespace RICCI_ABI {

// Both halves of a pullback, recorded together.
template <class F, class... A>
struct traced_pullback {
  using mode = mode_for<F>;
  using V = ir::value<mode>;
  using result_symbols =
      decltype(call_itself::apply(std::declval<F const&>(), std::declval<tree::twin_t<mode, A> const&>()...));

  struct recorded {
    ir::graph forward, backward;
    bool dense[max_leaves], number[max_leaves];
    int arguments, results, kept;
  };
  // values that the second half needs from the first; what is cheap to make again is made again
  struct kept_values {
    int id[max_leaves]{};
    int count = 0;
    bool seen[ir::capacity]{};
  };
  static constexpr void keep(ir::graph const& g, int v, kept_values& k) {
    if (k.seen[v]) return;
    k.seen[v] = true;
    auto const& i = g.ins[v];
    using enum ir::op_kind;
    if (i.op->kind == argument || i.op->kind == literal || i.op->kind == number) return;
    bool const again = i.op->kind == view || i.op->kind == reshape || i.op->kind == alias;
    if (!again)
      k.id[k.count++] = v;
    else
      for (int n = 0; n < i.count; ++n) keep(g, g.in(v, n), k);
  }

  static constexpr recorded record() {
    recorded r{};
    ir::graph g{};
    expr::reifier<mode> into{g};
    std::tuple<tree::twin_t<mode, A>...> const inputs{symbols_for<mode, A>(into)...};
    int const begin = g.size;
    std::tuple<tree::twin_t<mode, A>...> args = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<tree::twin_t<mode, A>...>(fresh(std::get<I>(inputs))...);
    }
    (std::make_index_sequence<sizeof...(A)>{});
    auto const out = tree::apply(conjured<F>(), args);
    leaf_ids outs, cts, wrt;
    collect<mode>(g, out, outs);
    make_stable<mode>(g, begin, outs.id, outs.count);
    collect<mode>(g, args, wrt);
    r.arguments = into.arguments;
    int leaves = 0;
    bool whole[max_leaves]{};
    (detail::note_memory<A>(r.dense, whole, r.number, leaves), ...);
    for (int k = 0; k < into.arguments; ++k) r.dense[k] = into.dense[k];
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
    transform::mark_needed(g, 1, {results, wrt.count}, needed);
    for (int v = 1; v < g.size; ++v)
      for (int k = 0; k < g.ins[v].count; ++k) depends[v] = depends[v] || depends[g.in(v, k)];
    for (int v = 1; v < g.size; ++v)
      if (depends[v] && needed[v])
        for (int k = 0; k < g.ins[v].count; ++k)
          if (!depends[g.in(v, k)]) keep(g, g.in(v, k), kept);
    for (int k = 0; k < wrt.count; ++k)
      if (!depends[results[k]]) keep(g, results[k], kept);

    r.results = outs.count;
    r.kept = kept.count;
    r.forward = g;
    for (int k = 0; k < outs.count; ++k) r.forward.outputs[r.forward.output_count++] = outs.id[k];
    for (int k = 0; k < kept.count; ++k) r.forward.outputs[r.forward.output_count++] = kept.id[k];
    for (int k = 0; k < kept.count; ++k) {  // the second half starts from what was kept
      auto& i = g.ins[kept.id[k]];
      i.op = ir::facts_of<ir::argument_t>();
      i.count = 0;
      i.attr = g.attr_count;
      i.attrs = 1;
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

  static constexpr void note_numbers(plan::plan_t& p) {
    for (int k = 0; k < trace.arguments; ++k)
      if (trace.number[k]) p.argument_in[k] = plan::argument_memory::expression;
  }
  struct forward {
    static constexpr ir::graph graph = transform::finished<ir::statement, level::stable>(trace.forward, Are);
    static constexpr void make(plan::plan_t& p) {
      bool dense[max_leaves]{};
      for (auto& d : dense) d = true;
      plan::plan_graph(p, graph, {trace.dense, trace.arguments}, {dense, graph.output_count});
      note_numbers(p);
    }
    static constexpr plan::kept_t<forward> plan = plan::keeper<forward>::plan();
  };
  struct backward {
    static constexpr ir::graph graph = transform::finished<ir::statement, level::stable>(trace.backward, Are);
    static constexpr void make(plan::plan_t& p) {
      bool in[max_leaves]{}, out[max_leaves]{};
      for (int k = 0; k < max_leaves; ++k) in[k] = k >= trace.arguments || trace.dense[k], out[k] = true;
      plan::plan_graph(p, graph, {in, trace.arguments + trace.results + trace.kept}, {out, graph.output_count});
      note_numbers(p);
    }
    static constexpr plan::kept_t<backward> plan = plan::keeper<backward>::plan();
  };
};

// What a pullback holds of an argument: tensors in place are copied, the memory of others is shared.
template <class X>
RICCI_INLINE auto kept_argument(X const& x) {
  if constexpr (Tensor<X>) {
    if constexpr (requires { requires X::shared; })
      return held(x);
    else
      return tree::owned_t<X, storage::memory_of<X>()>(x);
  } else {
    return x;
  }
}

template <class F, class... A>
class pull_function {
  using traced = traced_pullback<F, A...>;
  using usual = pullback_program<F, extents_are::equal, A...>;
  using general = pullback_program<F, extents_are::any, A...>;
  static constexpr int memory = tree::memory_of<A...>;
  using executor = exec::executor<memory>;
  using value_type = tree::owned_t<typename traced::result_symbols, memory>;
  using cotangents_type = std::tuple<tree::owned_t<A, memory>...>;
  static constexpr int argument_leaves = (tree::count_leaves<A>() + ... + 0);

 public:
  template <class... X>
  pull_function(value_type& value, X const&... x) : arguments_(kept_argument(x)...) {
    if (!compute<usual>(value))
      if constexpr (usual::forward::plan.takes_for_equal) compute<general>(value), is_general_ = true;
  }

  // One cotangent for the value: a tensor, a number, or a tree of them like the value itself.
  template <class Ct>
  cotangents_type operator()(Ct const& cotangent) const {
    cotangents_type r{};
    if constexpr (usual::forward::plan.takes_for_equal)
      if (is_general_) return pull<general>(r, tree_of(cotangent)), r;
    pull<usual>(r, tree_of(cotangent));
    return r;
  }

 private:
  template <class Ct>
  static decltype(auto) tree_of(Ct const& c) {
    if constexpr (tree::Leaf<Ct> && Tensor<value_type> && !std::is_same_v<Ct, value_type>) {
      if constexpr (Arithmetic<Ct>) {
        static_assert(value_type::rank == 0,
                      "the cotangent of a tensor is a tensor of its shape, as rc::full_like(value, 1)");
        return value_type(c);
      } else
        return value_type(eval(c));
    } else {
      return (c);
    }
  }
  template <class P>
  bool compute(value_type& value) {
    using plan = typename P::forward;
    bound_arguments<argument_leaves> b;
    tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, arguments_);
    index_t dims[exec::dim_room<plan>];
    if (!exec::resolve_dims<plan>(b.refs, nullptr, dims)) return false;
    operand_ref out[plan::plan.output_count];
    make_results::prepare<plan>(value, out, dims, b);
    index_t bytes = 0, offsets[P::trace.kept > 0 ? P::trace.kept : 1];
    for (int k = 0; k < P::trace.kept; ++k) {
      auto const& shape = exec::plan_tables<plan>::shapes.at[plan::plan.output_shapes[0] + P::trace.results + k];
      index_t n = kept_sizes<P>.at[k];
      for (int d = 0; d < shape.rank; ++d) n *= exec::resolve(shape.extent[d], dims);
      offsets[k] = bytes;
      bytes += (n + 63) / 64 * 64;
    }
    core::require_heap<kept_bytes<P>>();
    kept_ = executor::allocate(bytes, b.threads);
    for (int k = 0; k < P::trace.kept; ++k) {
      kept_at_[k] = offsets[k];
      out[P::trace.results + k] = {executor::data(kept_) + offsets[k], nullptr, nullptr};
    }
    executor::template run<plan>(dims, b.refs, out, b.threads);
    return true;
  }
  template <class P, class Ct>
  void pull(cotangents_type& r, Ct const& cotangent) const {
    using plan = typename P::backward;
    bound_arguments<argument_leaves + P::trace.results + P::trace.kept> b;
    tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, arguments_);
    tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, cotangent);
    for (int k = 0; k < P::trace.kept; ++k) b.refs[b.count++] = {executor::data(kept_) + kept_at_[k], nullptr, nullptr};
    index_t dims[exec::dim_room<plan>];
    exec::resolve_dims<plan>(b.refs, nullptr, dims);
    check_cotangents<P>(b.refs, dims);
    operand_ref out[plan::plan.output_count];
    make_results::prepare<plan>(r, out, dims, b);
    executor::template run<plan>(dims, b.refs, out, b.threads);
  }

  // of an element of each value that is kept
  template <class P>
  static constexpr auto kept_sizes = [] {
    exec::table<int, P::trace.kept> t{};
    for (int k = 0; k < P::trace.kept; ++k)
      t.at[k] = size_of(P::trace.forward.ins[P::trace.forward.outputs[P::trace.results + k]].type);
    return t;
  }();
  // of all of them, where their extents are known
  template <class P>
  static constexpr index_t kept_bytes = [] {
    if (!P::forward::plan.is_static) return core::unknown_bytes;
    index_t bytes = 0;
    for (int k = 0; k < P::trace.kept; ++k)
      bytes += (size_of(P::forward::plan.shapes[P::forward::plan.output_shapes[P::trace.results + k]]) *
                    kept_sizes<P>.at[k] +
                63) /
               64 * 64;
    return bytes;
  }();
  // a cotangent has the shape of its value
  template <class P>
  RICCI_NOINLINE static void check_cotangents(operand_ref const* refs, index_t const* dims) {
    for (int k = 0; k < P::trace.results; ++k) {
      auto const& shape = exec::plan_tables<typename P::backward>::shapes
                              .at[exec::plan_tables<typename P::backward>::arguments.at[argument_leaves + k].shape];
      index_t extents[max_rank];
      bool same = true;
      for (int d = 0; d < shape.rank; ++d) {
        extents[d] = exec::resolve(shape.extent[d], dims);
        same = same && refs[argument_leaves + k].extents[d] == extents[d];
      }
      if (!same)
        core::raise<shape_error>(
            ((core::text() << "vjp: a cotangent of shape ").shape(refs[argument_leaves + k].extents, shape.rank)
             << " for a value of shape ")
                .shape(extents, shape.rank));
    }
  }

  std::tuple<decltype(kept_argument(std::declval<A const&>()))...> arguments_;
  core::shared_buffer kept_;
  index_t kept_at_[traced::trace.kept > 0 ? traced::trace.kept : 1]{};
  bool is_general_ = false;
};

// The same inside a traced function.
template <class Mode, class Args>
struct symbolic_pull {
  typename Mode::graph* g;
  int begin;
  leaf_ids outs;
  Args args;
  template <class Ct>
  constexpr Args operator()(Ct const& cotangent) const {
    return pullback::pulled<Mode>(*g, begin, outs, args, cotangent);
  }
};

template <class F>
struct vjp_of {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...)) {
      using Mode = mode_t<A...>;
      auto& g = graph_in<Mode>(a...);
      int const begin = g.size;
      std::tuple<A...> args(fresh(a)...);
      auto out = applied(f, args);
      leaf_ids outs;
      collect<Mode>(g, out, outs);
      make_stable<Mode>(g, begin, outs.id, outs.count);
      int k = 0;
      replace_ids(out, outs.id, k);
      return std::pair(out, symbolic_pull<Mode, std::tuple<A...>>{&g, begin, outs, args});
    } else {
      return compiled(in_memory(a)...);
    }
  }

 private:
  template <class... A>
  static auto compiled(A const&... a) {
    require_stateless<F>();
    if constexpr (is_stateless<F>) {
      using value_type = tree::owned_t<typename traced_pullback<F, A...>::result_symbols, tree::memory_of<A...>>;
      value_type value{};
      pull_function<F, A...> pull(value, a...);
      return std::pair<value_type, pull_function<F, A...>>(static_cast<value_type&&>(value),
                                                           static_cast<pull_function<F, A...>&&>(pull));
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace trace

// `auto [value, pull] = rc::vjp(f)(x, y); auto [cx, cy] = pull(cotangent);`
template <class F>
constexpr auto vjp(F const& f) {
  (void)sizeof(trace::function_of_symbols<F>);
  return trace::vjp_of<F>{f};
}

}  // namespace ricci
