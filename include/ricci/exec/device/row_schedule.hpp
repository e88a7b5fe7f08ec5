// Which steps of a plan are one kernel because all of them go row by row (row_program.hpp), found when it is compiled:
// steps one after another with the same kept loops, of which each reads of what the others write the same row only.
#pragma once

#include <ricci/exec/device/checked_steps.hpp>
#include <ricci/exec/device/map_group.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

inline constexpr int most_row_steps = 16;
inline constexpr int most_row_operands = 96;  // of all steps

constexpr int bytes_in_table(plan::kernel_t const& k) { return 128 + 64 * (k.slots + 1) + 8 * k.scalars; }

template <class Plan>
constexpr bool may_overlap(Plan const& p, plan::operand_t const& x, plan::operand_t const& y) {
  if (x.where != y.where) return false;  // arguments where outputs lie are seen when the plan runs
  if (x.where != plan::home::workspace) return x.index == y.index;
  auto const &a = p.buffers[x.index], &b = p.buffers[y.index];
  if (!p.is_placed) return a.place == b.place;
  return a.offset < b.offset + b.elements * b.element_size && b.offset < a.offset + a.elements * a.element_size;
}
// whether two such begin at the same place
template <class Plan>
constexpr bool begin_together(Plan const& p, plan::operand_t const& x, plan::operand_t const& y) {
  if (x.offset != y.offset || x.type != y.type) return false;
  if (x.where != plan::home::workspace || x.index == y.index) return x.index == y.index;
  return !p.is_placed || p.buffers[x.index].offset == p.buffers[y.index].offset;
}
// `f(operand, operand)` for those of two steps of which one is written where the other may lie; true where all are
template <class Plan, class F>
constexpr bool for_all_conflicts(Plan const& p, plan::step_t const& x, plan::step_t const& y, F const& f) {
  for (int i = 0; i < p.kernels[x.kernel].slots; ++i)
    for (int j = 0; j < p.kernels[y.kernel].slots; ++j) {
      auto const &u = p.operands[x.first_operand + i], &v = p.operands[y.first_operand + j];
      if ((u.written || v.written) && may_overlap(p, u, v) && !f(u, v)) return false;
    }
  return true;
}

// Whether a step goes along rows that are numbered by its first `kept` loops.
template <class Plan>
constexpr bool goes_by_rows(Plan const& p, plan::step_t const& s, int kept) {
  auto const& k = p.kernels[s.kernel];
  if (has_checks_before(p, s)) return false;
  if (k.kind == plan::step_kind::reduce) return k.variant == 0 && s.kept == kept && s.loops == kept + 1;
  return k.kind == plan::step_kind::map && (s.loops == kept || s.loops == kept + 1);
}
// Whether x and y, which go by such rows, touch of what one of them writes the same elements in the same row.
template <class Plan>
constexpr bool keeps_to_rows(Plan const& p, plan::step_t const& x, plan::step_t const& y, int kept) {
  for (int l = 0; l < kept; ++l)
    if (p.extents[x.first_extent + l] != p.extents[y.first_extent + l]) return false;
  auto const inner = [&](plan::step_t const& s, plan::operand_t const& o) {
    return s.loops > kept ? p.strides[o.first_stride + kept] : 0;
  };
  return for_all_conflicts(p, x, y, [&](plan::operand_t const& u, plan::operand_t const& v) {
    if (!begin_together(p, u, v) || inner(x, u) != inner(y, v)) return false;
    if (inner(x, u) != 0 && p.extents[x.first_extent + kept] != p.extents[y.first_extent + kept]) return false;
    for (int l = 0; l < kept; ++l)
      if (p.strides[u.first_stride + l] != p.strides[v.first_stride + l]) return false;
    return true;
  });
}
// Whether a step computes a number or a few that no row has to do with, as a mean's number of elements.
template <class Plan>
constexpr bool is_apart_from_rows(Plan const& p, plan::step_t const& s) {
  return p.kernels[s.kernel].kind == plan::step_kind::map && s.loops == 0 && !has_checks_before(p, s);
}
// Which steps from the first one on are one kernel. Those among them that are apart are computed before.
inline constexpr int most_row_span = 2 * most_row_steps;
struct steps_of_rows {
  int span = 1, count = 1;  // steps until the last of them; how many are one kernel; 1: none
  bool is_apart[most_row_span]{};
};
template <class Plan>
constexpr steps_of_rows steps_by_rows(Plan const& p, int first, int kept) {
  steps_of_rows r;
  int count = 0, reductions = 0, operands = 0, bytes = 0;
  for (int k = first; k < p.step_count && k < first + most_row_span && count < most_row_steps; ++k) {
    auto const& s = p.steps[k];
    auto const for_all_before = [&](auto const& f) {
      bool all = true;
      for (int j = first; j < k; ++j) all = all && (r.is_apart[j - first] || f(p.steps[j]));
      return all;
    };
    if (k > first && is_apart_from_rows(p, s)) {
      r.is_apart[k - first] = true;
      if (for_all_before([&](plan::step_t const& x) {
            return for_all_conflicts(p, x, s, [](plan::operand_t const&, plan::operand_t const&) { return false; });
          }))
        continue;
      break;
    }
    operands += p.kernels[s.kernel].slots;
    bytes += bytes_in_table(p.kernels[s.kernel]);
    if (!goes_by_rows(p, s, kept) || operands > most_row_operands || bytes > most_group_bytes) break;
    if (!for_all_before([&](plan::step_t const& x) { return keeps_to_rows(p, x, s, kept); })) break;
    reductions += p.kernels[s.kernel].kind == plan::step_kind::reduce;
    r.count = ++count, r.span = k - first + 1;
  }
  return reductions > 0 && count > 1 ? r : steps_of_rows{};
}

template <int Steps>
struct row_schedule {
  int groups = 0;
  int group[Steps > 0 ? Steps : 1]{};  // of a step; -1: none
  // of a group: where it begins, how many steps it goes on for, how many of those it has, and loops that count rows
  int first[Steps > 0 ? Steps : 1]{}, span[Steps > 0 ? Steps : 1]{}, count[Steps > 0 ? Steps : 1]{},
      kept[Steps > 0 ? Steps : 1]{};
  // step I of a group
  constexpr int step(int g, int i) const {
    int k = first[g];
    while (group[k] != g || i-- > 0) ++k;
    return k;
  }
};
template <class P>
constexpr auto row_schedule_of() {
  constexpr int n = P::plan.step_count;
  row_schedule<n> s;
  for (int k = 0; k < n; ++k) s.group[k] = -1;
  if constexpr (device_backend::is_cuda)
    for (int k = 0; k < n; ++k) {
      steps_of_rows most;
      for (int kept = 1; kept < group_loops; ++kept)
        if (auto const found = steps_by_rows(P::plan, k, kept); found.count > most.count) {
          most = found;
          s.first[s.groups] = k, s.span[s.groups] = found.span, s.count[s.groups] = found.count;
          s.kept[s.groups] = kept;
        }
      if (most.count == 1) continue;
      for (int j = 0; j < most.span; ++j)
        if (!most.is_apart[j]) s.group[k + j] = s.groups;
      ++s.groups;
      k += most.span - 1;
    }
  return s;
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
