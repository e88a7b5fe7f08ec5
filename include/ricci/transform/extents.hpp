// The extents of a graph when it is finished. A recorded graph is exact: of two extents that are only known when it
// runs each may be 1, so its instructions broadcast both. Most often they are equal, and then the graph is simpler and
// its kernels are faster. So a graph is finished in one of two ways: as it was recorded, or with such extents taken for
// equal. A plan of the second kind runs where they really are; errors come from the exact checks in either case.
#pragma once

#include <ricci/graph/dims.hpp>

namespace ricci::transform {

enum class extents_are : std::uint8_t { any, equal };

// Takes the extents that may each be 1 for equal: 1 where there were any, 0 where there were none, -1 where they cannot
// all be, as one that is broadcast to 3 here and to 2 there.
template <class G>
constexpr int take_for_equal(G& g) {
  int taken = 0;
  for (int k = 0; k < g.check_count; ++k) {
    auto const& c = g.checks[k];
    if (c.kind != ir::check_kind::broadcastable && c.kind != ir::check_kind::broadcasts_to) continue;
    index_t const a = ir::find(g, c.a), b = ir::find(g, c.b);
    if (a == b || b == 1 || (a == 1 && c.kind == ir::check_kind::broadcastable)) continue;
    if (!ir::is_symbolic(a) && !ir::is_symbolic(b)) return -1;
    ir::unify(g, a, b);
    taken = 1;
    for (int d = 0; d < g.dim_count; ++d) {
      auto const& e = g.dims[d];
      if (e.op != ir::dim_op::broadcast || !((e.a == c.a && e.b == c.b) || (e.a == c.b && e.b == c.a))) continue;
      index_t const one = ir::find(g, a), whole = ir::find(g, ir::dim_id(d));
      if (one != whole && !ir::is_symbolic(one) && !ir::is_symbolic(whole)) return -1;
      ir::unify(g, one, whole);
    }
  }
  return taken;
}

// What a dimension is by what its parts were found to equal.
template <class G>
constexpr index_t folded(G& g, int k) {
  auto const d = g.dims[k];
  return ir::is_given(d.op) ? ir::dim_id(k) : ir::made_of(g, d.op, d.a, d.b);
}

// Gives `to` the dimensions, shapes and checks of `from`. Dimensions keep their numbers, and each is known as what it
// equals.
template <class G>
constexpr void take_extents(G const& from, G& to, extents_are are) {
  to.dim_count = from.dim_count;
  to.shape_count = from.shape_count;
  to.check_count = from.check_count;
  to.scope_count = from.scope_count;
  for (int k = 0; k <= from.scope_count; ++k) to.outer[k] = from.outer[k];
  for (int k = 0; k < from.shape_count; ++k) to.shapes[k] = from.shapes[k];
  for (int k = 0; k < from.check_count; ++k) to.checks[k] = from.checks[k];
  for (int k = 0; k < from.dim_count; ++k) to.dims[k] = from.dims[k];
  auto const take_aliases = [&] {
    for (int k = 0; k < from.dim_count; ++k) to.dim_alias[k] = from.dim_alias[k];
  };
  take_aliases();
  if (are == extents_are::equal) {
    int const taken = take_for_equal(to);
    to.takes_for_equal = taken > 0;
    if (taken < 0) take_aliases();
  }
  to.exact_dims = from.dim_count;
  for (int k = 0; k < from.dim_count; ++k)
    if (to.dim_alias[k] == 0)
      if (index_t const same = folded(to, k); same != ir::dim_id(k)) to.dim_alias[k] = same + 1;
}

}  // namespace ricci::transform
