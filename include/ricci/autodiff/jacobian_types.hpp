// Types of jacobians of and by trees. As in JAX they are trees of trees: the structure of the result, with a tree like
// the argument in the place of every tensor, whose tensors have the result's extents followed by the argument's.
// Records keep their fields' names: of `params<>` by `params<>`, as rc::hessian gives it, `h.w.b` is the derivative of
// w's part by b.
#pragma once

#include <ricci/autodiff/batch_types.hpp>

namespace ricci {

namespace shapes {

template <class A, class B>
struct joined_extents {
  static constexpr shape_t value = [] {
    shape_t s = A::value;
    for (int k = 0; k < B::rank; ++k) s.push(B::extent(k));
    return s;
  }();
};

}  // namespace shapes

// Fields with the extents of a result before their own: derivatives of that result by a record.
template <class Kind, index_t... Result>
struct derivatives_by {
  template <class T, index_t... E>
  using of = typename shapes::field_of<typename tree::kind<Kind>::leaves, T,
                                       extents_of_shape<shapes::joined_extents<
                                           extents<Result...>, extents_of<typename Kind::template of<T, E...>>>>>::type;
};

namespace tracing {
inline namespace RICCI_ABI {

template <class Kind, class E>
struct derivatives_by_extents;
template <class Kind, index_t... E>
struct derivatives_by_extents<Kind, extents<E...>> {
  using type = derivatives_by<Kind, E...>;
};

// From an argument to the derivatives of a result of extents R by it. V: their element type, void where it is the
// argument's.
template <class R, class V>
struct by_argument {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (tree::Leaf<X>) {
      using T = std::conditional_t<std::is_void_v<V>, typename X::value_type, V>;
      using E = extents_of_shape<shapes::joined_extents<R, typename operand_extents<X>::type>>;
      if constexpr (is_symbol<X>)
        return std::type_identity<symbol<T, E, typename X::mode>>{};
      else
        return tree::owning<storage::memory_of<X>()>::template leaf<symbol<T, E>>();
    } else {
      return std::type_identity<X>{};
    }
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<typename derivatives_by_extents<Kind, R>::type>{};
  }
};
template <class R, class V, class X>
using derivatives_t = tree::mapped_t<by_argument<R, V>, X>;

}  // namespace RICCI_ABI
}  // namespace tracing

// Fields with derivatives by X in the place of each tensor.
template <class Kind, class X>
struct derivatives_of {
  template <class T, index_t... E>
  using of = tracing::derivatives_t<extents_of<typename Kind::template of<T, E...>>, void, X>;
};

namespace tree {

template <class Kind, index_t... R>
struct kind<derivatives_by<Kind, R...>> : kind<Kind> {
  template <int Memory>
  using outside = derivatives_by<typename kind<Kind>::template outside<Memory>, R...>;
  template <class Mode>
  using traced = derivatives_by<typename kind<Kind>::template traced<Mode>, R...>;
};
template <class Kind, class X>
struct kind<derivatives_of<Kind, X>> : kind<Kind> {
  template <int Memory>
  using outside = derivatives_of<typename kind<Kind>::template outside<Memory>, owned_t<X, Memory>>;
  template <class Mode>
  using traced = derivatives_of<typename kind<Kind>::template traced<Mode>, symbolic_t<Mode, X>>;
};

}  // namespace tree

namespace tracing {
inline namespace RICCI_ABI {

// From a result to its derivatives by an argument X.
template <class X, bool OfResult>
struct of_result {
  template <class Y>
  static constexpr auto leaf() {
    if constexpr (is_symbol<Y>)
      return std::type_identity<derivatives_t<typename operand_extents<Y>::type,
                                              std::conditional_t<OfResult, typename Y::value_type, void>, X>>{};
    else if constexpr (Arithmetic<Y>)
      return std::type_identity<derivatives_t<extents<>, void, X>>{};
    else
      return std::type_identity<Y>{};
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<derivatives_of<Kind, X>>{};
  }
};
// The tree of derivatives of Y by X; element types are those of Y where OfResult, else, and in records, those of X.
template <class Y, class X, bool OfResult>
using jacobian_t = tree::mapped_t<of_result<X, OfResult>, Y>;

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
