// `auto [value, pull] = rc::vjp(f)(x, y)`: f's value, and a function from a cotangent of it to one of every argument,
// which may be called any number of times (linear_map.hpp).
#pragma once

#include <ricci/autodiff/linear_map.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// The pullback inside a traced function.
template <class Mode, class Args, class Out>
struct symbolic_pull {
  recorded_call<Mode, Args, Out> call;
  template <class Ct>
  constexpr Args operator()(Ct const& cotangent) const {
    return pullback::pulled<Mode>(*call.g, call.begin, call.outs, call.args, cotangent);
  }
};

template <class F>
struct vjp_of {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...)) {
      return [&]<class Mode, class Args, class Out>(recorded_call<Mode, Args, Out> const& call) {
        return std::pair(call.out, symbolic_pull<Mode, Args, Out>{call});
      }(record_call(f, a...));
    } else {
      return compiled(in_memory(a)...);
    }
  }

 private:
  template <class... A>
  static auto compiled(A const&... a) {
    (void)sizeof(function_without_state<F>);
    if constexpr (is_stateless<F>) {
      return value_and_map<backwards, F>(a...);
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `auto [value, pull] = rc::vjp(f)(x, y); auto [cx, cy] = pull(cotangent);`. The cotangent has the structure and shapes
// of the value, else it is a compile error or a shape_error (in a traced function it may be one that is broadcast to
// them); those that it gives have the structures and shapes of x and y.
template <class F>
constexpr auto vjp(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::vjp_of<F>{f};
}

}  // namespace ricci
