// Contexts: who computes, and where memory lies. `rc::cpu{}` computes on one thread, `rc::cpu{.threads = 4}` on four; dynamic
// tensors remember the context of their creation.
#pragma once

#include <concepts>

#include <ricci/core/errors.hpp>

namespace ricci {

struct cpu {
  int threads = 1;
};

template <class C>
inline constexpr bool enable_context = false;
template <>
inline constexpr bool enable_context<cpu> = true;
template <class C>
concept Context = enable_context<std::remove_cvref_t<C>>;

namespace exec {
// the number of threads of a context, checked
constexpr int threads_of(cpu const& c) {
  if (c.threads < 1) core::raise<context_error>(core::text() << "a context needs at least one thread, not " << c.threads);
  return c.threads;
}
}  // namespace exec

}  // namespace ricci
