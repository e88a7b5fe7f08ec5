// What is added up, and what else is made of the same elements, in one pass: a loss is a sum over all elements, its
// gradient a map over them, and no value that is costly to compute connects the two (groups.hpp joins those that have
// one in common, neighbours.hpp those of a loop's body). As one kernel they read their operands once.
//
// A kernel that reduces all of its elements to numbers is joined with another one over elements of the same shape that
// has some of them in common. Both read memory in its order and numbers of one floating-point type, so that neither is
// slower beside the other. They become one where the earlier one stands, if what the later one reads is there by then
// (a number that is made of constants and arguments, as the 1 / n of a mean, is made sooner); else where the later one
// stands, if that reads all that the earlier one does, and nobody reads sooner what the earlier one makes. Outside of
// loops nothing is written over, so no value has changed in between.
#pragma once

#include <ricci/transform/plan/groups.hpp>

namespace ricci::plan {

inline constexpr int most_read_together = 6;    // operands of both
inline constexpr int most_groups_seen = 16384;  // of a long function, of which the rest stays as it is: of all totals

template <class G>
class pass_joiner : group_builder<G> {
 public:
  using base = group_builder<G>;
  // `arguments` and `outputs`: whether each lies in row-major order
  constexpr pass_joiner(G const& g, fusion& f, ir::span<bool> arguments, ir::span<bool> outputs)
      : base(g, f), arguments_(arguments), outputs_(outputs) {}

  constexpr void join() {
    for (int k = 1; k < f_.group_count; ++k)
      for (int total = k; is_total(total) && join_another(total);) total = f_.find(total);
  }

 private:
  using base::f_;
  using base::g_;
  using base::kind;

  // whether it reduces all that it goes over
  constexpr bool is_total(int group) const {
    auto const& a = f_.groups[group];
    if (a.parent != group || a.kind != step_kind::reduce || a.scope != 0 || base::is_empty(group)) return false;
    auto const& shape = g_.shapes[a.domain];
    for (int axis = 0; axis < shape.rank; ++axis)
      if (!(a.mask >> axis & 1) && shape.extent[axis] != 1) return false;
    return true;
  }
  // whether there was one to join with it
  constexpr bool join_another(int total) {
    operands_t const x = operands_of(total);
    bool reads_arguments = false;
    for (int k = 0; k < x.count && x.fits; ++k) {
      if (!lies_in_order(x.of[k])) continue;
      if (is_argument(source_of(x.of[k])))
        reads_arguments = true;  // who else does is not known (groups.hpp)
      else if (join_reader(total, x.of[k]))
        return true;
    }
    for (int r = f_.groups[total].first_root; r != 0 && x.fits; r = f_.roots[r].next)
      if (!f_.roots[r].reduces && join_reader(total, f_.roots[r].value)) return true;
    for (int other = 1; reads_arguments && other < f_.group_count && count_one_more(); ++other)
      if (f_.groups[other].parent == other && join(total, other)) return true;
    return false;
  }
  constexpr bool join_reader(int total, int v) {
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      if (join(total, f_.find(f_.uses[u].group))) return true;
    return false;
  }
  // Counts a group that is looked at; false where this pass has seen as many as it may.
  constexpr bool count_one_more() { return groups_seen_ < most_groups_seen && ++groups_seen_ > 0; }
  constexpr bool fit(int total, int other) const {
    auto const &a = f_.groups[total], &b = f_.groups[other];
    return total != other && b.scope == 0 && traits_of(b.kind).is_fused && a.anchor == 0 && b.anchor == 0 &&
           a.weight + b.weight <= max_weight && ir::same_shape(g_, a.domain, b.domain) && !base::is_empty(other) &&
           (b.kind != step_kind::reduce || a.mask == b.mask) &&
           base::roots_of(total) + base::roots_of(other) <= max_sinks;
  }
  constexpr bool join(int total, int other) {
    if (!fit(total, other)) return false;
    bool const is_first = f_.groups[total].position < f_.groups[other].position;
    int const a = is_first ? total : other, b = is_first ? other : total;
    operands_t const of_a = operands_of(a), of_b = operands_of(b);
    int shared = 0, there = 0;
    for (int k = 0; k < of_b.count; ++k)
      shared += lies_in_order(of_b.of[k]) && (contains(of_a, of_b.of[k]) || is_made_by(a, of_b.of[k]));
    if (!of_a.fits || !of_b.fits || shared == 0) return false;
    int sooner[most_read_together]{};  // groups that are to stand before both
    for (int k = 0; k < of_b.count; ++k) there += contains(of_a, of_b.of[k]) || is_there(of_b.of[k], a, sooner[k]);
    if (there == of_b.count && of_a.count + of_b.count - shared <= most_read_together) {
      std::int64_t const position = f_.groups[a].position;
      for (int group : sooner)
        if (group != 0) f_.groups[group].position = position - 1;
      int const joined = base::merge(a, b);
      f_.groups[joined].position = position;
      base::forget_roots(joined, [this](int v) { return f_.output_of[v] != 0; });
      return true;
    }
    if (!is_part_of(of_a, of_b) || !base::can_merge(a, b)) return false;
    base::merge(a, b);
    return true;
  }

