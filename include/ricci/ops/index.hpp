// Parts of a value: slices by numbers or symbolic extents, rows named by an integer tensor (take, scatter).
#pragma once

#include <ricci/ops/accumulate.hpp>
#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/graph_selection.hpp>
#include <ricci/ops/join.hpp>

namespace ricci {

struct take_t;
struct scatter_t;

namespace ir {

// Indices as kernels take them, int64. An unsigned one never counts from the end: those that int64 does not hold become
// its largest number, which lies on no axis (as by to_index, core/types.hpp).
template <class V>
constexpr V as_int64_indices(V indices) {
  if (indices.type() == dtype::uint64)
    indices =
        minimum(indices, integer_literal<typename V::mode>(*indices.g, to_index(~std::uint64_t(0)), dtype::uint64, 0));
  return cast(indices, dtype::int64);
}

// `own`: every combination of the axes before `axis` has indices of its own; they are the first axes of `indices`, too.
// An index outside is told of Caller, the function that a program called, also in derivatives.
template <class Caller = take_t, class Mode>
constexpr value<Mode> take(value<Mode> x, value<Mode> indices, int axis, bool own = false);
template <class Caller = scatter_t, class Mode>
constexpr value<Mode> scatter(value<Mode> x, value<Mode> indices, value<Mode> rows, int axis, bool add,
                              bool own = false);
template <class Mode>
constexpr value<Mode> last_writes(value<Mode> x, value<Mode> indices, value<Mode> rows, int axis, bool own);

// What rows by indices are to passes and kernels, with the derivatives of both.
template <class Caller>
struct takes_rows : operation_of_kind<op_kind::index, 8> {
  static constexpr int first_index = 1;  // the operands from here on are integers
  template <class V>
  static constexpr V jvp(application<V> const& at, V const* t) {
    return t[0] ? take<Caller>(t[0], at.operand(1), int(at.attr(0)), at.attr(1) != 0) : V{};
  }
  template <class V>
  static constexpr void vjp(application<V> const& at, V ct, V* out) {
    bool const own = at.attr(1) != 0;
    out[0] = scatter<Caller>(zeros_like(at.operand(0)), at.operand(1), ct, int(at.attr(0)), true, own);
  }
};
template <class Caller>
struct writes_rows : operation_of_kind<op_kind::scatter, 8> {
  template <class V>
  static constexpr V jvp(application<V> const& at, V const* t) {
    if (!t[0] && !t[2]) return V{};
    V const base = t[0] ? t[0] : zeros_like(at.operand(0)), rows = t[2] ? t[2] : zeros_like(at.operand(2));
    return scatter<Caller>(base, at.operand(1), rows, int(at.attr(0)), at.attr(1) != 0, at.attr(2) != 0);
  }
  template <class V>
  static constexpr void vjp(application<V> const& at, V ct, V* out) {
    int const axis = int(at.attr(0));
    bool const adds = at.attr(1) != 0, own = at.attr(2) != 0;
    out[0] = adds ? ct : scatter<Caller>(ct, at.operand(1), zeros_like(at.operand(2)), axis, false, own);
    out[2] = take<Caller>(ct, at.operand(1), axis, own);
    if (!adds) out[2] = where(last_writes(at.operand(0), at.operand(1), at.operand(2), axis, own), out[2], 0.);
  }
};
// The instructions of another function, by its name.
template <class Caller>
struct rows_taken_by : takes_rows<Caller> {
  static constexpr auto name = Caller::name;
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
};
template <class Caller>
struct rows_written_by : writes_rows<Caller> {
  static constexpr auto name = Caller::name;
};
template <class Caller>
using row_taking = std::conditional_t<std::is_same_v<Caller, take_t>, take_t, rows_taken_by<Caller>>;
template <class Caller>
using row_writing = std::conditional_t<std::is_same_v<Caller, scatter_t>, scatter_t, rows_written_by<Caller>>;

}  // namespace ir

// `rc::take(x, indices, rc::axis<0>)`: rows of operand 0 along an axis (attribute 0), in the order of the integers in
// operand 1, whose axes take the place of that axis; negative ones count from the end. An index outside is an
// index_error. Attribute 1: whether each position on the axes before it has indices of its own, as batching makes them.
struct take_t : ir::takes_rows<take_t> {
  static constexpr auto name = "take";
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }

