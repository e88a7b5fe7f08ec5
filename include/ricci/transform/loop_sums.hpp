// What the iterations of a loop add up, computed behind it for all of them at once: a sum of products of vectors is
// then one product of matrices, and a sum of reduced values one reduction. The loop stacks what they are made of, as
// far as an iteration needs it anyway; the rest is taken out of the body and batched over the iterations.
#pragma once

#include <ricci/ops/movement.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/transform/batch.hpp>
#include <ricci/transform/replay.hpp>

namespace ricci::transform {

template <class Mode>
class sums_behind_loop {
 public:
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;
  int stacked[ir::max_operands]{};  // what the loop is to stack for this
  int count = 0;

  // Of a loop that is being recorded, from instruction `begin` on, in the current region. It runs through `forwards`
  // the other way round: it is at element t of what has been stacked there.
  constexpr sums_behind_loop(graph& in, int begin, loop_view<graph> const& forwards, index_t t)
      : g(in), begin_(begin), size_(in.size), scope_(in.scope), l_(forwards), t_(ir::find(in, t)) {
    for (int i = begin; i < size_; ++i) {
      auto const& at = g.ins[i];
      bool& changes = changes_[i];
      changes = at.op->kind == ir::op_kind::carry;
      for (int k = 0; !changes && k < at.count; ++k) changes = changes_[g.in(i, k)];
      for (int k = 0; !changes && ir::traits_of(at.op->kind).has_dims && k < at.attrs; ++k)
        changes = ir::is_of_iteration(g, g.attr(i, k));
    }
  }
  // What an iteration needs in any case.
  constexpr void needs(int id) {
    if (id < begin_ || needed_[id]) return;
    needed_[id] = true;
    for (int k = 0; k < g.ins[id].count; ++k) needs(g.in(id, k));
    for (int k = 1; k < int(g.ins[id].results); ++k) needed_[id + k] = true;
  }
  // What a sum behind the loop may cost: that the loop stacks what nobody else needs, or nothing. Sums of products are
  // worth stacking, and those of reductions one value: of several it costs more to write and read them again than to
  // reduce them while they are in the cache. A sum of elementwise values is not: added up on the way it takes as much
  // memory as it has elements, which stay in the cache, and each element is read and written as often as one of a stack
  // would be. Where all that it is made of is stacked for others, it costs the iterations nothing.
  enum class worth : std::uint8_t { stacking, nothing };
  // Whether the sum of x over the iterations can be computed behind the loop for that, which may stack `most` values
  // for all such sums; of these, those that are worth stacking come first. What it stacks has the shape of something
  // that has been stacked for each iteration before.
  constexpr bool takes(int x, worth w, int most) {
    most_ = most;
    int const before = count, marks = marked_;
    if (x < size_ && is_here(x) && changes_[x] && takes_sum(x) &&
        (w == worth::stacking ? has_product(x) || (reduces(marks) && count <= before + 1) : count == before))
      return true;
    for (; marked_ > marks; --marked_) how_[mark_[marked_ - 1]] = way::unknown;
    count = before;
    return false;
  }

  // Behind the loop, where result k of what it stacked for this is the value `first` + k: afterwards `sum` says what
  // the sums are.
  constexpr void begin(int first) {
    by_ = {};
    for (int i = begin_; i < size_; ++i) {
      if (how_[i] == way::unknown) continue;
      if (how_[i] == way::element) {
        V const whole{&g, g.in(i, 0)};
        stand_in(i, ir::expand(whole, 1));
      } else if (how_[i] == way::stacked) {
        int k = 0;
        while (stacked[k] != i) ++k;
        stand_in(i, ir::flip(V{&g, first + k}, 1));  // the first iteration is about the last element
      } else {
        again(i);
      }
    }
  }
  constexpr V sum(int x) {
    if (has_product(x)) {
      if (is_product(x)) return sum_of_products(x);
      if (ir::same_operation(g.ins[x].op, ir::facts_of<add_t>())) return sum(g.in(x, 0)) + sum(g.in(x, 1));
      int const part = sum(g.in(x, 0)).id;
      return {&g, recorded(x, &part)};
    }
    return sum_t::record(reduction_axes{1, {0}, false}, V{&g, by_.of[by_.to[x]]});
  }

 private:
  enum class way : std::uint8_t { unknown, again, element, stacked };
  struct batch_of {
    int to[ir::capacity]{}, of[ir::capacity]{};
  };

