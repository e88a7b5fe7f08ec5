// What a step is to a context: the kind of its loops, the code of its kernel, and types. Each context has a template of
// these, and equal ones are one kernel there, whichever program they come from.
#pragma once

#include <ricci/core/wrong_argument.hpp>
#include <ricci/exec/bindings.hpp>
#include <ricci/kernel/lower.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Step<kind, code, type, operation, variant> for kernel K of P; what a kind has no use for is void or none.
template <template <plan::step_kind, class, dtype, class, int> class Step, class P, int K>
constexpr auto kernel_as() {
  using enum plan::step_kind;
  constexpr plan::kernel_t k = P::plan.kernels[K];
  if constexpr (k.kind == accumulate || k.kind == call || k.kind == take || k.kind == scatter)
    return Step<k.kind, void, k.type, ir::op_of<k.op>, k.variant>{};
  else if constexpr (k.kind == table)
    return Step<k.kind, void, k.type, void, k.variant>{};
  else if constexpr (plan::is_frame(k.kind))
    return Step<k.kind, void, dtype::none, void, 0>{};
  else if constexpr (k.kind == contract || k.kind == map || k.kind == reduce)
    return Step<k.kind, typename kernel::lowered<P, K>::type, k.type, void, k.variant>{};
  else
    static_assert(always_false<P>, "a kind of step that no context is told of");
}

// The type of its numbers; of steps that have none, one that nothing is computed with.
template <dtype Type>
using number_of_step = typename type_of_dtype<Type == dtype::none ? dtype::float32 : Type>::type;

// ---- what is the same wherever a step runs ----

// Numbers of the plan into a row.
template <class T>
void write_table(T* to, plan::scalar_t const* from, index_t n) {
  for (index_t k = 0; k < n; ++k) to[k] = core::literal_as<T>(from[k].bits);
}
}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
