// Parameters that take anything, and worse than anything else does: an overload of such is chosen where no other fits,
// and says in words what the function takes. Every argument becomes one by a conversion of its own, so such an overload
// is never better than one that takes its arguments as they are, or converts a number.
#pragma once

#include <initializer_list>

namespace ricci::wrong {

struct argument {
  constexpr argument() = default;
  template <class... X>
  constexpr argument(X const&...) {}
  constexpr argument(std::initializer_list<std::initializer_list<double>>) {}  // {{1, 1}, {2, 2}}
};

// In the place of a result, where it has been said what is wrong: it becomes whatever is wanted.
struct result {
  template <class X>
  operator X() const;
  template <class... X>
  constexpr result operator()(X const&...) const {
    return {};
  }
};

}  // namespace ricci::wrong
