// The data type functions of the array API standard, of C++ types: `rc::result_type<A, B>`, `rc::can_cast<From, To>()`,
// `rc::isdtype<T>("integral")`, `rc::finfo<T>()`, `rc::iinfo<T>()`. All are known to the compiler.
#pragma once

#include <limits>

#include <ricci/core/errors.hpp>
#include <ricci/core/types.hpp>

namespace ricci {

// The type to which tensors of these element types promote.
template <class... T>
struct result_type_of {
  static constexpr dtype value = promote_all(dtype_of<T>...);
};
template <class... T>
requires(sizeof...(T) > 0 && (Element<T> && ...)) using result_type = type_of<result_type_of<T...>::value>;

// Whether every number of the one type may become one of the other by promotion: what NumPy calls a safe cast.
constexpr bool can_cast(dtype from, dtype to) { return promote(from, to) == to; }
template <class From, class To>
requires Element<From> && Element<To>
constexpr bool can_cast() { return can_cast(dtype_of<From>, dtype_of<To>); }

// Whether a type is of a kind of the standard: "bool", "signed integer", "unsigned integer", "integral", "real
// floating", "complex floating" or "numeric". Another word is an error, of the compiler where it is a constant.
constexpr bool isdtype(dtype t, char const* kind) {
  auto const is = [kind](char const* word) {
    int k = 0;
    while (word[k] != 0 && kind[k] == word[k]) ++k;
    return kind[k] == word[k];
  };
  number_kind const own = kind_of(t);
  if (is("bool")) return own == number_kind::boolean;
  if (is("signed integer")) return own == number_kind::signed_integer;
  if (is("unsigned integer")) return own == number_kind::unsigned_integer;
  if (is("integral")) return is_integer(t);
  if (is("real floating")) return own == number_kind::floating;
  if (is("complex floating")) return own == number_kind::complex;
  if (is("numeric")) return is_integer(t) || is_inexact(t);
  core::raise<value_error>(core::text() << "isdtype: no kind of element types is called " << kind);
  return false;
}
template <class T>
requires Element<T>
constexpr bool isdtype(char const* kind) { return isdtype(dtype_of<T>, kind); }
// whether two element types are the same
constexpr bool isdtype(dtype t, dtype kind) { return t == kind; }

// The limits of a floating type, and of the components of a complex one.
template <class Number>
struct floating_limits {
  int bits;
  Number eps, max, min, smallest_normal;
  ricci::dtype dtype;
};
template <class T>
requires(is_inexact(dtype_of<T>)) constexpr floating_limits<component_t<T>> finfo() {
  using C = component_t<T>;
  using limits = std::numeric_limits<C>;
  return {8 * int(sizeof(C)), limits::epsilon(), limits::max(), limits::lowest(), limits::min(), dtype_of<C>};
}
// The limits of an integer type.
template <class Number>
struct integer_limits {
  int bits;
  Number max, min;
  ricci::dtype dtype;
};
template <class T>
requires(is_integer(dtype_of<T>)) constexpr integer_limits<T> iinfo() {
  return {8 * int(sizeof(T)), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), dtype_of<T>};
}

}  // namespace ricci
