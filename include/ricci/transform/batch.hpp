// Batching: one loop forwards over a function recorded for one element; whatever depends on the batch is recorded again
// for all elements at once, with the batch as its first axis. What does not depend on it stays as it is and is computed
// once. A rule belongs to a kind of operation, not to an operation, so that an elementwise one of a user's own is
// batched like any other; views and what is assembled say themselves how they take one, and so do aliases with
// derivative rules for one element.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci::transform {

// Stands for one element of a batch while the function is recorded; nothing that is computed in the end is made of it.
struct batch_element_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "vmap";
};
template <class Mode>
constexpr ir::value<Mode> element_of_batch(ir::value<Mode> x, int shape) {
  index_t const attributes[] = {++x.g->fresh_count};
  return ir::record<batch_element_t, Mode>(*x.g, x.type(), shape, {&x.id, 1}, {attributes, 1});
}

template <class Mode>
class batcher {
 public:
  using G = typename Mode::graph;
  using V = ir::value<Mode>;

  // `of[id]`: the value with the batch as its first axis, 0 where it is the same for all elements; n elements.
  constexpr batcher(G& g, index_t n, int* of) : g_(g), n_(n), of_(of) {}

  // the value for all elements, also where it is the same for all
  constexpr V whole(int id) const {
    if (of_[id] != 0) return {&g_, of_[id]};
    return ir::broadcast_to(V{&g_, id}, with_batch(g_.shape(id)));
  }
  // Records instruction `id` for all elements if one of its operands is batched.
  constexpr void batch(int id) {
    if (g_.ins[id].scope != g_.scope || g_.ins[id].count == 0) return;
    if (g_.ins[id].rules->loop.has_batch) return g_.ins[id].rules->loop.batch(g_, id, n_, of_);
    bool any = false;
    for (int k = 0; k < g_.ins[id].count; ++k) any = any || of_[g_.in(id, k)] != 0;
    if (any) of_[id] = batched(id).id;
  }

 private:
  G& g_;
  index_t n_;
  int* of_;

  constexpr bool is_batched(int id, int k) const { return of_[g_.in(id, k)] != 0; }
  constexpr V in(int id, int k) const { return whole(g_.in(id, k)); }
  constexpr V same_for_all(int id, int k) const { return {&g_, g_.in(id, k)}; }

  constexpr int with_batch(shape_t const& of) const { return ir::with_first_axis(g_, n_, of); }
  constexpr V reshaped(V x, shape_t const& s) const { return ir::reshape(x, ir::intern(g_, s)); }

  constexpr V batched(int id) const {
    using enum ir::op_kind;
    switch (g_.ins[id].op->kind) {
      case view:
      case assemble:
        return by_its_own_rule(id);
      case reshape:
        return ir::reshape(in(id, 0), with_batch(g_.shape(id)));
      case reduce:
        return again(id, 2 * g_.attr(id, 0));  // axes as bits
      case contract:
        return product(id);
      case index:
        return batched_take(id);
      case scatter:
        return batched_scatter(id);
      case call:  // of which one may know better than to be run for each element
        return g_.ins[id].rules->batch ? by_its_own_rule(id) : batched_call(id);
      case part:
        return {&g_, of_[g_.in(id, 0)] + int(g_.attr(id, 0))};
      case elementwise:
        return again(id);
      case alias:  // whose derivative rule is for one element, says how it takes a batch
        return g_.ins[id].rules->batch ? by_its_own_rule(id) : again(id);
      case argument:
      case literal:
      case number:
      case table:
      case region:
      case carry:
      case next:
      case yield:
      case loop:
        break;  // they have no operand that could be batched
    }
    __builtin_unreachable();
  }

  constexpr V by_its_own_rule(int id) const {
    int operands[ir::max_operands]{};
    for (int k = 0; k < g_.ins[id].count; ++k) operands[k] = in(id, k).id;
    return {&g_, g_.ins[id].rules->batch(g_, id, operands)};
  }
  // The same operation on operands with the batch as their first axis, its first attribute another.
  constexpr V again(int id, index_t attribute) const {
    int operands[ir::max_operands]{};
    index_t attributes[ir::max_attributes]{attribute};
    auto i = g_.ins[id];
    for (int k = 1; k < i.attrs; ++k) attributes[k] = g_.attr(id, k);
    for (int k = 0; k < i.count; ++k) operands[k] = in(id, k).id;
    ir::put_in_order(i.op, operands);
    i.shape = with_batch(g_.shape(id));
    return {&g_, ir::append(g_, i, {operands, i.count}, {attributes, i.attrs})};
  }
  constexpr V again(int id) const { return again(id, g_.ins[id].attrs > 0 ? g_.attr(id, 0) : 0); }

