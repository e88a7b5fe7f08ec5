// Views of a value: another shape, another order, a part. Nothing is computed; a kernel reads through them by its
// strides. All are linear, so the tangent takes the same view as the value and the cotangent goes back the other way.
#pragma once

#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/view_operation.hpp>

namespace ricci {

namespace ir {

// Recording of views by graph-level shapes and axes; what changes nothing is not recorded.
template <class Mode>
constexpr value<Mode> permute(value<Mode> x, index_t const* axes, int n);
template <class Mode>
constexpr value<Mode> reshape(value<Mode> x, int shape);
template <class Mode>
constexpr value<Mode> slice(value<Mode> x, int shape, index_t const* starts, index_t const* steps);
template <class Mode>
constexpr value<Mode> sum_over(value<Mode> x, int mask);
template <class Mode>
constexpr value<Mode> sum_open_axes(value<Mode> x, int shape);
template <class Mode>
constexpr value<Mode> update_slice(value<Mode> x, value<Mode> part, index_t const* starts, index_t const* steps);

template <class G>
constexpr int with_first_axis(G& g, index_t n, shape_t const& of) {
  shape_t s{1, {n}};
  for (int k = 0; k < of.rank; ++k) s.push(of.extent[k]);
  return intern(g, s);
}

// Starts and steps of slices behind another axis, the first, which is taken whole.
struct slices_behind_first {
  index_t start[max_rank]{0}, step[max_rank]{1};
  template <class V>
  constexpr explicit slices_behind_first(application<V> const& at) {
    int const rank = at.y.rank();
    for (int k = 0; k < rank; ++k) start[k + 1] = at.attr(k), step[k + 1] = at.attr(rank + k);
  }
};

template <class Mode>
constexpr value<Mode> zeros_like(value<Mode> x) {
  return literal<Mode>(*x.g, 0, x.type(), x.shape_id());
}
template <class Mode>
constexpr value<Mode> full_like(value<Mode> x, double number) {
  return literal<Mode>(*x.g, number, x.type(), x.shape_id());
}
// the same literal in another type and shape
template <class Mode>
constexpr value<Mode> literal_as(value<Mode> x, dtype t, int shape) {
  if (is_integer(x.type()) && is_integer(t)) return integer_literal<Mode>(*x.g, x.g->attr(x.id, 0), t, shape);
  return literal<Mode>(*x.g, literal_number(*x.g, x.id), t, shape);
}

}  // namespace ir

// The same number in another element type; floats become integers by truncation.
struct astype_t : elementwise<astype_t, 1> {
  static constexpr auto name = "astype";
  static constexpr std::uint8_t cost = 1;
  static constexpr bool converts = true;  // the kernel is told its result type
  static constexpr bool takes_complex = true;
  template <class To>
  RICCI_FN kernel(auto x) {
    using scalar::convert;
    return convert<To>(x);
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? ir::cast(t[0], at.y.type()) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    if (is_inexact(at.operand(0).type())) out[0] = ir::cast(ct, at.operand(0).type());
  }
};

// Axis k of the result is axis axes[k] of the operand. Attributes: the axes.
struct permute_dims_t : view_operation<permute_dims_t> {
  static constexpr auto name = "permute_dims";
  static constexpr bool hands_extents_on = true;
  static constexpr affine_map map(index_t const* axes, shape_t const& x, shape_t const&) {
    affine_map m{};
    m.rank = x.rank;
    for (int k = 0; k < x.rank; ++k) add_term(m, static_cast<int>(axes[k]), k);
    return m;
  }
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V x) {
    index_t axes[max_rank]{};
    int const rank = at.y.rank();
    for (int k = 0; k < rank; ++k) axes[k + 1] = at.attr(k) + 1;
    return ir::permute(x, axes, rank + 1);
  }
  template <class V>
  static constexpr V again(ir::application<V> const& at, V x) {
    return ir::permute(x, &x.g->attributes[at.y.ins().attr], at.y.ins().attrs);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    index_t inverse[max_rank]{};
    for (int k = 0; k < at.y.rank(); ++k) inverse[at.attr(k)] = k;
    out[0] = ir::permute(ct, inverse, at.y.rank());
  }
};

// Broadcast to a larger shape by NumPy's rule; the cotangent is summed over the axes that were broadcast.
struct broadcast_to_t : view_operation<broadcast_to_t> {
  static constexpr auto name = "broadcast_to";
  static constexpr bool hands_extents_on = true;
  static constexpr affine_map map(index_t const*, shape_t const& x, shape_t const& y) {
    affine_map m{};
    m.rank = x.rank;
    int const more = y.rank - x.rank;
    for (int k = 0; k < x.rank; ++k) {
      if (x.extent[k] == 1) continue;
      add_term(m, k, k + more);
      if (x.extent[k] != y.extent[k + more] && ir::is_symbolic(x.extent[k])) m.broadcast |= 1u << k;
    }
    return m;
  }
  // new axes come between the batch and what was there
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V x) {
    shape_t const from = x.shape(), to = at.y.shape();
    shape_t s{1, {from.extent[0]}};
    for (int k = from.rank - 1; k < to.rank; ++k) s.push(1);
    for (int k = 1; k < from.rank; ++k) s.push(from.extent[k]);
    V const aligned = ir::reshape(x, ir::intern(*x.g, s));
    return ir::broadcast_to(aligned, ir::with_first_axis(*x.g, from.extent[0], to));
  }
  template <class V>
  static constexpr V again(ir::application<V> const& at, V x) {
    return ir::broadcast_to(x, at.y.shape_id());
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = ir::sum_to(ct, at.operand(0).shape_id());
  }
};

