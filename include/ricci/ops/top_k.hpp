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
// number. Operand 1 is as long as there are to be. One walk along the row with a heap of those that are the greatest so
// far, the least of them on top.
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

  RICCI_FN run(auto const& c, auto const& x, auto const&, auto const& y) {
    index_t const n = c.extents[0], k = c.extents[1];
    std::int64_t* const heap = c.workspace;
    if (k == 0) return;
    for (index_t i = 0; i < k; ++i) heap[i] = i;
    for (index_t i = k / 2; i-- > 0;) sorting::sink(x, heap, k, i, heap[i]);
    auto least = x(heap[0]);
    auto const* const e = x.p;
    sorting::before<true> const is_before{};
    auto const look_at = [&](index_t i) {
      if (!is_before(e[i], least)) return;
      sorting::sink(x, heap, k, 0, i);
      least = e[heap[0]];
    };
    constexpr index_t at_once = 16;  // of which mostly none is among the greatest, nor NaN
    index_t i = k;
    for (; i + at_once <= n; i += at_once) {
      int found = 0;
      for (index_t j = 0; j < at_once; ++j) found |= int(!(e[i + j] <= least));
      if (found != 0)
        for (index_t j = 0; j < at_once; ++j) look_at(i + j);
    }
    for (; i < n; ++i) look_at(i);
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
