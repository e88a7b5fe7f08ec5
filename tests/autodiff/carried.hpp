// Loops whose results are those of the interpreter, and whose gradients are differences (carries_in_place.cpp,
// carries_nested.cpp).
#pragma once

#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"

template <class T>
T filled(T const& like, double by) {
  T x = like;
  for (ricci::index_t k = 0; k < x.size(); ++k) x.data()[k] = by * double((k * 7 + 3) % 11 - 5);
  return x;
}

inline void compare(int result, numbers const& x, numbers const& y) {
  CHECK_MESSAGE(x.near(y, 1e-12), "result ", result, ": ", x, " and ", y);
}
template <int... K, class X, class Y>
void compare(std::integer_sequence<int, K...>, X const& x, Y const& y) {
  (compare(K, numbers(std::get<K>(x)), numbers(std::get<K>(y))), ...);
}
// the N results of f compiled and interpreted
template <int N, class F, class... A>
void compare(F const& f, A const&... a) {
  compare(std::make_integer_sequence<int, N>{}, ricci::fn(f)(a...), ricci::interpret(f)(a...));
}
// the sum of squares of all results, and its gradient by a beside differences of it
template <class F>
constexpr auto loss_of =
    [](auto... x) { return std::apply([](auto const&... y) { return (ricci::sum(y * y) + ...); }, F{}(x...)); };
template <class F, class Row, class... A>
void compare_gradient(F const&, Row const& a, A const&... rest) {
  auto const both = ricci::value_and_grad(loss_of<F>);
  auto const [value, g] = both(a, rest...);
  for (ricci::index_t k = 0; k < a.size(); ++k) {
    Row up = a, down = a;
    up(k) += 1e-5, down(k) -= 1e-5;
    double const slope = (std::get<0>(both(up, rest...)).item() - std::get<0>(both(down, rest...)).item()) / 2e-5;
    CHECK(g(k) == doctest::Approx(slope).epsilon(1e-7));
  }
}
