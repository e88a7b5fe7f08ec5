// Derivatives of what a differential equation defines, y(t) with dy/dt = f(y, t, a), however its states were found. In
// a graph that is, as in roots.hpp,
//
//   states                        y at the times ts, one after another, as steps along it have found them
//   unknown, unknown, f           a state and a time, for which f is recorded once
//   trajectory(states, y0, ts, unknown, unknown, f)    the states for all that follows
//
// Its tangents are integrated beside the states: dv/dt = (df/dy) v + (df/da) da. Cotangents go back from the last time
// to the first, by the adjoint equation dl/dt = -l (df/dy), beside the states once more and the integrals of l (df/da)
// [Chen et al., Neural ordinary differential equations, 2018, appendix B]; where there is a state, its cotangent is
// added. No step is kept. Both are trajectories, too, and so derived like any other.
#pragma once

#include <bit>

#include <ricci/autodiff/ode_steps.hpp>
#include <ricci/autodiff/roots.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

struct trajectory_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "trajectory";
};

// Records the states at times ts, and what they are made of. f(y, t) of symbols returns one like y.
template <class F, class Y, class Ts>
constexpr auto trajectory(F const& f, Y const& y0, Ts const& ts, ode_options const& options) {
  using Mode = typename Y::mode;
  using V = ir::value<Mode>;
  auto& g = *y0.v.g;
  int const begin = g.size;
  V const states = states_at(f, y0, ts, options.rtol, options.atol, options.max_steps);
  if constexpr (!Mode::runs) rules_of_searches<Mode>::mark(g, begin);
  V const y = unknown(ir::element_of(states, 0, 0)), t = unknown(ir::element_of(ts.v, 0, 0));
  V const slope = f(Y{y}, symbol<typename Y::value_type, extents<>, Mode>{t}).v;
  int const operands[] = {states.id, y0.v.id, ts.v.id, y.id, t.id, slope.id};
  index_t const attributes[] = {states.rank(), std::bit_cast<index_t>(options.rtol),
                                std::bit_cast<index_t>(options.atol), options.max_steps};
  return ir::record<trajectory_t, Mode>(g, states.type(), states.shape_id(), {operands, 6}, {attributes, 4});
}

template <class Mode, class T>
struct derived_trajectory {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;
  using Z = symbol<T, extents<dyn>, Mode>;  // several parts, flat and behind one another
  using Rows = symbol<T, extents<dyn, dyn>, Mode>;
  using Time = symbol<T, extents<>, Mode>;

  graph& g;
  V y;
  V y0, ts;
  equation<Mode> f;
  int time;       // the axis of the times, behind those of batches
  index_t n;      // how many there are
  shape_t state;  // of all states that belong to one time
  index_t m = 1;  // and how many elements they have
  ode_options options;

  constexpr derived_trajectory(graph& of, int id)
      : g(of),
        y{&g, id},
        y0(y.operand(1)),
        ts(y.operand(2)),
        f(g, g.in(id, 3), g.in(id, 5), g.in(id, 4)),
        time(y.rank() - int(g.attr(id, 0))),
        n(y.shape().extent[time]),
        state(shapes::reduced(y.shape(), 1 << time, false)),
        options{std::bit_cast<double>(g.attr(id, 1)), std::bit_cast<double>(g.attr(id, 2)), int(g.attr(id, 3))} {
    for (int k = 0; k < state.rank; ++k) m = ir::times(g, m, state.extent[k]);
  }

  // ---- parts of a flat state ----

  constexpr V flat(V x) const {
    return ir::reshape(ir::cast(x, dtype_of<T>), ir::intern(g, shape_t{1, {ir::element_count(x)}}));
  }
  constexpr V joined(V const* parts, int count) const {
    index_t size = 0;
    for (int k = 0; k < count; ++k) size = ir::plus(g, size, parts[k].shape().extent[0]);
    return concat_t::joined(parts, count, 0, ir::intern(g, shape_t{1, {size}}));
  }
  // elements [first, first + size) along an axis
  constexpr V part(V x, int axis, index_t first, index_t size) const {
    index_t starts[max_rank]{}, steps[max_rank]{};
    for (auto& step : steps) step = 1;
    starts[axis] = first;
    shape_t s = x.shape();
    s.extent[axis] = size;
    return ir::slice(x, ir::intern(g, s), starts, steps);
  }
  constexpr V as_state(V flat_one) const { return ir::reshape(flat_one, ir::intern(g, state)); }
  // (n, m), and back
  constexpr V rows_of(V x) const { return ir::reshape(ir::move_axis(x, time, 0), ir::intern(g, shape_t{2, {n, m}})); }
  constexpr V from_rows(V x) const {
    shape_t s{1, {n}};
    for (int k = 0; k < state.rank; ++k) s.push(state.extent[k]);
    return ir::move_axis(ir::reshape(x, ir::intern(g, s)), 0, time);
  }

