// Steps along the solution of dy/dt = f(y, t): Dormand and Prince's method of order 5 with an estimate of its error of
// order 4 [Dormand and Prince, A family of embedded Runge-Kutta formulae, 1980], whose steps are as large as tolerances
// allow [Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4], and end at the last of
// the times that are asked for. Where others lie in a step, the states there are those of the method's continuous
// extension, of order 4 [the same, section II.6; the numbers are those of its program DOPRI5].
//
// All of it is written for values, whatever their types are, so that it is compiled once for all equations.
#pragma once

#include <ricci/autodiff/raveled.hpp>
#include <ricci/autodiff/value_loops.hpp>
#include <ricci/ops/converged.hpp>
#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/times_in_order.hpp>

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
  static constexpr unfinished_search unfinished{"has taken ", " steps between two times, the last with an error of ",
                                                " times what is allowed"};
};

// How a state changes, as a function of values; the result is like y.
template <class Mode>
struct slope_field {
  using V = ir::value<Mode>;
  constexpr virtual V operator()(V y, V t) const = 0;
};
template <class Mode, class F>
struct slope_field_by final : slope_field<Mode> {
  using V = ir::value<Mode>;
  F const& f;
  constexpr explicit slope_field_by(F const& function) : f(function) {}
  constexpr V operator()(V y, V t) const override { return f(y, t); }
};

// The options as values: of the state's type, the number of steps an integer.
template <class Mode>
struct ode_option_values {
  ir::value<Mode> rtol, atol, max_steps;
};

