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

template <class F, class... Ops>
void for_each(list<Ops...>, F const& f) {
  (f(Ops{}), ...);
}
// all elementwise operations but astype, whose kernel is told its result type (tests/ops/types.cpp)
template <class F>
void for_each_elementwise(F const& f) {
  for_each(unary_functions{}, f);
  for_each(unary_arithmetic{}, f);
  for_each(binary_functions{}, f);
  for_each(comparisons{}, f);
  for_each(logic{}, f);
  for_each(ternary_functions{}, f);
}

}  // namespace operations
