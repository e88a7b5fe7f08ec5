// What may be traced. `rc::fn(f)`, `rc::grad(f)` and their like call f with symbols while the program is compiled, so f
// takes its arguments by `auto` and has no state that only exists when the program runs. What is wrong with a function
// that does not is said here, in one sentence, where it is handed over.
#pragma once

#include <bit>

#include <ricci/autodiff/tree.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

struct nothing {};
template <std::size_t N>
struct hollow {
  nothing bytes[N];
};
// An object of a type that has nothing to read: legal exactly then.
template <class F>
constexpr F stateless_object() {
  return std::bit_cast<F>(hollow<sizeof(F)>{});
}
template <class F>
inline constexpr bool is_stateless = false;
template <class F>
requires std::is_trivially_copyable_v<F> && requires {
  typename std::bool_constant<((void)stateless_object<F>(), true)>;
}
inline constexpr bool is_stateless<F> = true;

// Parameters that no symbol can be given for: tensors, numbers, records of tensors.
template <class P>
inline constexpr bool is_for_values = Arithmetic<P> || (Tensor<P> && !is_symbol<P>);
template <template <class> class Record, class Kind>
inline constexpr bool is_for_values<Record<Kind>> = tree::OutsideKind<Kind>;

// Of a function that is no template, where the parameters stand in its type.
template <class Signature>
inline constexpr bool has_parameters_for_values = false;
template <class R, class... P>
inline constexpr bool has_parameters_for_values<R(P...)> = (is_for_values<std::remove_cvref_t<P>> || ...);
template <class R, class... P>
inline constexpr bool has_parameters_for_values<R (*)(P...)> = has_parameters_for_values<R(P...)>;
template <class R, class C, class... P>
inline constexpr bool has_parameters_for_values<R (C::*)(P...)> = has_parameters_for_values<R(P...)>;
template <class R, class C, class... P>
inline constexpr bool has_parameters_for_values<R (C::*)(P...) const> = has_parameters_for_values<R(P...)>;
template <class R, class C, class... P>
inline constexpr bool has_parameters_for_values<R (C::*)(P...) noexcept> = has_parameters_for_values<R(P...)>;
template <class R, class C, class... P>
inline constexpr bool has_parameters_for_values<R (C::*)(P...) const noexcept> = has_parameters_for_values<R(P...)>;

template <class F>
constexpr bool takes_values() {
  if constexpr (requires { &F::operator(); })
    return has_parameters_for_values<decltype(&F::operator())>;
  else
    return has_parameters_for_values<F>;
}
template <class F>
inline constexpr bool is_function = std::is_function_v<F> ||
                                    (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>);

// What certainly is no function: a number, a tensor, a symbol.
template <class F>
inline constexpr bool is_value = Arithmetic<F> || Tensor<F>;

}  // namespace RICCI_ABI
}  // namespace tracing

// F can be recorded by the compiler: an object without run-time state that takes its arguments by `auto`, such as a
// lambda without captures; and, where arguments A are named, it can be called with the symbols for them.
template <class F, class... A>
concept Traceable =
    tracing::is_stateless<F> && !tracing::takes_values<F>() && !tracing::is_function<F> &&
    (sizeof...(A) == 0 || requires(F const& f, tree::symbolic_t<ir::traced, A> const&... s) { f(s...); });

namespace tracing {
inline namespace RICCI_ABI {

// Asked for by its size where a function is handed over, so that an error is the first one: it takes symbols.
template <class F>
struct function_of_symbols {
  static_assert(!takes_values<F>(),
                "a traced function takes its arguments by `auto`: it is called with symbols, not with tensors");
};
template <class F>
requires is_value<F>
struct function_of_symbols<F> {
  static_assert(
      always_false<F>,
      "what is traced is a function, which stands alone: rc::grad(f)(x), not rc::grad(x, f) or rc::grad(f, x)");
};
template <class F>
requires is_function<F>
struct function_of_symbols<F> {
  static_assert(!is_function<F>,
                "a traced function is a lambda or a function object, which its type alone describes; a function is "
                "called from one: [](auto x) { return f(x); }");
};
// Asked for in the same way where it is called with tensors: interpreted functions may have state.
template <class F>
struct function_without_state {
  static_assert(is_stateless<F>,
                "a traced function holds a run-time value, which the compiler cannot know: pass it as an argument "
                "(numbers may be arguments), make it static constexpr, or use ricci::interpret");
};

template <class F, class Arguments>
inline constexpr bool is_callable = false;
template <class F, class... S>
requires requires(F const& f, S const&... s) { f(s...); }
inline constexpr bool is_callable<F, std::tuple<S...>> = true;

// Asked for by its size where functions stand before or between values: those are functions.
template <class... F>
struct functions_in_their_places {
  static_assert(always_false<void(F...)>,
                "a tensor or number stands where a function belongs: rc::cond(p, f, g, x...), rc::scan(f, carry, xs), "
                "rc::fori_loop(lower, upper, body, init), rc::while_loop(condition, body, init)");
};

// In the place of a result that there is not, since something has been found wrong and said: a tree without leaves, so
// that what follows has nothing to add.
struct no_result {};

// f of all symbols.
template <class F, class Arguments>
constexpr decltype(auto) applied(F const& f, Arguments const& all) {
  static_assert(is_callable<F, Arguments>,
                "a traced function is called with a number of arguments that it does not take, or with symbols where "
                "it takes something else than `auto`; or its body does not compile, which another message says");
  if constexpr (is_callable<F, Arguments>) {
    constexpr bool returns = !std::is_void_v<decltype(tree::apply(f, all))>;
    static_assert(returns, "a traced function returns no result: is a `return` missing?");
    if constexpr (returns)
      return tree::apply(f, all);
    else
      return no_result{};
  } else {
    return no_result{};
  }
}
template <class F, class... S>
constexpr decltype(auto) called(F const& f, S const&... s) {
  return applied(f, std::tuple<S const&...>(s...));
}

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
