// Numbers of every element type in one form, as graphs and plans hold them: 64 bits, in which a float is the double
// that it equals, and an integer stands behind copies of its sign or zeros. A number of each type has one such form, so
// that equal literals are equal bits. A complex literal is real; others are made of two (ops/complex.hpp).
#pragma once

#include <bit>

#include <ricci/core/scalar.hpp>

namespace ricci::core {
inline namespace RICCI_ABI {

template <class T>
constexpr index_t literal_bits(T x) {
  static_assert(!is_complex_number<T>);
  if constexpr (is_floating(dtype_of<T>))
    return std::bit_cast<index_t>(static_cast<double>(x));
  else
    return static_cast<index_t>(x);
}
template <class T>
constexpr T literal_as(index_t bits) {
  if constexpr (is_inexact(dtype_of<T>))
    return static_cast<T>(static_cast<component_t<T>>(std::bit_cast<double>(bits)));
  else
    return static_cast<T>(bits);
}
// The bits of a number that becomes one of a type, as `astype` converts it.
constexpr index_t literal_bits(double x, dtype type) {
  index_t bits = 0;
  with_type(type, [&]<class T>(T) {
    if constexpr (is_inexact(dtype_of<T>))
      bits = std::bit_cast<index_t>(static_cast<double>(static_cast<component_t<T>>(x)));
    else
      bits = static_cast<index_t>(scalar::convert<T>(x));
  });
  return bits;
}
constexpr index_t literal_bits(index_t x, dtype type) {
  if (is_inexact(type)) return literal_bits(static_cast<double>(x), type);
  if (kind_of(type) == number_kind::boolean) return x != 0;
  int const others = 64 - 8 * size_of(type);
  auto const moved = static_cast<std::uint64_t>(x) << others;
  return kind_of(type) == number_kind::signed_integer ? static_cast<index_t>(moved) >> others
                                                      : static_cast<index_t>(moved >> others);
}
// The number as a double, which has not all digits of each 64-bit integer.
constexpr double literal_number(index_t bits, dtype type) {
  if (is_inexact(type)) return std::bit_cast<double>(bits);
  return kind_of(type) == number_kind::unsigned_integer ? static_cast<double>(static_cast<std::uint64_t>(bits))
                                                        : static_cast<double>(bits);
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
