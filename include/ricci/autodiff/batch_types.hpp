// Types of vmap: of an argument, what the function sees of it; of a result, that of all elements together.
#pragma once

#include <climits>

#include <ricci/autodiff/trace.hpp>

namespace ricci {

// In place of an axis: the argument is the same for all elements.
inline constexpr int unbatched = INT_MIN;

namespace shapes {

template <class E, int Axis, index_t N>
struct with_axis {
  static constexpr int axis = Axis < 0 ? Axis + E::rank + 1 : Axis;
  static constexpr shape_t value = [] {
    shape_t s{};
    for (int k = 0; k <= E::rank; ++k) {
      if (k == axis) s.push(N);
      if (k < E::rank) s.push(E::extent(k));
    }
    return s;
  }();
};
template <class E, int Axis>
struct without_axis {
  static constexpr int axis = Axis < 0 ? Axis + E::rank : Axis;
  static constexpr shape_t value = [] {
    shape_t s{};
    for (int k = 0; k < E::rank; ++k)
      if (k != axis) s.push(E::extent(k));
    return s;
  }();
};
template <class Kind, class T, class E>
struct field_of;
template <class Kind, class T, index_t... E>
struct field_of<Kind, T, extents<E...>> {
  using type = typename Kind::template of<T, E...>;
};

}  // namespace shapes

template <class Kind, index_t N, int Axis>
struct batched {
  template <class T, index_t... E>
  using of = typename shapes::field_of<Kind, T, extents_of_shape<shapes::with_axis<extents<E...>, Axis, N>>>::type;
};
template <class Kind, int Axis>
struct tree::element {
  template <class T, index_t... E>
  using of = typename shapes::field_of<Kind, T, extents_of_shape<shapes::without_axis<extents<E...>, Axis>>>::type;
};

namespace trace {
inline namespace RICCI_ABI {

// Stands for one element of a batch while the function is recorded; nothing that is computed in the end is made of it.
struct batch_element_t {
  static constexpr auto name = "vmap";
  static constexpr ir::op_kind kind = ir::op_kind::alias;
  static constexpr std::uint8_t cost = 0;
  static constexpr bool commutative = false;
};

template <class E, int Axis>
struct an_axis_to_batch_over {
  static constexpr int axis = Axis < 0 ? Axis + E::rank : Axis;
  static_assert(axis >= 0 && axis < E::rank,
                "vmap: an argument has no such axis (extents and axis: see the type above); one that is the same for all elements is named "
                "rc::unbatched in rc::in_axes, and numbers are so of themselves");
};
template <index_t A, index_t B>
struct one_batch {
  static_assert(A == B, "vmap: two arguments have different numbers of elements (see the type above)");
};

// An argument, and what f sees of it.
template <class X, int Axis>
struct element_of_batch;
template <class T, class E, class Mode, int Axis>
struct element_of_batch<symbol<T, E, Mode>, Axis> : an_axis_to_batch_over<E, Axis> {
  using type = symbol<T, extents_of_shape<shapes::without_axis<E, Axis>>, Mode>;
  static constexpr index_t count = E::extent(an_axis_to_batch_over<E, Axis>::axis);
};
template <class T, class Mode, int Axis>
struct element_of_batch<symbol<T, weak_extents, Mode>, Axis> {
  using type = symbol<T, weak_extents, Mode>;
  static constexpr index_t count = unbatched;
};
// of two members of a tree: the number that is known
template <index_t A, index_t B>
constexpr index_t common_count() {
  if constexpr (A == unbatched) return B;
  else if constexpr (B == unbatched || B < 0) return A;
  else if constexpr (A < 0) return B;
  else return (void)sizeof(one_batch<A, B>), A;
}
template <index_t... N>
struct common_count_of {
  static constexpr index_t value = unbatched;
};
template <index_t A, index_t... Rest>
struct common_count_of<A, Rest...> {
  static constexpr index_t value = common_count<A, common_count_of<Rest...>::value>();
};
template <class... X, int Axis>
struct element_of_batch<std::tuple<X...>, Axis> {
  using type = std::tuple<typename element_of_batch<X, Axis>::type...>;
  static constexpr index_t count = common_count_of<element_of_batch<X, Axis>::count...>::value;
};
template <class A, class B, int Axis>
struct element_of_batch<std::pair<A, B>, Axis> {
  using type = std::pair<typename element_of_batch<A, Axis>::type, typename element_of_batch<B, Axis>::type>;
  static constexpr index_t count = common_count<element_of_batch<A, Axis>::count, element_of_batch<B, Axis>::count>();
};
template <class X, std::size_t N, int Axis>
struct element_of_batch<std::array<X, N>, Axis> {
  using type = std::array<typename element_of_batch<X, Axis>::type, N>;
  static constexpr index_t count = element_of_batch<X, Axis>::count;
};
template <class Kind, int Axis>
struct element_kind {
  using type = tree::element<Kind, Axis>;
};
template <class Kind, index_t N, int Axis>
struct element_kind<batched<Kind, N, Axis>, Axis> {
  using type = Kind;
};
template <class Tuple, int Axis>
struct count_of_members;
template <class... M, int Axis>
struct count_of_members<std::tuple<M&...>, Axis> {
  static constexpr index_t count = common_count_of<element_of_batch<std::remove_cv_t<M>, Axis>::count...>::value;
};
template <template <class> class Record, class Kind, int Axis>
  requires tree::TracedKind<Kind>
struct element_of_batch<Record<Kind>, Axis> : count_of_members<decltype(tree::members(std::declval<Record<Kind>&>())), Axis> {
  using type = Record<typename element_kind<Kind, Axis>::type>;
};

// A result of f, and all of them.
template <class Mode, class X, index_t N, int Axis>
struct batch_of {
  static_assert(always_false<X>, "vmap: the function returns tensors, numbers, records of fields, or tuples, pairs and arrays of such");
};
template <class Mode, class T, class E, index_t N, int Axis>
struct batch_of<Mode, symbol<T, E, Mode>, N, Axis> {
  static_assert((Axis < 0 ? Axis + E::rank + 1 : Axis) >= 0 && Axis <= E::rank, "vmap: a result cannot have the batch at the axis that rc::out_axes names");
  using type = symbol<T, extents_of_shape<shapes::with_axis<E, Axis, N>>, Mode>;
};
template <class Mode, Arithmetic X, index_t N, int Axis>
struct batch_of<Mode, X, N, Axis> {
  using type = symbol<element_t<X>, extents<N>, Mode>;
};
template <class Mode, class... X, index_t N, int Axis>
struct batch_of<Mode, std::tuple<X...>, N, Axis> {
  using type = std::tuple<typename batch_of<Mode, X, N, Axis>::type...>;
};
template <class Mode, class A, class B, index_t N, int Axis>
struct batch_of<Mode, std::pair<A, B>, N, Axis> {
  using type = std::pair<typename batch_of<Mode, A, N, Axis>::type, typename batch_of<Mode, B, N, Axis>::type>;
};
template <class Mode, class X, std::size_t Size, index_t N, int Axis>
struct batch_of<Mode, std::array<X, Size>, N, Axis> {
  using type = std::array<typename batch_of<Mode, X, N, Axis>::type, Size>;
};
template <class Kind, index_t N, int Axis>
struct batch_kind {
  using type = batched<Kind, N, Axis>;
};
template <class Kind, index_t N, int Axis>
struct batch_kind<tree::element<Kind, Axis>, N, Axis> {
  using type = Kind;
};
template <class Mode, template <class> class Record, class Kind, index_t N, int Axis>
  requires tree::TracedKind<Kind>
struct batch_of<Mode, Record<Kind>, N, Axis> {
  using type = Record<typename batch_kind<Kind, N, Axis>::type>;
};

}  // namespace RICCI_ABI
}  // namespace trace

}  // namespace ricci
