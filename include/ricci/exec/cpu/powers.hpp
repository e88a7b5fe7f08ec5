// Powers on packs: 2^(b log2 a), of which the logarithm and its product with b are kept in two parts; or, of floats
// where that takes long, in doubles. Powers of two of what is left of a whole exponent are polynomials. All polynomials
// are nearest in the maximum norm (found by Remez' exchange in 50 digits).
#pragma once

#include <ricci/exec/cpu/table_logarithm.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

// (2^r - 1) / r of floats
template <class T>
RICCI_INLINE pack<T> power_polynomial(pack<T> r) {
  return wide_polynomial(r, 0.69314718246, 0.24022650719, 0.055503569543, 0.0096180308610, 0.0013390866807,
                         0.00015469733626);
}
// 2^(b log2 a) of normal a > 0 and |b| < 2^100, of doubles 2^900
template <class T>
RICCI_INLINE pack<T> power_in_parts(pack<T> a, pack<T> b) {
  using P = pack<T>;
  two_parts<T> const logarithm = log2_in_parts(a), product = exact_product(b, logarithm.high);
  P const low = fma(b, logarithm.low, product.low), x = product.high + low;
  P const n = nearbyint(clamp(x, sizeof(T) == 4 ? T(-160) : T(-1100), sizeof(T) == 4 ? T(130) : T(1100)));
  P const r = clamp((product.high - n) + low, T(-1), T(1));  // all of it where n was moved
  if constexpr (sizeof(T) == 4)
    return scale(fma(r, power_polynomial(r), P(T(1))), n);
  else
    return scale(
        wide_polynomial(r, 1., 0.6931471805599453, 0.24022650695910097, 0.05550410866482166, 0.009618129107606887,
                        0.0013333558146396006, 0.00015403530441738403, 1.5252733853282203e-05, 1.3215442586754016e-06,
                        1.0178051725563467e-07, 7.072586146324642e-09, 4.4566760943166227e-10),
        n);
}
#if defined(__SSE2__) || defined(__aarch64__)
// the first or the second half of the lanes as doubles, and both halves as floats
template <int Half, class D>
RICCI_INLINE pack<D> half_of(pack<float> x) {
  using B = typename pack<D>::batch;
#if defined(__AVX512F__)
  if constexpr (Half == 0)
    return B(_mm512_cvtps_pd(_mm512_castps512_ps256(x.v)));
  else
    return B(_mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x.v), 1))));
#elif defined(__AVX__)
  return B(_mm256_cvtps_pd(Half == 0 ? _mm256_castps256_ps128(x.v) : _mm256_extractf128_ps(x.v, 1)));
#elif defined(__SSE2__)
  return B(_mm_cvtps_pd(Half == 0 ? __m128(x.v) : _mm_movehl_ps(x.v, x.v)));
#else
  return B(Half == 0 ? vcvt_f64_f32(vget_low_f32(x.v)) : vcvt_high_f64_f32(x.v));
#endif
}
template <class D>
RICCI_INLINE pack<float> joined(pack<D> a, pack<D> b) {
  using B = pack<float>::batch;
#if defined(__AVX512F__)
  __m512d const low = _mm512_castpd256_pd512(_mm256_castps_pd(_mm512_cvtpd_ps(a.v)));
  return B(_mm512_castpd_ps(_mm512_insertf64x4(low, _mm256_castps_pd(_mm512_cvtpd_ps(b.v)), 1)));
#elif defined(__AVX__)
  return B(_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.v)), _mm256_cvtpd_ps(b.v), 1));
#elif defined(__SSE2__)
  return B(_mm_movelh_ps(_mm_cvtpd_ps(a.v), _mm_cvtpd_ps(b.v)));
#else
  return B(vcvt_high_f32_f64(vcvt_f32_f64(a.v), b.v));
