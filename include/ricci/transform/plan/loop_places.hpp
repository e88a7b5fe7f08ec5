// Where values of a loop lie, so that iterations copy nothing: a carry's next value in the carry's own memory, what is
// stacked in its row of the stack. Decided between fusion and emission; what has become a copy of a value to itself is
// no root of its group any more.
//
// *A carry that is kept* (stacked as iterations find it, for a derivative) lies in its stack, which has one more row:
// iteration i reads row i and writes row i + 1, and behind n iterations row n is the last carry. No value is written
// over, so this is right whatever the body does. A stacked value that is also the next carry is that stack from row 1
// on.
//
// *Any other carry* is updated in place if nobody reads the old value once a part of the new one is written. Let w be
// the first group (kernel) of the body that writes a part of the new value. Groups run in the order of their positions,
// those of inner loops as often as these say, but all of them between their neighbours; so an old element may be read
//   (1) by any group before w, at any index and as often as it likes: by w nothing has been written;
//   (2) by w itself, if that computes registers over elements of exactly the carry's shape, and reads and stores it
//       element for element: it visits an element once, and stores what it made of it after all of that has been
//       loaded (exec/cpu/row.hpp and block.hpp; `x = x + y` in place rests on that, too, see alias.hpp; where a
//       reduction on a device goes over the elements twice, it stores at the second time). A factor of a product is not
//       read so, and the result of a reduction is not stored so;
//   (3) by nobody behind w. What reads it there keeps the copies: `a, b = b, a` has b copied apart, to a, at the end.
// What is copied from the carry to the same element of it is dropped first, so that `update_slice` and `scatter` of a
// carry write no more than they change. In the next iteration readers of the carry find the new value, as they are to;
// what counts iterations is read between two of them, and results behind the loop find the last one. In a loop of no
// iterations no group of the body runs, and the carry is what it was before the loop.
//
// *A stacked value* that the body has in memory of its own lies in its row, which nobody reads before the loop is done;
// other values of the body do not outlive an iteration. Where it is written nowhere else but to a carry, it is copied.
#pragma once

#include <ricci/transform/plan/fuse.hpp>

namespace ricci::plan {

// The part of another value's memory, or of its own, in which a value of a loop lies.
enum class loop_row : std::uint8_t {
  all,
  of_iteration,  // row i in iteration i
  behind_that,   // row i + 1
  from_second,   // all rows but the first
  one_more       // memory of its own, with room for one row more than its shape says
};

// Where a stored value lies.
struct place_t {
  home where;
  int index;  // argument, output or buffer
  bool known;
  bool strided;      // strides are given with it (arguments and outputs that are views)
  index_t offset{};  // in elements
  // before it is known: in the memory of value `in`, if that is not 0
  int in{};
  loop_row row{};
};

template <class G>
class loop_placer {
 public:
  constexpr loop_placer(G const& g, fusion& f, place_t* places) : g_(g), f_(f), at_(places) {}

  // Where nothing is written over; then, when groups are what they will be, what is.
  constexpr void place_in_stacks() {
    for_each_loop([&](int loop, int yield) { place_in_stacks(loop, yield); });
  }
  constexpr void place_in_carries() {
    for_each_loop([&](int loop, int yield) { place_in_carries(loop, yield); });
  }

 private:
  struct writer {
    int group;  // the first one that writes a part of a value, 0: none
    std::int64_t position;
  };

  constexpr ir::op_kind kind(int v) const { return g_.ins[v].op->kind; }
  constexpr bool is_read(int v) const { return f_.first_use[v] != 0; }
  template <class F>
  constexpr void for_each_loop(F const& f) const {
    for (int scope = 1; scope <= g_.scope_count; ++scope)
      if (int const loop = f_.loop_of[scope]; loop != 0) f(loop, g_.in(loop, 0));
  }

