// What a context provides to run programs (exec/program.hpp): memory, and the steps of a plan. Everything else about an
// evaluation is the same for all of them.
#pragma once

#include <concepts>

#include <ricci/core/buffer.hpp>
#include <ricci/exec/program.hpp>

namespace ricci::exec {

// A backend has these static members:
//
// - `allocate(bytes, how)`: a block for so many bytes, uninitialised, whose header is on the host; device_error and the
//   like where there is no such memory;
// - `data(block)`: where its elements are, an address that steps can use;
// - `most_on_stack`: results that are computed apart and take no more bytes than this may lie on the stack;
// - `may_fail_in_any_step`: whether a step may raise an error though its checks did not, of memory that it takes, say:
//   then what is written before the last step is computed apart;
// - `copy_back(to, from, rank, size, how)`: elements of `size` bytes from `from`, where they lie as they do at `to`;
// - `run<P>(dims, arguments, outputs, how, keep)`: runs the steps of P::plan in the order of `for_each_step`
//   (exec/control.hpp), which knows loops, with the values of its symbolic dimensions, and its arguments and outputs
//   where they lie in the memory of this backend (numbers of an expression lie on the host:
//   `argument_memory::expression`). Before a step that names others as `first_check`, what those may refuse is looked
//   at, so that nothing is written where an error is raised. `keep` is null or memory for intermediate values, which a
//   backend may use and enlarge. For kernels it has a template of their kind, code and types, which `kernel_as`
//   (exec/step.hpp) instantiates; each kind of step has its case there;
// - `statement<P>`: `program_on<backend, P>` (exec/destination.hpp), or one that also runs where extents are not equal
//   that were taken for it.
template <class B>
concept Backend = requires(index_t bytes, core::execution how, core::shared_buffer const& block,
                           operand_ref const& to) {
  { B::allocate(bytes, how) } -> std::same_as<core::shared_buffer>;
  { B::data(block) } -> std::same_as<char*>;
  { B::most_on_stack } -> std::convertible_to<index_t>;
  { B::may_fail_in_any_step } -> std::convertible_to<bool>;
  B::copy_back(to, to.p, 1, 8, how);
};
template <class B, class P>
concept Runs = Backend<B> && Program<P> &&
    requires(index_t const* dims, operand_ref const* operands, core::execution how, core::shared_buffer* keep) {
  B::template run<P>(dims, operands, operands, how, keep);
  typename B::template statement<P>;
};

// The backend of a memory space (expr/reify.hpp); each context specialises it in a folder of its own.
template <int Memory>
struct backend_of;

}  // namespace ricci::exec
