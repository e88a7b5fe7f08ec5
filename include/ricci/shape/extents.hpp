// Extents in a type: `extents<2, 3>`, `extents<dyn, 3>`, `extents<dim<"n">, 3>`. All are plain integers, so that a type
// has one spelling and a short name: a number, `dyn`, or a name packed into a number below `dyn`.
#pragma once

#include <utility>

#include <ricci/core/hash.hpp>
#include <ricci/core/label.hpp>
#include <ricci/shape/shape.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace shapes {

// Names of up to 10 letters, digits or _ are packed exactly, six bits a character. Others keep their first five
// characters and a hash of the whole: two such names that share both are taken for the same.
constexpr index_t packed_name(label const& name) {
  constexpr auto code = [](char c) -> std::uint64_t {
    if (c >= 'a' && c <= 'z') return std::uint64_t(c - 'a') + 1;
    if (c >= 'A' && c <= 'Z') return std::uint64_t(c - 'A') + 27;
    if (c >= '0' && c <= '9') return std::uint64_t(c - '0') + 53;
    return 63;
  };
  int length = 0;
  bool exact = true;
  for (; length < 32 && name[std::size_t(length)]; ++length)
    exact = exact && (code(name[std::size_t(length)]) != 63 || name[std::size_t(length)] == '_');
  exact = exact && length <= 10;
  std::uint64_t packed = 0;
  for (int i = 0; i < length; ++i)
    if (exact || i < 5) packed = packed << 6 | code(name[std::size_t(i)]);
  if (!exact) packed = std::uint64_t(1) << 60 | packed << 30 | core::hash_of_text(name, std::size_t(length)) >> 34;
  return -2 - static_cast<index_t>(packed);
}

}  // namespace shapes

// An extent as a value: an integer, or inside a traced function what `x.shape(0)` is there.
template <class D>
concept Extent = std::is_integral_v<D> || requires(D const& d) {
  d.g;
  requires std::is_same_v<decltype(d.dim), index_t>;
};

// A named extent: equal names are equal by type, and are checked once, where data enters.
template <label Name>
inline constexpr index_t dim = shapes::packed_name(Name);

constexpr bool is_named(index_t extent) { return extent < dyn; }

template <index_t... E>
struct extents {
  static_assert(sizeof...(E) <= max_rank, "a tensor has at most 12 axes");
  static constexpr int rank = sizeof...(E);
  static constexpr bool is_static = ((E >= 0) && ...);
  static constexpr bool is_dynamic = !is_static;
  // the number of elements, `dyn` where it is not known
  static constexpr index_t size = is_static ? (E * ... * 1) : dyn;
  static constexpr shape_t value{sizeof...(E), {E...}};
  static constexpr index_t extent(int axis) { return value.extent[axis]; }
};

namespace shapes {

template <int Rank, class = std::make_integer_sequence<int, Rank>>
struct all_dynamic;
template <int Rank, int... I>
struct all_dynamic<Rank, std::integer_sequence<int, I...>> {
  using type = extents<(I * 0 + dyn)...>;
};

// The type with the extents of a constexpr shape: `Shape::value` is a shape_t.
template <class Shape, class = std::make_integer_sequence<int, Shape::value.rank>>
struct as_type;
template <class Shape, int... I>
struct as_type<Shape, std::integer_sequence<int, I...>> {
  using type = extents<Shape::value.extent[I]...>;
};

template <class T>
inline constexpr bool is_extents = false;
template <index_t... E>
inline constexpr bool is_extents<extents<E...>> = true;

}  // namespace shapes

template <int Rank>
using dynamic_extents = typename shapes::all_dynamic<Rank>::type;
template <class Shape>
using extents_of_shape = typename shapes::as_type<Shape>::type;

}  // namespace ricci
RICCI_OPTIMIZED_END
