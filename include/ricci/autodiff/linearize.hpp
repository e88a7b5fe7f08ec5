// `auto [value, push] = rc::linearize(f)(x, y); auto dz = push(dx, dy);`: f's value, and its derivative as a linear map
// from tangents of the arguments to that of the value. What does not depend on the tangents is computed with the value,
// once, and kept, so that each direction costs the linear part alone: Krylov methods, columns of a Jacobian.
#pragma once

#include <ricci/autodiff/linear_map.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// From one tangent for every argument; copies share what is kept.
template <class F, class... A>
class push_function {
 public:
  explicit push_function(linear_map<forwards, F, A...> const& map) : map_(map) {}
  // how much memory it keeps
  index_t bytes() const { return map_.bytes(); }

  template <class... T>
  auto operator()(T const&... tangents) const {
    static_assert(sizeof...(T) == sizeof...(A), "linearize: one tangent for every argument");
    return map_(std::tuple<T const&...>(tangents...));
  }

 private:
  linear_map<forwards, F, A...> map_;
};

// The same inside a traced function.
template <class Mode, class Args, class Out>
struct symbolic_push {
  recorded_call<Mode, Args, Out> call;
  template <class... T>
  constexpr Out operator()(T const&... tangents) const {
    static_assert(sizeof...(T) == std::tuple_size_v<Args>, "linearize: one tangent for every argument");
    return pushforward::pushed<Mode>(*call.g, call.begin, call.end, call.args, call.out,
                                     std::tuple<T const&...>(tangents...));
  }
};

template <class F>
struct linearize_of {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...)) {
      return [&]<class Mode, class Args, class Out>(recorded_call<Mode, Args, Out> const& call) {
        return std::pair(call.out, symbolic_push<Mode, Args, Out>{call});
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
      auto both = value_and_map<forwards, F>(a...);
      using value_type = typename decltype(both)::first_type;
      return std::pair<value_type, push_function<F, A...>>(static_cast<value_type&&>(both.first),
                                                           push_function<F, A...>(both.second));
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `auto [value, push] = rc::linearize(f)(x, y)`. push(dx, dy) is the tangent of the value, of its structure and shapes;
// tangents have the structures and shapes of the arguments, else it is a compile error or a shape_error (in a traced
// function they may be such that are broadcast to them). `push.bytes()` says what is kept.
template <class F>
constexpr auto linearize(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::linearize_of<F>{f};
}

}  // namespace ricci
