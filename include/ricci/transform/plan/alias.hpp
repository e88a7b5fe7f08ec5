// What may happen where an output lies in the memory of an argument. `x = x + y` may be computed in place, `x = x +
// x.T` may not; which of the two it is can be read from the plan.
#pragma once

#include <ricci/transform/plan/plan.hpp>

namespace ricci::plan {

enum class hazard : std::uint8_t {
  never,         // the argument is not read any more when the output is written
  unless_same,   // read element for element as the output is written: fine at the same address, not at another one
  unless_alike,  // the same of strides that are only known when the plan runs: they have to be the output's, too
  always
};

// Whether two strides of a plan are along the same axis of an argument and of an output, by what was given with them.
template <class Plan>
constexpr bool along_the_same_axis(Plan const& p, index_t argument_stride, index_t output_stride) {
  if (!ir::is_symbolic(argument_stride) || !ir::is_symbolic(output_stride)) return false;
  auto const &a = p.dims[ir::dim_index(argument_stride)], &o = p.dims[ir::dim_index(output_stride)];
  return a.op == ir::dim_op::stride && o.op == ir::dim_op::stride && a.b == o.b;
}

// Which steps touch an argument or output.
struct touched {
  int first, last;  // -1: none
};
// Of all arguments or outputs at once.
template <class Plan>
constexpr void touched_by(Plan const& p, home where, touched* of, int count) {
  for (int k = 0; k < count; ++k) of[k] = {-1, -1};
  for (int s = 0; s < p.step_count; ++s)
    for (int k = 0; k < p.kernels[p.steps[s].kernel].slots; ++k)
      if (auto const& o = p.operands[p.steps[s].first_operand + k]; o.where == where) {
        if (of[o.index].first < 0) of[o.index].first = s;
        of[o.index].last = s;
      }
}

// Whether a step before that one writes an output.
constexpr bool is_written_before(int step, touched written) { return written.first >= 0 && written.first < step; }

// Whether a kernel reduces something to an output: that has partial results before all is read.
template <class Plan>
constexpr bool is_reduced_to(Plan const& p, kernel_t const& kernel, step_t const& step, int output) {
  for (int k = 0; k < kernel.sinks; ++k) {
    auto const& sink = p.sinks[kernel.first_sink + k];
    auto const& o = p.operands[step.first_operand + sink.slot];
    if (sink.reduction->id != 0 && o.where == home::output && o.index == output) return true;
  }
  return false;
}

// An argument that is last read in step `read.last` beside an output whose steps are `written`.
template <class Plan>
constexpr hazard hazard_of(Plan const& p, int output, touched written, int argument, touched read) {
  if (read.last < written.first) return hazard::never;
  auto const& step = p.steps[written.first];
  auto const& kernel = p.kernels[step.kernel];
  if (read.last > written.first || written.last > written.first || !traits_of(kernel.kind).writes_as_read ||
      is_reduced_to(p, kernel, step, output))
    return hazard::always;
  hazard found = hazard::unless_same;
  for (int k = 0; k < kernel.slots; ++k) {
    auto const& a = p.operands[step.first_operand + k];
    if (a.where != home::argument || a.index != argument) continue;
    if (kernel.kind == step_kind::contract && k < 2) return hazard::always;
    for (int j = 0; j < kernel.slots; ++j) {
      auto const& o = p.operands[step.first_operand + j];
      if (o.where != home::output || o.index != output) continue;
      bool same = a.offset == o.offset && a.type == o.type;
      for (int l = 0; l < step.loops && same; ++l) {
        index_t const x = p.strides[a.first_stride + l], y = p.strides[o.first_stride + l];
        if (x == y) continue;
        same = along_the_same_axis(p, x, y);
        found = hazard::unless_alike;
      }
      if (!same) return hazard::always;
    }
  }
  return found;
}

}  // namespace ricci::plan
