// `rc::checkpoint(f)`, as jax.checkpoint: f, of which reverse mode keeps the arguments and, by a policy, some of what f
// computes (policies.hpp). The rest is computed again from them when the cotangent is there.
//
//   auto const block = [](auto h, auto w) { return rc::tanh(rc::matmul(h, w)); };
//   for (int i = 0; i < 8; ++i) h = rc::checkpoint(block, rc::policies::dots_saveable)(h, w);
//
// What f computes is recorded of arguments that derivatives take for constants. Behind it comes an alias, whose results
// are those of f and the values that are kept; its rules record f once more, of its arguments recomputed
// (transform/recomputed.hpp), and derive that; what reads a value that is kept is then given it from the alias.
//
// A derivative of a checkpoint is one, too, of f's arguments, of what is kept, and of the derivatives that it was
// given: so those of the second order compute again what the first one did. Which derivative it is of f is data, so one
// type of operation serves all orders: `derivations`.
#pragma once

#include <utility>

#include <ricci/autodiff/custom_call.hpp>
#include <ricci/autodiff/places.hpp>
#include <ricci/autodiff/policies.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// An argument as what is under a checkpoint sees it: one of its own, and a constant.
struct checkpointed_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "argument of a checkpoint";
};
template <class Mode>
constexpr int checkpointed(ir::value<Mode> x) {
  index_t const attributes[] = {++x.g->fresh_count};
  return ir::record<checkpointed_t, Mode>(*x.g, x.type(), x.shape_id(), {&x.id, 1}, {attributes, 1}).id;
}

// How a function comes from f: derived so many times, each time forwards or in reverse, with derivatives of some of
// what there is (a bit each), and with some results (those that are not zero). The attributes of an alias hold it.
struct derivations {
  static constexpr int most = 8;
  int place = 0;  // how many places there were before f, which are counted on from there whenever it is recorded
  int count = 0;
  bool in_reverse[most + 1]{};
  std::uint64_t given[most + 1]{}, results[most + 1]{};

  constexpr bool is_given(int level, int k) const { return given[level] >> k & 1; }
};

// Whether keys of random numbers may be among arguments.
template <class Args>
constexpr bool may_hold_keys() {
  bool some = false;
  Args args = tree::made<Args>();
  tree::for_each_leaf(
      [&](auto& leaf) {
        some = some || std::is_same_v<typename std::remove_cvref_t<decltype(leaf)>::value_type, std::uint64_t>;
      },
      args);
  return some;
}

// F and all its derivatives, as functions from values to values; its arguments are Args, its results Out. Behind
// arguments that may hold keys comes the iteration.
template <class F, class Policy, class Args, class Out>
struct derived_function {
  static constexpr bool has_iteration = may_hold_keys<Args>();
  static constexpr int f_arguments = tree::count_leaves<Args>() + has_iteration, f_results = tree::count_leaves<Out>();

  struct recorded {
    int id[2 * ir::max_operands]{};
    int count = 0;
    values_kept<Policy> kept{};  // of f itself
    constexpr void add(int v) { id[count++] = v; }
  };

