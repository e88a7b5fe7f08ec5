// std::mdspan (C++23) and tensors, where they lie:
//
//   auto v = rc::from_mdspan(span);        // a view
//   auto m = rc::to_mdspan(x);             // std::mdspan<T, std::extents<...>, std::layout_stride>
//
// Neither keeps memory alive. Extents that one type knows are in the other.
#pragma once

#include <ricci/ricci.hpp>

#include <mdspan>

namespace ricci {
inline namespace RICCI_ABI {

// The elements of a span with the default accessor and a layout with strides as a view; those of a span over constants
// cannot be written.
template <class T, class I, std::size_t... N, class L>
requires Element<std::remove_const_t<T>>
constexpr auto from_mdspan(std::mdspan<T, std::extents<I, N...>, L> const& x) {
  static_assert(std::mdspan<T, std::extents<I, N...>, L>::is_always_strided(),
                "a view has strides: a span with another layout is copied first");
  using E = extents<(N == std::dynamic_extent ? dyn : static_cast<index_t>(N))...>;
  expr::extent_storage<E> n;
  expr::stride_storage<E::rank> strides;
  for (int k = 0; k < E::rank; ++k) {
    n.set(k, static_cast<index_t>(x.extent(std::size_t(k))));
    strides.values[k] = static_cast<index_t>(x.stride(std::size_t(k)));
  }
  return view<T, E, layout::strided, false>(x.data_handle(), n, strides);
}

namespace mdspans {
template <class E>
struct extents_of;
template <index_t... N>
struct extents_of<extents<N...>> {
  using type = std::extents<index_t, (N < 0 ? std::dynamic_extent : static_cast<std::size_t>(N))...>;
};
}  // namespace mdspans

// The elements of a tensor or view as a span: std::layout_right where the type says that they lie in row-major order,
// else std::layout_stride, whose strides are all above 0: a value_error where one is not, but of an axis of at most one
// element, of which it is 1.
template <class X>
requires(Tensor<X>&& requires(X& x) {
  x.data();
  x.stride_values();
}) constexpr auto to_mdspan(X&& x) {
  using value = std::remove_cvref_t<X>;
  static_assert(
      std::is_lvalue_reference_v<X> || !requires { requires value::whole; },
      "to_mdspan looks at a tensor that is a temporary: give it a name");
  static_assert(storage::memory_of<value>() == expr::host_memory,
                "std::mdspan is of tensors of the host: rc::copy(x, rc::cpu{}) brings x there");
  using E = typename mdspans::extents_of<typename value::extents>::type;
  using T = std::remove_pointer_t<decltype(x.data())>;
  E const n(x.shape());
  if constexpr (Contiguous<value>) {
    return std::mdspan<T, E>(x.data(), n);
  } else {
    auto strides = x.strides();
    for (int k = 0; k < int(E::rank()); ++k) {
      if (x.shape(k) <= 1) strides[std::size_t(k)] = 1;
      if (index_t const s = strides[std::size_t(k)]; s <= 0)
        core::raise<value_error>(core::text() << "to_mdspan: axis " << k << " has the stride " << s
                                              << ", and std::mdspan takes positive ones");
    }
    return std::mdspan<T, E, std::layout_stride>(x.data(), std::layout_stride::mapping<E>(n, strides));
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci
