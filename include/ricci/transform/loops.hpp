// Derivatives and batches of loops: each is another loop, whose body is made of the body recorded once more
// (replay.hpp). Only functions with loops instantiate them.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/transform/batch.hpp>
#include <ricci/transform/forward.hpp>
#include <ricci/transform/loop_activity.hpp>
#include <ricci/transform/loop_reversal.hpp>
#include <ricci/transform/replay.hpp>

namespace ricci::transform {

template <class Mode>
struct rules_of_loops {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  // A loop of its own: its carries are the tangents of those carries that have one; the body is recorded once more,
  // from the carries as the iterations found them.
  static constexpr void forward(graph& g, int id, int* tangent) {
    loop_view<graph> const l(g, id);
    loop_activity<graph> const derived(l, [&](int x) { return tangent[x] != 0; });
    if (!derived.any()) return;
    if (l.is_open()) return forward_together(g, l, derived, tangent);
    known_before<graph> const known(g, l.region);  // the pass has not yet reached what stands behind the loop
    ir::loop_recorder<Mode> tangents(g, l.iterations(), l.count() ? V{&g, l.count()} : V{}, -1, l.keeps_carries_only());
    body_again<Mode> body(g);
    index_t const t = tangents.iteration();
    int carried = 0, stacked = 0, of_carry[ir::max_operands]{}, of_stack[ir::max_operands]{};
    for (int k = 0; k < l.carries; ++k) {
      V const initial{&g, l.initial(k)};
      int const x = body.to[l.carry(k)] = ir::element_of(V{&g, l.kept(k)}, 0, t).id;
      if (!derived.carry(k)) continue;
      int const outside = tangent[initial.id];
      tangent[x] = tangents.carry(outside ? V{&g, outside} : tangents.zeros(initial)).id;
    }
    int const first = g.size;
    body.record(l, t);
    push_forward<Mode>(g, first, g.size, tangent);
    int next[ir::max_operands]{}, stack[ir::max_operands]{};
    auto const tangent_of = [&](int x) { return tangent[x] ? tangent[x] : ir::zeros_like(V{&g, x}).id; };
    for (int k = 0; k < l.carries; ++k)
      if (derived.carry(k)) of_carry[carried] = k, next[carried++] = tangent_of(body.of(l.next(k)));
    for (int k = 0; k < l.stacked; ++k)
      if (derived.stack(k)) of_stack[stacked] = k, stack[stacked++] = tangent_of(body.of(l.stack(k)));
    int const y = tangents.end({next, carried}, {stack, stacked}).id;
    loop_view<graph> const made(g, y);
    for (int k = 0; k < carried; ++k) {
      tangent[l.last(of_carry[k])] = y + k;
      tangent[l.kept(of_carry[k])] = made.kept(k);
    }
    for (int k = 0; k < stacked; ++k) tangent[l.stacked_result(of_stack[k])] = y + carried + k;
  }

  // Nothing was kept of an open-ended loop: another one carries its carries once more, beside their tangents, and in
  // the end stands in for it (transform/simplify.hpp).
  static constexpr void forward_together(graph& g, loop_view<graph> const& l, loop_activity<graph> const& derived,
                                         int* tangent) {
    known_before<graph> const known(g, l.region);
    ir::loop_recorder<Mode> both(g, ir::open_ended, l.count() ? V{&g, l.count()} : V{}, l.counted_by());
    body_again<Mode> body(g);
    for (int k = 0; k < l.carries; ++k) body.to[l.carry(k)] = both.carry(V{&g, l.initial(k)}).id;
    for (int k = 0; k < l.carries; ++k) {
      V const initial{&g, l.initial(k)};
      if (!derived.carry(k)) continue;
      int const outside = tangent[initial.id];
      tangent[body.to[l.carry(k)]] = both.carry(outside ? V{&g, outside} : both.zeros(initial)).id;
    }
    int const first = g.size;
    body.record(l, both.iteration());
    push_forward<Mode>(g, first, g.size, tangent);
    int next[2 * ir::max_operands]{}, n = 0, last[ir::max_operands]{};
    for (int k = 0; k < l.carries; ++k) next[n++] = body.of(l.next(k));
    for (int k = 0; k < l.carries; ++k) {
      if (!derived.carry(k)) continue;
      int const x = body.of(l.next(k));
      last[k] = n;
      next[n++] = tangent[x] ? tangent[x] : ir::zeros_like(V{&g, x}).id;
    }
    int const y = both.end({next, n}, {}).id;
    for (int k = 0; k < l.carries; ++k)
      if (last[k] != 0) tangent[l.last(k)] = y + last[k];
    g.beside[l.scope] = y;
  }