#endif
}
// of floats, for which log2 a as a double, to 2^-33 of itself, is enough; a is m 2^e with m from sqrt(1/2) to sqrt(2)
template <class T>
RICCI_INLINE pack<T> power_in_doubles(pack<T> a, pack<T> b) {
  using D = std::conditional_t<sizeof(T) == 4, double, T>;  // of T, so that nobody without powers pays for it
  using P = pack<D>;
  using integers = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, T>>;
  integers const bits = std::bit_cast<integers>(a.v), whole = (bits - integers(0x3f3504f3)) >> 23;
  pack<T> const m = std::bit_cast<xsimd::batch<T>>(integers(bits - (whole << 23))), e = xsimd::to_float(whole);
  auto const exponent = [](P mantissa, P of_two, P y) RICCI_INLINE_LAMBDA {
    P const r = mantissa - P(1.);
    P const p = wide_polynomial(r, 1.4426950409393327, -0.7213475252134709, 0.4808983207335893, -0.36067280052176,
                                0.28854064323875644, -0.2405041747063205, 0.20609626500302644, -0.17904695150635577,
                                0.1590014008767274, -0.15698218118547547, 0.15485789672520126, -0.0863465080690694);
    return clamp(y * fma(r, p, of_two), -160., 130.);
  };
  P const x = exponent(half_of<0, D>(m), half_of<0, D>(e), half_of<0, D>(b)),
          y = exponent(half_of<1, D>(m), half_of<1, D>(e), half_of<1, D>(b));
  P const n = nearbyint(x), k = nearbyint(y);
  pack<T> const r = joined(x - n, y - k);
  return scale(fma(r, power_polynomial(r), pack<T>(T(1))), joined(n, k));
}
template <class T>
RICCI_INLINE pack<T> pow_of_positive(pack<T> a, pack<T> b) {
#if !defined(__AVX2__) || defined(__FAST_MATH__)
  constexpr bool in_parts = sizeof(T) == 8;
#else
  constexpr bool in_parts = sizeof(T) == 8 || has_fused_products;
#endif
  if constexpr (in_parts)
    return power_in_parts(a, b);
  else
    return power_in_doubles(a, b);
}
#endif
template <class T>
RICCI_INLINE pack<T> pow(pack<T> a, pack<T> b) {
  using P = pack<T>;
  P const zero(T(0)), infinity(static_cast<T>(__builtin_inf()));
  // most exponents are one number for all elements, and most often one of these
  T const exponent = b.v.get(0);
  if (!any_of(b != P(exponent))) {
    if (exponent == T(2)) return a * a;
    if (exponent == T(3)) return a * a * a;
    if (exponent == T(0.5)) return select(a == -infinity, infinity, sqrt(a) + zero);  // -0 to 0
  }
#if defined(__SSE2__) || defined(__aarch64__)
  P const normal(std::numeric_limits<T>::min()), most(sizeof(T) == 4 ? T(0x1p100) : T(0x1p900));
  mask<T> const known = abs(b) <= most, is_plain = a >= normal && a < infinity && known;
#if defined(__FAST_MATH__)  // a compiler may take sums of two numbers for one, and what is NaN for a number
  if constexpr (sizeof(T) == 4)
    if (!any_of(!is_plain)) return pow_of_positive(a, b);
  return by_lanes(a, b, [](T x, T y) { return std::pow(x, y); });
#else
  if (!any_of(!is_plain)) return pow_of_positive(a, b);
  // negative numbers have powers of whole exponents only
  P const size = abs(a), half = b * P(T(0.5));
  mask<T> const plain = size >= normal && size < infinity && known;
  P const y = pow_of_positive(select(plain, size, P(T(1))), select(plain, b, zero));
  P const turned = select(nearbyint(half) == half, y, -y);
  P const any = select(a > zero, y, select(nearbyint(b) == b, turned, P(static_cast<T>(__builtin_nan("")))));
  if (!any_of(!plain)) return any;
  return select(plain, any, by_lanes(a, b, [](T x, T z) { return std::pow(x, z); }));
#endif
#else
  return by_lanes(a, b, [](T x, T y) { return std::pow(x, y); });
#endif
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
