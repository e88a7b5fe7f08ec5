// Which carries of a loop have derivatives to carry: forwards those that depend on what has a tangent, backwards those
// of them of which something is made that has a cotangent. Both are fixed points over the iterations. What only counts,
// compares or is compared has none, and its derivatives cost nothing.
#pragma once

#include <ricci/transform/replay.hpp>

namespace ricci::transform {

template <class G>
class loop_activity {
 public:
  // `has(id)`: whether a value from outside has a derivative
  template <class Has>
  constexpr loop_activity(loop_view<G> const& l, Has const& has) : l_(l) {
    l.for_each_captured([&](int x) { depends_[x] = has(x); });
    for (int k = 0; k < l.carries; ++k) depends_[l.carry(k)] = is_inexact_value(l.carry(k)) && has(l.initial(k));
    while (spread()) {
    }
  }
  constexpr bool carry(int k) const { return depends_[l_.carry(k)]; }
  constexpr bool stack(int k) const { return depends_[l_.stack(k)] && is_inexact_value(l_.stack(k)); }
  constexpr bool any() const {
    bool some = false;
    for (int k = 0; k < l_.carries; ++k) some = some || carry(k);
    for (int k = 0; k < l_.stacked; ++k) some = some || stack(k);
    return some;
  }

  // Of these carries only those of which something is made that has a cotangent: `has(id)` of the loop's results.
  template <class Has>
  constexpr void keep_what_matters(Has const& has) {
    bool matters[ir::capacity]{};
    for (int k = 0; k < l_.carries; ++k) matters[l_.next(k)] = has(l_.last(k));
    for (int k = 0; k < l_.stacked; ++k)
      if (has(l_.stacked_result(k))) matters[l_.stack(k)] = true;
    bool kept[ir::max_operands]{};
    for (bool again = true; again;) {
      again = false;
      for (int i = l_.loop - 1; i > l_.region; --i)
        if (matters[i] && l_.holds(i))
          for (int k = 0; k < l_.g.ins[i].count; ++k) matters[l_.g.in(i, k)] = true;
      for (int k = 0; k < l_.carries; ++k) {
        if (kept[k] || !(matters[l_.carry(k)] || has(l_.last(k)) || has(l_.kept(k)))) continue;
        kept[k] = again = true;
        matters[l_.next(k)] = true;
      }
    }
    for (int k = 0; k < l_.carries; ++k) depends_[l_.carry(k)] = depends_[l_.carry(k)] && kept[k];
  }

 private:
  loop_view<G> l_;
  bool depends_[ir::capacity]{};

  constexpr bool is_inexact_value(int id) const { return is_inexact(l_.g.ins[id].type); }
  // it depends on something where one of its operands does
  constexpr void follow(int id) {
    if (!is_inexact_value(id) && l_.g.ins[id].results <= 1) return;
    for (int k = 0; k < l_.g.ins[id].count; ++k) depends_[id] = depends_[id] || depends_[l_.g.in(id, k)];
  }
  constexpr void follow_loop(int id) {
    loop_view<G> const inner(l_.g, id);
    for (int k = 0; k < inner.carries; ++k) {
      depends_[inner.last(k)] = depends_[inner.carry(k)];
      if (!inner.is_open()) depends_[inner.kept(k)] = depends_[inner.carry(k)];
    }
    for (int k = 0; k < inner.stacked; ++k) depends_[inner.stacked_result(k)] = depends_[inner.stack(k)];
  }
  // true where a carry, of this loop or of one in it, has been found to depend on something
  constexpr bool spread() {
    using enum ir::op_kind;
    bool found = false;
    G const& g = l_.g;
    for (int i = l_.region + 1; i < l_.loop; ++i) {
      if (!l_.holds(i)) continue;
      switch (g.ins[i].op->kind) {
        case next:
          if (int const to = g.in(i, 1); depends_[g.in(i, 0)] && !depends_[to] && is_inexact_value(to))
            depends_[to] = found = true;
          break;
        case loop:
          follow_loop(i);
          break;
        case part:
          if (!is_of_loop(i)) follow(i);
          break;
        case yield:
          break;
        case argument:
        case literal:
        case number:
        case table:
        case alias:
        case elementwise:
        case view:
        case reshape:
        case reduce:
        case contract:
        case index:
        case scatter:
        case assemble:
        case call:
        case region:
        case carry:
          follow(i);
          break;
      }
    }
    return found;
  }
  constexpr bool is_of_loop(int part) const { return l_.g.ins[l_.g.in(part, 0)].op->kind == ir::op_kind::loop; }
};

}  // namespace ricci::transform
