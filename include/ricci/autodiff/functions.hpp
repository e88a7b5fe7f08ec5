// The user's face of tracing and derivatives. `rc::fn(f)`, `rc::grad(f)`, `rc::value_and_grad(f)`, `rc::jvp(f)` and `rc::vjp(f)`
// are functions of f's arguments. Called with tensors they are compiled and evaluated; called inside a traced function they
// become part of it, so that they nest in any order.
#pragma once

#include <ricci/autodiff/call.hpp>

namespace ricci {

namespace trace {

template <class Transform, class F, class... Targets>
struct call_into {
  std::tuple<Targets&...> targets;
  template <class... A>
  RICCI_INLINE void operator()(A const&... a) const {
    if constexpr (is_stateless<F>) {
      auto& r = targets;
      existing_results<(tree::count_leaves<Targets>() + ... + 0)> how;
      run_call<Transform, F>(const_cast<std::tuple<Targets&...>&>(r), how, in_memory(a)...);
      how.commit();
    } else {
      require_stateless<F>();
    }
  }
};

// A function under a transform.
template <class Transform, class F>
struct transformed {
  F f;

  template <class... A>
  RICCI_INLINE constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...)) return Transform::apply(f, a...);
    else return compiled(in_memory(a)...);
  }
  // writes the results into tensors that exist, one target for every result
  template <class... Targets>
  constexpr call_into<Transform, F, Targets...> into(Targets&... targets) const {
    return {{targets...}};
  }

 private:
  template <class... A>
  RICCI_INLINE static auto compiled(A const&... a) {
    // errors in f come out here, where the compiler's list of instantiations is still short
    if constexpr (is_stateless<F>) (void)sizeof(typename program<Transform, F, true, A...>::result_symbols);
    return call<Transform, F>(a...);
  }
};

}  // namespace trace

// f itself: traced, simplified, fused, evaluated.
template <class F>
constexpr auto fn(F const& f) {
  return trace::transformed<trace::call_itself, F>{f};
}

// The gradient of f, whose result is one number, with respect to argument 0, or to those that are named: `rc::grad<0, 2>(f)` gives
// a tuple. The gradient has the structure of the argument.
template <int... I, class F>
constexpr auto grad(F const& f) {
  if constexpr (sizeof...(I) == 0) return trace::transformed<trace::gradient<false, 0>, F>{f};
  else return trace::transformed<trace::gradient<false, I...>, F>{f};
}
// The pair of value and gradient.
template <int... I, class F>
constexpr auto value_and_grad(F const& f) {
  if constexpr (sizeof...(I) == 0) return trace::transformed<trace::gradient<true, 0>, F>{f};
  else return trace::transformed<trace::gradient<true, I...>, F>{f};
}

namespace trace {

// jvp(f)(x...), waiting for tangents; it holds copies of arguments that were temporary, and refers to the others.
template <class F, class... A>
struct jvp_at {
  F f;
  std::tuple<A...> arguments;
  template <class... T>
  constexpr auto operator()(T const&... tangents) const {
    static_assert(sizeof...(T) == sizeof...(A), "jvp takes one tangent for every argument");
    return tree::apply([&](auto const&... a) { return transformed<pushforward, F>{f}(a..., tangents...); }, arguments);
  }
};
template <class F>
struct jvp_of {
  F f;
  template <class... A>
  constexpr auto operator()(A&&... a) const {
    return jvp_at<F, A...>{f, std::tuple<A...>(static_cast<A&&>(a)...)};
  }
};

}  // namespace trace

// `auto [value, tangent] = rc::jvp(f)(x, y)(dx, dy)`: f's value and its derivative in the direction of the tangents.
template <class F>
constexpr auto jvp(F const& f) {
  return trace::jvp_of<F>{f};
}

}  // namespace ricci
