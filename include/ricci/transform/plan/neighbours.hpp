// Neighbours in a loop's body: groups over the same elements become one kernel, though they have no value in common
// that is costly to compute (groups.hpp does that everywhere). A body runs often, and over few elements a kernel's call
// costs as much as its work; over many, what both read is read once. So of the steps of an LSTM's gradient a third
// remains.
//
// They become one where the later one stands. What the earlier one makes is read behind that, or by the later one
// element for element; what it reads is still there, for in a body nothing is written over but carries, in the end or
// in place (loop_places.hpp, which decides after this). That stays possible: who writes the next value of a carry is
// not joined with who reads the carry at other elements. Values that only their own kernel reads by now are stored no
// more.
#pragma once

#include <ricci/transform/plan/loop_places.hpp>

namespace ricci::plan {

inline constexpr int joined_neighbours = 8;  // how many groups before it are looked at for each

template <class G>
class neighbour_joiner : group_builder<G> {
 public:
  using base = group_builder<G>;
  constexpr neighbour_joiner(G const& g, fusion& f, place_t const* places) : base(g, f), at_(places) {}

  // `order`: groups by position
  constexpr void join(int const* order, int count) {
    for (int k = 1; k < count; ++k) {
      int const b = order[k];
      if (!may_join(b)) continue;
      for (int back = 1; back <= joined_neighbours && back <= k; ++back) {
        int const a = order[k - back];
        if (is_frame(f_.groups[a].kind)) break;  // what is behind it is another body
        if (f_.groups[a].parent != a || !may_join(a) || f_.groups[a].scope != f_.groups[b].scope) continue;
        if (f_.groups[a].position >= f_.groups[b].position || type_of_roots(a) != type_of_roots(b)) continue;
        if (!base::can_merge(a, b) || keeps_from_place(a, b) || keeps_from_place(b, a)) continue;
        base::merge(a, b);
        base::forget_roots(b, [this](int v) { return at_[v].in != 0; });
      }
    }
  }

 private:
  using base::f_;
  using base::g_;
  using base::kind;

  constexpr bool may_join(int group) const {
    auto const& a = f_.groups[group];
    if (a.scope == 0 || base::is_empty(group) || !traits_of(a.kind).is_fused) return false;
    for (int r = a.first_root; r != 0; r = f_.roots[r].next)
      if (f_.roots[r].part >= 0 || f_.roots[r].output >= 0 || kind(f_.roots[r].target) == ir::op_kind::carry)
        return false;
    return true;
  }
  // the type of all that a group writes, none where there are several
  constexpr dtype type_of_roots(int group) const {
    dtype type = g_.ins[f_.roots[f_.groups[group].first_root].value].type;
    for (int r = f_.groups[group].first_root; r != 0; r = f_.roots[r].next)
      if (g_.ins[f_.roots[r].value].type != type) type = dtype::none;
    return type;
  }
  // whether `writer` makes the next value of a carry that `reader` reads otherwise than element for element
  constexpr bool keeps_from_place(int writer, int reader) const {
    for (int r = f_.groups[writer].first_root; r != 0; r = f_.roots[r].next) {
      int const next = f_.roots[r].target;
      if (kind(next) != ir::op_kind::next) continue;
      for (int u = f_.first_use[g_.in(next, 1)]; u != 0; u = f_.uses[u].next)
        if (f_.find(f_.uses[u].group) == reader && f_.uses[u].how != relation::same) return true;
    }
    return false;
  }
  place_t const* at_;
};

}  // namespace ricci::plan