  // Derived `level` times, of arguments that are variables or constants of their own.
  template <class Mode>
  static constexpr recorded record(typename Mode::graph& g, derivations const& d, int level, int const* in) {
    recorded y{};
    int const begin = g.size;
    if (level == 0) {
      int const places = std::exchange(g.place_count, d.place), scope = std::exchange(g.place_scope, g.scope),
                iteration = std::exchange(g.place_iteration, has_iteration ? in[f_arguments - 1] : 0);
      leaf_ids outs;
      collect<Mode>(g, applied(stateless_object<F>(), symbols_at<Args>(g, in)), outs);
      if (g.place_count < places) g.place_count = places;
      g.place_scope = scope, g.place_iteration = iteration;
      for (int k = 0; k < f_results; ++k) y.add(outs.id[k]);
      // interpreted, nothing is kept for long
      if constexpr (!Mode::runs && !std::is_same_v<Policy, policies::nothing_saveable_t>)
        y.kept.find(g, begin, {in, f_arguments}, ir::max_operands - f_arguments - f_results);
      return y;
    }
    int const last = level - 1;
    auto of = record<Mode>(g, d, last, in);
    int const n = argument_count(d, last, of.kept.count);
    int const* const kept = in + n;
    int const* const derivatives = kept + (last == 0 ? of.kept.count : 0);
    int outs[2 * ir::max_operands]{}, m = 0;
    for (int k = 0; k < of.count; ++k)
      if (last == 0 || d.results[last - 1] >> k & 1) outs[m++] = of.id[k];
    for (int k = 0; last == 0 && k < of.kept.count; ++k) outs[m++] = of.kept.id[k];
    make_stable<Mode>(g, begin, outs, m);
    int const given = d.in_reverse[last] ? m : n, results = d.in_reverse[last] ? n : m;
    int all[2 * ir::max_operands]{};
    for (int k = 0, at = 0; k < given; ++k)
      if (d.is_given(last, k)) all[k] = derivatives[at++];
    if (d.in_reverse[last])
      transform::reverse<Mode>(g, begin, {outs, m}, {all, m}, {in, n}, y.id);
    else
      transform::forward<Mode>(g, begin, g.size, {in, n}, {all, n}, {outs, m}, y.id);
    y.count = results;
    y.kept.count = of.kept.count;
    if (last == 0) read_kept(g, begin, {outs + f_results, of.kept.count}, kept, y);
    return y;
  }
  // how many arguments it has where so many values are kept of f
  static constexpr int argument_count(derivations const& d, int level, int kept) {
    int n = f_arguments;
    for (int l = 0; l < level; ++l) n += (l == 0 ? kept : 0) + std::popcount(d.given[l]);
    return n;
  }

 private:
  // What reads what was computed again is given what was kept. Rules have found the results that they derive by then.
  template <class G>
  static constexpr void read_kept(G& g, int begin, ir::span<int> again, int const* kept, recorded& y) {
    auto const replace = [&](int& x) {
      for (int k = 0; k < again.size; ++k)
        if (x == again.data[k]) {
          x = kept[k];
          return;
        }
    };
    for (int i = begin; again.size > 0 && i < g.size; ++i)  // a part's operand is what it is a part of
      for (int k = 0; g.ins[i].op->kind != ir::op_kind::part && k < g.ins[i].count; ++k)
        replace(g.operands[g.ins[i].first + k]);
    for (int k = 0; k < y.count; ++k) replace(y.id[k]);
  }
};

// The alias of that: results, kept values and arguments are its operands.
template <class F, class Policy, class Args, class Out>
struct checkpoint_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "checkpoint";
};
// Its attributes: a number of its own, batch axes, how many results it has and how many of them are kept values, and
// how it is derived.
struct checkpoint_attributes {
  index_t batch_axes = 0;
  int results = 0, kept = 0;
  derivations of{};

  template <class G>
  static constexpr checkpoint_attributes at(G const& g, int id) {
    checkpoint_attributes a{g.attr(id, 1), int(g.attr(id, 2)), int(g.attr(id, 3)), {}};
    a.of.count = int(g.attr(id, 4));
    a.of.place = int(g.attr(id, 6));
    for (int l = 0; l < a.of.count; ++l) {
      a.of.in_reverse[l] = g.attr(id, 5) >> l & 1;
      a.of.given[l] = static_cast<std::uint64_t>(g.attr(id, 7 + 2 * l));
      a.of.results[l] = static_cast<std::uint64_t>(g.attr(id, 8 + 2 * l));
    }
    return a;
  }
  // the alias; its parts follow it
  template <class Op, class Mode>
  constexpr int record(typename Mode::graph& g, ir::span<int> operands) const {
    index_t all[ir::max_attributes]{++g.fresh_count, batch_axes, results, kept, of.count, 0, of.place};
    for (int l = 0; l < of.count; ++l) {
      all[5] |= index_t(of.in_reverse[l]) << l;
      all[7 + 2 * l] = static_cast<index_t>(of.given[l]);
      all[8 + 2 * l] = static_cast<index_t>(of.results[l]);
    }
    return record_alias<Op, Mode>(g, operands, results, {all, 7 + 2 * of.count}).id;
  }
};

