// That what says where elements lie, `map` of a view and `part` of what is assembled, hands on the extents that it is
// given and does not compute with them. Of an extent that shows when the program runs, n - 1 is another symbol or none:
// a map that subtracts would show other elements, without a word.
#pragma once

#include <ricci/graph/graph.hpp>

namespace ricci::ir {

// Called where a constant evaluation has to stop; not constexpr, so that the compiler shows its name.
template <class Op>
void a_map_computes_with_an_extent_that_shows_at_run_time_see_starts() {}

// Other symbols in the places of those that a map is given. They lie far apart, and differently in two calls, so that
// what it hands on can be told from what it computes.
struct stand_ins {
  int distance;
  constexpr index_t of(index_t d) const { return is_symbolic(d) ? dim_id((dim_index(d) + 1) * distance) : d; }
  constexpr shape_t of(shape_t s) const {
    for (int k = 0; k < s.rank; ++k) s.extent[k] = of(s.extent[k]);
    return s;
  }
};

struct map_check {
  static constexpr stand_ins first{1009}, second{2027};
  shape_t x, y;
  index_t const* attributes;
  int count;

  constexpr bool is_open() const {
    for (int k = 0; k < x.rank; ++k)
      if (is_symbolic(x.extent[k])) return true;
    for (int k = 0; k < y.rank; ++k)
      if (is_symbolic(y.extent[k])) return true;
    return false;
  }
  // a and b, of the first call and of the second, are a number or what was handed on
  constexpr bool is_handed_on(index_t a, index_t b) const {
    if (!is_symbolic(a) && !is_symbolic(b)) return a == b;
    auto const is_that = [&](index_t d) { return is_symbolic(d) && a == first.of(d) && b == second.of(d); };
    for (int k = 0; k < x.rank; ++k)
      if (is_that(x.extent[k])) return true;
    for (int k = 0; k < y.rank; ++k)
      if (is_that(y.extent[k])) return true;
    for (int k = 0; k < count; ++k)
      if (is_that(attributes[k])) return true;
    return false;
  }
  constexpr bool agree(affine_map const& a, affine_map const& b) const {
    if (a.rank != b.rank || a.count != b.count || a.broadcast != b.broadcast) return false;
    for (int k = 0; k < a.rank; ++k)
      if (!is_handed_on(a.start[k], b.start[k])) return false;
    for (int k = 0; k < a.count; ++k) {
      auto const &s = a.terms[k], &t = b.terms[k];
      if (s.of != t.of || s.with != t.with || !is_handed_on(s.step, t.step)) return false;
    }
    return true;
  }
  // whether map(attributes, x, y), called with stand-ins for all that shows at run time, hands on what it is given
  template <class Map>
  constexpr bool operator()(Map const& map) const {
    index_t one[max_attributes]{}, other[max_attributes]{};
    for (int k = 0; k < count; ++k) one[k] = first.of(attributes[k]), other[k] = second.of(attributes[k]);
    return agree(map(one, first.of(x), first.of(y)), map(other, second.of(x), second.of(y)));
  }
};

// Views and what is assembled, but for those of the library that say `hands_extents_on`: looking takes time.
template <class Op>
inline constexpr bool says_where = (Op::kind == op_kind::view || Op::kind == op_kind::assemble) && !requires {
  Op::hands_extents_on;
};

template <class Op, class G>
constexpr void check_maps(G const& g, int v) {
  auto const& i = g.ins[v];
  map_check check{{}, g.shape(v), i.attrs > 0 ? &g.attributes[i.attr] : nullptr, i.attrs};
  for (int k = 0; k < i.count; ++k) {
    check.x = g.shape(g.in(v, k));
    if (!check.is_open()) continue;
    bool fine = true;
    if constexpr (Op::kind == op_kind::view) {
      fine = check([&](index_t const* a, shape_t const& x, shape_t const& y) { return i.op->map(a, x, y); });
    } else {
      fine = check([&](index_t const* a, shape_t const& x, shape_t const&) { return i.op->part(a, x, k).map; });
    }
    if (!fine) a_map_computes_with_an_extent_that_shows_at_run_time_see_starts<Op>();
  }
}

}  // namespace ricci::ir
