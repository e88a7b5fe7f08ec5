// A rewriting rule is a small struct: at which operation it looks, from which level on it is used, and what it makes of
// an instruction; an empty value says that it does not apply.
//
//   struct double_negation {
//     using root = negative_t;
//     static constexpr level from = level::exact;
//     static constexpr bool of_real_numbers = true;  // where it does not hold of integers and complex numbers
//     template <class V> static constexpr V apply(V y) { ... }
//   };
#pragma once

#include <bit>

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
// The power of two that the first digit of |c| stands for; 1024 for infinities and NaN, -1023 for zeros and what is
// too small to have all digits.
constexpr int exponent_of(double c) { return int(std::bit_cast<std::uint64_t>(c) >> 52 & 0x7ff) - 1023; }
// Whether numbers of these exponents are finite and have all digits in a type. A rule makes no others: they would not
// be what the instructions compute that it replaces, and computing them is no constant expression in some compilers.
constexpr bool are_normal(int least, int greatest, dtype t) {
  return least >= least_exponent(t) && greatest <= greatest_exponent(t);
}
template <class V>
constexpr bool is_normal_literal(V x) {
  if (!is_literal(x) || !is_floating(x.type())) return false;
  int const e = exponent_of(number_of(x));
  return are_normal(e, e, x.type());
}
// whether the product of two normal literals is one
template <class V>
constexpr bool have_normal_product(V a, V b) {
  if (!is_normal_literal(a) || !is_normal_literal(b)) return false;
  int const e = exponent_of(number_of(a)) + exponent_of(number_of(b));
  return are_normal(e, e + 1, a.type());
}
// x without the views that only broadcast or relabel axes: what its elements are made of
template <class V>
constexpr V behind_views(V x) {
  while (is<broadcast_to_t>(x) || is<reshape_t>(x)) x = x.operand(0);
  return x;
}

}  // namespace transform

}  // namespace ricci