  constexpr void place_in_stacks(int loop, int yield) {
    int const carries = int(g_.attr(loop, 0)), stacked = int(g_.attr(loop, 1));
    for (int k = 0; counts_by_extent(g_, loop) && k < carries; ++k) {
      int const next = g_.in(yield, 1 + k), x = g_.in(next, 0), carry = g_.in(next, 1);
      int const kept = loop + carries + stacked + k;
      if (!is_read(kept)) continue;
      at_[kept].row = loop_row::one_more;
      put(carry, kept, loop_row::of_iteration);
      put(next, kept, loop_row::behind_that);
      drop_copy(carry, kept);
      drop_copy(next, carry);
      for (int j = 0; j < stacked; ++j)
        if (int const result = loop + carries + j;
            g_.in(yield, 1 + carries + j) == x && is_read(result) && at_[result].in == 0) {
          put(result, kept, loop_row::from_second);
          drop_copy(x, result);
        }
      if (!is_own(x, next)) continue;
      put(x, next, loop_row::all);
      drop_copy(x, next);
    }
    for (int j = 0; j < stacked; ++j) {
      int const x = g_.in(yield, 1 + carries + j), result = loop + carries + j;
      if (!is_read(result) || at_[result].in != 0 || !is_own(x, yield)) continue;
      put(x, result, loop_row::of_iteration);
      drop_copy(x, result);
    }
  }
  constexpr void place_in_carries(int loop, int yield) {
    for (int k = 0; k < int(g_.attr(loop, 0)); ++k) {
      int const next = g_.in(yield, 1 + k), x = g_.in(next, 0), carry = g_.in(next, 1);
      if (at_[carry].in != 0 || (x != carry && !is_free(carry, next))) continue;
      put(next, carry, loop_row::all);
      drop_copy(next, carry);
      if (x == carry) drop_copy(carry, next);  // it stays what it is
      if (!is_own(x, next) || !is_free(carry, x)) continue;
      put(x, next, loop_row::all);
      drop_copy(x, next);
      drop_copy(carry, x);
    }
  }

  constexpr void put(int v, int in, loop_row row) { at_[v].in = in, at_[v].row = row; }
  // The root that copies a value to another one's memory, as it is, is none any more.
  constexpr void drop_copy(int value, int target) {
    for (int k = 1; k < f_.group_count; ++k) {
      if (f_.groups[k].parent != k) continue;
      for (int* at = &f_.groups[k].first_root; *at != 0;) {
        if (copies(f_.roots[*at], value, target))
          *at = f_.roots[*at].next;
        else
          at = &f_.roots[*at].next;
      }
    }
  }
  constexpr bool copies(root_t const& r, int value, int target) const {
    return r.target == target && r.value == value && r.output < 0 && !r.reduces && lies_at_first(r);
  }
  // whether what a root writes begins where its target does, and goes on as that does
  constexpr bool lies_at_first(root_t const& r) const {
    if (r.part < 0 || kind(r.target) != ir::op_kind::assemble) return r.part <= 0;
    return r.part == 0 && ir::same_shape(g_, g_.ins[r.value].shape, g_.ins[r.target].shape) &&
           ir::part_of(g_, r.target, 0).map == identity_map(g_.shape(r.target).rank);
  }
  // Whether a value is computed in the body of what reads it, into memory of its own.
  constexpr bool is_own(int v, int reader) const {
    if (!f_.stored[v] || g_.ins[v].scope != g_.ins[reader].scope || at_[v].in != 0 || f_.output_of[v] != 0)
      return false;
    switch (kind(v)) {
      using enum ir::op_kind;
      case elementwise:
      case reduce:
      case contract:
      case assemble:
      case index:
      case scatter:
      case call:
        return true;
      case part:
        return kind(g_.in(v, 0)) == call;
      case argument:
      case literal:
      case number:
      case table:
      case alias:
      case view:
      case ir::op_kind::reshape:
      case region:
      case carry:
      case next:
      case yield:
      case loop:
        return false;
    }
    __builtin_unreachable();
  }

  // Whether v, the next value of a carry, may be written over the carry (see above).
  constexpr bool is_free(int carry, int v) const {
    writer const w = first_writer(v, carry);
    if (w.group == 0) return false;
    for (int u = f_.first_use[carry]; u != 0; u = f_.uses[u].next) {
      int const group = f_.find(f_.uses[u].group);
      auto const& reader = f_.groups[group];
      if (reader.first_root == 0 || reader.position < w.position) continue;
      if (group != w.group || f_.uses[u].how != relation::same || !writes_in_place(group, carry, v)) return false;
    }
    return true;
  }
  constexpr writer first_writer(int v, int carry) const {
    int const written = kind(v) == ir::op_kind::part ? g_.in(v, 0) : v;
    writer w{0, 0};
    for (int k = 1; k < f_.group_count; ++k) {
      auto const& group = f_.groups[k];
      if (group.parent != k || (w.group != 0 && group.position >= w.position)) continue;
      for (int r = group.first_root; r != 0; r = f_.roots[r].next)
        if (f_.roots[r].target == written && f_.roots[r].output < 0 && !copies(f_.roots[r], carry, v))
          w = {k, group.position};
    }
    return w;
  }
  constexpr bool writes_in_place(int group, int carry, int v) const {
    auto const& by = f_.groups[group];
    if (!traits_of(by.kind).has_registers || !ir::same_shape(g_, by.domain, g_.ins[carry].shape)) return false;
    for (int r = by.first_root; r != 0; r = f_.roots[r].next)
      if (f_.roots[r].target == v && (f_.roots[r].reduces || !lies_at_first(f_.roots[r]))) return false;
    return true;
  }

  G const& g_;
  fusion& f_;
  place_t* at_;
};

}  // namespace ricci::plan