  template <class X, class I, index_t A>
  requires operands<X, I> RICCI_INLINE constexpr auto operator()(X&& x, I&& indices, axes_t<A>) const {
    static_assert(level_of<I> >= operand_level::value || is_integer(own_type<I>()),
                  "take: the indices are integers; a derivative with respect to them does not exist");
    return call_operation<take_t>(along_axis<A>{}, static_cast<X&&>(x), static_cast<I&&>(indices));
  }
  // along an axis that is only known at run time, of a tensor of dynamic extents: computed at once
  template <class X, class I>
  requires operands<X, I>
  constexpr auto operator()(X&& x, I&& i, wrong::Integer auto a) const {
    return call_along_axis(take_t{}, along_axis<-1>{}, to_index(a), to_index(a), static_cast<X&&>(x),
                           static_cast<I&&>(i));
  }
  template <class X, class I>
  requires operands<X, I> RICCI_INLINE constexpr auto operator()(X&& x, I&& indices) const {
    static_assert(!wrong::has_several_axes<X>,
                  "take: of a tensor with several axes the axis is named, rc::take(x, indices, rc::axis<0>); by places "
                  "in the flattened tensor, rc::take(rc::ravel(x), indices) takes elements");
    if constexpr (is_any_tensor<std::remove_cvref_t<X>>) wrong::names_no_axis(x.order());
    return (*this)(static_cast<X&&>(x), static_cast<I&&>(indices), axis<0>);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& x, shape_t const& indices) {
    int const a = axis_from_start(axis, x.rank);
    if (a < 0 || a >= x.rank || x.rank + indices.rank - 1 > max_rank) return c.fail(), shape_t{};
    shape_t s{};
    for (int k = 0; k < x.rank; ++k) {
      if (k != a)
        s.push(x.extent[k]);
      else
        for (int i = 0; i < indices.rank; ++i) s.push(indices.extent[i]);
    }
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(index_t axis, ir::value<Mode> x, ir::value<Mode> indices) {
    return ir::take(x, indices, axis_from_start(axis, x.rank()));
  }
};
inline constexpr take_t take{};

// Operand 0 with the rows in operand 2 added to (attribute 1) or written over those that operand 1 names; attributes 0
// and 2 are those of take. Where an index occurs twice, added rows add up, and of written ones the last stays.
struct scatter_t : ir::writes_rows<scatter_t> {
  static constexpr auto name = "scatter";
};

namespace ir {

// Whether an index is the number of an iteration, from 0, of a loop that has as many of them as an axis is long.
template <class Mode>
constexpr bool counts_along(value<Mode> index, index_t extent) {
  auto const& g = *index.g;
  if (!index.is(facts_of<number_t>())) return false;
  index_t const d = find(g, g.attr(index.id, 0));
  if (!is_symbolic(d) || g.dims[dim_index(d)].op != dim_op::iteration) return false;
  return find(g, g.attr(g.begins[g.dims[dim_index(d)].a], 1)) == find(g, extent);
}

template <class Caller, class Mode>
constexpr value<Mode> take(value<Mode> x, value<Mode> indices, int axis, bool own) {
  if constexpr (Mode::derives && !Mode::runs)  // as in a scan, whose derivatives are stacked
    if (counts_along(indices, x.shape().extent[axis])) return element_of(x, axis, find(*x.g, x.g->attr(indices.id, 0)));
  graph_context<typename Mode::graph> c{*x.g, facts_of<row_taking<Caller>>(), x.shape_id(), indices.shape_id()};
  shape_t by = indices.shape();
  if (own) {
    for (int k = axis; k < by.rank; ++k) by.extent[k - axis] = by.extent[k];
    by.rank -= axis;
  }
  int const shape = intern(*x.g, take_t::shape_of(c, axis, x.shape(), by));
  if (is_literal(*x.g, x.id) && (x.rank() > 1 || own)) {
    // all rows are alike, so that one element of each says whether the indices lie inside
    shape_t const row{1, {x.shape().extent[axis]}};
    auto const y = take<Caller>(literal_as(x, x.type(), intern(*x.g, row)), indices, 0);
    shape_t spread = indices.shape();
    for (int k = axis + 1; k < x.rank(); ++k) spread.push(1);
    return broadcast_to(reshape(y, intern(*x.g, spread)), shape);
  }
  int const operands[] = {x.id, as_int64_indices(indices).id};
  index_t const attributes[] = {axis, own};
  return record<row_taking<Caller>, Mode>(*x.g, x.type(), shape, {operands, 2}, {attributes, 2});
}
template <class Caller, class Mode>
constexpr value<Mode> scatter(value<Mode> x, value<Mode> indices, value<Mode> rows, int axis, bool add, bool own) {
  if (dtype const t = arithmetic_type(x.type()); add && t != x.type())
    return cast(scatter<Caller>(cast(x, t), indices, cast(rows, t), axis, add, own), x.type());
  int const operands[] = {x.id, as_int64_indices(indices).id, rows.id};
  index_t const attributes[] = {axis, add, own};
  return record<row_writing<Caller>, Mode>(*x.g, x.type(), x.shape_id(), {operands, 3}, {attributes, 3});
}

// Where the rows that are written to x are those that stay: of several at one place only the last one does. Every row
// writes its number; those that find it again are the last.
template <class Mode>
constexpr value<Mode> last_writes(value<Mode> x, value<Mode> indices, value<Mode> rows, int axis, bool own) {
  auto& g = *x.g;
  shape_t const by = indices.shape();
  shape_t numbered{}, places{}, spread{};
  index_t n = 1;
  for (int k = 0; k < by.rank; ++k) {
    if (own && k < axis) {
      places.push(by.extent[k]);
    } else {
      numbered.push(by.extent[k]);
      n = times(g, n, by.extent[k]);
    }
  }
  int const lead = places.rank;
  places.push(x.shape().extent[axis]);
  auto const number = broadcast_to(reshape(positions<Mode>(g, n), intern(g, numbered)), indices.shape_id());
  auto const nobody = literal<Mode>(g, 0, dtype::int64, intern(g, places));
  auto const last = take(scatter(nobody, indices, number, lead, false, own), indices, lead, own) == number;
  for (int k = lead; k < axis; ++k) spread.push(1);
  for (int k = 0; k < by.rank; ++k) spread.push(by.extent[k]);
  for (int k = axis + 1; k < x.rank(); ++k) spread.push(1);
  return broadcast_to(reshape(last, intern(g, spread)), rows.shape_id());
}

// not constexpr: reached where an index of a traced function lies outside its axis
inline void an_index_of_a_traced_function_lies_outside_its_axis() {}

}  // namespace ir

// What `h(0)` or `h(rc::all, rc::range(1, n))` is inside a traced function: the part, and a way to give `h` a new one.
template <class T, class E, class Mode, class Whole>
class symbol_part : public symbol<T, E, Mode>, public accumulates<symbol_part<T, E, Mode, Whole>> {
 public:
  constexpr symbol_part(ir::value<Mode> part, Whole& whole, shapes::selection const& s)
      : symbol<T, E, Mode>{part}, whole_(&whole), selection_(s) {}
  constexpr symbol_part(symbol_part const&) = default;

