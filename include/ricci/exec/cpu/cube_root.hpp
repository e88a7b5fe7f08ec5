// Cube roots on packs, without a division: a third of the bits of |x| = a, taken from a constant, are those of a number
// r within 3.5 % of 1 / cbrt a; with h = 1 - a r^3, r (1 - h)^(-1/3) is that root, by a polynomial nearest in the
// maximum norm, and y = a r^2. What y^3 - a is then, in which the digits of both cancel, mends y.
#pragma once

#include <ricci/exec/cpu/math.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

// of a, which is not subnormal; the third of the bits is a product of numbers, to which these are converted: of doubles
// the upper half, as the last digits of 2^52
template <class T>
RICCI_INLINE pack<T> inverse_cube_root_estimate(pack<T> a) {
  using B = xsimd::batch<T>;
  if constexpr (sizeof(T) == 4) {
    using integers = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, T>>;  // of T, for who has no roots
    pack<T> const bits = xsimd::to_float(std::bit_cast<integers>(a.v));
    return std::bit_cast<B>(xsimd::to_int(fma(bits, pack<T>(T(-1. / 3)), pack<T>(T(0x54a1f800))).v));
  } else {
    using integers = xsimd::batch<std::conditional_t<sizeof(T) == 8, std::uint64_t, T>>;
    integers const upper = (std::bit_cast<integers>(a.v) >> 32) | integers(0x4330000000000000u);
    // the same constant for the exponents of doubles, and what a third of 2^52 is
    pack<T> const third =
        fma(pack<T>(std::bit_cast<B>(upper)), pack<T>(T(-1. / 3)), pack<T>(T(0x1p52 + 0x1p52 / 3 + 0x553ee9ab)));
    return std::bit_cast<B>(integers(std::bit_cast<integers>(third.v) << 32));
  }
}
// of a >= 2^-100, of doubles from 2^-890 to 2^1000
template <class T>
RICCI_INLINE pack<T> cube_root_of_normal(pack<T> a) {
  using P = pack<T>;
  // y^3 may be beyond the range where it is a number of its own
  constexpr T part = has_fused_products ? T(1) : T(0.25);
  P const r = inverse_cube_root_estimate(a), h = fma(-(a * r), r * r, P(T(1)));
  if constexpr (sizeof(T) == 4) {
    P const p = polynomial(h, 0.33332795765f, 0.22347624280f, 0.17462362715f);
    P const s = fma(r * h, p, r), square = s * s, y = rounded(a * square), rest = fma(y * y * P(part), y, a * P(-part));
    return fma(rest * square, P(T(-1. / 3) / part), y);
  } else {
    P const p = polynomial(h, 0.33332915528574024, 0.22221476011345101, 0.17446862674115495, 0.14588973307694488);
    P const s = fma(r * h, p, r), square = s * s, y = rounded(a * square);
    // where s is 1 + e times the inverse root, y is (1 + e)^2 times the root, and d is 6 e + 30 e^2
    P const d = fma(y * y * P(part), y, a * P(-part)) * (square * s * P(1 / part));
    return fma(y * d, fma(d, P(T(7. / 18)), P(T(-1. / 3))), y);
  }
}
// The smallest numbers are scaled by 2^24, of doubles 2^180 and the largest by 2^-60, first: nothing on the way is
// subnormal, which -ffast-math takes for 0.
template <class T>
RICCI_INLINE pack<T> cbrt(pack<T> x) {
  using P = pack<T>;
  constexpr T up = sizeof(T) == 4 ? T(0x1p24) : T(0x1p180), up_back = sizeof(T) == 4 ? T(0x1p-8) : T(0x1p-60),
              down = sizeof(T) == 4 ? T(1) : T(0x1p-60), down_back = sizeof(T) == 4 ? T(1) : T(0x1p20);
  P const a = abs(x), one(T(1)), infinity(static_cast<T>(__builtin_inf()));
  P const least(sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-890)),
      most(sizeof(T) == 4 ? std::numeric_limits<T>::max() : T(0x1p1000));  // between them nothing is scaled
  mask<T> const tiny = a < least;
  mask<T> const huge = a > most;
  P y;
  if (any_of(tiny || huge)) {
    P const root = cube_root_of_normal(a * select(tiny, P(up), select(huge, P(down), one)));
    y = select(a == P(T(0)), a, root * select(tiny, P(up_back), select(huge, P(down_back), one)));
  } else {
    y = cube_root_of_normal(a);
  }
  return select(a < infinity, P(y.v | xsimd::bitofsign(x.v)), x);
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
