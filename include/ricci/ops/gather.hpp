// Indices that are tensors: `x(rows)` and `x(rc::all, rows)` name rows by integers, `x(x > 2.f)` names elements by
// booleans, or parts by booleans of the leading axes. An index holds one tensor; it stands for the axis at its
// position, whose place its own axes take. Rows can be written to: where an index occurs twice, the last row stays.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/ops/reshaping.hpp>

namespace ricci {

// Operand 0 with the rows in operand 2 in place of those that operand 1 names.
template <index_t Axis>
struct put_rows_function {
  static constexpr auto name = "assignment to rows";
  static constexpr dtype type_of_result(dtype x, dtype, dtype) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& indices,
                                    shape_t const& rows) {
    shape_t const s = take_t::shape_of(c, Axis, x, indices);
    int const off = s.rank - rows.rank;
    if (off < 0) return c.fail(), x;
    for (int k = 0; k < rows.rank; ++k) c.broadcast_to(s.extent[k + off], rows.extent[k]);
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x, ir::value<Mode> indices,
                                          ir::value<Mode> rows) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<scatter_t>(), x.shape_id(), rows.shape_id()};
    int const shape = ir::intern(g, take_t::shape_of(c, Axis, x.shape(), indices.shape()));
    shape_of(c, no_attributes{}, x.shape(), indices.shape(), rows.shape());
    return ir::scatter(x, indices, ir::broadcast_to(ir::cast(rows, x.type()), shape), int(Axis), false);
  }
};
// `rc::put_rows<0>(x, indices, rows)`: x with `rows`, which broadcast, in place of the rows along the axis that the
// integers name; where one occurs twice, the last stays. An index outside is an index_error, rows that do not fit are a
// compile error or a shape_error.
template <index_t Axis, class X, class I, class R>
requires operands<X, I, R>
constexpr auto put_rows(X&& x, I&& indices, R&& rows) {
  return call_operation<put_rows_function<Axis>>(no_attributes{}, static_cast<X&&>(x), static_cast<I&&>(indices),
                                                 static_cast<R&&>(rows));
}

// ---- which item of an index is a tensor ----

template <class T>
concept IndexTensor =
    !IndexItem<std::remove_cvref_t<T>> && level_of<T> >= operand_level::tensor && level_of<T> < operand_level::value;
template <class T>
concept RowIndex = IndexTensor<T> && std::is_integral_v<value_type_of<T>> && !std::is_same_v<value_type_of<T>, bool>;
template <class T>
concept MaskIndex = IndexTensor<T> && std::is_same_v < value_type_of<T>,
bool > ;
template <class... Items>
concept RowItems = (RowIndex<Items> || ...) && ((RowIndex<Items> || IndexItem<Items>)&&...);

namespace shapes {

// The other items with `all` in place of the tensor.
template <class Item>
constexpr decltype(auto) basic_item(Item const& item) {
  if constexpr (RowIndex<Item>)
    return (all);
  else
    return (item);
}
template <class Item, class... Rest>
constexpr decltype(auto) tensor_item(Item const& item, Rest const&... rest) {
  if constexpr (RowIndex<Item>)
    return (item);
  else
    return tensor_item(rest...);
}
// the axis that the tensor stands for, once the other items have been applied
template <class E, class... Items>
constexpr int gathered_axis() {
  constexpr int rank_left =
      E::rank - ((std::is_same_v<Items, newaxis_t> || std::is_same_v<Items, ellipsis_t> ? 0 : 1) + ... + 0);
  static_assert(rank_left >= 0, "an index names more axes than the tensor has");
  static_assert(((RowIndex<Items> ? 1 : 0) + ...) == 1,
                "an index holds one integer tensor; take from what it gives for another");
  int axis = 0, found = -1;
  (
      [&] {
        if (found >= 0) return;
        if constexpr (RowIndex<Items>)
          found = axis;
        else if constexpr (std::is_same_v<Items, ellipsis_t>)
          axis += rank_left;
        else if constexpr (!std::is_integral_v<Items>)
          ++axis;
      }(),
      ...);
  return found;
}

template <int Mask, int Rank>
struct mask_fits {
  static_assert(Mask <= Rank && (Mask > 0 || Rank == 0),
                "a mask has the shape of the tensor that it indexes, or of its leading axes");
};

}  // namespace shapes

// A mask of leading axes beside a tensor of that order.
template <int Rank, class Mask>
constexpr decltype(auto) leading_mask(Mask const& mask) {
  if constexpr (rank_of<Mask> == Rank)
    return (mask);
  else
    return [&]<int... K>(std::integer_sequence<int, K...>) { return expand_dims(mask, axis<rank_of<Mask> + K...>); }
  (std::make_integer_sequence<int, Rank - rank_of<Mask>>{});
}