// Records f derived in that way of some arguments, and the alias of it; `results` has one for each result, 0 where it
// is zero, and those that are kept behind them. Where an alias has too many operands, or is derived too often, it is
// recorded without: then derivatives keep what this one computes.
template <class F, class Policy, class Args, class Out, class Mode>
constexpr void record_checkpoint(typename Mode::graph& g, derivations d, ir::span<int> arguments, int most_results,
                                 int* results) {
  using V = ir::value<Mode>;
  bool const has_alias = d.count <= derivations::most && arguments.size + most_results <= ir::max_operands;
  int own[3 * ir::max_operands]{};
  for (int k = 0; k < arguments.size; ++k) {
    V const x{&g, arguments.data[k]};
    own[k] = has_alias ? checkpointed(x) : as_variable{}(x).id;
  }
  auto const y = derived_function<F, Policy, Args, Out>::template record<Mode>(g, d, d.count, own);
  if (!has_alias) {
    for (int k = 0; k < y.count; ++k) results[k] = y.id[k];
    return;
  }
  int operands[2 * ir::max_operands]{}, n = 0;
  std::uint64_t there = 0;
  for (int k = 0; k < y.count; ++k)
    if (y.id[k] != 0) there |= std::uint64_t(1) << k, operands[n++] = y.id[k];
  int const kept = d.count == 0 ? y.kept.count : 0;
  for (int k = 0; k < kept; ++k) operands[n++] = y.kept.id[k];
  if (n == 0) return;
  for (int k = 0; k < arguments.size; ++k) operands[n + k] = arguments.data[k];
  if (d.count > 0) d.results[d.count - 1] = there;
  checkpoint_attributes const a{0, n, kept, d};
  int id = a.template record<checkpoint_t<F, Policy, Args, Out>, Mode>(g, {operands, n + arguments.size});
  for (int k = 0; k < y.count + kept; ++k)
    if (k >= y.count || y.id[k] != 0) results[k] = id++;
}

