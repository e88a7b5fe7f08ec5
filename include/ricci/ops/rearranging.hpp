// Elements in other places and several times, as in NumPy: `rc::roll(x, 1, rc::axis<0>)`, `rc::repeat(x, 3,
// rc::axis<0>)`, `rc::tile(x, rc::shape(2, 3))`, `rc::moveaxis`, `rc::swapaxes`, `rc::ravel`, `rc::diff(x)`. Numbers
// may be known at run time alone; those that the type knows (`rc::known<3>`, `rc::extents<2, 3>{}`) keep extents
// static.
#pragma once

#include <ricci/ops/join.hpp>
#include <ricci/ops/padding.hpp>
#include <ricci/ops/told.hpp>

namespace ricci {

// x moved along an axis by as many places as the shift says, towards the end, and what leaves it enters at the start.
// Several axes have a shift each, `rc::roll(x, rc::shape(1, -2), rc::axis<0, 1>)`, or one together; without an axis x
// is rolled as if it were flat. An axis that is named twice is rolled twice. Axes that are not there, or another number
// of shifts, are a compile error.
struct roll_t : formula_of_one<roll_t>, refuses_axis_number_last {
  using refuses_axis_number_last::operator();
  static constexpr auto name = "roll";
  template <class X, Numbers N, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& shift, axes_t<A...> axes = {}) const {
    return call(static_cast<X&&>(x), axes, shift);
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "roll takes a tensor, by how many places, and which axes: rc::roll(x, 1, rc::axis<0>), of several "
      "rc::roll(x, rc::shape(1, 2), rc::axes<0, 1>); without axes it goes through all elements")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    for (int k = 0; k < a.axes.count; ++k)
      if (a.axis(k, x.rank) < 0 || a.axis(k, x.rank) >= x.rank) c.fail();
    if (a.count != 1 && a.count != a.axes.count) c.fail();
    return x;
  }
  // its two stretches exchanged; where there are no elements, 0 / 0 is 0
  template <class V>
  static constexpr V along(V x, int axis, index_t shift) {
    auto& g = *x.g;
    index_t const n = x.shape().extent[axis];
    index_t const of_period = ir::remainder(g, ir::minus(g, 0, shift), n);
    index_t const start = ir::times(g, ir::remainder(g, ir::plus(g, of_period, n), n), ir::divide(g, n, n));
    if (start == 0) return x;
    return ir::joined(axis, x.shape_id(), ir::behind(x, axis, start), ir::stretch(x, axis, 0, start));
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    if (a.axes.count == 0) return ir::reshape(along(ir::flattened(x), 0, a.numbers[0]), shape);
    for (int k = 0; k < a.axes.count; ++k) x = along(x, a.axis(k, x.rank()), a.numbers[a.count == 1 ? 0 : k]);
    return x;
  }
};

// Every element n times, one after the other: (m,) -> (m n,) along an axis; without one, of x as if it were flat. A
// negative number is a compile error or a value_error.
struct repeat_t : formula_of_one<repeat_t>, refuses_axis_number_last {
  using refuses_axis_number_last::operator();
  static constexpr auto name = "repeat";
  template <class X, Numbers N, index_t... A>
  requires(operands<X> && sizeof...(A) <= 1) RICCI_INLINE constexpr auto operator()(X&& x, N const& n,
                                                                                    axes_t<A...> axes = {}) const {
    return call(static_cast<X&&>(x), axes, n);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t x) {
    if (a.mask(x.rank) < 0 || a.count != 1 || (x.rank == max_rank && a.axes.count > 0)) return c.fail(), x;
    index_t const n = a.are_known ? a.numbers[0] : dyn;
    if (a.axes.count == 0) return {1, {c.times(shapes::size(c, x), n)}};
    int const axis = a.axis(0, x.rank);
    x.extent[axis] = c.times(x.extent[axis], n);
    return x;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    if (a.axes.count == 0) x = ir::flattened(x);
    int const behind = 1 + (a.axes.count == 0 ? 0 : a.axis(0, x.rank()));
    V const each = ir::expand(x, behind);
    shape_t s = each.shape();
    s.extent[behind] = a.numbers[0];
    return ir::reshape(ir::broadcast_to(each, ir::intern(*x.g, s)), shape);
  }
};

