// Steps of a plan that are small calls of known extents: their loop is compiled for these extents and strides, and runs
// without the general machinery, one core or a batch of them.
#pragma once

#include <ricci/exec/cpu/cores_in_lanes.hpp>
#include <ricci/exec/cpu/product_steps.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t longest_small_core = 32,
                         most_small_operations = 8192,  // of a core whose extents are part of a function's type
    most_inlined_operations = 256,                      // of one that is written out where it runs
    most_small_workspace = 4096;                        // bytes

// The loops of a core, as constants.
template <int Loops, int Slots>
struct core_geometry {
  index_t extent[Loops > 0 ? Loops : 1];
  index_t stride[Loops > 0 ? Loops : 1][Slots];  // in bytes

  constexpr bool operator==(core_geometry const&) const = default;
};
template <class P, int I>
constexpr auto geometry_of_core() {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr int slots = P::plan.kernels[s.kernel].slots;
  core_geometry<s.loops - s.kept, slots> g{};
  for (int l = s.kept; l < s.loops; ++l) {
    g.extent[l - s.kept] = P::plan.extents[s.first_extent + l];
    for (int k = 0; k < slots; ++k)
      g.stride[l - s.kept][k] = stride_of<P, I>(k, l) * size_of(P::plan.operands[s.first_operand + k].type);
  }
  return g;
}

// Whether the compiler knows them, and none is long.
template <class P, int I>
constexpr bool has_short_known_cores() {
  constexpr plan::step_t s = P::plan.steps[I];
  for (int l = s.kept; l < s.loops; ++l) {
    if (auto const e = P::plan.extents[s.first_extent + l]; e < 0 || e > longest_small_core) return false;
    for (int slot = 0; slot < P::plan.kernels[s.kernel].slots; ++slot)
      if (ir::is_symbolic(stride_of<P, I>(slot, l))) return false;
  }
  return true;
}
// Whether the cores of step I, behind any number of batch loops, are small.
template <class P, int I>
constexpr bool has_small_cores() {
  constexpr plan::kernel_t k = P::plan.kernels[P::plan.steps[I].kernel];
  if constexpr (k.kind != plan::step_kind::call) {
    return false;
  } else {
    using op = ir::op_of<k.op>;
    using routine = host_routine<op, type_of<k.type>>;
    constexpr bool is_counted = requires(index_t const* extents) { op::operations(extents); };
    if constexpr (is_checked<op> || !is_counted || !requires { requires routine::runs_core_by_core; }) {
      return false;
    } else if constexpr (!has_short_known_cores<P, I>()) {
      return false;
    } else {
      constexpr auto g = geometry_of_core<P, I>();
      return op::operations(g.extent) <= most_small_operations &&
             core::bytes_of(calls::workspace<op>(g.extent), sizeof(typename routine::loop::work)) <=
                 most_small_workspace;
    }
  }
}
template <class P, int I>
constexpr bool is_small_call() {
  return P::plan.steps[I].kept == 0 && has_small_cores<P, I>();
}

// The loop of Op over one core, whose arrays start at p; no program's type is in it, so that programs share these.
template <class Op, class T, auto Core>
struct small_core {
  using loop = core_loop<Op, T>;
  static constexpr auto strides = Core;
  static constexpr index_t elements = calls::workspace<Op>(Core.extent);

  RICCI_INLINE static void run_here(char* const* p, scalar_value const* scalars) {
    attributes_of_call<Op> const attributes(scalars);
    typename loop::work workspace[elements > 0 ? elements : 1];
    run_with(p, attributes.at, workspace);
  }
  RICCI_INLINE static void run_with(char* const* p, index_t const* given, typename loop::work* workspace) {
    loop::template run<known_core_arguments<typename loop::work, Core>>(strides, 0, p, given, workspace);
  }
  RICCI_NOINLINE static void run_apart(char* const* p, scalar_value const* scalars) { run_here(p, scalars); }
  RICCI_INLINE static void run(char* const* p, scalar_value const* scalars) {
    if constexpr (ir::call_of_operation<Op>.operations(Core.extent) <= most_inlined_operations)
      run_here(p, scalars);
    else
      run_apart(p, scalars);
  }

  // All cores of a batch.
  static void run_batch(kernel_info const&, geometry& g) {
    index_t const cores = product_of(g, 0, g.kept);
    int const outer = g.kept - 1;
    index_t const inner = g.extent[outer];
    attributes_of_call<Op> const attributes(g.scalars);
    auto const part = [&](index_t from, index_t to) {
      typename loop::work workspace[elements > 0 ? elements : 1];
      odometer at(g);
      at.seek(g, 0, outer, from / inner);
      for (index_t first = from % inner; from < to; first = 0, at.next(g, 0, outer)) {
        index_t const n = inner - first < to - from ? inner - first : to - from;
        char* p[loop::slots];
        for (int k = 0; k < loop::slots; ++k) p[k] = at.p[k] + first * g.stride[outer][k];
        if constexpr (has_cores_in_lanes<Op, T>()) {
          using lanes = cores_in_lanes<Op, T>;
          if constexpr (lanes::are_for_lanes(Core.extent))
            if (lanes::takes(inner, Core.extent)) {
              lanes::template run<known_core_arguments<typename loop::work, Core>>(strides, 0, p, g.stride[outer], n);
              from += n;
              continue;
            }
        }
        for (index_t i = 0; i < n; ++i) {
          run_with(p, attributes.at, workspace);
          for (int k = 0; k < loop::slots; ++k) p[k] += g.stride[outer][k];
        }
        from += n;
      }
    };
    if (cores == 0) return;
    if (host_routine<Op, T>::is_run_alone(g)) return part(0, cores);
    parallel_parts(g.threads, cores, part);
  }
  static constexpr kernel_info batch = [] {
    kernel_info k{};
    k.run = &run_batch;
    k.slots = loop::slots;
    k.scalars = loop::attributes;
    return k;
  }();
};
template <class P, int I>
using small_core_of = small_core<ir::op_of<P::plan.kernels[P::plan.steps[I].kernel].op>,
                                 type_of<P::plan.kernels[P::plan.steps[I].kernel].type>, geometry_of_core<P, I>()>;

// Whether step I finds the place of an extremum in one row whose elements lie side by side.
template <class P, int I>
constexpr bool is_place_in_row() {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr (k.kind != plan::step_kind::call || s.loops != 1 || s.kept != 0 || RICCI_SMALL_STACK)
    return false;
  else if constexpr (!FindsPlace<ir::op_of<k.op>>)
    return false;
  else
    return stride_of<P, I>(0, 0) == 1;
}
// of n elements, at least one
template <class P, int I>
RICCI_INLINE void run_place_in_row(char* const* p, index_t n) {
  constexpr plan::kernel_t k = P::plan.kernels[P::plan.steps[I].kernel];
  using op = ir::op_of<k.op>;
  using T = ordered_as<calls::array_t<op, type_of<k.type>, 0>>;
  *reinterpret_cast<std::int64_t*>(p[1]) = place_in_row<op>(reinterpret_cast<T const*>(p[0]), n);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
