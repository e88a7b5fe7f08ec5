// What is looked at before a result is written: by the steps, indices and what calls refuse; by the plan as a whole,
// that extents are what it was made for.
#pragma once

#include <ricci/graph/dims.hpp>
#include <ricci/transform/plan/plan.hpp>

namespace ricci::plan {

// whether a step stands in a loop
constexpr bool is_in_loop(plan_t const& p, int step) {
  for (int s = 0; s < step; ++s)
    if (p.steps[s].partner > step) return true;
  return false;
}

// The operand of a step with the indices or other values that it checks; -1: none.
constexpr int checked_operand(plan_t const& p, step_t const& s) {
  auto const& kernel = p.kernels[s.kernel];
  int const operand = kernel.kind == step_kind::call ? kernel.op->call->checked : traits_of(kernel.kind).checked;
  return operand < 0 ? -1 : s.first_operand + operand;
}
// Whether it is a call that refuses cores of some extents, and is not known to be given others.
constexpr bool may_refuse(plan_t const& p, step_t const& s) {
  auto const& k = p.kernels[s.kernel];
  if (k.kind != step_kind::call || !k.op->call->may_refuse) return false;
  index_t const* const extents = p.extents + s.first_extent + s.kept;
  for (int l = 0; l < s.loops - s.kept; ++l)
    if (ir::is_symbolic(extents[l])) return true;
  return k.op->call->refuses(extents) != nullptr;
}
// Whether the same indices were looked at by an earlier step that reads the rows of the same places, as in a function
// and its gradient.
constexpr bool was_checked(plan_t const& p, int step) {
  auto const& s = p.steps[step];
  auto const& kernel = p.kernels[s.kernel];
  if (kernel.kind != step_kind::scatter || !(kernel.variant & adds_rows) || is_in_loop(p, step)) return false;
  auto const& indices = p.operands[checked_operand(p, s)];
  for (int t = 0; t < step; ++t) {
    auto const& other = p.kernels[p.steps[t].kernel];
    if (other.kind != step_kind::take || (other.variant & own_indices) != (kernel.variant & own_indices)) continue;
    auto const& x = p.operands[checked_operand(p, p.steps[t])];
    bool same = x.where == indices.where && x.index == indices.index && x.offset == indices.offset;
    for (int l : {0, 1, 3}) same = same && p.extents[p.steps[t].first_extent + l] == p.extents[s.first_extent + l];
    if (same && !is_in_loop(p, t)) return true;
  }
  return false;
}
// When the checks of each step are made: before the first step that writes a result, if what is checked is there by
// then, and as soon as it is there otherwise.
constexpr void note_checks(plan_t& p) {
  // the first step of [from, to) that writes an output, or else `to`
  auto const first_result = [&](int from, int to) {
    for (; from < to; ++from)
      for (int k = 0; k < p.kernels[p.steps[from].kernel].slots; ++k) {
        auto const& o = p.operands[p.steps[from].first_operand + k];
        if (o.where == home::output && o.written) return from;
      }
    return to;
  };
  for (int s = p.step_count - 1; s > 0; --s) {  // so that lists are in order
    int const checked = checked_operand(p, p.steps[s]);
    if (checked < 0 && !may_refuse(p, p.steps[s])) continue;
    if (checked >= 0 && was_checked(p, s)) {
      p.steps[s].checked_early = true;
      continue;
    }
    int known = 0;  // the step before which its values are there
    if (checked >= 0 && p.operands[checked].where != home::argument)
      for (int t = 0; t < s; ++t)
        for (int k = 0; k < p.kernels[p.steps[t].kernel].slots; ++k) {
          auto const& o = p.operands[p.steps[t].first_operand + k];
          if (o.written && o.where == p.operands[checked].where && o.index == p.operands[checked].index) known = t + 1;
        }
    int const at = is_in_loop(p, s) ? s : first_result(known, s);
    if (p.last_check < at && first_result(0, at) < at) p.last_check = at;
    if (at == s) continue;
    p.steps[s].checked_early = true;
    p.steps[s].next_check = p.steps[at].first_check;
    p.steps[at].first_check = s;
  }
}

// Guards, of what the plan was made for: (1) extents that were found, or taken, to be equal are, (2) axes reach as far
// as indices do, which start at 0 or behind it, (3) what has to be equal without one standing for the other is. A
// dimension that is a broadcast of equal ones needs no guard of its own. Where extents are broadcast, there are no
// guards: the checks are looked at.
template <class G>
constexpr void note_guards(plan_t& p, G const& g) {
  p.exact_dims = g.exact_dims;
  p.takes_for_equal = g.takes_for_equal;
  p.is_guarded = true;
  for (int k = 0; k < g.check_count; ++k) {
    auto const& c = g.checks[k];
    index_t const a = ir::find(g, c.a), b = ir::find(g, c.b);
    bool const may_be_one = c.kind == ir::check_kind::broadcastable || c.kind == ir::check_kind::broadcasts_to;
    if (may_be_one && a != b && b != 1 && !(a == 1 && c.kind == ir::check_kind::broadcastable)) p.is_guarded = false;
  }
  if (!p.is_guarded) return;
  for (int k = 0; k < g.exact_dims; ++k) {
    auto const& d = g.dims[k];
    index_t const same = ir::find(g, ir::dim_id(k));
    if (same == ir::dim_id(k)) continue;
    if (d.op == ir::dim_op::broadcast && ir::find(g, d.a) == same && ir::find(g, d.b) == same) continue;
    p.guards[p.guard_count++] = {false, ir::dim_id(k), same};
  }
  // what an index names, and what has to be equal without one standing for the other, as for a quotient without rest
  for (int k = 0; k < g.check_count; ++k) {
    auto const& c = g.checks[k];
    bool const at_least = c.kind == ir::check_kind::reaches || c.kind == ir::check_kind::begins ||
                          c.kind == ir::check_kind::extent || c.kind == ir::check_kind::positive;
    index_t const a = ir::find(g, c.a), b = ir::find(g, c.b);
    if (at_least || (c.kind == ir::check_kind::equal && a != b)) p.guards[p.guard_count++] = {at_least, a, b};
  }
}

// What is looked at where a guard does not hold: checks and shapes as they were recorded.
template <class G>
constexpr void keep_checks(plan_t& p, G const& g) {
  auto const keep_shape = [&](int shape) {
    p.shapes[p.shape_count] = g.shapes[shape];
    return p.shape_count++;
  };
  for (int k = 0; k < g.output_count; ++k) p.exact_shapes[k] = keep_shape(g.exact_shapes[k]);
  p.check_count = g.check_count;
  for (int k = 0; k < g.check_count; ++k) {
    p.checks[k] = g.checks[k];
    for (int side = 0; side < 2; ++side)
      if (g.checks[k].shapes[side] >= 0) p.checks[k].shapes[side] = keep_shape(g.checks[k].shapes[side]);
  }
}

}  // namespace ricci::plan
