// The sum of two cotangents of one value, where more is known of them than that they are added. That of a slice is zero
// but for one piece; a function that reads many pieces of x would sum up as many tensors of zeros. Pieces that do not
// meet are joined instead, and each is written once. Nor is that of rows by index added up as a tensor of zeros.
#pragma once

#include <ricci/ops/join.hpp>
#include <ricci/ops/masked.hpp>
#include <ricci/ops/select.hpp>

namespace ricci::ir {

// A value as pieces side by side: all axes before `leading` are whole in each, the others are one, in row-major order.
template <class V>
struct pieces {
  V of[max_operands];
  index_t extent[max_operands]{};
  int count = 0, leading = -1;
  int part = 0;  // the one that is not zero, of a single slice

  constexpr explicit operator bool() const { return count > 0; }
  constexpr void push(V x, index_t n) { of[count] = x, extent[count++] = n; }
};

// the shape of n elements behind the leading axes of `shape`
template <class G>
constexpr int shape_of_piece(G& g, int shape, int leading, index_t n) {
  shape_t s = g.shapes[shape];
  s.rank = leading;
  s.push(n);
  return intern(g, s);
}
template <class V>
constexpr V zeros_of_piece(V x, int leading, index_t n) {
  return literal<typename V::mode>(*x.g, 0., x.type(), shape_of_piece(*x.g, x.shape_id(), leading, n));
}

// A part written among zeros, where it is one run of elements and all numbers are known.
template <class V>
constexpr pieces<V> pieces_of_update(V ct) {
  if (!ct.is(facts_of<update_slice_t>()) || !is_literal(*ct.g, ct.operand(0).id, 0.)) return {};
  V const part = ct.operand(1);
  shape_t const whole = ct.shape(), some = part.shape();
  auto const& g = *ct.g;
  auto const start = [&](int k) { return find(g, g.attr(ct.id, k)); };
  auto const is_whole = [&](int k) {
    return start(k) == 0 && g.attr(ct.id, whole.rank + k) == 1 && find(g, some.extent[k]) == find(g, whole.extent[k]);
  };
  int leading = 0;
  while (leading < whole.rank && is_whole(leading)) ++leading;
  index_t first = 0, n = 1, all = 1;
  bool ranged = false;
  for (int k = leading; k < whole.rank; ++k) {
    index_t const extent = find(g, whole.extent[k]), taken = find(g, some.extent[k]);
    if (is_symbolic(extent) || is_symbolic(taken) || is_symbolic(start(k))) return {};
    if (taken > 1 && g.attr(ct.id, whole.rank + k) != 1) return {};
    if (ranged && !is_whole(k)) return {};
    ranged = ranged || taken != 1;
    first = first * extent + start(k), n *= taken, all *= extent;
  }
  if (n == 0) return {};
  pieces<V> p{};
  p.leading = leading;
  if (first > 0) p.push(zeros_of_piece(ct, leading, first), first);
  p.part = p.count;
  p.push(reshape(part, shape_of_piece(*ct.g, ct.shape_id(), leading, n)), n);
  if (first + n < all) p.push(zeros_of_piece(ct, leading, all - first - n), all - first - n);
  return p;
}
// What `joined_pieces` made before.
template <class V>
constexpr pieces<V> pieces_of_joined(V ct) {
  V const x = ct.is(facts_of<reshape_t>()) ? ct.operand(0) : ct;
  if (!x.is(facts_of<concat_t>()) || x.g->attr(x.id, 0) != x.rank() - 1 || x.rank() > ct.rank()) return {};
  pieces<V> p{};
  p.leading = x.rank() - 1;
  for (int k = 0; k < p.leading; ++k)
    if (find(*x.g, x.shape().extent[k]) != find(*x.g, ct.shape().extent[k])) return {};
  for (int k = 0; k < x.g->ins[x.id].count; ++k) {
    index_t const n = find(*x.g, x.operand(k).shape().extent[p.leading]);
    if (is_symbolic(n)) return {};
    p.push(x.operand(k), n);
  }
  return p;
}

// The sum of two values of pieces, where the one of `b` falls on zeros of `a`; none where they meet otherwise.
template <class V>
constexpr V joined_pieces(V a, V b) {
  auto const added = pieces_of_update(b);
  if (!added) return V{};
  auto old = pieces_of_update(a);
  if (!old) old = pieces_of_joined(a);
  if (!old || old.leading != added.leading || old.count + 2 > max_operands) return V{};
  index_t const first = added.part == 0 ? 0 : added.extent[0], n = added.extent[added.part];
  pieces<V> sum{};
  bool placed = false;
  index_t at = 0;
  for (int k = 0; k < old.count; at += old.extent[k++]) {
    index_t const before = first - at, behind = at + old.extent[k] - (first + n);
    if (before < 0 || behind < 0 || !is_literal(*a.g, old.of[k].id, 0.)) {
      sum.push(old.of[k], old.extent[k]);
      continue;
    }
    if (before > 0) sum.push(zeros_of_piece(a, old.leading, before), before);
    sum.push(added.of[added.part], n);
    if (behind > 0) sum.push(zeros_of_piece(a, old.leading, behind), behind);
    placed = true;
  }
  if (!placed) return V{};
  int const shape = shape_of_piece(*a.g, a.shape_id(), old.leading, at);
  return reshape(concat_t::joined(sum.of, sum.count, old.leading, shape), a.shape_id());
}

// Of two parts written among zeros that are the ends of one axis, as those of a rolled tensor's cotangent are: joined,
// also where it shows at run time how long they are.
template <class V>
constexpr V joined_ends(V a, V b) {
  auto& g = *a.g;
  for (V const x : {a, b})
    if (!x.is(facts_of<update_slice_t>()) || !is_literal(g, x.operand(0).id, 0.)) return V{};
  int const rank = a.rank();
  auto const start = [&](V x, int k) { return find(g, g.attr(x.id, k)); };
  auto const extent = [&](V x, int k) { return find(g, x.operand(1).shape().extent[k]); };
  auto const whole = [&](int k) { return find(g, a.shape().extent[k]); };
  auto const is_whole = [&](V x, int k) { return start(x, k) == 0 && extent(x, k) == whole(k); };
  int axis = -1;
  for (int k = 0; k < rank; ++k) {
    if (g.attr(a.id, rank + k) != 1 || g.attr(b.id, rank + k) != 1) return V{};
    if (is_whole(a, k) && is_whole(b, k)) continue;
    if (axis >= 0) return V{};
    axis = k;
  }
  if (axis < 0) return V{};
  V const front = start(a, axis) == 0 ? a : b, back = start(a, axis) == 0 ? b : a;
  index_t const at = start(back, axis);
  if (start(front, axis) != 0 || extent(front, axis) != at || extent(back, axis) != minus(g, whole(axis), at))
    return V{};
  V const parts[] = {front.operand(1), back.operand(1)};
  return concat_t::joined(parts, 2, axis, a.shape_id());
}
// The sum of two values of which each is zero where the other is not.
template <class V>
constexpr V joined_cotangents(V a, V b) {
  V const joined = joined_pieces(a, b);
  return joined ? joined : joined_ends(a, b);
}

// Rows that are added to zeros, as the cotangent of rows that were read, are added to the other cotangent instead.
template <class V>
constexpr bool adds_rows_to_zeros(V x) {
  return x.ins().op->kind == op_kind::scatter && x.g->attr(x.id, 1) != 0 && is_literal(*x.g, x.operand(0).id, 0.);
}
template <class V>
constexpr V rows_added(V rows, V to) {
  if (!adds_rows_to_zeros(rows) || rows.type() != to.type()) return V{};
  V const in[] = {to, rows.operand(1), rows.operand(2)};
  return again(rows, in, rows.type());
}

// d with the type t of the value whose derivative it is, also where a rule computes with numbers that have no type of
// their own, which is double.
template <class V>
constexpr V derivative_of_type(V d, dtype t) {
  return d.type() != t && is_inexact(t) && is_complex(d.type()) == is_complex(t) ? cast(d, t) : d;
}

template <class V>
constexpr V sum_of_cotangents(V a, V b) {
  auto const m = masked_of(a), n = masked_of(b);
  if (m.condition && n.condition && m.condition.id == n.condition.id && m.holds == n.holds)  // one mask stays outside
    return with_mask_of(m, sum_of_cotangents(m.rest, n.rest));
  if (V const joined = joined_cotangents(a, b)) return joined;
  if (a.is(facts_of<add_t>()))
    for (int k = 1; k >= 0; --k)
      if (V const joined = joined_cotangents(a.operand(k), b)) return a.operand(1 - k) + joined;
  if (V const added = rows_added(b, a)) return added;
  if (V const added = rows_added(a, b)) return added;
  return a + b;
}

}  // namespace ricci::ir