// f under a checkpoint
template <class F, class Policy>
struct checkpointed_function {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr (!(tree::has_symbols<A>() || ...))
      return fn(*this)(a...);
    else if constexpr (std::is_same_v<Policy, policies::everything_saveable_t>)
      return f(a...);
    else
      return of_symbols<mode_t<A...>>(graph_in<mode_t<A...>>(a...), a...);
  }

 private:
  template <class Mode, class... A>
  constexpr auto of_symbols(typename Mode::graph& g, A const&... a) const {
    using Args = std::tuple<tree::symbolic_t<Mode, A>...>;
    Args const args(as_symbols<Mode>(g, a)...);
    using Out = std::remove_const_t<decltype(as_symbols<Mode>(g, applied(f, args)))>;
    using derived = derived_function<F, Policy, Args, Out>;
    static_assert(derived::f_results + derived::f_arguments <= ir::max_operands,
                  "a function with a derivative rule of its own, or a checkpoint, has at most 64 tensors and numbers "
                  "as its arguments and results");
    leaf_ids in;
    collect<Mode>(g, args, in);
    if (derived::has_iteration) {
      ir::value<Mode> const iteration = iteration_of_place<Mode>(g);
      in.id[in.count++] = iteration ? iteration.id : ir::integer_literal<Mode>(g, 0, dtype::int64, 0).id;
    }
    int ids[ir::max_operands + 1]{};
    derivations first;
    first.place = g.place_count;
    record_checkpoint<F, Policy, Args, Out, Mode>(g, first, in.all(), derived::f_results, ids);
    return symbols_at<Out>(g, ids);
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

namespace ir {

template <class F, class Policy, class Args, class Out, class Mode>
struct rules_of<tracing::checkpoint_t<F, Policy, Args, Out>, Mode> {
  using graph = typename Mode::graph;
  using op = tracing::checkpoint_t<F, Policy, Args, Out>;

  // `derivatives`: of the results in reverse, else of the arguments. `to`: those of the others.
  static constexpr void derive(graph& g, int id, bool in_reverse, int const* derivatives, int* to) {
    auto const a = tracing::checkpoint_attributes::at(g, id);
    int const operands = g.ins[id].count, m = a.results, n = operands - m;
    int in[2 * max_operands]{};
    for (int k = 0; k < operands; ++k) in[k] = g.in(id, k);
    for (int k = m - a.kept; k < m; ++k) in[k] = id + k;  // as results, which have derivatives
    for (int k = 0; k < (in_reverse ? m : n); ++k) in[operands + k] = derivatives[k];
    tracing::for_elements<Mode>(g, int(a.batch_axes), {in, operands + (in_reverse ? m : n)}, to, in_reverse ? n : m,
                                [&](int const* x, int* y) { derive_element(g, a, x, n, in_reverse, y); });
  }
  static constexpr void jvp(graph& g, int id, int const* tangents, int* of_results) {
    derive(g, id, false, tangents + g.attr(id, 2), of_results);
  }
  static constexpr void vjp(graph& g, int id, int const* cotangents, int* of_operands) {
    derive(g, id, true, cotangents, of_operands + g.attr(id, 2));
  }
  // one more batch axis, which all operands have
  static constexpr int batch(graph& g, int id, int const* x) {
    auto a = tracing::checkpoint_attributes::at(g, id);
    ++a.batch_axes;
    return a.template record<op, Mode>(g, {x, g.ins[id].count});
  }
  static constexpr op_rules<graph> table{&jvp, &vjp, &batch};

 private:
  static constexpr void derive_element(graph& g, tracing::checkpoint_attributes const& a, int const* in, int n,
                                       bool in_reverse, int* to) {
    int const m = a.results, given = in_reverse ? m : n, results = in_reverse ? n : m;
    int const* const derivatives = in + m + n;
    int after = 0;
    for (int k = 0; k < given && after == 0; ++k) after = derivatives[k];
    int arguments[3 * max_operands]{}, count = 0;
    auto const again = [&](int k) {
      value<Mode> const x{&g, in[k]};
      arguments[count++] = in_reverse ? transform::recomputed<transform::recomputed_t>(x, after).id
                                      : transform::recomputed<transform::recomputed_forward_t>(x, after).id;
    };
    for (int k = 0; k < n; ++k) again(m + k);
    for (int k = m - a.kept; k < m; ++k) again(k);
    tracing::derivations d = a.of;
    std::uint64_t mask = 0;
    for (int k = 0; k < given; ++k)
      if (derivatives[k] != 0) mask |= std::uint64_t(1) << k, arguments[count++] = derivatives[k];
    d.in_reverse[d.count] = in_reverse, d.given[d.count++] = mask;
    int derived[2 * max_operands]{};
    tracing::record_checkpoint<F, Policy, Args, Out, Mode>(g, d, {arguments, count}, results, derived);
    for (int k = 0; k < results; ++k) to[k] = derived[k];
  }
};

}  // namespace ir

// f, of which reverse mode keeps the arguments and what the policy says (rc::policies; nothing else without one), and
// computes again what else f computes inside: less memory for more time. `rc::saved(g, x...)` says what a pullback
// keeps, `rc::workspace_bytes` what a gradient needs. Where all of f is elementwise, a gradient computes it in
// registers anyway, and a checkpoint costs time alone. f is a traced function without captured values: all that it
// reads are arguments. Kept values, arguments and results are at most 64 tensors and numbers.
template <class F, CheckpointPolicy Policy = policies::nothing_saveable_t>
constexpr auto checkpoint(F const& f, Policy const& = {}) {
  (void)sizeof(tracing::function_of_symbols<F>);
  (void)sizeof(tracing::functions_without_state<F>);
  return tracing::checkpointed_function<F, Policy>{f};
}

}  // namespace ricci
