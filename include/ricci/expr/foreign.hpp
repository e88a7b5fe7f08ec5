// Foreign tensors: a type of somebody else's that says `ricci::enable_tensor<its type> = true`. Operators between such
// a type and numbers are looked up where neither has to do with this library's namespace, so they stand in the global
// one, for those types alone.
#pragma once

#include <ricci/expr/deferred.hpp>

RICCI_OPTIMIZED
namespace ricci {

// What points to its elements is read where it is; else element by element, when the expression is evaluated.
template <class F>
requires foreign_operands<F> RICCI_INLINE constexpr auto held(F&& x) {
  using X = std::remove_cvref_t<F>;
  using T = typename X::value_type;
  using E = typename X::extents;
  if constexpr (requires {
                  static_cast<T const*>(x.data());
                  x.strides();
                  x.shape(0);
                } &&
                is_stored<T> && std::is_lvalue_reference_v<F>) {
    expr::extent_storage<E> extents;
    expr::stride_storage<E::rank> strides;
    auto const from = x.strides();
    for (int k = 0; k < E::rank; ++k) extents.set(k, x.shape(k)), strides.values[k] = from[std::size_t(k)];
    return view<T const, E, layout::strided, false>(x.data(), extents, strides);
  } else {
    constexpr bool owned = !std::is_lvalue_reference_v<F>;
    if constexpr (owned)
      return foreign_leaf<X, true>{static_cast<F&&>(x)};
    else
      return foreign_leaf<X, false>{&x};
  }
}

}  // namespace ricci
RICCI_OPTIMIZED_END

template <class A, class B>
requires ricci::foreign_operands<A, B> RICCI_INLINE constexpr auto operator+(A&& a, B&& b) {
  return ricci::add(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires ricci::foreign_operands<A, B> RICCI_INLINE constexpr auto operator-(A&& a, B&& b) {
  return ricci::subtract(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires ricci::foreign_operands<A, B> RICCI_INLINE constexpr auto operator*(A&& a, B&& b) {
  return ricci::multiply(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A, class B>
requires ricci::foreign_operands<A, B> RICCI_INLINE constexpr auto operator/(A&& a, B&& b) {
  static_assert(!ricci::divides_integers<A, B>(),
                "integers have no operator /: use ricci::floor_divide, or ricci::divide for a floating quotient");
  return ricci::divide(static_cast<A&&>(a), static_cast<B&&>(b));
}
template <class A>
requires ricci::foreign_operands<A> RICCI_INLINE constexpr auto operator-(A&& a) {
  return ricci::negative(static_cast<A&&>(a));
}
template <class A, class B>
requires ricci::foreign_operands<A, B>
constexpr auto operator<(A&& a, B&& b) { return ricci::less(static_cast<A&&>(a), static_cast<B&&>(b)); }
template <class A, class B>
requires ricci::foreign_operands<A, B>
constexpr auto operator<=(A&& a, B&& b) { return ricci::less_equal(static_cast<A&&>(a), static_cast<B&&>(b)); }
template <class A, class B>
requires ricci::foreign_operands<A, B>
constexpr auto operator>(A&& a, B&& b) { return ricci::greater(static_cast<A&&>(a), static_cast<B&&>(b)); }
template <class A, class B>
requires ricci::foreign_operands<A, B>
constexpr auto operator>=(A&& a, B&& b) { return ricci::greater_equal(static_cast<A&&>(a), static_cast<B&&>(b)); }
