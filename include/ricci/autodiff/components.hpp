// Derivatives in directions that are known while compiling, which most jacobians of records of rows can be made of: one
// direction for each component of an argument, as "the third number of each of its rows". Where rows of the result
// depend on no two elements of one component, these are all elements. Unlike a batch of directions (compression.hpp),
// each is recorded by itself: ones and zeros are gone before anything is computed, and what directions have in common
// is computed once.
//
// The components of a tensor go through its short axes, of extents that the type knows: a tensor of shape (n, 3) has
// three. A derivative of such a tensor that was stacked from its components is given in these pieces.
#pragma once

#include <ricci/autodiff/compression.hpp>
#include <ricci/transform/known_tangents.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

inline constexpr index_t longest_short_axis = 16;

// Which axes of a tensor are short ones, as bits, and how many elements they have; the others have any number.
struct short_axes {
  unsigned mask = 0;
  index_t components = 1;
  bool is_all = true;

  constexpr bool has(int axis) const { return mask >> axis & 1; }
  // the component that an element belongs to
  constexpr index_t component_of(index_t const* at, index_t const* extents, int rank) const {
    index_t c = 0;
    for (int k = 0; k < rank; ++k)
      if (has(k)) c = c * extents[k] + at[k];
    return c;
  }
};
template <class E>
constexpr short_axes short_axes_of() {
  short_axes s;
  for (int k = 0; k < E::rank; ++k) {
    index_t const n = E::value.extent[k];
    if (n > 0 && n <= longest_short_axis && s.components * n <= 2 * longest_short_axis &&
        __builtin_popcount(s.mask) < transform::known_tensor::most_axes) {
      s.mask |= 1u << k;
      s.components *= n;
    } else {
      s.is_all = false;
    }
  }
  return s;
}
// The axis along which a result is given in pieces: its last short one; -1: it is given as a whole.
template <class E>
constexpr int axis_of_pieces() {
  short_axes const s = short_axes_of<E>();
  int axis = -1;
  for (int k = 0; k < E::rank; ++k)
    if (s.has(k) && E::value.extent[k] > 1) axis = k;
  return axis;
}

// The leaves of a tree of symbols, as it is known from their types.
struct leaf_facts {
  short_axes axes;
  int rank;
  index_t directions;               // before those of this leaf
  int pieces, pieces_before, axis;  // of a result, in each direction
};
inline constexpr int most_leaves_by_component = 16;
struct tree_facts {
  leaf_facts at[most_leaves_by_component];
  int leaves;
  index_t directions;
  int pieces;
  bool has_long_axes;
};
template <class X>
constexpr void add_facts(tree_facts& all) {
  if constexpr (Arithmetic<X> || is_symbol<X>) {
    using E = typename operand_extents<X>::type;
    int const axis = axis_of_pieces<E>();
    short_axes const s = short_axes_of<E>();
    int const pieces = axis < 0 ? 1 : int(E::value.extent[axis]);
    if (all.leaves < most_leaves_by_component)
      all.at[all.leaves] = {s, E::rank, all.directions, pieces, all.pieces, axis};
    ++all.leaves;
    all.directions += s.components;
    all.pieces += pieces;
    all.has_long_axes = all.has_long_axes || !s.is_all;
  } else {
    []<class... M>(std::tuple<M&...>*, [[maybe_unused]] tree_facts& a) { (add_facts<std::remove_cv_t<M>>(a), ...); }(
        static_cast<tree::members_of<X>*>(nullptr), all);
  }
}
template <class X>
constexpr tree_facts facts_of_tree() {
  tree_facts all{};
  add_facts<X>(all);
  return all;
}

// A function in the form in which it is derived by argument I: variables in place of that argument, and the results.
template <int I>
struct stable_function {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    int const begin = g.size;
    auto const arguments = with_fresh<Mode, I>(g, s...);
    auto const y = applied(f, arguments);
    leaf_ids outs;
    collect<Mode>(g, y, outs);
    make_stable<Mode>(g, begin, outs.id, outs.count);
    auto stable = y;
    int k = 0;
    replace_ids(g, stable, outs.id, k);
    return std::pair(std::get<I>(arguments), stable);
  }
};

