// Comparisons, logic and `where`. Their results carry no derivative, but `where` passes one on: it masks the cotangent
// by a selection before anything else touches it, so that a NaN of the branch not taken cannot leak.
// Operands broadcast to one shape; shapes that do not are a compile error or a shape_error.
#pragma once

#include <ricci/core/scalar.hpp>
#include <ricci/ops/elementwise.hpp>

RICCI_OPTIMIZED
namespace ricci {

// Logic on booleans; other types enter as "is not zero".
template <class Derived, int Arity>
struct logical : elementwise<Derived, Arity> {
  static constexpr bool of_operators = true;
  static constexpr std::uint8_t cost = 1;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  static constexpr bool takes_complex = true;
  static constexpr dtype operand_type(dtype) { return dtype::boolean; }
  static constexpr dtype result_type(dtype) { return dtype::boolean; }
};
struct logical_and_t : logical<logical_and_t, 2> {
  static constexpr auto name = "logical_and";
  static constexpr bool commutative = true;
  RICCI_FN kernel(auto a, auto b) { return a && b; }
};
struct logical_or_t : logical<logical_or_t, 2> {
  static constexpr auto name = "logical_or";
  static constexpr bool commutative = true;
  RICCI_FN kernel(auto a, auto b) { return a || b; }
};
struct logical_xor_t : logical<logical_xor_t, 2> {
  static constexpr auto name = "logical_xor";
  static constexpr bool commutative = true;
  RICCI_FN kernel(auto a, auto b) { return a != b; }
};
struct logical_not_t : logical<logical_not_t, 1> {
  static constexpr auto name = "logical_not";
  RICCI_FN kernel(auto a) { return !a; }
};
inline constexpr logical_and_t logical_and{};
inline constexpr logical_or_t logical_or{};
inline constexpr logical_xor_t logical_xor{};
inline constexpr logical_not_t logical_not{};

// A number beside integers takes their type, and one that they do not hold is another number there: a value_error, and
// in a traced function, where this is no constant expression, a compile error.
inline namespace RICCI_ABI {
RICCI_COLD inline void integers_are_compared_with_a_number_that_their_type_does_not_hold(index_t x, dtype t) {
  core::raise<value_error>(core::text() << "a comparison of " << name_of(t) << " with " << x
                                        << ", which that type does not hold");
}
}  // namespace RICCI_ABI
template <class T, class B>
RICCI_INLINE constexpr void require_held(B b) {
  auto const kept = static_cast<T>(b);
  if (static_cast<B>(kept) != b || (kept < T(0)) != (b < B(0)))
    integers_are_compared_with_a_number_that_their_type_does_not_hold(static_cast<index_t>(b), dtype_of<T>);
}
template <class A, class B>
RICCI_INLINE constexpr void require_comparable([[maybe_unused]] A const& a, [[maybe_unused]] B const& b) {
  if constexpr (std::is_integral_v<B> && is_any_tensor<A>) {
    if (is_integer(a.dtype()))
      with_type(a.dtype(), [&]<class T>(T) {
        if constexpr (is_integer(dtype_of<T>)) require_held<T>(b);
      });
  } else if constexpr (std::is_integral_v<B> && !std::is_integral_v<A> && is_integer(own_type<A>())) {
    require_held<type_of<own_type<A>()>>(b);
  } else if constexpr (std::is_integral_v<A> && !std::is_integral_v<B>) {
    require_comparable(b, a);
  }
}

// Comparisons; of conditions, false is less than true.
template <class Derived>
struct comparison : elementwise<Derived, 2> {
  using elementwise<Derived, 2>::operator();
  template <class A, class B>
  requires(operands<A, B> && !value_operands<A, B> &&
           std::is_integral_v<std::remove_cvref_t<A>> != std::is_integral_v<std::remove_cvref_t<B>>) RICCI_INLINE
      constexpr auto
      operator()(A&& a, B&& b) const {
    require_comparable(a, b);
    return call_operation<Derived>(no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b));
  }
  static constexpr bool of_operators = true;
  static constexpr std::uint8_t cost = 1;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  static constexpr dtype operand_type(dtype t) { return t; }
  static constexpr dtype result_type(dtype) { return dtype::boolean; }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> a, ir::value<Mode> b) {
    ir::value<Mode> x[] = {a, b};
    for (int k = 0; k < 2; ++k)  // double, to which these promote, does not hold them
      if (x[k].type() == dtype::int64 && x[1 - k].type() == dtype::uint64) return of_unsigned(x, k);
    return ir::record_elementwise<Derived>(x);
  }

 private:
  // of operand k, which is signed, and one that is not: what is below 0 is below all of these
  template <class V>
  static constexpr V of_unsigned(V (&x)[2], int k) {
    V const negative = x[k] < 0;
    x[k] = ir::cast(x[k], dtype::uint64);
    V const compared = ir::record_elementwise<Derived>(x);
    if (k == 0 ? Derived::kernel(-1, 0) : Derived::kernel(0, -1)) return logical_or(negative, compared);
    return logical_and(logical_not(negative), compared);
  }
};
struct equal_t : comparison<equal_t> {
  static constexpr auto name = "equal";
  static constexpr bool commutative = true, takes_complex = true;
  RICCI_FN kernel(auto a, auto b) { return a == b; }
};
struct not_equal_t : comparison<not_equal_t> {
  static constexpr auto name = "not_equal";
  static constexpr bool commutative = true, takes_complex = true;
  RICCI_FN kernel(auto a, auto b) { return a != b; }
};
struct less_t : comparison<less_t> {
  static constexpr auto name = "less";
  RICCI_FN kernel(auto a, auto b) { return a < b; }
  static constexpr auto on_booleans(auto a, auto b) { return logical_not(a) & b; }
};
struct less_equal_t : comparison<less_equal_t> {
  static constexpr auto name = "less_equal";
  RICCI_FN kernel(auto a, auto b) { return a <= b; }
  static constexpr auto on_booleans(auto a, auto b) { return logical_not(a) | b; }
};
struct greater_t : comparison<greater_t> {
  static constexpr auto name = "greater";
  RICCI_FN kernel(auto a, auto b) { return a > b; }
  static constexpr auto on_booleans(auto a, auto b) { return a & logical_not(b); }
};
struct greater_equal_t : comparison<greater_equal_t> {
  static constexpr auto name = "greater_equal";
  RICCI_FN kernel(auto a, auto b) { return a >= b; }
  static constexpr auto on_booleans(auto a, auto b) { return a | logical_not(b); }
};