// The same elements in row-major order under other extents.
struct reshape_t : view_operation<reshape_t> {
  static constexpr auto name = "reshape";
  static constexpr ir::op_kind kind = ir::op_kind::reshape;
  template <class V>
  static constexpr V again(ir::application<V> const& at, V x) {
    return ir::reshape(x, at.y.shape_id());
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = ir::reshape(ct, at.operand(0).shape_id());
  }
};

// Elements start, start + step, ... of every axis. Attributes: starts, then steps. The cotangent is put back among
// zeros.
struct slice_t : view_operation<slice_t> {
  static constexpr auto name = "slice";
  static constexpr bool hands_extents_on = true;
  static constexpr affine_map map(index_t const* attributes, shape_t const& x, shape_t const&) {
    return slice_map(x.rank, attributes, attributes + x.rank);
  }
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V x) {
    ir::slices_behind_first const s(at);
    return ir::slice(x, ir::with_first_axis(*x.g, x.shape().extent[0], at.y.shape()), s.start, s.step);
  }
  template <class V>
  static constexpr V again(ir::application<V> const& at, V x) {
    auto const* a = &x.g->attributes[at.y.ins().attr];
    return ir::slice(x, at.y.shape_id(), a, a + at.y.rank());
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const zeros = ir::zeros_like(at.operand(0));  // before the attributes are pointed to: they may move
    auto const* a = &ct.g->attributes[at.y.ins().attr];
    out[0] = ir::update_slice(zeros, ct, a, a + at.y.rank());
  }
};

// Operand 0 with operand 1 written over the slice given by the attributes (starts, then steps).
struct update_slice_t : assembly {
  static constexpr auto name = "update_slice";
  static constexpr bool hands_extents_on = true;
  static constexpr bool parts_overlap = true;
  static constexpr part_map part(index_t const* attributes, shape_t const& x, int k) {
    return {k == 0 ? identity_map(x.rank) : slice_map(x.rank, attributes, attributes + x.rank)};
  }
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V const* x) {
    ir::slices_behind_first const s(at);
    return ir::update_slice(x[0], x[1], s.start, s.step);
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V const base = t[0] ? t[0] : ir::zeros_like(at.y), part = t[1] ? t[1] : ir::zeros_like(at.operand(1));
    auto const* a = &at.y.g->attributes[at.y.ins().attr];
    return t[0] || t[1] ? ir::update_slice(base, part, a, a + at.y.rank()) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const zeros = ir::zeros_like(at.operand(1));
    auto const attributes = [&] { return &ct.g->attributes[at.y.ins().attr]; };
    out[0] = ir::update_slice(ct, zeros, attributes(), attributes() + at.y.rank());
    out[1] = ir::slice(ct, at.operand(1).shape_id(), attributes(), attributes() + at.y.rank());
  }
};