  // f at a state and a time, which are variables of their own
  struct slope {
    V y;
    int r, end;
  };
  constexpr slope slope_at(V of, V t) const {
    V const x = as_variable{}(of);
    int const r = f.again(x.id, as_variable{}(t).id);
    return {x, r, g.size};
  }
  constexpr V time_of(index_t k) const { return ir::element_of(ts, 0, k); }
  // f at all states: (n, m)
  constexpr V slopes() const {
    auto const one = [&](Time const& none, auto const& row_and_time) {
      auto const& [row, t] = row_and_time;
      return std::tuple(none, Z{flat(V{&g, slope_at(as_state(row.v), t.v).r})});
    };
    Time const none{ir::literal<Mode>(g, 0, dtype_of<T>, 0)};
    return std::get<1>(scan(one, none, std::tuple(Rows{rows_of(y)}, Z{ts}))).v;
  }
  constexpr V times_each(V rows, V by) const { return rows * ir::broadcast_to(ir::expand(by, 1), rows.shape_id()); }

  // the tangent of all states
  constexpr V forward(captured_values const& by, V of_y0, V of_ts) const {
    V start = of_y0 ? of_y0 : ir::zeros_like(y0);
    V const along = of_ts ? slopes() : V{};
    if (of_ts) {
      V const first = as_state(ir::element_of(along, 0, 0)), dt = ir::element_of(of_ts, 0, 0);
      start = start - first * ir::broadcast_to(dt, first.shape_id());
    }
    auto const both = [&](Z const& z, Time const& t) {
      slope const s = slope_at(as_state(part(z.v, 0, 0, m)), t.v);
      captured_values wrt = by;
      wrt.add(s.y.id, as_state(part(z.v, 0, m, m)).id);
      int change = 0;
      transform::forward<Mode>(g, s.y.id, s.end, {wrt.id, wrt.count}, {wrt.other, wrt.count}, {&s.r, 1}, &change);
      V const parts[] = {flat(V{&g, s.r}), flat(change ? V{&g, change} : ir::zeros_like(V{&g, s.r}))};
      return Z{joined(parts, 2)};
    };
    V const parts[] = {flat(y0), flat(start)};
    V const all = trajectory(both, Z{joined(parts, 2)}, Z{ts}, options);
    V const tangents = part(all, 1, m, m);
    return from_rows(of_ts ? V(tangents + times_each(along, of_ts)) : tangents);
  }

  // the cotangents of y0, of ts, and of all that f has captured
  constexpr void reverse(V cotangent, captured_values& by, V& of_y0, V& of_ts) const {
    if (by.count > ir::max_operands - 4) limits::an_equation_reads_more_than_60_values_that_it_is_derived_by();
    V const cts = rows_of(cotangent), states = rows_of(y),
            zero = ir::literal<Mode>(g, 0, dtype_of<T>, ir::intern(g, shape_t{1, {1}}));
    auto const back = [&](Z const& z, Time const& t) {
      slope const s = slope_at(as_state(part(z.v, 0, 0, m)), t.v);
      V const ct = -as_state(part(z.v, 0, m, m));
      captured_values wrt = by;
      wrt.add(s.y.id, 0);
      transform::reversal<Mode> way{};
      way.begin(g, s.y.id, {&s.r, 1}, {&ct.id, 1}, {wrt.id, wrt.count});
      way.advance(g, s.y.id, s.end);
      V parts[ir::max_operands]{flat(V{&g, s.r})};
      int k = 1;
      auto const add = [&](int id) {
        int const found = way.cotangent[id];
        parts[k++] = flat(found ? V{&g, found} : ir::zeros_like(V{&g, id}));
      };
      add(s.y.id);
      parts[k++] = zero;
      for (int c = 0; c < by.count; ++c) add(by.id[c]);
      return Z{joined(parts, k)};
    };
    V sums[ir::max_operands]{zero};
    for (int c = 0; c < by.count; ++c) sums[1 + c] = flat(ir::zeros_like(V{&g, by.id[c]}));
    V const none = joined(sums, 1 + by.count);
    index_t const size = none.shape().extent[0], twice = ir::plus(g, m, m);
    auto const one = [&](auto const& carry, auto const& at) {
      auto const& [l, sum] = carry;
      auto const& [row, ct, to, from] = at;
      V const reached = l.v + ct.v, parts[] = {row.v, reached, sum.v};
      V const times[] = {ir::expand(to.v, 0), ir::expand(from.v, 0)};
      V const z = ir::element_of(trajectory(back, Z{joined(parts, 3)}, Z{joined(times, 2)}, options), 0, 1);
      V const by_time = ct.v * flat(V{&g, slope_at(as_state(row.v), to.v).r});
      return std::tuple(std::tuple(Z{part(z, 0, m, m)}, Z{part(z, 0, twice, size)}), Z{by_time});
    };
    index_t const rest = ir::plus(g, n, -1);
    auto const backwards = [&](V x, index_t first) { return ir::flip(part(x, 0, first, rest), 1); };
    auto const all =
        scan(one, std::tuple(Z{flat(ir::zeros_like(y0))}, Z{none}),
             std::tuple(Rows{backwards(states, 1)}, Rows{backwards(cts, 1)}, Z{backwards(ts, 1)}, Z{backwards(ts, 0)}));
    V const l = std::get<0>(std::get<0>(all)).v, sum = std::get<1>(std::get<0>(all)).v;
    of_y0 = as_state(V(l + ir::element_of(cts, 0, 0)));
    auto const total = [](V x) { return sum_t::record(reduction_axes{1, {-1}, false}, x); };
    V const by_first = -total(V(l * flat(V{&g, slope_at(y0, time_of(0)).r})));
    V const by_times[] = {ir::expand(by_first, 0), ir::flip(total(std::get<1>(all).v), 1)};
    of_ts = concat_t::joined(by_times, 2, 0, ts.shape_id());
    index_t at = 1;
    for (int c = 0; c < by.count; ++c) {
      V const x{&g, by.id[c]};
      V const own = ir::reshape(part(sum, 0, at, ir::element_count(x)), x.shape_id());
      by.other[c] = ir::cast(own, x.type()).id;
      at = ir::plus(g, at, ir::element_count(x));
    }
  }
};

