// What a graph, a plan and a kernel hold at most (docs/limits.md). They are computed in arrays of fixed sizes by
// constant evaluations; where one is full, the evaluation stops at one of these functions, which are not constexpr, so
// that the compiler shows its name.
#pragma once

#include <ricci/core/errors.hpp>

#if !defined(RICCI_MAX_OPERATIONS)
#define RICCI_MAX_OPERATIONS 16384
#endif

namespace ricci::limits {

// arguments and results of a function or operands of a statement, and the checks that a call makes
inline constexpr int most_arguments = 512, most_checks = 512;
// named extents of a function, labels of a statement
inline constexpr int most_names = 64, most_labels = 64;

static_assert(RICCI_MAX_OPERATIONS >= 1024 && (RICCI_MAX_OPERATIONS & (RICCI_MAX_OPERATIONS - 1)) == 0,
              "RICCI_MAX_OPERATIONS is a power of two, at least 1024");

// Those that a graph which grows at run time may reach as well end the program.
inline void shapes_in_a_traced_function_do_not_go_together() {}
inline void a_traced_function_has_more_operations_than_RICCI_MAX_OPERATIONS_unroll_its_loops_less() {}
inline void the_constants_of_a_traced_function_have_more_elements_than_fit_make_them_arguments() {}
inline void a_traced_function_has_more_shapes_than_an_eighth_of_RICCI_MAX_OPERATIONS() {}
inline void a_traced_function_has_more_symbolic_extents_than_an_eighth_of_RICCI_MAX_OPERATIONS() {}
inline void a_traced_function_needs_more_than_512_checks_of_extents() {}
inline void a_traced_function_needs_more_kernels_than_fit_with_RICCI_MAX_OPERATIONS_unroll_its_loops_less() {}
inline void a_pullback_keeps_more_than_512_values_use_grad_or_unroll_loops_less() {}
inline void a_traced_function_has_more_loops_than_a_16th_of_RICCI_MAX_OPERATIONS() {}
inline void a_call_is_derived_that_has_no_jvp_or_vjp_of_the_form_for_its_number_of_results() {}
inline void an_operation_is_derived_that_has_no_partials_or_pull_for_its_number_of_operands() {}
inline void an_operation_is_derived_that_has_no_jvp_or_vjp() {}
inline void the_rule_of_a_custom_jvp_is_not_linear_in_its_tangents() {}
inline void reverse_mode_goes_through_loops_of_a_number_of_iterations_that_is_a_value_by_rc_at_most() {}
inline void a_loop_carries_and_stacks_more_than_63_values() {}
inline void a_value_of_a_loop_or_branch_is_used_outside_of_its_body_return_it_from_there() {}
inline void checkpoint_every_is_given_a_length_where_that_of_the_loop_shows_at_run_time() {}
inline void a_checkpoint_keeps_more_values_than_64_less_its_arguments_and_results() {}
inline void a_function_has_more_than_64_named_extents() {}
inline void a_statement_has_more_than_64_labels() {}
inline void a_tangent_or_cotangent_is_used_that_is_absent_which_if_tells() { __builtin_trap(); }
inline void an_operation_has_more_than_24_attributes() { __builtin_trap(); }
inline void a_differential_equation_is_derived_that_has_batches_of_times_or_options_vmap_the_derivative() {
  __builtin_trap();
}
inline void an_equation_reads_more_than_512_values_that_it_is_derived_by() { __builtin_trap(); }
inline void the_solution_of_an_equation_is_the_same_for_a_batch_of_which_the_equation_is_not() { __builtin_trap(); }
inline void a_core_signature_reads_like_m_n_arrow_n_each_in_parentheses() { __builtin_trap(); }
inline void a_view_of_views_has_more_than_24_terms() { __builtin_trap(); }
inline namespace RICCI_ABI {
RICCI_COLD inline void a_tangent_or_cotangent_of_real_numbers_is_complex() {
  core::raise<value_error>(core::text() << "a tangent or cotangent of real numbers is complex");
}
// of tensors whose order is known only at run time: an error then
[[noreturn]] RICCI_COLD inline void a_tensor_has_more_than_12_axes() {
  core::raise<shape_error>(core::text() << "a tensor has more than 12 axes, which are the most");
}
}  // namespace RICCI_ABI

}  // namespace ricci::limits
