// Derivatives and batches of loops: each is another loop, whose body is made of the body recorded once more
// (replay.hpp). Only functions with loops instantiate them.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/transform/batch.hpp>
#include <ricci/transform/forward.hpp>
#include <ricci/transform/loop_activity.hpp>
#include <ricci/transform/loop_parts.hpp>
#include <ricci/transform/loop_sums.hpp>
#include <ricci/transform/replay.hpp>
#include <ricci/transform/reverse.hpp>

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
    known_before<graph> const known(g, l.region);  // to what stands behind the loop, the pass has not been yet
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

  // An array of which each iteration reads the element of its own number, or of that counted from the last, has its
  // cotangents stacked.
  enum class reads : std::uint8_t { otherwise, in_order, backwards };
  static constexpr reads element_read(graph& g, loop_view<graph> const& l, int id) {
    if (!shows_one_row(g, id, l.iterations()) || l.holds(g.in(id, 0))) return reads::otherwise;
    index_t const start = ir::find(g, g.attr(id, 0)), iteration = ir::dim(g, ir::dim_op::iteration, l.scope, 0);
    if (start == iteration) return reads::in_order;
    return start == from_last(g, l, iteration) ? reads::backwards : reads::otherwise;
  }
  static constexpr index_t from_last(graph& g, loop_view<graph> const& l, index_t iteration) {
    return ir::minus(g, ir::plus(g, l.iterations(), -1), iteration);
  }
  // A value from outside with a cotangent: `count` of what the derivative is taken by, from the first one on, are its
  // parts, or it is the only one.
  struct captured {
    int of, first, count;
    bool in_parts;
  };
  // More carries than this leave no room for another derivative.
  static constexpr int most_parts = ir::most_yields / 2;

  // The element of iteration t of each stacked value that is dear to compute, 0 for others.
  static constexpr void stacked_elements(graph& g, loop_view<graph> const& l, index_t t, int* elements) {
    if (l.keeps_carries_only()) return;
    for (int k = 0; k < l.stacked; ++k)
      if (l.holds(l.stack(k)) && ir::is_dear(g, l.stack(k)))
        elements[k] = ir::element_of(V{&g, l.stacked_result(k)}, 0, t).id;
  }
  // Of the instructions from `first` on, those that read what the body computed once more are given the elements in its
  // place. Rules find the result that they derive by its operands; so this comes behind them. (A part's operand is what
  // it is a part of, not the first result of that.)
  struct replacement {
    int by[ir::capacity]{};
    constexpr int operator()(int id) const { return by[id] != 0 ? by[id] : id; }
    constexpr void apply(graph& g, int first) const {
      for (int i = first; i < g.size; ++i)
        for (int k = 0; g.ins[i].op->kind != ir::op_kind::part && k < g.ins[i].count; ++k) {
          int& x = g.operands[g.ins[i].first + k];
          x = (*this)(x);
        }
    }
  };
  // A loop from the last iteration to the first, whose carries are the cotangents of the carries; those of what the
  // body reads from outside, or of its parts, are carried, too, or summed up behind it (loop_sums.hpp). The body is
  // recorded once more, from the carries as the iterations found them; what is dear to compute is read from where it
  // was stacked, and only the rest computed again.
  static constexpr void reverse(graph& g, int id, bool const* active, int* cotangent) {
    loop_view<graph> const l(g, id);
    bool any = false;
    for (int k = 0; k < g.ins[id].results; ++k) any = any || cotangent[id + k] != 0;
    if (!any) return;
    if (l.is_open()) limits::reverse_mode_goes_through_loops_of_a_number_of_iterations_that_is_a_value_by_rc_at_most();
    loop_activity<graph> derived(l, [&](int x) { return active[x]; });
    derived.keep_what_matters([&](int x) { return cotangent[x] != 0; });
    int const begin = g.size;
    ir::loop_recorder<Mode> back(g, l.iterations(), l.count() ? V{&g, l.count()} : V{}, -1, l.keeps_carries_only());
    body_again<Mode> body(g);
    index_t const t = from_last(g, l, back.iteration());
    // what it is derived by: carries, what is captured, and what is read element by element, and nowhere else
    int wrt[2 * ir::max_operands]{}, carried[ir::max_operands]{}, count = 0;
    captured of[ir::max_operands]{};
    int captured_count = 0, elements[ir::max_operands]{}, read_count = 0;
    bool in_order[ir::max_operands]{};
    auto const one_more = [&] {
      if (count + read_count == ir::most_yields) limits::a_loop_carries_and_stacks_more_than_63_values();
    };
    auto const add = [&](int x) {
      one_more();
      wrt[count++] = x;
    };
    for (int k = 0; k < l.carries; ++k) {
      V const x{&g, body.to[l.carry(k)] = ir::element_of(V{&g, l.kept(k)}, 0, t).id};
      if (!derived.carry(k)) continue;
      int const ct = cotangent[l.last(k)];
      carried[count] = back.carry(ct ? V{&g, ct} : back.zeros(V{&g, l.initial(k)})).id;
      add(x.id);
    }
    int const carries = count;
    parts_read<Mode> parts(g, l);
    l.for_each_captured([&](int x) {
      if (!active[x] || !is_inexact(g.ins[x].type)) return;
      int read = 0, others = 0;
      for (int i = l.region + 1; i < l.loop; ++i)
        for (int k = 0; l.holds(i) && k < g.ins[i].count; ++k)
          if (g.in(i, k) == x) (element_read(g, l, i) != reads::otherwise && read == 0 ? read : others) = i;
      if (read != 0 && others == 0) {
        one_more();
        in_order[read_count] = element_read(g, l, read) == reads::in_order;
        elements[read_count++] = read;
        return;
      }
      captured& c = of[captured_count++] = {x, count, 1, false};
      if (!l.count() && parts.find(x, most_parts - count - read_count)) {
        c.in_parts = true, c.count = parts.count;
        for (int k = 0; k < parts.count; ++k) add(parts.at[k]);
      } else {
        add(x);
      }
    });
    int dear[ir::max_operands]{};
    stacked_elements(g, l, t, dear);
    int const first = g.size;
    {  // Nothing but what is captured, which has a cotangent: something else would have none.
      known_before<graph> const nothing(g, 1);
      body.record(l, t);
    }
    int outputs[2 * ir::max_operands]{}, cts[2 * ir::max_operands]{}, n = 0;
    for (int k = 0, c = 0; k < l.carries; ++k)
      if (derived.carry(k)) outputs[n] = body.of(l.next(k)), cts[n++] = carried[c++];
    for (int k = 0; k < l.stacked; ++k)
      if (int const ct = cotangent[l.stacked_result(k)]; ct != 0)
        outputs[n] = body.of(l.stack(k)), cts[n++] = ir::element_of(V{&g, ct}, 0, t).id;
    int part[ir::max_operands]{};
    for (int c = 0; c < captured_count; ++c)
      for (int k = of[c].first; of[c].in_parts && k < of[c].first + of[c].count; ++k)
        part[k] = wrt[k], wrt[k] = body.of(part[k]);
    for (int k = 0; k < read_count; ++k) wrt[count + k] = body.of(elements[k]);
    int results[2 * ir::max_operands]{};
    reversal<Mode> way{};
    int const end = g.size;
    way.begin(g, first, {outputs, n}, {cts, n}, {wrt, count + read_count});
    way.advance(g, first, end);
    for (int k = 0; k < count + read_count; ++k) results[k] = way.cotangent[wrt[k]];
    for (int k = carries; k < count; ++k)  // parts that have been found to be the same have one cotangent
      for (int other = carries; other < k; ++other)
        if (wrt[other] == wrt[k]) results[k] = 0;
    // each carry also has the cotangent of what was kept of it
    for (int k = 0, c = 0; k < l.carries; ++k) {
      if (!derived.carry(k)) continue;
      if (int const ct = cotangent[l.kept(k)]; ct != 0) {
        V const element = ir::element_of(V{&g, ct}, 0, t);
        results[c] = results[c] ? (V{&g, results[c]} + element).id : element.id;
      }
      ++c;
    }
    replacement replaced{};
    for (int k = 0; k < l.stacked; ++k)
      if (dear[k] != 0) replaced.by[body.of(l.stack(k))] = dear[k];
    replaced.apply(g, first);
    for (int k = 0; k < count + read_count; ++k) results[k] = replaced(results[k]);
    int next[ir::max_operands]{}, stack[ir::max_operands]{}, all = carries;
    for (int k = 0; k < carries; ++k) next[k] = results[k] ? results[k] : ir::zeros_like(V{&g, carried[k]}).id;
    for (int k = 0; k < read_count; ++k)
      stack[k] = ir::reshape(results[count + k] ? V{&g, results[count + k]} : ir::zeros_like(V{&g, wrt[count + k]}),
                             ir::intern(g, shapes::reduced(g.shape(wrt[count + k]), 1, false)))
                     .id;
    // what is captured, or its parts: sums behind the loop, or other carries
    sums_behind_loop<Mode> sums(g, begin, l, t);
    for (int k = 0; k < carries; ++k) sums.needs(next[k]);
    for (int k = 0; k < read_count; ++k) sums.needs(stack[k]);
    bool behind[ir::max_operands]{};
    using worth = typename sums_behind_loop<Mode>::worth;
    for (worth const w : {worth::stacking, worth::nothing})
      for (int k = carries; !l.count() && !l.keeps_carries_only() && k < count; ++k)
        behind[k] = behind[k] || (results[k] != 0 && sums.takes(results[k], w, ir::most_yields - read_count - count));
    for (int c = 0; c < captured_count; ++c)
      for (int k = of[c].first; k < of[c].first + of[c].count; ++k) {
        if (results[k] == 0 || behind[k]) continue;
        V const so_far = back.carry(back.zeros(V{&g, of[c].in_parts ? results[k] : of[c].of}));
        carried[k] = all;
        next[all++] = (so_far + V{&g, results[k]}).id;
      }
    int to_stack[ir::max_operands]{}, stacks = read_count;
    for (int k = 0; k < read_count; ++k) to_stack[k] = stack[k];
    for (int k = 0; k < sums.count; ++k) to_stack[stacks++] = sums.stacked[k];
    int const y = back.end({next, all}, {to_stack, stacks}).id;
    {
      int c = 0;
      for (int k = 0; k < l.carries; ++k)
        if (derived.carry(k)) accumulate_cotangent<Mode>(g, l.initial(k), y + c++, active, cotangent);
    }
    sums.begin(y + all + read_count);
    for (int c = 0; c < captured_count; ++c) {
      auto const& x = of[c];
      bool any_result = false;
      for (int k = x.first; k < x.first + x.count; ++k) {
        if (results[k] == 0) continue;
        any_result = true;
        results[k] = behind[k] ? sums.sum(results[k]).id : y + carried[k];
      }
      if (!any_result) continue;
      int const ct =
          x.in_parts ? parts.cotangent(x.of, {part + x.first, x.count}, results + x.first) : results[x.first];
      accumulate_cotangent<Mode>(g, x.of, ct, active, cotangent);
    }
    for (int k = 0; k < read_count; ++k) {  // this loop went backwards
      V const stacked{&g, y + all + k};
      accumulate_cotangent<Mode>(g, g.in(elements[k], 0), in_order[k] ? ir::flip(stacked, 1).id : stacked.id, active,
                                 cotangent);
    }
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