// where(condition, a, b): a where the condition holds, else b, all three broadcast to one shape; what misfits is a
// compile error or a shape_error.
struct where_t : elementwise<where_t, 3> {
  static constexpr auto name = "where";
  static constexpr bool of_operators = true;
  static constexpr std::uint8_t cost = 1;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  static constexpr int first_numeric = 1;
  static constexpr bool selects = true, only_moves = true, takes_complex = true;
  static constexpr dtype operand_type(dtype t) { return t; }
  RICCI_FN kernel(auto condition, auto a, auto b) {
    using scalar::select;
    return select(condition, a, b);
  }
  static constexpr auto pull(auto g, auto, auto condition, auto, auto);
};

inline constexpr equal_t equal{};
inline constexpr not_equal_t not_equal{};
inline constexpr less_t less{};
inline constexpr less_equal_t less_equal{};
inline constexpr greater_t greater{};
inline constexpr greater_equal_t greater_equal{};
inline constexpr where_t where{};

constexpr auto where_t::pull(auto g, auto, auto condition, auto, auto) {
  return each{none, where(condition, g, 0.), where(condition, 0., g)};
}

// Asked for by its size: whether the first operand is no condition that is compared with a number.
template <class A, class B>
struct compared_once {
  static_assert(own_type<A>() != dtype::boolean || !is_arithmetic<std::remove_cvref_t<B>> ||
                    std::is_same_v<std::remove_cvref_t<B>, bool>,
                "comparisons do not chain: a < x < b compares a condition with b; write (a < x) & (x < b), and of a "
                "condition alone b, !b or b != 0");
};

template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator==(A&& a, B&& b) { return equal(static_cast<A&&>(a), static_cast<B&&>(b)); }
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator!=(A&& a, B&& b) { return not_equal(static_cast<A&&>(a), static_cast<B&&>(b)); }
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator<(A&& a, B&& b) {
  (void)sizeof(compared_once<A, B>);
  return less(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator<=(A&& a, B&& b) {
  (void)sizeof(compared_once<A, B>);
  return less_equal(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator>(A&& a, B&& b) {
  (void)sizeof(compared_once<A, B>);
  return greater(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator>=(A&& a, B&& b) {
  (void)sizeof(compared_once<A, B>);
  return greater_equal(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A>
requires tensor_operands<A>
constexpr auto operator!(A&& a) { return logical_not(static_cast<A&&>(a)); }

namespace ir {

// the same on values, but for `!`, which asks a value whether there is one
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator==(A const& a, B const& b) {
  return record_values<equal_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator!=(A const& a, B const& b) {
  return record_values<not_equal_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator<(A const& a, B const& b) { return record_values<less_t>(no_attributes{}, a, b); }
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator<=(A const& a, B const& b) {
  return record_values<less_equal_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator>(A const& a, B const& b) {
  return record_values<greater_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator>=(A const& a, B const& b) {
  return record_values<greater_equal_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator&(A const& a, B const& b) {
  return record_values<logical_and_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator|(A const& a, B const& b) {
  return record_values<logical_or_t>(no_attributes{}, a, b);
}

template <class V>
constexpr masked<V> masked_of(V ct) {
  if (!ct.is(facts_of<where_t>())) return {};
  if (is_literal(*ct.g, ct.operand(2).id, 0.)) return {ct.operand(0), ct.operand(1), true};
  if (is_literal(*ct.g, ct.operand(1).id, 0.)) return {ct.operand(0), ct.operand(2), false};
  return {};
}
template <class V>
constexpr V with_mask_of(masked<V> const& m, V x) {
  return m.holds ? where(m.condition, x, 0.) : where(m.condition, 0., x);
}

}  // namespace ir

}  // namespace ricci
RICCI_OPTIMIZED_END
