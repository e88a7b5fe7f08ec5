// Rows named by integer tensors, on values of a graph: read (`take_at_function`) and written (`put_rows_function`). Of
// several tensors the axes that they name are brought side by side and become one, along which a single index names
// what all of them do. So there are no instructions beside `take` and `scatter`, nor rules for their derivatives.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/ops/reshaping.hpp>

namespace ricci {

// Which axes of an operand integer tensors name, and at which place among the other axes those of the tensors stand,
// which are broadcast together.
template <int Place, int... Axes>
struct index_places {
  static constexpr int count = sizeof...(Axes), place = Place, axes[] = {Axes...};
  // one tensor, whose axes take the place of the axis that it names: `take` along that axis
  static constexpr bool is_take = count == 1 && ((Axes == Place) && ...);

  static constexpr bool names(int axis) { return ((axis == Axes) || ...); }
  // all axes of an operand in another order, with those that are named side by side at their place
  static constexpr void order(int rank, index_t* to) {
    int others = 0;
    auto const name_them = [&] { ((*to++ = Axes), ...); };
    for (int k = 0; k < rank; ++k) {
      if (names(k)) continue;
      if (others++ == Place) name_them();
      *to++ = k;
    }
    if (others <= Place) name_them();
  }
  // the shape of what is named by tensors that together have the shape `by`
  static constexpr shape_t result(shape_t const& x, shape_t const& by) {
    shape_t s{};
    int others = 0;
    auto const put = [&] {
      for (int k = 0; k < by.rank; ++k) s.push(by.extent[k]);
    };
    for (int k = 0; k < x.rank; ++k) {
      if (names(k)) continue;
      if (others++ == Place) put();
      s.push(x.extent[k]);
    }
    if (others <= Place) put();
    return s;
  }
  template <class Context, class... I>
  static constexpr shape_t shape_of(Context& c, shape_t const& x, I const&... indices) {
    shape_t by{};
    ((by = shapes::broadcast(c, by, indices)), ...);
    if (x.rank - count + by.rank > max_rank) return c.fail(), shape_t{};
    return result(x, by);
  }
};

namespace ir {

// The places along an axis of that extent that one of several index tensors names, which together have the shape `by`:
// checked, and counted from the end where they are negative. Where the others have no elements, nothing is named, and
// nothing is checked. Axes of extent 1 are not spread for that: then the index is 0, on an axis that has an element.
template <class V>
constexpr V places_along(V index, index_t extent, shape_t const& by) {
  using Mode = typename V::mode;
  auto& g = *index.g;
  shape_t own{};
  index_t repeats = 1;
  for (int k = 0; k < by.rank; ++k) {
    int const axis = k - by.rank + index.rank();
    bool const repeated = axis < 0 || find(g, index.shape().extent[axis]) == 1;
    index_t const n = find(g, by.extent[k]);
    if (repeated && (is_symbolic(n) || n == 0)) repeats = times(g, repeats, n);
    if (axis >= 0) own.push(repeated ? 1 : n);
  }
  index = broadcast_to(index, intern(g, own));
  if (repeats != 1) {
    index_t const any = minus(g, repeats, length(g, minus(g, repeats, 1)));  // 0 or 1
    index = as_int64_indices(index) * number<Mode>(g, any, dtype::int64);
    extent = plus(g, extent, minus(g, 1, any));
  }
  return take(positions<Mode>(g, extent), index, 0);
}

// What several index tensors name, brought to one axis and one index.
template <class Places, class V>
struct rows_on_one_axis {
  V x, index{};  // with the axes that are named as one axis, at their place; int64, in the shape of all index tensors
  int permuted, shape;  // the shape of x before its axes became one, and of what is named
  index_t order[max_rank]{};

