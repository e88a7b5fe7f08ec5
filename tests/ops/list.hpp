// The list of operations from which the generic tests of this folder are made. `ops/list` compares it with the names in
// include/ricci/ops, so that a new operation that is in no list fails there.
#pragma once

#include <ricci/ricci.hpp>

namespace operations {

namespace rc = ricci;

template <class... Ops>
struct list {};

using unary_functions = list<  //
    rc::exp_t, rc::expm1_t, rc::log_t, rc::log1p_t, rc::sqrt_t, rc::rsqrt_t, rc::sigmoid_t, rc::softplus_t, rc::erf_t,
    rc::sin_t, rc::cos_t, rc::tan_t, rc::tanh_t, rc::sinh_t, rc::cosh_t, rc::asin_t, rc::acos_t, rc::atan_t>;
using unary_arithmetic = list<  //
    rc::negative_t, rc::square_t, rc::abs_t, rc::sign_t, rc::relu_t, rc::floor_t, rc::ceil_t, rc::round_t>;
using binary_functions = list<  //
    rc::atan2_t, rc::pow_t, rc::add_t, rc::subtract_t, rc::multiply_t, rc::divide_t, rc::maximum_t, rc::minimum_t,
    rc::floor_divide_t, rc::remainder_t>;
using comparisons = list<  //
    rc::equal_t, rc::not_equal_t, rc::less_t, rc::less_equal_t, rc::greater_t, rc::greater_equal_t>;
using logic = list<rc::logical_and_t, rc::logical_or_t, rc::logical_xor_t, rc::logical_not_t>;
using ternary_functions = list<rc::clip_t, rc::where_t>;

// Those whose derivatives are tested several in one function (further_functions.cpp).
using further_functions = list<  //
    rc::exp2_t, rc::log2_t, rc::log10_t, rc::cbrt_t, rc::asinh_t, rc::acosh_t, rc::atanh_t>;
using further_arithmetic = list<rc::reciprocal_t, rc::positive_t, rc::trunc_t>;
using further_binary = list<rc::hypot_t, rc::copysign_t, rc::nextafter_t, rc::fmod_t>;
using classifications = list<rc::isnan_t, rc::isinf_t, rc::isfinite_t, rc::signbit_t>;
// formulas
using formulas = list<rc::logaddexp_t, rc::angle_t, rc::deg2rad_t, rc::rad2deg_t>;
// of integers alone
using bits = list<  //
    rc::bitwise_and_t, rc::bitwise_or_t, rc::bitwise_xor_t, rc::bitwise_invert_t, rc::bitwise_left_shift_t,
    rc::bitwise_right_shift_t, rc::bitwise_count_t, rc::gcd_t, rc::lcm_t>;

template <class F, class... Ops>
void for_each(list<Ops...>, F const& f) {
  (f(Ops{}), ...);
}
// the elementwise operations of floats but astype, whose kernel is told its result type (tests/ops/types.cpp), and what
// is further below
template <class F>
void for_each_elementwise(F const& f) {
  for_each(unary_functions{}, f);
  for_each(unary_arithmetic{}, f);
  for_each(binary_functions{}, f);
  for_each(comparisons{}, f);
  for_each(logic{}, f);
  for_each(ternary_functions{}, f);
}
template <class F>
void for_each_further(F const& f) {
  for_each(further_functions{}, f);
  for_each(further_arithmetic{}, f);
  for_each(further_binary{}, f);
  for_each(classifications{}, f);
}

}  // namespace operations
