// Functions of complex numbers that <complex> lacks, or that are to be exact where it rounds. Branch cuts are those of
// its logarithm.
#pragma once

#include <cmath>
#include <complex>

#include <ricci/core/scalar.hpp>

namespace ricci::scalar {

// exp(z) - 1 without cancellation near 0: of x + i y that is expm1(x) cos(y) - 2 sin(y / 2)^2 + i exp(x) sin(y)
template <class T>
std::complex<T> expm1(std::complex<T> const& z) {
  T const x = z.real(), y = z.imag();
  if (y == 0) return {std::expm1(x), y};
  if (x < 0 && isinf(x)) return {T(-1), isfinite(y) ? T(0) * std::sin(y) : T(0)};
  T const half = std::sin(y / 2);
  return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}
// log(1 + z) without cancellation near 0, where |1 + z|^2 - 1 is x (2 + x) + y^2
template <class T>
std::complex<T> log1p(std::complex<T> const& z) {
  T const x = z.real(), y = z.imag();
  bool const is_small = (x < 0 ? -x : x) < T(.5) && (y < 0 ? -y : y) < T(.5);
  if (!is_small) return std::log(std::complex<T>(1 + x, y));
  return {std::log1p(x * (2 + x) + y * y) / 2, std::atan2(y, 1 + x)};
}
template <class T>
std::complex<T> exp2(std::complex<T> const& z) {
  T const size = std::exp2(z.real()), angle = z.imag() * T(0.69314718055994530942);
  if (angle == 0) return {size, z.imag()};
  return {size * std::cos(angle), size * std::sin(angle)};
}
template <class T>
std::complex<T> log2(std::complex<T> const& z) {
  constexpr T factor = T(1.4426950408889634074);
  std::complex<T> const y = std::log(z);
  bool const is_large = y.real() > T(.5) || y.real() < T(-.5);  // powers of two are exact
  return {is_large ? std::log2(std::abs(z)) : y.real() * factor, y.imag() * factor};
}
// a to the power b: products where b is a small integer, else exp(b log(a)). 0 to a power is 1 where b is 0, 0 where
// its real part is positive, else NaN in both parts.
template <class T>
std::complex<T> power(std::complex<T> const& a, std::complex<T> const& b) {
  using C = std::complex<T>;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  if (a.real() == 0 && a.imag() == 0 && b.real() < 0) return {nan, nan};
  if (b.imag() == 0 && b.real() == std::floor(b.real()) && std::abs(b.real()) <= 64) {
    int const n = static_cast<int>(b.real());
    C y(1), square = a;
    for (int k = n < 0 ? -n : n; k > 0; k /= 2) {
      if (k % 2 == 1) y = multiply(y, square);
      if (k > 1) square = multiply(square, square);
    }
    return n < 0 ? divide(C(1), y) : y;
  }
  if (a.real() == 0 && a.imag() == 0) return b.real() > 0 ? C(0) : C(nan, nan);
  using wide = std::complex<double>;  // rounding of the exponent counts by its size
  return C(std::exp(multiply(wide(b), std::log(wide(a)))));
}

}  // namespace ricci::scalar
