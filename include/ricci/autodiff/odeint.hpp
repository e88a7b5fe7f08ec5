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

// Asked for by its size, so that what it says is the first message.
template <class F, class Y, class T, class... A>
struct ode_function {
  static constexpr bool is_called = std::is_invocable_v<F const&, Y const&, T const&, A const&...>;
  static_assert(is_called,
                "odeint: the function is called as f(y, t, a...), with the state, the time, and what stands behind the "
                "options; it takes other arguments, or its body does not compile, which another message says");
};

// The same of what it returns. Where extents are dynamic this shows when it runs.
template <class Y, class Slope>
constexpr bool is_slope_of() {
  if constexpr (is_symbol<Y> && operands<Slope>)
    return shapes::may_be_equal<typename Y::extents, typename operand_extents<Slope>::type>();
  else
    return true;
}
template <class Y, class Slope>
struct ode_slope {
  static_assert(is_slope_of<Y, Slope>(),
                "odeint: what f(y, t) returns has the extents of the state y (both: see the types above); the call is "
                "rc::odeint(f, y0, ts), with the state before the times, in f, too");
};

// Whether a call is one in a traced function: an argument is a symbol, or f has captured one.
template <class F, class Y, class Ts, class... A>
constexpr bool is_traced_ode() {
  if constexpr (is_traced<Y, Ts, A...>)
    return true;
  else
    return is_traced<decltype(std::declval<F const&>()(std::declval<Y const&>(), 0., std::declval<A const&>()...))>;
}
struct integrating {
  template <class F, class Y, class Ts, class Options, class... A>
  static constexpr auto apply(F const& f, Y const& initial, Ts const& times, Options const& options, A const&... a) {
    using Mode = typename decltype([] {
      if constexpr (is_traced<Y, Ts, A...>)
        return mode_in_trees<Y, Ts, A...>();
      else
        return mode_in_trees<decltype(std::declval<F const&>()(initial, 0., a...))>();
    }())::type;
    auto& g = [&]() -> auto& {
      if constexpr (is_traced<Y, Ts, A...>)
        return graph_in<Mode>(initial, times, a...);
      else
        return graph_in<Mode>(f(initial, 0., a...));
    }
    ();
    (void)(tensors_in_trace<Mode, Y>() + tensors_in_trace<Mode, Ts>());
    auto const y0 = as_strong_symbols<Mode>(g, initial);
    auto const ts = as_strong_symbols<Mode>(g, times);
    using S = std::remove_const_t<decltype(y0)>;
    using E = std::remove_const_t<decltype(ts)>;
    using T = element_type_in_t<S>;
    using V = ir::value<Mode>;
    static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>,
                  "odeint: a state is of float or double, one of them in all of its tensors");
    static_assert(E::rank == 1,
                  "odeint: the times, which stand behind the state, are a tensor of order 1: "
                  "rc::odeint(f, y0, ts)");
    raveled<S> const all{y0};
    using vector = typename raveled<S>::vector_type;
    auto const field = [&](V y, V t) {
      S const state = all.tree(vector{y});
      auto const slope = f(state, symbol<T, extents<>, Mode>{t}, a...);
      (void)sizeof(ode_slope<S, std::remove_const_t<decltype(slope)>>);
      return all.vector(like_unknown<odeint_t>(state, slope)).v;
    };
    auto const number = [&](auto const& x, dtype type) { return ir::cast(lifted<Mode>(g, x, type), type); };
    auto const& [rtol, atol, max_steps] = options;
    ode_option_values<Mode> const values{number(rtol, dtype_of<T>), number(atol, dtype_of<T>),
                                         number(max_steps, dtype::int64)};
    V const start = all.vector(y0).v;
    index_t const n = ir::find(g, ts.v.shape().extent[0]);
    ir::graph_context<typename Mode::graph> of_times{g, ir::facts_of<odeint_t>(), ts.v.shape_id(), start.shape_id()};
    if (ir::is_symbolic(n))
      of_times.require(ir::check_kind::positive, n, 1);
    else if (n < 1)
      of_times.fail();
    V const moments = when_in_order<odeint_t>(ir::cast(ts.v, dtype_of<T>));
    using Field = std::remove_const_t<decltype(field)>;
    return all.template trees<E::extents::value.extent[0]>(
        trajectory<Mode>(slope_field_by<Mode, Field>(field), start, moments, values));
  }
};
// As a function of its arguments alone, which is compiled and called with tensors.
template <class F>
struct odeint_by {
  F f;
  template <class Y, class Ts, class Options, class... A>
  constexpr auto operator()(Y const& y0, Ts const& ts, Options const& options, A const&... a) const {
    return integrating::apply(f, y0, ts, options, a...);
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// The states y at the times ts, along a new first axis, the first of them y0: f(y, t, a...) says how y changes, and is
// like y, a tensor or number of float or double, or a record or tuple of such; ts are finite and ascend or descend,
// else a value_error says so. Steps are those of Dormand and Prince (ode_steps.hpp), as large as the options allow,
// which may be numbers that are known when it runs; where more than max_steps would be taken from one time to the next,
// a value_error says so. Derivatives are with respect to y0, ts, a and what f captures, by further equations of this
// kind (trajectories.hpp), to the same tolerances.
template <class F, class Y, class Ts, class... A>
constexpr auto odeint(F const& f, Y const& y0, Ts const& ts, ode_options const& options, A const&... a) {
  static_assert(!Tensor<F>, "odeint takes the function first, then the state, then the times: rc::odeint(f, y0, ts)");
  if constexpr (Tensor<F>)
    return y0;
  else if constexpr (tracing::is_traced<Y, Ts, A...>)
    return tracing::integrating::apply(f, y0, ts, options, a...);
  else if constexpr (!tracing::ode_function<F, Y, double, A...>::is_called)
    return y0;  // it is said what is wrong
  else if constexpr (tracing::is_traced_ode<F, Y, Ts, A...>())
    return tracing::integrating::apply(f, y0, ts, options, a...);
  else
    return fn(tracing::odeint_by<F>{f})(y0, ts, options, a...);
}
template <class F, class Y, class Ts>
constexpr auto odeint(F const& f, Y const& y0, Ts const& ts) {
  return odeint(f, y0, ts, ode_options{});
}
// options that are an argument of a traced function
template <class F, class Y, class Ts, class Options, class... A>
requires tree::stands_for<Options, ode_options>
constexpr auto odeint(F const& f, Y const& y0, Ts const& ts, Options const& options, A const&... a) {
  return tracing::integrating::apply(f, y0, ts, options, a...);
}
RICCI_WRONG_CALL(
    odeint,
    "odeint is called as rc::odeint(f, y0, ts) or rc::odeint(f, y0, ts, {.rtol = 1e-6}, a...), where f(y, t, "
    "a...) is the derivative, ts is a tensor of the times at which the state is given, and a... are what f "
    "takes behind the time")

}  // namespace ricci
