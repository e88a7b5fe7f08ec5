// Arithmetic and the operators for it. Integers wrap. Of conditions, as in NumPy, a sum is "or", a product "and"; they
// have no difference and no negative, which is a compile error. Operands broadcast to one shape; shapes that do not are
// a compile error or a shape_error.
#pragma once

#include <ricci/core/quotients.hpp>
#include <ricci/ops/select.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace scalar {
inline namespace RICCI_ABI {

// The larger (smaller) of two, NaN where either is; of equal ones the second.
template <class T>
RICCI_INLINE RICCI_HD constexpr T larger(T const& a, T const& b) {
  return select((a > b) || (a != a), a, b);
}
template <class T>
RICCI_INLINE RICCI_HD constexpr T smaller(T const& a, T const& b) {
  return select((a < b) || (a != a), a, b);
}

}  // namespace RICCI_ABI
}  // namespace scalar

template <class Derived, int Arity>
struct arithmetic : elementwise<Derived, Arity> {
  static constexpr std::uint8_t cost = 1;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0.5;
  static constexpr dtype operand_type(dtype t) { return numeric_type_for(t); }
};

struct add_t : arithmetic<add_t, 2> {
  static constexpr auto name = "add";
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr bool commutative = true;
  static constexpr dtype operand_type(dtype t) { return t; }
  RICCI_FN kernel(auto a, auto b) { return scalar::add(a, b); }
  static constexpr auto on_booleans(auto a, auto b) { return a | b; }
  static constexpr auto partials(auto, auto, auto) { return each{one, one}; }
};
struct subtract_t : arithmetic<subtract_t, 2> {
  static constexpr auto name = "subtract";
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr bool rejects_booleans = true;
  RICCI_FN kernel(auto a, auto b) { return scalar::subtract(a, b); }
  static constexpr auto pull(auto g, auto, auto, auto) { return each{g, -g}; }
};
struct multiply_t : arithmetic<multiply_t, 2> {
  static constexpr auto name = "multiply";
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr bool commutative = true;
  static constexpr dtype operand_type(dtype t) { return t; }
  RICCI_FN kernel(auto a, auto b) { return scalar::multiply(a, b); }
  static constexpr auto on_booleans(auto a, auto b) { return a & b; }
  static constexpr auto partials(auto, auto a, auto b) { return each{b, a}; }
};
// True division: integers have floor_divide.
struct divide_t : arithmetic<divide_t, 2> {
  static constexpr auto name = "divide";
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr std::uint8_t cost = 4;
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  RICCI_FN kernel(auto a, auto b) { return scalar::divide(a, b); }
  // The reciprocal's is made of products alone, of any order: division is costly.
  template <class V>
  static constexpr auto pull(V g, V y, V a, V b) {
    V const da = ir::is_literal(*a.g, a.id, 1.) ? V(g * y) : V(g / b);
    return each{da, V(-(da * y))};
  }
};
struct negative_t : arithmetic<negative_t, 1> {
  static constexpr auto name = "negative";
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr bool rejects_booleans = true;
  RICCI_FN kernel(auto a) { return scalar::negative(a); }
  static constexpr auto pull(auto g, auto, auto) { return -g; }
};
struct square_t : arithmetic<square_t, 1> {
  static constexpr auto name = "square";
  static constexpr bool of_operators = true, takes_complex = true;
  RICCI_FN kernel(auto a) { return scalar::multiply(a, a); }
  static constexpr auto pull(auto g, auto, auto a) { return 2. * (g * a); }
};
// The cotangents of two operands, g for the one that is chosen, half of it for each at a tie.
constexpr auto shared_at_ties(auto g, auto first, auto second, auto tie) {
  auto const half = where(tie, 0.5 * g, 0.);
  return each{where(first, g, half), where(second, g, half)};
}
// The larger (smaller) operand, NaN where either is; a tie splits the derivative in equal halves.
struct maximum_t : arithmetic<maximum_t, 2> {
  static constexpr auto name = "maximum";
  static constexpr bool of_operators = true;
  static constexpr bool commutative = true;
  static constexpr dtype operand_type(dtype t) { return t; }
  RICCI_FN kernel(auto a, auto b) {
    using scalar::larger;
    return larger(a, b);
  }
  static constexpr auto on_booleans(auto a, auto b) { return a | b; }
  static constexpr auto pull(auto g, auto, auto a, auto b) { return shared_at_ties(g, a > b, a < b, a == b); }
};
struct minimum_t : arithmetic<minimum_t, 2> {
  static constexpr auto name = "minimum";
  static constexpr bool of_operators = true;
  static constexpr bool commutative = true;
  static constexpr dtype operand_type(dtype t) { return t; }
  RICCI_FN kernel(auto a, auto b) {
    using scalar::smaller;
    return smaller(a, b);
  }
  static constexpr auto on_booleans(auto a, auto b) { return a & b; }
  static constexpr auto pull(auto g, auto, auto a, auto b) { return shared_at_ties(g, a<b, a> b, a == b); }
};
// max(x, 0); the derivative at 0 is 0.
struct relu_t : arithmetic<relu_t, 1> {
  static constexpr auto name = "relu";
  static constexpr bool of_instructions = true;
  RICCI_FN kernel(auto a) {
    using scalar::select;
    using T = decltype(a);
    return select(a < T(0), T(0), a);
  }
  static constexpr auto pull(auto g, auto, auto a) { return where(a > 0., g, 0.); }
};
// x within [low, high], NaN where one of the three is; the derivative goes to x in the closed interval, else to the
// bound that holds it.
struct clip_t : arithmetic<clip_t, 3> {
  static constexpr auto name = "clip";
  static constexpr bool of_operators = true;
  using arithmetic<clip_t, 3>::operator();
  template <class X, class N>
  requires operands<X, N>
  constexpr X const& operator()(X const& x, N const (&)[2]) const {
    static_assert(always_false<X>, "clip takes its bounds one by one: rc::clip(x, 0., 1.)");
    return x;
  }
  RICCI_FN kernel(auto x, auto low, auto high) {
    using scalar::clip;
    return clip(x, low, high);
  }
  static constexpr auto pull(auto g, auto, auto x, auto low, auto high) {
    return each{where((x >= low) & (x <= high), g, 0.), where((x < low) & (low <= high), g, 0.),
                where((x > high) | (low > high), g, 0.)};
  }
};
// The quotient rounded towards minus infinity; integers, and floats as in Python: exact up to where the quotient itself
// has no digits after the point.
struct floor_divide_t : arithmetic<floor_divide_t, 2> {
  static constexpr auto name = "floor_divide";
  static constexpr double ulp = 2;
  static constexpr std::uint8_t cost = 8;
  RICCI_FN kernel(auto a, auto b) {
    using scalar::floor_divide;
    return floor_divide(a, b);
  }
  static constexpr auto partials(auto, auto, auto) { return none; }
};
// What floor_divide leaves, with the sign of b, as in Python.
struct remainder_t : arithmetic<remainder_t, 2> {
  static constexpr auto name = "remainder";
  static constexpr std::uint8_t cost = 8;
  RICCI_FN kernel(auto a, auto b) {
    using scalar::remainder;
    return remainder(a, b);
  }
  static constexpr auto pull(auto g, auto, auto a, auto b);
};