namespace ir {

template <class Mode>
constexpr value<Mode> cast(value<Mode> x, dtype t) {
  if (x.type() == t) return x;
  if (is_literal(*x.g, x.id)) return literal_as(x, t, x.shape_id());
  return record<astype_t, Mode>(*x.g, t, x.shape_id(), {&x.id, 1});
}

template <class Mode>
constexpr value<Mode> permute(value<Mode> x, index_t const* axes, int n) {
  bool same = true;
  shape_t s{};
  index_t attributes[max_rank]{};
  for (int k = 0; k < n; ++k) {
    same = same && axes[k] == k;
    attributes[k] = axes[k];
    s.push(x.shape().extent[axes[k]]);
  }
  if (same) return x;
  return record<permute_dims_t, Mode>(*x.g, x.type(), intern(*x.g, s), {&x.id, 1}, {attributes, n});
}

// axis `from` becomes axis `to`; the others keep their order
template <class Mode>
constexpr value<Mode> move_axis(value<Mode> x, int from, int to) {
  index_t axes[max_rank]{};
  for (int k = 0, other = 0; k < x.rank(); ++k) {
    if (other == from) ++other;
    axes[k] = k == to ? from : other++;
  }
  return permute(x, axes, x.rank());
}

// the last two axes exchanged
template <class Mode>
constexpr value<Mode> transposed(value<Mode> x) {
  return move_axis(x, x.rank() - 1, x.rank() - 2);
}

template <class Mode>
constexpr value<Mode> broadcast_to(value<Mode> x, int shape) {
  if (same_shape(*x.g, x.shape_id(), shape)) return x;
  if (is_literal(*x.g, x.id)) return literal_as(x, x.type(), shape);
  return record<broadcast_to_t, Mode>(*x.g, x.type(), shape, {&x.id, 1});
}

template <class Mode>
constexpr value<Mode> reshape(value<Mode> x, int shape) {
  if (same_shape(*x.g, x.shape_id(), shape)) return x;
  if (is_literal(*x.g, x.id)) return literal_as(x, x.type(), shape);
  return record<reshape_t, Mode>(*x.g, x.type(), shape, {&x.id, 1});
}

// all elements on one axis, in row-major order
template <class Mode>
constexpr value<Mode> flattened(value<Mode> x) {
  return reshape(x, intern(*x.g, shape_t{1, {element_count(x)}}));
}

struct slice_attributes {
  index_t at[max_attributes]{};  // starts, then steps
  bool all = true;               // it begins with the first element of each axis and leaves none out
  constexpr slice_attributes(int rank, index_t const* starts, index_t const* steps) {
    for (int k = 0; k < rank; ++k) {
      all = all && starts[k] == 0 && steps[k] == 1;
      at[k] = starts[k];
      at[rank + k] = steps[k];
    }
  }
};
template <class Mode>
constexpr value<Mode> slice(value<Mode> x, int shape, index_t const* starts, index_t const* steps) {
  slice_attributes const a(x.rank(), starts, steps);
  if (a.all && same_shape(*x.g, x.shape_id(), shape)) return x;
  if (is_literal(*x.g, x.id)) return literal_as(x, x.type(), shape);
  return record<slice_t, Mode>(*x.g, x.type(), shape, {&x.id, 1}, {a.at, 2 * x.rank()});
}

// backwards along the axes whose bits are set
template <class Mode>
constexpr value<Mode> flip(value<Mode> x, int mask) {
  index_t starts[max_rank]{}, steps[max_rank]{};
  for (int k = 0; k < x.rank(); ++k) {
    steps[k] = mask >> k & 1 ? -1 : 1;
    starts[k] = mask >> k & 1 ? plus(*x.g, x.shape().extent[k], -1) : 0;
  }
  return slice(x, x.shape_id(), starts, steps);
}

// `length` elements of x along an axis, from `start` on, every `step`-th
template <class V>
constexpr V stretch(V x, int axis, index_t start, index_t length, index_t step = 1) {
  index_t starts[max_rank]{}, steps[max_rank]{};
  for (auto& one : steps) one = 1;
  starts[axis] = start, steps[axis] = step;
  shape_t s = x.shape();
  s.extent[axis] = length;
  return slice(x, intern(*x.g, s), starts, steps);
}
// element t of x along an axis, without that axis
template <class Mode>
constexpr value<Mode> element_of(value<Mode> x, int axis, index_t t) {
  int const rest = intern(*x.g, shapes::reduced(x.shape(), 1 << axis, false));
  return reshape(stretch(x, axis, t, 1), rest);
}

template <class Mode>
constexpr value<Mode> update_slice(value<Mode> x, value<Mode> part, index_t const* starts, index_t const* steps) {
  slice_attributes const a(x.rank(), starts, steps);
  if (a.all && same_shape(*x.g, x.shape_id(), part.shape_id())) return part;
  int const operands[] = {x.id, part.id};
  return record<update_slice_t, Mode>(*x.g, x.type(), x.shape_id(), {operands, 2}, {a.at, 2 * x.rank()});
}

// x broadcast to a shape; that it fits is checked, else it is a shape_error of Op.
template <class Op = broadcast_to_t, class Mode>
constexpr value<Mode> checked_broadcast_to(value<Mode> x, int shape) {
  auto& g = *x.g;
  graph_context<typename Mode::graph> c{g, facts_of<Op>(), shape, x.shape_id()};
  shape_t const to = g.shapes[shape], from = x.shape();
  int const off = to.rank - from.rank;
  if (off < 0) c.fail();
  for (int k = off < 0 ? from.rank : 0; k < from.rank; ++k) c.broadcast_to(to.extent[k + off], from.extent[k]);
  return broadcast_to(x, shape);
}

// Summed over the axes along which `shape` is broadcast to the shape of x: the transpose of broadcast_to. Axes that are
// known to be go first; whether the others are is seen when the graph runs.
template <class Mode>
constexpr value<Mode> sum_to(value<Mode> x, int shape) {
  auto& g = *x.g;
  if (same_shape(g, x.shape_id(), shape)) return x;
  shape_t const from = x.shape(), to = g.shapes[shape];
  int mask = 0, off = from.rank - to.rank;
  for (int k = 0; k < from.rank; ++k)
    if (k < off || (find(g, to.extent[k - off]) == 1 && find(g, from.extent[k]) != 1)) mask |= 1 << k;
  shape_t known = to;
  for (int k = 0; k < to.rank; ++k) known.extent[k] = mask >> (k + off) & 1 ? 1 : from.extent[k + off];
  x = reshape(sum_over(x, mask), intern(g, known));
  return same_shape(g, x.shape_id(), shape) ? x : sum_open_axes(x, shape);
}

}  // namespace ir

}  // namespace ricci
