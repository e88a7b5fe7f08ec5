// `rc::tree_map(f, a, b)`: f on the tensors in the same place of several trees, as jax.tree.map. What f returns is put
// together as a tree like the first one, so that an optimiser is one line per moment, outside and inside of traced
// functions; where f returns nothing, it changes its arguments in place and there is no result.
//
//   auto const average = [](auto const& old, auto const& g) { return 0.9f * old + 0.1f * g; };
//   auto const m = rc::tree_map(average, state.m, gradient);
#pragma once

#include <ricci/autodiff/tree.hpp>
#include <ricci/ops/products.hpp>

namespace ricci {

namespace tree {
inline namespace RICCI_ABI {

// The mode of the first symbol among results, void where there is none.
template <class R>
struct mode_of_results {
  using type = void;
};
template <class R>
requires is_symbol<R>
struct mode_of_results<R> {
  using type = typename R::mode;
};
template <class R, class... Rest>
struct mode_of_results<branch<R, Rest...>> {
  using first = typename mode_of_results<R>::type;
  using type = std::conditional_t<std::is_void_v<first>, typename mode_of_results<branch<Rest...>>::type, first>;
};

// What f returned for a leaf, as a value of its own.
template <class R>
constexpr auto kept_result(R&& r) {
  using X = std::remove_cvref_t<R>;
  if constexpr (Tensor<X> && !is_symbol<X>) {
    static_assert(
        !holds_variables<X>,
        "tree_map makes trees of tensors: of a variable w, w.value() or w.grad() is one; tape.variable(record) "
        "makes a record of variables");
    if constexpr (std::is_same_v<X, owned_t<X, storage::memory_of<X>()>>)
      return X(static_cast<R&&>(r));
    else
      return eval(r);
  } else {
    return X(static_cast<R&&>(r));
  }
}

// Asked for by its size, so that what it says is the first message.
template <class First, class Other>
struct same_trees {
  static constexpr bool hold = same_structure<First, Other>();
  static_assert(
      hold,
      "tree_map and tree_vdot go through trees of one structure: the same members, with tensors or numbers in "
      "the same places (both: see the types above)");
};

// Whether X is a function as a lambda makes it: a tree of nothing, if it is taken for a tree.
template <class X>
inline constexpr bool is_closure = std::is_class_v<X>&& std::is_empty_v<X> && !std::is_aggregate_v<X> && !requires {
  std::tuple_size<X>::value;
};
template <class F, class... Trees>
struct function_before_trees {
  static constexpr bool hold = !Leaf<F> && !(is_closure<Trees> || ...);
  static_assert(hold, "tree_map takes the function first, then the trees: rc::tree_map(f, a, b)");
};

// f at every leaf: what it returns, in branches like those of the trees; nothing where it returns nothing.
struct nothing {};
template <class F, class First, class... Rest>
RICCI_INLINE constexpr auto results_of(F& f, First& first, Rest&... rest);
template <std::size_t I, class F, class... Members>
RICCI_INLINE constexpr auto results_of_member(F& f, Members const&... m) {
  return results_of(f, get<I>(m)...);
}
template <std::size_t... I, class F, class... Members>
RICCI_INLINE constexpr auto results_of_members(std::index_sequence<I...>, [[maybe_unused]] F& f, Members const&... m) {
  return branch<decltype(results_of_member<I>(f, m...))...>{{{results_of_member<I>(f, m...)}...}};
}
template <class F, class First, class... Rest>
RICCI_INLINE constexpr auto results_of(F& f, First& first, Rest&... rest) {
  if constexpr (Leaf<First>) {
    if constexpr (std::is_void_v<decltype(f(first, rest...))>)
      return f(first, rest...), nothing{};
    else
      return kept_result(f(first, rest...));
  } else {
    return results_of_members(std::make_index_sequence<std::tuple_size_v<members_of<First>>>{}, f, members(first),
                              members(rest)...);
  }
}
template <class R>
inline constexpr bool has_results = !std::is_same_v<R, nothing>;
template <class... R>
inline constexpr bool has_results<branch<R...>> = (has_results<R> || ... || (sizeof...(R) == 0));

// The sum of the results of all leaves, nested as they are.
template <class R>
constexpr auto total(R const& results) {
  if constexpr (Tensor<R> || Arithmetic<R>) {
    return results;
  } else {
    static_assert(std::tuple_size_v<R> > 0,
                  "a tree of which a sum is made has a tensor or number in each of its branches");
    return tree::apply([](auto const&... r) { return kept_result((total(r) + ...)); }, results);
  }
}

// Whether results R fit a tree of type X.
template <class R, class X>
constexpr bool fits() {
  if constexpr (Leaf<X>) {
    if constexpr (Arithmetic<R>) {
      if constexpr (Arithmetic<X>)
        return true;
      else
        return rank_of<X> == 0 && !is_symbol<X>;
    } else if constexpr (!Tensor<R>) {
      return false;
    } else if constexpr (Arithmetic<X>) {
      return rank_of<R> == 0 && !is_symbol<R>;
    } else {
      return is_symbol<R> == is_symbol<X> && std::is_same_v<value_type_of<R>, value_type_of<X>> &&
             shapes::may_be_equal<extents_of<X>, extents_of<R>>();
    }
  } else {
    return []<class... M, class... S>(std::tuple<M&...>*, branch<S...>*) {
      return (fits<S, std::remove_cv_t<M>>() && ... && true);
    }(static_cast<members_of<X>*>(nullptr), static_cast<R*>(nullptr));
  }
}
template <class X, class R>
constexpr void fill(X& x, R& results) {
  if constexpr (!Leaf<X>) {
    auto const m = members(x);
    [&]<std::size_t... I>(std::index_sequence<I...>) { (fill(get<I>(m), get<I>(results)), ...); }
    (std::make_index_sequence<std::tuple_size_v<R>>{});
  } else if constexpr (Arithmetic<X>) {
    x = static_cast<X>(results);
  } else {
    x = static_cast<R&&>(results);
  }
}

// As owned_t, but numbers stay numbers.
template <int Memory>
struct with_numbers : owning<Memory> {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (Arithmetic<X>)
      return std::type_identity<X>{};
    else
      return owning<Memory>::template leaf<X>();
  }
};
// The tree that results of type R, of the leaves of X, would make.
template <class X, class R>
constexpr auto tree_like() {
  using Mode = typename mode_of_results<R>::type;
  if constexpr (std::is_void_v<Mode>)
    return std::type_identity<mapped_t<with_numbers<memory_of<R>>, X>>{};
  else if constexpr (has_symbols<X>())
    return std::type_identity<mapped_t<parts_as_values, X>>{};
  else
    return std::type_identity<symbolic_t<Mode, X>>{};
}
// X itself with other leaves where they fit it, else a tuple of the members, likewise.
template <class X, class R>
constexpr auto rebuilt(R& results) {
  if constexpr (Leaf<X>) {
    return static_cast<R&&>(results);
  } else {
    using like = typename decltype(tree_like<X, R>())::type;
    if constexpr (fits<R, like>()) {
      like x{};
      fill(x, results);
      return x;
    } else {
      return [&]<std::size_t... I, class... M>(std::index_sequence<I...>, std::tuple<M&...>*) {
        return std::tuple<decltype(rebuilt<std::remove_cv_t<M>>(get<I>(results)))...>{
            rebuilt<std::remove_cv_t<M>>(get<I>(results))...};
      }
      (std::make_index_sequence<std::tuple_size_v<R>>{}, static_cast<members_of<X>*>(nullptr));
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace tree

// f(a, b, ...) on the tensors in the same place of several trees of one structure. The result has the structure of the
// first: a record is one of the same kind where the new tensors fit its fields (element types are the same, extents
// may be), else a tuple of them. Lazy expressions are evaluated. Where f returns nothing, there is no result: f updates
// its arguments in place.
template <class F, class First, class... Rest>
RICCI_INLINE constexpr auto tree_map(F&& f, First&& first, Rest&&... rest) {
  using function_first =
      tree::function_before_trees<std::remove_cvref_t<F>, std::remove_cvref_t<First>, std::remove_cvref_t<Rest>...>;
  if constexpr (function_first::hold &&
                (tree::same_trees<std::remove_cvref_t<First>, std::remove_cvref_t<Rest>>::hold && ... && true)) {
    auto results = tree::results_of(f, first, rest...);
    if constexpr (tree::has_results<decltype(results)>) return tree::rebuilt<std::remove_cvref_t<First>>(results);
  }
}

// The sum of rc::vdot over the tensors in the same places of two trees of one structure and equal shapes: a number.
// shape_error: shapes differ.
template <class A, class B>
RICCI_INLINE constexpr auto tree_vdot(A const& a, B const& b) {
  auto const of_leaves = [](auto const& x, auto const& y) {
    if constexpr (Arithmetic<decltype(x + y)>)
      return conj(x) * y;
    else
      return vdot(x, y);
  };
  if constexpr (tree::same_trees<A, B>::hold) return tree::total(tree::results_of(of_leaves, a, b));
}

}  // namespace ricci
