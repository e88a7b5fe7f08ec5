// The derivative of a loop backwards: a loop from the last iteration to the first, whose carries are the cotangents of
// the carries; those of what the body reads from outside, or of its parts, are carried, too, or summed up behind it
// (loop_sums.hpp). The body is recorded once more, from the carries as the iterations found them; what is costly to
// compute is read from where it was stacked, and only the rest computed again.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/transform/loop_activity.hpp>
#include <ricci/transform/loop_parts.hpp>
#include <ricci/transform/loop_sums.hpp>
#include <ricci/transform/replay.hpp>
#include <ricci/transform/reverse.hpp>

namespace ricci::transform {

template <class Mode>
class loop_reversal {
 public:
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  // Of a loop that has a cotangent; what is active is what cotangents are wanted of.
  constexpr loop_reversal(graph& in, loop_view<graph> const& l, bool const* active, int* cotangent)
      : g(in),
        l_(l),
        active_(active),
        cotangent_(cotangent),
        derived_(l, [&](int x) { return active[x]; }),
        parts_(in, l),
        begin_(in.size),
        back_(in, l.iterations(), l.count() ? V{&in, l.count()} : V{}, -1, l.keeps_carries_only()),
        body_(in),
        t_(from_last(back_.iteration())) {
    derived_.keep_what_matters([&](int x) { return cotangent[x] != 0; });
  }
  loop_reversal(loop_reversal const&) = delete;

  constexpr void run() {
    collect();
    record();
    add_kept();
    take_from_stacks();
    hand_on();
    sums_behind_loop<Mode> sums(g, begin_, l_, t_);
    sum_behind(sums);
    hand_back(sums, end(sums));
  }

 private:
  // A value from outside with a cotangent: `count` of what the derivative is taken by, from the first one on, are its
  // parts, or it is the only one.
  struct captured {
    int of, first, count;
    bool in_parts;
  };
  // More carries than this leave no room for another derivative.
  static constexpr int most_parts = ir::most_yields / 2;

  constexpr index_t from_last(index_t iteration) const {
    return ir::minus(g, ir::plus(g, l_.iterations(), -1), iteration);
  }
  // An array of which each iteration reads the element of its own number, or of that counted from the last, has its
  // cotangents stacked.
  enum class reads : std::uint8_t { otherwise, in_order, backwards };
  constexpr reads element_read(int id) const {
    if (!shows_one_row(g, id, l_.iterations()) || l_.holds(g.in(id, 0))) return reads::otherwise;
    index_t const start = ir::find(g, g.attr(id, 0)), iteration = ir::dim(g, ir::dim_op::iteration, l_.scope, 0);
    if (start == iteration) return reads::in_order;
    return start == from_last(iteration) ? reads::backwards : reads::otherwise;
  }

  // What it is derived by: carries, what is captured, and what is read element by element, and nowhere else.
  constexpr void collect() {
    for (int k = 0; k < l_.carries; ++k) {
      V const x{&g, body_.to[l_.carry(k)] = ir::element_of(V{&g, l_.kept(k)}, 0, t_).id};
      if (!derived_.carry(k)) continue;
      int const ct = cotangent_[l_.last(k)];
      carried_[count_] = back_.carry(ct ? V{&g, ct} : back_.zeros(V{&g, l_.initial(k)})).id;
      add(x.id);
    }
    carries_ = count_;
    l_.for_each_captured([&](int x) {
      if (active_[x] && is_inexact(g.ins[x].type)) add_captured(x);
    });
  }
  constexpr void require_room() const {
    if (count_ + read_count_ == ir::most_yields) limits::a_loop_carries_and_stacks_more_than_63_values();
  }
  constexpr void add(int x) {
    require_room();
    wrt_[count_++] = x;
  }
  constexpr void add_captured(int x) {
    int read = 0, others = 0;
    for (int i = l_.region + 1; i < l_.loop; ++i)
      for (int k = 0; l_.holds(i) && k < g.ins[i].count; ++k)
        if (g.in(i, k) == x) (element_read(i) != reads::otherwise && read == 0 ? read : others) = i;
    if (read != 0 && others == 0) {
      require_room();
      in_order_[read_count_] = element_read(read) == reads::in_order;
      elements_[read_count_++] = read;
      return;
    }
    captured& c = captured_[captured_count_++] = {x, count_, 1, false};
    if (!l_.count() && parts_.find(x, most_parts - count_ - read_count_)) {
      c.in_parts = true, c.count = parts_.count;
      for (int k = 0; k < parts_.count; ++k) add(parts_.at[k]);
    } else {
      add(x);
    }
  }

