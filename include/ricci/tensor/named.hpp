// Tensors whose axes have names: operators bring them together by name, reductions are told names, and what two have is
// contracted by `contract`. A thin wrapper: an expression, with names in its type.
//
//   auto x = rc::named<"batch, channel">(a);
//   auto y = rc::eval(rc::sum(x - rc::named<"channel">(mean), rc::axis<"batch">));
#pragma once

#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/einsum.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/tensor/assign.hpp>

namespace ricci {

namespace shapes {

struct name_places {
  int count = 0;
  std::size_t begin[max_rank]{}, size[max_rank]{};
};
// names between commas, spaces around them have no meaning
constexpr name_places names_in(char const* text) {
  name_places p;
  for (std::size_t i = 0, begin = 0;; ++i) {
    if (text[i] != ',' && text[i] != '\0') continue;
    std::size_t first = begin, last = i;
    while (first < last && text[first] == ' ') ++first;
    while (first < last && text[last - 1] == ' ') --last;
    if (p.count == max_rank) limits::a_tensor_has_more_than_12_axes();
    p.begin[p.count] = first, p.size[p.count++] = last - first;
    if (text[i] == '\0') return p;
    begin = i + 1;
  }
}
template <class Written, class = std::make_index_sequence<std::size_t(names_in(Written::text).count)>>
struct split_names;
template <class Written, std::size_t... K>
struct split_names<Written, std::index_sequence<K...>> {
  static constexpr name_places places = names_in(Written::text);
  static_assert(((places.size[K] > 0) && ...), "axes are named as in rc::named<\"batch, channel\">(x)");
  using type =
      axis_names<typename part_of_written<Written, places.begin[K], std::make_index_sequence<places.size[K]>>::type...>;
};
template <pattern Names>
using names_of_pattern = typename split_names<written_as<Names>>::type;

// What misfits is told by the name of one of these, with the name that misfits first.
template <pattern Name, pattern... Axes>
struct no_axis_has_this_name {
  static_assert(sizeof(Name) == 0, "no axis has this name (it, and the names that there are: see the type above)");
};
template <pattern Name, pattern... Axes>
struct two_axes_have_this_name {
  static_assert(sizeof(Name) == 0, "two axes have one name (see the type above)");
};
template <int Order, pattern... Axes>
struct another_number_of_axes_is_named {
  static_assert(Order < 0, "a tensor has as many names as axes (its order and the names: see the type above)");
};
template <pattern... Axes>
struct no_axis_of_both_has_one_name {
  static_assert(sizeof...(Axes) < 0, "contract sums over the names that both operands have, and there is none");
};

// which of the names it is, -1: none
template <class Name, class... Names>
constexpr int place_of_name(axis_names<Names...>) {
  int at = -1, k = 0;
  ((std::is_same_v<Name, Names> ? void(at = k++) : void(++k)), ...);
  return at;
}
template <class Name, class... Names>
constexpr index_t axis_with_name() {
  constexpr int at = place_of_name<Name>(axis_names<Names...>{});
  if constexpr (at < 0) (void)sizeof(no_axis_has_this_name<shown_as<Name>::value, shown_as<Names>::value...>);
  return at;
}

// those of the first list, then those of the second that the first does not have; or, without the names of both
template <class A, class... B>
struct joined_names;
template <class... A>
struct joined_names<axis_names<A...>> {
  using type = axis_names<A...>;
};
template <class... A, class B, class... Rest>
struct joined_names<axis_names<A...>, B, Rest...>
    : joined_names<std::conditional_t<(std::is_same_v<A, B> || ...), axis_names<A...>, axis_names<A..., B>>, Rest...> {
};
template <class Kept, class Without, class... Names>
struct names_without;
template <class... Kept, class Without>
struct names_without<axis_names<Kept...>, Without> {
  using type = axis_names<Kept...>;
};
template <class... Kept, class Without, class N, class... Rest>
struct names_without<axis_names<Kept...>, Without, N, Rest...>
    : names_without<std::conditional_t<(place_of_name<N>(Without{}) < 0), axis_names<Kept..., N>, axis_names<Kept...>>,
                    Without, Rest...> {};

}  // namespace shapes

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

template <class Name, class... Names>
constexpr bool stands_once() {
  constexpr bool once = (int(std::is_same_v<Name, Names>) + ...) == 1;
  if constexpr (!once) (void)sizeof(two_axes_have_this_name<shown_as<Name>::value, shown_as<Names>::value...>);
  return once;
}
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
// by name: the operand with more axes has the order
template <class Op, class X, class Y, class... A, class... B>
constexpr auto by_name(Op const& op, named_tensor<X, A...> const& x, named_tensor<Y, B...> const& y) {
  using all = std::conditional_t<(sizeof...(A) < sizeof...(B)), joined_names<axis_names<B...>, A...>,
                                 joined_names<axis_names<A...>, B...>>;
  typename all::type const names{};
  return with_names(op(in_order(x, names), in_order(y, names)), names);
}
template <class T>
concept Named = has_axis_names<std::remove_cvref_t<T>>;
template <class Op, class X, class Y>
constexpr auto with_number_or_by_name(Op const& op, X const& x, Y const& y) {
  if constexpr (Named<X> && Named<Y>)
    return by_name(op, x, y);
  else if constexpr (Named<X>)
    return with_names(op(x.without_names(), y), typename X::names{});
  else
    return with_names(op(x, y.without_names()), typename Y::names{});
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

// By numbers, or by tensors whose axes have names.
template <class X, class Y>
concept operands_with_names = (shapes::Named<X> || shapes::Named<Y>)&&(shapes::Named<X> ||
                                                                       Arithmetic<X>)&&(shapes::Named<Y> ||
                                                                                        Arithmetic<Y>);
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator+(X const& x, Y const& y) { return shapes::with_number_or_by_name(add, x, y); }
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator-(X const& x, Y const& y) { return shapes::with_number_or_by_name(subtract, x, y); }
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator*(X const& x, Y const& y) { return shapes::with_number_or_by_name(multiply, x, y); }
template <class X, class Y>
requires operands_with_names<X, Y>
constexpr auto operator/(X const& x, Y const& y) { return shapes::with_number_or_by_name(divide, x, y); }
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
