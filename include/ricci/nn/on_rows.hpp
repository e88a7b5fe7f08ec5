// Steps that touch the rows of a table alone that a batch names, as of an embedding of many words, of which a batch has
// few: nn::on_rows takes these rows out of the parameters and of all that the optimiser remembers of them, takes a
// step of a model that has no others, and puts them back.
//
//   template <class Kind = rc::values> struct net {
//     nn::layer<nn::embedding<rc::dyn, 128>, Kind> words;      // how many rows is known at run time
//     ...
//   };
//   auto const step = nn::on_rows<"words.w">(nn::step_of<loss>(optimiser));
//   float const cost = step(run, tokens, labels);              // the first tensor behind the run names rows
//
// Names are those of nn::summary, as in nn::on. An index_error, and nothing changes: a row outside, also a negative
// one. For the loss, tokens are the places of rows among those that are there. What an optimiser does to rows that no
// batch names, as decay or a step by what it remembers, it does when they are named again, and then once: as PyTorch's
// SparseAdam. Gradients are those of the whole table, so plain descent and its clipping do what they do with all of it.
#pragma once

#include <utility>

#include <ricci/nn/groups.hpp>
#include <ricci/nn/step.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/tensor/sets.hpp>

namespace ricci::nn {

namespace rows {

template <class X>
inline constexpr bool is_table = false;
template <Tensor X>
inline constexpr bool is_table<X> = rank_of<X> >= 1 && X::rank >= 1 && extents_of<X>::value.extent[0] < 0;

template <class... L>
constexpr bool adds_up_batches(std::tuple<L...> const*) {
  return (nn::adds_up_batches<L>() || ...);
}

// Leaves of a run, and the rows of each in its place as long as this is there.
template <class... Leaf>
struct exchanged {
  std::tuple<Leaf&...> leaves;
  std::tuple<Leaf...>& others;
  void exchange() {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (std::swap(std::get<I>(leaves), std::get<I>(others)), ...); }
    (std::index_sequence_for<Leaf...>{});
  }
  exchanged(std::tuple<Leaf&...> const& of, std::tuple<Leaf...>& by) : leaves(of), others(by) { exchange(); }
  exchanged(exchanged const&) = delete;
  exchanged& operator=(exchanged const&) = delete;
  ~exchanged() { exchange(); }
};

// For each leaf of what an optimiser remembers whether it belongs to a marked leaf of the parameters: it stands in its
// place in a record like theirs.
template <auto const& Marks, class Params, class X>
struct remembered {
  std::array<bool, std::size_t(tree::count_leaves<X>())> of{};
  std::size_t at = 0;

  template <class M>
  constexpr void walk() {
    if constexpr (std::is_same_v<M, Params> || std::is_same_v<M, decltype(zeros_like(std::declval<Params const&>()))>)
      for (bool const is_marked : Marks) of[at++] = is_marked;
    else if constexpr (tree::Leaf<M>)
      ++at;
    else
      []<class... N>(std::tuple<N&...>*, [[maybe_unused]] remembered& all) {
        (all.template walk<std::remove_cv_t<N>>(), ...);
      }(static_cast<tree::members_of<M>*>(nullptr), *this);
  }
};
template <class Pattern, class Params>
inline constexpr auto marks_of_params = names::marked<Pattern, Params>();
template <class Pattern, class Params, class X>
inline constexpr auto marks_of_memory = [] {
  remembered<marks_of_params<Pattern, Params>, Params, X> r;
  r.template walk<X>();
  return r.of;
}();
template <auto const& Marks, class X>
auto tables(X& x) {
  static constexpr auto at = names::places<Marks>();
  auto const all = names::leaves(x);
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tie(std::get<at[I]>(all)...); }
  (std::make_index_sequence<at.size()>{});
}

}  // namespace rows

template <class Pattern, class Step>
struct row_step {
  Step step;
  template <Run R, Tensor I, class... Batch>
  float operator()(R& run, I const& index, Batch const&... batch) const {
    static_assert(is_integer(dtype_of<value_type_of<I>>),
                  "nn::on_rows: the first tensor behind the run names rows, by integers");
    using params = std::remove_cvref_t<decltype(run.params)>;
    using memory = std::remove_cvref_t<decltype(run.optimiser)>;
    auto const of_params = rows::tables<rows::marks_of_params<Pattern, params>>(run.params);
    static_assert(std::tuple_size_v<std::remove_const_t<decltype(of_params)>> > 0,
                  "nn::on_rows: no parameter has a name that the pattern matches");
    auto const all =
        std::tuple_cat(of_params, rows::tables<rows::marks_of_memory<Pattern, params, memory>>(run.optimiser));
    auto const seen = unique_inverse(index);
    if (seen.values.size() > 0 && seen.values.data()[0] < 0)  // they rise
      core::raise<index_error>(core::text() << "nn::on_rows: row " << index_t(seen.values.data()[0])
                                            << ", where 0 or more was expected");
    return [&]<class... Leaf>(std::tuple<Leaf&...> const& leaves) {
      static_assert((rows::is_table<Leaf> && ...),
                    "nn::on_rows: a table's first extent is rc::dyn, as in nn::embedding<rc::dyn, 128>");
      auto other = std::apply(
          [&](auto&... leaf) { return std::tuple<Leaf...>(eval(take(leaf, seen.values, axis<0>))...); }, leaves);
      rows::exchanged<Leaf...> const within(leaves, other);
      float const cost = step(run, seen.inverse_indices, batch...);
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        ((std::get<K>(other)(seen.values) = std::get<K>(leaves)), ...);
      }
      (std::index_sequence_for<Leaf...>{});
      return cost;
    }(all);
  }
};
// A step, as nn::step_of makes it, of the rows alone that its first tensor names, for the parameters whose names match.
template <pattern Names, class Step>
auto on_rows(Step const& step) {
  static_assert(!rows::adds_up_batches(static_cast<typename Step::links*>(nullptr)),
                "nn::on_rows: nn::every adds up the gradients of several batches, which name other rows");
  return row_step<written_as<Names>, Step>{step};
}

}  // namespace ricci::nn
