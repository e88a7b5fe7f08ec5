// The evaluation of operands that wait for it (expr/deferred.hpp), and reductions over an axis named at run time.
#pragma once

#include <ricci/expr/foreign.hpp>
#include <ricci/shape/axes.hpp>
#include <ricci/tensor/assign.hpp>

namespace ricci {

namespace expr {

template <class F>
constexpr index_t extent_of(F const& f, int axis) {
  if constexpr (extents_of<F>::is_static)
    return extents_of<F>::extent(axis);
  else
    return static_cast<index_t>(f.shape(axis));
}

// The elements of a foreign tensor in row-major order.
template <class F, class T>
constexpr void read_elements(F const& f, T* to) {
  constexpr int rank = extents_of<F>::rank;
  index_t extents[rank > 0 ? rank : 1]{}, at[rank > 0 ? rank : 1]{};
  index_t n = 1;
  for (int k = 0; k < rank; ++k) n *= extents[k] = extent_of(f, k);
  for (index_t i = 0; i < n; ++i) {
    if constexpr (requires {
                    static_cast<T const*>(f.data());
                    f.strides();
                  }) {
      auto const strides = f.strides();
      T const* p = f.data();
      for (int k = 0; k < rank; ++k) p += at[k] * strides[std::size_t(k)];
      to[i] = *p;
    } else {
      to[i] = [&]<std::size_t... K>(std::index_sequence<K...>) { return static_cast<T>(f(at[K]...)); }
      (std::make_index_sequence<rank>{});
    }
    for (int k = rank - 1; k >= 0; --k) {
      if (++at[k] < extents[k]) break;
      at[k] = 0;
    }
  }
}
template <int A, class B, class F, bool Owned>
void bind(B& b, foreign_leaf<F, Owned> const& x) {
  using T = value_type_of<F>;
  auto& d = b.deferred[b.deferred_count++];
  using E = extents_of<F>;
  core::require_heap<E::is_static ? E::size * index_t(sizeof(T)) : core::unknown_bytes>();
  constexpr int rank = foreign_leaf<F, Owned>::rank;
  for (int k = 0; k < rank; ++k) d.extents[k] = extent_of(x.get(), k);
  d.buffer = core::shared_buffer(core::bytes_of(d.extents, rank, sizeof(T)));
  read_elements(x.get(), reinterpret_cast<element_t<T>*>(d.buffer.data()));
  b.operands[A] = {d.buffer.data(), d.extents, nullptr};
}

template <int A, class B, class X>
void bind(B& b, last_axis<X> const& x) {
  constexpr int rank = X::extents::rank;
  auto& d = b.deferred[b.deferred_count++];
  auto const order = [&](char* p, index_t const* extents, index_t const* strides) {
    for (int k = 0; k < rank; ++k) {
      int const from = k == rank - 1 ? x.axis : k < x.axis ? k : k + 1;
      d.extents[k] = extents[from];
      d.strides[k] = strides[from];
    }
    b.operands[A] = {p, d.extents, d.strides};
  };
  if constexpr (is_expression<X>) {
    ndarray<typename X::value_type, rank> const value = eval_dynamic(x.operand);
    d.buffer = value.owner();
    order(d.buffer.data(), value.extent_values().data(), value.stride_values().values);
    b.how = core::joined(b.how, value.execution());
  } else {
    if constexpr (X::shared) d.buffer = x.operand.owner();
    order(reinterpret_cast<char*>(const_cast<typename X::value_type*>(x.operand.data())),
          x.operand.extent_values().data(), x.operand.stride_values().values);
    b.how = core::joined(b.how, x.operand.execution());
  }
}

}  // namespace expr

namespace storage {
inline namespace RICCI_ABI {

// x itself where it is a tensor, whose elements lie in order, else its value.
template <class X>
constexpr decltype(auto) stored_value(X const& x) {
  if constexpr (requires {
                  requires X::whole;
                  x.extent_values();
                } &&
                !is_symbol<X>)
    return (x);
  else
    return ricci::eval(x);
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

// The value with all extents as values.
template <class X>
RICCI_INLINE auto eval_dynamic(X const& x) {
  ndarray<value_type_of<X>, rank_of<X>> t;
  exec::evaluate<storage::into_new<decltype(t)>, value_type_of<X>, typename decltype(t)::extents, exec::fit::free,
                 true>(x, t, {});
  return t;
}

// The extents that an expression will have.
template <class X>
constexpr shape_values<rank_of<X>> shape_of_expression(X const& x) {
  shape_values<rank_of<X>> s{};
  if constexpr (extents_of<X>::is_static) {
    for (int k = 0; k < rank_of<X>; ++k) s[std::size_t(k)] = extents_of<X>::extent(k);
  } else if constexpr (requires { x.extent_values(); }) {
    for (int k = 0; k < rank_of<X>; ++k) s[std::size_t(k)] = x.extent_values()[k];
  } else if constexpr (expr::memory_view<X>::exists) {
    auto const from = expr::memory_view<X>::strided(x);
    for (int k = 0; k < rank_of<X>; ++k) s[std::size_t(k)] = from.extent[k];
  } else {
    exec::extents_of_result(x, s.data());
  }
  return s;
}

// Reductions over an axis that is a value: of tensors whose extents are values too. Negative axes count from the last.
template <class Op, class X, bool Keep>
constexpr auto call_with_axis(Op, X&& x, index_t a, std::bool_constant<Keep>) {
  using E = extents_of<X>;
  constexpr int rank = E::rank;
  static_assert(rank > 0, "an axis of a tensor of order 0 does not exist");
  int const axis_number = axis_named(Op::name, a, rank);
  if constexpr (is_symbol<std::remove_cvref_t<X>>) {
    using R = type_of<Op::type_of_result(dtype_of<value_type_of<X>>)>;
    using Mode = typename std::remove_cvref_t<X>::mode;
    return symbol<R, dynamic_extents<Keep ? rank : rank - 1>, Mode>{
        ir::recorded<Op>(reduction_axes{1, {axis_number}, Keep}, x.v)};
  } else {
    static_assert(!E::is_static, "the axis of a tensor of static extents is a constant: rc::sum(x, rc::axis<0>)");
    auto inner = held(static_cast<X&&>(x));
    auto const reduced = make_node(Op{}, over_axes<false, -1>{}, last_axis<decltype(inner)>{inner, axis_number});
    if constexpr (Keep) {
      auto kept = shape_of_expression(inner);
      kept[std::size_t(axis_number)] = 1;
      return reshape(reduced, kept);
    } else {
      return reduced;
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci
