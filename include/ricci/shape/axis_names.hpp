// The names of axes as types: read from a text, `"batch, channel"`, and put together as operators, reductions and
// contractions of named tensors (tensor/named.hpp) do.
#pragma once

#include <ricci/core/pattern.hpp>
#include <ricci/shape/axes.hpp>

namespace ricci::shapes {

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

// A misfit is reported by the name of one of these types; its arguments are the name that does not fit, then the
// others.
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
template <pattern Name, pattern... Axes>
struct the_operand_with_most_axes_lacks_this_name {
  static_assert(
      sizeof(Name) == 0,
      "operands go together where the one with most axes has all names of the others (the name that it lacks, "
      "and its own: see the type above); an outer product or sum names an axis of extent 1, as in "
      "rc::named<\"i, j\">(x(rc::all, rc::newaxis)) + rc::named<\"j\">(y)");
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
// whether it is one of the names; an error where it is none
template <class Name, class... Names>
constexpr bool is_among() {
  constexpr bool found = (std::is_same_v<Name, Names> || ...);
  if constexpr (!found)
    (void)sizeof(the_operand_with_most_axes_lacks_this_name<shown_as<Name>::value, shown_as<Names>::value...>);
  return found;
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
// whether no other axis has this name; an error where one has
template <class Name, class... Names>
constexpr bool stands_once() {
  constexpr bool once = (int(std::is_same_v<Name, Names>) + ...) == 1;
  if constexpr (!once) (void)sizeof(two_axes_have_this_name<shown_as<Name>::value, shown_as<Names>::value...>);
  return once;
}

}  // namespace ricci::shapes
