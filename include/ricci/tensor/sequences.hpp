// What creation fills tensors with, as functions of an element's number: they run wherever the tensor lies.
#pragma once

#include <ricci/core/scalar.hpp>
#include <ricci/core/types.hpp>

namespace ricci::storage {
inline namespace RICCI_ABI {

template <class F>
concept RunsAnywhere = requires {
  requires F::runs_anywhere;
};

template <class V>
struct same_number {
  static constexpr bool runs_anywhere = true;
  V value;
  RICCI_HD constexpr V operator()(index_t) const { return value; }
};
// of elements of type T: from + k by
template <class T>
struct progression {
  static constexpr bool runs_anywhere = true;
  using N = computed_t<T>;
  N from, by;
  RICCI_HD constexpr auto operator()(index_t k) const {
    if constexpr (is_integer(dtype_of<T>))  // without a sign, since a product alone may leave the range
      return static_cast<T>(std::uint64_t(from) + std::uint64_t(k) * std::uint64_t(by));
    else
      return from + static_cast<N>(k) * by;
  }
};
// the same, but number `last` is `end`
template <class T>
struct even_steps {
  static constexpr bool runs_anywhere = true;
  using N = computed_t<T>;
  N from, by, end;
  index_t last;
  RICCI_HD constexpr N operator()(index_t k) const { return k == last ? end : from + static_cast<N>(k) * by; }
};
template <class T, class A>
constexpr computed_t<T> end_of_range(A const& a) {
  if constexpr (is_complex_number<T> && is_arithmetic<A>)
    return scalar::convert<T>(a);
  else
    return static_cast<computed_t<T>>(a);
}
// n numbers from a to b, which is among them or not
template <class T>
requires(!is_complex_number<T>)  //
    constexpr even_steps<T> steps_to(index_t n, computed_t<T> a, computed_t<T> b, bool with_b) {
  index_t const last = n - with_b;
  return {a, (b - a) / static_cast<computed_t<T>>(last > 0 ? last : 1), b, with_b && last > 0 ? last : -1};
}
// of complex numbers both parts
template <class T>
struct complex_steps {
  static constexpr bool runs_anywhere = true;
  even_steps<component_t<T>> real, imag;
  RICCI_HD constexpr T operator()(index_t k) const { return T(real(k), imag(k)); }
};
template <class T>
requires is_complex_number<T>
constexpr complex_steps<T> steps_to(index_t n, T a, T b, bool with_b) {
  using R = component_t<T>;
  return {steps_to<R>(n, a.real(), b.real(), with_b), steps_to<R>(n, a.imag(), b.imag(), with_b)};
}
struct even_powers {
  static constexpr bool runs_anywhere = true;
  double base;
  even_steps<double> exponent;
  RICCI_HD double operator()(index_t k) const { return __builtin_pow(base, exponent(k)); }
};
// of a matrix of so many columns: on diagonal k and below it
template <class T>
struct lower_ones {
  static constexpr bool runs_anywhere = true;
  index_t columns, k;
  RICCI_HD constexpr T operator()(index_t i) const { return i % columns - i / columns <= k ? T(1) : T(0); }
};
// of a matrix of so many columns
template <class T>
struct ones_on_diagonal {
  static constexpr bool runs_anywhere = true;
  index_t columns;
  RICCI_HD constexpr T operator()(index_t k) const { return k % columns == k / columns ? T(1) : T(0); }
};

}  // namespace RICCI_ABI
}  // namespace ricci::storage
