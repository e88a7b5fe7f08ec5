// The base of the special functions: elementwise operations that are computed number by number, in double, and rounded
// once to the element type, so that of float they are right to half a unit or little more. One has, besides what every
// elementwise operation has, `of(x...)`, a plain function of doubles.
#pragma once

#include <ricci/ops/composite_functions.hpp>

RICCI_OPTIMIZED
namespace ricci::special {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Derived, int Arity = 1>
struct special_function : elementwise<Derived, Arity> {
  static constexpr std::uint8_t cost = 200;

  template <class X, class... Rest>
  RICCI_FN kernel(X x, Rest... rest) {
    if constexpr (requires { X::size; }) {  // a batch, lane by lane
      using T = typename X::value_type;
      alignas(64) T lanes[Arity][X::size];
      int at = 0;
      x.store(lanes[at++]);
      (rest.store(lanes[at++]), ...);
      for (int k = 0; k < X::size; ++k)
        if constexpr (Arity == 1)
          lanes[0][k] = kernel(lanes[0][k]);
        else if constexpr (Arity == 2)
          lanes[0][k] = kernel(lanes[0][k], lanes[1][k]);
        else
          lanes[0][k] = kernel(lanes[0][k], lanes[1][k], lanes[2][k]);
      return X::load(lanes[0]);
    } else {
      return static_cast<X>(Derived::of(static_cast<double>(x), static_cast<double>(rest)...));
    }
  }
};

// c[0] + c[1] x + ... of a number or a batch
template <class X, class T, int N>
RICCI_INLINE RICCI_HD constexpr X polynomial(X x, T const (&c)[N]) {
  X y = X(c[N - 1]);
  for (int k = N - 2; k >= 0; --k) y = y * x + X(c[k]);
  return y;
}

}  // namespace ricci::special
RICCI_OPTIMIZED_END
