// The numbers that factorisations compute with: real ones as they are, complex ones as pairs whose arithmetic is that
// of the formulas alone (`std::complex` asks after infinities in each product, which compilers do not vectorise).
#pragma once

#include <cmath>

#include <ricci/core/scalar.hpp>

namespace ricci::linalg {

template <class R>
struct complex_number {
  R re, im;
  complex_number() = default;
  RICCI_HD constexpr complex_number(R a) : re{a}, im{} {}
  RICCI_HD constexpr complex_number(R a, R b) : re{a}, im{b} {}
  RICCI_HD constexpr complex_number(std::complex<R> const& x) : re{x.real()}, im{x.imag()} {}
  RICCI_HD constexpr operator std::complex<R>() const { return {re, im}; }

  RICCI_HD friend constexpr complex_number operator+(complex_number a, complex_number b) {
    return {a.re + b.re, a.im + b.im};
  }
  RICCI_HD friend constexpr complex_number operator-(complex_number a, complex_number b) {
    return {a.re - b.re, a.im - b.im};
  }
  RICCI_HD friend constexpr complex_number operator*(complex_number a, complex_number b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  // by powers of two, where the reciprocal of the divisor would overflow or vanish
  RICCI_HD friend constexpr complex_number operator/(complex_number a, complex_number b) {
    using limits = std::numeric_limits<R>;
    R const p = b.re < 0 ? -b.re : b.re, q = b.im < 0 ? -b.im : b.im, size = p > q ? p : q;
    R const by = size > limits::max() / 4                   ? R(.25)
                 : size < limits::min() / limits::epsilon() ? 1 / (limits::epsilon() * limits::epsilon())
                                                            : R(1);
    std::complex<R> const x(a.re * by, a.im * by), y(b.re * by, b.im * by);
    return scalar::divide(x, y);
  }
  RICCI_HD constexpr complex_number operator-() const { return {-re, -im}; }
  RICCI_HD constexpr complex_number& operator+=(complex_number b) { return *this = *this + b; }
  RICCI_HD constexpr complex_number& operator-=(complex_number b) { return *this = *this - b; }
  RICCI_HD constexpr complex_number& operator*=(complex_number b) { return *this = *this * b; }
  RICCI_HD constexpr complex_number& operator/=(complex_number b) { return *this = *this / b; }
  RICCI_HD friend constexpr bool operator==(complex_number a, complex_number b) { return a.re == b.re && a.im == b.im; }
};

namespace numbers {

template <class T>
struct facts {
  using number = T;
  using real = T;
};
template <class R>
struct facts<complex_number<R>> {
  using number = complex_number<R>;
  using real = R;
};
template <class R>
struct facts<std::complex<R>> {
  using number = complex_number<R>;
  using real = R;
};

}  // namespace numbers

// What is computed with in place of elements of type T, and the type of its parts.
template <class T>
using number_for = typename numbers::facts<T>::number;
template <class T>
using real_for = typename numbers::facts<T>::real;
template <class T>
inline constexpr bool is_complex_matrix = !std::is_same_v<T, real_for<T>>;

// of complex numbers the larger one of both parts, so that it overflows nowhere
template <class T>
RICCI_HD RICCI_INLINE constexpr T magnitude(T x) {
  if constexpr (std::is_same_v<T, double>)
    return __builtin_fabs(x);
  else if constexpr (std::is_same_v<T, float>)
    return __builtin_fabsf(x);
  else
    return x < 0 ? -x : x;
}
template <class R>
RICCI_HD RICCI_INLINE constexpr R magnitude(complex_number<R> x) {
  R const a = magnitude(x.re), b = magnitude(x.im);
  return a > b || a != a ? a : b;
}
template <class R>
RICCI_HD RICCI_INLINE constexpr R magnitude(std::complex<R> const& x) {
  return magnitude(complex_number<R>(x));
}

template <class R>
RICCI_HD RICCI_INLINE constexpr std::complex<R> conjugate(std::complex<R> const& x) {
  return {x.real(), -x.imag()};
}
template <class T>
RICCI_HD RICCI_INLINE constexpr T conjugate(T x) {
  return x;
}
template <class R>
RICCI_HD RICCI_INLINE constexpr complex_number<R> conjugate(complex_number<R> x) {
  return {x.re, -x.im};
}
template <class T>
RICCI_HD RICCI_INLINE constexpr T real_part(T x) {
  return x;
}
template <class R>
RICCI_HD RICCI_INLINE constexpr R real_part(complex_number<R> x) {
  return x.re;
}
// the square of the modulus
template <class T>
RICCI_HD RICCI_INLINE constexpr T square_of(T x) {
  return x * x;
}
template <class R>
RICCI_HD RICCI_INLINE constexpr R square_of(complex_number<R> x) {
  return x.re * x.re + x.im * x.im;
}

// (In constant expressions by Newton's iteration: clang's are without the C library.)
template <class T>
RICCI_HD constexpr T square_root(T x) {
  if (!__builtin_is_constant_evaluated()) return std::sqrt(x);
  if (!(x > 0) || x > std::numeric_limits<T>::max()) return x == 0 || x > 0 ? x : std::numeric_limits<T>::quiet_NaN();
  T y = x > 1 ? x : T(1);
  for (T next = (y + x / y) / 2; next < y; next = (y + x / y) / 2) y = next;
  return y;
}
// the modulus, without overflow or underflow of squares
template <class T>
RICCI_HD RICCI_INLINE constexpr T modulus(T x) {
  return magnitude(x);
}
template <class R>
RICCI_HD constexpr R modulus(complex_number<R> x) {
  R const most = magnitude(x);
  if (!(most > 0) || most > std::numeric_limits<R>::max()) return most;
  R const a = x.re / most, b = x.im / most;
  return most * square_root(a * a + b * b);
}

template <class T>
inline constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();
template <class R>
inline constexpr complex_number<R> not_a_number<complex_number<R>>{not_a_number<R>, not_a_number<R>};

}  // namespace ricci::linalg
