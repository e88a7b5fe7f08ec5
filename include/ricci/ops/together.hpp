// Several tensors from one or several: `auto [r, g, b] = rc::unstack(image, rc::axis<0>)`, `rc::split<3>(x)`,
// `rc::broadcast_arrays(a, b)`, `rc::meshgrid(x, y)`. All are views.
#pragma once

#include <ricci/ops/told.hpp>

namespace ricci {

// Element k along an axis, without it.
struct unstack_t : formula_of_one<unstack_t> {
  static constexpr auto name = "unstack";
  static constexpr bool one_to_one = true, of_row_major = false, layout_is_open = true;
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    int const mask = a.mask(x.rank);
    if (mask < 0 || a.axes.count != 1) return c.fail(), x;
    return shapes::reduced(x, mask, false);
  }
  template <int N, int M>
  RICCI_INLINE static constexpr void view(axes_and_numbers const& a, shapes::strided<N> const& x,
                                          shapes::strided<M>& y) {
    int const axis = a.axis(0, N);
    y.offset = x.offset + a.numbers[0] * x.stride[axis];
    for (int k = 0, i = 0; k < N; ++k)
      if (k != axis) y.set(i++, x.extent[k], x.stride[k]);
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int) {
    return ir::element_of(x, a.axis(0, x.rank()), a.numbers[0]);
  }
};

namespace joining {
template <class X>
using extents_of = typename operand_extents<std::remove_cvref_t<X>>::type;
}  // namespace joining

// The elements of x along an axis, without it (the first one, where none is named), as an array: (2, m, n) -> two of
// (m, n). An extent that the type does not know, and an axis that is not there, are a compile error.
template <class X, index_t A = 0>
requires typed_operands<X>
constexpr auto unstack(X&& x, axes_t<A> axis = {}) {
  using E = joining::extents_of<X>;
  static_assert(A >= -E::rank && A < E::rank, "unstack: an axis that the tensor does not have");
  constexpr index_t n = E::extent(axis_from_start(A, E::rank));
  static_assert(n >= 0, "unstack gives as many tensors as the axis has elements: its extent is part of the type");
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    auto const part = [&](index_t k) { return unstack_t::call(joining::again<X>(x), axis, k); };
    return std::array<decltype(part(0)), std::size_t(n)>{part(index_t(K))...};
  }
  (std::make_index_sequence<std::size_t(n)>{});
}

// One of several equal parts along an axis; the numbers are which, and of how many.
struct split_t : formula_of_one<split_t> {
  static constexpr auto name = "split";
  static constexpr bool one_to_one = true, of_row_major = false, layout_is_open = true;
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t x) {
    if (a.mask(x.rank) < 0 || a.axes.count != 1) return c.fail(), x;
    index_t& n = x.extent[a.axis(0, x.rank)];
    return n = c.divide_exactly(n, a.numbers[1]), x;
  }
  template <int N, int M>
  RICCI_INLINE static constexpr void view(axes_and_numbers const& a, shapes::strided<N> const& x,
                                          shapes::strided<M>& y) {
    int const axis = a.axis(0, N);
    index_t const n = x.extent[axis], parts = a.numbers[1];
    if (n % parts != 0) [[unlikely]]
      raise_uneven(n, parts);
    y.offset = x.offset + a.numbers[0] * (n / parts) * x.stride[axis];
    for (int k = 0; k < N; ++k) y.set(k, k == axis ? n / parts : x.extent[k], x.stride[k]);
  }
  [[noreturn]] RICCI_COLD static void raise_uneven(index_t n, index_t parts) {
    core::raise<shape_error>(core::text()
                             << name << ": " << n << " elements along the axis are not " << parts << " equal parts");
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    int const axis = a.axis(0, x.rank());
    index_t const n = x.g->shapes[shape].extent[axis];
    return ir::stretch(x, axis, ir::times(*x.g, n, a.numbers[0]), n);
  }
};

// Parts equal parts of x along an axis (the first one, where none is named), as an array of views: (6, n) -> three of
// (2, n). An axis that is not there, and an extent in the type that is not so divided, are a compile error; one that
// shows at run time is a shape_error.
template <index_t Parts, class X, index_t A = 0>
requires typed_operands<X>
constexpr auto split(X&& x, axes_t<A> axis = {}) {
  static_assert(Parts > 0, "split: at least one part is expected");
  using E = joining::extents_of<X>;
  static_assert(A >= -E::rank && A < E::rank, "split: an axis that the tensor does not have");
  constexpr index_t n = E::extent(axis_from_start(A, E::rank));
  static_assert(n < 0 || n % Parts == 0, "split: the axis does not have as many equal parts");
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    auto const part = [&](auto k) {
      return split_t::call(joining::again<X>(x), axis, extents<index_t(decltype(k)::value), Parts>{});
    };
    return std::tuple(part(std::integral_constant<std::size_t, K>{})...);
  }
  (std::make_index_sequence<std::size_t(Parts)>{});
}

