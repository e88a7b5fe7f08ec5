// The arguments of an index: `a(1, rc::all, rc::range(0, 6, 2))`. Each says which part of one axis is meant; integers
// drop their axis, `newaxis` makes one of extent 1, `ellipsis` stands for all axes that are not named.
#pragma once

#include <ricci/shape/extents.hpp>

namespace ricci {

struct newaxis_t {};
struct ellipsis_t {};
inline constexpr newaxis_t newaxis{};
inline constexpr ellipsis_t ellipsis{};

// A bound of a range that is left out, as in Python's `1:` or `::-1`: such a range begins at the first element, or
// backwards at the last, and ends with the other.
struct end_t {};
inline constexpr end_t end{};
template <class T>
concept Bound = Extent<T> || std::is_same_v<T, end_t>;

// From start to before stop by step; negative bounds count from the end. Bounds outside the axis are errors. `Unit`:
// the step is 1 and the type knows it.
template <class Start, class Stop, bool Unit>
struct range_t {
  Start start;
  Stop stop;
  index_t step;
};
template <index_t Start, index_t Stop, index_t Step>
struct static_range {
  static_assert(Step != 0, "a range needs a step other than 0");
};
// N elements from a start that is only known at run time
template <index_t N, class Start>
struct window {
  static_assert(N >= 0, "slice: there cannot be fewer than 0 elements");
  Start start;
};

namespace shapes {
template <class T>
constexpr auto bound_of(T x) {
  if constexpr (std::is_integral_v<T>)
    return to_index(x);
  else
    return x;
}
}  // namespace shapes

// `range(stop)`, `range(start, stop)`, `range(start, stop, step)`; `range(1, rc::end)` is what is left from 1 on
template <Bound Stop>
constexpr auto range(Stop stop) {
  return range_t<index_t, decltype(shapes::bound_of(stop)), true>{0, shapes::bound_of(stop), 1};
}
template <Bound Start, Bound Stop>
constexpr auto range(Start start, Stop stop) {
  return range_t<decltype(shapes::bound_of(start)), decltype(shapes::bound_of(stop)), true>{shapes::bound_of(start),
                                                                                            shapes::bound_of(stop), 1};
}
template <Bound Start, Bound Stop>
constexpr auto range(Start start, Stop stop, index_t step) {
  return range_t<decltype(shapes::bound_of(start)), decltype(shapes::bound_of(stop)), false>{
      shapes::bound_of(start), shapes::bound_of(stop), step};
}
// the same with bounds in the type, so that the length is there too
template <index_t Start, index_t Stop, index_t Step = 1>
constexpr static_range<Start, Stop, Step> range() {
  return {};
}
// `slice<N>(start)`: N elements from start, negative ones counted from the end; the length is in the type.
template <index_t N, Extent Start>
constexpr window<N, Start> slice(Start start) {
  return {start};
}

struct all_t;

namespace shapes {

template <class T>
inline constexpr bool is_range = false;
template <class A, class B, bool U>
inline constexpr bool is_range<range_t<A, B, U>> = true;
// items that keep neighbours neighbours
template <class T>
inline constexpr bool is_unit_range = false;
template <class A, class B>
inline constexpr bool is_unit_range<range_t<A, B, true>> = true;
template <index_t A, index_t B>
inline constexpr bool is_unit_range<static_range<A, B, 1>> = true;
template <index_t N, class S>
inline constexpr bool is_unit_range<window<N, S>> = true;
template <class T>
inline constexpr bool is_static_range = false;
template <index_t A, index_t B, index_t C>
inline constexpr bool is_static_range<static_range<A, B, C>> = true;
template <class T>
inline constexpr bool is_window = false;
template <index_t N, class S>
inline constexpr bool is_window<window<N, S>> = true;
template <class T>
inline constexpr bool is_whole = std::is_same_v<T, all_t>;

}  // namespace shapes

// An argument of an index that is no tensor.
template <class T>
concept IndexItem = (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, newaxis_t> ||
                    std::is_same_v<T, ellipsis_t> || shapes::is_whole<T> || shapes::is_range<T> ||
                    shapes::is_static_range<T> || shapes::is_window<T>;

namespace shapes {

inline namespace RICCI_ABI {

// How many elements a range has whose bounds have been counted from the start; -1 where they do not lie on the axis or
// the step is 0. Bounds lie between elements, so `extent` is one of them and, of a range backwards, -1 is, too; but
// such a range starts at an element. On an axis of extent 0 that is where it would start, and there is nothing.
constexpr index_t range_length(index_t start, index_t stop, index_t step, index_t extent) {
  if (step == 0 || start < -1 || stop < -1 || start > extent || stop > extent) return -1;
  if (step < 0 && extent == 0) return 0;
  if (start < 0 || (step < 0 && start == extent)) return -1;
  if (step > 0) return stop <= start ? 0 : (stop - start - 1) / step + 1;
  return stop >= start ? 0 : (start - stop - 1) / -(step + 1 > -extent ? step : -extent - 1) + 1;
}
constexpr index_t from_end(index_t bound, index_t extent) { return bound < 0 ? bound + extent : bound; }
// Where a range starts: if that is left out, at the first element, or at the last one where it goes backwards.
template <class Start>
constexpr auto first_bound(Start start, index_t step) {
  if constexpr (std::is_same_v<Start, end_t>)
    return index_t(step < 0 ? -1 : 0);
  else
    return start;
}

// What an index selects: for each axis of the operand where it starts, its step and length; for each axis of the result
// where it comes from (-1: a new axis).
struct selection {
  int rank_in, rank_out;
  index_t start[max_rank], step[max_rank], length[max_rank];
  int source[max_rank];

  // a step that is not taken is 1, and nothing starts at the first element, so that neither leads out of the memory
  constexpr void take(index_t from, index_t by, index_t n, bool keep) {
    start[rank_in] = n == 0 ? 0 : from;
    step[rank_in] = n == 0 || n == 1 ? 1 : by;
    length[rank_in] = n;
    if (keep) source[rank_out++] = rank_in;
    ++rank_in;
  }
};

}  // namespace RICCI_ABI

// the extent that an item leaves of an axis in a type, `dyn` where that depends on values
template <class Item>
constexpr index_t typed_length(index_t extent) {
  if constexpr (is_whole<Item>) {
    return extent;
  } else if constexpr (is_window<Item>) {
    return []<index_t N, class S>(window<N, S> const*) { return N; }(static_cast<Item const*>(nullptr));
  } else if constexpr (is_static_range<Item>) {
    return [extent]<index_t A, index_t B, index_t C>(static_range<A, B, C> const*) -> index_t {
      if (extent >= 0) return range_length(from_end(A, extent), from_end(B, extent), C, extent);
      return A >= 0 && B >= 0 ? range_length(A, B, C, A < B ? B : A + (C < 0)) : dyn;
    }(static_cast<Item const*>(nullptr));
  } else {
    return dyn;
  }
}

template <class... Items>
inline constexpr int named_axes = ((std::is_same_v<Items, newaxis_t> || std::is_same_v<Items, ellipsis_t> ? 0 : 1) +
                                   ... + 0);
template <class... Items>
inline constexpr int ellipses = ((std::is_same_v<Items, ellipsis_t> ? 1 : 0) + ... + 0);

// The extents of E indexed by Items.
template <class E, class... Items>
struct indexed {
  static_assert(ellipses<Items...> <= 1, "an index may hold one ellipsis");
  static_assert(named_axes<Items...> <= E::rank, "an index names more axes than the tensor has");
  static constexpr bool has_ellipsis = ellipses<Items...> == 1;
  static constexpr int unnamed = E::rank - named_axes<Items...>;

  static constexpr shape_t compute() {
    shape_t s{};
    int axis = 0;
    auto const rest = [&] {
      for (int k = 0; k < unnamed; ++k) s.push(E::extent(axis++));
    };
    (
        [&] {
          if constexpr (std::is_same_v<Items, ellipsis_t>)
            rest();
          else if constexpr (std::is_same_v<Items, newaxis_t>)
            s.push(1);
          else if constexpr (std::is_integral_v<Items>)
            ++axis;
          else
            s.push(typed_length<Items>(E::extent(axis++)));
        }(),
        ...);
    if (!has_ellipsis) rest();
    return s;
  }
  static constexpr shape_t value = compute();
  static constexpr bool on_axis = [] {
    for (int k = 0; k < value.rank; ++k)
      if (value.extent[k] == -1 && E::is_static && ((!is_range<Items> && !is_window<Items>)&&...)) return false;
    return true;
  }();
  static_assert(on_axis, "a range lies outside its axis");
  using type = extents_of_shape<indexed>;
};

// Runs over the items of an index with the axes they mean: `one(item, axis)` for those that name an axis.
template <int Unnamed, class One, class New, class Whole, class... Items>
constexpr void for_each_item(One&& one, New&& fresh, Whole&& whole, Items const&... items) {
  int axis = 0;
  auto const rest = [&] {
    for (int k = 0; k < Unnamed; ++k) whole(axis++);
  };
  (
      [&] {
        if constexpr (std::is_same_v<Items, ellipsis_t>)
          rest();
        else if constexpr (std::is_same_v<Items, newaxis_t>)
          fresh();
        else if constexpr (is_whole<Items>)
          whole(axis++);
        else
          one(items, axis++);
      }(),
      ...);
  if (ellipses<Items...> == 0) rest();
}

}  // namespace shapes

}  // namespace ricci
