#include "elementwise.hpp"

namespace oracle {

void elementwise_of_one(registry& r) {
  unary<"abs", signed_numbers>(r, [](auto const& x) { return rc::abs(x); });
  unary<"acos", floats_and_complex>(r, [](auto const& x) { return rc::acos(x); });
  unary<"acosh", floats_and_complex>(r, [](auto const& x) { return rc::acosh(x); });
  unary<"asin", floats_and_complex>(r, [](auto const& x) { return rc::asin(x); });
  unary<"asinh", floats_and_complex>(r, [](auto const& x) { return rc::asinh(x); });
  unary<"atan", floats_and_complex>(r, [](auto const& x) { return rc::atan(x); });
  unary<"atanh", floats_and_complex>(r, [](auto const& x) { return rc::atanh(x); });
  unary<"bitwise_invert", integers>(r, [](auto const& x) { return rc::bitwise_invert(x); });
  unary<"ceil", numbers_of_reals>(r, [](auto const& x) { return rc::ceil(x); });
  unary<"conj", complex_numbers>(r, [](auto const& x) { return rc::conj(x); });
  unary<"cos", floats_and_complex>(r, [](auto const& x) { return rc::cos(x); });
  unary<"cosh", floats_and_complex>(r, [](auto const& x) { return rc::cosh(x); });
  unary<"exp", floats_and_complex>(r, [](auto const& x) { return rc::exp(x); });
  unary<"expm1", floats_and_complex>(r, [](auto const& x) { return rc::expm1(x); });
  unary<"floor", numbers_of_reals>(r, [](auto const& x) { return rc::floor(x); });
  unary<"imag", complex_numbers>(r, [](auto const& x) { return rc::imag(x); });
  unary<"isfinite", numbers_of_all>(r, [](auto const& x) { return rc::isfinite(x); });
  unary<"isinf", numbers_of_all>(r, [](auto const& x) { return rc::isinf(x); });
  unary<"isnan", numbers_of_all>(r, [](auto const& x) { return rc::isnan(x); });
  unary<"log", floats_and_complex>(r, [](auto const& x) { return rc::log(x); });
  unary<"log10", floats_and_complex>(r, [](auto const& x) { return rc::log10(x); });
  unary<"log1p", floats_and_complex>(r, [](auto const& x) { return rc::log1p(x); });
  unary<"log2", floats_and_complex>(r, [](auto const& x) { return rc::log2(x); });
  unary<"logical_not", booleans>(r, [](auto const& x) { return rc::logical_not(x); });
  unary<"negative", signed_numbers>(r, [](auto const& x) { return rc::negative(x); });
  unary<"positive", numbers_of_all>(r, [](auto const& x) { return rc::positive(x); });
  unary<"real", complex_numbers>(r, [](auto const& x) { return rc::real(x); });
  unary<"reciprocal", floats_and_complex>(r, [](auto const& x) { return rc::reciprocal(x); });
  unary<"round", numbers_of_all>(r, [](auto const& x) { return rc::round(x); });
  unary<"sign", numbers_of_all>(r, [](auto const& x) { return rc::sign(x); });
  unary<"signbit", floats>(r, [](auto const& x) { return rc::signbit(x); });
  unary<"sin", floats_and_complex>(r, [](auto const& x) { return rc::sin(x); });
  unary<"sinh", floats_and_complex>(r, [](auto const& x) { return rc::sinh(x); });
  unary<"sqrt", floats_and_complex>(r, [](auto const& x) { return rc::sqrt(x); });
  unary<"square", numbers_of_all>(r, [](auto const& x) { return rc::square(x); });
  unary<"tan", floats_and_complex>(r, [](auto const& x) { return rc::tan(x); });
  unary<"tanh", floats_and_complex>(r, [](auto const& x) { return rc::tanh(x); });
  unary<"trunc", numbers_of_reals>(r, [](auto const& x) { return rc::trunc(x); });
}

}  // namespace oracle
