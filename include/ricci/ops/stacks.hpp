// Tensors joined side by side or one below the other, as in NumPy: `rc::hstack(a, b)`, `rc::vstack(a, b)`, also of
// a std::vector of tensors of one type.
#pragma once

#include <tuple>

#include <ricci/ops/join.hpp>
#include <ricci/ops/rearranging.hpp>

namespace ricci {

namespace joining {
template <class X>
inline constexpr int order_of = operand_extents<std::remove_cvref_t<X>>::type::rank;

// x, with axes of extent 1 in front where its order is lower
template <class X>
constexpr decltype(auto) of_order_1(X&& x) {
  if constexpr (level_of<X> == operand_level::number)
    return stack(static_cast<X&&>(x));
  else if constexpr (order_of<X> == 0)
    return atleast_1d(static_cast<X&&>(x));
  else
    return static_cast<X&&>(x);
}
template <class X>
constexpr decltype(auto) of_order_2(X&& x) {
  if constexpr (order_of<X> < 2)
    return atleast_2d(of_order_1(static_cast<X&&>(x)));
  else
    return static_cast<X&&>(x);
}
struct hstack_call {
  static constexpr char const* name = "hstack";
};
struct vstack_call {
  static constexpr char const* name = "vstack";
};
}  // namespace joining

// Side by side, along axis 1; numbers and tensors of order 1 along their only axis: (m,), (n,) -> (m + n,).
// Operands promote to one type; extents that differ along another axis are a compile error or a shape_error. Also of a
// tuple or array of tensors.
template <class First, class... Rest>
requires typed_operands<First, Rest...>
constexpr auto hstack(First&& first, Rest&&... rest) {
  return concat_as<joining::hstack_call>(joining::of_order_1(static_cast<First&&>(first)),
                                         joining::of_order_1(static_cast<Rest&&>(rest))...,
                                         axis<(joining::order_of<First> < 2 ? 0 : 1)>);
}
template <TupleLike Tuple>
constexpr auto hstack(Tuple&& t) {
  return std::apply([](auto&&... x) { return hstack(static_cast<decltype(x)>(x)...); }, static_cast<Tuple&&>(t));
}
// Of a list of tensors of one type that is made at run time, as a std::vector: a tensor of dynamic extents, computed at
// once. value_error: the list is empty; shape_error: the shapes do not go together.
template <class List>
requires list_of_tensors<List>
auto hstack(List const& list) {
  constexpr int order = joining::order_of<decltype(list.data()[0])>;
  if constexpr (order == 0)
    return stack_as<joining::hstack_call>(list, axis<0>);
  else
    return concat_as<joining::hstack_call>(list, axis<(order < 2 ? 0 : 1)>);
}
// One below the other, along axis 0; tensors of order 1 are rows: (n,), (n,) -> (2, n).
template <class First, class... Rest>
requires typed_operands<First, Rest...>
constexpr auto vstack(First&& first, Rest&&... rest) {
  return concat_as<joining::vstack_call>(joining::of_order_2(static_cast<First&&>(first)),
                                         joining::of_order_2(static_cast<Rest&&>(rest))..., axis<0>);
}
template <TupleLike Tuple>
constexpr auto vstack(Tuple&& t) {
  return std::apply([](auto&&... x) { return vstack(static_cast<decltype(x)>(x)...); }, static_cast<Tuple&&>(t));
}
// Of such a list; tensors of order 1 are rows, those of order 0 rows of one element.
template <class List>
requires list_of_tensors<List>
auto vstack(List const& list) {
  constexpr int order = joining::order_of<decltype(list.data()[0])>;
  if constexpr (order == 0)
    return expand_dims(stack_as<joining::vstack_call>(list, axis<0>), axis<1>);
  else if constexpr (order == 1)
    return stack_as<joining::vstack_call>(list, axis<0>);
  else
    return concat_as<joining::vstack_call>(list, axis<0>);
}

}  // namespace ricci
