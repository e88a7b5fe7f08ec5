// What a tensor is: anything with an element type, a rank and extents that says so. Containers, views, lazy expressions
// and the symbols of a traced function are tensors; a foreign type becomes one by `enable_tensor` and, for its
// elements, either data() and strides or a call operator with `rank` indices.
#pragma once

#include <ricci/shape/extents.hpp>

namespace ricci {

// The library's own tensors.
template <class T>
inline constexpr bool is_native_tensor = false;
// Specialise to true for a type that has `value_type`, `extents` and elements.
template <class T>
inline constexpr bool enable_tensor = is_native_tensor<T>;

template <class T>
concept Tensor = enable_tensor<std::remove_cvref_t<T>> && requires {
  typename std::remove_cvref_t<T>::value_type;
  typename std::remove_cvref_t<T>::extents;
};

template <class T>
using value_type_of = typename std::remove_cvref_t<T>::value_type;
template <class T>
using value_type_t = value_type_of<T>;  // as the standard library names such aliases
template <class T>
using extents_of = typename std::remove_cvref_t<T>::extents;
template <Tensor T>
inline constexpr int rank_of = extents_of<T>::rank;

template <class T, class V>
concept TensorOf = Tensor<T> && std::is_same_v<value_type_of<T>, V>;
template <class T, int N>
concept TensorOfRank = Tensor<T> && rank_of<T>
== N;
template <class T>
concept Scalar = TensorOfRank<T, 0>;
template <class T>
concept Vector = TensorOfRank<T, 1>;
template <class T>
concept Matrix = TensorOfRank<T, 2>;
template <class T>
concept Differentiable = Tensor<T> && is_inexact(dtype_of<value_type_of<T>>);

}  // namespace ricci
