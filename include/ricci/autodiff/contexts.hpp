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

// X with its tensors in another memory space.
template <class X, int Memory>
struct moved {
  static_assert(Memory == memory_of<X>, "copy: a plain aggregate of tensors cannot hold those of another memory space: make it a record of fields");
  using type = X;
};
template <Tensor X, int Memory>
struct moved<X, Memory> : owned<X, Memory> {};
template <Arithmetic X, int Memory>
struct moved<X, Memory> {
  using type = X;
};
template <template <class> class Record, class Kind, int Memory>
  requires OutsideKind<Kind>
struct moved<Record<Kind>, Memory> {
  using type = Record<typename kind<Kind>::template outside<Memory>>;
};
template <class... X, int Memory>
struct moved<std::tuple<X...>, Memory> {
  using type = std::tuple<typename moved<std::remove_cvref_t<X>, Memory>::type...>;
};
template <class A, class B, int Memory>
struct moved<std::pair<A, B>, Memory> {
  using type = std::pair<typename moved<std::remove_cvref_t<A>, Memory>::type, typename moved<std::remove_cvref_t<B>, Memory>::type>;
};
template <class X, std::size_t N, int Memory>
struct moved<std::array<X, N>, Memory> {
  using type = std::array<typename moved<X, Memory>::type, N>;
};

}  // namespace RICCI_ABI
}  // namespace tree

// A copy of all tensors of a record, tuple or aggregate in a context.
template <class X, Context C>
  requires(!Tensor<X> && (std::is_aggregate_v<X> || tree::is_tuple<X>))
auto copy(X const& x, C const& context) {
  typename tree::moved<X, storage::maker<C>::memory>::type y{};
  tree::for_each_leaf(
      [&](auto& to, auto const& from) {
        if constexpr (Arithmetic<std::remove_cvref_t<decltype(from)>>) to = from;
        else to = copy(from, context);
      },
      y, x);
  return y;
}

}  // namespace ricci
