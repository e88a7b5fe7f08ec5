// Calls on the CPU: the loop of the operation, once for every combination of the loops before it; threads share these.
#pragma once

#include <ricci/exec/core_call.hpp>
#include <ricci/exec/cpu/map.hpp>
#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t call_scratch = RICCI_SMALL_STACK ? 256 : 4096;

// A routine that knows better, as one of a library, is a specialization for its operation and element type.
template <class Op, class T>
struct host_routine {
  static void run(geometry const& g) {
    using loop = core_loop<Op, T>;
    index_t const cores = product_of(g, 0, g.kept);
    attributes_of_call<Op> const attributes(g.scalars);
    index_t const work = calls::workspace<Op>(g.extent + g.kept) * index_t(sizeof(typename loop::work));
    auto const part = [&](index_t from, index_t to) {
      scratch<call_scratch> memory(work);
      odometer at(g);
      at.seek(g, 0, g.kept, from);
      for (; from < to; ++from, at.next(g, 0, g.kept))
        loop::run(g, g.kept, at.p, attributes.at, reinterpret_cast<typename loop::work*>(memory.data()));
    };
    if (cores == 0) return;
    if (is_alone(g.threads) || product_of(g, 0, g.loops) < parallel_threshold)
      part(0, cores);
    else
      parallel_parts(g.threads, cores, part);
  }
};

template <class Op, class T>
void run_call(kernel_info const&, geometry& g) {
  host_routine<Op, T>::run(g);
}
template <class Op, class T>
constexpr kernel_info call_kernel() {
  kernel_info k{};
  k.run = &run_call<Op, T>;
  k.slots = Op::core.arrays();
  k.scalars = calls::attributes<Op>();
  if constexpr (ir::call_of_operation<Op>.may_refuse) k.check = &check_call<Op>;
  return k;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
