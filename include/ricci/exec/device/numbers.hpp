// Numbers among the arguments of a call on their way to the device.
#pragma once

#include <ricci/core/any_element.hpp>
#include <ricci/exec/device/backend.hpp>
#include <ricci/exec/program.hpp>
#include <ricci/transform/plan/plan.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// Words that are written there by a kernel, to which they are passed: the host is not met.
struct number_words {
  static constexpr index_t most = 64;
  index_t word[most];
  index_t* to;
  RICCI_HD void operator()(index_t k) const { to[k] = word[k]; }
};
inline void bring_numbers(int device, core::any_element const* numbers, index_t count, char* to_memory) {
  auto const* from = reinterpret_cast<index_t const*>(numbers);
  auto* to = reinterpret_cast<index_t*>(to_memory);
  for (index_t n = count * index_t(sizeof(core::any_element) / sizeof(index_t)); n > 0;) {
    index_t const now = n < number_words::most ? n : number_words::most;
    number_words words{{}, to};
    __builtin_memcpy(words.word, from, static_cast<std::size_t>(now) * sizeof(index_t));
    device_backend::for_each_index(device, now, words);
    from += now, to += now, n -= now;
  }
}

constexpr bool is_number_of_call(auto const& plan, plan::operand_t const& o) {
  return o.where == plan::home::argument && plan.argument_in[o.index] == plan::argument_memory::expression;
}
// Whether a step reads a number of the call at an address: maps and reductions are passed numbers, other kernels are
// not.
template <class P>
inline constexpr bool needs_numbers_there = [] {
  for (int k = 0; k < P::plan.step_count; ++k) {
    auto const& step = P::plan.steps[k];
    auto const& kernel = P::plan.kernels[step.kernel];
    if (plan::is_frame(kernel.kind) || kernel.kind == plan::step_kind::map || kernel.kind == plan::step_kind::reduce)
      continue;
    for (int slot = 0; slot < kernel.slots; ++slot)
      if (is_number_of_call(P::plan, P::plan.operands[step.first_operand + slot])) return true;
  }
  return false;
}();

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
