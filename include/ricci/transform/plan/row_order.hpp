// The order of groups, where that of their positions parts what goes by the same rows: a number that a gradient's
// function returns, say the mean of losses of rows, is made between the steps that go forward through these rows and
// those that go back. So what is small is moved out of the way: numbers that need none of it, and what has fewer axes,
// before a run of such groups, sums of all that a run left of its rows (and what is made of them) behind it. Then the
// run is one kernel on a GPU (exec/device/row_schedule.hpp), and blocks of rows in caches elsewhere
// (exec/cpu/outer_blocks.hpp), which calls of rows are in, too.
#pragma once

#include <ricci/transform/plan/fusion.hpp>

namespace ricci::plan {

template <class G>
class row_orderer {
 public:
  constexpr row_orderer(G const& g, fusion const& f) : g_(g), f_(f) {}

  // `order`: groups, each behind those that it depends on; that stays so. Not for graphs with loops.
  constexpr void arrange(int* order, int count) {
    for (int k = 0; k < count; ++k) add(order[k]);
    end_run();
    for (int k = 0; k < count; ++k) order[k] = to_[k];
  }

 private:
  constexpr void add(int group) {
    bool const in_run = run_ < size_ && may_move(group), calls = is(group, step_kind::call);
    if (calls && (delayed_count_ > 0 || !calls_rows(group))) {  // on a GPU it ends the kernel
      if (in_run && delayed_count_ == 0 && is_aside(group)) return insert_before_run(group);
    } else if (in_run && depends_on_delayed(group)) {
      if (is_number(group)) return delay(group);
    } else if (in_run && is_number(group)) {
      if (!depends_on_run(group)) return insert_before_run(group);
      return delay(group);
    } else if (in_run && reduces_all(group) && rank(group) < rank(to_[run_])) {
      return delay(group);
    } else if (in_run && first_extent(group) == first_extent(to_[run_])) {
      return push(group);
    } else if (in_run && is_aside(group)) {
      return insert_before_run(group);
    }
    end_run();
    push(group);
    // a run begins with rows of several elements
    if (!may_move(group) || (calls && !calls_rows(group)) || rank(group) < 2 || is_number(group)) run_ = size_;
  }
  constexpr void push(int group) { to_[size_++] = group; }
  constexpr void delay(int group) { delayed_[delayed_count_++] = group; }
  constexpr void insert_before_run(int group) {
    for (int k = size_++; k > run_; --k) to_[k] = to_[k - 1];
    to_[run_++] = group;
  }
  constexpr void end_run() {
    for (int k = 0; k < delayed_count_; ++k) push(delayed_[k]);
    delayed_count_ = 0;
    run_ = size_;
  }

  constexpr bool may_move(int group) const {
    auto const& a = f_.groups[group];
    return a.scope == 0 && (a.kind == step_kind::map || a.kind == step_kind::reduce || a.kind == step_kind::call);
  }
  constexpr bool is(int group, step_kind kind) const { return f_.groups[group].kind == kind; }
  // whether it is a call that is given rows of cores, whose first axis is none of a core's
  constexpr bool calls_rows(int group) const {
    int const v = f_.roots[f_.groups[group].first_root].target;
    auto const& call = *g_.ins[v].op->call;
    int const core = call.core.rank[call.core.operands];
    return call.takes_rows && call.core.results == 1 && rank(group) > core && (!call.along_axis || g_.attr(v, 0) > 0);
  }
  // whether it is smaller than what the run goes through, and made of none of it
  constexpr bool is_aside(int group) const { return rank(group) < rank(to_[run_]) && !depends_on_run(group); }
  constexpr shape_t const& domain(int group) const { return g_.shapes[f_.groups[group].domain]; }
  constexpr int rank(int group) const { return domain(group).rank; }
  constexpr index_t first_extent(int group) const {
    return rank(group) > 0 ? ir::find(g_, domain(group).extent[0]) : 1;
  }
  constexpr bool is_number(int group) const {
    for (int k = 0; k < rank(group); ++k)
      if (domain(group).extent[k] != 1) return false;
    return f_.groups[group].kind == step_kind::map;
  }
  constexpr bool reduces_all(int group) const {
    return f_.groups[group].kind == step_kind::reduce && f_.groups[group].mask == (1 << rank(group)) - 1;
  }
  // whether it reads what the other writes, or writes to the same memory, as the parts of what is put together do
  constexpr bool depends(int group, int on) const {
    for (int r = f_.groups[on].first_root; r != 0; r = f_.roots[r].next) {
      int const target = f_.roots[r].target;
      for (int u = f_.first_use[target]; u != 0; u = f_.uses[u].next)
        if (f_.find(f_.uses[u].group) == group) return true;
      for (int w = f_.groups[group].first_root; w != 0; w = f_.roots[w].next)
        if (f_.roots[w].target == target) return true;
    }
    return false;
  }
  constexpr bool depends_on_delayed(int group) const {
    for (int k = 0; k < delayed_count_; ++k)
      if (depends(group, delayed_[k])) return true;
    return false;
  }
  constexpr bool depends_on_run(int group) const {
    for (int k = run_; k < size_; ++k)
      if (depends(group, to_[k])) return true;
    return false;
  }

  G const& g_;
  fusion const& f_;
  int to_[ir::capacity / 4], delayed_[ir::capacity / 4];
  int size_ = 0, run_ = 0, delayed_count_ = 0;
};

}  // namespace ricci::plan
