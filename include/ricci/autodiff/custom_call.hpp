// Calls with a derivative rule of their own. What f computes of its arguments is recorded as it is, of arguments that
// derivatives take for constants; behind it comes an alias of the results, which also names the arguments, and whose
// rule is asked when derivatives come to it. With several results it is the first, and they are its parts, as those of
// a call are: so the rule sees the derivatives of all of them at once. Where nothing is derived any more the alias is
// gone (transform/simplify.hpp).
//
// A rule is written for one element. When an alias is batched it counts its batch axes; its rule is then asked for an
// element, axis by axis, and what that records is batched.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/graph/eager_graph.hpp>
#include <ricci/ops/composite.hpp>
#include <ricci/transform/batch.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// Args: a tuple of the arguments as trees of symbols; Out: the results, likewise. `Rule` has
//   jvp<Mode, Args, Out>(g, call, results)     the tangents of the results from those of the arguments
//   vjp<Mode, Args, Out>(g, call, arguments)   the cotangents of the arguments from those of the results
// where a number 0 is a derivative that is zero.
template <class Rule, class Args, class Out>
struct call_with_rule_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Rule::name;
};
struct call_at {
  int const *results, *arguments, *derivatives;  // values, by id
};

// An alias with a rule: so many results, which are its first operands.
template <class Op, class Mode>
constexpr ir::value<Mode> record_alias(typename Mode::graph& g, ir::span<int> operands, int results,
                                       ir::span<index_t> attributes) {
  ir::value<Mode> const first{&g, operands.data[0]};
  auto const y = ir::record<Op, Mode>(g, first.type(), first.shape_id(), operands, attributes);
  g.ins[y.id].results = static_cast<std::uint16_t>(results);
  for (int k = 1; k < results; ++k) {
    index_t const number = k;
    ir::value<Mode> const x{&g, operands.data[k]};
    auto const part = ir::record<ir::part_t, Mode>(g, x.type(), x.shape_id(), {&y.id, 1}, {&number, 1});
    if constexpr (Mode::runs) static_cast<ir::eager_graph&>(g).share(part.id, x.id);
  }
  return y;
}
template <class Op, class Mode>
constexpr ir::value<Mode> record_with_rule(typename Mode::graph& g, ir::span<int> operands, int results,
                                           index_t batch_axes) {
  index_t const attributes[] = {++g.fresh_count, batch_axes};
  return record_alias<Op, Mode>(g, operands, results, {attributes, 2});
}

// A tree of symbols of values that are given by id.
template <class X, class G>
constexpr X symbols_at(G& g, int const* ids) {
  X x{};
  int k = 0;
  replace_ids(g, x, ids, k);
  return x;
}
// The same of derivatives, zeros where there are none; `like` has their types and shapes.
template <class Mode, class X>
constexpr X derivatives_at(typename Mode::graph& g, int const* like, int const* ids) {
  int all[ir::max_operands]{};
  for (int k = 0; k < tree::count_leaves<X>(); ++k)
    all[k] = ids[k] != 0 ? ids[k] : ir::zeros_like(ir::value<Mode>{&g, like[k]}).id;
  return symbols_at<X>(g, all);
}
// Variables that are zero: what is linear in them is transposed by reverse mode.
template <class Mode>
constexpr void variables_like(typename Mode::graph& g, int const* like, int n, int* ids) {
  for (int k = 0; k < n; ++k) ids[k] = as_variable{}(ir::zeros_like(ir::value<Mode>{&g, like[k]})).id;
}

// Records `rule(in, out)`, which is written for one element, on values with so many batch axes; a value 0 is none.
template <class Mode, class Rule>
constexpr void for_elements(typename Mode::graph& g, int axes, ir::span<int> in, int* out, int results,
                            Rule const& rule) {
  if (axes == 0) return rule(in.data, out);
  if constexpr (!Mode::runs) {  // interpreted, the elements of a batch come one after another
    int const begin = g.size;
    int elements[3 * ir::max_operands]{}, of[ir::capacity]{};
    index_t const n = ir::find(g, g.shape(in.data[0]).extent[0]);
    for (int k = 0; k < in.size; ++k) {
      if (in.data[k] == 0) continue;
      ir::value<Mode> const x{&g, in.data[k]};
      elements[k] = transform::element_of_batch(x, ir::intern(g, shapes::reduced(x.shape(), 1, false))).id;
      of[elements[k]] = x.id;
    }
    for_elements<Mode>(g, axes - 1, {elements, in.size}, out, results, rule);
    transform::batch_recorded<Mode>(g, n, of, begin, out, results);
  }
}

