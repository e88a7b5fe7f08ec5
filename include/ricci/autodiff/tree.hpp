// Arguments and results of functions as trees of tensors: tensors and numbers are leaves; records of fields, plain
// aggregates, std::tuple, std::pair and std::array are branches, nested as one likes.
//
//   template <class Kind = rc::values>
//   struct params {
//     rc::field<Kind, float, 64, 32> w;   // a tensor outside, a symbol while a function is traced
//     rc::field<Kind, float, 32> b;
//   };
#pragma once

#include <ricci/autodiff/kinds.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci {

namespace tree {

inline namespace RICCI_ABI {

template <class T>
concept Leaf = Tensor<T> || Arithmetic<std::remove_cvref_t<T>>;

// what may be an argument; members() says what else is not
template <class T>
inline constexpr bool is_tree = Leaf<T> || is_tuple<T> || std::is_empty_v<T> || std::is_aggregate_v<T>;
// f of the members of a tuple; std::apply costs the compiler more
template <class F, class Tuple>
RICCI_INLINE constexpr decltype(auto) apply(F&& f, Tuple&& t) {
  return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
    using std::get;
    return f(get<I>(static_cast<Tuple&&>(t))...);
  }
  (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<Tuple>>>{});
}

// ---- walking ----

// f(leaves of the same place...) for every leaf, in order
template <class F, class First, class... Rest>
RICCI_INLINE constexpr void for_each_leaf(F&& f, First& first, Rest&... rest);

// What for_each_leaf does with the members of one tree, and with those of three and more.
template <class F>
struct each_leaf {
  F& f;
  template <class... M>
  RICCI_INLINE constexpr void operator()(M&... m) const {
    (for_each_leaf(f, tree::plain_number(m)), ...);
  }
};
template <std::size_t I, class F, class... Members>
RICCI_INLINE constexpr void for_each_leaf_of_member(F& f, Members const&... m) {
  for_each_leaf(f, get<I>(m)...);
}
template <std::size_t... I, class F, class... Members>
RICCI_INLINE constexpr void for_each_row_of_leaves(std::index_sequence<I...>, F& f, Members const&... m) {
  (for_each_leaf_of_member<I>(f, m...), ...);
}
template <class F, class First, class... Rest>
RICCI_INLINE constexpr void for_each_leaf(F&& f, First& first, Rest&... rest) {
  if constexpr (Leaf<First>)
    f(first, rest...);
  else if constexpr (sizeof...(Rest) == 0)
    with_members(first, each_leaf<std::remove_reference_t<F>>{f});
  else if constexpr (sizeof...(Rest) == 1)
    with_members(first, [&](auto&... m) RICCI_INLINE_LAMBDA {
      with_members(rest..., [&](auto&... n) RICCI_INLINE_LAMBDA {
        (for_each_leaf(f, tree::plain_number(m), tree::plain_number(n)), ...);
      });
    });
  else
    for_each_row_of_leaves(std::make_index_sequence<std::tuple_size_v<members_of<First>>>{}, f, members(first),
                           members(rest)...);
}

// Trees of the same branches, whatever their leaves are.
template <class A, class B>
constexpr bool same_structure() {
  if constexpr (Leaf<A> || Leaf<B>)
    return Leaf<A> && Leaf<B>;
  else
    return []<class... M, class... N>(std::tuple<M&...>*, std::tuple<N&...>*) {
      if constexpr (sizeof...(M) == sizeof...(N))
        return (same_structure<std::remove_cv_t<M>, std::remove_cv_t<N>>() && ... && true);
      else
        return false;
    }(static_cast<members_of<A>*>(nullptr), static_cast<members_of<B>*>(nullptr));
}

template <class X>
constexpr int count_leaves();
template <class Tuple>
struct leaves_of_members;
template <class... M>
struct leaves_of_members<std::tuple<M&...>> {
  static constexpr int count = (count_leaves<std::remove_cv_t<M>>() + ... + 0);
};
template <class X>
constexpr int count_leaves() {
  if constexpr (Leaf<X>)
    return 1;
  else
    return leaves_of_members<members_of<X>>::count;
}

// ---- types: what stands for an argument while a function is traced, and what holds a result ----

// What a plain aggregate X is while a function is traced. C++20 makes no type whose members are called like those of
// another one and are symbols, so it is a tuple: structured bindings take it apart. A record's fields keep their names.
template <class X, class... M>
struct members_without_names : std::tuple<M...> {
  using std::tuple<M...>::tuple;
};

template <class Mode, class X>
struct symbolic_type;
template <class Mode, class X, class Tuple>
struct twin_of_members;
template <class Mode, class X, class... M>
struct twin_of_members<Mode, X, std::tuple<M&...>> {
  // an aggregate that a traced function made holds symbols, and is itself
  static constexpr bool is_symbolic =
      (std::is_same_v<M, typename symbolic_type<Mode, std::remove_cv_t<M>>::type> && ...);
  using twin = members_without_names<X, typename symbolic_type<Mode, std::remove_cv_t<M>>::type...>;
  using type = std::conditional_t<is_symbolic, X, twin>;
};
template <class Mode, class X, class... M>
struct symbolic_type<Mode, members_without_names<X, M...>> {
  using type = members_without_names<X, typename symbolic_type<Mode, M>::type...>;
};
// whether X is what an aggregate has become in a trace
template <class X, class Aggregate>
inline constexpr bool stands_for = false;
template <class Aggregate, class... M>
inline constexpr bool stands_for<members_without_names<Aggregate, M...>, Aggregate> = true;
template <class Mode, class... X>
struct symbolic_type<Mode, std::tuple<X...>> {
  using type = std::tuple<typename symbolic_type<Mode, X>::type...>;
};
template <class Mode, class A, class B>
struct symbolic_type<Mode, std::pair<A, B>> {
  using type = std::pair<typename symbolic_type<Mode, A>::type, typename symbolic_type<Mode, B>::type>;
};
template <class Mode, class X>
struct symbolic_type {
  using type = typename twin_of_members<Mode, X, members_of<X>>::type;
};
// a choice or a function that its type alone makes
template <class X>
concept EmptyBranch = std::is_empty_v<X> && !is_tuple<X> && !Leaf<X>;
template <class Mode, EmptyBranch X>
struct symbolic_type<Mode, X> {
  using type = X;
};
template <class Mode, Tensor X>
struct symbolic_type<Mode, X> {
  using type = symbol<typename X::value_type, typename X::extents, Mode>;
};
template <class Mode, Arithmetic X>
struct symbolic_type<Mode, X> {
  using type = symbol<element_t<X>, weak_extents, Mode>;
};
template <class Mode, template <class> class Record, class Kind>
requires(kind<Kind>::is_kind) struct symbolic_type<Mode, Record<Kind>> {
  using type = Record<typename kind<Kind>::template traced<Mode>>;
};
template <class Mode, class X, std::size_t N>
struct symbolic_type<Mode, std::array<X, N>> {
  using type = std::array<typename symbolic_type<Mode, X>::type, N>;
};
template <class Mode, class X>
using symbolic_t = typename symbolic_type<Mode, X>::type;

// X with every leaf in another type: `Change::leaf<L>()` gives a std::type_identity for each L that is neither a record
// nor a tuple, `Change::record<Kind>()` one of the kind of a record's fields.
template <class Change, class X>
struct mapped {
  using type = typename decltype(Change::template leaf<X>())::type;
};
template <class Change, class X>
using mapped_t = typename mapped<Change, std::remove_cvref_t<X>>::type;
template <class Change, template <class> class Record, class Kind>
requires(kind<Kind>::is_kind) struct mapped<Change, Record<Kind>> {
  using type = Record<typename decltype(Change::template record<Kind>())::type>;
};
template <class Change, class... X>
struct mapped<Change, std::tuple<X...>> {
  using type = std::tuple<mapped_t<Change, X>...>;
};
template <class Change, class A, class B>
struct mapped<Change, std::pair<A, B>> {
  using type = std::pair<mapped_t<Change, A>, mapped_t<Change, B>>;
};
// the aggregate itself where the leaves fit its members, of which numbers hold what tensors of order 0 do
template <class M, class L>
inline constexpr bool fits_member = std::is_same_v<M, L> || std::is_same_v<tensor<M>, L>;
template <class X, class Tuple>
struct aggregate_or_tuple {
  template <class... M, class... L>
  static auto chosen(std::tuple<M&...>*, std::tuple<L...>*)
      -> std::conditional_t<(fits_member<M, L> && ...), X, std::tuple<L...>>;
  using type = decltype(chosen(static_cast<members_of<X>*>(nullptr), static_cast<Tuple*>(nullptr)));
};
template <class Change, class X, class... M>
struct mapped<Change, members_without_names<X, M...>>
    : aggregate_or_tuple<X, std::tuple<typename mapped<Change, M>::type...>> {};
template <class Change, class X, std::size_t N>
struct mapped<Change, std::array<X, N>> {
  using type = std::array<mapped_t<Change, X>, N>;
};

// A tensor, record or tuple that owns what is like X: of an argument, the type of its gradient; of symbols, the type of
// values.
template <int Memory>
struct owning {
  template <class X>
  static constexpr auto leaf() {
    using in = storage::tensors_in<Memory>;
    if constexpr (Tensor<X>)
      return std::type_identity<typename in::template type<typename X::value_type, typename X::extents>>{};
    else if constexpr (Arithmetic<X>)
      return std::type_identity<typename in::template type<element_t<X>, extents<>>>{};
    else
      return std::type_identity<X>{};
  }
  template <class Kind>
  static constexpr auto record() {
    if constexpr (TracedKind<Kind> || requires { kind<Kind>::of_variables; })
      return std::type_identity<typename kind<Kind>::template outside<Memory>>{};
    else
      return std::type_identity<Kind>{};
  }
};
template <class X, int Memory = expr::host_memory>
using owned_t = mapped_t<owning<Memory>, X>;

// X with a symbol for each part of one: `h(0)` refers to h, and is made of nothing else.
struct parts_as_values {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (is_symbol<X>)
      return std::type_identity<symbol<typename X::value_type, typename X::extents, typename X::mode>>{};
    else
      return std::type_identity<X>{};
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<Kind>{};
  }
};

