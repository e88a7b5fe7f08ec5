// The CPU as a backend.
#pragma once

#include <ricci/exec/backend.hpp>
#include <ricci/exec/cpu/broadcast_rows.hpp>
#include <ricci/exec/cpu/run.hpp>
#include <ricci/expr/reify.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Elements that lie in `from` as they do in `to`; those side by side are copied together.
RICCI_COLD inline void copy_elements(operand_ref const& to, char const* from, int rank, int size) {
  index_t at[max_rank] = {}, strides[max_rank], run = 1, together = size;
  for (int k = rank - 1; k >= 0; --k) {
    strides[k] = (to.strides ? to.strides[k] : run) * size;
    run *= to.extents[k];
  }
  int loops = rank;
  while (loops > 0 && strides[loops - 1] == together) together *= to.extents[--loops];
  index_t n = 1, offset = 0;
  for (int k = 0; k < loops; ++k) n *= to.extents[k];
  for (; n > 0; --n) {
    __builtin_memcpy(to.p + offset, from + offset, static_cast<std::size_t>(together));
    for (int k = loops - 1; k >= 0; --k) {
      offset += strides[k];
      if (++at[k] < to.extents[k]) break;
      offset -= at[k] * strides[k];
      at[k] = 0;
    }
  }
}

// Runs a statement, which keeps no memory for its intermediate values.
template <class Backend, Program P>
RICCI_NOINLINE void run_statement(index_t const* dims, operand_ref const* arguments, operand_ref const* results,
                                  core::execution how, core::shared_buffer*) {
  Backend::template run<P>(dims, arguments, results, how);
}

// A statement; where it is one row, it runs so, too, if extents that were taken for equal are not.
template <class Backend, Program P>
struct cpu_statement {
  static constexpr bool is_one_row() {
    if constexpr (P::plan.step_count == 1 && P::plan.buffer_count == 0 && P::plan.elementwise) {
      for (int k = 0; k < P::plan.operand_count; ++k)
        if (P::plan.operands[k].offset != 0) return false;
      return is_row<P, 0>();
    }
    return false;
  }
  static constexpr bool broadcasts = is_one_row();
  static constexpr auto tables() {
    if constexpr (broadcasts) {
      constexpr plan::step_t s = P::plan.steps[0];
      using code = typename kernel::lowered<P, s.kernel>::type;
      using t = plan_tables<P>;
      return one_row_program{results_of<P>::template with<Backend>(&run_statement<Backend, P>, &run_broadcast_rows),
                             &row<code>::function,
                             t::operands.at + s.first_operand,
                             t::strides.at,
                             code::slots,
                             t::scalars.at + s.first_scalar,
                             code::scalars};
    } else {
      return results_of<P>::template with<Backend>(&run_statement<Backend, P>);
    }
  }
  static constexpr auto value = tables();
};

}  // namespace RICCI_ABI

template <int Memory>
requires(Memory <= expr::host_memory) struct backend_of<Memory> {
  static constexpr index_t most_on_stack = core::has_heap ? 256 : index_t(1) << 40;
  static constexpr bool may_fail_in_any_step = false;
  RICCI_INLINE static core::shared_buffer allocate(index_t bytes, core::execution) {
    return core::shared_buffer(bytes);
  }
  RICCI_INLINE static char* data(core::shared_buffer const& b) { return b.data(); }
  static void copy_back(operand_ref const& to, char const* from, int rank, int size, core::execution) {
    copy_elements(to, from, rank, size);
  }
  template <Program P>
  RICCI_INLINE static void run(index_t const* dims, operand_ref const* arguments, operand_ref const* outputs,
                               core::execution how, core::shared_buffer* keep = nullptr,
                               result_reader* reader = nullptr) {
    if constexpr (runs_apart<P>)
      run_plan_apart<P>(dims, arguments, outputs, how.threads(), keep, reader);
    else
      run_plan<P>(dims, arguments, outputs, how.threads(), keep, reader);
  }
  template <Program P>
  using statement = cpu_statement<backend_of, P>;
};
static_assert(Backend<backend_of<expr::host_memory>>);

}  // namespace ricci::exec
RICCI_OPTIMIZED_END
