// `auto [quotient, rest] = rc::divmod(a, b)`.
#pragma once

#include <utility>

#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/together.hpp>

namespace ricci {

// `floor_divide(a, b)` and `remainder(a, b)`, as a pair of expressions. Operands broadcast: shapes that do not go
// together are a compile error or a shape_error. Integers divided by 0 give 0 in both.
template <class A, class B>
requires operands<A, B>
constexpr auto divmod(A&& a, B&& b) {
  auto const of_both = [&](auto const& f) { return f(joining::again<A>(a), joining::again<B>(b)); };
  return std::pair<decltype(of_both(floor_divide)), decltype(of_both(remainder))>(of_both(floor_divide),
                                                                                  of_both(remainder));
}

}  // namespace ricci