// The integer below (above, nearest); halves go to the even one, as in the array API. Integers stay as they are.
struct floor_t : arithmetic<floor_t, 1> {
  static constexpr auto name = "floor";
  static constexpr bool of_instructions = true;
  RICCI_FN kernel(auto a) {
    using scalar::floor;
    return floor(a);
  }
  static constexpr auto partials(auto, auto) { return none; }
};
struct ceil_t : arithmetic<ceil_t, 1> {
  static constexpr auto name = "ceil";
  static constexpr bool of_instructions = true;
  RICCI_FN kernel(auto a) {
    using scalar::ceil;
    return ceil(a);
  }
  static constexpr auto partials(auto, auto) { return none; }
};
struct round_t : arithmetic<round_t, 1> {
  static constexpr auto name = "round";
  static constexpr bool of_instructions = true, takes_complex = true;
  RICCI_FN kernel(auto a) {
    using scalar::round;
    if constexpr (is_complex_number<decltype(a)>)
      return decltype(a)(round(a.real()), round(a.imag()));
    else
      return round(a);
  }
  static constexpr auto partials(auto, auto) { return none; }
};

inline constexpr add_t add{};
inline constexpr subtract_t subtract{};
inline constexpr multiply_t multiply{};
inline constexpr divide_t divide{};
inline constexpr negative_t negative{};
inline constexpr square_t square{};
inline constexpr maximum_t maximum{};
inline constexpr minimum_t minimum{};
inline constexpr relu_t relu{};
inline constexpr clip_t clip{};
inline constexpr floor_divide_t floor_divide{};
inline constexpr remainder_t remainder{};
inline constexpr floor_t floor{};
inline constexpr ceil_t ceil{};
inline constexpr round_t round{};

constexpr auto remainder_t::pull(auto g, auto, auto a, auto b) { return each{g, -(g * floor_divide(a, b))}; }

// integers on both sides of `/`: what is meant has to be said
template <class A, class B>
constexpr bool divides_integers() {
  return !is_inexact(own_type<A>()) && !is_inexact(own_type<B>());
}
// Asked for by its size: whether A / B is one of floating numbers.
template <class A, class B>
struct has_quotient {
  static_assert(!divides_integers<A, B>(),
                "integers have no operator /: use ricci::floor_divide, or ricci::divide for a floating quotient");
};

