// Records in another context: `rc::copy(p, rc::device{0})` of a `params<>` is a `params<rc::values_in<rc::device>>`.
#pragma once

#include <ricci/autodiff/tree.hpp>
#include <ricci/tensor/contexts.hpp>

namespace ricci {

// The kind of fields that lie in the memory of a context.
template <Context C>
using values_in = typename tree::values_in_memory<storage::maker<C>::memory>::type;

namespace tree {
inline namespace RICCI_ABI {

// To types with their tensors in another memory space; numbers stay.
template <int Memory>
struct moving {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (Tensor<X>)
      return owning<Memory>::template leaf<X>();
    else {
      static_assert(
          Arithmetic<X> || Memory == memory_of<X>,
          "copy: a plain aggregate of tensors cannot hold those of another memory space: make it a record of fields");
      return std::type_identity<X>{};
    }
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<typename kind<Kind>::template outside<Memory>>{};
  }
};

}  // namespace RICCI_ABI
}  // namespace tree

// A copy of all tensors of a record, tuple or aggregate in a context; context_error where there is no such context.
template <class X, Context C>
requires(!Tensor<X> && (std::is_aggregate_v<X> || tree::is_tuple<X>)) auto copy(X const& x, C const& context) {
  tree::mapped_t<tree::moving<storage::maker<C>::memory>, X> y{};
  tree::for_each_leaf(
      [&](auto& to, auto const& from) {
        if constexpr (Arithmetic<std::remove_cvref_t<decltype(from)>>)
          to = from;
        else
          to = copy(from, context);
      },
      y, x);
  return y;
}

}  // namespace ricci