// So many vectors, as results.
template <class T, class Mode, int N>
constexpr auto vectors_of(typename Mode::graph& g, int const* ids) {
  using vector = symbol<T, extents<dyn>, Mode>;
  return [&]<int... K>(std::integer_sequence<int, K...>) { return std::tuple(vector{{&g, ids[K]}}...); }
  (std::make_integer_sequence<int, N>{});
}
template <class T, class Mode>
constexpr ir::value<Mode> empty_piece(typename Mode::graph& g) {
  return ir::literal<Mode>(g, 0, dtype_of<T>, ir::intern(g, shape_t{1, {0}}));
}

// The derivatives by argument I, in all directions: for each of them, and each tensor of the result, its pieces as
// vectors. One that has no pieces is the first of them; what is zero for all arguments is empty.
template <int I>
struct by_components {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    int const begin = g.size;
    auto const [variables, y] = stable_function<I>::apply(f, s...);
    using X = std::remove_const_t<decltype(variables)>;
    using Y = std::remove_const_t<decltype(y)>;
    using T = element_of_tree_t<Y>;
    constexpr tree_facts by = facts_of_tree<X>(), of = facts_of_tree<Y>();
    leaf_ids outs, wrt;
    collect<Mode>(g, y, outs);
    collect<Mode>(g, variables, wrt);
    int const end = g.size;
    int pieces[by.directions * of.pieces + 1]{};
    push_components<T, Mode>(g, begin, end, wrt, by, outs, of, pieces);
    return vectors_of<T, Mode, int(by.directions) * of.pieces>(g, pieces);
  }

 private:
  template <class T, class Mode>
  static constexpr void push_components(typename Mode::graph& g, int begin, int end, leaf_ids const& wrt,
                                        tree_facts const& by, leaf_ids const& outs, tree_facts const& of, int* pieces) {
    transform::known_tensors<Mode> known(g, end);
    for (int leaf = 0; leaf < wrt.count; ++leaf)
      for (index_t c = 0; c < by.at[leaf].axes.components; ++c) {
        int seeds[max_leaves]{}, results[max_leaves]{};
        seeds[leaf] = seed<Mode>(known, {&g, wrt.id[leaf]}, by.at[leaf].axes, c);
        transform::forward_of_known<Mode>(g, begin, end, known, wrt.all(), seeds, outs.all(), results);
        for (int k = 0; k < outs.count; ++k, pieces += of.at[k - 1].pieces)
          split<T, Mode>({&g, outs.id[k]}, {&g, results[k]}, known, of.at[k], pieces);
      }
  }
  // ones in component c of x
  template <class Mode>
  static constexpr int seed(transform::known_tensors<Mode>& known, ir::value<Mode> x, short_axes const& axes,
                            index_t c) {
    if (axes.components == 1) return ir::full_like(x, 1).id;
    auto t = transform::known_tensor::uniform(1);
    shape_t part = x.shape();
    index_t starts[max_rank]{}, steps[max_rank]{};
    for (auto& step : steps) step = 1;
    for (int k = x.rank() - 1; k >= 0; --k) {
      if (!axes.has(k)) continue;
      index_t const n = part.extent[k];
      starts[k] = c % n, c /= n;
      part.extent[k] = 1;
      if (n > 1) t = t.where(k, starts[k]);
    }
    auto const ones = ir::literal<Mode>(*x.g, 1, x.type(), ir::intern(*x.g, part));
    int const id = ir::update_slice(ir::zeros_like(x), ones, starts, steps).id;
    known.set(id, t);
    return id;
  }
  // The derivative `t` of y in pieces.
  template <class T, class Mode>
  static constexpr void split(ir::value<Mode> y, ir::value<Mode> t, transform::known_tensors<Mode> const& known,
                              leaf_facts const& facts, int* pieces) {
    auto& g = *y.g;
    for (int k = 0; k < facts.pieces; ++k) pieces[k] = empty_piece<T, Mode>(g).id;
    if (!t) return;
    auto const as_piece = [&](ir::value<Mode> x) {
      auto const known_of_it = known(x.id);
      if (known_of_it.is_uniform() && known_of_it.number == 0) return 0;
      return ir::flattened(ir::cast(x, dtype_of<T>)).id;
    };
    bool const is_stacked = facts.axis >= 0 && t.is(ir::facts_of<concat_t>()) && g.attr(t.id, 0) == facts.axis &&
                            t.ins().count == facts.pieces;
    if (!is_stacked) {
      if (int const whole = as_piece(t)) pieces[0] = whole;
      return;
    }
    for (int k = 0; k < facts.pieces; ++k)
      if (int const piece = as_piece(t.operand(k))) pieces[k] = piece;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
