// Products of several tensors, summed over the axes that the result does not have, as a formula of others: views,
// sums, products of matrices. einsum, tensordot and the products of named axes are recorded by it.
#pragma once

#include <ricci/ops/diagonals.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/shape/contraction_order.hpp>

namespace ricci {

namespace ir {

// A value whose axes have letters.
template <class V>
struct lettered {
  using letters = shapes::letters;
  using letter_set = shapes::letter_set;
  V x{};
  letters axes{};

  // another shape or order
  constexpr void become(V value, letters const& l) { x = value, axes = l; }

  // An axis of `...` that has extent 1 and is broadcast is left out, or, where it only may have, broadcast.
  constexpr void broadcast(index_t const* extent) {
    shape_t to{}, kept{};
    letters rest{};
    bool open = false;
    for (int k = 0; k < axes.count; ++k) {
      index_t const has = find(*x.g, x.shape().extent[k]), wanted = find(*x.g, extent[axes[k]]);
      bool const leave = axes[k] >= shapes::axes_of_ellipsis && has == 1 && wanted != 1;
      if (leave) continue;
      rest.push(axes[k]), kept.push(has), to.push(wanted);
      open = open || has != wanted;
    }
    V y = reshape(x, intern(*x.g, kept));
    if (open) y = broadcast_to(y, intern(*x.g, to));
    become(y, rest);
  }
  // each letter once
  constexpr void take_diagonals() {
    letters once{};
    index_t to[max_rank]{};
    for (int k = 0; k < axes.count; ++k) {
      int at = once.axis_of(axes[k]);
      if (at < 0) at = once.count, once.push(axes[k]);
      to[k] = at;
    }
    become(diagonals(x, to), once);
  }
  // summed over the axes that are not in a set
  constexpr void sum_all_but(letter_set kept) {
    int mask = 0;
    letters rest{};
    for (int k = 0; k < axes.count; ++k) {
      if (shapes::has(kept, axes[k]))
        rest.push(axes[k]);
      else
        mask |= 1 << k;
    }
    become(sum_over(x, mask), rest);
  }
  // in the order of `all`, which has its letters among others, with extents 1 for these
  constexpr V among(letters const& all) const {
    index_t order[max_rank]{};
    shape_t s{};
    int n = 0;
    for (int k = 0; k < all.count; ++k) {
      int const axis = axes.axis_of(all[k]);
      if (axis >= 0) order[n++] = axis;
      s.push(axis >= 0 ? x.shape().extent[axis] : 1);
    }
    return reshape(permute(x, order, n), intern(*x.g, s));
  }
  // (batch..., rows, columns), of which it has all letters and no others. Neighbours that stay neighbours become one
  // axis before axes are moved, so that what lies in memory in one piece stays a view.
  constexpr V matrices(letters const& batch, letters const& rows, letters const& columns) const {
    auto& g = *x.g;
    auto const n = [&](int k) { return x.shape().extent[k]; };
    auto const place = [&](int letter) {
      int at = batch.axis_of(letter);
      if (at >= 0) return at;
      at = rows.axis_of(letter);
      return at >= 0 ? batch.count + at : batch.count + rows.count + columns.axis_of(letter);
    };
    shape_t merged{}, whole{};
    int begin[max_rank]{};  // the places of the merged axes
    for (int k = 0, before = 0; k < axes.count; ++k) {
      int const at = place(axes[k]);
      bool const follows = k > 0 && at == before + 1 && at > batch.count && at != batch.count + rows.count;
      if (follows)
        merged.extent[merged.rank - 1] = times(g, merged.extent[merged.rank - 1], n(k));
      else
        begin[merged.rank] = at, merged.push(n(k));
      before = at;
    }
    index_t order[max_rank]{};
    for (int k = 0; k < merged.rank; ++k) {
      int before = 0;
      for (int j = 0; j < merged.rank; ++j) before += begin[j] < begin[k];
      order[before] = k;
    }
    auto const extent_of = [&](letters const& l) {
      index_t e = 1;
      for (int k = 0; k < l.count; ++k) e = times(g, e, n(axes.axis_of(l[k])));
      return e;
    };
    for (int k = 0; k < batch.count; ++k) whole.push(n(axes.axis_of(batch[k])));
    whole.push(extent_of(rows)), whole.push(extent_of(columns));
    return reshape(permute(reshape(x, intern(g, merged)), order, merged.rank), intern(g, whole));
  }
  // The same, repeated along the letters of the batch that it does not have, whose extents are those of `all`.
  constexpr V matrices_for(letters const& batch, letters const& rows, letters const& columns, V all,
                           letters const& of_all) const {
    letters own{};
    for (int k = 0; k < batch.count; ++k)
      if (axes.axis_of(batch[k]) >= 0) own.push(batch[k]);
    V const y = matrices(own, rows, columns);
    shape_t aligned{}, full{};
    for (int k = 0; k < batch.count; ++k) {
      int const axis = axes.axis_of(batch[k]);
      aligned.push(axis >= 0 ? x.shape().extent[axis] : 1);
      full.push(axis >= 0 ? x.shape().extent[axis] : all.shape().extent[of_all.axis_of(batch[k])]);
    }
    for (int k = own.count; k < own.count + 2; ++k) aligned.push(y.shape().extent[k]), full.push(y.shape().extent[k]);
    return broadcast_to(reshape(y, intern(*x.g, aligned)), intern(*x.g, full));
  }
  // whether letter l comes right before another one
  constexpr bool has_in_turn(int l, int next) const {
    int const axis = axes.axis_of(l);
    return axis + 1 < axes.count && axes[axis + 1] == next;
  }
};

// How letters of a result, all of them in its order, are split so that matrices of it are written where they belong:
// the last ones, which the right operand has alone, are columns, those before them, which the left one has alone, rows,
// and all others batches, along which an operand that does not have them is repeated.
struct matrices_in_place {
  shapes::letters batch, rows, columns;
  int row_of_batch = -1;  // where there are no other rows