  static constexpr void reverse(graph& g, int id, bool const* active, int* cotangent) {
    bool any = false;
    for (int k = 0; k < g.ins[id].results; ++k) any = any || cotangent[id + k] != 0;
    if (!any) return;
    loop_view<graph> const l(g, id);
    if (l.is_open()) limits::reverse_mode_goes_through_loops_of_a_number_of_iterations_that_is_a_value_by_rc_at_most();
    loop_reversal<Mode>(g, l, active, cotangent).run();
  }

  // One loop for all elements: its carries have the batch, and its body is batched like any function. Time stays the
  // first axis of what is stacked. Where elements have counts of their own, it runs as often as the largest says, and
  // an element's carries stay what they are when its own iterations are over: of a branch both are computed, and each
  // takes its own.
  static constexpr void batch(graph& g, int id, index_t n, int* of) {
    batcher<Mode> by(g, n, of);
    loop_view<graph> const l(g, id);
    bool any = false;
    for (int k = 0; k < l.carries; ++k) any = any || of[l.initial(k)] != 0;
    l.for_each_captured([&](int x) { any = any || of[x] != 0; });
    V const own_count = l.count() && of[l.count()] != 0 ? V{&g, of[l.count()]} : V{};
    if (!any && !own_count) return;
    known_before<graph> const known(g, l.region);
    int initial[ir::max_operands]{};
    for (int k = 0; k < l.carries; ++k) initial[k] = by.whole(l.initial(k)).id;
    bool const by_carry = l.counted_by() >= 0;
    V count = l.count() ? V{&g, l.count()} : V{};
    if (own_count) count = l.is_open() ? largest(own_count) : V{};
    V const first_count = by_carry ? largest(V{&g, initial[l.counted_by()]}) : V{};
    ir::loop_recorder<Mode> all(g, l.iterations(), count, by_carry ? l.carries : -1, l.keeps_carries_only());
    body_again<Mode> body(g);
    for (int k = 0; k < l.carries; ++k) {
      // an element stands in for it while the body is recorded once more; nothing is computed with that
      V const first{&g, l.initial(k)};
      int const x = body.to[l.carry(k)] = element_of_batch(first, first.shape_id()).id;
      of[x] = all.carry(V{&g, initial[k]}).id;
    }
    if (by_carry) all.carry(first_count);
    int const first = g.size;
    body.record(l, all.iteration());
    int const end = g.size;
    for (int i = first; i < end; ++i)
      if (of[i] == 0) by.batch(i);
    V const counts = by_carry ? V{&g, of[body.to[l.carry(l.counted_by())]]} : own_count;
    V goes_on{};
    if (counts) goes_on = l.is_open() ? V(all.counter() < counts) : ir::cast(counts, dtype::boolean);
    int next[ir::max_operands + 1]{}, stack[ir::max_operands]{}, carries = l.carries;
    for (int k = 0; k < l.carries; ++k) {
      V const x = by.whole(body.of(l.next(k)));
      next[k] = counts ? selected(g, n, goes_on, x, V{&g, of[body.to[l.carry(k)]]}).id : x.id;
    }
    if (by_carry) next[carries++] = largest(V{&g, next[l.counted_by()]}).id;
    for (int k = 0; k < l.stacked; ++k) stack[k] = by.whole(body.of(l.stack(k))).id;
    int const y = all.end_with({next, carries}, {stack, l.stacked}).id;
    for (int k = 0; k < l.carries; ++k) of[l.last(k)] = y + k;
    for (int k = l.carries; k < g.ins[id].results; ++k) of[id + k] = ir::move_axis(V{&g, y + k}, 1, 0).id;
  }
  static constexpr V largest(V counts) { return max_t::record(reduction_axes{1, {0}, false}, counts); }
  static constexpr V selected(graph& g, index_t n, V goes_on, V x, V otherwise) {
    shape_t column{1, {n}};
    for (int k = 1; k < x.rank(); ++k) column.push(1);
    return where(ir::broadcast_to(ir::reshape(goes_on, ir::intern(g, column)), x.shape_id()), x, otherwise);
  }

  static constexpr ir::loop_rules<graph> table{&forward, &reverse, &batch, true, true};
};

}  // namespace ricci::transform

namespace ricci::ir {

template <class Mode>
struct rules_of<loop_t, Mode> {
  static constexpr op_rules<typename Mode::graph> table{nullptr, nullptr, nullptr,
                                                        transform::rules_of_loops<Mode>::table};
};

}  // namespace ricci::ir
