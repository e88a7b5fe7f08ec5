// Links for some of the parameters, by the names of their members, as nn::summary lists them:
//
//   nn::adam{} | nn::on<"*.w">(nn::add_decayed_weights{1e-2f}) | nn::constant{1e-3f}        // no decay of biases
//   nn::groups(nn::on<"in.*">(nn::set_to_zero{}),                                           // stays as it is
//              nn::on<"blocks.*.norm.*|*.b">(nn::sgd{} | nn::constant{1e-2f}),
//              nn::on<"*">(nn::adam{} | nn::constant{1e-3f}))
//
// A star stands for any characters, dots as well; a bar is between patterns of which one matches.
#pragma once

#include <array>

#include <ricci/core/pattern.hpp>
#include <ricci/io/member_names.hpp>
#include <ricci/nn/chain.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

namespace names {

// Whether all of a name, n characters, is what a pattern says up to its end or a bar.
constexpr bool fits(char const* pattern, char const* name, std::size_t n) {
  if (*pattern == '*') return fits(pattern + 1, name, n) || (n > 0 && fits(pattern, name + 1, n - 1));
  if (*pattern == '\0' || *pattern == '|') return n == 0;
  return n > 0 && *pattern == *name && fits(pattern + 1, name + 1, n - 1);
}
constexpr bool matches(char const* pattern, char const* name, std::size_t n) {
  for (; !fits(pattern, name, n); ++pattern) {
    while (*pattern != '\0' && *pattern != '|') ++pattern;
    if (*pattern == '\0') return false;
  }
  return true;
}

// For each leaf of X whether the pattern matches its name.
template <class X>
struct marks {
  std::array<bool, std::size_t(tree::count_leaves<X>())> of{};
  std::size_t at = 0;
  char name[512] = {};

  template <class M>
  constexpr void walk(char const* pattern, std::size_t n) {
    if constexpr (tree::Leaf<M>) {
      of[at++] = matches(pattern, name, n);
    } else {
      using all = tree::members_of<M>;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] auto const each = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
          std::size_t end = n;
          if (n > 0) name[end++] = '.';
          if constexpr (tree::is_tuple<M>) {
            std::size_t digit = 1;
            while (K / digit >= 10) digit *= 10;
            for (; digit > 0; digit /= 10) name[end++] = static_cast<char>('0' + K / digit % 10);
          } else {
            for (char const c : files::member_name<M, K>) name[end++] = c;
          }
          walk<std::remove_cvref_t<std::tuple_element_t<K, all>>>(pattern, end);
        };
        (each(std::integral_constant<std::size_t, I>{}), ...);
      }
      (std::make_index_sequence<std::tuple_size_v<all>>{});
    }
  }
};
template <class Pattern, class X>
constexpr auto marked() {
  marks<X> m;
  m.template walk<X>(Pattern::text, 0);
  return m.of;
}
template <class Pattern, class X>
inline constexpr auto marks_of = marked<Pattern, tree::owned_t<X>>();

// The leaves of a tree as a tuple of references.
template <class X>
constexpr auto leaves(X& x) {
  if constexpr (tree::Leaf<std::remove_cv_t<X>>)
    return std::tie(x);
  else
    return tree::apply([](auto&... m) { return std::tuple_cat(leaves(m)...); }, tree::members(x));
}
// The numbers of those that are marked.
template <auto const& Marks>
constexpr auto places() {
  constexpr std::size_t n = [] {
    std::size_t count = 0;
    for (bool const m : Marks) count += m;
    return count;
  }();
  std::array<std::size_t, n> all{};
  for (std::size_t k = 0, to = 0; k < Marks.size(); ++k)
    if (Marks[k]) all[to++] = k;
  return all;
}
template <auto const& Places>
constexpr auto some(auto const& x) {
  auto const all = leaves(x);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<std::remove_cvref_t<std::tuple_element_t<Places[I], std::remove_const_t<decltype(all)>>>...>(
        std::get<Places[I]>(all)...);
  }
  (std::make_index_sequence<Places.size()>{});
}
template <auto const& Places>
constexpr void put_back(auto& x, auto const& part) {
  auto const all = leaves(x);
  [&]<std::size_t... I>(std::index_sequence<I...>) { ((std::get<Places[I]>(all) = std::get<I>(part)), ...); }
  (std::make_index_sequence<Places.size()>{});
}

// The leaves of X that Pattern matches, and none of Before.
template <class Pattern, class X, class... Before>
struct group {
  static constexpr auto marks = [] {
    auto m = marks_of<Pattern, X>;
    (
        (void)[&] {
          for (std::size_t k = 0; k < m.size(); ++k) m[k] = m[k] && !marks_of<Before, X>[k];
        }(),
        ...);
    return m;
  }();
  static constexpr auto at = places<marks>();
  static_assert(at.size() > 0,
                "nn::on: the pattern matches the name of no parameter (that no group before it has); nn::summary lists "
                "the names");
};

}  // namespace names