// x as often as the numbers say along each axis, the last number for the last axis: where there are more of them, x has
// leading axes of extent 1, as in NumPy. Negative ones are a compile error or a value_error.
struct tile_t : formula_of_one<tile_t> {
  static constexpr auto name = "tile";
  template <class X, Numbers N>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& n) const {
    return call(static_cast<X&&>(x), axes_t<>{}, n);
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "tile takes a tensor and how often it stands along each axis: rc::tile(x, rc::shape(2, 3))")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    int const rank = x.rank < a.count ? a.count : x.rank;
    if (rank > max_rank) return c.fail(), x;
    shape_t s{rank, {}};
    for (int k = 1; k <= rank; ++k) {
      index_t const n = k > a.count ? 1 : a.are_known ? a.numbers[a.count - k] : dyn;
      s.extent[rank - k] = k > x.rank ? n : c.times(x.extent[x.rank - k], n);
    }
    return s;
  }
  // before each axis another one, along which it is broadcast; where these are too many, one axis after the other
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    shape_t once{}, often{};
    int const rank = x.g->shapes[shape].rank;
    if (x.rank() + a.count > max_rank) return axis_by_axis(a, x, shape);
    for (int k = rank; k > 0; --k) {
      if (k <= a.count) once.push(1), often.push(a.numbers[a.count - k]);
      if (k <= x.rank()) once.push(x.shape().extent[x.rank() - k]), often.push(x.shape().extent[x.rank() - k]);
    }
    auto& g = *x.g;
    return ir::reshape(ir::broadcast_to(ir::reshape(x, ir::intern(g, once)), ir::intern(g, often)), shape);
  }

 private:
  // (before, after) -> (before, n, after) for each axis, which `after` begins with
  template <class V>
  static constexpr V axis_by_axis(axes_and_numbers const& a, V x, int shape) {
    auto& g = *x.g;
    shape_t s{g.shapes[shape].rank, {}};
    for (int k = 1; k <= s.rank; ++k) s.extent[s.rank - k] = k > x.rank() ? 1 : x.shape().extent[x.rank() - k];
    index_t after = 1;
    for (int k = 1; k <= a.count; ++k) {
      index_t const n = a.numbers[a.count - k];
      index_t before = 1;
      for (int d = 0; d < s.rank - k; ++d) before = ir::times(g, before, s.extent[d]);
      after = ir::times(g, after, s.extent[s.rank - k]);
      if (n != 1) {
        V const once = ir::reshape(x, ir::intern(g, shape_t{3, {before, 1, after}}));
        x = ir::broadcast_to(once, ir::intern(g, shape_t{3, {before, n, after}}));
      }
      after = ir::times(g, after, n);
    }
    return ir::reshape(x, shape);
  }
};

// Each element less the one before it along an axis (the last one, where none is named), (n,) -> (n - 1,);
// `rc::diff<2>` does that twice. Of conditions it is whether they differ.
template <int Times>
struct diff_t : formula_of_one<diff_t<Times>> {
  static_assert(Times >= 0, "diff: how often is 0 or more");
  static constexpr auto name = "diff";
  static constexpr bool takes_complex = true;
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t x) {
    if (a.mask(x.rank) < 0 || a.axes.count != 1) return c.fail(), x;
    int const axis = a.axis(0, x.rank);
    x.extent[axis] = shapes::left_of(c, x.extent[axis], Times);
    return x;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int) {
    int const axis = a.axis(0, x.rank());
    ir::graph_context<typename V::graph_type> c{*x.g, ir::no_asker, 0, 0};
    for (int k = 0; k < Times; ++k) {
      index_t const n = shapes::left_of(c, x.shape().extent[axis], 1);
      V const next = ir::stretch(x, axis, 1, n), last = ir::stretch(x, axis, 0, n);
      x = x.type() == dtype::boolean ? V(next != last) : V(next - last);
    }
    return x;
  }
};
template <int Times = 1, class X, index_t A = -1>
requires operands<X>
constexpr auto diff(X&& x, axes_t<A> axis = {}) { return diff_t<Times>::call(static_cast<X&&>(x), axis); }
RICCI_WRONG_CALL_BY_VALUES(
    diff,
    "diff takes a tensor, the axis, the last one where none is named, then what stands before or "
    "behind: rc::diff(x, rc::axis<0>, rc::prepend(0.)); differences of differences are "
    "rc::diff<2>(x)")

