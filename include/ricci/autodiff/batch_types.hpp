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
  static constexpr int axis = axis_from_start(Axis, E::rank + 1);
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
  static constexpr int axis = axis_from_start(Axis, E::rank);
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

namespace tracing {
inline namespace RICCI_ABI {

template <class E, int Axis>
struct an_axis_to_batch_over {
  static constexpr int axis = axis_from_start(Axis, E::rank);
  static_assert(axis >= 0 && axis < E::rank,
                "vmap: an argument has no such axis (extents and axis: see the type above); one that is the same for "
                "all elements is named "
                "rc::unbatched in rc::in_axes, and numbers are so of themselves");
};
template <index_t A, index_t B>
struct one_batch {
  static_assert(A == B, "vmap: two arguments have different numbers of elements (see the type above)");
};

// The kind of a record of elements, from that of a batch of them, and back.
template <class Kind, int Axis>
struct kind_of_element {
  using type = tree::element<Kind, Axis>;
};
template <class Kind, index_t N, int Axis>
struct kind_of_element<batched<Kind, N, Axis>, Axis> {
  using type = Kind;
};
template <class Kind, index_t N, int Axis>
struct kind_of_batch {
  using type = batched<Kind, N, Axis>;
};
template <class Kind, index_t N, int Axis>
struct kind_of_batch<tree::element<Kind, Axis>, N, Axis> {
  using type = Kind;
};

// From an argument to what f sees of it.
template <int Axis>
struct element_at {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (is_symbol<X> && !is_weak<X>) {
      using E = typename X::extents;
      return std::type_identity<
          symbol<typename X::value_type, extents_of_shape<shapes::without_axis<E, Axis>>, typename X::mode>>{};
    } else {
      return std::type_identity<X>{};
    }
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<typename kind_of_element<Kind, Axis>::type>{};
  }
};

template <>
struct element_at<unbatched> : tree::parts_as_values {};

// The same of a tensor that is no symbol.
template <int Axis>
struct constant_element_at {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (Axis != unbatched && Tensor<X>) {
      using E = extents_of<X>;
      constexpr int axis = an_axis_to_batch_over<E, Axis>::axis;
      using in = storage::tensors_in<expr::host_memory>;
      return std::type_identity<
          typename in::template type<value_type_of<X>, extents_of_shape<shapes::without_axis<E, axis>>>>{};
    } else {
      return std::type_identity<X>{};
    }
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<Kind>{};
  }
};

// Of two members of a tree: the number that is known.
template <index_t A, index_t B>
constexpr index_t common_count() {
  if constexpr (A == unbatched)
    return B;
  else if constexpr (B == unbatched || B < 0)
    return A;
  else if constexpr (A < 0)
    return B;
  else
    return (void)sizeof(one_batch<A, B>), A;
}
template <index_t... N>
struct common_count_of {
  static constexpr index_t value = unbatched;
};
template <index_t A, index_t... Rest>
struct common_count_of<A, Rest...> {
  static constexpr index_t value = common_count<A, common_count_of<Rest...>::value>();
};
// How many elements an argument has: a number, `dyn`, or `unbatched` where it is the same for all or holds nothing but
// numbers.
template <class X, int Axis>
constexpr index_t count_of_batch() {
  if constexpr (Axis == unbatched)
    return unbatched;
  else if constexpr (is_symbol<X> && !is_weak<X>)
    return X::extents::extent(an_axis_to_batch_over<typename X::extents, Axis>::axis);
  else if constexpr (tree::Leaf<X>)
    return unbatched;
  else
    return []<class... M>(std::tuple<M&...>*) {
      return common_count_of<count_of_batch<std::remove_cv_t<M>, Axis>()...>::value;
    }(static_cast<tree::members_of<X>*>(nullptr));
}

// From a result of f to all of them.
template <class Mode, index_t N, int Axis>
struct batch_at {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (Tensor<X>) {  // a symbol, or a constant that is the same for all
      using E = extents_of<X>;
      static_assert(axis_from_start(Axis, E::rank + 1) >= 0,
                    "vmap: a result cannot have the batch at the axis that rc::out_axes names");
      return std::type_identity<symbol<value_type_of<X>, extents_of_shape<shapes::with_axis<E, Axis, N>>, Mode>>{};
    } else if constexpr (std::is_same_v<X, no_result>) {
      return std::type_identity<X>{};
    } else {
      static_assert(
          Arithmetic<X>,
          "vmap: the function returns tensors, numbers, records of fields, or tuples, pairs and arrays of such");
      return std::type_identity<symbol<element_t<X>, extents<N>, Mode>>{};
    }
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<typename kind_of_batch<Kind, N, Axis>::type>{};
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
