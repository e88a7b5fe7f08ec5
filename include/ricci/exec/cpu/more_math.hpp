// More functions of <cmath> on packs: exponentials to base 2, hypot, inverse hyperbolic functions, trunc, copysign,
// nextafter, and tests of a number's bits, which compare nothing as a number: with -ffast-math a compiler assumes that
// no number is NaN or infinite.
#pragma once

#include <ricci/exec/cpu/cube_root.hpp>
#include <ricci/exec/cpu/logarithms.hpp>
#include <ricci/exec/cpu/powers.hpp>
#include <ricci/exec/cpu/trigonometry.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

// x = n + r / ln 2, exactly
template <class T>
RICCI_INLINE pack<T> exp2(pack<T> x) {
  x = clamp(x, sizeof(T) == 4 ? T(-160) : T(-1090), sizeof(T) == 4 ? T(130) : T(1030));
  pack<T> const n = nearbyint(x);
  return scaled_exp((x - n) * pack<T>(T(0.69314718055994530942)), n);
}
// the larger times the root of 1 and the square of the ratio, so that no square leaves the range
template <class T>
RICCI_INLINE pack<T> hypot(pack<T> a, pack<T> b) {
  using P = pack<T>;
  P const x = abs(a), y = abs(b), infinity(static_cast<T>(__builtin_inf()));
  mask<T> const in_order = x >= y;
  P const large = select(in_order, x, y), small = select(in_order, y, x), ratio = small / large;
  P const length = select(large == P(T(0)), x + y, large * sqrt(fma(ratio, ratio, P(T(1)))));
  return select(x == infinity || y == infinity, infinity, length);
}
template <class T>
RICCI_INLINE pack<T> acosh(pack<T> x) {
  return select(x >= pack<T>(T(1)), pack<T>(xsimd::acosh(x.v)), pack<T>(static_cast<T>(__builtin_nan(""))));
}
template <class T>
RICCI_INLINE pack<T> asinh(pack<T> x) {
  return select(x == pack<T>(T(0)), x, pack<T>(xsimd::asinh(x.v)));
}
// Of floats: with 1 - |x| = m 2^-n and m from 2/3 to 4/3, (1 + |x|) / (1 - |x|) is 2^n (1 + |x|) / m, and half of the
// logarithm of the latter is the inverse of tanh at s = (1 + |x| - m) / (1 + |x| + m), |s| <= 1/2: s and s^3 times the
// polynomial in s^2 nearest in the maximum norm (to 2^-28). Where n is 0, s is |x|.
template <class T>
RICCI_INLINE pack<T> atanh(pack<T> x) {
  using P = pack<T>;
  if constexpr (sizeof(T) == 4) {
    using integers = xsimd::batch<std::int32_t>;
    P const a = abs(x), one(1.f), rest = one - a, more = one + a;
    integers const bits = std::bit_cast<integers>(rest.v), n = (bits - integers(0x3f2aaaab)) >> 23;
    P const m = std::bit_cast<xsimd::batch<T>>(integers(bits - (n << 23)));
    P const s = select(rest >= P(0.6666667f), a, (more - m) / (more + m)), z = s * s;
    P const p =
        polynomial(z, 0.33333310485f, 0.20002175868f, 0.14225392044f, 0.11825938523f, 0.050588846207f, 0.17850713432f);
    P const y = fma(P(xsimd::to_float(n)), P(-0.34657359f), fma(s * z, p, s));
    P const end = select(a == one, P(static_cast<T>(__builtin_inf())), P(static_cast<T>(__builtin_nan(""))));
    return xsimd::copysign(select(a < one, y, end).v, x.v);
  } else {
    return select(x == P(T(0)), x, P(xsimd::atanh(x.v)));
  }
}
template <class T>
RICCI_INLINE pack<T> trunc(pack<T> x) {
  return floor(abs(x)).v | xsimd::bitofsign(x.v);
}
template <class T>
RICCI_INLINE pack<T> copysign(pack<T> a, pack<T> b) {
  return abs(a).v | xsimd::bitofsign(b.v);
}
template <class T>
RICCI_INLINE pack<T> nextafter(pack<T> a, pack<T> b) {
  return by_lanes(a, b, [](T x, T y) { return std::nextafter(x, y); });
}

// the bits of a pack as those of integers, and the comparison of such
template <class T>
using integers_of = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;
template <class T, class Bits>
RICCI_INLINE mask<T> as_mask(Bits m) {
  return {std::bit_cast<typename mask<T>::batch>(m)};
}
template <class T>
RICCI_INLINE integers_of<T> magnitude(pack<T> x) {
  return std::bit_cast<integers_of<T>>(abs(x).v);
}
template <class T>
RICCI_INLINE integers_of<T> infinity_bits() {
  return integers_of<T>(scalar::bits_of_infinity<T>);
}
template <class T>
RICCI_INLINE mask<T> isnan(pack<T> x) {
  return as_mask<T>(magnitude(x) > infinity_bits<T>());
}
template <class T>
RICCI_INLINE mask<T> isinf(pack<T> x) {
  return as_mask<T>(magnitude(x) == infinity_bits<T>());
}
template <class T>
RICCI_INLINE mask<T> isfinite(pack<T> x) {
  return as_mask<T>(magnitude(x) < infinity_bits<T>());
}
template <class T>
RICCI_INLINE mask<T> signbit(pack<T> x) {
  return as_mask<T>(std::bit_cast<integers_of<T>>(x.v) < integers_of<T>(0));
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
