// The greatest elements: `auto [values, indices] = rc::top_k(x, 3)` (tensor/top_k.hpp).
#pragma once

#include <ricci/ops/reshaping.hpp>
#include <ricci/ops/sort.hpp>

namespace ricci {

namespace sorting {
inline namespace RICCI_ABI {

// whether element i of x comes after element j
template <class X>
RICCI_HD constexpr bool is_after(X const& x, std::int64_t i, std::int64_t j) {
  auto const a = x(i), b = x(j);
  return before<true>{}(b, a) || (!before<true>{}(a, b) && i > j);
}
// `at` sinks from place k of a heap of n positions, the last in order on top
template <class X>
RICCI_HD constexpr void sink(X const& x, std::int64_t* heap, index_t n, index_t k, std::int64_t at) {
  for (index_t child = 2 * k + 1; child < n; child = 2 * k + 1) {
    if (child + 1 < n && is_after(x, heap[child + 1], heap[child])) ++child;
    if (!is_after(x, heap[child], at)) break;
    heap[k] = heap[child];
    k = child;
  }
  heap[k] = at;
}

}  // namespace RICCI_ABI
}  // namespace sorting

// Where the k greatest elements of a row are, the greatest first, of equal ones the first; NaN is greater than every
// number. Operand 1 is as long as there are to be. One walk along the row with those that are the greatest so far: few
// of them in order, more in a heap, the least of them on top.
struct top_k_places_t : core_call<top_k_places_t> {
  static constexpr auto name = "top_k";
  static constexpr core_signature core{"(n),(k)->(k)"};
  static constexpr int dense_axes = 1;
  template <class T>
  using types = type_list<T, std::int64_t, std::int64_t>;
  template <class T>
  using workspace_type = std::int64_t;
  static constexpr index_t workspace(index_t const* n) { return n[1]; }
  static constexpr char const* refuses(index_t const* n) {
    return n[1] > n[0] ? "more are asked for than there are" : nullptr;
  }

  // Calls `take_place(i)` for each element from k on that comes before `least`, which that may change.
  template <class E, class Take>
  RICCI_HD static constexpr void look_for_greater(E const* e, index_t k, index_t n, E const& least,
                                                  Take const& take_place) {
    sorting::before<true> const is_before{};
    constexpr index_t at_once = 16;  // of which mostly none is among the greatest, nor NaN
    index_t i = k;
    for (; i + at_once <= n; i += at_once) {
      int found = 0;
      for (index_t j = 0; j < at_once; ++j) found |= int(!(e[i + j] <= least));
      if (found != 0)
        for (index_t j = 0; j < at_once; ++j)
          if (is_before(e[i + j], least)) take_place(i + j);
    }
    for (; i < n; ++i)
      if (is_before(e[i], least)) take_place(i);
  }
  static constexpr index_t few = 16;
  // k is at most `few`: in order from the beginning
  RICCI_FN run_few(auto const& x, auto const& y, index_t n, index_t k) {
    using T = std::remove_cvref_t<decltype(x(0))>;
    sorting::before<true> const is_before{};
    T greatest[few]{};
    std::int64_t places[few]{};
    auto const insert = [&](index_t at, index_t i) {
      T const v = x.p[i];
      for (; at > 0 && is_before(v, greatest[at - 1]); --at)
        greatest[at] = greatest[at - 1], places[at] = places[at - 1];
      greatest[at] = v, places[at] = i;
    };
    for (index_t i = 0; i < k; ++i) insert(i, i);
    look_for_greater<T>(x.p, k, n, greatest[k - 1], [&](index_t i) { insert(k - 1, i); });
    for (index_t i = 0; i < k; ++i) y(i) = places[i];
  }
  RICCI_FN run(auto const& c, auto const& x, auto const&, auto const& y) {
    index_t const n = c.extents[0], k = c.extents[1];
    if (k == 0) return;
    if (k <= few) return run_few(x, y, n, k);
    std::int64_t* const heap = c.workspace;
    for (index_t i = 0; i < k; ++i) heap[i] = i;
    for (index_t i = k / 2; i-- > 0;) sorting::sink(x, heap, k, i, heap[i]);
    using T = std::remove_cvref_t<decltype(x(0))>;
    T least = x(heap[0]);
    look_for_greater<T>(x.p, k, n, least, [&](index_t i) {
      sorting::sink(x, heap, k, 0, i);
      least = x.p[heap[0]];
    });
    for (index_t left = k; left-- > 0;) {
      y(left) = heap[0];
      sorting::sink(x, heap, left, 0, heap[left]);
    }
  }
};
// (..., n) -> (..., k), int64; k is the attribute
struct top_k_indices_t {
  static constexpr auto name = "top_k";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype) { return dtype::int64; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, shape_t const& k, shape_t x) {
    if (k.rank != 1 || x.rank == 0) return c.fail(), x;
    c.minus(x.extent[x.rank - 1], k.extent[0]);
    x.extent[x.rank - 1] = k.extent[0];
    return x;
  }
  template <class V>
  static constexpr V record(shape_t const& k, V x) {
    (void)ir::requested(*x.g, k);
    V const many = ir::literal<typename V::mode>(*x.g, 0, dtype::int64, ir::intern(*x.g, k));
    return top_k_places_t::record(no_attributes{}, x, many);
  }
};
// The elements at those indices: (..., n), (..., k) -> (..., k).
struct elements_of_rows_t {
  static constexpr auto name = "elements_of_rows";
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context&, no_attributes, shape_t const&, shape_t const& at) {
    return at;
  }
  template <class V>
  static constexpr V record(no_attributes, V x, V at) {
    return sorting::gathered(x, at, x.rank() - 1);
  }
};

}  // namespace ricci