template <class Mode>
struct rules_of_trajectories {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  template <class F>
  static constexpr void with(graph& g, int id, F const& f) {
    if (g.ins[id].type == dtype::float32)
      f(derived_trajectory<Mode, float>(g, id));
    else
      f(derived_trajectory<Mode, double>(g, id));
  }
  static constexpr void forward(graph& g, int id, int* tangent) {
    auto const by = equation<Mode>(g, g.in(id, 3), g.in(id, 5), g.in(id, 4)).with_tangents(tangent);
    V const of_y0{&g, tangent[g.in(id, 1)]}, of_ts{&g, tangent[g.in(id, 2)]};
    if (by.count == 0 && !of_y0 && !of_ts) return;
    with(g, id, [&](auto const& at) { tangent[id] = at.forward(by, of_y0, of_ts).id; });
  }
  static constexpr void reverse(graph& g, int id, bool const* active, int* cotangent) {
    if (cotangent[id] == 0) return;
    with(g, id, [&](auto const& at) {
      captured_values by = at.f.active_ones(active);
      V of_y0{}, of_ts{};
      at.reverse(V{&g, cotangent[id]}, by, of_y0, of_ts);
      auto const add = [&](int x, int ct) { transform::accumulate_cotangent<Mode>(g, x, ct, active, cotangent); };
      add(at.y0.id, of_y0.id), add(at.ts.id, of_ts.id);
      for (int k = 0; k < by.count; ++k) add(by.id[k], by.other[k]);
    });
  }
  // The states of all elements at the same times are one state.
  static constexpr void batch(graph& g, int id, index_t n, int* of) {
    bool any = false;
    for (int k = 0; k < g.ins[id].count; ++k) any = any || of[g.in(id, k)] != 0;
    if (!any) return;
    if (of[g.in(id, 2)] != 0) limits::the_times_of_a_differential_equation_are_a_batch();
    transform::batcher<Mode> by(g, n, of);
    int const operands[] = {
        by.whole(g.in(id, 0)).id, by.whole(g.in(id, 1)).id, g.in(id, 2), of[g.in(id, 3)], g.in(id, 4),
        by.whole(g.in(id, 5)).id};
    index_t attributes[4]{};
    for (int k = 0; k < 4; ++k) attributes[k] = g.attr(id, k);
    auto i = g.ins[id];
    i.shape = ir::with_first_axis(g, n, g.shape(id));
    of[id] = ir::append(g, i, {operands, 6}, {attributes, 4});
  }
  static constexpr ir::loop_rules<graph> table{&forward, &reverse, &batch};
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing

namespace ricci::ir {

template <class Mode>
struct rules_of<tracing::trajectory_t, Mode> {
  static constexpr op_rules<typename Mode::graph> table{nullptr, nullptr, nullptr,
                                                        &tracing::rules_of_trajectories<Mode>::table};
};

}  // namespace ricci::ir
