// Which steps of a plan are checked before they run, where that makes the host wait for the device. Under CUDA kernels
// that read or write rows by index look at the indices themselves (cuda_outside.hpp). Those of rows that are written
// are looked at first all the same, so that an error leaves what was there as it was; not where rows are added to what
// the call itself has made, as in gradients of rows that are read.
#pragma once

#include <ricci/exec/device/memory.hpp>
#include <ricci/transform/plan/plan.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

template <class Plan>
constexpr bool adds_to_what_is_made(Plan const& p, int step) {
  auto const& s = p.steps[step];
  if (!(p.kernels[s.kernel].variant & plan::adds_rows)) return false;
  auto const& to = p.operands[s.first_operand];
  for (int before = 0; before < step; ++before)
    for (int k = 0; k < p.kernels[p.steps[before].kernel].slots; ++k) {
      auto const& o = p.operands[p.steps[before].first_operand + k];
      if (o.written && o.where == to.where && o.index == to.index) return true;
    }
  return false;
}
template <class Plan>
constexpr bool is_checked_first(Plan const& p, int step) {
  if (!device_backend::is_cuda) return true;
  auto const kind = p.kernels[p.steps[step].kernel].kind;
  return kind != plan::step_kind::take && (kind != plan::step_kind::scatter || !adds_to_what_is_made(p, step));
}
// whether something is checked before a step of which the step itself knows nothing
template <class Plan>
constexpr bool has_checks_before(Plan const& p, plan::step_t const& s) {
  for (int checked = s.first_check; checked != 0; checked = p.steps[checked].next_check)
    if (is_checked_first(p, checked)) return true;
  return false;
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
