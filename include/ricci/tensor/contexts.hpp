// A context that is chosen when the program runs: `rc::with_context<rc::cpu, rc::device>("cpu:2", [&](auto ctx) { ...
// })`.
#pragma once

#include <ricci/tensor/create.hpp>

namespace ricci {

namespace exec {
inline namespace RICCI_ABI {

// The name of a context and what the number behind the colon means.
template <class C>
struct context_name;
template <>
struct context_name<cpu> {
  static constexpr char const* name = "cpu";
  static cpu made(bool numbered, int n) { return {numbered ? n : 1}; }
};

// Whether `text` is the name, alone or with a number behind a colon.
inline bool is_context(char const* text, char const* name, bool& numbered, int& n) {
  while (*name && *text == *name) ++text, ++name;
  numbered = *text == ':';
  n = 0;
  if (*name) return false;
  if (!numbered) return *text == 0;
  do {
    ++text;
    if (*text < '0' || *text > '9' || n > 100000) return false;
    n = 10 * n + (*text - '0');
  } while (text[1]);
  return true;
}

template <class R, class F, class... C>
R call_with_context(char const*, core::text const& unknown, F const&) {
  core::raise<context_error>(unknown);
}
template <class R, class F, class C, class... Rest>
R call_with_context(char const* text, core::text const& unknown, F const& f, C*, Rest*... rest) {
  bool numbered = false;
  int n = 0;
  if (!is_context(text, context_name<C>::name, numbered, n)) return call_with_context<R>(text, unknown, f, rest...);
  C const context = context_name<C>::made(numbered, n);
  (void)storage::maker<C>::execution(context);  // raises where there is none
  return f(context);
}

}  // namespace RICCI_ABI
}  // namespace exec

// f(context) for the one of the contexts C that is named: "cpu", "cpu:4" (threads), "device:0" (index). All calls of f
// give the same type. Another name, or a context that is not there, is a context_error.
template <Context First, Context... C, class F>
auto with_context(char const* name, F const& f) {
  using R = decltype(f(std::declval<First>()));
  static_assert((std::is_same_v<R, decltype(f(std::declval<C>()))> && ...),
                "with_context: the function returns the same type for every context");
  core::text unknown;
  unknown << "no context '" << name << "': there are " << exec::context_name<First>::name;
  ((unknown << ", " << exec::context_name<C>::name), ...);
  return exec::call_with_context<R>(name, unknown, f, static_cast<First*>(nullptr), static_cast<C*>(nullptr)...);
}
template <Context First, Context... C, class S, class F>
requires requires(S const& s) { s.c_str(); }
auto with_context(S const& name, F const& f) { return with_context<First, C...>(name.c_str(), f); }

}  // namespace ricci
