// Element types: what a tensor may hold, what two of them promote to, and how they are named in messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <ricci/core/abi.hpp>

RICCI_OPTIMIZED
namespace ricci {

using index_t = std::int64_t;

// An element type as a value, for the graph. `none` is no element type.
enum class dtype : std::uint8_t { none, boolean, int32, int64, float32, float64 };

// The C++ types of all dtypes but none, in their order, and how messages name them. Sizes, dispatch, the registers of
// kernels and the values of interpreted functions follow from this list.
template <class... T>
struct type_list {
  static constexpr int size = sizeof...(T);
};
using element_types = type_list<bool, std::int32_t, std::int64_t, float, double>;
inline constexpr char const* element_names[] = {"none", "bool", "int32", "int64", "float32", "float64"};
static_assert(sizeof element_names / sizeof element_names[0] == element_types::size + 1);

namespace types {

// its place in the list, from 1; 0 where it is not there
template <class T, class... U>
constexpr int number_of(type_list<U...>) {
  int n = 0, found = 0;
  ((++n, found = std::is_same_v<T, U> ? n : found), ...);
  return found;
}
template <int N, class T, class... U>
constexpr auto nth(type_list<T, U...>) {
  if constexpr (N == 1)
    return std::type_identity<T>{};
  else
    return nth<N - 1>(type_list<U...>{});
}

}  // namespace types

template <class T>
inline constexpr dtype dtype_of = static_cast<dtype>(types::number_of<T>(element_types{}));
// Where std::int32_t is long, as in C libraries for bare machines, `tensor<int, 2>` is meant to work, too: it holds
// std::int32_t.
template <class T>
requires(std::is_same_v<T, int> &&
         !std::is_same_v<int, std::int32_t>) inline constexpr dtype dtype_of<T> = dtype::int32;

// The C++ type of a dtype: `type_of<dtype::float32>` is float.
template <dtype D>
struct type_of_dtype;
template <dtype D>
requires(D != dtype::none) struct type_of_dtype<D> {
  using type = typename decltype(types::nth<int(D)>(element_types{}))::type;
};
template <dtype D>
using type_of = typename type_of_dtype<D>::type;

inline namespace RICCI_ABI {

constexpr bool is_floating(dtype t) { return t >= dtype::float32; }
constexpr bool is_integer(dtype t) { return t == dtype::int32 || t == dtype::int64; }
template <class... T>
constexpr int size_of_element(dtype t, type_list<T...>) {
  constexpr int sizes[] = {0, int(sizeof(T))...};
  return sizes[int(t)];
}
constexpr int size_of(dtype t) { return size_of_element(t, element_types{}); }
constexpr char const* name_of(dtype t) { return element_names[int(t)]; }

// f(T{}) with the C++ type of t, which is not none
template <class F, class... T>
constexpr void with_type(dtype t, F const& f, type_list<T...>) {
  if (!((t == dtype_of<T> && (f(T{}), true)) || ...)) __builtin_unreachable();
}
template <class F>
constexpr void with_type(dtype t, F const& f) {
  with_type(t, f, element_types{});
}
template <class... T>
constexpr bool tells_floats_apart(type_list<T...>) {
  return ((std::is_floating_point_v<T> == is_floating(dtype_of<T>)) && ...);
}
static_assert(tells_floats_apart(element_types{}), "floating types are the last in the list");
static_assert(dtype_of<bool> == dtype::boolean && dtype_of<std::int32_t> == dtype::int32 &&
              dtype_of<std::int64_t> == dtype::int64 && dtype_of<float> == dtype::float32 &&
              dtype_of<double> == dtype::float64);

// NumPy 2's promotion of two tensors: mixed integers and floats meet in double where float could not hold them.
constexpr dtype promote(dtype a, dtype b) {
  if (a == b) return a;
  if (a > b) return promote(b, a);
  if (a == dtype::boolean || a == dtype::none) return b;
  if (is_floating(a) || is_integer(b)) return b;
  return dtype::float64;
}
// A C++ scalar of type `s` beside a tensor of type `t` is weak: it changes the kind of the result but never its width.
constexpr dtype promote_weak(dtype t, dtype s) {
  if (is_floating(t) || s == dtype::boolean) return t;
  if (is_floating(s)) return s;
  return t == dtype::boolean ? s : t;
}

}  // namespace RICCI_ABI

// A C++ arithmetic type that is not an element type itself (char, long long, unsigned) enters as the one that holds it.
template <class T>
struct element_of {
  using type = std::conditional_t<
      std::is_floating_point_v<T>, std::conditional_t<(sizeof(T) > 4), double, float>,
      std::conditional_t<
          std::is_same_v<T, bool>, bool,
          std::conditional_t<(sizeof(T) < 4 || (sizeof(T) == 4 && std::is_signed_v<T>)), std::int32_t, std::int64_t>>>;
};
template <class T>
using element_t = typename element_of<T>::type;
// whether memory of such elements is what kernels take it for
template <class T>
inline constexpr bool is_stored = std::is_same_v<T, element_t<T>>;

template <class T>
concept Element = dtype_of<T>
!= dtype::none;
template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

}  // namespace ricci
RICCI_OPTIMIZED_END
