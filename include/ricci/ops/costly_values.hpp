// Which values of a loop's body are costly to compute, and so worth a place for each iteration: reverse mode takes them
// from there, and computes the others again. A loop has them among its stacked results (ops/loop.hpp), where those that
// nobody reads take neither memory nor time.
#pragma once

#include <ricci/graph/record.hpp>
#include <ricci/ops/checkpoint_name.hpp>

namespace ricci::ir {

// The least cost of an elementwise operation that is costly: exp, log, sin, tanh, pow are, a division and a root are
// not.
inline constexpr int least_costly = 12;

// Whether an instruction computes what is costly: elements of high cost, products, reductions, calls, loops, and what
// has a name (checkpoint_name.hpp). What only moves elements is read as fast where they came from.
template <class G>
constexpr bool is_costly(G const& g, int id) {
  switch (g.ins[id].op->kind) {
    using enum op_kind;
    case elementwise:
      return g.ins[id].op->cost >= least_costly;
    case reduce:
    case contract:
    case call:
    case loop:
      return true;
    case part:
      return is_costly(g, g.in(id, 0));
    case alias:
      return is_checkpoint_name(g, id);
    case argument:
    case literal:
    case number:
    case table:
    case view:
    case reshape:
    case index:
    case scatter:
    case assemble:
    case region:
    case carry:
    case next:
    case yield:
      return false;
  }
  __builtin_unreachable();
}

// Whether a dimension has the number of an iteration in it; of one of the loops that `of` marks by their scopes, where
// that is given.
template <class G>
constexpr bool is_of_iteration(G const& g, index_t d, bool const* of = nullptr) {
  d = find(g, d);
  if (!is_symbolic(d)) return false;
  auto const& e = g.dims[dim_index(d)];
  if (is_given(e.op)) return e.op == dim_op::iteration && (of == nullptr || of[e.a]);
  return is_of_iteration(g, e.a, of) || is_of_iteration(g, e.b, of);
}

// The costly values of a body, which has been recorded from its region on.
template <class G>
class costly_values {
 public:
  int ids[max_operands]{};
  int count = 0;

  // `next` and `stacked` are what the iterations are made for; there is room for so many values. Where there are more,
  // products, reductions and calls come before elementwise values.
  constexpr costly_values(G const& in, int region, span<int> next, span<int> stacked, int room)
      : g_(in), region_(region), scope_(int(in.attr(region, 0))) {
    mark_computed(next, stacked);
    mark_changing();
    add(false, stacked, room);
    add(true, stacked, room);
  }

 private:
  // Of an alias only the value is computed: its other operands are there for a derivative rule.
  constexpr void mark_computed(span<int> next, span<int> stacked) {
    for (int k = 0; k < next.size; ++k) computed_[next.data[k]] = true;
    for (int k = 0; k < stacked.size; ++k) computed_[stacked.data[k]] = true;
    for (int i = g_.size - 1; i > region_; --i) {
      if (!computed_[i]) continue;
      if (g_.ins[i].op->kind == op_kind::alias) {
        computed_[g_.in(i, 0)] = true;
      } else if (g_.ins[i].op->kind == op_kind::part && g_.ins[g_.in(i, 0)].op->kind == op_kind::alias) {
        computed_[g_.in(g_.in(i, 0), int(g_.attr(i, 0)))] = true;
      } else {
        for (int k = 0; k < g_.ins[i].count; ++k) computed_[g_.in(i, k)] = true;
        for (int k = 1; k < int(g_.ins[i].results); ++k)
          computed_[i + k] = true;  // derivatives read others than it does
      }
    }
  }
  // What is the same in all iterations is not stacked.
  constexpr void mark_changing() {
    for (int i = region_ + 1; i < g_.size; ++i) {
      auto const& at = g_.ins[i];
      bool& changes = changes_[i];
      changes = at.op->kind == op_kind::carry || at.op->kind == op_kind::region;
      for (int k = 0; !changes && k < at.count; ++k) changes = changes_[g_.in(i, k)];
      if (!traits_of(at.op->kind).has_dims) continue;
      for (int k = 0; !changes && k < at.attrs; ++k) changes = is_of_iteration(g_, g_.attr(i, k));
    }
  }
  constexpr void add(bool elementwise, span<int> stacked, int room) {
    for (int i = region_ + 1; i < g_.size && count < room; ++i) {
      if (!computed_[i] || !changes_[i] || g_.ins[i].scope != scope_ || !is_costly(g_, i)) continue;
      if ((g_.ins[i].op->kind == op_kind::elementwise) != elementwise) continue;
      bool there = false;
      for (int k = 0; k < stacked.size; ++k) there = there || stacked.data[k] == i;
      if (!there) ids[count++] = i;
    }
  }

  G const& g_;
  int region_, scope_;
  bool computed_[capacity]{}, changes_[capacity]{};
};

}  // namespace ricci::ir
