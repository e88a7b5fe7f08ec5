// Numbers for each axis of images, and the extents that windows leave of them, counted in types and in graphs.
#pragma once

#include <ricci/ops/core_call.hpp>

namespace ricci {

// A number for all axes of an image, or one for each: of rows and columns, of slices, rows and columns.
struct per_axis {
  index_t of[3];
  int count;
  constexpr per_axis(index_t n) : of{n, n, n}, count(1) {}
  constexpr per_axis(index_t of_rows, index_t of_columns) : of{of_rows, of_columns, 0}, count(2) {}
  constexpr per_axis(index_t of_slices, index_t of_rows, index_t of_columns)
      : of{of_slices, of_rows, of_columns}, count(3) {}
  // as nvcc writes it back where it is part of a type
  constexpr per_axis(index_t const (&each)[3], int n) : of{each[0], each[1], each[2]}, count(n) {}
  constexpr index_t operator[](int axis) const { return of[axis]; }
  constexpr bool are_at_least(index_t least) const {
    for (int k = 0; k < count; ++k)
      if (of[k] < least) return false;
    return true;
  }
  // whether there is one for all, or one for each of so many axes; a sequence has the first
  constexpr bool suffice(int axes) const { return count == 1 || count == axes || axes == 1; }
};

namespace convolutions {

template <class Context>
constexpr bool is_open(Context&, index_t n) {
  if constexpr (requires(Context & c) { c.g; })
    return false;
  else
    return n < 0;
}
template <class Context>
constexpr index_t scaled(Context& c, index_t n, index_t by) {
  if constexpr (requires { c.g; })
    return ir::times(c.g, n, by);
  else
    return n < 0 ? (by == 0 ? 0 : n) : n * by;
}
// max(n, 0) / by
template <class Context>
constexpr index_t quotient(Context& c, index_t n, index_t by) {
  if constexpr (requires { c.g; })
    return ir::divide(c.g, ir::length(c.g, n), by);
  else
    return n > 0 ? n / by : 0;
}
// in types plain numbers, which may pass below 0
template <class Context>
constexpr index_t sum(Context& c, index_t a, index_t b) {
  if constexpr (requires { c.g; })
    return ir::plus(c.g, a, b);
  else
    return a + b;
}
template <class Context>
constexpr index_t negated(Context& c, index_t n) {
  if constexpr (requires { c.g; })
    return ir::minus(c.g, 0, n);
  else
    return -n;
}
// d (i - 1) + 1
template <class Context>
constexpr index_t reach(Context& c, index_t i, index_t dilation) {
  return sum(c, scaled(c, i, dilation), 1 - dilation);
}
// (h + 2 pad - reach) / stride + 1. Where extents are negative in types they are open: nothing is known.
template <class Context>
constexpr index_t extent_of_windows(Context& c, index_t h, index_t i, index_t stride, index_t pad, index_t dilation) {
  if (is_open(c, h) || is_open(c, i)) return dyn;
  index_t const reached = reach(c, i, dilation), padded = sum(c, h, 2 * pad + stride);
  return quotient(c, sum(c, padded, negated(c, reached)), stride);
}

// The last axes of x.
template <class V>
constexpr shape_t core_shape(V x, int rank) {
  shape_t const s = x.shape();
  shape_t r{};
  for (int axis = s.rank - rank; axis < s.rank; ++axis) r.push(s.extent[axis]);
  return r;
}
// A call of operands of one type, whose result's core has extents of its own; the batches before the cores are
// broadcast.
template <class Op, class V, int N>
constexpr V call_over(V const (&x)[N], shape_t const& core_of_result, index_t const* attributes) {
  auto& g = *x[0].g;
  shape_t batch{};
  ir::graph_context<typename V::graph_type> c{g, ir::facts_of<Op>(), x[0].shape_id(), N > 1 ? x[N - 1].shape_id() : -1};
  for (int k = 0; k < N; ++k) {
    shape_t before = x[k].shape();
    before.rank -= Op::core.rank[k];
    batch = k == 0 ? before : shapes::broadcast(c, batch, before);
  }
  if (batch.rank + Op::core.loops() > max_rank) c.fail();
  int operands[N]{};
  for (int k = 0; k < N; ++k) {
    shape_t const own = x[k].shape();
    shape_t s = batch;
    for (int axis = own.rank - Op::core.rank[k]; axis < own.rank; ++axis) s.push(own.extent[axis]);
    operands[k] = ir::broadcast_to(x[k], ir::intern(g, s)).id;
  }
  for (int axis = 0; axis < core_of_result.rank; ++axis) batch.push(core_of_result.extent[axis]);
  index_t numbers[Op::attributes]{};
  for (int k = 0; k < Op::attributes; ++k) numbers[k] = attributes[k];
  return ir::call<Op, typename V::mode>(g, x[0].type(), &batch, {operands, N}, {numbers, Op::attributes});
}
// The attributes of a call, as they were recorded.
template <class Op>
struct manner_of {
  index_t at[Op::attributes];
  template <class V>
  constexpr manner_of(ir::application<V> const& from) : at{} {
    for (int k = 0; k < Op::attributes; ++k) at[k] = from.attr(k);
  }
};

}  // namespace convolutions
}  // namespace ricci