template <class Pattern, class... L>
struct on_link {
  std::tuple<L...> links;
  static constexpr bool has_rate = all_have_rates(static_cast<std::tuple<L...>*>(nullptr)), takes_weight = true;
  static constexpr bool needs_rate = (nn::needs_rate<L> || ...);
  static constexpr bool is_group = true;
  static constexpr std::tuple<L...> const* inner = nullptr;
  static constexpr auto const& inner_memory(auto const& m) { return m; }
  static constexpr bool leaves_out = (leaves_steps_out<L> || ...);
  using pattern = Pattern;

  template <class... Before>
  static auto init_of(auto const& p) {
    using group = names::group<Pattern, std::remove_cvref_t<decltype(p)>, Before...>;
    return memories_of(inner, names::some<group::at>(p));
  }
  template <class... Before>
  static constexpr auto update_of(auto const& h, auto g, auto const& s, auto const& params, auto const& step,
                                  auto const& weight) {
    using group = names::group<Pattern, std::remove_cvref_t<decltype(params)>, Before...>;
    auto const& [numbers] = h;
    auto const [d, next] =
        updated(inner, numbers, names::some<group::at>(g), s, names::some<group::at>(params), step, weight);
    names::put_back<group::at>(g, d);
    return std::pair(g, next);
  }
  static auto init(auto const& p) {
    static_assert(!has_rate, "nn::on: a link with a rate stands in nn::groups, where every parameter is in a group");
    return init_of<>(p);
  }
  static constexpr auto update(auto const& h, auto const& g, auto const& s, auto const& params, auto const& step,
                               auto const& weight) {
    return update_of<>(h, g, s, params, step, weight);
  }
};
// These links for the parameters whose names match; for all others nothing is done.
template <pattern P, Optimiser O>
constexpr auto on(O const& o) {
  return [&]<class... L>(std::tuple<L...> const& all) { return on_link<written_as<P>, L...>{all}; }(links_of(o));
}

// The parameters stay as they are, and derivatives by them are not computed.
struct set_to_zero {
  static constexpr bool has_rate = true;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const&, auto const& g, auto s, auto const&, auto const&) {
    return std::pair(zeros_like(g), s);
  }
};

template <class... On>
struct groups_link {
  std::tuple<On...> all;
  static constexpr bool has_rate = true, takes_weight = true;
  static constexpr std::tuple<On...> const* inner = nullptr;
  static constexpr auto const& inner_memory(auto const& m) { return m; }
  static constexpr bool leaves_out = (leaves_steps_out<On> || ...);

  // f<K>(the patterns before group K) for each group
  template <std::size_t K, class F>
  static constexpr auto with_those_before(F const& f) {
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      return f.template operator()<K, typename std::tuple_element_t<J, std::tuple<On...>>::pattern...>();
    }
    (std::make_index_sequence<K>{});
  }
  template <class X>
  static constexpr bool cover() {
    constexpr std::size_t n = std::size_t(tree::count_leaves<X>());
    for (std::size_t k = 0; k < n; ++k)
      if (!(names::marks_of<typename On::pattern, X>[k] || ...)) return false;
    return true;
  }
  static auto init(auto const& p) {
    static_assert(cover<std::remove_cvref_t<decltype(p)>>(),
                  "nn::groups: a parameter is in no group; nn::on<\"*\">(...) at the end takes all others");
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::make_tuple(with_those_before<K>([&]<std::size_t N, class... Before>() {
        return std::tuple_element_t<N, std::tuple<On...>>::template init_of<Before...>(p);
      })...);
    }
    (std::index_sequence_for<On...>{});
  }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const& step,
                               auto const& weight) {
    auto const& numbers = std::get<0>(h);
    auto const one = [&]<std::size_t N, class... Before>() {
      auto const [d, next] = std::tuple_element_t<N, std::tuple<On...>>::template update_of<Before...>(
          std::get<N>(numbers), g, std::get<N>(s), params, step, weight);
      g = d;
      std::get<N>(s) = next;
      return 0;
    };
    [&]<std::size_t... K>(std::index_sequence<K...>) { (with_those_before<K>(one), ...); }
    (std::index_sequence_for<On...>{});
    return std::pair(g, s);
  }
};
// An optimiser for each group of parameters: each belongs to the first group whose pattern matches its name.
template <class... On>
requires(On::is_group&&...) constexpr auto groups(On const&... o) {
  static_assert((On::has_rate && ...),
                "nn::groups: the optimiser of a group ends with a rate, or is nn::set_to_zero{}");
  return groups_link<On...>{std::tuple<On...>(o...)};
}

}  // namespace ricci::nn
