// A view: elements of a tensor, or some of them, where they are. Views of dynamic tensors keep the memory alive; those
// of small tensors held in place are references like any C++ reference. Views can be assigned to, element by element.
#pragma once

#include <array>
#include <initializer_list>

#include <ricci/core/buffer.hpp>
#include <ricci/expr/element.hpp>
#include <ricci/expr/element_iterator.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/shape/axes.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace expr {

// Extents of a type, with storage for those that it does not know.
template <class E, class = std::make_integer_sequence<int, E::rank>>
struct extent_storage;
template <class E, int... I>
struct extent_storage<E, std::integer_sequence<int, I...>> {
  static constexpr int rank = E::rank;
  index_t values[rank > 0 ? rank : 1]{(E::extent(I) >= 0 ? E::extent(I) : 0)...};
  RICCI_INLINE constexpr index_t operator[](int k) const { return values[k]; }
  RICCI_INLINE constexpr index_t const* data() const { return values; }
  RICCI_INLINE constexpr void set(int k, index_t n) { values[k] = n; }
};
template <class E, int... I>
requires(E::is_static) struct extent_storage<E, std::integer_sequence<int, I...>> {
  static constexpr int rank = E::rank;
  static constexpr index_t values[rank > 0 ? rank : 1]{E::extent(I)...};
  RICCI_INLINE constexpr index_t operator[](int k) const { return values[k]; }
  RICCI_INLINE constexpr index_t const* data() const { return values; }
  RICCI_INLINE constexpr void set(int, index_t) {}
};
template <int Rank>
struct stride_storage {
  index_t values[Rank > 0 ? Rank : 1]{};
  RICCI_INLINE constexpr index_t const* data() const { return values; }
};
struct no_strides {
  RICCI_INLINE constexpr index_t const* data() const { return nullptr; }
};

// strides of row-major memory, in elements
template <int Rank, class Extents>
RICCI_INLINE constexpr stride_storage<Rank> row_major_strides(Extents const& e) {
  stride_storage<Rank> s;
  index_t n = 1;
  for (int k = Rank - 1; k >= 0; --k) {
    s.values[k] = n;
    n *= e[k];
  }
  return s;
}

}  // namespace expr

template <class V, class E, layout L = layout::strided, bool Shared = true>
class view : public accumulates<view<V, E, L, Shared>> {
  static_assert(is_stored<std::remove_const_t<V>>,
                "a view is of numbers of one of the library's element types (rc::dtype lists them), as float, double, "
                "std::complex, bool or std::int32_t");

 public:
  using value_type = std::remove_const_t<V>;
  using extents = E;
  static constexpr int rank = E::rank;
  static constexpr layout memory = L;
  static constexpr bool shared = Shared;
  using owner_type = std::conditional_t<Shared, core::shared_buffer, core::no_buffer>;

  RICCI_INLINE constexpr view(V* p, expr::extent_storage<E> const& e, owner_type owner = {},
                              core::execution how = {}) requires(L == layout::row_major)
      : p_(p), extents_(e), owner_(static_cast<owner_type&&>(owner)), how_(how) {}
  RICCI_INLINE constexpr view(V* p, expr::extent_storage<E> const& e, expr::stride_storage<rank> const& s,
                              owner_type owner = {}, core::execution how = {}) requires(L != layout::row_major)
      : p_(p), extents_(e), strides_(s), owner_(static_cast<owner_type&&>(owner)), how_(how) {}
  RICCI_INLINE constexpr view(view const&) = default;
  // What was moved from has no elements, where its type allows that; else it is the same view still.
  RICCI_INLINE constexpr view(view&& x) requires(Shared && !E::is_static)
      : p_(x.p_),
        extents_(x.extents_),
        strides_(x.strides_),
        owner_(static_cast<owner_type&&>(x.owner_)),
        how_(x.how_) {
    for (int k = 0; k < rank; ++k)
      if (E::extent(k) < 0) x.extents_.set(k, 0);
  }
  RICCI_INLINE constexpr ~view() = default;

