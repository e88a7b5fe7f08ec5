// Steps along the solution of dy/dt = f(y, t): Dormand and Prince's method of order 5 with an estimate of its error of
// order 4 [Dormand and Prince, A family of embedded Runge-Kutta formulae, 1980], whose steps are as large as tolerances
// allow [Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4], and end at each of the
// times that are asked for.
#pragma once

#include <ricci/autodiff/control.hpp>
#include <ricci/autodiff/loops.hpp>
#include <ricci/ops/converged.hpp>
#include <ricci/ops/cumulative.hpp>

namespace ricci {

// How `rc::odeint` goes along: the error of a step is at most `atol + rtol * |y|`, as a root mean square over the
// elements of y.
struct ode_options {
  double rtol = 1.4e-8, atol = 1.4e-8;
  int max_steps = 10000;  // between two times
};

namespace tracing {
inline namespace RICCI_ABI {

struct odeint_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "odeint";
};

// (of no elements 0, where a mean would be NaN)
template <class X, class Tolerance>
constexpr auto in_tolerances(X const& x, X const& scale, Tolerance const& rtol, Tolerance const& atol) {
  auto const part = x / (atol + rtol * abs(scale));
  auto const squares = sum(part * part);
  using S = std::remove_const_t<decltype(squares)>;
  return sqrt(S{squares.v / maximum(ir::count_over(x.v, (1 << X::rank) - 1), 1.)});
}

// The states at all times, that at the first one being y0. f(y, t) returns what is like y; Y and T are symbols, ts of
// order 1.
template <class F, class Y, class Ts>
constexpr auto states_at(F const& f, Y const& y0, Ts const& ts, double rtol, double atol, int max_steps) {
  using T = typename Y::value_type;
  using Mode = typename Y::mode;
  using Time = symbol<T, extents<>, Mode>;
  auto& g = *y0.v.g;
  index_t const n = ir::find(g, ts.v.shape().extent[0]);
  ir::graph_context<typename Mode::graph> of_times{g, ir::facts_of<odeint_t>(), ts.v.shape_id(), y0.v.shape_id()};
  if (ir::is_symbolic(n))
    of_times.require(ir::check_kind::positive, n, 1);
  else if (n < 1)
    of_times.fail();
  Time const begin{ir::element_of(ts.v, 0, 0)};
  auto const rows = [&](index_t first) {  // all but the last, from the first or second on
    index_t const step = 1;
    shape_t const s{1, {ir::plus(g, n, -1)}};
    return symbol<T, extents<dyn>, Mode>{ir::slice(ts.v, ir::intern(g, s), &first, &step)};
  };
  Y const slope = f(y0, begin);
  // the first step: a hundredth of the way on which y would change as much as it is large
  auto const size = in_tolerances(y0, y0, rtol, atol), change = in_tolerances(slope, y0, rtol, atol);
  Time const first{where((size < 1e-5) | (change < 1e-5), T(1e-6), T(0.01) * size / change).v};
  auto const to_next = [&](auto const& carry, auto const& times) {
    auto const from = std::get<0>(times), to = std::get<1>(times);  // (clang captures no parts of a binding)
    auto const& [start, its_slope, guess] = carry;
    Time const way{(to - from).v};
    auto const forwards = where(way < T(0), T(-1), T(1));
    // y, its slope, how much of the way is left, how long a step is, how many there were, the error of the last one
    auto const last = while_loop(
        [&](auto const& s) {
          auto const& [y, k1, left, h, count, error] = s;
          return (count < max_steps) & (left > T(0));
        },
        [&](auto const& s) {
          Y const y = std::get<0>(s), k1 = std::get<1>(s);
          Time const left = std::get<2>(s), h = std::get<3>(s);
          auto const count = std::get<4>(s);
          auto const is_last = h >= left;
          Time const taken{where(is_last, left, h).v}, dt{(forwards * taken).v}, t{(to - forwards * left).v};
          auto const at = [&](Y const& x, double c) { return f(x, Time{(t + T(c) * dt).v}); };
          auto const next = [&](auto const& sum) { return Y{(y + dt * sum).v}; };
          Y const k2 = at(next(T(1. / 5) * k1), 1. / 5);
          Y const k3 = at(next(T(3. / 40) * k1 + T(9. / 40) * k2), 3. / 10);
          Y const k4 = at(next(T(44. / 45) * k1 - T(56. / 15) * k2 + T(32. / 9) * k3), 4. / 5);
          Y const k5 = at(
              next(T(19372. / 6561) * k1 - T(25360. / 2187) * k2 + T(64448. / 6561) * k3 - T(212. / 729) * k4), 8. / 9);
          Y const k6 = at(next(T(9017. / 3168) * k1 - T(355. / 33) * k2 + T(46732. / 5247) * k3 + T(49. / 176) * k4 -
                               T(5103. / 18656) * k5),
                          1);
          Y const then = next(T(35. / 384) * k1 + T(500. / 1113) * k3 + T(125. / 192) * k4 - T(2187. / 6784) * k5 +
                              T(11. / 84) * k6);
          Y const k7 = at(then, 1);
          Y const off{(dt * (T(71. / 57600) * k1 - T(71. / 16695) * k3 + T(71. / 1920) * k4 - T(17253. / 339200) * k5 +
                             T(22. / 525) * k6 - T(1. / 40) * k7))
                          .v};
          Time const wrong{in_tolerances(off, Y{maximum(abs(y), abs(then)).v}, rtol, atol).v};
          auto const good = wrong <= T(1);
          auto const factor =
              where(isfinite(wrong), clip(T(0.9) * pow(maximum(wrong, T(1e-10)), T(-0.2)), T(0.2), T(10)), T(0.2));
          auto const proposed = taken * factor;
          return std::tuple(Y{where(good, then, y).v}, Y{where(good, k7, k1).v},
                            Time{where(good, where(is_last, T(0), left - taken), left).v},
                            Time{where(good & is_last, maximum(h, proposed), proposed).v}, count + 1, wrong);
        },
        // (a time that is no number is what is left to be said where no step is taken)
        std::tuple(start, its_slope, Time{abs(way).v}, guess, 0, Time{where(isfinite(way), T(0), way).v}));
    auto const& [y, k1, left, h, count, error] = last;
    Y const state{when_converged<odeint_t>(y.v, (left <= T(0)).v, value_in(g, count), error.v)};
    return std::tuple(std::tuple(state, k1, h), state);
  };
  auto const all = scan(to_next, std::tuple(y0, slope, first), std::tuple(rows(0), rows(1)));
  auto const later = std::get<1>(all);
  shape_t s = later.v.shape();
  s.extent[0] = n;
  ir::value<Mode> const parts[] = {ir::expand(y0.v, 0), later.v};
  return concat_t::joined(parts, 2, 0, ir::intern(g, s));
}

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
