// What a device makes of the steps of a program, in words (exec/described.hpp).
#pragma once

#include <string>

#include <ricci/exec/described.hpp>
#include <ricci/exec/device/run.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

template <class P>
constexpr auto ends_of_row_groups() {
  table<int, P::plan.step_count> t{};
  for (int k = 0; k < P::plan.step_count; ++k) t.at[k] = k;
  auto const& s = row_groups<P>::schedule;
  for (int k = 0; k < s.groups; ++k) t.at[s.first[k]] = s.first[k] + s.span[k];
  return t;
}

// Whether a step stands among those of a kernel by rows, and is computed before it.
template <class P>
constexpr bool is_before_rows(int k) {
  auto const& s = row_groups<P>::schedule;
  for (int g = 0; g < s.groups; ++g)
    if (k >= s.first[g] && k < s.first[g] + s.span[g] && s.group[k] != g) return true;
  return false;
}

}  // namespace RICCI_DEVICE_LOOPS

template <Program P>
struct described<expr::device_memory, P> {
  static constexpr auto loops = [] {
    table<char const*, P::plan.step_count> t{};
    for (int k = 0; k < P::plan.step_count; ++k) {
      auto const kind = P::plan.kernels[P::plan.steps[k].kernel].kind;
      if (kind == plan::step_kind::map) t.at[k] = "an element for each index";
      if (kind == plan::step_kind::reduce) t.at[k] = "reduction";
      if (kind == plan::step_kind::contract) t.at[k] = "matrix product";
    }
    for (int k = 0; k < P::plan.step_count; ++k)
      if (is_before_rows<P>(k)) t.at[k] = "before that kernel, an element for each index";
    return t;
  }();
  static constexpr auto group_ends = ends_of_row_groups<P>();
  static constexpr char const* together = " are one kernel, which goes by rows:";

  static std::string numbers(dtype) { return "on a device"; }
};

}  // namespace ricci::exec
