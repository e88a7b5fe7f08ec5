// Windows whose start is a value of a traced function: `h(rc::slice<2>(i))`.
#pragma once

#include <limits>
#include <utility>

#include <ricci/ops/gather.hpp>

namespace ricci {

// `h(rc::slice<2>(i))` with an integer of a traced function as its start: N rows, as an index tensor names them, so
// that it may be written where nothing but whole axes stands beside it.
template <index_t N, class Mode>
struct value_window {
  ir::value<Mode> start;
};
template <class Item>
inline constexpr bool is_value_window = false;
template <index_t N, class Mode>
inline constexpr bool is_value_window<value_window<N, Mode>> = true;

// `slice<N>(start)` as of an integer that is known (shape/slices.hpp). A window that begins before the axis and ends in
// it names an index that no axis has, for its rows would be those of both ends.
template <index_t N, class S>
requires is_symbol<S>
constexpr auto slice(S const& start) {
  static_assert(S::rank == 0 && is_integer(dtype_of<typename S::value_type>), "slice<N>(start): start is an integer");
  return value_window<N, typename S::mode>{ir::cast(start.v, dtype_of<index_t>)};
}

namespace shapes {

template <index_t N, class Mode>
constexpr auto rows_of_window(value_window<N, Mode> const& w) {
  symbol<index_t, extents<>, Mode> const start{w.start};
  symbol<index_t, extents<N>, Mode> const row{start.v + ir::positions<Mode>(*w.start.g, N)};
  return where((start < 0) & (row >= 0), std::numeric_limits<index_t>::max(), row);
}
// The items with rows in place of window number K, and all of the other axes; and those that are left.
template <bool IsWindow, class Item>
constexpr auto window_or_whole(Item const& item) {
  if constexpr (IsWindow)
    return rows_of_window(item);
  else if constexpr (std::is_same_v<Item, ellipsis_t>)
    return ellipsis;
  else
    return all;
}
template <bool IsWindow, class Item>
constexpr auto whole_or_item(Item const& item) {
  if constexpr (IsWindow)
    return all;
  else
    return item;
}
template <class... Items>
constexpr int first_window() {
  bool const is[] = {is_value_window<Items>...};
  int k = 0;
  while (!is[k]) ++k;
  return k;
}

}  // namespace shapes

template <class S, class... Items>
requires(is_value_window<Items> || ...) constexpr auto index_symbol(S& x, Items const&... items) {
  static_assert(
      ((is_value_window<Items> || IndexItem<Items>)&&...) && (!std::is_same_v<Items, newaxis_t> && ...),
      "rc::slice<N>(i) with a start that is a value stands beside integers, ranges, rc::all, rc::ellipsis and "
      "its like; index what it gives by integer tensors and rc::newaxis");
  constexpr int first = shapes::first_window<Items...>();
  constexpr bool alone =
      ((is_value_window<Items> + 0) + ...) == 1 &&
      ((is_value_window<Items> || shapes::is_whole<Items> || std::is_same_v<Items, ellipsis_t>)&&...);
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    if constexpr (alone) {
      return index_symbol(x, shapes::window_or_whole<K == first>(items)...);
    } else {
      auto const part = index_symbol(std::as_const(x), shapes::window_or_whole<K == first>(items)...);
      return index_symbol(part, shapes::whole_or_item<K == first>(items)...);
    }
  }
  (std::make_integer_sequence<int, int(sizeof...(Items))>{});
}

}  // namespace ricci
