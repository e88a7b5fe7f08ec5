// Kinds of fields, which say what a record holds: tensors, symbols, either with another axis or without one of theirs.
#pragma once

#include <ricci/autodiff/members.hpp>
#include <ricci/tensor/tensor.hpp>

namespace ricci {

struct values {
  template <class T, index_t... E>
  using of = tensor<T, E...>;
};
template <class Mode>
struct symbols {
  template <class T, index_t... E>
  using of = symbol<T, extents<E...>, Mode>;
};
template <class Kind, class T, index_t... E>
using field = typename Kind::template of<T, E...>;

// Fields with one more axis, of extent N: `params<rc::batched<rc::values, 8>>` are the parameters of eight models, and
// what vmap gives for records.
template <class Kind, index_t N, int Axis = 0>
struct batched;

namespace tree {

// Fields without one of their axes: what vmap makes of records for the function.
template <class Kind, int Axis>
struct element;

template <class Kind>
struct kind {
  static constexpr bool is_kind = false;
};
// the kind of owning tensors in a memory space; that of the device context is specialised in autodiff/device_values.hpp
template <int Memory>
struct values_in_memory {
  using type = values;
};
template <>
struct kind<values> {
  static constexpr bool is_kind = true, symbolic = false;
  using leaves = values;  // what fields are, without further axes
  template <int Memory>
  using outside = typename values_in_memory<Memory>::type;
  template <class Mode>
  using traced = symbols<Mode>;
};
template <class M>
struct kind<symbols<M>> {
  static constexpr bool is_kind = true, symbolic = true;
  using leaves = symbols<M>;
  template <int Memory>
  using outside = typename values_in_memory<Memory>::type;
  template <class Mode>
  using traced = symbols<Mode>;
};
template <class Kind, index_t N, int Axis>
struct kind<batched<Kind, N, Axis>> : kind<Kind> {
  template <int Memory>
  using outside = batched<typename kind<Kind>::template outside<Memory>, N, Axis>;
  template <class Mode>
  using traced = batched<typename kind<Kind>::template traced<Mode>, N, Axis>;
};
template <class Kind, int Axis>
struct kind<element<Kind, Axis>> : kind<Kind> {
  template <int Memory>
  using outside = element<typename kind<Kind>::template outside<Memory>, Axis>;
  template <class Mode>
  using traced = element<typename kind<Kind>::template traced<Mode>, Axis>;
};
template <class Kind>
concept OutsideKind = kind<Kind>::is_kind && !kind<Kind>::symbolic;
template <class Kind>
concept TracedKind = kind<Kind>::is_kind && kind<Kind>::symbolic;

template <template <class> class Record, class Kind>
requires(kind<Kind>::is_kind) struct counted_as<Record<Kind>> {
  using type = Record<values>;
};

}  // namespace tree

}  // namespace ricci