template <class A, class B>
requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator+(A&& a, B&& b) {
  return add(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator-(A&& a, B&& b) {
  return subtract(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator*(A&& a, B&& b) {
  return multiply(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator/(A&& a, B&& b) {
  (void)sizeof(has_quotient<A, B>);
  return divide(static_cast<A&&>(a), static_cast<B&&>(b));
}
// what floor_divide leaves, as in Python and NumPy
template <class A, class B>
requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator%(A&& a, B&& b) {
  return remainder(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A>
requires tensor_operands<A> RICCI_INLINE constexpr auto operator-(A&& a) { return negative(static_cast<A&&>(a)); }

// What is updated by `x += y`, which is `x = x + y`: tensors, views, symbols and their parts. A lazy view is computed
// with as the view that it is, of which it shows that every element is read where it is written.
template <class X>
concept Updatable = is_native_tensor<std::remove_cvref_t<X>>;
template <class X>
RICCI_INLINE constexpr decltype(auto) target_of_update(X&& x) {
  if constexpr (requires { x.as_view(); })
    return x.as_view();
  else
    return static_cast<X&&>(x);
}
// Asked for by its size: whether what is updated holds its new elements.
template <class X, class Y>
struct keeps_its_type {
  static_assert(own_type<X>() == dtype::none || is_inexact(own_type<X>()) || !is_inexact(own_type<Y>()),
                "integers are updated by integers: k += .5 would lose the fraction; k = k + .5, or k += "
                "rc::astype<int>(x), says that this is meant");
  static_assert(own_type<X>() == dtype::none || is_complex(own_type<X>()) || !is_complex(own_type<Y>()),
                "real numbers are updated by real ones: x += z would lose the imaginary part; x += rc::real(z) says "
                "that this is meant");
  static_assert(own_type<X>() != dtype::boolean || own_type<Y>() == dtype::boolean || own_type<Y>() == dtype::none,
                "conditions are updated by conditions: b += 3 would be true everywhere, as 3 is; b |= c, or k = "
                "rc::astype<int>(b) + 3, says what is meant");
};
// x = Op(x, y). (In C++23 the name of a parameter that is an rvalue reference is an rvalue where it is returned.)
template <class Op, class X, class Y>
RICCI_INLINE constexpr std::remove_reference_t<X>& updated(X&& x, Y const& y) {
  auto&& to = target_of_update(static_cast<X&&>(x));
  static_cast<decltype(to)>(to) = Op{}(to, y);
  return static_cast<std::remove_reference_t<X>&>(x);
}
template <Updatable X, class Y>
requires operands<Y> RICCI_INLINE constexpr std::remove_reference_t<X>& operator+=(X&& x, Y const& y) {
  (void)sizeof(keeps_its_type<X, Y>);
  return updated<add_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y> RICCI_INLINE constexpr std::remove_reference_t<X>& operator-=(X&& x, Y const& y) {
  (void)sizeof(keeps_its_type<X, Y>);
  return updated<subtract_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y> RICCI_INLINE constexpr std::remove_reference_t<X>& operator*=(X&& x, Y const& y) {
  (void)sizeof(keeps_its_type<X, Y>);
  return updated<multiply_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y> RICCI_INLINE constexpr std::remove_reference_t<X>& operator/=(X&& x, Y const& y) {
  (void)sizeof(keeps_its_type<X, Y>);
  (void)sizeof(has_quotient<X, Y>);
  return updated<divide_t>(static_cast<X&&>(x), y);
}
template <Updatable X, class Y>
requires operands<Y> RICCI_INLINE constexpr std::remove_reference_t<X>& operator%=(X&& x, Y const& y) {
  (void)sizeof(keeps_its_type<X, Y>);
  return updated<remainder_t>(static_cast<X&&>(x), y);
}

namespace ir {

// the same on values
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator+(A const& a, B const& b) { return record_values<add_t>(no_attributes{}, a, b); }
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator-(A const& a, B const& b) {
  return record_values<subtract_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator*(A const& a, B const& b) {
  return record_values<multiply_t>(no_attributes{}, a, b);
}
template <class A, class B>
requires value_operands<A, B>
constexpr value_of_call<A, B> operator/(A const& a, B const& b) {
  return record_values<divide_t>(no_attributes{}, a, b);
}
template <class A>
requires value_operands<A>
constexpr value_of_call<A> operator-(A const& a) { return record_values<negative_t>(no_attributes{}, a); }

}  // namespace ir

}  // namespace ricci
RICCI_OPTIMIZED_END
