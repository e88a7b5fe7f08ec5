#include "elementwise.hpp"

namespace oracle {

void elementwise_of_two(registry& r) {
  binary<"add", all_types>(r, [](auto const& a, auto const& b) { return rc::add(a, b); });
  binary<"atan2", floats>(r, [](auto const& a, auto const& b) { return rc::atan2(a, b); });
  binary<"bitwise_and", integers>(r, [](auto const& a, auto const& b) { return rc::bitwise_and(a, b); });
  binary<"bitwise_left_shift", integers>(r, [](auto const& a, auto const& b) { return rc::bitwise_left_shift(a, b); });
  binary<"bitwise_or", integers>(r, [](auto const& a, auto const& b) { return rc::bitwise_or(a, b); });
  binary<"bitwise_right_shift", integers>(r,
                                          [](auto const& a, auto const& b) { return rc::bitwise_right_shift(a, b); });
  binary<"bitwise_xor", integers>(r, [](auto const& a, auto const& b) { return rc::bitwise_xor(a, b); });
  binary<"copysign", floats>(r, [](auto const& a, auto const& b) { return rc::copysign(a, b); });
  binary<"divide", floats>(r, [](auto const& a, auto const& b) { return rc::divide(a, b); });
  binary<"equal", all_types>(r, [](auto const& a, auto const& b) { return rc::equal(a, b); });
  binary<"floor_divide", numbers_of_reals>(r, [](auto const& a, auto const& b) { return rc::floor_divide(a, b); });
  binary<"greater", real_types>(r, [](auto const& a, auto const& b) { return rc::greater(a, b); });
  binary<"greater_equal", real_types>(r, [](auto const& a, auto const& b) { return rc::greater_equal(a, b); });
  binary<"hypot", floats>(r, [](auto const& a, auto const& b) { return rc::hypot(a, b); });
  binary<"less", real_types>(r, [](auto const& a, auto const& b) { return rc::less(a, b); });
  binary<"less_equal", real_types>(r, [](auto const& a, auto const& b) { return rc::less_equal(a, b); });
  binary<"logaddexp", floats, false>(r, [](auto const& a, auto const& b) { return rc::logaddexp(a, b); });
  binary<"logical_and", all_types>(r, [](auto const& a, auto const& b) { return rc::logical_and(a, b); });
  binary<"logical_or", all_types>(r, [](auto const& a, auto const& b) { return rc::logical_or(a, b); });
  binary<"logical_xor", all_types>(r, [](auto const& a, auto const& b) { return rc::logical_xor(a, b); });
  binary<"maximum", real_types>(r, [](auto const& a, auto const& b) { return rc::maximum(a, b); });
  binary<"minimum", real_types>(r, [](auto const& a, auto const& b) { return rc::minimum(a, b); });
  binary<"multiply", all_types>(r, [](auto const& a, auto const& b) { return rc::multiply(a, b); });
  binary<"nextafter", types<float, double>>(r, [](auto const& a, auto const& b) { return rc::nextafter(a, b); });
  binary<"not_equal", all_types>(r, [](auto const& a, auto const& b) { return rc::not_equal(a, b); });
  binary<"pow", floats_and_complex>(r, [](auto const& a, auto const& b) { return rc::pow(a, b); });
  add<values<2, numbers_of_reals>, forms<part<std::int16_t, 2>, part<std::uint8_t, 1>>>(
      r, "pow", "", "rc::pow(a, b)", [](auto const& a, auto const& b) { return rc::pow(a, b); });
  binary<"remainder", numbers_of_reals>(r, [](auto const& a, auto const& b) { return rc::remainder(a, b); });
  binary<"subtract", numbers_of_all>(r, [](auto const& a, auto const& b) { return rc::subtract(a, b); });
  add<values<3, numbers_of_reals>, forms<part<float, 2>, part<float, 2>, part<float, 1>>,
      forms<part<std::uint8_t, 4>, part<std::uint8_t, 0>, part<std::uint8_t, 3>>,
      forms<lazy<i4, ext<dyn, 3>>, owner<i4, ext<2, dyn>>, owner<i4, ext<3>>>,
      forms<owner<double, ext<2, 1>>, owner<double, ext<>>, owner<double, ext<4>>>>(
      r, "clip", "", "rc::clip(x, low, high)",
      [](auto const& x, auto const& low, auto const& high) { return rc::clip(x, low, high); });
}

}  // namespace oracle
