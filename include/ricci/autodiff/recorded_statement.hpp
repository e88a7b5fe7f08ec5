// What a statement over variables is compiled to: a forward program, which computes its value and what is kept beside
// it, and a backward program, from the cotangent of its value to those of its variables.
//
// A pullback (autodiff/halves.hpp) owns copies of all that its second half reads. Here operands and result are bound
// again when it runs, so a record holds shares of them; what else the second half reads is computed again from those
// where it is elementwise, a view or rows, which a kernel does by the way, and kept where it is a product, a reduction
// or a call.
#pragma once

#include <ricci/autodiff/derivative.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/transform/replay.hpp>

namespace ricci::taped {
inline namespace RICCI_ABI {

// The variables among the arguments of an expression: f(argument, operand) for each, at compile time f(argument).
template <class X>
struct variables_in {
  static constexpr void note(bool*, int& n) { n += expr::reified<X>::arguments; }
};
template <class Op, class Attributes, class... A>
struct variables_in<node<Op, Attributes, A...>> {
  static constexpr void note(bool* at, int& n) { (variables_in<A>::note(at, n), ...); }
};
template <class Transform, class... E>
struct variables_in<derived<Transform, E...>> {
  static constexpr void note(bool* at, int& n) { (variables_in<E>::note(at, n), ...); }
};
template <label Name, class Leaf>
struct variables_in<labelled<Name, Leaf>> : variables_in<Leaf> {};

// The graphs of a statement. Arguments of the second one are those of the first, then the cotangent, the result, and
// what is kept.
template <class E>
struct traced_statement {
  using mode = tracing::mode_for<E>;
  static constexpr int arguments = expr::reified<E>::arguments, at_cotangent = arguments, at_result = arguments + 1,
                       at_kept = arguments + 2;

  struct recorded {
    ir::graph forward, backward;
    bool dense[tracing::max_leaves], whole[tracing::max_leaves], number[tracing::max_leaves];
    bool variable[arguments], reads[arguments];  // of each argument: whether the second half reads it
    int gradient[arguments];                     // which result of the second half is its cotangent; -1: none
    int rank[arguments], size[arguments];        // of each argument; of an element
    bool reads_result;
    int gradients, kept;
    int cotangent;  // its instruction
  };

  static constexpr bool is_argument(ir::graph const& g, int id) { return g.ins[id].op->kind == ir::op_kind::argument; }

  static constexpr recorded record() {
    recorded r{};
    ir::graph g{};
    expr::reifier<mode> into{g};
    int y = ir::cast(expr::reified<E>::value(into), dtype_of<typename E::value_type>).id;
    transform::simplify<mode, level::stable>(g, 1, &y, 1);
    for (int k = 0; k < arguments; ++k)
      r.dense[k] = into.dense[k], r.whole[k] = into.whole[k], r.number[k] = into.number[k], r.gradient[k] = -1;
    int n = 0;
    variables_in<E>::note(r.variable, n);
    int id_of[arguments]{};
    for (int v = 1; v < g.size; ++v)
      if (is_argument(g, v)) {
        auto const a = g.attr(v, 0);
        id_of[a] = v, r.rank[a] = g.shape(v).rank, r.size[a] = size_of(g.ins[v].type);
      }
    tracing::leaf_ids wrt;
    int argument_of[arguments]{};
    for (int k = 0; k < arguments; ++k)
      if (r.variable[k] && id_of[k] != 0) argument_of[wrt.count] = k, wrt.id[wrt.count++] = id_of[k];

    r.cotangent = ir::argument<mode>(g, g.ins[y].type, g.shape(y), at_cotangent).id;
    int results[tracing::max_leaves]{};
    transform::reverse<mode>(g, 1, {&y, 1}, {&r.cotangent, 1}, wrt.all(), results);
    for (int k = 0; k < wrt.count; ++k)
      if (results[k] != 0) results[r.gradients] = results[k], r.gradient[argument_of[k]] = r.gradients++;

    r.forward = g;
    r.forward.outputs[r.forward.output_count++] = y;
    keep(r, g, y, {results, r.gradients});
    for (int k = 0; k < r.gradients; ++k) g.outputs[g.output_count++] = results[k];
    r.backward = g;
    return r;
  }
  static constexpr void keep(recorded& r, ir::graph& g, int y, ir::span<int> results) {
    bool depends[ir::capacity]{}, needed[ir::capacity]{}, read[ir::capacity]{};
    depends[r.cotangent] = true;
    transform::mark_needed(g, 1, results, needed);
    for (int v = 1; v < g.size; ++v)
      for (int k = 0; k < g.ins[v].count; ++k) depends[v] = depends[v] || depends[g.in(v, k)];
    for (int v = 1; v < g.size; ++v)
      if (depends[v] && needed[v])
        for (int k = 0; k < g.ins[v].count; ++k)
          if (!depends[g.in(v, k)]) read[g.in(v, k)] = true;
    for (int k = 0; k < results.size; ++k)
      if (!depends[results.data[k]]) read[results.data[k]] = true;
    for (int v = g.size - 1; v > 0; --v) {  // users before what they use
      if (!read[v]) continue;
      if (is_argument(g, v)) {
        r.reads[g.attr(v, 0)] = true;
      } else if (v == y) {
        r.reads_result = true;
        transform::become_argument(g, v, at_result);
      } else if (ir::traits_of(g.ins[v].op->kind).is_cheap) {
        for (int k = 0; k < g.ins[v].count; ++k) read[g.in(v, k)] = true;
      } else {
        if (at_kept + r.kept == tracing::max_leaves)
          limits::a_pullback_keeps_more_than_512_values_use_grad_or_unroll_loops_less();
        r.forward.outputs[r.forward.output_count++] = v;
        transform::become_argument(g, v, at_kept + r.kept++);
      }
    }
  }
  static constexpr recorded trace = record();
};

// Their plans. Are: whether extents that may be 1 are taken for equal.
template <class E, transform::extents_are Are>
struct statement_program {
  using traced = traced_statement<E>;

  struct forward {
    static constexpr ir::graph graph = transform::finished<ir::statement, level::stable>(traced::trace.forward, Are);
    static constexpr void make(plan::plan_t& p) {
      tracing::all_dense const dense;
      plan::plan_graph(p, graph, {traced::trace.dense, traced::arguments}, {dense.at, graph.output_count});
      plan::note_arguments(p, traced::trace.number, traced::trace.whole);
    }
    static constexpr plan::kept_t<forward> plan = plan::keeper<forward>::plan();
  };
  struct backward {
    // a cotangent that nothing reads stays, with its shape
    static constexpr ir::graph graph = transform::finished<ir::statement, level::stable>(
        traced::trace.backward, Are, traced::trace.cotangent, traced::trace.cotangent + 1);
    static constexpr void make(plan::plan_t& p) {
      // tensors that are no variables are copies, in row-major order
      tracing::all_dense dense;
      for (int k = 0; k < traced::arguments; ++k) dense.at[k] = !traced::trace.variable[k] || traced::trace.dense[k];
      tracing::all_dense const results;
      plan::plan_graph(p, graph, {dense.at, traced::at_kept + traced::trace.kept}, {results.at, graph.output_count});
    }
    static constexpr plan::kept_t<backward> plan = plan::keeper<backward>::plan();
  };
};
template <class E>
using usual_program = statement_program<E, transform::extents_are::equal>;
template <class E>
using general_program = statement_program<E, transform::extents_are::any>;

}  // namespace RICCI_ABI
}  // namespace ricci::taped
