// What creation fills tensors with, as functions of an element's number: they run wherever the tensor lies.
#pragma once

#include <ricci/core/scalar.hpp>
#include <ricci/core/types.hpp>

namespace ricci::storage {
inline namespace RICCI_ABI {

template <class F>
concept RunsAnywhere = requires {
  requires F::runs_anywhere;
};

template <class V>
struct same_number {
  static constexpr bool runs_anywhere = true;
  V value;
  RICCI_HD constexpr V operator()(index_t) const { return value; }
};
// of elements of type T: from + k by
template <class T>
struct progression {
  static constexpr bool runs_anywhere = true;
  using N = computed_t<T>;
  N from, by;
  RICCI_HD constexpr auto operator()(index_t k) const {
    if constexpr (is_integer(dtype_of<T>))  // without a sign, since a product alone may leave the range
      return static_cast<T>(std::uint64_t(from) + std::uint64_t(k) * std::uint64_t(by));
    else
      return from + static_cast<N>(k) * by;
  }
};
// of a matrix of so many columns
template <class T>
struct ones_on_diagonal {
  static constexpr bool runs_anywhere = true;
  index_t columns;
  RICCI_HD constexpr T operator()(index_t k) const { return k % columns == k / columns ? T(1) : T(0); }
};

}  // namespace RICCI_ABI
}  // namespace ricci::storage
