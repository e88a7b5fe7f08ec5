// What an index means on a value of a graph: the slice that it takes, which numbers and symbolic extents say.
#pragma once

#include <ricci/graph/dims.hpp>
#include <ricci/shape/slices.hpp>

namespace ricci::ir {

// The selection that an index means on a value of the graph. Numbers are checked here; what is symbolic, when it runs.
template <class G>
struct graph_selection {
  G& g;
  shape_t from;
  shapes::selection s{};
  bool failed = false;
  op_facts const* op = no_asker;  // who needs the elements, where it is not an index

  constexpr index_t bound(index_t b, index_t extent) { return !is_symbolic(b) && b < 0 ? plus(g, extent, b) : b; }
  // what lies beyond the bounds of indices is as much outside of every axis as these are
  constexpr index_t number(auto const& x) const {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(x)>>) {
      index_t const i = to_index(x);
      return i < -most_index ? -most_index : i > most_index ? most_index : i;
    } else {
      return x.dim;
    }
  }
  constexpr index_t minus(index_t x) { return is_symbolic(x) ? times(g, x, -1) : -x; }

  // Something lies outside its axis: an error at once where the graph is computed as it is recorded.
  constexpr void outside(core::text const& t) {
    failed = true;
    if constexpr (!G::storage::merges) core::raise<index_error>(t);
  }
  // whether d is that of an argument, or computed of such, and never negative
  constexpr bool is_extent(index_t d) const { return is_symbolic(d) && is_never_negative(g, d); }
  // what is never above 0, or always below, whatever the extents are
  constexpr bool is_never_positive(index_t d) const {
    if (!is_symbolic(d)) return d <= 0;
    auto const& e = g.dims[dim_index(d)];
    if (e.op == dim_op::times) return is_extent(e.a) ? !is_symbolic(e.b) && e.b < 0 : e.a < 0 && is_extent(e.b);
    return e.op == dim_op::plus && is_never_positive(e.a) && is_never_positive(e.b);
  }
  constexpr bool is_negative(index_t d) const {
    if (!is_symbolic(d)) return d < 0;
    auto const& e = g.dims[dim_index(d)];
    return e.op == dim_op::plus && is_never_positive(d) && (is_negative(e.a) || is_negative(e.b));
  }
  // A bound that is computed from extents, as -n - 1, is counted from the end where it is negative for all of them. Of
  // n - 1 nobody knows until it runs: it is counted from the start, and checked.
  constexpr bool is_computed_from_end(index_t d, index_t n) {
    return is_symbolic(d) && (is_negative(d) || d == find(g, times(g, n, -1)));
  }
  // d is where an index or range starts or stops
  constexpr void begin(index_t d) {
    d = find(g, d);
    if (is_symbolic(d) && !is_extent(d)) require_begin(g, d);
  }
  // b elements of an axis of extent n are named
  constexpr void reach(index_t n, index_t b) {
    n = find(g, n), b = find(g, b);
    if (n == b || (b == 0 && is_extent(n))) return;
    if (is_symbolic(n) || is_symbolic(b))
      require_reach(g, n, b, op);
    else if (n < b)
      outside(too_few_elements(op, n, b));
  }

  // The same as shapes::range_length says of numbers. What starts backwards from 0 or -1 fits an axis of extent 0, too:
  // then there is nothing, for no range has more elements than its axis.
  constexpr void strided(index_t start, index_t stop, index_t step, int axis) {
    index_t const n = find(g, from.extent[axis]);
    bool const backwards = step < 0;
    if (is_computed_from_end(start, n)) start = plus(g, n, start);
    bool const from_end = is_computed_from_end(stop, n);  // then it may lie before the first element, where nothing is
    if (from_end) stop = plus(g, n, stop);
    if (is_symbolic(n) || is_symbolic(start) || is_symbolic(stop)) {
      if (!backwards || is_symbolic(start) || start > 0 || start < -1)
        reach(n, is_symbolic(start) || start > 0 ? plus(g, start, backwards ? 1 : 0) : -start);
      reach(n, is_symbolic(stop) || stop >= 0 ? stop : -stop - 1);
      begin(start), begin(from_end ? plus(g, stop, 1) : stop);
    }
    index_t const first = bound(start, n), last = bound(stop, n);
    index_t elements = 0;
    if (!is_symbolic(first) && !is_symbolic(last)) {
      elements =
          shapes::range_length(first, last, step, is_symbolic(n) ? (first < last ? last : first + backwards) : n);
      if (elements < 0)
        outside(core::text() << "range(" << start << ", " << stop << ", " << step << ") lies outside axis " << axis
                             << " with extent " << n);
    } else if (step == 0) {
      outside(core::text() << "a range needs a step other than 0");
    } else {
      index_t const span = backwards ? plus(g, first, minus(last)) : plus(g, last, minus(first)),
                    by = backwards ? -step : step;
      // by what was checked above
      bool const never_negative = !backwards && (find(g, last) == n || (first == 0 && is_symbolic(stop)));
      elements = divide(g, plus(g, never_negative ? span : length(g, span), by - 1), by);
      if (backwards) elements = plus(g, n, minus(length(g, plus(g, n, minus(elements)))));
    }
    s.take(first, step, elements, true);
  }

  template <class Item>
  constexpr void one(Item const& item, int axis) {
    index_t const n = find(g, from.extent[axis]);
    if constexpr (std::is_integral_v<Item>) {
      index_t const i = number(item), needed = i < 0 ? -i : i + 1;
      if (is_symbolic(n))
        reach(n, needed);
      else if (n < needed)
        outside(core::text() << "index " << i << " is out of range for axis " << axis << " with extent " << n);
      s.take(bound(i, n), 1, 1, false);
    } else if constexpr (shapes::is_window<Item>) {
      index_t const length_of_it = shapes::typed_length<Item>(0), given = number(item.start),
                    start = is_computed_from_end(given, n) ? plus(g, n, given) : given;
      bool const from_end = !is_symbolic(start) && start < 0;
      if (from_end && start + length_of_it > 0)
        outside(core::text() << "a slice from " << start << " has " << length_of_it << " elements");
      reach(n, from_end ? -start : plus(g, start, length_of_it));
      begin(start);
      s.take(bound(start, n), 1, length_of_it, true);
    } else if constexpr (shapes::is_static_range<Item>) {
      [&]<index_t A, index_t B, index_t C>(static_range<A, B, C> const&) { strided(A, B, C, axis); }(item);
    } else {
      index_t const step = item.step, start = number(shapes::first_bound(item.start, step));
      if constexpr (std::is_same_v<decltype(item.stop), end_t>)
        strided(start, step < 0 ? plus(g, minus(n), -1) : n, step, axis);
      else
        strided(start, number(item.stop), step, axis);
    }
  }
  template <int Unnamed, class... Items>
  constexpr void select(Items const&... items) {
    shapes::for_each_item<Unnamed>([&](auto const& item, int axis) { one(item, axis); },
                                   [&] { s.source[s.rank_out++] = -1; },
                                   [&](int axis) { s.take(0, 1, find(g, from.extent[axis]), true); }, items...);
  }
  // the shape of the slice before axes are dropped or made, and after
  constexpr int sliced_shape() {
    shape_t r{};
    for (int k = 0; k < s.rank_in; ++k) r.push(s.length[k]);
    return intern(g, r);
  }
  constexpr int final_shape() {
    shape_t r{};
    for (int k = 0; k < s.rank_out; ++k) r.push(s.source[k] < 0 ? 1 : s.length[s.source[k]]);
    return intern(g, r);
  }
};

}  // namespace ricci::ir
