// To say of a rule what it does: `becomes(level, before, after)` records both formulas, simplifies the first as far as
// the level allows, and compares the two graphs.
#pragma once

#include <ricci/ricci.hpp>

namespace rewriting {

namespace rc = ricci;
namespace ir = rc::ir;
using V = ir::value<ir::statement>;

// two matrices to compute with
struct operands {
  V x, y;
};
inline constexpr rc::shape_t matrix{2, {2, 3}};

constexpr V number(V like, double c) { return ir::literal<ir::statement>(*like.g, c, like.type(), 0); }
constexpr V shaped(V x, rc::shape_t const& s) { return ir::reshape(x, ir::intern(*x.g, s)); }
constexpr V broadcast(V x, rc::shape_t const& s) { return ir::broadcast_to(x, ir::intern(*x.g, s)); }
constexpr V transposed(V x) {
  rc::index_t const axes[] = {1, 0};
  return ir::permute(x, axes, 2);
}

template <class F>
[[gnu::noinline]] constexpr ir::graph recorded(F const& f, rc::dtype type = rc::dtype::float64) {
  ir::graph g{};
  operands const o{ir::argument<ir::statement>(g, type, matrix, 0), ir::argument<ir::statement>(g, type, matrix, 1)};
  g.outputs[g.output_count++] = V(f(o)).id;
  return g;
}
template <class F>
[[gnu::noinline]] constexpr ir::graph simplified(rc::level up_to, F const& f, rc::dtype type = rc::dtype::float64) {
  auto const g = recorded(f, type);
  if (up_to == rc::level::off)
    return rc::transform::finished<ir::statement, rc::level::off>(g, rc::transform::extents_are::equal);
  if (up_to == rc::level::exact)
    return rc::transform::finished<ir::statement, rc::level::exact>(g, rc::transform::extents_are::equal);
  if (up_to == rc::level::stable)
    return rc::transform::finished<ir::statement, rc::level::stable>(g, rc::transform::extents_are::equal);
  return rc::transform::finished<ir::statement, rc::level::fast>(g, rc::transform::extents_are::equal);
}

// by structure; what stands for its operand alone is looked through
constexpr bool same_value(ir::graph const& g, int i, ir::graph const& h, int j) {
  while (g.ins[i].op->kind == ir::op_kind::alias) i = g.in(i, 0);
  while (h.ins[j].op->kind == ir::op_kind::alias) j = h.in(j, 0);
  auto const &a = g.ins[i], &b = h.ins[j];
  if (a.op != b.op || a.type != b.type || a.count != b.count || a.attrs != b.attrs || !(g.shape(i) == h.shape(j)))
    return false;
  for (int k = 0; k < a.attrs; ++k)
    if (g.attr(i, k) != h.attr(j, k)) return false;
  bool same = true;
  for (int k = 0; k < a.count; ++k) same = same && same_value(g, g.in(i, k), h, h.in(j, k));
  if (same || !a.op->commutative) return same;
  return same_value(g, g.in(i, 0), h, h.in(j, 1)) && same_value(g, g.in(i, 1), h, h.in(j, 0));
}
// how many instructions the result needs, arguments and literals among them
constexpr int instructions(ir::graph const& g) {
  bool needed[256]{};
  needed[g.outputs[0]] = true;
  int n = 0;
  for (int i = g.size - 1; i >= 1; --i) {
    n += needed[i];
    for (int k = 0; needed[i] && k < g.ins[i].count; ++k) needed[g.in(i, k)] = true;
  }
  return n;
}
template <class F, class H>
[[gnu::noinline]] constexpr bool becomes(rc::level up_to, F const& before, H const& after,
                                         rc::dtype type = rc::dtype::float64) {
  ir::graph const g = simplified(up_to, before, type), h = recorded(after, type);
  return same_value(g, g.outputs[0], h, h.outputs[0]);
}
template <class F>
constexpr bool stays(rc::level up_to, F const& f, rc::dtype type = rc::dtype::float64) {
  return becomes(up_to, f, f, type);
}

}  // namespace rewriting