  // ---- what a kernel reads ----

  // Values in memory, element for element, and numbers.
  struct operands_t {
    int of[most_read_together], count;
    bool fits;  // they are few, in order, and of the kernel's type
  };
  constexpr operands_t operands_of(int group) const {
    operands_t found{{}, 0, true};
    dtype const type = g_.ins[f_.roots[f_.groups[group].first_root].value].type;
    int seen[max_weight]{}, count = 0;
    auto const visit = [&](int v) {
      for (int k = 0; k < count; ++k)
        if (seen[k] == v) return;
      found.fits = found.fits && count < max_weight;
      if (found.fits) seen[count++] = v;
    };
    found.fits = type == dtype::float32 || type == dtype::float64;
    for (int r = f_.groups[group].first_root; r != 0; r = f_.roots[r].next) {
      auto const& root = f_.roots[r];
      bool const is_own = root.reduces || (root.target == root.value && is_dense_output(root.target));
      found.fits = found.fits && is_own && root.part < 0 && root.output < 0 && g_.ins[root.value].type == type;
      visit(root.value);
    }
    for (int k = 0; k < count && found.fits; ++k) {
      int const v = seen[k];
      if (kind(v) == ir::op_kind::elementwise && (!f_.stored[v] || is_made_by(group, v))) {
        for (int in = 0; in < g_.ins[v].count; ++in) visit(g_.in(v, in));
      } else if (!is_constant(v)) {
        found.fits = g_.ins[v].type == type && found.count < most_read_together && (lies_in_order(v) || is_number(v));
        if (found.fits) found.of[found.count++] = v;
      }
    }
    return found;
  }
  constexpr bool is_constant(int v) const {
    return !f_.stored[v] && (kind(v) == ir::op_kind::literal || kind(v) == ir::op_kind::number);
  }
  constexpr bool is_argument(int v) const { return kind(v) == ir::op_kind::argument && !f_.stored[v]; }
  constexpr bool is_dense_output(int v) const { return f_.output_of[v] == 0 || outputs_.data[f_.output_of[v] - 1]; }
  constexpr bool lies_in_order(int v) const {
    if (kind(v) == ir::op_kind::reshape && !f_.stored[v]) return lies_in_order(g_.in(v, 0));
    return is_argument(v) ? arguments_.data[g_.attr(v, 0)] : f_.stored[v] && is_dense_output(v);
  }
  // whether it is one number for all elements
  constexpr bool is_number(int v) const {
    if (f_.stored[v] || kind(v) != ir::op_kind::view) return false;
    auto const& shape = g_.shape(g_.in(v, 0));
    for (int axis = 0; axis < shape.rank; ++axis)
      if (shape.extent[axis] != 1) return false;
    return true;
  }
  static constexpr bool contains(operands_t const& x, int v) {
    for (int k = 0; k < x.count; ++k)
      if (x.of[k] == v) return true;
    return false;
  }
  static constexpr bool is_part_of(operands_t const& x, operands_t const& y) {
    for (int k = 0; k < x.count; ++k)
      if (!contains(y, x.of[k])) return false;
    return true;
  }

  // ---- when it is there ----

  constexpr bool is_made_by(int group, int v) const {
    for (int r = f_.groups[group].first_root; r != 0; r = f_.roots[r].next)
      if (f_.roots[r].target == v && f_.roots[r].value == v) return true;
    return false;
  }
  // the group that makes a value, or reduces others to it; 0: none that makes all of it
  constexpr int maker_of(int v) {
    for (int k = 1; k < f_.group_count && count_one_more(); ++k)
      for (int r = f_.groups[k].parent == k ? f_.groups[k].first_root : 0; r != 0; r = f_.roots[r].next)
        if (f_.roots[r].target == v && f_.roots[r].part < 0) return k;
    return 0;
  }
  constexpr int source_of(int v) const {
    while (!f_.stored[v] && (kind(v) == ir::op_kind::view || kind(v) == ir::op_kind::reshape)) v = g_.in(v, 0);
    return v;
  }
  // Whether an operand of a later group is there when `group` begins, or its elements while that runs; or can be, if
  // `sooner` runs before it.
  constexpr bool is_there(int v, int group, int& sooner) {
    int const source = source_of(v);
    if (is_made_by(group, v) || is_argument(source) || is_constant(source)) return true;
    int const maker = maker_of(source);
    if (maker == 0 || maker == group) return false;
    if (f_.groups[maker].position < f_.groups[group].position) return true;
    sooner = maker;
    return is_number(v) && is_made_of_arguments(maker);
  }
  constexpr bool is_made_of_arguments(int group) const {
    if (f_.groups[group].kind != step_kind::map || f_.groups[group].scope != 0) return false;
    operands_t const x = operands_of(group);
    for (int k = 0; k < x.count; ++k)
      if (!is_argument(source_of(x.of[k]))) return false;
    return x.fits;
  }
  ir::span<bool> arguments_, outputs_;
  int groups_seen_ = 0;
};

}  // namespace ricci::plan
