// Several tensors in one: `rc::concat(a, b, rc::axis<0>)` along an axis that they have, `rc::stack(a, b, rc::axis<0>)`
// along a new one. Without an axis it is the first. Operands promote to one type; extents that differ along another
// axis are a compile error or a shape_error.
#pragma once

#include <ricci/ops/composite.hpp>

namespace ricci {

namespace ir {

template <class Mode>
constexpr value<Mode> expand(value<Mode> x, int axis) {
  shape_t s{};
  for (int k = 0; k <= x.rank(); ++k) {
    if (k == axis) s.push(1);
    if (k < x.rank()) s.push(x.shape().extent[k]);
  }
  return reshape(x, intern(*x.g, s));
}

}  // namespace ir

template <index_t A>
struct along_axis : constant_attributes<along_axis<A>> {
  static constexpr index_t typed() { return A; }
};

// Attribute 0: the axis.
struct concat_t : assembly {
  static constexpr auto name = "concat";
  static constexpr bool hands_extents_on = true;
  static constexpr bool parts_overlap = false;
  static constexpr part_map part(index_t const* axis, shape_t const& x, int) {
    return {identity_map(x.rank), static_cast<int>(axis[0])};
  }
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return promote_all(t...);
  }
  template <class Context, class... Shapes>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& first, Shapes const&... rest) {
    static_assert(sizeof...(rest) < ir::max_operands,
                  "concat and stack join at most 64 tensors: join some of them first");
    shape_t s = first;
    int const a = axis_from_start(axis, s.rank);
    if (a < 0 || a >= s.rank) return c.fail(), shape_t{};
    [[maybe_unused]] auto const join = [&](shape_t const& t) {
      if (t.rank != s.rank) return c.fail();
      for (int k = 0; k < s.rank; ++k)
        s.extent[k] = k == a ? c.plus(s.extent[k], t.extent[k]) : c.same(s.extent[k], t.extent[k]);
    };
    (join(rest), ...);
    return s;
  }
  template <class Mode, class... V>
  static constexpr ir::value<Mode> record(index_t axis, ir::value<Mode> first, V... rest) {
    ir::value<Mode> x[] = {first, rest...};
    dtype const type = type_of_result(first.type(), rest.type()...);
    auto& g = *first.g;
    shape_t s = first.shape();
    for (auto const& part : x) {
      ir::graph_context<typename Mode::graph> c{g, ir::facts_of<concat_t>(), first.shape_id(), part.shape_id()};
      s = &part == x ? shape_of(c, axis, s) : shape_of(c, axis, s, part.shape());
    }
    int const shape = ir::intern(g, s);
    for (auto& v : x) v = ir::cast(v, type);
    return joined(x, 1 + sizeof...(rest), axis_from_start(axis, first.rank()), shape);
  }
  template <class V>
  static constexpr V joined(V const* x, int n, index_t axis, int shape) {
    if (n == 1) return x[0];
    int ids[ir::max_operands]{};
    for (int k = 0; k < n; ++k) ids[k] = x[k].id;
    return ir::record<concat_t, typename V::mode>(*x[0].g, x[0].type(), shape, {ids, n}, {&axis, 1});
  }
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V const* x) {
    return joined(x, at.count(), at.attr(0) + 1, ir::with_first_axis(*x[0].g, x[0].shape().extent[0], at.y.shape()));
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V parts[ir::max_operands]{};
    bool some = false;
    for (int k = 0; k < at.count(); ++k) {
      some = some || t[k];
      parts[k] = t[k] ? t[k] : ir::zeros_like(at.operand(k));
    }
    return some ? joined(parts, at.count(), at.attr(0), at.y.shape_id()) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    index_t starts[max_rank]{}, steps[max_rank]{};
    for (auto& s : steps) s = 1;
    int const axis = int(at.attr(0));
    for (int k = 0; k < at.count(); ++k) {
      out[k] = ir::slice(ct, at.operand(k).shape_id(), starts, steps);
      starts[axis] = ir::plus(*ct.g, starts[axis], at.operand(k).shape().extent[axis]);
    }
  }
};

// Recorded as a concat; no instruction has this kind.
struct stack_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "stack";
  static constexpr bool makes_axis = true;
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return concat_t::type_of_result(t...);
  }
  template <class Context, class... Shapes>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& first, Shapes const&... rest) {
    static_assert(sizeof...(rest) < ir::max_operands,
                  "concat and stack join at most 64 tensors: join some of them first");
    shape_t s{};
    int const a = axis_from_start(axis, first.rank + 1);
    if (a < 0 || a > first.rank) return c.fail(), shape_t{};
    shape_t each = first;
    [[maybe_unused]] auto const meet = [&](shape_t const& t) {
      if (t.rank != each.rank) return c.fail();
      for (int k = 0; k < each.rank; ++k) each.extent[k] = c.same(each.extent[k], t.extent[k]);
    };
    (meet(rest), ...);
    for (int k = 0; k <= each.rank; ++k) {
      if (k == a) s.push(1 + index_t(sizeof...(rest)));
      if (k < each.rank) s.push(each.extent[k]);
    }
    return s;
  }
  template <class Mode, class... V>
  static constexpr ir::value<Mode> record(index_t axis, ir::value<Mode> first, V... rest) {
    int const a = axis_from_start(axis, first.rank() + 1);
    [[maybe_unused]] auto const meet = [&](ir::value<Mode> const& x) {
      ir::graph_context<typename Mode::graph> c{*first.g, ir::facts_of<stack_t>(), first.shape_id(), x.shape_id()};
      shape_of(c, axis, first.shape(), x.shape());
    };
    (meet(rest), ...);
    return concat_t::record(a, ir::expand(first, int(a)), ir::expand(rest, int(a))...);
  }
};

