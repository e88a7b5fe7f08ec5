// Tensors whose axes have names: operators bring them together by name, reductions are told names, and what two have is
// contracted by `contract`. A thin wrapper: an expression, with names in its type.
//
//   auto x = rc::named<"batch, channel">(a);
//   auto y = rc::eval(rc::sum(x - rc::named<"channel">(mean), rc::axis<"batch">));
#pragma once

#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/einsum.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/shape/axis_names.hpp>
#include <ricci/tensor/assign.hpp>

namespace ricci {

template <class X, class... Names>
class named_tensor {
 public:
  using value_type = value_type_of<X>;
  using names = axis_names<Names...>;
  static constexpr int rank = sizeof...(Names);

  constexpr explicit named_tensor(X const& x) : x_(x) {}
  constexpr X const& without_names() const { return x_; }
  template <class... I>
  constexpr decltype(auto) operator()(I const&... items) const {
    return x_(items...);
  }
  // the extent of an axis
  template <class Name>
  constexpr auto shape(axis_names<Name>) const {
    return x_.shape(int(shapes::axis_with_name<Name, Names...>()));
  }

 private:
  X x_;
};
template <class X, class... Names>
inline constexpr bool has_axis_names<named_tensor<X, Names...>> = true;

namespace shapes {

template <class X, class... Names>
constexpr auto with_names(X const& x, axis_names<Names...>) {
  if constexpr (rank_of<X> != sizeof...(Names))
    (void)sizeof(another_number_of_axes_is_named<rank_of<X>, shown_as<Names>::value...>);
  static_assert((stands_once<Names, Names...>() && ...));
  return named_tensor<X, Names...>(x);
}
// x in the order of names, with axes of extent 1 for those that it does not have
template <class X, class... Has, class... Names>
constexpr auto in_order(named_tensor<X, Has...> const& x, axis_names<Names...> all) {
  static_assert((is_among<Has, Names...>() && ...));
  if constexpr (std::is_same_v<axis_names<Has...>, axis_names<Names...>>) {
    return x.without_names();
  } else {
    constexpr auto order = [] {  // the axes of x, then the places of new ones
      struct {
        index_t old[max_rank]{}, fresh[max_rank]{};
        int kept = 0, made = 0;
      } r;
      index_t k = 0;
      ((place_of_name<Names>(axis_names<Has...>{}) < 0
            ? void(r.fresh[r.made++] = k++)
            : (void(++k), void(r.old[r.kept++] = place_of_name<Names>(axis_names<Has...>{})))),
       ...);
      return r;
    }();
    (void)all;
    return [&]<std::size_t... K, std::size_t... N>(std::index_sequence<K...>, std::index_sequence<N...>) {
      return expand_dims(permute_dims(x.without_names(), axes_t<order.old[K]...>{}), axes_t<order.fresh[N]...>{});
    }
    (std::make_index_sequence<std::size_t(order.kept)>{}, std::make_index_sequence<std::size_t(order.made)>{});
  }
}
template <class T>
concept Named = has_axis_names<std::remove_cvref_t<T>>;

// the names of several operands: those of the one with most axes, or of the first of these; a number has none
template <class Most, class... X>
struct names_together {
  using type = Most;
};
template <class... A, class X, class... Rest>
struct names_together<axis_names<A...>, X, Rest...> : names_together<axis_names<A...>, Rest...> {};
template <class... A, class X, class... B, class... Rest>
struct names_together<axis_names<A...>, named_tensor<X, B...>, Rest...>
    : names_together<std::conditional_t<(sizeof...(A) < sizeof...(B)), axis_names<B...>, axis_names<A...>>, Rest...> {};
template <class X, class Names>
constexpr auto in_order_or_number(X const& x, Names names) {
  if constexpr (Named<X>)
    return in_order(x, names);
  else
    return x;
}

}  // namespace shapes

// Names for all axes of x, in their order. As expressions do, it refers to tensors that have a name in the program.
template <pattern Names, class X>
requires tensor_operands<X>
constexpr auto named(X&& x) {
  if constexpr (level_of<X> == operand_level::tensor)
    return shapes::with_names(held(static_cast<X&&>(x)), shapes::names_of_pattern<Names>{});
  else
    return shapes::with_names(x, shapes::names_of_pattern<Names>{});
}
// The expression without names, in the order of its axes, or in that of the given names.
template <class X, class... Names>
constexpr X unnamed(named_tensor<X, Names...> const& x) {
  return x.without_names();
}
template <pattern Order, class X, class... Names>
constexpr auto unnamed(named_tensor<X, Names...> const& x) {
  return [&]<class... N>(axis_names<N...>) {
    return permute_dims(x.without_names(), axes_t<shapes::axis_with_name<N, Names...>()...>{});
  }(shapes::names_of_pattern<Order>{});
}
template <class X, class... Names>
constexpr auto eval(named_tensor<X, Names...> const& x) {
  return shapes::with_names(eval(x.without_names()), axis_names<Names...>{});
}

// Printed as what it names.
template <core::TextStream Stream, class X, class... Names>
Stream& operator<<(Stream& s, named_tensor<X, Names...> const& x) {
  return s << x.without_names();
}

// Operations element by element, of numbers and tensors whose axes have names.
template <class Op, class... X>
constexpr auto applied_by_name(Op const& op, X const&... x) {
  static_assert(((shapes::Named<X> || Arithmetic<X>)&&...),
                "beside tensors whose axes have names stand others that have, rc::named<\"...\">(x), and numbers");
  typename shapes::names_together<axis_names<>, X...>::type const names{};
  return shapes::with_names(op(shapes::in_order_or_number(x, names)...), names);
}
template <class X, class Y>
concept operands_with_names = (shapes::Named<X> && (shapes::Named<Y> || operands<Y>)) ||
                              (shapes::Named<Y> && operands<X>);
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator+(X const& x, Y const& y) { return applied_by_name(add, x, y); }
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator-(X const& x, Y const& y) { return applied_by_name(subtract, x, y); }
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator*(X const& x, Y const& y) { return applied_by_name(multiply, x, y); }
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator/(X const& x, Y const& y) { return applied_by_name(divide, x, y); }
template <class X, class... Names>
constexpr auto operator-(named_tensor<X, Names...> const& x) {
  return shapes::with_names(-x.without_names(), axis_names<Names...>{});
}

// Over named axes, or over all, which leaves a tensor without names.
template <class Op, class X, class... Names, class... Gone>
constexpr auto reduced_by_name(Op const& op, named_tensor<X, Names...> const& x, axis_names<Gone...>) {
  if constexpr (sizeof...(Gone) == 0) {
    return op(x.without_names());
  } else {
    constexpr axes_t<shapes::axis_with_name<Gone, Names...>()...> gone{};
    using rest = typename shapes::names_without<axis_names<>, axis_names<Gone...>, Names...>::type;
    return shapes::with_names(op(x.without_names(), gone), rest{});
  }
}

// What runs along named axes and keeps the shape, and what else it is told.
template <class Op, class X, class... Names, class... Along, class... Told>
constexpr auto along_axis_by_name(Op const& op, named_tensor<X, Names...> const& x, axis_names<Along...>,
                                  Told... told) {
  constexpr axes_t<shapes::axis_with_name<Along, Names...>()...> along{};
  return shapes::with_names(op(x.without_names(), along, told...), axis_names<Names...>{});
}

// With extent 1 where they were.
template <class Op, class X, class... Names, class... Gone>
constexpr auto reduced_by_name(Op const& op, named_tensor<X, Names...> const& x, axis_names<Gone...>, keepdims_t) {
  constexpr axes_t<shapes::axis_with_name<Gone, Names...>()...> gone{};
  return shapes::with_names(op(x.without_names(), gone, keepdims), axis_names<Names...>{});
}

// The sum of products over all names that both have: what is left of x, then what is left of y.
template <class X, class... A, class Y, class... B>
constexpr auto contract(named_tensor<X, A...> const& x, named_tensor<Y, B...> const& y) {
  using of_x = typename shapes::names_without<axis_names<>, axis_names<B...>, A...>::type;
  using of_y = typename shapes::names_without<axis_names<>, axis_names<A...>, B...>::type;
  using both = typename shapes::names_without<axis_names<>, of_x, A...>::type;
  if constexpr (std::is_same_v<both, axis_names<>>)
    (void)sizeof(shapes::no_axis_of_both_has_one_name<shown_as<A>::value..., shown_as<B>::value...>);
  return [&]<class... S, class... R>(axis_names<S...>, axis_names<R...>) {
    using names = typename shapes::joined_names<of_x, R...>::type;
    return shapes::with_names(
        tensordot(x.without_names(), y.without_names(), axes_t<shapes::axis_with_name<S, A...>()...>{},
                  axes_t<shapes::axis_with_name<S, B...>()...>{}),
        names{});
  }(both{}, of_y{});
}

}  // namespace ricci