// `rc::diff(x, rc::prepend(0.), rc::append(y))`: what stands before and behind x along the axis, a number or a tensor
// of the order of x.
template <class V>
struct prepend_t {
  V value;
};
template <class V>
struct append_t {
  V value;
};
template <class V>
requires operands<V>
constexpr prepend_t<V> prepend(V&& x) { return {static_cast<V&&>(x)}; }
template <class V>
requires operands<V>
constexpr append_t<V> append(V&& x) { return {static_cast<V&&>(x)}; }

namespace shapes {
// Whether the type of X's elements holds no numbers as V, which has a fraction or an imaginary part: then they
// become such numbers, as in arithmetic.
template <class X, class V>
inline constexpr bool do_not_hold = [] {
  constexpr dtype of_x = own_type<X>();
  if constexpr (Arithmetic<std::remove_cvref_t<V>> && of_x != dtype::none)  // none: it shows at run time
    return is_complex(own_type<V>()) ? !is_complex(of_x) : is_inexact(own_type<V>()) && !is_inexact(of_x);
  else
    return false;
}();

template <class X, index_t A, class V>
constexpr auto extended(X&& x, axes_t<A> axis, prepend_t<V>&& v) {
  if constexpr (do_not_hold<std::remove_cvref_t<X>, V>)
    return extended(static_cast<X&&>(x) * std::remove_cvref_t<V>(1), axis, static_cast<prepend_t<V>&&>(v));
  else if constexpr (Arithmetic<std::remove_cvref_t<V>>)
    return pad(static_cast<X&&>(x), extents<1, 0>{}, v.value, axis);
  else
    return concat_as<diff_t<1>>(static_cast<V&&>(v.value), static_cast<X&&>(x), axis);
}
template <class X, index_t A, class V>
constexpr auto extended(X&& x, axes_t<A> axis, append_t<V>&& v) {
  if constexpr (do_not_hold<std::remove_cvref_t<X>, V>)
    return extended(static_cast<X&&>(x) * std::remove_cvref_t<V>(1), axis, static_cast<append_t<V>&&>(v));
  else if constexpr (Arithmetic<std::remove_cvref_t<V>>)
    return pad(static_cast<X&&>(x), extents<0, 1>{}, v.value, axis);
  else
    return concat_as<diff_t<1>>(static_cast<X&&>(x), static_cast<V&&>(v.value), axis);
}
}  // namespace shapes

template <int Times = 1, class X, index_t A, template <class> class First, class V, class... Second>
requires(operands<X>&& requires(X&& x, First<V>&& v) {
  shapes::extended(static_cast<X&&>(x), axis<A>, static_cast<First<V>&&>(v));
}) constexpr auto diff(X&& x, axes_t<A> axis, First<V> first, Second... second) {
  return diff<Times>(shapes::extended(static_cast<X&&>(x), axis, static_cast<First<V>&&>(first)), axis,
                     static_cast<Second&&>(second)...);
}
template <int Times = 1, class X, template <class> class First, class V, class... Second>
requires operands<X>
constexpr auto diff(X&& x, First<V> first, Second... second) {
  return diff<Times>(static_cast<X&&>(x), axis<-1>, static_cast<First<V>&&>(first), static_cast<Second&&>(second)...);
}

inline constexpr roll_t roll{};
inline constexpr tile_t tile{};

namespace shapes {
inline namespace RICCI_ABI {

// The axes of an operand of this order in the order of the result, n of them brought from places to places; a count of
// -1 where it does not have them, or one is named twice.
constexpr axis_list moved(index_t const* from, index_t const* to, int n, int rank) {
  int const taken = axis_mask(from, n, rank), filled = axis_mask(to, n, rank);
  if (taken < 0 || filled < 0) return {-1, {}};
  axis_list r{rank, {}};
  for (int k = 0; k < n; ++k) r.axes[to[k] < 0 ? to[k] + rank : to[k]] = from[k] < 0 ? from[k] + rank : from[k];
  for (int k = 0, other = 0; k < rank; ++k) {
    if (filled >> k & 1) continue;
    while (taken >> other & 1) ++other;
    r.axes[k] = other++;
  }
  return r;
}
template <index_t... A, index_t... B>
constexpr axis_list moved(axes_t<A...>, axes_t<B...>, int rank) {
  index_t const from[] = {A..., 0}, to[] = {B..., 0};
  return moved(from, to, sizeof...(A), rank);
}

}  // namespace RICCI_ABI
}  // namespace shapes

