// Contexts: who computes, and where memory lies. `rc::cpu{}` computes on one thread, `rc::cpu{.threads = 4}` on four;
// dynamic tensors remember the context of their creation.
#pragma once

#include <type_traits>

#include <ricci/core/errors.hpp>
#include <ricci/core/execution.hpp>

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
inline namespace RICCI_ABI {
// Where no context is given. It is a type of its own so that programs that name none do not contain the threads.
struct default_context {};
// Makes the threads of a context ready; specialised in exec/cpu/threads.hpp, where there are any.
template <class C>
struct thread_support {
  static constexpr void install() {}
};

inline constexpr int max_threads = 256;
// how a context computes, checked
constexpr core::execution execution_of(default_context) { return {}; }
template <class C>
requires std::is_same_v<C, cpu>
constexpr core::execution execution_of(C const& c) {
  if (c.threads < 1)
    core::raise<context_error>(core::text() << "a context needs at least one thread, not " << c.threads);
  if (c.threads > 1) thread_support<C>::install();
  return core::execution(c.threads < max_threads ? c.threads : max_threads);
}

}  // namespace RICCI_ABI
}  // namespace exec
template <>
inline constexpr bool enable_context<exec::default_context> = true;

}  // namespace ricci
