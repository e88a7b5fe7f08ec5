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

template <class T>
inline constexpr dtype dtype_of = dtype::none;
template <>
inline constexpr dtype dtype_of<bool> = dtype::boolean;
template <>
inline constexpr dtype dtype_of<std::int32_t> = dtype::int32;
template <>
inline constexpr dtype dtype_of<std::int64_t> = dtype::int64;
template <>
inline constexpr dtype dtype_of<float> = dtype::float32;
template <>
inline constexpr dtype dtype_of<double> = dtype::float64;
// Where std::int32_t is long, as in C libraries for bare machines, `tensor<int, 2>` is meant to work, too: it holds
// std::int32_t.
template <class T>
requires(std::is_same_v<T, int> &&
         !std::is_same_v<int, std::int32_t>) inline constexpr dtype dtype_of<T> = dtype::int32;

// The C++ type of a dtype: `type_of<dtype::float32>` is float.
template <dtype D>
struct type_of_dtype;
template <>
struct type_of_dtype<dtype::boolean> {
  using type = bool;
};
template <>
struct type_of_dtype<dtype::int32> {
  using type = std::int32_t;
};
template <>
struct type_of_dtype<dtype::int64> {
  using type = std::int64_t;
};
template <>
struct type_of_dtype<dtype::float32> {
  using type = float;
};
template <>
struct type_of_dtype<dtype::float64> {
  using type = double;
};
template <dtype D>
using type_of = typename type_of_dtype<D>::type;

inline namespace RICCI_ABI {

constexpr bool is_floating(dtype t) { return t >= dtype::float32; }
constexpr bool is_integer(dtype t) { return t == dtype::int32 || t == dtype::int64; }
constexpr int size_of(dtype t) {
  constexpr int sizes[] = {0, 1, 4, 8, 4, 8};
  return sizes[int(t)];
}
constexpr char const* name_of(dtype t) {
  constexpr char const* names[] = {"none", "bool", "int32", "int64", "float32", "float64"};
  return names[int(t)];
}

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
