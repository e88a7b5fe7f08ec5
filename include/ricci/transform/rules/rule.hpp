// A rewriting rule is a small struct: at which operation it looks, from which level on it is used, and what it makes of
// an instruction; an empty value says that it does not apply.
//
//   struct double_negation {
//     using root = negative_t;
//     static constexpr level from = level::exact;
//     template <class V> static constexpr V apply(V y) { ... }
//   };
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/ops/trigonometry.hpp>

namespace ricci {

// How far simplification may go: `exact` changes no value, `stable` may change the last digits for the sake of range
// and accuracy, `fast` also reassociates.
enum class level : std::uint8_t { off, exact, stable, fast };

namespace transform {

template <class Op, class V>
constexpr bool is(V x) {
  return x.is(ir::facts_of<Op>());
}
template <class V>
constexpr bool is_literal(V x) {
  return ir::is_literal(*x.g, x.id);
}
template <class V>
constexpr bool is_number(V x, double n) {
  return ir::is_literal(*x.g, x.id, n);
}
template <class V>
constexpr double number_of(V x) {
  return ir::literal_number(*x.g, x.id);
}
// x without the views that only broadcast or relabel axes: what its elements are made of
template <class V>
constexpr V behind_views(V x) {
  while (is<broadcast_to_t>(x) || is<reshape_t>(x)) x = x.operand(0);
  return x;
}

}  // namespace transform

}  // namespace ricci
