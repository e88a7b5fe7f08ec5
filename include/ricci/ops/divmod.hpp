// `auto [quotient, rest] = rc::divmod(a, b)`.
#pragma once

#include <utility>

#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/together.hpp>

namespace ricci {

namespace joining {
struct divmod_call {
  static constexpr char const* name = "divmod";
};
}  // namespace joining

// `floor_divide(a, b)` and `remainder(a, b)`, as a pair of expressions. Operands broadcast: shapes that do not go
// together are a compile error or a shape_error. Integers divided by 0 give 0 in both.
template <class A, class B>
requires operands<A, B>
constexpr auto divmod(A&& a, B&& b) {
  auto const of_both = [&]<class Op>(Op const& f) {
    if constexpr (level_of_call<A, B> == operand_level::number)
      return f(a, b);
    else
      return call_operation<ir::called_as<joining::divmod_call, Op>>(no_attributes{}, joining::again<A>(a),
                                                                     joining::again<B>(b));
  };
  return std::pair<decltype(of_both(floor_divide)), decltype(of_both(remainder))>(of_both(floor_divide),
                                                                                  of_both(remainder));
}

}  // namespace ricci
