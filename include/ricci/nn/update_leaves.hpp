// What optimisers do with the tensors of a model while a step is traced: `tree_map` of a function that returns nothing,
// as `update_leaves(f, g, s)`. That would compile the function for each shape of a parameter and go through the records
// by templates of its own for each function. Here symbols are taken out of the records into an array, the function is
// compiled once for each element type and order, on symbols of extents that their types do not say (the graph knows
// them), and what it did is written back.
#pragma once

#include <tuple>
#include <type_traits>

#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/tree_map.hpp>
#include <ricci/nn/half.hpp>

namespace ricci::nn {

namespace leaves {

// How a leaf is handed on: `order` is -1 where it is no symbol of known extents.
struct kind {
  dtype type = dtype::none;
  int order = -1;
  constexpr bool operator==(kind const& o) const { return type == o.type && order == o.order; }
};
template <class X>
constexpr kind kind_of() {
  if constexpr (is_symbol<X>) {
    if constexpr (X::extents::is_static && !is_complex(dtype_of<typename X::value_type>) && !is_weak<X>)
      return {dtype_of<typename X::value_type>, X::rank};
  }
  return {};
}
template <class X>
constexpr void list_kinds(kind* to, int& n) {
  if constexpr (tree::Leaf<X>)
    to[n++] = kind_of<X>();
  else
    []<class... M>(std::tuple<M&...>*, [[maybe_unused]] kind* first, [[maybe_unused]] int& k) {
      (list_kinds<std::remove_cv_t<M>>(first, k), ...);
    }(static_cast<tree::members_of<X>*>(nullptr), to, n);
}

template <class Mode>
struct entry {
  ir::value<Mode> v;
  double number;  // in every place, where v has no graph
  dtype type;
  shape_t const* shape;
};
template <class Mode>
struct reader {
  entry<Mode>* to;
  template <class L>
  constexpr void operator()(L const& leaf) {
    entry<Mode> e{leaf.v, 0, dtype_of<typename L::value_type>, &L::extents::value};
    if (leaf.v.g == nullptr) e.number = scalar::convert<double>(leaf.number);
    *to++ = e;
  }
};
template <class Mode>
struct writer {
  entry<Mode> const* from;
  template <class L>
  constexpr void operator()(L& leaf) {
    leaf.v = from++->v;
  }
};
// A number by default as a value of a graph.
template <class Mode>
constexpr void enter_numbers(entry<Mode>* all, int n, typename Mode::graph* g) {
  for (int i = 0; i < n; ++i)
    if (all[i].v.g != nullptr) g = all[i].v.g;
  for (int i = 0; i < n; ++i)
    if (entry<Mode>& e = all[i]; e.v.g == nullptr && g != nullptr) {
      auto const number = is_integer(e.type) ? ir::integer_literal<Mode>(*g, static_cast<index_t>(e.number), e.type, 0)
                                             : ir::literal<Mode>(*g, e.number, e.type, 0);
      e.v = ir::broadcast_to(number, ir::intern(*g, *e.shape));
    }
}

// The rows of leaves in the same place of trees, and of which kinds they are: row i is like row first[class_of[i]].
template <class... X>
struct rows {
  static constexpr int trees = sizeof...(X), size = std::get<0>(std::tuple(tree::count_leaves<X>()...));
  struct table {
    kind kinds[trees][size > 0 ? size : 1];
    int class_of[size > 0 ? size : 1]{}, first[size > 0 ? size : 1]{}, classes = 0;
    bool good = size > 0;
  };
  static constexpr table made() {
    table t;
    int k = 0, n = 0;
    ((n = 0, list_kinds<X>(t.kinds[k++], n)), ...);
    for (int i = 0; i < size; ++i) {
      int c = 0;
      auto const like = [&](int j) {
        for (int x = 0; x < trees; ++x)
          if (!(t.kinds[x][i] == t.kinds[x][j])) return false;
        return true;
      };
      while (c < t.classes && !like(t.first[c])) ++c;
      if (c == t.classes) t.first[t.classes++] = i;
      t.class_of[i] = c;
      for (int x = 0; x < trees; ++x) t.good = t.good && t.kinds[x][i].order >= 0;
    }
    return t;
  }
  static constexpr table value = made();
};

template <class Mode, dtype D, int... K>
symbol<type_of<D>, extents<(static_cast<void>(K), dyn)...>, Mode> symbol_of(std::integer_sequence<int, K...>);
template <class Mode, class Rows, int Tree, int Class>
using symbol_in = decltype(symbol_of<Mode, Rows::value.kinds[Tree][Rows::value.first[Class]].type>(
    std::make_integer_sequence<int, Rows::value.kinds[Tree][Rows::value.first[Class]].order>{}));

template <class Rows, int Class, class Mode, class F, int... Tree>
constexpr void change_row(F const& f, entry<Mode> (*all)[Rows::size], int i, std::integer_sequence<int, Tree...>) {
  std::tuple<symbol_in<Mode, Rows, Tree, Class>...> x{symbol_in<Mode, Rows, Tree, Class>(all[Tree][i].v)...};
  f(std::get<std::size_t(Tree)>(x)...);
  ((all[Tree][i].v = ir::with_extents(std::get<std::size_t(Tree)>(x).v, *all[Tree][i].shape, ir::value<Mode>{})), ...);
}
template <class Rows, class Mode, class F, int... Class>
constexpr void change_rows(F const& f, entry<Mode> (*all)[Rows::size], std::integer_sequence<int, Class...>) {
  for (int i = 0; i < Rows::size; ++i) {
    int const own = Rows::value.class_of[i];
    (void(own == Class && (change_row<Rows, Class>(f, all, i, std::make_integer_sequence<int, Rows::trees>{}), true)),
     ...);
  }
}

template <class Mode, class X>
constexpr void write_back(entry<Mode> const* from, X& x) {
  if constexpr (!std::is_const_v<X>) tree::for_each_leaf(writer<Mode>{from}, x);
}

}  // namespace leaves

// f(a, b, ...), which returns nothing, on the tensors in the same place of several trees of one structure: it gives
// those of trees that are no constants other values of the same element type and shape.
template <class F, class... X>
constexpr void update_leaves(F const& f, X&... trees) {
  using rows = leaves::rows<std::remove_cv_t<X>...>;
  if constexpr (!(tree::same_trees<std::remove_cv_t<std::tuple_element_t<0, std::tuple<X...>>>,
                                   std::remove_cv_t<X>>::hold &&
                  ...)) {
    // a compile error of same_trees
  } else if constexpr (!rows::value.good) {
    tree_map(f, trees...);
  } else {
    using Mode = tracing::mode_t<X...>;
    leaves::entry<Mode> all[rows::trees][rows::size]{};
    int k = 0;
    (tree::for_each_leaf(leaves::reader<Mode>{all[k++]}, trees), ...);
    for (auto& tree_entries : all) leaves::enter_numbers(tree_entries, rows::size, all[0][0].v.g);
    leaves::change_rows<rows, Mode>(f, all, std::make_integer_sequence<int, rows::value.classes>{});
    k = 0;
    (leaves::write_back<Mode>(all[k++], trees), ...);
  }
}

// The sum of the squares of all elements of a tree: `tree_vdot(x, x)`, but in float of elements of half precision.
template <class X>
constexpr auto sum_of_squares(X const& x) {
  using rows = leaves::rows<X>;
  constexpr bool is_of_one_kind = [] {
    for (leaves::kind const& k : rows::value.kinds[0])
      if (k.order < 0 || k.type != rows::value.kinds[0][0].type) return false;
    return rows::size > 0;
  }();
  if constexpr (!is_of_one_kind) {
    auto const wide = tree_map([](auto const& leaf) { return eval(in_float(leaf)); }, x);
    return tree_vdot(wide, wide);
  } else {
    symbol<type_of<arithmetic_type(rows::value.kinds[0][0].type)>, extents<>, tracing::mode_t<X>> all;
    bool is_first = true;
    update_leaves(
        [&](auto const& leaf) {
          auto const squares = vdot(in_float(leaf), in_float(leaf));
          all = is_first ? squares : all + squares;
          is_first = false;
        },
        x);
    return all;
  }
}

}  // namespace ricci::nn