  template <class V>
  constexpr matrices_in_place(lettered<V> const& left, lettered<V> const& right, shapes::letters const& all)
      : batch{}, rows{}, columns{} {
    auto const is_in = [](lettered<V> const& x, int l) { return x.axes.axis_of(l) >= 0; };
    int first_column = all.count;
    while (first_column > 0 && !is_in(left, all[first_column - 1])) --first_column;
    int first_row = first_column;
    while (first_row > 0 && !is_in(right, all[first_row - 1])) --first_row;
    // columns that do not lie together, of which matrices can be read where they are: the last ones, and the rows are
    // those of the batch that are multiplied by one matrix
    int together = all.count - 1;
    while (together > first_column && right.has_in_turn(all[together - 1], all[together])) --together;
    int const dense = right.axes.count > 0 ? right.axes[right.axes.count - 1] : 0;
    bool const is_read_well = all.axis_of(dense) < 0 || all.axis_of(dense) >= together;
    if (first_row < first_column && first_column < together && is_read_well && has_one_sum(left, right)) {
      row_of_batch = all[first_column - 1];
      first_column = first_row = together;
    }
    for (int k = 0; k < all.count; ++k) (k < first_row ? batch : k < first_column ? rows : columns).push(all[k]);
  }
  // Each matrix takes a call: from a few hundred elements on that is less than to move them afterwards.
  template <class V>
  constexpr bool are_worth_it(lettered<V> const& left, lettered<V> const& right) const {
    auto const count = [](lettered<V> const& x, shapes::letters const& l) {
      index_t extent[64]{};
      for (int k = 0; k < l.count; ++k) extent[l[k]] = find(*x.x.g, x.x.shape().extent[x.axes.axis_of(l[k])]);
      return shapes::elements_of(l.set(), extent);
    };
    shapes::letters one{};
    if (row_of_batch >= 0) one.push(row_of_batch);
    double const m = count(left, row_of_batch >= 0 ? one : rows), n = count(right, columns);
    return m >= 4 && n >= 4 && m * n >= 256;
  }