// The memory spaces of the leaves of some trees, as bits.
template <class X>
constexpr int memory_bits() {
  if constexpr (Tensor<X>)
    return storage::memory_of<X>();
  else if constexpr (Arithmetic<X>)
    return expr::memory_of_numbers;
  else
    return []<class... M>(std::tuple<M&...>*) {
      return (memory_bits<std::remove_cv_t<M>>() | ... | 0);
    }(static_cast<members_of<X>*>(nullptr));
}
// Where a function of such arguments is computed.
template <class... X>
inline constexpr int memory_of = (memory_bits<X>() | ... | 0) == 0 ? expr::host_memory : (memory_bits<X>() | ... | 0);

template <class X>
constexpr bool has_symbols() {
  using T = std::remove_cvref_t<X>;
  if constexpr (is_symbol<T>)
    return true;
  else if constexpr (Leaf<T>)
    return false;
  else
    return []<class... M>(std::tuple<M&...>*) {
      return (has_symbols<M>() || ... || false);
    }(static_cast<members_of<T>*>(nullptr));
}

template <class X>
inline constexpr bool is_in_place_tensor = false;
template <class T, index_t... E>
inline constexpr bool is_in_place_tensor<tensor<T, E...>> = !tensor<T, E...>::shared;
// z becomes zeros of the extents of x, leaf by leaf; tensors in place need none beside them.
template <class Z, class X>
constexpr void become_zeros(Z& z, X const& x) {
  for_each_leaf(
      []<class To, class From>(To& to, From const& from) {
        if constexpr (Arithmetic<From>)
          to = From(0);
        else if constexpr (is_in_place_tensor<To>)
          for (index_t k = 0; k < To::extents::size; ++k) to.data()[k] = value_type_of<To>(0);
        else
          to = zeros_like(from);
      },
      z, x);
}

}  // namespace RICCI_ABI
}  // namespace tree

// zeros of the extents of every tensor of a record, 0 for every number
template <class X>
requires(!Tensor<X> && (std::is_aggregate_v<X> || tree::is_tuple<X>)) constexpr auto zeros_like(X const& x) {
  using symbols = tree::mapped_t<tree::parts_as_values, X>;
  std::conditional_t<tree::has_symbols<X>(), symbols, tree::owned_t<X, tree::memory_of<X>>> z{};
  tree::become_zeros(z, x);
  return z;
}

}  // namespace ricci

template <class X, class... M>
struct std::tuple_size<ricci::tree::members_without_names<X, M...>> : std::tuple_size<std::tuple<M...>> {};
template <std::size_t I, class X, class... M>
struct std::tuple_element<I, ricci::tree::members_without_names<X, M...>> : std::tuple_element<I, std::tuple<M...>> {};
