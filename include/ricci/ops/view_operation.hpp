// What operations that compute nothing have in common: views show elements of their operand in other places, and what
// is assembled consists of its operands. docs/operations.md has an example.
#pragma once

#include <ricci/ops/call.hpp>

namespace ricci {

// Derived has `map`, `again` (the same view of a tangent), `batched` and `vjp`.
template <class Derived>
struct view_operation {
  static constexpr ir::op_kind kind = ir::op_kind::view;
  static constexpr std::uint8_t cost = 0;
  static constexpr bool commutative = false;
  static constexpr dtype type_of_result(dtype t) { return t; }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? Derived::again(at, t[0]) : V{};
  }
};

// A view that is called with its operand alone. Derived has `shape_of`, `map`, `batched` and `vjp`.
template <class Derived>
struct view_without_attributes : view_operation<Derived> {
  template <class X>
  requires tensor_operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x));
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes a, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<Derived>(), x.shape_id(), x.shape_id()};
    return ir::record<Derived, Mode>(*x.g, x.type(), ir::intern(*x.g, Derived::shape_of(c, a, x.shape())), {&x.id, 1});
  }
  template <class V>
  static constexpr V again(ir::application<V> const&, V x) {
    return record(no_attributes{}, x);
  }
};

// Derived has `part` for each operand, `parts_overlap`, `jvp`, `vjp` and `batched`; its operands fill the result.
struct assembly {
  static constexpr ir::op_kind kind = ir::op_kind::assemble;
  static constexpr std::uint8_t cost = 0;
  static constexpr bool commutative = false;
};

}  // namespace ricci
