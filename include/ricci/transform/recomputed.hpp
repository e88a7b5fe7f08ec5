// What a checkpoint (autodiff/checkpoint.hpp) computes again, it computes of aliases of its arguments: other values to
// the passes, so that it is not found among what was computed before. Their second operand is a derivative, so that
// they belong to what depends on that, which is the second half of a pullback.
#pragma once

#include <ricci/ops/another_name.hpp>
#include <ricci/ops/call.hpp>

namespace ricci::transform {

// In reverse mode; it is there in the finished graph, too, for a gradient is one graph.
struct recomputed_t : ir::another_name {
  static constexpr auto name = "checkpoint";
};
// In forward mode, where in one graph nothing has to be kept.
struct recomputed_forward_t : ir::another_name {
  static constexpr auto name = "checkpoint of tangents";
};

// x again, for what is computed when this derivative is there
template <class Op, class Mode>
constexpr ir::value<Mode> recomputed(ir::value<Mode> x, int derivative) {
  index_t const attributes[] = {++x.g->fresh_count};
  int const operands[] = {x.id, derivative};
  return ir::record<Op, Mode>(*x.g, x.type(), x.shape_id(), {operands, 2}, {attributes, 1});
}

// Whether an instruction stays where a graph is finished: constants are not computed.
template <class G>
constexpr bool is_recomputed(G const& from, G const& to, int id, int x) {
  if (!ir::same_operation(from.ins[id].op, ir::facts_of<recomputed_t>())) return false;
  auto const kind = to.ins[x].op->kind;
  return kind != ir::op_kind::literal && kind != ir::op_kind::number;
}
// The same of x in the finished graph, where derivatives are no operands.
template <class G>
constexpr int finished_recomputation(G const& from, G& to, int id, int x) {
  auto i = from.ins[id];
  i.shape = to.ins[x].shape;
  to.scope = i.scope;
  index_t const number = from.attr(id, 0);
  return ir::append(to, i, {&x, 1}, {&number, 1});
}

}  // namespace ricci::transform
