// The functions of <cmath> on packs. Most are xsimd's; exp is ours, since xsimd's loses the ends of the range, and what xsimd
// gets wrong at its ends is mended. Maximal errors are data of the operations (ops/math.hpp) and tested there.
#pragma once

#include <ricci/exec/cpu/pack.hpp>

#if RICCI_HAS_XSIMD
#include <bit>
#include <cmath>

namespace ricci::simd {
inline namespace RICCI_ABI {

// a * b + c in one rounding where the machine has it; xsimd's has no AVX-512 version
template <class T>
RICCI_INLINE pack<T> fma(pack<T> a, pack<T> b, pack<T> c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) return typename pack<T>::batch(_mm512_fmadd_ps(a.v, b.v, c.v));
  else return typename pack<T>::batch(_mm512_fmadd_pd(a.v, b.v, c.v));
#else
  return xsimd::fma(a.v, b.v, c.v);
#endif
}
template <class T>
RICCI_INLINE pack<T> abs(pack<T> x) {
  return xsimd::abs(x.v);
}
template <class T>
RICCI_INLINE pack<T> floor(pack<T> x) {
  return xsimd::floor(x.v);
}
template <class T>
RICCI_INLINE pack<T> ceil(pack<T> x) {
  return xsimd::ceil(x.v);
}
// to the nearest integer, halves to the even one
template <class T>
RICCI_INLINE pack<T> nearbyint(pack<T> x) {
  return xsimd::nearbyint(x.v);
}
template <class T>
RICCI_INLINE pack<T> sqrt(pack<T> x) {
  return xsimd::sqrt(x.v);
}
template <class T>
RICCI_INLINE pack<T> floor_divide(pack<T> a, pack<T> b) {
  return xsimd::floor((a / b).v);
}
// the operand with its values outside [low, high] moved there; NaN stays
template <class T>
RICCI_INLINE pack<T> clamp(pack<T> x, T low, T high) {
  return xsimd::min(pack<T>(high).v, xsimd::max(pack<T>(low).v, x.v));
}
template <class T>
RICCI_INLINE bool any_of(mask<T> m) {
  return xsimd::any(m.v);
}

// between booleans and numbers
template <class To, class T>
  requires std::is_same_v<To, T>
RICCI_INLINE pack<T> convert(mask<T> m) {
  return select(m, pack<T>(T(1)), pack<T>(T(0)));
}
template <class To, class T>
  requires std::is_same_v<To, bool>
RICCI_INLINE mask<T> convert(pack<T> x) {
  return x != pack<T>(T(0));
}
template <class To, class T>
  requires std::is_same_v<To, bool>
RICCI_INLINE mask<T> convert(mask<T> m) {
  return m;
}
template <class To, class T>
  requires std::is_same_v<To, T>
RICCI_INLINE pack<T> convert(pack<T> x) {
  return x;
}

// 2^n for an integer n in the exponent range of normal numbers: n is added to a number so large that it comes to lie in the
// last bits of the sum, from where it is shifted into the exponent.
template <class T>
RICCI_INLINE pack<T> power_of_two(pack<T> n) {
  if constexpr (sizeof(T) == 4) {
    auto const bits = std::bit_cast<xsimd::batch<std::int32_t>>((n + pack<T>(12582912.f + 127.f)).v);
    return std::bit_cast<xsimd::batch<T>>(xsimd::batch<std::int32_t>(bits << 23));
  } else {
    auto const bits = std::bit_cast<xsimd::batch<std::int64_t>>((n + pack<T>(6755399441055744. + 1023.)).v);
    return std::bit_cast<xsimd::batch<T>>(xsimd::batch<std::int64_t>(bits << 52));
  }
}
// x * 2^n, right also where the result is subnormal or infinite
template <class T>
RICCI_INLINE pack<T> scale(pack<T> x, pack<T> n) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) return typename pack<T>::batch(_mm512_scalef_ps(x.v, n.v));
  else return typename pack<T>::batch(_mm512_scalef_pd(x.v, n.v));
#else
  pack<T> const half = nearbyint(n * pack<T>(T(0.5)));
  return x * power_of_two(half) * power_of_two(n - half);
#endif
}