  // The body once more, and its derivative: the cotangents of what it is derived by.
  constexpr void record() {
    if (!l_.keeps_carries_only())
      for (int k = 0; k < l_.stacked; ++k)
        if (l_.holds(l_.stack(k)) && ir::is_costly(g, l_.stack(k)))
          costly_[k] = ir::element_of(V{&g, l_.stacked_result(k)}, 0, t_).id;
    first_ = g.size;
    {  // Nothing but what is captured, which has a cotangent: something else would have none.
      known_before<graph> const nothing(g, 1);
      body_.record(l_, t_);
    }
    int outputs[2 * ir::max_operands]{}, cts[2 * ir::max_operands]{}, n = 0;
    for (int k = 0, c = 0; k < l_.carries; ++k)
      if (derived_.carry(k)) outputs[n] = body_.of(l_.next(k)), cts[n++] = carried_[c++];
    for (int k = 0; k < l_.stacked; ++k)
      if (int const ct = cotangent_[l_.stacked_result(k)]; ct != 0)
        outputs[n] = body_.of(l_.stack(k)), cts[n++] = ir::element_of(V{&g, ct}, 0, t_).id;
    for (int c = 0; c < captured_count_; ++c)
      for (int k = captured_[c].first; captured_[c].in_parts && k < captured_[c].first + captured_[c].count; ++k)
        part_[k] = wrt_[k], wrt_[k] = body_.of(part_[k]);
    for (int k = 0; k < read_count_; ++k) wrt_[count_ + k] = body_.of(elements_[k]);
    reversal<Mode> way{};
    int const end = g.size;
    way.begin(g, first_, {outputs, n}, {cts, n}, {wrt_, count_ + read_count_});
    way.advance(g, first_, end);
    for (int k = 0; k < count_ + read_count_; ++k) results_[k] = way.cotangent[wrt_[k]];
    for (int k = carries_; k < count_; ++k)  // parts that have been found to be the same have one cotangent
      for (int other = carries_; other < k; ++other)
        if (wrt_[other] == wrt_[k]) results_[k] = 0;
  }
  // Each carry also has the cotangent of what was kept of it.
  constexpr void add_kept() {
    for (int k = 0, c = 0; k < l_.carries; ++k) {
      if (!derived_.carry(k)) continue;
      if (int const ct = cotangent_[l_.kept(k)]; ct != 0) {
        V const element = ir::element_of(V{&g, ct}, 0, t_);
        results_[c] = results_[c] ? (V{&g, results_[c]} + element).id : element.id;
      }
      ++c;
    }
  }
  // What is costly to compute is read from where it was stacked, by all that reads what the body computed once more.
  // Rules find the result that they derive by its operands; so this comes behind them. (A part's operand is what it is
  // a part of, not the first result of that.)
  constexpr void take_from_stacks() {
    int by[ir::capacity]{};
    auto const replaced = [&](int id) { return by[id] != 0 ? by[id] : id; };
    for (int k = 0; k < l_.stacked; ++k)
      if (costly_[k] != 0) by[body_.of(l_.stack(k))] = costly_[k];
    for (int i = first_; i < g.size; ++i)
      for (int k = 0; g.ins[i].op->kind != ir::op_kind::part && k < g.ins[i].count; ++k) {
        int& x = g.operands[g.ins[i].first + k];
        x = replaced(x);
      }
    for (int k = 0; k < count_ + read_count_; ++k) results_[k] = replaced(results_[k]);
  }
  // What an iteration hands on, and what it stacks.
  constexpr void hand_on() {
    all_ = carries_;
    for (int k = 0; k < carries_; ++k) next_[k] = results_[k] ? results_[k] : ir::zeros_like(V{&g, carried_[k]}).id;
    for (int k = count_; k < count_ + read_count_; ++k)
      stack_[k - count_] = ir::reshape(results_[k] ? V{&g, results_[k]} : ir::zeros_like(V{&g, wrt_[k]}),
                                       ir::intern(g, shapes::reduced(g.shape(wrt_[k]), 1, false)))
                               .id;
  }
  // What is captured, or its parts: sums behind the loop, or other carries.
  constexpr void sum_behind(sums_behind_loop<Mode>& sums) {
    for (int k = 0; k < carries_; ++k) sums.needs(next_[k]);
    for (int k = 0; k < read_count_; ++k) sums.needs(stack_[k]);
    using worth = typename sums_behind_loop<Mode>::worth;
    for (worth const w : {worth::stacking, worth::nothing})
      for (int k = carries_; !l_.count() && !l_.keeps_carries_only() && k < count_; ++k)
        behind_[k] =
            behind_[k] || (results_[k] != 0 && sums.takes(results_[k], w, ir::most_yields - read_count_ - count_));
    for (int c = 0; c < captured_count_; ++c)
      for (int k = captured_[c].first; k < captured_[c].first + captured_[c].count; ++k) {
        if (results_[k] == 0 || behind_[k]) continue;
        V const so_far = back_.carry(back_.zeros(V{&g, captured_[c].in_parts ? results_[k] : captured_[c].of}));
        carried_[k] = all_;
        next_[all_++] = (so_far + V{&g, results_[k]}).id;
      }
  }
  constexpr int end(sums_behind_loop<Mode> const& sums) {
    int to_stack[ir::max_operands]{}, stacks = read_count_;
    for (int k = 0; k < read_count_; ++k) to_stack[k] = stack_[k];
    for (int k = 0; k < sums.count; ++k) to_stack[stacks++] = sums.stacked[k];
    return back_.end({next_, all_}, {to_stack, stacks}).id;
  }
  // Of the loop whose first result is y, to what has cotangents outside.
  constexpr void hand_back(sums_behind_loop<Mode>& sums, int y) {
    for (int k = 0, c = 0; k < l_.carries; ++k)
      if (derived_.carry(k)) accumulate(l_.initial(k), y + c++);
    sums.begin(y + all_ + read_count_);
    for (int c = 0; c < captured_count_; ++c) {
      auto const& x = captured_[c];
      bool any_result = false;
      for (int k = x.first; k < x.first + x.count; ++k) {
        if (results_[k] == 0) continue;
        any_result = true;
        results_[k] = behind_[k] ? sums.sum(results_[k]).id : y + carried_[k];
      }
      if (!any_result) continue;
      accumulate(x.of, x.in_parts ? parts_.cotangent(x.of, {part_ + x.first, x.count}, results_ + x.first)
                                  : results_[x.first]);
    }
    for (int k = 0; k < read_count_; ++k) {  // this loop went backwards
      V const stacked{&g, y + all_ + k};
      accumulate(g.in(elements_[k], 0), in_order_[k] ? ir::flip(stacked, 1).id : stacked.id);
    }
  }
  constexpr void accumulate(int id, int ct) const { accumulate_cotangent<Mode>(g, id, ct, active_, cotangent_); }

