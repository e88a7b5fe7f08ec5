// Derivatives of what a differential equation defines, y(t) with dy/dt = f(y, t, a), however its states were found. In
// a graph that is, as in roots.hpp,
//
//   states                        y at the times ts, one after another, as steps along it have found them
//   unknown, unknown, f           a state and a time, for which f is recorded once
//   trajectory(states, y0, ts, unknown, unknown, f, options...)    the states for all that follows
//
// Its tangents are integrated beside the states: dv/dt = (df/dy) v + (df/da) da. Cotangents go back from the last time
// to the first, by the adjoint equation dl/dt = -l (df/dy), beside the states once more and the integrals of l (df/da)
// [Chen et al., Neural ordinary differential equations, 2018, appendix B]; where there is a state, its cotangent is
// added. No step is kept. Both are trajectories, too, and so derived like any other.
#pragma once

#include <ricci/autodiff/equation.hpp>
#include <ricci/autodiff/ode_steps.hpp>
#include <ricci/autodiff/solves.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

struct trajectory_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "trajectory";
};

// Records the states at times ts, and what they are made of.
template <class Mode>
constexpr ir::value<Mode> trajectory(slope_field<Mode> const& f, ir::value<Mode> y0, ir::value<Mode> ts,
                                     ode_option_values<Mode> const& options) {
  using V = ir::value<Mode>;
  auto& g = *y0.g;
  int const begin = g.size;
  V const states = states_at(f, y0, ts, options);
  rules_of_searches<Mode>::mark(g, begin);
  V const y = unknown(ir::element_of(states, 0, 0)), t = unknown(ir::element_of(ts, 0, 0)), slope = f(y, t);
  int const operands[] = {states.id,           y0.id, ts.id, y.id, t.id, slope.id, options.rtol.id, options.atol.id,
                          options.max_steps.id};
  index_t const order = states.rank();
  return ir::record<trajectory_t, Mode>(g, states.type(), states.shape_id(), {operands, 9}, {&order, 1});
}

template <class Mode>
struct derived_trajectory {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  graph& g;
  V y;
  V y0, ts;
  equation<Mode> f;
  int time;       // the axis of the times, behind those of batches
  index_t n;      // how many there are
  shape_t state;  // of all states that belong to one time
  index_t m = 1;  // and how many elements they have
  ode_option_values<Mode> options;

  constexpr derived_trajectory(graph& of, int id)
      : g(of),
        y{&g, id},
        y0(y.operand(1)),
        ts(y.operand(2)),
        f(g, g.in(id, 3), g.in(id, 5), g.in(id, 4)),
        time(y.rank() - int(g.attr(id, 0))),
        n(y.shape().extent[time]),
        state(shapes::reduced(y.shape(), 1 << time, false)),
        options{y.operand(6), y.operand(7), y.operand(8)} {
    if (ts.rank() != 1 || options.rtol.rank() + options.atol.rank() + options.max_steps.rank() != 0)
      limits::a_differential_equation_is_derived_that_has_batches_of_times_or_options_vmap_the_derivative();
    for (int k = 0; k < state.rank; ++k) m = ir::times(g, m, state.extent[k]);
  }

  // ---- parts of a flat state ----

  constexpr V flat(V x) const { return ir::flattened(ir::cast(x, y.type())); }
  constexpr V flat(int id, int like) const { return flat(id ? V{&g, id} : ir::zeros_like(V{&g, like})); }
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
  constexpr V flat_slope(V of, V t) const { return flat(V{&g, slope_at(as_state(of), t).r}); }
  constexpr V times_each(V rows, V by) const { return rows * ir::broadcast_to(ir::expand(by, 1), rows.shape_id()); }
  template <class F>
  constexpr V integrated(F const& field, V from, V times) const {
    return trajectory<Mode>(slope_field_by<Mode, F>(field), from, times, options);
  }

  // the tangent of all states
  constexpr V forward(captured_values const& by, V of_y0, V of_ts) const {
    V start = of_y0 ? of_y0 : ir::zeros_like(y0), along{};
    if (of_ts) {
      V const rows = rows_of(y);
      V none[1]{};
      along = scan_values<Mode>(g, n, none, 0, [&](V*, auto const& at) { return flat_slope(at(rows), at(ts)); });
      V const first = as_state(ir::element_of(along, 0, 0)), dt = ir::element_of(of_ts, 0, 0);
      start = start - first * ir::broadcast_to(dt, first.shape_id());
    }
    auto const both = [&](V z, V t) {
      slope const s = slope_at(as_state(ir::stretch(z, 0, 0, m)), t);
      captured_values wrt = by;
      wrt.add(s.y.id, as_state(ir::stretch(z, 0, m, m)).id);
      int change = 0;
      transform::forward<Mode>(g, s.y.id, s.end, {wrt.id, wrt.count}, {wrt.other, wrt.count}, {&s.r, 1}, &change);
      V const parts[] = {flat(V{&g, s.r}), flat(change, s.r)};
      return joined_vectors(parts, 2);
    };
    V const parts[] = {flat(y0), flat(start)};
    V const tangents = ir::stretch(integrated(both, joined_vectors(parts, 2), ts), 1, m, m);
    return from_rows(of_ts ? V(tangents + times_each(along, of_ts)) : tangents);
  }

