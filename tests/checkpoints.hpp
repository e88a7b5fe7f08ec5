// What is checkpointed, against the same without.
#pragma once

#include "near.hpp"

namespace checkpoints {

// compiled and interpreted
template <class F, class G, class... A>
void check_same(F const& f, G const& g, A const&... a) {
  auto const expected = g(a...);
  check_near(f(a...), expected);
  check_near(ricci::interpret(f)(a...), expected);
}

inline constexpr auto block = [](auto h) { return ricci::tanh(ricci::sin(h) * 2.); };

}  // namespace checkpoints