 private:
  template <class V>
  static constexpr bool has_one_sum(lettered<V> const& left, lettered<V> const& right) {
    return __builtin_popcountll(left.axes.set() & right.axes.set()) == 1;
  }
};

// The product of a and b, summed over the letters that are not kept. Those of `last` come in their order where that is
// for nothing.
template <class V>
constexpr lettered<V> product_of(lettered<V> a, lettered<V> b, shapes::letter_set kept, shapes::letters const& last) {
  using shapes::has;
  using shapes::letters;
  shapes::letter_set const in_a = a.axes.set(), in_b = b.axes.set();
  letters every{}, batch{}, summed{}, of_a{}, of_b{};
  for (int k = 0; k < last.count; ++k)
    if (has(in_a | in_b, last[k])) every.push(last[k]);
  // what does not stand in the result, or more than fit, needs no order
  auto const rest = [&](letters const& l, letters& to, shapes::letter_set of) {
    for (int k = 0; k < l.count; ++k)
      if (has(of, l[k]) && to.axis_of(l[k]) < 0) to.push(l[k]);
  };
  if ((in_a & in_b & ~kept) == 0) {
    rest(a.axes, every, in_a), rest(b.axes, every, in_b);
    return {a.among(every) * b.among(every), every};
  }
  if (in_a == in_b) {
    lettered<V> y{a.x * b.among(a.axes), a.axes};
    y.sum_all_but(kept);
    return y;
  }
  // rows of the product are letters of its left operand: the right one is to have the last letter of the result
  if (every.count > 0 && (in_b & ~in_a) != 0 && has(in_a & ~in_b, every[every.count - 1]))
    return product_of(b, a, kept, last);
  if (((in_a | in_b) & kept & ~every.set()) == 0) {
    matrices_in_place const in_place(a, b, every);
    if (((in_place.batch.set() & ~(in_a & in_b)) != 0) && in_place.are_worth_it(a, b)) {
      rest(a.axes, summed, in_a & in_b & ~kept);
      V const y = matmul_t::product(a.matrices_for(in_place.batch, in_place.rows, summed, b.x, b.axes),
                                    b.matrices_for(in_place.batch, summed, in_place.columns, a.x, a.axes));
      shape_t s{};
      for (int k = 0; k < every.count; ++k)
        s.push(has(in_a, every[k]) ? a.x.shape().extent[a.axes.axis_of(every[k])]
                                   : b.x.shape().extent[b.axes.axis_of(every[k])]);
      return {reshape(y, intern(*y.g, s)), every};
    }
  }
  rest(every, batch, in_a & in_b & kept), rest(a.axes, batch, in_a & in_b & kept);
  rest(a.axes, summed, in_a & in_b & ~kept);
  rest(a.axes, of_a, in_a & ~in_b), rest(b.axes, of_b, in_b & ~in_a);
  shape_t s{};
  letters l = batch;
  rest(of_a, l, in_a), rest(of_b, l, in_b);
  for (int k = 0; k < l.count; ++k)
    s.push(has(in_a, l[k]) ? a.x.shape().extent[a.axes.axis_of(l[k])] : b.x.shape().extent[b.axes.axis_of(l[k])]);
  V const y = matmul_t::product(a.matrices(batch, of_a, summed), b.matrices(batch, summed, of_b));
  return {reshape(y, intern(*y.g, s)), l};
}

// What the letters of c say of operands x, as operation Op.
template <class Op, int N, class V>
constexpr V contracted(shapes::contraction<N> const& c, V const (&x)[N], dtype type) {
  auto& g = *x[0].g;
  shape_t shape_of_operand[N]{};
  for (int k = 0; k < N; ++k) shape_of_operand[k] = x[k].shape();
  index_t extent[64]{};
  auto const meet = [&](int letter, int j, int k, index_t a, index_t b) {
    graph_context<typename V::graph_type> between{g, facts_of<Op>(), x[j].shape_id(), j == k ? -1 : x[k].shape_id()};
    return shapes::met(between, letter, a, b);
  };
  int const shape = intern(g, shapes::contracted(c, shape_of_operand, extent, meet));

  shapes::letter_set set[N]{};
  shapes::letter_set const result = c.result.set();
  for (int k = 0; k < N; ++k) set[k] = c.operand[k].set();
  auto const read_but_by = [&](int a, int b) {
    shapes::letter_set s = result;
    for (int k = 0; k < N; ++k)
      if (k != a && k != b) s |= set[k];
    return s;
  };
  lettered<V> factor[N]{};
  for (int k = 0; k < N; ++k) {
    bool const computes = N > 1 || (set[k] & ~result) != 0;
    factor[k] = {computes ? cast(x[k], matmul_t::type_of_sums(type)) : x[k], c.operand[k]};
    factor[k].broadcast(extent);
    factor[k].take_diagonals();
    factor[k].sum_all_but(read_but_by(k, k));
    set[k] = factor[k].axes.set();
  }
  auto const order = shapes::order_of<N>(set, result, extent);
  for (int k = 0; k < order.count; ++k) {
    int const l = order.step[k].left, r = order.step[k].right;
    factor[l] = product_of(factor[l], factor[r], read_but_by(l, r), c.result);
    set[l] = factor[l].axes.set(), set[r] = 0;
  }
  return cast(reshape(factor[0].among(c.result), shape), type);
}

}  // namespace ir

}  // namespace ricci