  graph& g;
  loop_view<graph> const& l_;
  bool const* active_;
  int* cotangent_;
  loop_activity<graph> derived_;
  parts_read<Mode> parts_;
  int begin_;
  ir::loop_recorder<Mode> back_;
  body_again<Mode> body_;
  index_t t_;  // the iteration of the loop that is derived

  // first the carries, then what is captured, or its parts, and last what is read element by element: what it is
  // derived by, as the body has it that is recorded here, and its cotangent
  int wrt_[2 * ir::max_operands]{}, results_[2 * ir::max_operands]{};
  int count_ = 0, carries_ = 0, read_count_ = 0, captured_count_ = 0;
  int carried_[ir::max_operands]{};  // of each carry or sum: that of the loop
  int part_[ir::max_operands]{};     // the part in the body that is derived
  bool behind_[ir::max_operands]{};  // whether it is summed up behind the loop
  captured captured_[ir::max_operands]{};
  int elements_[ir::max_operands]{};  // what reads each array that is read element by element
  bool in_order_[ir::max_operands]{};
  int costly_[ir::max_operands]{};  // by stacked values: the element of this iteration if it is costly, else 0
  int first_ = 0;                   // the first instruction of the body here
  int next_[ir::max_operands]{}, stack_[ir::max_operands]{}, all_ = 0;
};

}  // namespace ricci::transform