  // ---- assignment writes the elements ----
  RICCI_INLINE constexpr view& operator=(view const& x) {
    assign(*this, x);
    return *this;
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr view& operator=(X const& x) {
    assign(*this, x);
    return *this;
  }

  // `x(0) = {1, 2, 3}`; shape_error where there are more or fewer elements
  constexpr view& operator=(std::initializer_list<value_type> elements) requires(rank == 1 && !std::is_const_v<V>) {
    auto const n = static_cast<index_t>(elements.size());
    if (n != extents_[0]) shapes::raise_misfit("assignment", shape_t{1, {extents_[0]}}, shape_t{1, {n}});
    auto to = begin();
    for (auto const& e : elements) *to++ = e;
    return *this;
  }

  RICCI_INLINE constexpr index_t shape(index_t axis) const { return extents_[axis_named("shape", axis, rank)]; }
  RICCI_INLINE constexpr shape_values<rank> shape() const {
    shape_values<rank> s{};
    for (int k = 0; k < rank; ++k) s[std::size_t(k)] = extents_[k];
    return s;
  }
  RICCI_INLINE constexpr index_t size() const {
    index_t n = 1;
    for (int k = 0; k < rank; ++k) n *= extents_[k];
    return n;
  }
  RICCI_INLINE constexpr std::array<index_t, std::size_t(rank)> strides() const {
    std::array<index_t, std::size_t(rank)> s{};
    auto const from = stride_values();
    for (int k = 0; k < rank; ++k) s[std::size_t(k)] = from.values[k];
    return s;
  }
  RICCI_INLINE constexpr V* data() const { return p_; }
  RICCI_INLINE constexpr expr::extent_storage<E> const& extent_values() const { return extents_; }
  RICCI_INLINE constexpr expr::stride_storage<rank> stride_values() const {
    if constexpr (L == layout::row_major)
      return expr::row_major_strides<rank>(extents_);
    else
      return strides_;
  }
  // null where they follow from the extents
  RICCI_INLINE constexpr index_t const* stride_data() const { return strides_.data(); }
  RICCI_INLINE constexpr owner_type const& owner() const { return owner_; }
  RICCI_INLINE constexpr core::execution execution() const { return how_.on_host(); }

  // an element (not checked without RICCI_CHECKED), or a view
  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V& operator()(I... i) const {
    return p_[expr::element_offset_in<RICCI_CHECKED>(*this, i...)];
  }
  template <class... I>
  requires(!(sizeof...(I) == rank && (std::is_integral_v<I> && ...))) RICCI_INLINE constexpr auto operator()(
      I const&... items) const {
    return index_tensor(*this, items...);
  }
  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V& at(I... i) const {
    return p_[expr::element_offset_in<true>(*this, i...)];
  }

  template <class I>
  wrong::parts_are_named_in_parentheses operator[](I&&) const = delete;  // x(0), x(0, 1), x(rc::all, 0)
  // of order 2: the axes exchanged, lazily
  RICCI_INLINE constexpr auto T() const {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  // the elements in row-major order, by pointers where they lie so; the rows are rc::rows(x)
  RICCI_INLINE constexpr auto begin() const { return iterator_at(0); }
  RICCI_INLINE constexpr auto end() const { return iterator_at(size()); }
  RICCI_INLINE constexpr value_type item() const requires(rank == 0) { return *p_; }
  template <Arithmetic U>
  requires(rank == 0) RICCI_INLINE constexpr explicit operator U() const { return scalar::convert<U>(*p_); }

 private:
  RICCI_INLINE constexpr auto iterator_at(index_t n) const {
    if constexpr (L == layout::row_major)
      return p_ + n;
    else
      return expr::element_iterator<V, rank>(p_, extents_, strides_.values, n);
  }

  V* p_;
  [[no_unique_address]] expr::extent_storage<E> extents_;
  [[no_unique_address]] std::conditional_t<L == layout::row_major, expr::no_strides, expr::stride_storage<rank>>
      strides_{};
  [[no_unique_address]] owner_type owner_;
  core::execution how_;
};

template <class T, class E, layout L, bool Shared>
inline constexpr bool is_native_tensor<view<T, E, L, Shared>> = true;

namespace expr {
// Views of what does not lie in the memory of the host, by its space (tensor/device_view.hpp).
template <int Memory>
struct views_in;

// The view of elements at p, which belong to what x is or looks at.
template <class E, layout L, class X, class V>
RICCI_INLINE constexpr auto view_beside(X const& x, V* p, extent_storage<E> const& extents,
                                        [[maybe_unused]] stride_storage<E::rank> const& strides) {
  if constexpr (requires { X::memory_space; })
    return typename views_in<X::memory_space>::template type<V, E, L>(p, extents, strides, x.owner(), x.execution());
  else if constexpr (L == layout::row_major)
    return view<V, E, L, X::shared>(p, extents, x.owner(), x.execution());
  else
    return view<V, E, L, X::shared>(p, extents, strides, x.owner(), x.execution());
}
}  // namespace expr

// Elements side by side in row-major order.
template <class T>
concept Contiguous = Tensor<T> && requires {
  requires std::remove_cvref_t<T>::memory == layout::row_major;
};

}  // namespace ricci
RICCI_OPTIMIZED_END