// The call operators of both: tensors and then, where wanted, the axis; or a tuple, array or pair of tensors first.
template <class Op>
struct joins {
  template <class... X>
  requires(operands<X...> && !wrong::ends_with_an_axis<X...>) RICCI_INLINE constexpr auto operator()(X&&... x) const {
    return joined(along_axis<0>{}, static_cast<X&&>(x)...);
  }
  template <class First, class... X>
  requires(operands<First, X...>&& wrong::ends_with_an_axis<First, X...>)  //
      constexpr First const&
      operator()(First const& first, X const&...) const {
    static_assert(always_false<First>, "the axis along which tensors are joined is named in its type: rc::axis<0>");
    return first;
  }
  template <class X, std::size_t N, class... Axis>
  requires operands<X>
  constexpr X const& operator()(X const (&x)[N], Axis const&...) const {
    static_assert(always_false<X>, "the tensors that are joined are arguments: rc::concat(x, y), or a std::tuple");
    return x[0];
  }
  template <class... X>
  requires(sizeof...(X) > 1 && !operands<X...>) RICCI_INLINE constexpr auto operator()(X&&... x) const {
    return with_axis_behind(std::make_index_sequence<sizeof...(X) - 1>{}, static_cast<X&&>(x)...);
  }
  template <TupleLike Tuple>
  RICCI_INLINE constexpr auto operator()(Tuple&& t) const {
    return (*this)(static_cast<Tuple&&>(t), axis<0>);
  }
  template <TupleLike Tuple, index_t A>
  RICCI_INLINE constexpr auto operator()(Tuple&& t, axes_t<A>) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using std::get;
      return joined(along_axis<A>{}, get<I>(static_cast<Tuple&&>(t))...);
    }
    (std::make_index_sequence<std::tuple_size<std::remove_cvref_t<Tuple>>::value>{});
  }
  // a list of tensors of run-time type and order, as a std::vector, and the axis, which may be a number
  template <class List>
  requires list_of_any<List>
  auto operator()(List&& list) const { return call_with_list(Op{}, list, 0); }
  template <class List, class Axis>
  requires list_of_any<List>
  auto operator()(List&& list, Axis axis) const { return call_with_list(Op{}, list, axis); }
  // and of a list of tensors of one type
  template <class List>
  requires list_of_tensors<List>
  auto operator()(List&& list) const { return join_list(Op{}, list, 0); }
  template <class List, class Axis>
  requires list_of_tensors<List>
  auto operator()(List&& list, Axis axis) const { return join_list(Op{}, list, axis); }

 private:
  // numbers are tensors of order 0, also among themselves
  template <class Attributes, class... X>
  RICCI_INLINE static constexpr auto joined(Attributes const& axis, X&&... x) {
    if constexpr (level_of_call<X...> == operand_level::number)
      return make_node(Op{}, axis, static_cast<X&&>(x)...);
    else
      return call_operation<Op>(axis, static_cast<X&&>(x)...);
  }
  template <int N, class First, class... Rest>
  static constexpr decltype(auto) pick(First&& first, Rest&&... rest) {
    if constexpr (N == 0)
      return static_cast<First&&>(first);
    else
      return pick<N - 1>(static_cast<Rest&&>(rest)...);
  }
  template <index_t A>
  static constexpr along_axis<A> axis_of(axes_t<A>) {
    return {};
  }
  template <std::size_t... I, class... X>
  static constexpr auto with_axis_behind(std::index_sequence<I...>, X&&... x) {
    if constexpr (requires { axis_of(pick<sizeof...(I)>(x...)); }) {
      return joined(axis_of(pick<sizeof...(I)>(x...)), pick<I>(static_cast<X&&>(x)...)...);
    } else {
      static_assert(always_false<Op>,
                    "the axis along which tensors are joined stands behind them: rc::concat(x, y, rc::axis<1>)");
      return pick<sizeof...(I)>(x...);
    }
  }
};
// as another function
template <class Caller>
inline constexpr joins<ir::called_as<Caller, concat_t>> concat_as{};
template <class Caller>
inline constexpr joins<ir::called_as<Caller, stack_t>> stack_as{};
struct concat_function : joins<concat_t> {};
struct stack_function : joins<stack_t> {};
inline constexpr concat_function concat{};
inline constexpr stack_function stack{};

}  // namespace ricci
