// Derivatives in several directions at once, which a compressed jacobian is made of, as transforms of functions. Trees
// are vectors here: the elements of all their tensors, in order.
#pragma once

#include <ricci/autodiff/raveled.hpp>
#include <ricci/autodiff/sparsity_table.hpp>
#include <ricci/autodiff/vmap.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// The element type that all tensors in a tree have; asked for, so that what it says is the first message.
template <class X>
struct element_of_tree {
  using type = element_type_in_t<X>;
  static_assert(!std::is_void_v<type> || tree::count_leaves<X>() == 0,
                "a sparse jacobian is of tensors of one element type, by tensors of one element type");
};
template <class X>
using element_of_tree_t = typename element_of_tree<X>::type;

// values as one vector of elements of type T
template <class T, class Mode>
constexpr auto as_vector(typename Mode::graph& g, ir::span<int> ids) {
  ir::value<Mode> parts[max_leaves]{};
  for (int k = 0; k < ids.size; ++k) parts[k] = ir::flattened(ir::cast(ir::value<Mode>{&g, ids.data[k]}, dtype_of<T>));
  return symbol<T, extents<dyn>, Mode>{joined_vectors(parts, ids.size)};
}
// and back: the parts of a vector in the types and shapes of other values
template <class Mode>
constexpr void take_apart(ir::value<Mode> vector, ir::span<int> like, int* ids) {
  auto& g = *vector.g;
  index_t start = 0;
  for (int k = 0; k < like.size; ++k) {
    ir::value<Mode> const x{&g, like.data[k]};
    index_t const n = ir::element_count(x);
    ir::value<Mode> const part = like.size > 1 ? ir::stretch(vector, 0, start, n) : vector;
    ids[k] = ir::cast(ir::reshape(part, x.shape_id()), x.type()).id;
    start = ir::plus(g, start, n);
  }
}

// Argument I is derived in the directions that the rows of the last argument are, or, where Rows, the result is.
template <int I, bool Rows>
struct directional {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    return split(f, std::make_index_sequence<sizeof...(S) - 1>{}, std::tuple<S const&...>(s...));
  }

 private:
  template <class F, std::size_t... K, class All>
  static constexpr auto split(F const& f, std::index_sequence<K...>, All const& all) {
    using Mode = mode_t<std::tuple_element_t<sizeof...(K), All>>;
    auto const& seeds = std::get<sizeof...(K)>(all);
    auto& g = *seeds.v.g;
    int const begin = g.size;
    auto arguments = with_fresh<Mode, I>(g, std::get<K>(all)...);
    auto const y = applied(f, arguments);
    using X = std::tuple_element_t<I, decltype(arguments)>;
    using T = element_of_tree_t<std::conditional_t<Rows, X, std::remove_const_t<decltype(y)>>>;
    leaf_ids outs, wrt;
    collect<Mode>(g, y, outs);
    make_stable<Mode>(g, begin, outs.id, outs.count);
    collect<Mode>(g, std::get<I>(arguments), wrt);
    int const end = g.size;
    auto const derived = [&](auto const& seed) {
      int given[max_leaves]{}, results[max_leaves]{};
      take_apart(seed.v, Rows ? outs.all() : wrt.all(), given);
      if constexpr (Rows)
        transform::reverse<Mode>(g, begin, outs.all(), {given, outs.count}, wrt.all(), results);
      else
        transform::forward<Mode>(g, begin, end, wrt.all(), {given, wrt.count}, outs.all(), results);
      leaf_ids const& like = Rows ? wrt : outs;
      fill_zeros<Mode>(g, like, results);
      return as_vector<T, Mode>(g, {results, like.count});
    };
    return batching<in_axes_t<0>, out_axes_t<0>>::apply(derived, seeds);
  }
};

// The values of the integers that the search for a pattern wants to know, one after another (autodiff/sparsity.hpp), in
// the graph of a function under that transform.
template <class Transform>
struct wanted_integers {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    auto const y = Transform::apply(f, s...);
    leaf_ids outs;
    collect<Mode>(g, y, outs);
    sparsity::marks m{};
    transform::mark_needed(g, 1, outs.all(), m.needed);
    sparsity::find_wanted(g, g.size, m);
    return as_vector<std::int64_t, Mode>(g, {m.wanted, m.wanted_count});
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
