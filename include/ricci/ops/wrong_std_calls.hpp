// std::sin(x) of tensors and of what a traced function receives: a compile error that says rc::sin. Without these
// functions, which are never called where a program compiles, it is a list of all that <cmath> has.
#pragma once

#include <cmath>

#include <ricci/ops/wrong_calls.hpp>

namespace std {

#define RICCI_STANDARD_FUNCTION(NAME)                                                                                  \
  template <class X, class... Y>                                                                                       \
  requires ricci::tensor_operands<X, Y...>                                                                             \
  constexpr X NAME(X const& x, Y const&...) {                                                                          \
    static_assert(ricci::always_false<X>,                                                                              \
                  "std::" #NAME " takes numbers; of tensors, and in traced functions, rc::" #NAME " is the function"); \
    return x;                                                                                                          \
  }
RICCI_STANDARD_FUNCTION(abs)
RICCI_STANDARD_FUNCTION(acos)
RICCI_STANDARD_FUNCTION(asin)
RICCI_STANDARD_FUNCTION(atan)
RICCI_STANDARD_FUNCTION(atan2)
RICCI_STANDARD_FUNCTION(ceil)
RICCI_STANDARD_FUNCTION(cos)
RICCI_STANDARD_FUNCTION(cosh)
RICCI_STANDARD_FUNCTION(exp)
RICCI_STANDARD_FUNCTION(expm1)
RICCI_STANDARD_FUNCTION(floor)
RICCI_STANDARD_FUNCTION(hypot)
RICCI_STANDARD_FUNCTION(isfinite)
RICCI_STANDARD_FUNCTION(isinf)
RICCI_STANDARD_FUNCTION(isnan)
RICCI_STANDARD_FUNCTION(log)
RICCI_STANDARD_FUNCTION(log10)
RICCI_STANDARD_FUNCTION(log1p)
RICCI_STANDARD_FUNCTION(log2)
RICCI_STANDARD_FUNCTION(pow)
RICCI_STANDARD_FUNCTION(round)
RICCI_STANDARD_FUNCTION(sin)
RICCI_STANDARD_FUNCTION(sinh)
RICCI_STANDARD_FUNCTION(sqrt)
RICCI_STANDARD_FUNCTION(tan)
RICCI_STANDARD_FUNCTION(tanh)
RICCI_STANDARD_FUNCTION(trunc)
#undef RICCI_STANDARD_FUNCTION

}  // namespace std