// `rc::moveaxis(x, rc::axis<0>, rc::axis<-1>)`: axes to other places, the others in their order. A view, as
// permute_dims. Axes that are not there, or are named twice, are a compile error.
template <class X, index_t... A, index_t... B>
requires(typed_operands<X> && sizeof...(A) == sizeof...(B)) constexpr auto moveaxis(X&& x, axes_t<A...> from,
                                                                                    axes_t<B...> to) {
  constexpr axis_list order = shapes::moved(from, to, rank_of<X>);
  static_assert(order.count >= 0, "moveaxis: axes that the tensor does not have, or one twice");
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return permute_dims(static_cast<X&&>(x), axis<order.axes[K]...>);
  }
  (std::make_index_sequence<std::size_t(rank_of<X>)>{});
}
// `rc::swapaxes(x, rc::axis<0>, rc::axis<1>)`: a view with two axes exchanged. An axis that is not there is a compile
// error.
template <class X, index_t A, index_t B>
requires typed_operands<X>
constexpr auto swapaxes(X&& x, axes_t<A>, axes_t<B>) {
  constexpr int rank = rank_of<X>, a = axis_from_start(A, rank), b = axis_from_start(B, rank);
  if constexpr (a == b)
    return moveaxis(static_cast<X&&>(x), axis<a>, axis<a>);
  else
    return moveaxis(static_cast<X&&>(x), axis<a, b>, axis<b, a>);
}
// Rotated by 90 degrees, or by 90 degrees k times where rc::known<k> says so, from the first of two axes towards the
// second: (m, n) -> (n, m). A view. Axes that are not two different ones of x are a compile error.
template <class X, class K = std::integral_constant<index_t, 1>, index_t A = 0, index_t B = 1>
requires typed_operands<X>
constexpr auto rot90(X&& x, K const& = {}, axes_t<A, B> axes = {}) {
  static_assert(!Extent<K>, "rot90: the shape depends on how often x is rotated, so the type says it: rc::known<2>");
  constexpr int rank = rank_of<X>, a = axis_from_start(A, rank), b = axis_from_start(B, rank);
  static_assert(a >= 0 && a < rank && b >= 0 && b < rank && a != b, "rot90 is told two axes that the tensor has");
  constexpr index_t quarters = (index_t(K::value) % 4 + 4) % 4;
  if constexpr (quarters == 0)
    return swapaxes(static_cast<X&&>(x), axis<A>, axis<A>);
  else if constexpr (quarters == 1)
    return swapaxes(flip(static_cast<X&&>(x), axis<B>), axis<A>, axis<B>);
  else if constexpr (quarters == 2)
    return flip(static_cast<X&&>(x), axes);
  else
    return flip(swapaxes(static_cast<X&&>(x), axis<A>, axis<B>), axis<B>);
}
// All elements, in row-major order, along one axis, (...) -> (size,): a view where x lies so.
template <class X>
requires typed_operands<X>
constexpr auto ravel(X&& x) {
  using E = typename operand_extents<std::remove_cvref_t<X>>::type;
  if constexpr (E::is_static)
    return reshape(static_cast<X&&>(x), extents<E::size>{});
  else
    return reshape(static_cast<X&&>(x), shape(-1));
}
// Views of order 1 (2, 3) at least: () -> (1,), (n,) -> (1, n), and (m, n) -> (m, n, 1)
template <class X>
requires operands<X>
constexpr auto atleast_1d(X&& x) {
  constexpr int rank = operand_extents<std::remove_cvref_t<X>>::type::rank;
  return expand_dims(static_cast<X&&>(x), std::conditional_t<rank == 0, axes_t<0>, axes_t<>>{});
}
template <class X>
requires operands<X>
constexpr auto atleast_2d(X&& x) {
  constexpr int rank = operand_extents<std::remove_cvref_t<X>>::type::rank;
  using fresh = std::conditional_t<rank == 1, axes_t<0>, axes_t<>>;
  return expand_dims(static_cast<X&&>(x), std::conditional_t<rank == 0, axes_t<0, 1>, fresh>{});
}
template <class X>
requires operands<X>
constexpr auto atleast_3d(X&& x) {
  constexpr int rank = operand_extents<std::remove_cvref_t<X>>::type::rank;
  using of_few = std::conditional_t<rank == 0, axes_t<0, 1, 2>, axes_t<0, 2>>;
  using of_more = std::conditional_t<rank == 2, axes_t<2>, axes_t<>>;
  return expand_dims(static_cast<X&&>(x), std::conditional_t<(rank < 2), of_few, of_more>{});
}

}  // namespace ricci
