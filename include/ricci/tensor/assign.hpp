// From expressions to memory: construction and assignment of tensors and views, `rc::eval`, and single elements.
#pragma once

#include <ricci/exec/interpret/constant.hpp>
#include <ricci/expr/lazy_view.hpp>
#include <ricci/tensor/tensor.hpp>

RICCI_OPTIMIZED
namespace ricci {

// ---- how tensors are held by expressions: by reference where they lie in place, by value if they are
// temporaries, else by a share of their memory ----

template <class T, index_t... E>
RICCI_INLINE constexpr auto held(tensor<T, E...> const& x RICCI_LIFETIMEBOUND) {
  if constexpr (tensor<T, E...>::shared)
    return shared_leaf<element_t<T>, extents<E...>>{x.owner()};
  else
    return in_place_leaf<element_t<T>, extents<E...>>{x.data()};
}
template <class T, index_t... E>
RICCI_INLINE constexpr auto held(tensor<T, E...> const&& x) {
  if constexpr (tensor<T, E...>::shared)
    return held(static_cast<tensor<T, E...> const&>(x));
  else
    return tensor<T, E...>(x);
}

// what may be written through the expression, as x.T() may, has memory of its own
template <class T, index_t... E>
RICCI_INLINE constexpr auto held(tensor<T, E...>& x RICCI_LIFETIMEBOUND) {
  if constexpr (tensor<T, E...>::shared)
    return shared_leaf<element_t<T>, extents<E...>>{x.owner()};
  else
    return in_place_leaf<element_t<T>, extents<E...>>{x.data()};
}

namespace expr {
template <class T, index_t... E>
struct reified<tensor<T, E...>> : reified<in_place_leaf<element_t<T>, extents<E...>>> {};
template <int A, class B, class T, index_t... E>
RICCI_INLINE constexpr void bind(B& b, tensor<T, E...> const& x) {
  b.operands[A] = {reinterpret_cast<char*>(const_cast<element_t<T>*>(x.data())), x.extent_values().data(), nullptr};
}
}  // namespace expr

namespace storage {
inline namespace RICCI_ABI {

template <class X>
RICCI_INLINE index_t bytes_for(index_t const* e) {
  return core::bytes_of(e, X::rank, sizeof(typename X::value_type));
}
template <class X>
RICCI_INLINE operand_ref ref_of(X& t) {
  return {reinterpret_cast<char*>(const_cast<typename X::value_type*>(t.data())), t.extent_values().data(),
          t.stride_data()};
}

// The place of a result, for what is inlined and, as tables, for what is compiled once for all types.
template <class X, exec::target_kind Kind>
struct destination {
  using target_type = X;
  static constexpr bool whole = Kind != exec::target_kind::part;
  RICCI_INLINE static operand_ref target(X& t) {
    if constexpr (Kind == exec::target_kind::fresh && X::shared)
      return {};
    else
      return ref_of(t);
  }
  // the memory for a result of those extents, null where it needs a closer look
  RICCI_INLINE static char* memory_for(X& t, index_t const* e, core::execution how) {
    if constexpr (Kind == exec::target_kind::fresh && X::shared) t.adopt(core::shared_buffer(bytes_for<X>(e)), e, how);
    if constexpr (Kind == exec::target_kind::existing)
      for (int k = 0; k < X::rank; ++k)
        if (t.extent_values()[k] != e[k]) [[unlikely]]
          return nullptr;
    return reinterpret_cast<char*>(t.data());
  }
  static void refer(void* t, operand_ref& to) { to = ref_of(*static_cast<X*>(t)); }
  static void adopt(void* t, core::shared_buffer&& memory, index_t const* e, core::execution how) {
    if constexpr (Kind == exec::target_kind::fresh && X::shared)
      static_cast<X*>(t)->adopt(static_cast<core::shared_buffer&&>(memory), e, how);
    else if constexpr (whole && X::shared)
      static_cast<X*>(t)->replace(static_cast<core::shared_buffer&&>(memory), e, how);
  }
  static constexpr decltype(exec::target_type::check) check() {
    if constexpr (whole && !X::extents::is_static && is_restricted<typename X::extents>)
      return &check_shape<typename X::extents>;
    else
      return nullptr;
  }
  static constexpr exec::target_type type{
      Kind,   X::shared, !whole || X::extents::is_static, X::rank, sizeof(typename X::value_type), &refer,
      &adopt, check()};
};
template <class X>
using into_new = destination<X, exec::target_kind::fresh>;
template <class X>
using into_existing = destination<X, exec::target_kind::existing>;
template <class V>
using into_view = destination<V const, exec::target_kind::part>;

template <class X>
RICCI_INLINE constexpr decltype(auto) operand_for(X const& x, auto type) {
  using T = typename decltype(type)::type;
  if constexpr (is_arithmetic<X>)
    return number_leaf<T>{scalar::convert<T>(x)};
  else if constexpr (requires { expr::as_node(x); })
    return expr::as_node(x);
  else if constexpr (is_expression<X>)
    return (x);
  else
    return held(x);
}

}  // namespace RICCI_ABI
}  // namespace storage

// ---- construction, assignment ----

namespace storage {
inline namespace RICCI_ABI {
// What a tensor of the host is made of lies there, too.
template <class E>
constexpr void require_host_memory() {
  static_assert((expr::reified<E>::memory & ~expr::host_memory) == 0,
                "an operand lies in another memory space than the result: rc::copy(x, context) makes a copy of x in "
                "the space of a context");
}

// Misfits that the types already show, both extents in the message; the others are seen when it runs.
template <class To, class From>
struct assigned {
  static_assert(shapes::may_be_equal<To, From>(),
                "a tensor is assigned a tensor of the same extents (both: see the type above)");
};
template <class To, class From>
struct assigned_to_view {
  static_assert(shapes::may_be_broadcast<To, From>(),
                "a view is assigned what has its extents or is broadcast to them (both: see the type above)");
};
template <class X>
struct held_by_a_tensor {
  static_assert(!is_symbol<X>,
                "a tensor cannot hold what a traced function computes: let `auto` hold it, and make what a loop "
                "carries a symbol, as "
                "rc::zeros<T>(rc::extents<4>{}, rc::like(x)) or rc::zeros_like(x), x an argument");
};
// Whether x is written at all: where it is not, the reason is reported, and nothing else.
template <bool IsView, class To, class X>
constexpr bool fits() {
  if constexpr (is_symbol<X>)
    return false;
  else if constexpr (is_arithmetic<X>)
    return true;
  else if constexpr (IsView)
    return shapes::may_be_broadcast<To, extents_of<X>>();
  else
    return shapes::may_be_equal<To, extents_of<X>>();
}
template <bool IsView, class To, class X>
constexpr void expect_fit() {
  (void)sizeof(held_by_a_tensor<X>);
  if constexpr (IsView && !is_symbol<X> && !is_arithmetic<X>)
    (void)sizeof(assigned_to_view<To, extents_of<X>>);
  else if constexpr (!is_symbol<X> && !is_arithmetic<X>)
    (void)sizeof(assigned<To, extents_of<X>>);
}

}  // namespace RICCI_ABI
}  // namespace storage

template <class T, index_t... E, class X>
RICCI_INLINE constexpr void construct(tensor<T, E...>& t, X const& x) {
  if constexpr (!storage::fits<false, extents<E...>, X>()) {
    storage::expect_fit<false, extents<E...>, X>();
  } else {
    (void)sizeof(keeps_imaginary_parts<element_t<T>, X>);
    auto const& e = storage::operand_for(x, std::type_identity<element_t<T>>{});
    using held_type = std::remove_cvref_t<decltype(e)>;
    storage::require_host_memory<held_type>();
    if constexpr (exec::reads_in_place<tensor<T, E...>> && exec::reads_in_place<held_type>)
      if (__builtin_is_constant_evaluated()) return exec::evaluate_constant(t, t.data(), e);
    exec::evaluate<storage::into_new<tensor<T, E...>>, element_t<T>, extents<E...>, exec::fit::exact, true, held_type>(
        e, t, {});
  }
}

// The value of an expression as a tensor of its own; with a context, computed there. Symbols are values already, and so
// are numbers: a function may be traced, or called with tensors.
template <Arithmetic X>
RICCI_INLINE constexpr X eval(X const& x) {
  return x;
}
// Of a part, as of x(0), it is no part any more: as a tensor's part would be, it is a value that may be assigned to.
template <class X>
requires is_symbol<X> RICCI_INLINE constexpr auto eval(X const& x) {
  return symbol<typename X::value_type, typename X::extents, typename X::mode>(x);
}
template <class X>
requires(Tensor<X> && !is_symbol<X>) RICCI_INLINE constexpr auto eval(X const& x) {
  storage::tensor_beside<value_type_of<X>, extents_of<X>, X> t;
  construct(t, x);
  return t;
}

template <class T, index_t... E, class X>
RICCI_INLINE constexpr void assign(tensor<T, E...>& t, X const& x) {
  if constexpr (sizeof...(E) == 0 && is_arithmetic<X>) {
    *t.data() = scalar::convert<element_t<T>>(x);
  } else if constexpr (!storage::fits<false, extents<E...>, X>()) {
    storage::expect_fit<false, extents<E...>, X>();
  } else {
    (void)sizeof(keeps_imaginary_parts<element_t<T>, X>);
    auto const& e = storage::operand_for(x, std::type_identity<element_t<T>>{});
    using held_type = std::remove_cvref_t<decltype(e)>;
    storage::require_host_memory<held_type>();
    if constexpr (exec::reads_in_place<tensor<T, E...>> && exec::reads_in_place<held_type>)
      if (__builtin_is_constant_evaluated()) return exec::evaluate_constant(t, t.data(), e);
    constexpr auto fit = is_arithmetic<X> ? exec::fit::broadcast : exec::fit::exact;
    exec::evaluate<storage::into_existing<tensor<T, E...>>, element_t<T>, extents<E...>, fit, true, held_type>(
        e, t, {t.execution()});
  }
}
template <class T, class E, layout L, bool Shared, class X>
RICCI_INLINE constexpr void assign(view<T, E, L, Shared> const& v, X const& x) {
  if constexpr (!storage::fits<true, E, X>()) {
    storage::expect_fit<true, E, X>();
  } else {
    (void)sizeof(keeps_imaginary_parts<T, X>);
    auto const& e = storage::operand_for(x, std::type_identity<T>{});
    using held_type = std::remove_cvref_t<decltype(e)>;
    storage::require_host_memory<held_type>();
    if constexpr (!Shared && exec::reads_in_place<held_type>)
      if (__builtin_is_constant_evaluated()) return exec::evaluate_constant(v, v.data(), e);
    exec::evaluate<storage::into_view<view<T, E, L, Shared>>, T, E, exec::fit::broadcast, L == layout::row_major,
                   held_type>(e, v, {v.execution()});
  }
}
// Views of a const tensor are read only.
template <class T, class E, layout L, bool Shared, class X>
constexpr void assign(view<T const, E, L, Shared> const&, X const&) {
  static_assert(always_false<X>, "this view is read only: it shows elements of a const tensor");
}

// ---- expressions of order 0 ----

template <class E>
RICCI_INLINE constexpr typename E::value_type evaluate_item(E const& e) {
  if constexpr (expr::reified<E>::memory > expr::host_memory) {
    return eval(e).item();
  } else {
    tensor<typename E::value_type> t;
    construct(t, e);
    return *t.data();
  }
}

}  // namespace ricci
RICCI_OPTIMIZED_END
