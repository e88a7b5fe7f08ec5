// Calls on the device: one core for an index, each with a workspace of its own, unless a kind of operations has a
// routine that spreads a core over threads.
#pragma once

#include <ricci/exec/core_call.hpp>
#include <ricci/exec/device/maps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

template <class Op, class T>
struct core_element {
  using loop = core_loop<Op, T>;
  device_step<loop::slots, loop::attributes> s;
  int batch;
  typename loop::work* workspace;
  index_t work;
  RICCI_HD void operator()(index_t i) const {
    attributes_of_call<Op> const attributes(s.scalars);
    auto const at = s.at(i, 0, batch);
    loop::run(s, batch, at.to, attributes.at, workspace + i * work);
  }
};
template <class Op, class T>
struct one_core_for_an_index {
  static void run(device_geometry& g, device_call const& c) {
    using loop = core_loop<Op, T>;
    index_t const cores = product_of(g, 0, g.kept), work = calls::workspace<Op>(g.extent + g.kept);
    if (cores == 0) return;
    auto const memory =
        work > 0 ? device_array<typename loop::work>(cores * work, c.device) : device_array<typename loop::work>();
    device_backend::for_each_index(
        c.device, cores,
        core_element<Op, T>{passed<loop::slots, loop::attributes>(g, c), g.kept,
                            work > 0 ? const_cast<typename loop::work*>(memory.data()) : nullptr, work});
  }
};
// A routine that knows better is a specialization for its operations and element types (cuda_folds.hpp, cuda_scans.hpp,
// cuda_sort.hpp).
template <class Op, class T>
struct device_routine : one_core_for_an_index<Op, T> {};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