  // Another axis before the cores; the other results follow.
  constexpr V batched_call(int id) const {
    auto const& call = *g_.ins[id].op->call;
    if (g_.shape(id).rank - call.core.rank[call.core.operands] + call.core.loops() == max_rank)
      limits::a_tensor_has_more_than_12_axes();
    V const y = call.along_axis ? again(id, g_.attr(id, 0) + 1) : again(id);
    for (int k = 1; k < int(g_.ins[id].results); ++k) {
      auto part = g_.ins[id + k];
      index_t const number = k;
      part.shape = with_batch(g_.shape(id + k));
      ir::append(g_, part, {&y.id, 1}, {&number, 1});
    }
    return y;
  }

  // Where one operand is the same for the whole batch, the batch is more rows or columns of a single product.
  constexpr V product(int id) const {
    bool const left = is_batched(id, 0), right = is_batched(id, 1);
    shape_t const s = g_.shape(id);
    if (s.rank > 2 || (left && right)) return matmul_t::product(in(id, 0), in(id, 1));
    index_t const m = s.extent[0], n = s.extent[1];
    if (left) {
      auto const a = in(id, 0);
      index_t const k = a.shape().extent[2];
      return reshaped(matmul_t::product(reshaped(a, {2, {ir::times(g_, n_, m), k}}), same_for_all(id, 1)),
                      {3, {n_, m, n}});
    }
    auto const a = same_for_all(id, 0), b = in(id, 1);
    index_t const k = b.shape().extent[1];
    if (n == 1) return reshaped(matmul_t::product(reshaped(b, {2, {n_, k}}), ir::transposed(a)), {3, {n_, m, 1}});
    auto const columns = reshaped(ir::move_axis(b, 0, 1), {2, {k, ir::times(g_, n_, n)}});
    return ir::move_axis(reshaped(matmul_t::product(a, columns), {3, {m, n_, n}}), 1, 0);
  }

  // ---- rows by indices ----

  // Where elements of the batch have indices of their own, the axis that they are about comes right behind the batch.
  constexpr V batched_take(int id) const {
    int const axis = int(g_.attr(id, 0)), index_rank = g_.shape(g_.in(id, 1)).rank;
    if (g_.attr(id, 1) != 0) return ir::take(in(id, 0), in(id, 1), axis + 1, true);
    if (!is_batched(id, 1)) return ir::take(in(id, 0), same_for_all(id, 1), axis + 1);
    if (!is_batched(id, 0)) return ir::move_axis(ir::take(same_for_all(id, 0), in(id, 1), axis), axis, 0);
    V y = ir::take(ir::move_axis(in(id, 0), axis + 1, 1), in(id, 1), 1, true);  // (batch, indices.., rest..)
    for (int k = 0; k < axis; ++k) y = ir::move_axis(y, 1 + index_rank + k, 1 + k);
    return y;
  }
  constexpr V batched_scatter(int id) const {
    int const axis = int(g_.attr(id, 0)), index_rank = g_.shape(g_.in(id, 1)).rank;
    bool const adds = g_.attr(id, 1) != 0;
    if (g_.attr(id, 2) != 0) return ir::scatter(in(id, 0), in(id, 1), in(id, 2), axis + 1, adds, true);
    if (!is_batched(id, 1)) return ir::scatter(in(id, 0), same_for_all(id, 1), in(id, 2), axis + 1, adds);
    V rows = in(id, 2);
    for (int k = 0; k < axis; ++k) rows = ir::move_axis(rows, 1, index_rank + axis);
    return ir::move_axis(ir::scatter(ir::move_axis(in(id, 0), axis + 1, 1), in(id, 1), rows, 1, adds, true), 1,
                         axis + 1);
  }
};

// Batches what was recorded for one element from instruction `begin` on, as far as outs need it, and puts their values
// for all n elements into their places; an id 0 is none and stays. `of` is what batcher takes.
template <class Mode>
constexpr void batch_recorded(typename Mode::graph& g, index_t n, int* of, int begin, int* outs, int count) {
  int const end = g.size;
  bool needed[ir::capacity]{};
  mark_needed(g, begin, {outs, count}, needed);
  batcher<Mode> batcher(g, n, of);
  for (int id = begin; id < end; ++id)
    if (needed[id] && of[id] == 0) batcher.batch(id);
  for (int k = 0; k < count; ++k)
    if (outs[k] != 0) outs[k] = batcher.whole(outs[k]).id;
}

}  // namespace ricci::transform
