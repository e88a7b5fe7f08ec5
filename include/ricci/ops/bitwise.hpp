// Bits of integers, and conditions as of one bit: `rc::bitwise_and(a, b)` and its like, and the operators `a & b`,
// `a | b`, `a ^ b`, `~a`, `a << n`, `a >> n`, as in NumPy, also as updates, `a &= b`. Floats are a compile error.
// Operands broadcast to one shape; shapes that do not are a compile error or a shape_error.
#pragma once

#include <ricci/ops/arithmetic.hpp>

RICCI_OPTIMIZED
namespace ricci {

template <class Derived, int Arity>
struct bitwise : elementwise<Derived, Arity> {
  static constexpr bool of_instructions = true, takes_integers_alone = true;
  static constexpr std::uint8_t cost = 1;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  // (of floats there is no kernel)
  static constexpr dtype operand_type(dtype t) { return is_inexact(t) ? dtype::int64 : t; }
};
struct bitwise_and_t : bitwise<bitwise_and_t, 2> {
  static constexpr auto name = "bitwise_and";
  static constexpr bool commutative = true;
  RICCI_FN kernel(auto a, auto b) { return static_cast<decltype(a)>(a & b); }
  static constexpr auto on_booleans(auto a, auto b) { return logical_and(a, b); }
};
struct bitwise_or_t : bitwise<bitwise_or_t, 2> {
  static constexpr auto name = "bitwise_or";
  static constexpr bool commutative = true;
  RICCI_FN kernel(auto a, auto b) { return static_cast<decltype(a)>(a | b); }
  static constexpr auto on_booleans(auto a, auto b) { return logical_or(a, b); }
};
struct bitwise_xor_t : bitwise<bitwise_xor_t, 2> {
  static constexpr auto name = "bitwise_xor";
  static constexpr bool commutative = true;
  RICCI_FN kernel(auto a, auto b) { return static_cast<decltype(a)>(a ^ b); }
  static constexpr auto on_booleans(auto a, auto b) { return logical_xor(a, b); }
};
struct bitwise_invert_t : bitwise<bitwise_invert_t, 1> {
  static constexpr auto name = "bitwise_invert";
  RICCI_FN kernel(auto a) {
    using T = decltype(a);
    return static_cast<T>(a ^ static_cast<T>(-1));
  }
  static constexpr auto on_booleans(auto a, auto) { return logical_not(a); }
};
// Conditions enter as integers. What is shifted by its size or more, or by a negative number, has lost all its bits: it
// is 0, and to the right -1 where it was negative, as in NumPy.
template <class Derived>
struct shift : bitwise<Derived, 2> {
  static constexpr dtype operand_type(dtype t) { return numeric_type_for(is_inexact(t) ? dtype::int64 : t); }
};
struct bitwise_left_shift_t : shift<bitwise_left_shift_t> {
  static constexpr auto name = "bitwise_left_shift";
  RICCI_FN kernel(auto a, auto b) { return scalar::left_shift(a, b); }
};
struct bitwise_right_shift_t : shift<bitwise_right_shift_t> {
  static constexpr auto name = "bitwise_right_shift";
  RICCI_FN kernel(auto a, auto b) { return scalar::right_shift(a, b); }
};
inline constexpr bitwise_and_t bitwise_and{};
inline constexpr bitwise_or_t bitwise_or{};
inline constexpr bitwise_xor_t bitwise_xor{};
inline constexpr bitwise_invert_t bitwise_invert{};
inline constexpr bitwise_left_shift_t bitwise_left_shift{};
inline constexpr bitwise_right_shift_t bitwise_right_shift{};

// Two conditions; else both are to be integers, or one of them a condition: of floats that is a compile error.
template <class A, class B>
constexpr bool are_conditions() {
  return own_type<A>() == dtype::boolean && own_type<B>() == dtype::boolean;
}
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator&(A&& a, B&& b) {
  if constexpr (are_conditions<A, B>())
    return logical_and(static_cast<A&&>(a), static_cast<B&&>(b));
  else
    return bitwise_and(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator|(A&& a, B&& b) {
  if constexpr (are_conditions<A, B>())
    return logical_or(static_cast<A&&>(a), static_cast<B&&>(b));
  else
    return bitwise_or(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator^(A&& a, B&& b) { return bitwise_xor(static_cast<A&&>(a), static_cast<B&&>(b)); }
// (messages are put together by `<<`, too)
template <class A, class B>
requires(!core::is_message<A> && tensor_operands<A, B>)  //
    constexpr auto
    operator<<(A&& a, B&& b) {
  return bitwise_left_shift(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B>
constexpr auto operator>>(A&& a, B&& b) { return bitwise_right_shift(static_cast<A&&>(a), static_cast<B&&>(b)); }
template <class A>
requires tensor_operands<A>
constexpr auto operator~(A&& a) { return bitwise_invert(static_cast<A&&>(a)); }

// `x &= y` is `x = x & y`, as `x += y` in arithmetic.hpp
template <Updatable X, class Y>
requires operands<Y>
constexpr std::remove_reference_t<X>& operator&=(X&& x, Y const& y) {
  return updated<bitwise_and_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y>
constexpr std::remove_reference_t<X>& operator|=(X&& x, Y const& y) {
  return updated<bitwise_or_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y>
constexpr std::remove_reference_t<X>& operator^=(X&& x, Y const& y) {
  return updated<bitwise_xor_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y>
constexpr std::remove_reference_t<X>& operator<<=(X&& x, Y const& y) {
  return updated<bitwise_left_shift_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y>
constexpr std::remove_reference_t<X>& operator>>=(X&& x, Y const& y) {
  return updated<bitwise_right_shift_t>(static_cast<X&&>(x), y);
}

}  // namespace ricci
RICCI_OPTIMIZED_END
