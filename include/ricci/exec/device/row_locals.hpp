// Which operands of steps that are one kernel by rows (row_schedule.hpp) a block keeps in its own memory: what one step
// leaves of a row for another, and rows that are read. Found when the plan is compiled; whether they fit shows when it
// runs.
#pragma once

#include <ricci/exec/device/row_schedule.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

inline constexpr int most_row_locals = 16;

struct row_local {
  int first = 0, last = 0;  // the steps of the group that access it; -1 and `count`: it is copied before, or behind
  bool copied_in = false, copied_out = false, written = false;
  int reads = 0;
};
struct row_locals {
  int count = 0;
  row_local local[most_row_locals]{};
  int of[most_row_operands]{};  // of the operands of all steps, one after another; -1: it lies in memory of the device
};

// Whether an operand outside of the group is the same value, or, in a plan with loops, may be.
template <class Plan>
constexpr bool is_seen_outside(Plan const& p, plan::operand_t const& x, int const* steps, int count) {
  if (x.where != plan::home::workspace) return true;
  for (int k = 0; k < p.step_count; ++k) {
    auto const& kernel = p.kernels[p.steps[k].kernel];
    if (plan::is_frame(kernel.kind)) return true;
    bool inside = false;
    for (int j = 0; j < count; ++j) inside = inside || steps[j] == k;
    if (inside) continue;
    for (int s = 0; s < kernel.slots; ++s) {
      auto const& y = p.operands[p.steps[k].first_operand + s];
      if (y.where == x.where && y.index == x.index) return true;
    }
  }
  return false;
}
template <class Plan>
constexpr row_locals locals_of_rows(Plan const& p, int const* steps, int count, int kept) {
  struct access {
    int step, slot;
  };
  access at[most_row_operands]{};
  int n = 0;
  for (int k = 0; k < count; ++k)
    for (int s = 0; s < p.kernels[p.steps[steps[k]].kernel].slots; ++s) at[n++] = {k, s};
  auto const step = [&](int a) -> auto const& { return p.steps[steps[at[a].step]]; };
  auto const operand = [&](int a) -> auto const& { return p.operands[step(a).first_operand + at[a].slot]; };
  auto const inner = [&](int a) { return step(a).loops > kept ? p.strides[operand(a).first_stride + kept] : 0; };
  auto const extent = [&](int a) {
    return step(a).loops > kept && inner(a) != 0 ? p.extents[step(a).first_extent + kept] : 1;
  };
  auto const same_rows = [&](int a, int b) {
    auto const &x = operand(a), &y = operand(b);
    bool same = x.offset == y.offset && x.type == y.type && inner(a) == inner(b) && extent(a) == extent(b);
    for (int l = 0; l < kept; ++l) same = same && p.strides[x.first_stride + l] == p.strides[y.first_stride + l];
    return same;
  };
  row_locals r;
  for (int a = 0; a < n; ++a) r.of[a] = -1;
  for (int a = 0; a < n && r.count < most_row_locals; ++a) {
    row_local l;
    int accesses = 0, last_write = -1, writes_in_last = 0;
    bool is_first = true, same = true;
    l.first = at[a].step;
    for (int b = 0; b < n; ++b) {
      if (operand(b).where != operand(a).where || operand(b).index != operand(a).index) continue;
      is_first = is_first && b >= a;
      same = same && same_rows(a, b);
      ++accesses;
      if (at[b].step > l.last || accesses == 1) writes_in_last = 0;
      l.last = at[b].step;
      if (operand(b).written)
        l.written = true, last_write = b, ++writes_in_last;
      else {
        ++l.reads;
        l.copied_in = l.copied_in || at[b].step == l.first;
      }
    }
    bool is_one = true;  // all rows are one and the same
    for (int k = 0; k < kept; ++k) is_one = is_one && p.strides[operand(a).first_stride + k] == 0;
    if (!is_first || !same || is_one || (!l.written && inner(a) == 0)) continue;
    bool const is_seen = l.written && (l.copied_in || is_seen_outside(p, operand(a), steps, count));
    if (is_seen && accesses == 1) continue;
    bool const ends_written = is_seen && writes_in_last == 1;  // which goes to where it is seen
    l.copied_out = is_seen && !ends_written;
    if (l.copied_in) l.first = -1;
    if (l.copied_out) l.last = count;
    for (int b = a; b < n; ++b)
      if (operand(b).where == operand(a).where && operand(b).index == operand(a).index &&
          !(ends_written && b == last_write))
        r.of[b] = r.count;
    r.local[r.count++] = l;
  }
  return r;
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
