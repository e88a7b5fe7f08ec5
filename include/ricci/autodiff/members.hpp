// Branches of trees as tuples of references to their members: tuples and arrays by `get`, aggregates by structured
// bindings, of which there has to be one for each number of members.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <ricci/core/config.hpp>
#include <ricci/core/required.hpp>

namespace ricci::tree {
inline namespace RICCI_ABI {

inline constexpr std::size_t most_members = 64;

struct anything {
  template <class T>
  operator T() const;  // never defined: called in unevaluated operands alone
};
template <class T, std::size_t... I>
constexpr bool takes_members(std::index_sequence<I...>) {
  return requires { T{((void)I, anything{})...}; };
}
template <class T, std::size_t N>
inline constexpr bool takes = takes_members<T>(std::make_index_sequence<N>{});

// The largest number of members that T takes, where it takes Known and not Limit.
template <class T, std::size_t Known, std::size_t Limit>
constexpr std::size_t search_members() {
  constexpr std::size_t middle = (Known + Limit) / 2;
  if constexpr (Known + 1 == Limit)
    return Known;
  else if constexpr (takes<T, middle>)
    return search_members<T, middle, Limit>();
  else
    return search_members<T, Known, middle>();
}
// The same where it takes N / 2; one more than is allowed where it takes that.
template <class T, std::size_t N = 2>
constexpr std::size_t search_members_from() {
  if constexpr (N > most_members)
    return takes<T, most_members + 1> ? most_members + 1 : most_members;
  else if constexpr (takes<T, N>)
    return search_members_from<T, 2 * N>();
  else
    return search_members<T, N / 2, N>();
}
template <class T, std::size_t N = most_members + 1>
constexpr std::size_t search_members_down() {
  if constexpr (N == 0 || takes<T, N>)
    return N;
  else
    return search_members_down<T, N - 1>();
}
// The type whose members are counted: a record of another kind has as many as that of values (tree.hpp), whose numbers
// by default fit its fields.
template <class T>
struct counted_as {
  using type = T;
};
// Fewer initialisers than members are taken unless a member has no default; then all numbers are tried.
template <class T>
constexpr std::size_t count_members() {
  if constexpr (!std::is_same_v<T, typename counted_as<T>::type>)
    return count_members<typename counted_as<T>::type>();
  else if constexpr (takes<T, 1>)
    return search_members_from<T>();
  else
    return search_members_down<T>();
}

template <class T>
inline constexpr bool is_tuple = requires {
  std::tuple_size<std::remove_cv_t<T>>::value;
};
template <std::size_t N, class T>
inline constexpr bool is_tuple_of = requires {
  requires std::tuple_size<std::remove_cv_t<T>>::value == N;
};

// use(members of t...). One branch for each number of members, eight with one more letter at a time: C++20 knows no
// pack of bindings.
#define RICCI_TIE(n, ...)      \
  else if constexpr (N == n) { \
    auto& [__VA_ARGS__] = t;   \
    return use(__VA_ARGS__);   \
  }
#define RICCI_8(x) x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8
#define RICCI_TIE_8(n, x, ...)                                           \
  RICCI_TIE(n + 1, __VA_ARGS__ x##1)                                     \
  RICCI_TIE(n + 2, __VA_ARGS__ x##1, x##2)                               \
  RICCI_TIE(n + 3, __VA_ARGS__ x##1, x##2, x##3)                         \
  RICCI_TIE(n + 4, __VA_ARGS__ x##1, x##2, x##3, x##4)                   \
  RICCI_TIE(n + 5, __VA_ARGS__ x##1, x##2, x##3, x##4, x##5)             \
  RICCI_TIE(n + 6, __VA_ARGS__ x##1, x##2, x##3, x##4, x##5, x##6)       \
  RICCI_TIE(n + 7, __VA_ARGS__ x##1, x##2, x##3, x##4, x##5, x##6, x##7) \
  RICCI_TIE(n + 8, __VA_ARGS__ RICCI_8(x))
template <std::size_t N, class T, class Use>
RICCI_INLINE constexpr auto use_members(T& t, Use const& use) {
  if constexpr (N == 0 || N > most_members) {
    return use();
  }
  RICCI_TIE_8(0, a)
  RICCI_TIE_8(8, b, RICCI_8(a), )
  RICCI_TIE_8(16, c, RICCI_8(a), RICCI_8(b), )
  RICCI_TIE_8(24, d, RICCI_8(a), RICCI_8(b), RICCI_8(c), )
  RICCI_TIE_8(32, e, RICCI_8(a), RICCI_8(b), RICCI_8(c), RICCI_8(d), )
  RICCI_TIE_8(40, f, RICCI_8(a), RICCI_8(b), RICCI_8(c), RICCI_8(d), RICCI_8(e), )
  RICCI_TIE_8(48, g, RICCI_8(a), RICCI_8(b), RICCI_8(c), RICCI_8(d), RICCI_8(e), RICCI_8(f), )
  RICCI_TIE_8(56, h, RICCI_8(a), RICCI_8(b), RICCI_8(c), RICCI_8(d), RICCI_8(e), RICCI_8(f), RICCI_8(g), )
}
#undef RICCI_TIE
#undef RICCI_8
#undef RICCI_TIE_8

// use(members of t...), which no tuple holds: what walks through trees is compiled for each tree and each walk.
template <class T, class Use>
RICCI_INLINE constexpr auto with_members(T& t, Use const& use) {
  using X = std::remove_cv_t<T>;
  if constexpr (is_tuple<X>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) RICCI_INLINE_LAMBDA {
      using std::get;
      return use(get<I>(t)...);
    }
    (std::make_index_sequence<std::tuple_size<X>::value>{});
  } else if constexpr (std::is_empty_v<X>) {
    return use();
  } else {
    static_assert(
        std::is_aggregate_v<X>,
        "an argument of a traced function is a tensor, a number, or an aggregate, tuple or array of such; of a "
        "std::vector rc::asarray makes a tensor");
    if constexpr (std::is_aggregate_v<X>) {
      constexpr std::size_t n = count_members<X>();
      static_assert(n <= most_members,
                    "a record as an argument has at most 64 members: put some of them into a record of their own");
      return use_members<n>(t, use);
    } else {
      return use();
    }
  }
}

// The members of a branch, references to them or values in their places: a std::tuple without its constructors, which
// compilers take several times as long to make.
template <std::size_t I, class M>
struct place {
  M m;
};
template <class I, class... M>
struct places;
template <std::size_t... I, class... M>
struct places<std::index_sequence<I...>, M...> : place<I, M>... {};
template <class... M>
struct branch : places<std::index_sequence_for<M...>, M...> {};
template <std::size_t I, class M>
RICCI_INLINE constexpr auto& get(place<I, M>& p) {
  return p.m;
}
template <std::size_t I, class M>
RICCI_INLINE constexpr auto& get(place<I, M> const& p) {
  return p.m;
}

// A number that has no default is a number like others.
struct tie_members {
  template <class... M>
  constexpr auto operator()(M&... m) const {
    return branch<decltype(tree::plain_number(m))...>{{{tree::plain_number(m)}...}};
  }
};
template <class T>
constexpr auto members(T& t) {
  return with_members(t, tie_members{});
}

// What they are, as the name std::tuple<M&...>: no such tuple is made.
struct name_members {
  template <class... M>
  constexpr auto operator()(M&... m) const {
    return std::type_identity<std::tuple<decltype(tree::plain_number(m))...>>{};
  }
};
template <class T>
using members_of = typename decltype(with_members(std::declval<T&>(), name_members{}))::type;

}  // namespace RICCI_ABI
}  // namespace ricci::tree

template <class... M>
struct std::tuple_size<ricci::tree::branch<M...>> : std::integral_constant<std::size_t, sizeof...(M)> {};
template <std::size_t I, class... M>
struct std::tuple_element<I, ricci::tree::branch<M...>> {
  template <class T>
  static T type_at(ricci::tree::place<I, T>*);
  using type = decltype(type_at(static_cast<ricci::tree::branch<M...>*>(nullptr)));
};
