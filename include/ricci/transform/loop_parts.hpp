// What a loop's body reads of a value from outside: where it is the same parts in all iterations, derivatives look at
// the parts. The cotangent of the whole value would be as large as all of it in every iteration.
#pragma once

#include <ricci/ops/cotangents.hpp>
#include <ricci/transform/replay.hpp>

namespace ricci::transform {

// The parts of one value after another; they are instructions of the body.
template <class Mode>
struct parts_read {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;
  graph& g;
  loop_view<graph> const& l;
  int at[ir::max_operands]{};
  int count = 0;

  constexpr parts_read(graph& in, loop_view<graph> const& loop) : g(in), l(loop) { l.mark_needed(needed_); }
  // whether x is read in parts and not otherwise, at most so many of them
  constexpr bool find(int x, int most) {
    count = 0, most_ = most, fits_ = true;
    return add(x, false) && fits_;
  }
  // The cotangent of `whole` by those of its parts, 0 where there is none.
  constexpr int cotangent(int whole, ir::span<int> parts, int const* of_parts) const {
    int of[ir::capacity]{};
    auto const accumulate = [&](int id, int ct) {
      if (ct != 0) of[id] = of[id] == 0 ? ct : ir::sum_of_cotangents(V{&g, of[id]}, V{&g, ct}).id;
    };
    for (int k = 0; k < parts.size; ++k) accumulate(parts.data[k], of_parts[k]);
    for (int i = l.loop - 1; i > l.region; --i) {
      if (of[i] == 0) continue;
      int contributions[ir::max_operands]{};
      g.ins[i].rules->vjp(g, i, &of[i], contributions);
      accumulate(g.in(i, 0), contributions[0]);
    }
    return of[whole];
  }

 private:
  bool needed_[ir::capacity]{};
  int most_ = 0;
  bool fits_ = true;

  constexpr bool is_slice(int i) const { return ir::same_operation(g.ins[i].op, ir::facts_of<slice_t>()); }
  constexpr bool is_part(int i) const {
    if (g.ins[i].scope != l.scope) return false;
    for (int k = 0; is_slice(i) && k < g.ins[i].attrs; ++k)
      if (ir::is_of_iteration(g, g.attr(i, k))) return false;
    return is_slice(i) || g.ins[i].op->kind == ir::op_kind::reshape;
  }
  // whether f(id) holds for all instructions of the body that read x
  template <class F>
  constexpr bool all_readers(int x, F const& f) const {
    for (int i = l.region + 1; i < l.loop; ++i)
      for (int k = 0; needed_[i] && l.holds(i) && k < g.ins[i].count; ++k)
        if (g.in(i, k) == x && !f(i)) return false;
    return true;
  }
  constexpr bool add(int x, bool sliced) {
    bool any = false;
    if (!all_readers(x, [&](int i) { return any = true, is_part(i); }) || !any) return false;
    all_readers(x, [&](int i) {
      bool const s = sliced || is_slice(i);
      if (add(i, s)) return true;
      fits_ = fits_ && s && count < most_;
      if (fits_) at[count++] = i;
      return true;
    });
    return true;
  }
};

}  // namespace ricci::transform
