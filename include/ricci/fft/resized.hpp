// An axis of another length: elements behind the n-th are left out, or zeros added.
#pragma once

#include <ricci/ops/told.hpp>

namespace ricci::fft {

template <class V>
constexpr V resized(V x, int axis, index_t n) {
  auto& g = *x.g;
  ir::graph_context<typename V::graph_type> c{g, ir::no_asker, 0, 0};
  index_t const own = x.shape().extent[axis];
  if (ir::find(g, own) == ir::find(g, n)) return x;
  index_t const kept = shapes::smaller(c, own, n);
  if (ir::find(g, kept) != ir::find(g, own)) x = ir::stretch(x, axis, 0, kept);
  if (ir::find(g, kept) == ir::find(g, n)) return x;
  shape_t s = x.shape();
  s.extent[axis] = n;
  index_t starts[max_rank]{}, steps[max_rank]{};
  for (auto& step : steps) step = 1;
  V const zeros = ir::literal<typename V::mode>(g, 0., x.type(), ir::intern(g, s));
  return ir::update_slice(zeros, x, starts, steps);
}

// Half an extent, rounded down, in any context; in types, what is open stays so.
template <class Context>
constexpr index_t half_of(Context& c, index_t n) {
  if constexpr (requires { c.g; })
    return ir::divide(c.g, n, 2);
  else
    return n >= 0 ? n / 2 : n;
}

}  // namespace ricci::fft