// x = n ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts of which the first times n is exact; then
// exp(r) = 1 + r + r^2 q(r), q the polynomial nearest to (exp(r) - 1 - r) / r^2 in the maximum norm.
template <class T>
RICCI_INLINE pack<T> exp(pack<T> x) {
  using P = pack<T>;
  if constexpr (sizeof(T) == 4) {
    x = clamp(x, -110.f, 90.f);
    P const n = nearbyint(x * P(1.44269504f));
    P const r = fma(n, P(-1.42860682e-6f), fma(n, P(-0.693145751953125f), x));
    P q = P(0.0013941216587f);
    q = fma(q, r, P(0.0083632350819f));
    q = fma(q, r, P(0.0416663740982f));
    q = fma(q, r, P(0.1666657664646f));
    q = fma(q, r, P(0.5000000027100f));
    return scale(fma(q, r * r, r) + P(1.f), n);
  } else {
    x = clamp(x, -760., 720.);
    P const n = nearbyint(x * P(1.4426950408889634));
    P const r = fma(n, P(-7.37100256516779890e-13), fma(n, P(-0.6931471805592082091607153), x));
    P q = P(2.5110171979166902681e-8);
    q = fma(q, r, P(2.7620202311461781e-7));
    q = fma(q, r, P(2.7557242015275129e-6));
    q = fma(q, r, P(2.4801521056246131e-5));
    q = fma(q, r, P(1.9841269886871402e-4));
    q = fma(q, r, P(1.3888888917368192e-3));
    q = fma(q, r, P(8.3333333333221173e-3));
    q = fma(q, r, P(4.1666666666623818e-2));
    q = fma(q, r, P(0.16666666666666674607));
    q = fma(q, r, P(0.50000000000000010314));
    return scale(fma(q, r * r, r) + P(1.), n);
  }
}

template <class T>
RICCI_INLINE pack<T> expm1(pack<T> x) {
  pack<T> const y = xsimd::expm1(x.v);
  mask<T> const large = x > pack<T>(T(20));
  return any_of(large) ? select(large, exp(x) - pack<T>(T(1)), y) : y;
}
template <class T>
RICCI_INLINE pack<T> log(pack<T> x) {
  pack<T> const y = xsimd::log(x.v);
  if constexpr (sizeof(T) == 8) {  // subnormals are scaled into the range first
    mask<T> const tiny = x < pack<T>(2.2250738585072014e-308);
    if (any_of(tiny && x > pack<T>(0.)))
      return select(tiny && x > pack<T>(0.), pack<T>(xsimd::log((x * pack<T>(18014398509481984.)).v)) - pack<T>(37.42994775023704671), y);
  }
  return y;
}
template <class T>
RICCI_INLINE pack<T> log1p(pack<T> x) {
  return xsimd::log1p(x.v);
}
template <class T>
RICCI_INLINE pack<T> sin(pack<T> x) {
  return xsimd::sin(x.v);
}
template <class T>
RICCI_INLINE pack<T> cos(pack<T> x) {
  return xsimd::cos(x.v);
}
template <class T>
RICCI_INLINE pack<T> tan(pack<T> x) {
  return xsimd::tan(x.v);
}
template <class T>
RICCI_INLINE pack<T> asin(pack<T> x) {
  return xsimd::asin(x.v);
}
template <class T>
RICCI_INLINE pack<T> acos(pack<T> x) {
  return xsimd::acos(x.v);
}
template <class T>
RICCI_INLINE pack<T> atan(pack<T> x) {
  return xsimd::atan(x.v);
}
template <class T>
RICCI_INLINE pack<T> atan2(pack<T> a, pack<T> b) {
  return xsimd::atan2(a.v, b.v);
}
template <class T>
RICCI_INLINE pack<T> sinh(pack<T> x) {
  return xsimd::sinh(x.v);
}
template <class T>
RICCI_INLINE pack<T> cosh(pack<T> x) {
  return xsimd::cosh(x.v);
}
template <class T>
RICCI_INLINE pack<T> tanh(pack<T> x) {
  return xsimd::tanh(x.v);
}
template <class T>
RICCI_INLINE pack<T> erf(pack<T> x) {
  return xsimd::erf(clamp(x, T(-6.5), T(6.5)).v);
}
template <class T>
RICCI_INLINE pack<T> pow(pack<T> a, pack<T> b) {
  alignas(64) T x[pack<T>::size], y[pack<T>::size];
  a.store(x);
  b.store(y);
  for (int k = 0; k < pack<T>::size; ++k) x[k] = std::pow(x[k], y[k]);
  return pack<T>::load(x);
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