  // the cotangents of y0, of ts, and of all that f has captured
  constexpr void reverse(V cotangent, captured_values& by, V& of_y0, V& of_ts) const {
    V const cts = rows_of(cotangent), states = rows_of(y),
            zero = ir::literal<Mode>(g, 0, y.type(), ir::intern(g, shape_t{1, {1}}));
    auto const back = [&](V z, V t) {
      slope const s = slope_at(as_state(ir::stretch(z, 0, 0, m)), t);
      V const ct = -as_state(ir::stretch(z, 0, m, m));
      captured_values wrt = by;
      wrt.add(s.y.id, 0);
      transform::reversal<Mode> way{};
      way.begin(g, s.y.id, {&s.r, 1}, {&ct.id, 1}, {wrt.id, wrt.count});
      way.advance(g, s.y.id, s.end);
      V parts[max_leaves + 3]{flat(V{&g, s.r}), flat(way.cotangent[s.y.id], s.y.id), zero};
      for (int c = 0; c < by.count; ++c) parts[3 + c] = flat(way.cotangent[by.id[c]], by.id[c]);
      return joined_vectors(parts, 3 + by.count);
    };
    V sums[max_leaves + 1]{zero};
    for (int c = 0; c < by.count; ++c) sums[1 + c] = flat(0, by.id[c]);
    V const none = joined_vectors(sums, 1 + by.count);
    index_t const size = none.shape().extent[0], twice = ir::plus(g, m, m), rest = ir::plus(g, n, -1);
    auto const backwards = [&](V x, index_t first) { return ir::flip(ir::stretch(x, 0, first, rest), 1); };
    V const rows = backwards(states, 1), their_cts = backwards(cts, 1), ends = backwards(ts, 1),
            begins = backwards(ts, 0);
    V x[] = {flat(ir::zeros_like(y0)), none};
    V const by_times = scan_values<Mode>(g, rest, x, 2, [&](V* carry, auto const& at) {
      V const row = at(rows), ct = at(their_cts), to = at(ends);
      V const parts[] = {row, V(carry[0] + ct), carry[1]}, times[] = {ir::expand(to, 0), ir::expand(at(begins), 0)};
      V const z = ir::element_of(integrated(back, joined_vectors(parts, 3), joined_vectors(times, 2)), 0, 1);
      carry[0] = ir::stretch(z, 0, m, m), carry[1] = ir::stretch(z, 0, twice, size);
      return V(ct * flat_slope(row, to));
    });
    of_y0 = as_state(V(x[0] + ir::element_of(cts, 0, 0)));
    V const by_first = -ir::reduced<sum_t>(V(x[0] * flat_slope(flat(y0), ir::element_of(ts, 0, 0))), 1, false);
    V const all[] = {ir::expand(by_first, 0), ir::flip(ir::reduced<sum_t>(by_times, 2, false), 1)};
    of_ts = concat_t::joined(all, 2, 0, ts.shape_id());
    index_t at = 1;
    for (int c = 0; c < by.count; ++c) {
      V const of{&g, by.id[c]};
      index_t const count = ir::element_count(of);
      by.other[c] = ir::cast(ir::reshape(ir::stretch(x[1], 0, at, count), of.shape_id()), of.type()).id;
      at = ir::plus(g, at, count);
    }
  }
};

template <class Mode>
struct rules_of_trajectories {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  static constexpr void forward(graph& g, int id, int* tangent) {
    auto const by = equation<Mode>(g, g.in(id, 3), g.in(id, 5), g.in(id, 4)).with_tangents(tangent);
    V const of_y0{&g, tangent[g.in(id, 1)]}, of_ts{&g, tangent[g.in(id, 2)]};
    if (by.count == 0 && !of_y0 && !of_ts) return;
    tangent[id] = derived_trajectory<Mode>(g, id).forward(by, of_y0, of_ts).id;
  }
  static constexpr void reverse(graph& g, int id, bool const* active, int* cotangent) {
    if (cotangent[id] == 0) return;
    derived_trajectory<Mode> const at(g, id);
    captured_values by = at.f.active_ones(active);
    V of_y0{}, of_ts{};
    at.reverse(V{&g, cotangent[id]}, by, of_y0, of_ts);
    auto const add = [&](int x, int ct) { transform::accumulate_cotangent<Mode>(g, x, ct, active, cotangent); };
    add(at.y0.id, of_y0.id), add(at.ts.id, of_ts.id);
    for (int k = 0; k < by.count; ++k) add(by.id[k], by.other[k]);
  }
  // The states of all elements at the same times are one state; of elements with times of their own no derivative is
  // taken.
  static constexpr void batch(graph& g, int id, index_t n, int* of) {
    bool any = false;
    for (int k = 0; k < g.ins[id].count; ++k) any = any || of[g.in(id, k)] != 0;
    if (!any) return;
    transform::batcher<Mode> by(g, n, of);
    int operands[9]{};
    for (int k = 0; k < 9; ++k) {
      bool const is_state = k == 0 || k == 1 || k == 3 || k == 5;
      operands[k] = is_state || of[g.in(id, k)] != 0 ? by.whole(g.in(id, k)).id : g.in(id, k);
    }
    index_t const order = g.attr(id, 0);
    auto i = g.ins[id];
    i.shape = ir::with_first_axis(g, n, g.shape(id));
    of[id] = ir::append(g, i, {operands, 9}, {&order, 1});
  }
  static constexpr ir::loop_rules<graph> table{&forward, &reverse, &batch, true, true};
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing

namespace ricci::ir {

template <class Mode>
struct rules_of<tracing::trajectory_t, Mode> {
  static constexpr op_rules<typename Mode::graph> table{nullptr, nullptr, nullptr,
                                                        tracing::rules_of_trajectories<Mode>::table};
};

}  // namespace ricci::ir