// A derivative that a rule returned for x, in the type and shape of x: numbers are the same in every place, tensors are
// of that shape. Op is named by errors.
template <class Op, class X, class D>
struct derivative_of {
  static_assert(is_complex(dtype_of<typename X::value_type>) || !is_complex(own_type<D>()),
                "a derivative rule returns a complex derivative of a real tensor");
  static_assert(shapes::may_be_equal<typename X::extents, extents_of<D>>(),
                "a derivative has the extents of what it belongs to (both: see the type above)");
};
template <class Op, class Mode, class X, class D>
constexpr int derivative_id(typename Mode::graph& g, X const& x, D const& d) {
  if constexpr (!is_inexact(dtype_of<typename X::value_type>)) {
    return 0;
  } else {
    int id = 0;
    ids_of<Mode>(g, d, &id);
    auto const v = ir::cast(ir::value<Mode>{&g, id}, x.v.type());
    if constexpr (Arithmetic<D> || is_weak<D>) {
      return ir::broadcast_to(v, x.v.shape_id()).id;
    } else {
      (void)sizeof(derivative_of<Op, X, D>);
      require_shape<Op>(v, x.v.shape_id());
      return v.id;
    }
  }
}
// Those of all leaves of x, or none (rc::none).
template <class Op, class Mode, class X, class D>
constexpr void derivative_ids(typename Mode::graph& g, X const& x, D const& derivatives, int* ids) {
  int n = 0;
  tree::for_each_leaf([&](auto const& leaf, auto const& d) { ids[n++] = derivative_id<Op, Mode>(g, leaf, d); }, x,
                      derivatives);
}

// f(a...), derived by Rule.
template <class Rule, class F, class... A>
constexpr auto call_with_rule(F const& f, A const&... a) {
  using Mode = mode_t<A...>;
  auto& g = graph_in<Mode>(a...);
  using Args = std::tuple<tree::symbolic_t<Mode, A>...>;
  Args const args(as_symbols<Mode>(g, a)...);
  Args constants = args;
  tree::for_each_leaf([](auto& s) { s.v = stop_gradient_t::record(no_attributes{}, s.v); }, constants);
  auto y = as_symbols<Mode>(g, applied(f, constants));
  using Out = decltype(y);
  constexpr int results = tree::count_leaves<Out>(), arguments = tree::count_leaves<Args>();
  static_assert(results + arguments <= ir::max_operands,
                "a function with a derivative rule of its own, or a checkpoint, has at most 64 tensors and numbers as "
                "its arguments and results");
  if constexpr (results > 0) {
    leaf_ids operands;
    collect<Mode>(g, y, operands);
    collect<Mode>(g, args, operands);
    int k = record_with_rule<call_with_rule_t<Rule, Args, Out>, Mode>(g, operands.all(), results, 0).id;
    tree::for_each_leaf([&](auto& s) { s.v = {&g, k++}; }, y);
  }
  return y;
}

// A function with a rule. Called with tensors it is compiled and run.
template <class Rule, class F>
struct function_with_rule {
  F f;
  Rule rule;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...))
      return call_with_rule<Rule>(f, a...);
    else
      return fn(*this)(a...);
  }
};
template <class... F>
struct functions_without_state {
  static_assert((is_stateless<F> && ...),
                "a function with a derivative rule of its own, its rule or a checkpoint holds a value, which the rule "
                "would not see: pass it as an argument");
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing

namespace ricci::ir {

template <class Rule, class Args, class Out, class Mode>
struct rules_of<tracing::call_with_rule_t<Rule, Args, Out>, Mode> {
  using graph = typename Mode::graph;
  using op = tracing::call_with_rule_t<Rule, Args, Out>;
  static constexpr int results = tree::count_leaves<Out>(), arguments = tree::count_leaves<Args>(),
                       operands = results + arguments;

  // the operands, and behind them the derivatives of some
  struct values {
    int id[2 * operands]{};
    int count = 0;
    constexpr void add(int v) { id[count++] = v; }
  };
  static constexpr values operands_of(graph const& g, int id) {
    values all{};
    for (int k = 0; k < operands; ++k) all.add(g.in(id, k));
    return all;
  }
  static constexpr tracing::call_at call(int const* in) { return {in, in + results, in + operands}; }

  static constexpr void jvp(graph& g, int id, int const* tangents, int* of_results) {
    auto in = operands_of(g, id);
    for (int k = results; k < operands; ++k) in.add(tangents[k]);
    tracing::for_elements<Mode>(g, int(g.attr(id, 1)), {in.id, in.count}, of_results, results,
                                [&](int const* x, int* y) { Rule::template jvp<Mode, Args, Out>(g, call(x), y); });
  }
  static constexpr void vjp(graph& g, int id, int const* cotangents, int* of_operands) {
    auto in = operands_of(g, id);
    for (int k = 0; k < results; ++k) in.add(cotangents[k]);
    tracing::for_elements<Mode>(g, int(g.attr(id, 1)), {in.id, in.count}, of_operands + results, arguments,
                                [&](int const* x, int* y) { Rule::template vjp<Mode, Args, Out>(g, call(x), y); });
  }
  // one more batch axis, which all operands have
  static constexpr int batch(graph& g, int id, int const* x) {
    return tracing::record_with_rule<op, Mode>(g, {x, operands}, results, g.attr(id, 1) + 1).id;
  }
  static constexpr op_rules<graph> table{&jvp, &vjp, &batch};
};

}  // namespace ricci::ir