  constexpr bool is_here(int i) const { return i >= begin_ && g.ins[i].scope == scope_; }
  constexpr bool mark(int i, way how) {
    how_[i] = how;
    mark_[marked_++] = i;
    return true;
  }
  // whether one of those that have been marked from there on is a reduction
  constexpr bool reduces(int from) const {
    for (int k = from; k < marked_; ++k)
      if (g.ins[mark_[k]].op->kind == ir::op_kind::reduce && how_[mark_[k]] == way::again) return true;
    return false;
  }
  // a product of matrices, both of which change
  constexpr bool is_product(int x) const {
    return is_here(x) && g.ins[x].op->kind == ir::op_kind::contract && g.shape(x).rank == 2 && changes_[g.in(x, 0)] &&
           changes_[g.in(x, 1)];
  }
  // whether the sum of x is made of sums of products
  constexpr bool has_product(int x) const {
    if (!is_here(x) || !changes_[x]) return false;
    if (is_product(x)) return true;
    if (ir::same_operation(g.ins[x].op, ir::facts_of<add_t>()))
      return has_product(g.in(x, 0)) || has_product(g.in(x, 1));
    return is_fixed_view(x) && has_product(g.in(x, 0));
  }
  // a view of the same elements in all iterations
  constexpr bool is_fixed_view(int x) const {
    if (g.ins[x].op->kind == ir::op_kind::reshape) return true;
    if (g.ins[x].op->kind != ir::op_kind::view) return false;
    for (int k = 0; k < g.ins[x].attrs; ++k)
      if (ir::is_of_iteration(g, g.attr(x, k))) return false;
    return true;
  }
  constexpr bool takes_sum(int x) {
    if (!is_here(x) || !changes_[x]) return false;
    if (!has_product(x)) return takes_value(x);
    if (is_product(x)) return takes_value(g.in(x, 0)) && takes_value(g.in(x, 1));
    for (int k = 0; k < g.ins[x].count; ++k)
      if (!takes_sum(g.in(x, k))) return false;
    return true;
  }
  constexpr bool takes_value(int x) {
    if (!is_here(x)) return x < begin_ || g.ins[x].scope != scope_;
    if (how_[x] != way::unknown) return true;
    auto const kind = g.ins[x].op->kind;
    using enum ir::op_kind;
    if (changes_[x] && is_element(x)) return mark(x, way::element);
    if (needed_[x] && changes_[x] && !shows_element(x)) return takes_stacked(x);
    bool const moves = changes_[x] ? is_fixed_view(x) : kind == view || kind == ir::op_kind::reshape;
    bool const is_constant = !changes_[x] && (kind == literal || kind == number);
    if (kind != elementwise && kind != reduce && !moves && !is_constant) return changes_[x] && takes_stacked(x);
    for (int k = 0; k < g.ins[x].count; ++k)
      if (!takes_value(g.in(x, k))) return false;
    return mark(x, way::again);
  }
  constexpr bool takes_stacked(int x) {
    if (count == most_ || !has_known_shape(x)) return false;
    stacked[count++] = x;
    return mark(x, way::stacked);
  }
  constexpr bool has_known_shape(int x) const {
    for (int k = 0; k < l_.carries; ++k)
      if (ir::same_shape(g, g.ins[x].shape, g.ins[l_.carry(k)].shape)) return true;
    for (int k = 0; k < l_.stacked; ++k)
      if (ir::same_shape(g, g.ins[x].shape, g.ins[l_.stack(k)].shape)) return true;
    return false;
  }
  // whether it is nothing but another view of such a slice, so that it need not be stacked
  constexpr bool shows_element(int x) const {
    while (is_here(x) && is_fixed_view(x)) x = g.in(x, 0);
    return is_here(x) && is_element(x);
  }
  // the slice of what stands outside that belongs to this iteration
  constexpr bool is_element(int x) const {
    if (!shows_one_row(g, x, l_.iterations()) || ir::find(g, g.attr(x, 0)) != t_) return false;
    int const of = g.in(x, 0);
    return of < begin_ || g.ins[of].scope != scope_;
  }

  constexpr void stand_in(int i, V all) {
    int const x = by_.to[i] = element_of_batch(all, g.ins[i].shape).id;
    by_.of[x] = all.id;
  }
  constexpr int recorded(int i, int const* operands) const { return ir::append_again(g, i, g.ins[i], operands); }
  constexpr int in(int i, int k) const {
    int const x = g.in(i, k);
    return x < size_ && by_.to[x] != 0 ? by_.to[x] : x;
  }
  constexpr void again(int i) {
    int operands[ir::max_operands]{};
    for (int k = 0; k < g.ins[i].count; ++k) operands[k] = in(i, k);
    int const x = by_.to[i] = recorded(i, operands);
    if (by_.of[x] == 0) batcher<Mode>(g, l_.iterations(), by_.of).batch(x);
  }
  // the sum over t of (m, k) x (k, n) is (m, t k) x (t k, n)
  constexpr V sum_of_products(int x) {
    V const a{&g, by_.of[in(x, 0)]}, b{&g, by_.of[in(x, 1)]};
    shape_t const s = a.shape(), r = b.shape();
    index_t const inner = ir::times(g, s.extent[0], s.extent[2]);
    return matmul_t::product(ir::reshape(ir::move_axis(a, 0, 1), ir::intern(g, shape_t{2, {s.extent[1], inner}})),
                             ir::reshape(b, ir::intern(g, shape_t{2, {inner, r.extent[2]}})));
  }

  graph& g;
  int begin_, size_, scope_, most_ = 0;
  loop_view<graph> const& l_;
  index_t t_;
  bool changes_[ir::capacity]{}, needed_[ir::capacity]{};
  way how_[ir::capacity]{};
  int mark_[ir::capacity]{}, marked_ = 0;
  batch_of by_{};
};

}  // namespace ricci::transform
