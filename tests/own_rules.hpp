// Derivative rules of one's own that are seen at work: of the square of x they say that its derivative is 10 x.
#pragma once

#include "near.hpp"

namespace own_rules {

// compiled, interpreted
template <class F, class... A>
void check_value(F const& f, numbers const& expected, A const&... a) {
  auto const compiled = ricci::eval(f(a...)), interpreted = ricci::eval(ricci::interpret(f)(a...));
  CHECK_MESSAGE(numbers(compiled).near(expected), numbers(compiled));
  CHECK_MESSAGE(numbers(interpreted).near(expected), numbers(interpreted));
}
template <class F, class... A>
void check_same(F const& f, A const&... a) {
  check_near(f(a...), ricci::interpret(f)(a...));
}

inline constexpr auto square_by_tangent = ricci::custom_jvp([](auto x) { return x * x; },
                                                            [](auto x, auto t) {
                                                              return std::tuple{x * x, 10. * x * t};
                                                            });
inline constexpr auto square_by_cotangent = ricci::custom_vjp([](auto x) { return x * x; },
                                                              [](auto x) {
                                                                return std::tuple{x * x, x};
                                                              },
                                                              [](auto x, auto ct) { return std::tuple{10. * x * ct}; });

}  // namespace own_rules
