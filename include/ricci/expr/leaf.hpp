// What an expression holds of a tensor that it does not own. Of one on the heap: a share of its memory, a single
// pointer; of one in place: its address; of a number: the number, already of the element type with which it enters.
#pragma once

#include <ricci/expr/view.hpp>
#include <ricci/shape/operand_ref.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace expr {

// Extents of a tensor on the heap, which stand before its elements.
template <class E>
struct block_extents {
  static constexpr extent_storage<E> of_nothing{};
  index_t const* values;
  RICCI_INLINE constexpr index_t operator[](int k) const { return E::extent(k) >= 0 ? E::extent(k) : values[k]; }
  RICCI_INLINE constexpr index_t const* data() const {
    if constexpr (E::is_static)
      return extent_storage<E>::values;
    else if constexpr (E::value == dynamic_extents<E::rank>::value)
      return values;
    else  // an empty tensor's extents are 0 where its type does not say another number
      return values == core::no_elements.header.extents ? of_nothing.data() : values;
  }
};

}  // namespace expr

template <class T, class E>
struct shared_leaf {
  using value_type = T;
  using extents = E;
  static constexpr int rank = E::rank;
  static constexpr layout memory = layout::row_major;
  static constexpr bool shared = true, whole = true;
  core::shared_buffer buffer;

  RICCI_INLINE constexpr explicit shared_leaf(core::shared_buffer const& b) : buffer(b) {}
  RICCI_INLINE constexpr shared_leaf(shared_leaf const&) = default;
  // what was moved from has no elements, where its type allows that
  RICCI_INLINE constexpr shared_leaf(shared_leaf&&) requires(!E::is_static) = default;
  RICCI_INLINE constexpr ~shared_leaf() = default;

  RICCI_INLINE T const* data() const { return reinterpret_cast<T const*>(buffer.data()); }
  RICCI_INLINE expr::block_extents<E> extent_values() const { return {buffer.header().extents}; }
  RICCI_INLINE expr::stride_storage<rank> stride_values() const {
    return expr::row_major_strides<rank>(extent_values());
  }
  static constexpr index_t const* stride_data() { return nullptr; }
  RICCI_INLINE core::shared_buffer const& owner() const { return buffer; }
  RICCI_INLINE core::execution execution() const { return buffer.header().how.on_host(); }
  RICCI_INLINE index_t shape(int axis) const { return extent_values()[axis]; }
};
template <class T, class E>
struct in_place_leaf {
  using value_type = T;
  using extents = E;
  static constexpr int rank = E::rank;
  static constexpr layout memory = layout::row_major;
  static constexpr bool shared = false, whole = true;
  T const* elements;

  RICCI_INLINE constexpr T const* data() const { return elements; }
  static constexpr expr::extent_storage<E> extent_values() { return {}; }
  static constexpr expr::stride_storage<rank> stride_values() { return expr::row_major_strides<rank>(extent_values()); }
  static constexpr index_t const* stride_data() { return nullptr; }
  static constexpr core::no_buffer owner() { return {}; }
  static constexpr core::execution execution() { return {}; }
  static constexpr index_t shape(int axis) { return E::extent(axis); }
};
template <class T>
struct number_leaf {
  using value_type = T;
  using extents = ricci::extents<>;
  static constexpr int rank = 0;
  T value;
};
// An operand with a name: equal names in one expression are one operand.
template <label Name, class Leaf>
struct labelled {
  using value_type = typename Leaf::value_type;
  using extents = typename Leaf::extents;
  static constexpr int rank = extents::rank;
  static constexpr label name = Name;
  Leaf leaf;

  // its shape, as an expression has it (expr/node.hpp); that it has no parts is what index_node says
  constexpr index_t shape(index_t axis) const { return shape()[std::size_t(axis_named("shape", axis, rank))]; }
  constexpr shape_values<rank> shape() const { return shape_of_expression(*this); }
  constexpr auto T() const {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  template <class... I>
  requires(rank > 0) constexpr auto operator()(I const&... items) const { return index_node(*this, items...); }
};

template <class T, class E>
inline constexpr bool is_native_tensor<shared_leaf<T, E>> = true;
template <class T, class E>
inline constexpr bool is_native_tensor<in_place_leaf<T, E>> = true;
template <class T>
inline constexpr bool is_native_tensor<number_leaf<T>> = true;
template <label Name, class Leaf>
inline constexpr bool is_native_tensor<labelled<Name, Leaf>> = true;

// ---- leaves hold themselves; tensors say by a function of the same name, found by ADL, what is held of them ----

template <class T, class E>
RICCI_INLINE constexpr shared_leaf<T, E> held(shared_leaf<T, E> const& x) {
  return x;
}
template <class T, class E>
RICCI_INLINE constexpr in_place_leaf<T, E> held(in_place_leaf<T, E> const& x) {
  return x;
}
template <class T>
RICCI_INLINE constexpr number_leaf<T> held(number_leaf<T> const& x) {
  return x;
}
template <label Name, class Leaf>
RICCI_INLINE constexpr labelled<Name, Leaf> held(labelled<Name, Leaf> const& x) {
  return x;
}
template <class T, class E, layout L, bool Shared>
RICCI_INLINE constexpr view<T const, E, L, Shared> held(view<T, E, L, Shared> const& x) {
  if constexpr (L == layout::row_major)
    return {x.data(), x.extent_values(), x.owner(), x.execution()};
  else
    return {x.data(), x.extent_values(), x.stride_values(), x.owner(), x.execution()};
}

// A whole tensor: two of these are the same memory, or have none in common.
template <class X>
inline constexpr bool is_whole_tensor = requires {
  requires X::whole;
};

}  // namespace ricci
RICCI_OPTIMIZED_END
