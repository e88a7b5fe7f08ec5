// Formulas with squares and sums of elements of half precision are computed in float, as PyTorch and JAX compute them:
// what is above 255 has no square there.
#pragma once

#include <ricci/core/data_types.hpp>
#include <ricci/ops/movement.hpp>

namespace ricci::nn {

template <class T>
inline constexpr bool is_half = is_floating(dtype_of<T>) && !std::is_same_v<computed_t<T>, T>;

// x itself, or of elements of half precision x in float.
template <class X>
constexpr decltype(auto) in_float(X const& x) {
  if constexpr (is_half<value_type_of<X>>)
    return astype<computed_t<value_type_of<X>>>(x);
  else
    return (x);
}
// x with elements of type T where that is of half precision, else x as it is.
template <class T, class X>
constexpr auto rounded_to(X const& x) {
  if constexpr (is_half<T>)
    return astype<T>(x);
  else
    return x;
}

}  // namespace ricci::nn