// ---- on symbols ----

// `h(rows)` inside a traced function: those rows, and a way to give `h` new ones.
template <class T, class E, class Mode, int Axis, class Part, class Index>
class symbol_rows : public symbol<T, E, Mode> {
 public:
  constexpr symbol_rows(ir::value<Mode> rows, Part const& part, Index const& index)
      : symbol<T, E, Mode>{rows}, part_(part), index_(index) {}
  constexpr symbol_rows(symbol_rows const&) = default;

  template <class X>
  requires operands<X>
  constexpr symbol_rows& operator=(X const& x) {
    part_ = put_rows<Axis>(static_cast<symbol<T, typename Part::extents, Mode> const&>(part_), index_, x);
    this->v = take(static_cast<symbol<T, typename Part::extents, Mode> const&>(part_), index_, axis<Axis>).v;
    return *this;
  }
  constexpr symbol_rows& operator=(symbol_rows const& x) { return *this = static_cast<symbol<T, E, Mode> const&>(x); }

 private:
  Part part_;
  Index index_;
};
template <class T, class E, class Mode, int Axis, class Part, class Index>
inline constexpr bool is_symbol<symbol_rows<T, E, Mode, Axis, Part, Index>> = true;
template <class T, class E, class Mode, int Axis, class Part, class Index>
inline constexpr bool is_native_tensor<symbol_rows<T, E, Mode, Axis, Part, Index>> = true;
template <class T, class E, class Mode, int Axis, class Part, class Index, class... Rest>
struct mode_of<symbol_rows<T, E, Mode, Axis, Part, Index>, Rest...> {
  using type = Mode;
};

// an index tensor as a symbol of the graph: one that is no symbol is a constant there
template <class T, class Mode, class I>
constexpr auto index_as_symbol(typename Mode::graph& g, I const& index) {
  if constexpr (is_symbol<I>)
    return symbol<value_type_of<I>, extents_of<I>, Mode>{index.v};
  else
    return symbol<value_type_of<I>, extents_of<I>, Mode>{lifted<Mode>(g, index, dtype_of<value_type_of<I>>)};
}

template <class S, class... Items>
requires RowItems<Items...>
constexpr auto index_symbol(S& x, Items const&... items) {
  using Mode = typename S::mode;
  using T = typename S::value_type;
  constexpr int axis_number = shapes::gathered_axis<typename S::extents, Items...>();
  auto part = index_symbol(x, shapes::basic_item(items)...);
  auto const index = index_as_symbol<T, Mode>(*x.v.g, shapes::tensor_item(items...));
  using P = symbol<T, typename decltype(part)::extents, Mode>;
  auto const rows = take(static_cast<P const&>(part), index, axis<axis_number>);
  using E = typename std::remove_const_t<decltype(rows)>::extents;
  if constexpr (std::is_const_v<S>)
    return symbol<T, E, Mode>{rows.v};
  else
    return symbol_rows<T, E, Mode, axis_number, decltype(part), std::remove_const_t<decltype(index)>>(rows.v, part,
                                                                                                      index);
}

// `h(h > 2.f) = 0.f` inside a traced function. How many parts that are is not known there, so they cannot be read, and
// what is written is the same for each.
template <class S, class Mask>
class symbol_mask {
 public:
  constexpr symbol_mask(S& x, Mask const& m) : x_(&x), mask_(m) {}
  template <class X>
  requires operands<X>
  constexpr void operator=(X const& x) const { write(x, x); }
  constexpr void operator+=(auto const& x) const { write(x, *x_ + x); }
  constexpr void operator-=(auto const& x) const { write(x, *x_ - x); }
  constexpr void operator*=(auto const& x) const { write(x, *x_ * x); }
  constexpr void operator/=(auto const& x) const { write(x, *x_ / x); }

 private:
  template <class X, class Y>
  constexpr void write(X const&, Y const& y) const {
    if constexpr (Tensor<X>)
      static_assert(rank_of<X> <= S::rank - rank_of<Mask>,
                    "a traced function writes one number to the elements that a mask names, and one row to rows; "
                    "ricci::where chooses between tensors");
    *x_ = where(leading_mask<S::rank>(mask_), y, *x_);
  }
  S* x_;
  Mask mask_;
};
template <class S, MaskIndex Mask>
constexpr auto index_symbol(S& x, Mask const& mask) {
  static_assert(!std::is_const_v<S>,
                "a traced function cannot read the elements that a mask names, for their number is only known "
                "when it runs: use ricci::where");
  (void)sizeof(shapes::mask_fits<rank_of<Mask>, S::rank>);
  return symbol_mask<S, Mask>(x, mask);
}

}  // namespace ricci
