// What operations that compute nothing have in common: views show elements of their operand in other places, and what
// is assembled consists of its operands. docs/operations.md has an example.
#pragma once

#include <ricci/ops/call.hpp>
#include <ricci/shape/rules.hpp>
#include <ricci/shape/strided.hpp>

namespace ricci {

// Derived has `map`, `again` (the same view of a tangent), `batched` and `vjp`.
template <class Derived>
struct view_operation : ir::operation_of_kind<ir::op_kind::view, 0> {
  static constexpr dtype type_of_result(dtype t) { return t; }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? Derived::again(at, t[0]) : V{};
  }
};

// Functions whose result has the elements of its operand, where they are. What moves axes moves their strides alike,
// so the rule of shapes serves for both.
template <class Derived>
struct shows_elements {
  static constexpr dtype type_of_result(dtype t) { return t; }
  // whether each element is there once, so that it may be written
  static constexpr bool one_to_one = true;
  // whether strides can tell where they are only if the operand lies in row-major order
  static constexpr bool of_row_major = false;

  template <int N, int M>
  RICCI_INLINE static constexpr void view(auto const& attributes, shapes::strided<N> const& x, shapes::strided<M>& y) {
    view_extents(attributes, x, y);
    shape_t strides{N, {}};
    for (int k = 0; k < N; ++k) strides.extent[k] = x.stride[k];
    shapes::type_context c;
    strides = Derived::shape_of(c, attributes, strides);
    for (int k = 0; k < M; ++k) y.stride[k] = strides.extent[k];
  }
  template <int N, int M>
  RICCI_INLINE static constexpr void view_extents(auto const& attributes, shapes::strided<N> const& x,
                                                  shapes::strided<M>& y) {
    shape_t from{N, {}};
    for (int k = 0; k < N; ++k) from.extent[k] = x.extent[k];
    shapes::type_context c;
    shape_t const to = Derived::shape_of(c, attributes, from);
    if (c.failed) [[unlikely]]
      shapes::raise_misfit(Derived::name, from, to);
    for (int k = 0; k < M; ++k) y.extent[k] = to.extent[k];
    y.offset = x.offset;
  }
};

// A view that is called with its operand alone. Derived has `shape_of`, `map`, `batched`, `vjp`, and `one_to_one`:
// whether each element is there once, so that it may be written. If it starts where its extents say, it has `starts`,
// too, which computes the first coordinates in the operand, in any context: map cannot.
template <class Derived>
struct view_without_attributes : view_operation<Derived> {
  static constexpr bool of_row_major = false;

  // The coordinates in the operand of the first element of a view with `starts`; where there is none, they are 0.
  template <class Context>
  static constexpr shape_t first_of(Context& c, shape_t const& x, shape_t const& y) {
    shape_t first{x.rank, {}};
    bool is_empty = false;
    for (int k = 0; k < y.rank; ++k) is_empty = is_empty || y.extent[k] == 0;
    if (!is_empty) Derived::starts(c, x, y, first.extent);
    return first;
  }

  template <class X>
  requires tensor_operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x));
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes a, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<Derived>(), x.shape_id()};
    int const shape = ir::requested(*x.g, Derived::shape_of(c, a, x.shape()));
    if constexpr (ir::has_starts<Derived>) {
      shape_t first = first_of(c, ir::find(*x.g, x.shape()), ir::find(*x.g, x.g->shapes[shape]));
      for (int k = 0; k < first.rank; ++k) first.extent[k] = ir::length(*x.g, first.extent[k]);
      return ir::record<Derived, Mode>(*x.g, x.type(), shape, {&x.id, 1}, {first.extent, first.rank});
    } else {
      return ir::record<Derived, Mode>(*x.g, x.type(), shape, {&x.id, 1});
    }
  }
  template <class V>
  static constexpr V again(ir::application<V> const&, V x) {
    return record(no_attributes{}, x);
  }
  // where in the memory of the operand its elements lie
  template <int N, int M>
  RICCI_INLINE static constexpr void view(no_attributes a, shapes::strided<N> const& x, shapes::strided<M>& y) {
    shows_elements<Derived>::view_extents(a, x, y);
    shape_t from{N, {}}, to{M, {}};
    for (int k = 0; k < N; ++k) from.extent[k] = x.extent[k];
    for (int k = 0; k < M; ++k) to.extent[k] = y.extent[k];
    affine_map const m = [&] {
      if constexpr (ir::has_starts<Derived>) {
        shapes::type_context c;
        return ir::map_with_starts<Derived>(first_of(c, from, to).extent, from, to);
      } else {
        return Derived::map(nullptr, from, to);
      }
    }();
    for (int k = 0; k < N; ++k) y.offset += m.start[k] * x.stride[k];
    for (int k = 0; k < m.count; ++k) y.stride[m.terms[k].with] += m.terms[k].step * x.stride[m.terms[k].of];
  }
};

// Derived has `part` for each operand, `parts_overlap`, `jvp`, `vjp` and `batched`; its operands fill the result.
struct assembly : ir::operation_of_kind<ir::op_kind::assemble, 0> {};

}  // namespace ricci
