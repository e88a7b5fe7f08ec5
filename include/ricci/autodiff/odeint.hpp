// `rc::odeint(f, y0, ts)`: the solution of dy/dt = f(y, t) with y(ts[0]) = y0, at the times ts.
//
//   auto decay = [](auto k) {
//     return rc::odeint([=](auto y, auto t) { return -k * y; }, rc::tensor<double, 1>{1}, rc::tensor<double, 2>{0, 2});
//   };
#pragma once

#include <ricci/autodiff/custom_root.hpp>
#include <ricci/autodiff/trajectories.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

template <class F, class Y, class Ts>
constexpr bool is_traced_ode() {
  if constexpr (is_traced<Y, Ts>)
    return true;
  else
    return is_traced<decltype(std::declval<F const&>()(std::declval<Y const&>(), 0.))>;
}
struct integrating {
  template <class F, class Y, class Ts>
  static constexpr auto apply(F const& f, Y const& initial, Ts const& times, ode_options const& options) {
    static_assert(Tensor<Y> || Arithmetic<Y>, "odeint: a state is one tensor or number");
    using Mode = std::conditional_t<is_traced<Y, Ts>, mode_t<Y, Ts>, mode_t<decltype(f(initial, 0.))>>;
    auto& g = [&]() -> auto& {
      if constexpr (is_traced<Y, Ts>)
        return graph_in<Mode>(initial, times);
      else
        return graph_in<Mode>(f(initial, 0.));
    }
    ();
    (void)(tensors_in_trace<Mode, Y>() + tensors_in_trace<Mode, Ts>());
    auto const y0 = as_strong_symbols<Mode>(g, initial);
    auto const ts = as_strong_symbols<Mode>(g, times);
    using S = std::remove_const_t<decltype(y0)>;
    using E = std::remove_const_t<decltype(ts)>;
    using T = typename S::value_type;
    static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>, "odeint: a state is of float or double");
    static_assert(E::rank == 1, "odeint: the times are a tensor of order 1");
    auto const of = [&f](S const& y, auto const& t) { return like_unknown<odeint_t>(y, f(y, t)); };
    auto const states = trajectory(of, y0, symbol<T, typename E::extents, Mode>{ir::cast(ts.v, dtype_of<T>)}, options);
    using all = extents_of_shape<shapes::with_axis<typename S::extents, 0, E::extents::value.extent[0]>>;
    return symbol<T, all, Mode>{states};
  }
};
template <class F>
struct odeint_by {
  F f;
  template <class Y, class Ts>
  constexpr auto operator()(Y const& y0, Ts const& ts) const {
    return integrating::apply(f, y0, ts, ode_options{});
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// The states y at the times ts, along a new first axis, the first of them y0: f(y, t) says how y changes, and is like
// y, one tensor or number of float or double; ts ascend or descend. Steps are those of Dormand and Prince
// (ode_steps.hpp) and end at each time; where more than max_steps would be taken from one time to the next, a
// value_error says so. Derivatives are with respect to y0, ts and what f captures, by further equations of this kind
// (trajectories.hpp), to the same tolerances.
template <class F, class Y, class Ts>
constexpr auto odeint(F const& f, Y const& y0, Ts const& ts, ode_options options) {
  static_assert(tracing::is_traced_ode<F, Y, Ts>(), "odeint: options are given within a traced function");
  return tracing::integrating::apply(f, y0, ts, options);
}
template <class F, class Y, class Ts>
constexpr auto odeint(F const& f, Y const& y0, Ts const& ts) {
  if constexpr (tracing::is_traced_ode<F, Y, Ts>())
    return tracing::integrating::apply(f, y0, ts, ode_options{});
  else
    return fn(tracing::odeint_by<F>{f})(y0, ts);
}

}  // namespace ricci
