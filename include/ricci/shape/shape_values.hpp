// `x.shape()`: the extents as values, a std::array that is printed as NumPy's tuple, `(2, 3)`.
#pragma once

#include <array>
#include <tuple>

#include <ricci/core/types.hpp>

namespace ricci {

template <int Rank>
struct shape_values : std::array<index_t, std::size_t(Rank)> {};

}  // namespace ricci

// `auto [rows, columns] = x.shape();`
template <int Rank>
struct std::tuple_size<ricci::shape_values<Rank>> : std::integral_constant<std::size_t, std::size_t(Rank)> {};
template <std::size_t K, int Rank>
struct std::tuple_element<K, ricci::shape_values<Rank>> {
  using type = ricci::index_t;
};