  constexpr rows_on_one_axis(op_facts const* op, V whole, V const (&indices)[std::size_t(Places::count)]) : x(whole) {
    auto& g = *x.g;
    int by = indices[0].shape_id();
    for (V const& i : indices) {
      graph_context<typename V::graph_type> c{g, op, by, i.shape_id()};
      by = intern(g, shapes::broadcast(c, g.shapes[by], i.shape()));
    }
    shape = intern(g, Places::result(x.shape(), g.shapes[by]));
    Places::order(x.rank(), order);
    x = permute(x, order, x.rank());
    permuted = x.shape_id();
    if constexpr (Places::count == 1) {
      index = indices[0];
    } else {
      index_t n = 1;
      for (int k = 0; k < Places::count; ++k) {
        index_t const extent = x.shape().extent[Places::place + k];
        V const at = places_along(indices[k], extent, g.shapes[by]);
        index = k == 0 ? at : V(index * number<typename V::mode>(g, extent, dtype::int64) + at);
        n = times(g, n, extent);
      }
      index = broadcast_to(index, by);
      shape_t one{};
      for (int k = 0; k < x.rank(); ++k) {
        if (k == Places::place) one.push(n);
        if (k < Places::place || k >= Places::place + Places::count) one.push(x.shape().extent[k]);
      }
      x = reshape(x, intern(g, one));
    }
  }
  // the operand's shape and order of axes again
  constexpr V restored(V y) const {
    index_t back[max_rank]{};
    y = reshape(y, permuted);
    for (int k = 0; k < y.rank(); ++k) back[order[k]] = k;
    return permute(y, back, y.rank());
  }
};

}  // namespace ir

// Operand 0 with the rows that the others, integers, name. Indices outside of their axes are an index_error, shapes
// that do not broadcast a compile error or a shape_error.
template <class Places>
struct take_at_function {
  static constexpr auto name = "take";
  static constexpr dtype type_of_result(dtype x, auto...) { return x; }
  template <class Context, class... I>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, I const&... indices) {
    return Places::shape_of(c, x, indices...);
  }
  template <class V, class... I>
  static constexpr V record(no_attributes, V x, I... indices) {
    V const all_of_them[] = {indices...};
    ir::rows_on_one_axis<Places, V> const rows(ir::facts_of<take_t>(), x, all_of_them);
    return ir::take(rows.x, rows.index, Places::place);
  }
};

// Operand 0 with the rows in operand 1, which are broadcast, in place of those that the others, integers, name, or
// added to them. Where one is named twice the last stays, or all are added.
struct assignment_to_rows {
  static constexpr auto name = "assignment to rows";
};
struct put_rows_call {
  static constexpr char const* name = "put_rows";
};
template <class Places, bool Add = false, class Caller = assignment_to_rows>
struct put_rows_function : Caller {
  static constexpr bool converts_to_first = true;
  static constexpr dtype type_of_result(dtype x, auto...) { return x; }
  template <class Context>
  static constexpr void check(Context& c, shape_t const& to, shape_t const& rows) {
    int const off = to.rank - rows.rank;
    if (off < 0) return c.fail();
    for (int k = 0; k < rows.rank; ++k) c.broadcast_to(to.extent[k + off], rows.extent[k]);
  }
  template <class Context, class... I>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& rows,
                                    I const&... indices) {
    check(c, Places::shape_of(c, x, indices...), rows);
    return x;
  }
  template <class V, class... I>
  static constexpr V record(no_attributes, V x, V rows, I... indices) {
    V const all_of_them[] = {indices...};
    ir::rows_on_one_axis<Places, V> const at(ir::facts_of<scatter_t>(), x, all_of_them);
    ir::graph_context<typename V::graph_type> c{*x.g, ir::facts_of<scatter_t>(), at.shape, rows.shape_id()};
    check(c, x.g->shapes[at.shape], rows.shape());
    V const values = ir::broadcast_to(ir::cast(rows, x.type()), at.shape);
    return at.restored(ir::scatter<Caller>(at.x, at.index, values, Places::place, Add));
  }
};
// `rc::put_rows<0>(x, indices, rows)`: x with `rows`, which broadcast, in place of the rows along the axis that the
// integers name; where one occurs twice, the last stays. An index outside is an index_error, rows that do not fit are a
// compile error or a shape_error.
template <index_t Axis, class X, class I, class R>
requires operands<X, I, R>
constexpr auto put_rows(X&& x, I&& indices, R&& rows) {
  return call_operation<put_rows_function<index_places<int(Axis), int(Axis)>, false, put_rows_call>>(
      no_attributes{}, static_cast<X&&>(x), static_cast<R&&>(rows), static_cast<I&&>(indices));
}

}  // namespace ricci