RICCI_WRONG_CALL_BY_VALUES(
    split,
    "split is told in its type how many equal parts are wanted, and the axis, the first one where "
    "none is named: auto [a, b] = rc::split<2>(x, rc::axis<1>)")

// Operand K beside others, in a shape that all have together.
template <class Derived, int K>
struct shown_beside : ir::operation_of_kind<ir::op_kind::alias, 0> {
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    dtype const types[] = {t...};
    return types[K];
  }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, no_attributes, S const&... s) {
    shape_t const shapes_of_all[] = {s...};
    return Derived::together(c, shapes_of_all, int(sizeof...(S)));
  }
  template <class Mode, class... V>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> first, V... rest) {
    ir::value<Mode> const x[] = {first, rest...};
    shape_t const shapes_of_all[] = {first.shape(), rest.shape()...};
    auto& g = *first.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<Derived>(), first.shape_id(), x[sizeof...(V)].shape_id()};
    int const shape = ir::intern(g, Derived::together(c, shapes_of_all, 1 + int(sizeof...(V))));
    return ir::broadcast_to(Derived::aligned(x[K], 1 + int(sizeof...(V))), shape);
  }
};
// as `Op<0>`, `Op<1>`, ... of all operands
template <template <int> class Op, class... X>
constexpr auto all_beside(X&&... x) {
  auto const shown = [&]<int K>(std::integral_constant<int, K>) {
    return call_operation<Op<K>>(no_attributes{}, joining::again<X>(x)...);
  };
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return std::tuple<decltype(shown(std::integral_constant<int, K>{}))...>(shown(std::integral_constant<int, K>{})...);
  }
  (std::make_integer_sequence<int, int(sizeof...(X))>{});
}

template <int K>
struct broadcast_arrays_t : shown_beside<broadcast_arrays_t<K>, K> {
  static constexpr auto name = "broadcast_arrays";
  template <class Context>
  static constexpr shape_t together(Context& c, shape_t const* x, int n) {
    shape_t s = x[0];
    for (int k = 1; k < n; ++k) s = shapes::broadcast(c, s, x[k]);
    return s;
  }
  template <class V>
  static constexpr V aligned(V x, int) {
    return x;
  }
};
// All operands in the shape to which they broadcast, as a tuple. Misfits are a compile error or a shape_error.
template <class... X>
requires(operands<X...>) constexpr auto broadcast_arrays(X&&... x) {
  return all_beside<broadcast_arrays_t>(static_cast<X&&>(x)...);
}

// Which axis of the result belongs to which vector: ij, axis k to vector k; xy, as in plots, where the first two are
// exchanged.
template <bool Exchanged>
struct indexing_t {
  template <int K>
  struct grid_t : shown_beside<grid_t<K>, K> {
    static constexpr auto name = "meshgrid";
    static constexpr int axis_of(int k, int n) { return Exchanged && n > 1 && k < 2 ? 1 - k : k; }
    template <class Context>
    static constexpr shape_t together(Context& c, shape_t const* x, int n) {
      shape_t s{n, {}};
      for (int k = 0; k < n; ++k) {
        if (x[k].rank > 1) return c.fail(), shape_t{};
        s.extent[axis_of(k, n)] = x[k].rank == 0 ? 1 : x[k].extent[0];
      }
      return s;
    }
    template <class V>
    static constexpr V aligned(V x, int n) {
      shape_t s{n, {}};
      for (int k = 0; k < n; ++k) s.extent[k] = k != axis_of(K, n) || x.rank() == 0 ? 1 : x.shape().extent[0];
      return ir::reshape(x, ir::intern(*x.g, s));
    }
  };
};
inline constexpr indexing_t<true> indexing_xy{};
inline constexpr indexing_t<false> indexing_ij{};

// The coordinates of the points of a grid from those along its axes, as a tuple: (m,), (n,) -> (n, m), (n, m), or with
// rc::indexing_ij behind the vectors (m, n), (m, n). Operands of order 2 or more are a compile error.
struct meshgrid_function {
  template <class... X>
  requires(operands<X...>) constexpr auto operator()(X&&... x) const {
    return all_beside<indexing_t<true>::grid_t>(static_cast<X&&>(x)...);
  }
  template <class... X>
  requires(sizeof...(X) > 1 && !operands<X...>) constexpr auto operator()(X&&... x) const {
    return before_last(std::make_index_sequence<sizeof...(X) - 1>{}, std::forward_as_tuple(static_cast<X&&>(x)...));
  }

 private:
  template <std::size_t... K, class Tuple>
  static constexpr auto before_last(std::index_sequence<K...>, Tuple&& t) {
    using indexing = std::remove_cvref_t<std::tuple_element_t<sizeof...(K), std::remove_cvref_t<Tuple>>>;
    return all_beside<indexing::template grid_t>(std::get<K>(static_cast<Tuple&&>(t))...);
  }
};
inline constexpr meshgrid_function meshgrid{};

}  // namespace ricci
