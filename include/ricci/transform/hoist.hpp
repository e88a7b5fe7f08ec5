// What does not change in a loop is computed before it: an instruction of a body that is made of values from outside
// alone. Where a graph is finished (simplify.hpp), before a region is recorded, so derivatives and batches of loops,
// which are loops, are treated like any other.
//
// A loop may have no iterations, and a branch may not be taken. What moves is computed then, too, so it has to be of no
// consequence and no more work than an iteration would be:
//   * elementwise operations, reductions, products of matrices, assembled parts and tables move: they are defined for
//     all numbers and check nothing (extents have been checked before anything runs);
//   * rows by index, scatters and calls stay, which check indices or may refuse; so do loops, which may go on for long,
//     and what a checkpoint wants computed again;
//   * nothing leaves a branch, nor a loop that is known to have one iteration or none.
// Views, reshapes and constants cost nothing where they are, and stay; so do elementwise values as cheap as an addition
// of less than two whole arrays, and those that are larger than all they are made of (a row plus a column), unless they
// are costly to compute, or would be written to memory in each iteration: what moves takes memory as long as the loop
// runs.
#pragma once

#include <ricci/ops/loop.hpp>
#include <ricci/ops/movement.hpp>

namespace ricci::transform {

template <class G>
class hoisted_values {
 public:
  bool moves[ir::capacity]{};
  int end = 0;  // behind the last of them

  // `known`: whether a value has been recorded already
  template <class Known>
  constexpr hoisted_values(G const& g, bool const* needed, int region, Known const& known) : g_(g) {
    int const scope = int(g.attr(region, 0));
    if (!is_repeated(region)) return;
    within_[scope] = leaves_[scope] = true;
    bool inside = true;
    for (int i = region + 1; inside && i < g.size; ++i) {
      auto const& at = g.ins[i];
      inside = at.op->kind != ir::op_kind::yield || at.scope != scope;
      int const outer = g.outer[at.scope];
      if (at.op->kind == ir::op_kind::region && within_[outer])
        within_[at.scope] = true, leaves_[at.scope] = leaves_[outer] && !is_branch(i);
      if (!needed[i] || !within_[at.scope]) continue;
      bool same = leaves_[at.scope] && is_movable(i);
      for (int k = 0; same && k < at.count; ++k) same = same_[g.in(i, k)] || known(g.in(i, k));
      same_[i] = same;
      for (int k = 0; !same && k < at.count; ++k) want(g.in(i, k), reads_memory(at.op->kind));
    }
  }

 private:
  // whether it pays to move something out of it
  constexpr bool is_repeated(int region) const {
    index_t const n = ir::find(g_, g_.attr(region, 1));
    return !is_branch(region) && n != 0 && n != 1;
  }
  constexpr bool is_branch(int region) const { return g_.ins[region].count > 0 && g_.attr(region, 1) == 1; }
  constexpr bool is_movable(int i) const {
    auto const& at = g_.ins[i];
    switch (at.op->kind) {
      using enum ir::op_kind;
      case literal:
      case number:
      case table:
      case elementwise:
      case view:
      case ir::op_kind::reshape:
      case reduce:
      case contract:
      case assemble:
        break;
      case argument:
      case alias:
      case index:
      case scatter:
      case call:
      case part:
      case region:
      case carry:
      case next:
      case yield:
      case loop:
        return false;
    }
    if (ir::traits_of(at.op->kind).has_dims)
      for (int k = 0; k < at.attrs; ++k)
        if (changes(g_.attr(i, k))) return false;
    shape_t const& shape = g_.shape(i);
    for (int k = 0; k < shape.rank; ++k)
      if (changes(shape.extent[k])) return false;
    return true;
  }
  // whether a dimension is made of the number of an iteration of the loop, or of one in it
  constexpr bool changes(index_t d) const { return ir::is_of_iteration(g_, d, within_); }

  // whether it finds its operands in memory, so that elementwise values are written there in each iteration
  static constexpr bool reads_memory(ir::op_kind kind) {
    return kind == ir::op_kind::contract || kind == ir::op_kind::index || kind == ir::op_kind::scatter ||
           kind == ir::op_kind::call;
  }
  // A value that an iteration reads.
  constexpr void want(int id, bool in_memory) {
    if (!same_[id] || moves[id]) return;
    bool const computes = g_.ins[id].op->kind == ir::op_kind::elementwise;
    if ((computes && in_memory) || is_worth_it(id)) return move(id);
    for (int k = 0; k < g_.ins[id].count; ++k) want(g_.in(id, k), in_memory && !computes);
  }
  constexpr void move(int id) {
    if (!same_[id] || moves[id]) return;
    moves[id] = true;
    if (id >= end) end = id + 1;
    for (int k = 0; k < g_.ins[id].count; ++k) move(g_.in(id, k));
  }
  constexpr bool is_worth_it(int id) const {
    auto const kind = g_.ins[id].op->kind;
    if (kind != ir::op_kind::elementwise) return ir::traits_of(kind).is_computed || kind == ir::op_kind::table;
    if (ir::is_costly(g_, id)) return true;
    int whole = 0;
    for (int k = 0; k < g_.ins[id].count; ++k) whole += is_whole(g_.in(id, k));
    return whole > 1 || (whole > 0 && g_.ins[id].op->cost > 1);
  }
  // whether there are as many numbers in memory as it has elements
  constexpr bool is_whole(int id) const {
    switch (g_.ins[id].op->kind) {
      using enum ir::op_kind;
      case literal:
      case number:
        return false;
      case view:
        return !ir::same_operation(g_.ins[id].op, ir::facts_of<broadcast_to_t>()) && is_whole(g_.in(id, 0));
      case ir::op_kind::reshape:
      case alias:
        return is_whole(g_.in(id, 0));
      case elementwise:
        for (int k = 0; k < g_.ins[id].count; ++k)
          if (is_whole(g_.in(id, k))) return true;
        return false;
      case argument:
      case table:
      case reduce:
      case contract:
      case index:
      case scatter:
      case assemble:
      case call:
      case part:
      case region:
      case carry:
      case next:
      case yield:
      case loop:
        return true;
    }
    __builtin_unreachable();
  }

  G const& g_;
  bool within_[ir::max_scopes]{}, leaves_[ir::max_scopes]{};  // regions in it, and those that are no branches
  bool same_[ir::capacity]{};                                 // in all iterations
};

}  // namespace ricci::transform