  // a part of it is a value: what is assigned to goes to the whole, which knows no parts of parts
  template <class... I>
  constexpr auto operator()(I const&... indices) const {
    return static_cast<symbol<T, E, Mode> const&>(*this)(indices...);
  }

  // h is now the old h with this part replaced
  template <class X>
  requires operands<X>
  constexpr symbol_part& operator=(X const& x) {
    auto& g = *this->v.g;
    auto const part = ir::cast(lifted<Mode>(g, x, dtype_of<T>), dtype_of<T>);
    shape_t sliced{};
    for (int k = 0; k < selection_.rank_in; ++k) sliced.push(selection_.length[k]);
    this->v = ir::checked_broadcast_to(part, this->v.shape_id());
    whole_->v =
        ir::update_slice(whole_->v, ir::reshape(this->v, ir::intern(g, sliced)), selection_.start, selection_.step);
    return *this;
  }
  constexpr symbol_part& operator=(symbol_part const& x) { return *this = static_cast<symbol<T, E, Mode> const&>(x); }

 private:
  Whole* whole_;
  shapes::selection selection_;
};
template <class T, class E, class Mode, class Whole>
inline constexpr bool is_symbol<symbol_part<T, E, Mode, Whole>> = true;
template <class T, class E, class Mode, class Whole>
inline constexpr bool is_native_tensor<symbol_part<T, E, Mode, Whole>> = true;
template <class T, class E, class Mode, class Whole, class... Rest>
struct mode_of<symbol_part<T, E, Mode, Whole>, Rest...> {
  using type = Mode;
};

template <class S, IndexItem... Items>
constexpr auto index_symbol(S& x, Items const&... items) {
  using Mode = typename S::mode;
  using rule = shapes::indexed<typename S::extents, Items...>;
  ir::graph_selection<typename Mode::graph> at{*x.v.g, x.v.shape()};
  at.template select<rule::unnamed>(items...);
  if (at.failed) ir::an_index_of_a_traced_function_lies_outside_its_axis();
  auto const part = ir::reshape(ir::slice(x.v, at.sliced_shape(), at.s.start, at.s.step), at.final_shape());
  if constexpr (std::is_const_v<S>)
    return symbol<typename S::value_type, typename rule::type, Mode>{part};
  else
    return symbol_part<typename S::value_type, typename rule::type, Mode, S>{part, x, at.s};
}

}  // namespace ricci
