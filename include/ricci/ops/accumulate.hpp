// Parts of a tensor are changed by `x(...).add(y)`, `.subtract`, `.multiply`, `.minimum` and `.maximum`, y being
// converted to the element type and broadcast to the part. Where integer tensors name an element several times, each of
// them counts, as in NumPy's ufunc.at and JAX's x.at[i].add; for other parts that is `x(...) += y`.
#pragma once

#include <ricci/ops/arithmetic.hpp>

namespace ricci {

template <Element T>
struct cast_function;

// Asked for by its size where x is written to elements of type T.
template <class T, class X>
struct keeps_imaginary_parts {
  static_assert(!loses_imaginary_part<T, X>,
                "real numbers hold real ones: x = z would lose the imaginary part; x = rc::real(z) says that this is "
                "meant");
};
// x, a number or tensor, with elements of type T
template <class T, class X>
constexpr decltype(auto) with_elements(X const& x) {
  (void)sizeof(keeps_imaginary_parts<T, X>);
  if constexpr (is_arithmetic<X>)
    return scalar::convert<T>(x);
  else if constexpr (std::is_same_v<value_type_of<X>, T>)
    return (x);
  else
    return call_operation<cast_function<T>>(no_attributes{}, x);
}

// The base of parts. One of which elements may occur several times has an `accumulate` of its own. (All return `auto`,
// which is void: so compilers look into them where they are called, and errors name the caller.)
template <class Part>
struct accumulates {
  template <class X>
  requires operands<X>
  constexpr auto add(X const& x) { return self().template accumulate<add_t>(x); }
  template <class X>
  requires operands<X>
  constexpr auto subtract(X const& x) { return self().template accumulate<subtract_t>(x); }
  template <class X>
  requires operands<X>
  constexpr auto multiply(X const& x) { return self().template accumulate<multiply_t>(x); }
  template <class X>
  requires operands<X>
  constexpr auto minimum(X const& x) { return self().template accumulate<minimum_t>(x); }
  template <class X>
  requires operands<X>
  constexpr auto maximum(X const& x) { return self().template accumulate<maximum_t>(x); }

  template <class Op, class X>
  constexpr auto accumulate(X const& x) {
    auto&& to = target_of_update(self());
    to = Op{}(to, with_elements<typename Part::value_type>(x));
  }

 private:
  constexpr Part& self() { return static_cast<Part&>(*this); }
};

}  // namespace ricci
