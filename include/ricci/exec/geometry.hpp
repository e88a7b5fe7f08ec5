// Where a kernel's operands lie and how far its loops run: what a step of a plan becomes when it is about to be
// computed. No kernel's type is in it, so that the loops around the rows are compiled once for all kernels.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/transform/plan/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr int max_loops = max_rank + 1;
using plan::max_registers, plan::max_slots;
// A run-time constant of a step, in the form of a literal.
union scalar_value {
  double number;
  std::int64_t integer;
};
template <dtype T>
RICCI_INLINE RICCI_HD type_of<T> scalar_as(scalar_value s) {
  if constexpr (is_inexact(T))
    return static_cast<type_of<T>>(static_cast<component_t<type_of<T>>>(s.number));
  else
    return static_cast<type_of<T>>(s.integer);
}

struct geometry {
  int loops, kept, slots, threads;
  index_t extent[max_loops];
  char* p[max_slots];
  index_t* stride[max_loops];  // of each loop and slot, in bytes
  scalar_value scalars[max_slots];
  plan::scalar_t const* table;  // the numbers of the step as they stand in the plan
  char* memory;                 // as much as the step asked for (kernel_info::memory)
};

RICCI_INLINE index_t product_of(geometry const& g, int from, int to) {
  index_t n = 1;
  for (int d = from; d < to; ++d) n *= g.extent[d];
  return n;
}

// The operands at one combination of outer loops, and the way from one to the next without a division. A step of it is
// followed by a row, beside which a call costs little; so its functions are compiled once, not wherever loops are.
struct odometer {
  index_t count[max_loops];
  char* p[max_slots];

  explicit odometer(geometry const& g) { point(g, g.p); }
  RICCI_NOINLINE void point(geometry const& g, char* const* at) {
    for (int k = 0; k < g.slots; ++k) p[k] = at[k];
    for (int d = 0; d < g.loops; ++d) count[d] = 0;
  }
  // from the start forward to the n-th combination of loops [first, last), which may be empty where n is 0
  RICCI_NOINLINE void seek(geometry const& g, int first, int last, index_t n) {
    for (int d = last - 1; d >= first && n > 0; --d) {
      count[d] = n % g.extent[d];
      n /= g.extent[d];
      for (int k = 0; k < g.slots; ++k) p[k] += count[d] * g.stride[d][k];
    }
  }
  RICCI_NOINLINE void next(geometry const& g, int first, int last) {
    for (int d = last - 1; d >= first; --d) {
      for (int k = 0; k < g.slots; ++k) p[k] += g.stride[d][k];
      if (++count[d] < g.extent[d]) return;
      for (int k = 0; k < g.slots; ++k) p[k] -= g.extent[d] * g.stride[d][k];
      count[d] = 0;
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
