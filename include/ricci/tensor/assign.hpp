// From expressions to memory: construction and assignment of tensors and views, `rc::eval`, and single elements.
#pragma once

#include <ricci/tensor/tensor.hpp>

namespace ricci {

// ---- how tensors are held by expressions: by reference where they lie in place, else by a share of their memory ----

template <class T, index_t... E>
RICCI_INLINE constexpr auto held(tensor<T, E...> const& x RICCI_LIFETIMEBOUND) {
  using X = tensor<T, E...>;
  return view<T const, extents<E...>, layout::row_major, X::shared>(x.data(), x.extent_values(), x.owner(), x.threads());
}
template <class T, index_t... E>
RICCI_INLINE constexpr auto held(tensor<T, E...>&& x) {
  if constexpr (tensor<T, E...>::shared) return held(static_cast<tensor<T, E...> const&>(x));
  else return static_cast<tensor<T, E...>&&>(x);
}

namespace expr {
template <class T, index_t... E>
struct reified<tensor<T, E...>> : reified<view<T const, extents<E...>, layout::row_major, false>> {};
template <class B, class T, index_t... E>
RICCI_INLINE constexpr void bind(B& b, tensor<T, E...> const& x) {
  b.operands[b.argument_count++] = {reinterpret_cast<char*>(const_cast<T*>(x.data())), x.extent_values().data(), nullptr};
}
}  // namespace expr

namespace storage {

// The place of a new tensor, and of the new elements of one that exists.
template <class X>
struct into_new {
  X& t;
  int least_threads = 1;
  static constexpr operand_ref target() { return {}; }
  RICCI_INLINE int threads() const { return least_threads; }
  template <class MayWrite>
  RICCI_INLINE bool place(operand_ref& out, index_t const* e, MayWrite const&) {
    if constexpr (X::shared) {
      t.set_extents(e, t.threads());
      t.adopt(core::shared_buffer(bytes(e)), e);
    }
    out = {reinterpret_cast<char*>(t.data()), t.extent_values().data(), nullptr};
    return true;
  }
  RICCI_INLINE static index_t bytes(index_t const* e) {
    index_t n = sizeof(typename X::value_type);
    for (int k = 0; k < X::rank; ++k) n *= e[k];
    return n;
  }
};
template <class X>
struct into_existing {
  X& t;
  core::shared_buffer fresh{};
  index_t const* fresh_extents = nullptr;
  bool replaced = false;
  operand_ref target() const { return {reinterpret_cast<char*>(t.data()), t.extent_values().data(), nullptr}; }
  RICCI_INLINE int threads() const { return t.threads(); }
  template <class MayWrite>
  RICCI_INLINE bool place(operand_ref& out, index_t const* e, MayWrite const& may_write) {
    bool same = true;
    for (int k = 0; k < X::rank; ++k) same = same && t.extent_values()[k] == e[k];
    out = {reinterpret_cast<char*>(t.data()), t.extent_values().data(), nullptr};
    return same && may_write(out);
  }
};
// The elements of a view. Apart: it is known that no operand lies there.
template <class V, bool Apart = false>
struct into_view {
  V const& v;
  operand_ref target() const {
    return {reinterpret_cast<char*>(v.data()), v.extent_values().data(), v.stride_data()};
  }
  RICCI_INLINE int threads() const { return v.threads(); }
  template <class MayWrite>
  RICCI_INLINE bool place(operand_ref& out, index_t const*, MayWrite const& may_write) {
    out = target();
    return Apart || may_write(out);
  }
};

template <class X>
RICCI_INLINE constexpr decltype(auto) operand_for(X const& x, auto type) {
  using T = typename decltype(type)::type;
  if constexpr (std::is_arithmetic_v<X>) return number_leaf<T>{static_cast<T>(x)};
  else if constexpr (is_expression<X>) return (x);
  else return held(x);
}

}  // namespace storage

// ---- construction, assignment ----

template <class T, index_t... E, class X>
RICCI_INLINE constexpr void construct(tensor<T, E...>& t, X const& x) {
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  using held_type = std::remove_cvref_t<decltype(e)>;
  storage::into_new<tensor<T, E...>> memory{t};
  exec::evaluate<T, extents<E...>, exec::fit::exact, true, held_type>(e, memory);
}

// The value of an expression as a tensor of its own; with a context, computed there.
template <class X>
  requires Tensor<X>
RICCI_INLINE constexpr auto eval(X const& x) {
  tensor_with<value_type_of<X>, extents_of<X>> t;
  construct(t, x);
  return t;
}

template <class T, index_t... E, class X>
RICCI_INLINE constexpr void assign(tensor<T, E...>& t, X const& x) {
  using target = tensor<T, E...>;
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  using held_type = std::remove_cvref_t<decltype(e)>;
  storage::into_existing<target> memory{t};
  constexpr bool is_number = std::is_arithmetic_v<X>;
  if constexpr (is_number) {
    exec::evaluate<T, extents<E...>, exec::fit::stretched, true, held_type>(e, memory);
  } else {
    static_assert(rank_of<X> == sizeof...(E), "a tensor is assigned a tensor of the same order, or a number");
    if (!exec::evaluate<T, extents<E...>, exec::fit::exact, true, held_type>(e, memory)) replace(t, e);
  }
}
// by way of a temporary: the shape changes, or what is read would be overwritten
template <class X, class E>
RICCI_NOINLINE constexpr void replace(X& t, E const& e) {
  X fresh;
  if constexpr (X::shared) fresh.set_threads(t.threads());
  construct(fresh, e);
  t = static_cast<X&&>(fresh);
}

template <class T, class E, layout L, bool Shared, class X>
RICCI_INLINE constexpr void assign(view<T, E, L, Shared> const& v, X const& x) {
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  using held_type = std::remove_cvref_t<decltype(e)>;
  storage::into_view<view<T, E, L, Shared>> memory{v};
  if (!exec::evaluate<T, E, exec::fit::stretched, L == layout::row_major, held_type>(e, memory)) assign_copy(v, e);
}
// by way of a temporary: what is read would be overwritten
template <class T, class E, layout L, bool Shared, class X>
RICCI_NOINLINE constexpr void assign_copy(view<T, E, L, Shared> const& v, X const& e) {
  auto const copy = eval(e);
  auto const elements = held(copy);
  storage::into_view<view<T, E, L, Shared>, true> memory{v};
  exec::evaluate<T, E, exec::fit::stretched, L == layout::row_major>(elements, memory);
}

// ---- expressions of order 0 ----

template <class E>
RICCI_INLINE constexpr typename E::value_type evaluate_item(E const& e) {
  tensor<typename E::value_type> t;
  construct(t, e);
  return *t.data();
}

}  // namespace ricci
