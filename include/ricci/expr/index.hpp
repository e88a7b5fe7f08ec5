// Indexing of what lies in memory: `a(1, rc::all, rc::range(0, 6, 2))` is a view of the elements it selects.
#pragma once

#include <ricci/expr/view.hpp>
#include <ricci/shape/slices.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace expr {

// What a type can still say of the strides of a view.
template <layout L, class... Items>
constexpr layout layout_of_index(int unnamed) {
  if (sizeof...(Items) == 0) return L;
  bool dense = L == layout::row_major, rows = L != layout::strided, narrowed = false, last = false;
  auto const whole = [&] { narrowed = true, last = true; };
  (
      [&] {
        if constexpr (std::is_same_v<Items, newaxis_t>)
          return;
        else if constexpr (std::is_same_v<Items, ellipsis_t>) {
          if (unnamed > 0) whole();
        } else if constexpr (std::is_integral_v<Items>) {
          dense = dense && !narrowed;
          last = false;
        } else if constexpr (shapes::is_whole<Items>) {
          whole();
        } else {
          dense = dense && !narrowed && shapes::is_unit_range<Items>;
          narrowed = true;
          last = shapes::is_unit_range<Items>;
        }
      }(),
      ...);
  if (shapes::ellipses<Items...> == 0 && unnamed > 0) whole();
  return dense ? layout::row_major : rows && last ? layout::rows : layout::strided;
}

inline namespace RICCI_ABI {

[[noreturn]] RICCI_COLD inline void raise_range(index_t start, index_t stop, index_t step, int axis, index_t extent) {
  if (step == 0) core::raise<index_error>(core::text() << "a range needs a step other than 0");
  core::raise<index_error>(core::text() << "range(" << start << ", " << stop << ", " << step << ") lies outside axis "
                                        << axis << " with extent " << extent);
}

// The selection of an index, from the numbers of the axes that it means.
struct number_selection {
  index_t const* extents;
  shapes::selection s{};

  constexpr void range(index_t start, index_t stop, index_t step, int axis) {
    index_t const n = extents[axis], from = shapes::from_end(start, n), to = shapes::from_end(stop, n);
    index_t const length = shapes::range_length(from, to, step, n);
    if (length < 0) raise_range(start, stop, step, axis, n);
    s.take(from, step, length, true);
  }
  template <class Item>
  constexpr void one(Item const& item, int axis) {
    index_t const n = extents[axis];
    if constexpr (std::is_integral_v<Item>) {
      index_t const given = to_index(item), i = shapes::from_end(given, n);
      if (i < 0 || i >= n) core::raise_index_of_axis(given, axis, n);
      s.take(i, 1, 1, false);
    } else if constexpr (shapes::is_window<Item>) {
      index_t const length = shapes::typed_length<Item>(0), from = shapes::from_end(to_index(item.start), n);
      if (from < 0 || from > n - length) raise_range(from, from < n ? from + length : from, 1, axis, n);
      s.take(from, 1, length, true);
    } else if constexpr (shapes::is_static_range<Item>) {
      [&]<index_t A, index_t B, index_t C>(static_range<A, B, C> const&) { range(A, B, C, axis); }(item);
    } else {
      index_t const step = item.step, start = shapes::first_bound(item.start, step);
      if constexpr (std::is_same_v<decltype(item.stop), end_t>)
        range(start, step < 0 ? -n - 1 : n, step, axis);
      else
        range(start, item.stop, step, axis);
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace expr

inline namespace RICCI_ABI {

template <class X, class... Items>
requires(wrong::Index<Items> || ...) constexpr auto index_tensor(X& x, Items const&...) {
  (void)sizeof(wrong::mask_of_bools<X, Items...>);
  static_assert((std::is_same_v<Items, bool> || ...),
                "an index consists of integers, rc::all, rc::range(a, b), rc::slice<n>(a), rc::newaxis, rc::ellipsis, "
                "integer tensors and masks; a list is rc::asarray(v)");
  return index_tensor(x);
}
// X: a tensor in memory, with extent_values(), stride_values(), data() and owner().
template <class X, IndexItem... Items>
constexpr auto index_tensor(X& x, Items const&... items) {
  using rule = shapes::indexed<typename X::extents, Items...>;
  using E = typename rule::type;
  constexpr layout L = expr::layout_of_index<X::memory, Items...>(rule::unnamed);
  expr::number_selection at{x.extent_values().data()};
  shapes::for_each_item<rule::unnamed>([&](auto const& item, int axis) { at.one(item, axis); },
                                       [&] { at.s.source[at.s.rank_out++] = -1; },
                                       [&](int axis) { at.s.take(0, 1, x.extent_values()[axis], true); }, items...);
  auto const from = x.stride_values();
  index_t offset = 0;
  for (int k = 0; k < at.s.rank_in; ++k) offset += at.s.start[k] * from.values[k];
  expr::extent_storage<E> extents;
  expr::stride_storage<E::rank> strides;
  for (int k = 0; k < E::rank; ++k) {
    int const source = at.s.source[k];
    extents.set(k, source < 0 ? 1 : at.s.length[source]);
    strides.values[k] = source < 0 ? 0 : from.values[source] * at.s.step[source];
  }
  return expr::view_beside<E, L>(x, x.data() + offset, extents, strides);
}

}  // namespace RICCI_ABI
}  // namespace ricci
RICCI_OPTIMIZED_END