// Of each stage: where in the step it is, and what it adds of those before it. The last one is the next state.
struct dormand_prince {
  static constexpr int stages = 6;
  static constexpr double at[stages] = {1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
  static constexpr double adds[stages][stages] = {{1. / 5},
                                                  {3. / 40, 9. / 40},
                                                  {44. / 45, -56. / 15, 32. / 9},
                                                  {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                                  {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                                  {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
  static constexpr double error[stages + 1] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                               -17253. / 339200, 22. / 525, -1. / 40};
  static constexpr double dense[stages + 1] = {-12715105075. / 11282082432.,  0,
                                               87487479700. / 32700410799.,   -10690763975. / 1880347072.,
                                               701980252875. / 199316789632., -1453857185. / 822651844.,
                                               69997945. / 29380423.};
};

template <class Mode>
class ode_stepper {
 public:
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  // from y0 at the first of the times to the last of n
  constexpr ode_stepper(graph& g, slope_field<Mode> const& f, V y0, V ts, index_t n,
                        ode_option_values<Mode> const& options)
      : g_(g), f_(f), options_(options), begin_(ir::element_of(ts, 0, 0)) {
    V const way = ir::element_of(ts, 0, ir::plus(g, n, -1)) - begin_;
    whole_ = abs(way);
    forwards_ = where(way < 0., number(-1), number(1));
    V const slope = f(y0, begin_);
    // the first step: a hundredth of the way on which y would change as much as it is large
    V const size = in_tolerances(y0, y0), change = in_tolerances(slope, y0);
    x_[state] = y0, x_[its_slope] = slope, x_[gone] = number(0);
    x_[length] = where(V(size < 1e-5) | V(change < 1e-5), number(1e-6), V(size * 0.01 / change));
    x_[before] = y0, x_[bend] = x_[twist] = ir::zeros_like(y0), x_[taken] = number(1);
  }

  // The states at all times but the first, along a first axis.
  constexpr V states(V ts, index_t n) {
    index_t const second = 1, step = 1;
    V const rest = ir::slice(ts, ir::intern(g_, shape_t{1, {ir::plus(g_, n, -1)}}), &second, &step);
    if (n == 2) {
      advance(x_, whole_, false);
      return ir::expand(known(x_, whole_, x_[state]), 0);
    }
    return scan_values<Mode>(g_, ir::plus(g_, n, -1), x_, carries, [&](V* x, auto const& at) {
      V const target = abs(V(at(rest) - begin_));
      advance(x, target, true);
      return known(x, target, between(x, target));
    });
  }

 private:
  // what goes from one time to the next; then, of a search for one, the number of steps and the last error; what
  // stands behind `state_and_step` is of the last step, and read between its ends
  enum { state, its_slope, gone, length, state_and_step, before = state_and_step, bend, twist, taken, carries };

  graph& g_;
  slope_field<Mode> const& f_;
  ode_option_values<Mode> options_;
  V begin_, whole_{}, forwards_{};
  V x_[carries]{};
  V steps_{}, error_{};

  constexpr V number(double x) const { return ir::literal<Mode>(g_, x, begin_.type(), 0); }
  static constexpr V scaled(V x, V by) { return x * ir::broadcast_to(by, x.shape_id()); }
  static constexpr V chosen(V condition, V a, V b) { return where(ir::broadcast_to(condition, a.shape_id()), a, b); }
  // the root mean square of x beside the tolerances (of no elements 0, where a mean would be NaN)
  constexpr V in_tolerances(V x, V scale) const {
    auto const spread = [&](V y) { return ir::broadcast_to(y, x.shape_id()); };
    V const part = x / V(spread(options_.atol) + spread(options_.rtol) * abs(scale));
    int const all = (1 << x.rank()) - 1;
    return sqrt(V(ir::reduced<sum_t>(V(part * part), all, false) / maximum(ir::count_over(x, all), 1.)));
  }
  // the sum of some slopes
  static constexpr V sum_of(V const* k, double const* by, int n) {
    V sum{};
    for (int j = 0; j < n; ++j)
      if (by[j] != 0) sum = sum ? V(sum + k[j] * by[j]) : V(k[j] * by[j]);
    return sum;
  }

  // Steps until so much of the way is gone. Where states between the ends of the last one will be asked for, what they
  // are made of is carried along.
  constexpr void advance(V* x, V target, bool dense) {
    int const count = dense ? carries : state_and_step;
    V all[carries + 2]{};
    for (int k = 0; k < count; ++k) all[k] = x[k];
    all[count] = ir::integer_literal<Mode>(g_, 0, dtype::int64, 0), all[count + 1] = number(0);
    while_values<Mode>(
        g_, all, count + 2, [&](V const* y) { return V(V(y[count] < options_.max_steps) & V(y[gone] < target)); },
        [&](V* y) { step(y, y[count], y[count + 1], dense); });
    for (int k = 0; k < count; ++k) x[k] = all[k];
    steps_ = all[count], error_ = all[count + 1];
  }
  constexpr void step(V* x, V& count, V& error, bool dense) const {
    using method = dormand_prince;
    V const left = whole_ - x[gone], is_last = x[length] >= left;
    V const h = where(is_last, left, x[length]), dt = forwards_ * h, t = begin_ + forwards_ * x[gone];
    V k[method::stages + 1]{x[its_slope]}, next{};
    for (int s = 0; s < method::stages; ++s) {
      next = x[state] + scaled(sum_of(k, method::adds[s], s + 1), dt);
      k[s + 1] = f_(next, V(t + dt * method::at[s]));
    }
    V const& slope = k[method::stages];
    V const off = scaled(sum_of(k, method::error, method::stages + 1), dt);
    V const wrong = in_tolerances(off, maximum(abs(x[state]), abs(next))), good = wrong <= 1.;
    V const factor = where(isfinite(wrong), clip(V(pow(maximum(wrong, 1e-10), -0.2) * 0.9), 0.2, 10.), number(0.2));
    V const proposed = h * factor;
    if (dense) {
      V const change = next - x[state], curve = scaled(x[its_slope], dt) - change;
      x[before] = chosen(good, x[state], x[before]);
      x[bend] = chosen(good, curve, x[bend]);
      x[twist] = chosen(good, scaled(sum_of(k, method::dense, method::stages + 1), dt), x[twist]);
      x[taken] = where(good, h, x[taken]);
    }
    x[state] = chosen(good, next, x[state]), x[its_slope] = chosen(good, slope, x[its_slope]);
    x[gone] = where(good, where(is_last, whole_, V(x[gone] + h)), x[gone]);
    x[length] = where(V(good & is_last), maximum(x[length], proposed), proposed);
    count = count + 1, error = wrong;
  }
  // the state where so much of the way is gone, in the last step
  constexpr V between(V const* x, V target) const {
    V const left = maximum(V((x[gone] - target) / x[taken]), 0.), part = number(1) - left;
    V const change = x[state] - x[before];
    V const end = change - scaled(x[its_slope], V(forwards_ * x[taken])) - x[bend];
    V const inner = x[bend] + scaled(V(end + scaled(x[twist], left)), part);
    return x[state] + scaled(V(scaled(inner, part) - change), left);
  }
  constexpr V known(V const* x, V target, V y) const {
    return when_converged<odeint_t>(y, V(x[gone] >= target), steps_, error_);
  }
};

// The states at all times, that at the first one being y0; ts is a vector.
template <class Mode>
constexpr ir::value<Mode> states_at(slope_field<Mode> const& f, ir::value<Mode> y0, ir::value<Mode> ts,
                                    ode_option_values<Mode> const& options) {
  using V = ir::value<Mode>;
  auto& g = *y0.g;
  index_t const n = ir::find(g, ts.shape().extent[0]);
  V const later = ode_stepper<Mode>(g, f, y0, ts, n, options).states(ts, n);
  shape_t s = later.shape();
  s.extent[0] = n;
  V const parts[] = {ir::expand(y0, 0), later};
  return concat_t::joined(parts, 2, 0, ir::intern(g, s));
}

}  // namespace RICCI_ABI
}  // namespace tracing

}  // namespace ricci
