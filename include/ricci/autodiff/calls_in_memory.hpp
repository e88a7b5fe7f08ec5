// Calls of functions whose seeds, results and workspace lie in memory that is kept from one call to the next, as those
// of a sparse jacobian do: new memory at each call is pages that the system has to clear.
#pragma once

#include <ricci/autodiff/functions.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

struct kept_memory {
  core::shared_buffer workspace, seeds, results;

  static void reserve(core::shared_buffer& b, index_t bytes) {
    if (b.bytes() < bytes) b = core::shared_buffer(bytes);
  }
};

// Results of a program, of one or two axes, that lie in memory which is kept: their places, and how many elements each
// has.
template <int N>
struct results_in_memory {
  operand_ref at[N > 0 ? N : 1];
  index_t size[N > 0 ? N : 1];
  index_t extents[N > 0 ? N : 1][2];
};
template <class P, class B, int N>
bool run_in_memory(kept_memory& memory, B const& b, index_t size_of_element, results_in_memory<N>& out,
                   exec::result_reader* reader) {
  index_t dims[exec::dim_capacity<P>];
  if (!exec::resolve_dims<P>(b.refs, nullptr, dims)) return false;
  index_t bytes = 0, offset[N > 0 ? N : 1];
  for (int k = 0; k < N; ++k) {
    auto const& shape = exec::plan_tables<P>::shapes.at[P::plan.output_shapes[0] + k];
    out.size[k] = 1;
    for (int d = 0; d < shape.rank; ++d) out.size[k] *= out.extents[k][d] = exec::resolve(shape.extent[d], dims);
    offset[k] = bytes;
    bytes += core::whole_lines(out.size[k] * size_of_element);
  }
  kept_memory::reserve(memory.results, bytes);
  for (int k = 0; k < N; ++k) out.at[k] = {memory.results.data() + offset[k], out.extents[k], nullptr};
  exec::backend_of<expr::host_memory>::template run<P>(dims, b.refs, out.at, b.how, &memory.workspace, reader);
  return true;
}
// The function under that transform, whose N results have one element type. A reader may read them instead.
template <class Transform, class F, int N, class... A>
void call_in_memory(kept_memory& memory, index_t size_of_element, exec::result_reader* reader,
                    results_in_memory<N>& out, A const&... a) {
  using P = tracing::usual_program<Transform, F, A...>;
  tracing::bound_arguments<(tree::count_leaves<A>() + ... + 0)> b;
  (tree::for_each_leaf([&](auto const& leaf) { tracing::bind_leaf(b, leaf); }, a), ...);
  if (!run_in_memory<P>(memory, b, size_of_element, out, reader))
    if constexpr (P::plan.takes_for_equal)
      run_in_memory<tracing::general_program<Transform, F, A...>>(memory, b, size_of_element, out, reader);
}

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
