// The library as a C++20 module: `import ricci;` instead of `#include <ricci/ricci.hpp>`. It exports the names that
// programs use and no macros; a program that writes operations with RICCI_FN includes <ricci/core/config.hpp> besides,
// and what reaches into the floors (ricci::ir, ricci::plan and so on) includes the headers. docs/packaging.md says how
// it is compiled.
module;

// The templates of xsimd call intrinsics, which are static functions in clang's headers. Up to clang 19 a static
// function is not found when another file instantiates the template that calls it (LLVM issue 98021), so here they are
// declared without `static`; inline and always inlined they are anyway. What these headers include in turn is included
// before.
#if defined(__clang__) && __clang_major__ < 20 && (defined(__x86_64__) || defined(__i386__))
#include <cstdlib>
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#define static
#include <immintrin.h>
#undef static
#pragma clang diagnostic pop
#endif

#include <ricci/ricci.hpp>

export module ricci;

export namespace ricci {

// Types of elements, extents and labels.
using ricci::bfloat16, ricci::dim, ricci::dtype, ricci::dtype_of, ricci::dyn, ricci::extents, ricci::float16,
    ricci::index_t, ricci::label;
using ricci::can_cast, ricci::finfo, ricci::iinfo, ricci::isdtype, ricci::result, ricci::result_t, ricci::result_type;
using ricci::max_rank;

// Concepts, and what other libraries specialise to take part in them.
using ricci::Arithmetic, ricci::Context, ricci::Contiguous, ricci::Differentiable, ricci::Element, ricci::Expression,
    ricci::Extent;
using ricci::Matrix, ricci::Scalar, ricci::ShapeArgument, ricci::Tensor, ricci::TensorOf, ricci::TensorOfRank;
using ricci::Traceable;
using ricci::value_type_of, ricci::value_type_t;
using ricci::Vector, ricci::enable_context, ricci::enable_tensor, ricci::extents_of, ricci::rank_of;

// Errors.
using ricci::context_error, ricci::error, ricci::error_handler, ricci::index_error, ricci::io_error;
using ricci::set_error_handler, ricci::shape_error, ricci::value_error;

// Tensors, contexts, creation, evaluation.
using ricci::arange, ricci::asarray, ricci::copy, ricci::cpu, ricci::empty, ricci::empty_like, ricci::eval, ricci::eye;
using ricci::endpoint, ricci::geomspace, ricci::indices, ricci::logspace, ricci::tri;
using ricci::flush_subnormals;
using ricci::frombuffer, ricci::full, ricci::full_like, ricci::linspace, ricci::ndarray, ricci::ones, ricci::ones_like;
using ricci::layout, ricci::like, ricci::row_range, ricci::rows, ricci::shape, ricci::shape_values, ricci::strides;
using ricci::tensor, ricci::view, ricci::with_context, ricci::zeros, ricci::zeros_like;

// Indices and axes.
using ricci::all, ricci::axes, ricci::axes_t, ricci::axis, ricci::ellipsis, ricci::ellipsis_t, ricci::keepdims;
using ricci::axis_item, ricci::axis_names, ricci::contract, ricci::has_axis_names, ricci::keepdims_t, ricci::named;
using ricci::end, ricci::end_t, ricci::newaxis, ricci::newaxis_t, ricci::range, ricci::range_t, ricci::slice;
using ricci::named_tensor, ricci::unnamed;

// Operations.
using ricci::abs, ricci::acos, ricci::add, ricci::any, ricci::argmax, ricci::argmin, ricci::asin, ricci::astype;
using ricci::acosh, ricci::asinh, ricci::atanh, ricci::bitwise_and, ricci::bitwise_invert, ricci::bitwise_left_shift;
using ricci::angle, ricci::bitwise_or, ricci::bitwise_right_shift, ricci::bitwise_xor, ricci::cbrt, ricci::copysign;
using ricci::argsort, ricci::descending, ricci::descending_t, ricci::sort;
using ricci::atan, ricci::atan2, ricci::broadcast_to, ricci::ceil, ricci::clip, ricci::concat, ricci::cos, ricci::cosh;
using ricci::bitwise_count, ricci::gcd, ricci::lcm;
using ricci::complex, ricci::conj, ricci::imag, ricci::real;
using ricci::cross, ricci::cumulative_prod, ricci::cumulative_sum, ricci::dot, ricci::gelu, ricci::gelu_erf;
using ricci::deg2rad, ricci::exp2, ricci::fmod, ricci::hypot, ricci::isfinite, ricci::isinf, ricci::isnan, ricci::log10;
using ricci::divide, ricci::equal, ricci::erf, ricci::exp, ricci::expand_dims, ricci::expm1, ricci::flip, ricci::floor;
using ricci::einsum, ricci::tensordot;
using ricci::floor_divide, ricci::greater, ricci::greater_equal, ricci::less, ricci::less_equal, ricci::log;
using ricci::lexsort, ricci::lexsort_t, ricci::polyval, ricci::polyval_t;
using ricci::log1p, ricci::log_softmax, ricci::log_softmax_t;
using ricci::log2, ricci::logaddexp, ricci::nextafter, ricci::positive, ricci::rad2deg, ricci::reciprocal;
using ricci::logical_and, ricci::logical_not, ricci::logical_or, ricci::logical_xor, ricci::logsumexp;
using ricci::matmul, ricci::matrix_transpose, ricci::max, ricci::maximum, ricci::mean, ricci::min, ricci::minimum;
using ricci::multiply, ricci::negative, ricci::not_equal, ricci::permute_dims, ricci::pow, ricci::prod, ricci::put_rows;
using ricci::norm, ricci::outer, ricci::silu, ricci::softplus, ricci::vdot, ricci::vecdot;
using ricci::relu, ricci::remainder, ricci::reshape, ricci::round, ricci::rsqrt, ricci::sigmoid, ricci::sign;
using ricci::signbit, ricci::trunc;
using ricci::sin, ricci::sinh, ricci::softmax, ricci::sqrt, ricci::square, ricci::squeeze, ricci::stack, ricci::std;
using ricci::stop_gradient, ricci::subtract, ricci::sum, ricci::take, ricci::tan, ricci::tanh, ricci::var, ricci::where;

// Elements in other places.
using ricci::append, ricci::append_t, ricci::atleast_1d, ricci::atleast_2d, ricci::atleast_3d, ricci::flatten;
using ricci::broadcast_arrays, ricci::diag, ricci::diagonal, ricci::diff, ricci::edge, ricci::indexing_ij;
using ricci::diagonal_t, ricci::repeat_t, ricci::roll_t, ricci::take_along_axis_t, ricci::tile_t, ricci::trace_t;
using ricci::divmod, ricci::hstack, ricci::nan_to_num, ricci::rot90, ricci::vstack;
using ricci::indexing_xy, ricci::known, ricci::meshgrid, ricci::moveaxis, ricci::pad, ricci::ravel, ricci::reflect;
using ricci::prepend, ricci::prepend_t, ricci::put, ricci::put_along_axis, ricci::put_along_axis_t, ricci::put_t;
using ricci::ravel_multi_index, ricci::unravel_index;
using ricci::repeat, ricci::roll, ricci::swapaxes, ricci::take_along_axis, ricci::tile, ricci::trace, ricci::tril;
using ricci::split, ricci::split_t, ricci::sliding_window_view, ricci::sliding_window_view_t, ricci::symmetric_t,
    ricci::tril_t, ricci::triu_t;
using ricci::triu, ricci::unstack, ricci::wrap;

// Statistics and what is near.
using ricci::allclose, ricci::array_equal, ricci::average, ricci::average_t, ricci::corrcoef, ricci::corrcoef_t;
using ricci::correction, ricci::correction_t, ricci::count_nonzero, ricci::count_nonzero_t, ricci::cov, ricci::cov_t;
using ricci::equal_nan, ricci::equal_nan_t, ricci::gradient, ricci::include_initial, ricci::include_initial_t;
using ricci::gradient_of_samples_t, ricci::trapezoid_t;
using ricci::inner, ricci::inner_t, ricci::isclose, ricci::kron, ricci::kron_t, ricci::median, ricci::median_t;
using ricci::nanargmax, ricci::nanargmin, ricci::nanmedian, ricci::nanmedian_t, ricci::nanpercentile,
    ricci::nanquantile;
using ricci::nanmax, ricci::nanmax_t, ricci::nanmean, ricci::nanmean_t, ricci::nanmin, ricci::nanmin_t, ricci::nanprod;
using ricci::nanprod_t, ricci::nanstd, ricci::nanstd_t, ricci::nansum, ricci::nansum_t, ricci::nanvar;
using ricci::nanvar_t, ricci::percentile, ricci::ptp, ricci::ptp_t, ricci::quantile, ricci::trapezoid;

// Searching and sets.
namespace overlap {
using ricci::overlap::full, ricci::overlap::full_t, ricci::overlap::same, ricci::overlap::same_t;
using ricci::overlap::valid, ricci::overlap::valid_t;
}  // namespace overlap
namespace side {
using ricci::side::left, ricci::side::left_t, ricci::side::right, ricci::side::right_t;
}  // namespace side
namespace policies {
using ricci::policies::dots_saveable, ricci::policies::dots_with_no_batch_dims_saveable;
using ricci::policies::everything_saveable, ricci::policies::nothing_saveable;
using ricci::policies::save_any_names_but_these, ricci::policies::save_from_both_policies;
using ricci::policies::save_only_these_names;
}  // namespace policies
using ricci::argpartition, ricci::argpartition_t, ricci::partition, ricci::partition_t, ricci::weights,
    ricci::weights_t;
using ricci::argwhere, ricci::compress, ricci::flatnonzero, ricci::nonzero;
using ricci::bincount, ricci::convolve, ricci::correlate, ricci::density, ricci::density_t, ricci::digitize;
using ricci::cumulative_max, ricci::cumulative_max_t;
using ricci::cumulative_min, ricci::cumulative_min_t, ricci::interp, ricci::interp_t, ricci::intersect1d;
using ricci::histogram, ricci::histogram_bin_edges, ricci::interval, ricci::convolve_t, ricci::correlate_t, ricci::isin,
    ricci::isin_t;
using ricci::minlength, ricci::searchsorted, ricci::sorter, ricci::sorter_t;
using ricci::setdiff1d, ricci::top_k, ricci::union1d;
using ricci::unique_all, ricci::unique_all_result, ricci::unique_counts, ricci::unique_counts_result;
using ricci::unique_inverse, ricci::unique_inverse_result, ricci::unique_values;

// Their types.
using ricci::abs_t, ricci::acos_t, ricci::add_t, ricci::all_t, ricci::any_t, ricci::argmax_t, ricci::argmin_t;
using ricci::acosh_t, ricci::angle_t, ricci::asinh_t, ricci::atanh_t, ricci::bitwise_and_t, ricci::bitwise_invert_t;
using ricci::argsort_t, ricci::complex_t, ricci::conj_t, ricci::imag_t, ricci::real_t, ricci::sort_t;
using ricci::asin_t, ricci::astype_t, ricci::atan2_t, ricci::atan_t, ricci::broadcast_to_t, ricci::ceil_t;
using ricci::bitwise_count_t, ricci::gcd_t, ricci::lcm_t;
using ricci::bitwise_left_shift_t, ricci::bitwise_or_t, ricci::bitwise_right_shift_t, ricci::bitwise_xor_t;
using ricci::cbrt_t, ricci::copysign_t, ricci::deg2rad_t, ricci::exp2_t, ricci::fmod_t, ricci::hypot_t;
using ricci::clip_t, ricci::concat_t, ricci::cos_t, ricci::cosh_t, ricci::cumulative_prod_t, ricci::cumulative_sum_t,
    ricci::divide_t, ricci::equal_t, ricci::erf_t;
using ricci::cross_t, ricci::dot_t, ricci::gelu_erf_t, ricci::gelu_t, ricci::norm_t, ricci::outer_t, ricci::silu_t;
using ricci::einsum_t, ricci::length, ricci::length_t, ricci::length_value, ricci::pattern, ricci::tensordot_t;
using ricci::exp_t, ricci::expm1_t, ricci::floor_divide_t, ricci::floor_t, ricci::greater_equal_t, ricci::greater_t;
using ricci::isfinite_t, ricci::isinf_t, ricci::isnan_t, ricci::log10_t, ricci::log2_t, ricci::logaddexp_t;
using ricci::less_equal_t, ricci::less_t, ricci::log1p_t, ricci::log_t, ricci::logical_and_t, ricci::logical_not_t;
using ricci::logical_or_t, ricci::logical_xor_t, ricci::logsumexp_t, ricci::matmul_t, ricci::max_t, ricci::maximum_t;
using ricci::mean_t, ricci::min_t, ricci::minimum_t, ricci::multiply_t, ricci::negative_t, ricci::not_equal_t;
using ricci::nextafter_t, ricci::positive_t, ricci::rad2deg_t, ricci::reciprocal_t, ricci::signbit_t, ricci::trunc_t;
using ricci::permute_dims_t, ricci::pow_t, ricci::prod_t, ricci::relu_t, ricci::remainder_t, ricci::reshape_t;
using ricci::round_t, ricci::rsqrt_t, ricci::scatter_t, ricci::sigmoid_t, ricci::sign_t, ricci::sin_t, ricci::sinh_t;
using ricci::softmax_t, ricci::sqrt_t, ricci::square_t, ricci::stack_t, ricci::std_t, ricci::stop_gradient_t;
using ricci::softplus_t, ricci::vdot_t, ricci::vecdot_t;
using ricci::subtract_t, ricci::sum_t, ricci::take_t, ricci::tan_t, ricci::tanh_t, ricci::update_slice_t, ricci::var_t;
using ricci::where_t;
using ricci::written;

// Operators on tensors and expressions, where argument-dependent lookup finds them.
using ricci::operator%=, ricci::operator&=, ricci::operator|=, ricci::operator^=, ricci::operator<<=;
using ricci::operator>>=;
using ricci::operator!, ricci::operator!=, ricci::operator%, ricci::operator&, ricci::operator*, ricci::operator*=;
using ricci::operator+, ricci::operator+=, ricci::operator-, ricci::operator-=, ricci::operator/=;
using ricci::operator/, ricci::operator<, ricci::operator<<, ricci::operator<=, ricci::operator==, ricci::operator>;
using ricci::operator>=, ricci::operator>>, ricci::operator^, ricci::operator|, ricci::operator~;

// For operations of a program's own.
using ricci::add_term, ricci::affine_map, ricci::assembly, ricci::identity_map, ricci::no_attributes, ricci::part_map;
using ricci::all_numbers, ricci::comparison, ricci::each, ricci::elementwise, ricci::interval, ricci::largest_number;
using ricci::axis_call, ricci::core_arguments, ricci::core_call, ricci::core_signature, ricci::core_view;
using ricci::call_operation, ricci::promote, ricci::shape_t, ricci::slice_map, ricci::tensor_operands, ricci::type_list;
using ricci::composite_function, ricci::composite_reduction, ricci::takes_axes;
using ricci::fold_along_axis, ricci::fold_gives, ricci::unary_fold;
using ricci::math_function, ricci::no_negative_number, ricci::none, ricci::one, ricci::reduction_axes;
using ricci::name_of;
using ricci::view_operation, ricci::view_without_attributes;

// Functions, their derivatives, batches and costs; derivatives of statements; records.
using ricci::at_most, ricci::at_most_t, ricci::cond, ricci::fori_loop, ricci::scan, ricci::unroll, ricci::unroll_t,
    ricci::while_loop;
using ricci::batched, ricci::values_in, ricci::hessian, ricci::hvp, ricci::jacfwd, ricci::jacrev, ricci::cost,
    ricci::count, ricci::derivative, ricci::explain, ricci::explanation, ricci::field;
using ricci::check_grads, ricci::check_options, ricci::gradient_check, ricci::saved, ricci::saved_value;
using ricci::checkpoint, ricci::checkpoint_every, ricci::checkpoint_every_t, ricci::checkpoint_name, ricci::saveable,
    ricci::custom_jvp, ricci::custom_vjp;
using ricci::CheckpointPolicy;
using ricci::compressed, ricci::sparse_hessian, ricci::sparse_jacobian, ricci::sparse_matrix;
using ricci::custom_linear_solve, ricci::custom_root, ricci::fixed_point, ricci::ode_options, ricci::odeint,
    ricci::symmetric;
using ricci::fn, ricci::grad, ricci::gradient_t, ricci::has_aux, ricci::in_axes, ricci::interpret, ricci::jvp;
using ricci::jacobian, ricci::jet, ricci::linearize, ricci::saved_values;
using ricci::level;
using ricci::no_grad, ricci::retain, ricci::retain_t, ricci::tape, ricci::tape_error, ricci::variable, ricci::variables;
using ricci::out_axes, ricci::prepared, ricci::simplified, ricci::simplified_t, ricci::symbols, ricci::tangent_t;
using ricci::required, ricci::root_options;
using ricci::tree_map, ricci::tree_vdot, ricci::unbatched, ricci::value_and_grad, ricci::values, ricci::vjp,
    ricci::vmap;
using ricci::variable_options;
using ricci::workspace_bytes, ricci::wrt;

}  // namespace ricci

// Values of a graph, for the rules of such operations.
export namespace ricci::ir {

using ricci::ir::application, ricci::ir::cast, ricci::ir::expand, ricci::ir::facts_of, ricci::ir::graph_context;
using ricci::ir::intern, ricci::ir::permute, ricci::ir::positions, ricci::ir::record, ricci::ir::reshape;
using ricci::ir::slice, ricci::ir::transposed, ricci::ir::update_slice, ricci::ir::value, ricci::ir::with_first_axis;
using ricci::ir::zeros_like;

}  // namespace ricci::ir

// Linear algebra.
export namespace ricci::linalg {

using ricci::linalg::solve, ricci::linalg::solve_t;

}  // namespace ricci::linalg

// Patterns.
export namespace ricci::einops {

using ricci::einops::rearrange, ricci::einops::reduce, ricci::einops::repeat;

}  // namespace ricci::einops
