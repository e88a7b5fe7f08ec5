// How a factor of a batch of products should lie: as it does, if products read it well so, else copied first into dense
// matrices.
#pragma once

#include <ricci/transform/plan/fusion.hpp>

namespace ricci::plan {

// matrices of fewer elements are in cache, however they lie
inline constexpr index_t least_factor_copied = 4096;

// The axis of a value along which its elements lie side by side in memory, seen through views; -1: there is none.
template <class G>
constexpr int dense_axis(G const& g, int v) {
  int axis_of[max_rank]{};  // of v, for each axis of the value that its views show
  for (int k = 0; k < max_rank; ++k) axis_of[k] = k;
  for (;; v = g.in(v, 0)) {
    auto const kind = g.ins[v].op->kind;
    shape_t const& t = g.shape(v);
    if (kind == ir::op_kind::view) {
      affine_map const map = ir::map_of(g, v);
      int of_operand[max_rank]{};
      for (int& axis : of_operand) axis = -1;
      for (int k = 0; k < map.count; ++k)
        if (map.terms[k].step == 1) of_operand[map.terms[k].of] = axis_of[map.terms[k].with];
      for (int k = 0; k < max_rank; ++k) axis_of[k] = of_operand[k];
    } else if (kind == ir::op_kind::reshape && relabels_axes(g, v)) {
      shape_t const& s = g.shape(g.in(v, 0));
      int of_operand[max_rank]{};
      for (int i = 0, k = 0; i < s.rank; ++i) {
        of_operand[i] = -1;
        if (s.extent[i] == 1) continue;
        while (t.extent[k] == 1) ++k;
        of_operand[i] = axis_of[k++];
      }
      for (int k = 0; k < s.rank; ++k) axis_of[k] = of_operand[k];
    } else {
      int last = t.rank - 1;
      while (last > 0 && t.extent[last] == 1) --last;
      return last < 0 ? -1 : axis_of[last];
    }
  }
}
// whether a value is the same all along an axis, seen through views
template <class G>
constexpr bool is_repeated_along(G const& g, int v, int axis) {
  for (;
       g.ins[v].op->kind == ir::op_kind::reshape && relabels_axes(g, v) && g.shape(v).rank == g.shape(g.in(v, 0)).rank;)
    v = g.in(v, 0);
  if (g.ins[v].op->kind != ir::op_kind::view) return false;
  affine_map const map = ir::map_of(g, v);
  for (int k = 0; k < map.count; ++k)
    if (map.terms[k].with == axis) return false;
  return true;
}

// How product v reads factor k, 0 or 1. Matrices whose elements lie side by side across the batch would be fetched a
// line of the cache for each element; and those of the right one that several products read would be packed for each.
template <class G>
constexpr relation relation_of_factor(G const& g, int v, int k) {
  int const x = g.in(v, k), other = g.in(v, 1 - k);
  shape_t const& s = g.shape(x);
  if (s.rank < 3 || s.extent[s.rank - 1] == 1 || s.extent[s.rank - 2] == 1) return relation::stored;
  index_t n = 1;
  for (int axis = 0; axis < s.rank; ++axis) {
    index_t const e = ir::find(g, s.extent[axis]);
    n = ir::is_symbolic(e) || n >= least_factor_copied ? least_factor_copied : n * e;
  }
  int const dense = dense_axis(g, x);
  if (n < least_factor_copied || dense < 0 || dense == s.rank - 1) return relation::stored;
  // (products with one right factor may take rows along that axis)
  bool const is_across = dense < s.rank - 2 && !(k == 0 && is_repeated_along(g, other, dense));
  // (where rows are an axis of the batch, emit.hpp, it is read once along that)
  bool is_read_again = false, finds_rows = k == 1 && g.shape(v).extent[s.rank - 2] == 1;
  for (int axis = s.rank - 3; axis >= 0; --axis) {
    if (s.extent[axis] == 1 || !is_repeated_along(g, x, axis)) continue;
    is_read_again = is_read_again || !finds_rows || is_repeated_along(g, other, axis);
    finds_rows = finds_rows && is_repeated_along(g, other, axis);
  }
  return is_across || (k == 1 && is_read_again) ? stored_with_dense_axes(2) : relation::stored;
}

}  // namespace ricci::plan
