// A tree of tensors as one vector: what solves equations computes with one, whatever the unknown or state is; one
// tensor stays as it is. Leaves lie behind one another, each in row-major order, as in jax.flatten_util.ravel_pytree.
//
//   raveled<S> const all{tree};      // of symbols, whose shapes it keeps
//   auto const v = all.vector(tree);
//   auto const same = all.tree(v);
#pragma once

#include <ricci/autodiff/batch_types.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/movement.hpp>
#include <ricci/ops/told.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// ---- of values ----

// vectors behind one another, any number of them
template <class V>
constexpr V joined_vectors(V const* parts, int count) {
  if (count == 1) return parts[0];
  auto& g = *parts[0].g;
  V pieces[ir::max_operands]{};
  int const n = count < ir::max_operands ? count : ir::max_operands;
  index_t size = 0;
  for (int p = 0; p < n; ++p) {
    int const first = int(index_t(count) * p / n), last = int(index_t(count) * (p + 1) / n);
    pieces[p] = joined_vectors(parts + first, last - first);
    size = ir::plus(g, size, pieces[p].shape().extent[0]);
  }
  return concat_t::joined(pieces, n, 0, ir::intern(g, shape_t{1, {size}}));
}

// ---- of symbols ----

// how many elements a tree of tensors, symbols and numbers has, dyn where its types do not say it
template <class X>
constexpr index_t elements_in() {
  if constexpr (Tensor<X>) {
    index_t n = 1;
    for (int k = 0; k < rank_of<X>; ++k) {
      if (extents_of<X>::extent(k) < 0) return dyn;
      n *= extents_of<X>::extent(k);
    }
    return n;
  } else if constexpr (tree::Leaf<X>) {
    return 1;
  } else {
    return []<class... M>(std::tuple<M&...>*) {
      index_t const all[] = {elements_in<std::remove_cv_t<M>>()..., 0};
      index_t n = 0;
      for (index_t const one : all) n = one < 0 || n < 0 ? dyn : n + one;
      return n;
    }(static_cast<tree::members_of<X>*>(nullptr));
  }
}
// the element types of the leaves of a tree of tensors, symbols and numbers, in order
template <class X>
constexpr auto element_types_in() {
  if constexpr (Tensor<X>)
    return std::type_identity<std::tuple<value_type_of<X>>>{};
  else if constexpr (tree::Leaf<X>)
    return std::type_identity<std::tuple<element_t<X>>>{};
  else
    return []<class... M>(std::tuple<M&...>*) {
      return std::type_identity<decltype(std::tuple_cat(
          std::declval<typename decltype(element_types_in<std::remove_cv_t<M>>())::type>()...))>{};
    }(static_cast<tree::members_of<X>*>(nullptr));
}
// the one that all leaves have; void where there is no leaf, or they have several
template <class All>
struct common_element_type {
  using type = void;
};
template <class T, class... Rest>
requires(std::is_same_v<T, Rest>&&...) struct common_element_type<std::tuple<T, Rest...>> {
  using type = T;
};
template <class X>
using element_type_in_t = typename common_element_type<typename decltype(element_types_in<X>())::type>::type;

template <class S>
struct raveled {
  using Mode = mode_t<S>;
  using V = ir::value<Mode>;
  using vector_type =
      std::conditional_t<is_symbol<S>, S, symbol<element_type_in_t<S>, extents<elements_in<S>()>, Mode>>;
  S like;

  constexpr vector_type vector(S const& x) const {
    if constexpr (is_symbol<S>) {
      return x;
    } else {
      constexpr int n = tree::count_leaves<S>();
      V parts[n]{};
      int k = 0;
      tree::for_each_leaf([&](auto const& leaf) { parts[k++] = ir::flattened(leaf.v); }, x);
      return vector_type{joined_vectors(parts, n)};
    }
  }
  constexpr S tree(vector_type const& x) const {
    if constexpr (is_symbol<S>) {
      return x;
    } else {
      S all = like;
      index_t at = 0;
      tree::for_each_leaf(
          [&](auto& leaf) {
            index_t const n = ir::element_count(leaf.v);
            leaf.v = ir::reshape(ir::stretch(x.v, 0, at, n), leaf.v.shape_id());
            at = ir::plus(*x.v.g, at, n);
          },
          all);
      return all;
    }
  }
  // of several vectors, along a first axis; N: how many the type says there are
  template <index_t N>
  constexpr auto trees(V rows) const {
    tree::mapped_t<batch_at<Mode, N, 0>, S> all{};
    if constexpr (is_symbol<S>) {
      all.v = rows;
    } else {
      auto& g = *rows.g;
      index_t at = 0;
      tree::for_each_leaf(
          [&](auto& to, auto const& leaf) {
            index_t const n = ir::element_count(leaf.v);
            shape_t s{1, {rows.shape().extent[0]}};
            for (int k = 0; k < leaf.v.rank(); ++k) s.push(leaf.v.shape().extent[k]);
            to.v = ir::reshape(ir::stretch(rows, 1, at, n), ir::intern(g, s));
            at = ir::plus(g, at, n);
          },
          all, like);
    }
    return all;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
