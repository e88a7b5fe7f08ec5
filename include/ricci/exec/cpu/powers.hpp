// Powers on packs: 2^(b log2 a). Numbers are split into m 2^e with m from sqrt(1/2) to sqrt(2); logarithms of m and
// powers of two of what is left of a whole exponent are polynomials, nearest in the maximum norm of the relative error
// (found by Remez' exchange in 50 digits).
#pragma once

#include <ricci/exec/cpu/math.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

// c[0] + x (c[1] + x (c[2] + ...)) by pairs, and pairs of pairs (Estrin): there is much to do before this polynomial
// can begin and after it, and a machine does not look far enough ahead to begin the next meanwhile
template <class T>
RICCI_INLINE pack<T> in_pairs(pack<T> x, pack<T> a, pack<T> b) {
  return fma(b, x, a);
}
template <class T, class... Rest>
RICCI_INLINE pack<T> in_pairs(pack<T> x, pack<T> a, pack<T> b, pack<T> c, pack<T> d, Rest... rest) {
  pack<T> const z = x * x, low = fma(fma(d, x, c), z, fma(b, x, a));
  if constexpr (sizeof...(Rest) == 0)
    return low;
  else
    return fma(in_pairs(x, rest...), z * z, low);
}
template <class T, class... C>
RICCI_INLINE pack<T> wide_polynomial(pack<T> x, C... c) {
  return in_pairs(x, pack<T>(T(c))...);
}

// x = m 2^e of normal positive x
template <class T>
struct split_number {
  pack<T> m, e;
};
template <class T>
RICCI_INLINE split_number<T> split(pack<T> x) {
  if constexpr (sizeof(T) == 4) {
    using integers = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, T>>;  // of T, for who has no powers
    integers const bits = std::bit_cast<integers>(x.v), e = (bits - integers(0x3f3504f3)) >> 23;
    return {std::bit_cast<xsimd::batch<T>>(integers(bits - (e << 23))), pack<T>(xsimd::to_float(e))};
  } else {  // there is no arithmetic shift of 64 bits everywhere: exponents as they are stored, in the last bits of
            // 2^52
    using integers = xsimd::batch<std::conditional_t<sizeof(T) == 8, std::uint64_t, T>>;  // of T, as above
    integers const bits = std::bit_cast<integers>(x.v), above = bits - integers(0x3fe6a09e667f3bcdu);
    integers const e = ((above + integers(0x3ff0000000000000u)) >> 52) | integers(0x4330000000000000u);
    return {std::bit_cast<xsimd::batch<T>>(integers(bits - (above & integers(0xfff0000000000000u)))),
            std::bit_cast<xsimd::batch<T>>(e) - xsimd::batch<T>(T(4503599627370496. + 1023.))};
  }
}

// Two numbers for one: a sum that has the digits of both.
template <class T>
struct two_parts {
  pack<T> high, low;
};
// of |a| >= |b| or a = 0, exactly
template <class T>
RICCI_INLINE two_parts<T> exact_sum(pack<T> a, pack<T> b) {
  pack<T> const sum = rounded(a + b);
  return {sum, b - rounded(sum - a)};
}
// exactly; without a fused multiplication by halves of the digits (Dekker), of numbers below 2^990
template <class T>
RICCI_INLINE two_parts<T> exact_product(pack<T> a, pack<T> b) {
  using P = pack<T>;
  P const product = kept(a * b);
  if constexpr (has_fused_products) {
    return {product, fma(a, b, -product)};
  } else {
    auto const upper = [](P x) RICCI_INLINE_LAMBDA {
      P const far = rounded(x * P(134217729.));
      return rounded(far - rounded(far - x));
    };
    P const x = upper(a), y = upper(b), u = a - x, v = b - y;
    return {product, ((rounded(x * y - product) + x * v) + u * y) + u * v};
  }
}
template <class T>
RICCI_INLINE two_parts<T> operator*(two_parts<T> a, two_parts<T> b) {
  two_parts<T> const p = exact_product(a.high, b.high);
  return {p.high, p.low + (a.high * b.low + a.low * b.high)};
}
template <class T>
RICCI_INLINE two_parts<T> operator+(two_parts<T> a, two_parts<T> b) {
  two_parts<T> const s = exact_sum(a.high, b.high);
  return {s.high, s.low + (a.low + b.low)};
}
// log2 to 2^-64 of itself, by its series in s = (m - 1) / (m + 1), |s| < .172, of which the first two terms and e are
// sums of two numbers
template <class T>
RICCI_INLINE two_parts<T> precise_log2(pack<T> a) {
  using P = pack<T>;
  P const one(1.), zero(0.);
  auto const [m, e] = split(a);
  P const f = m - one, d = rounded(m + one), rest = m - rounded(d - one), inverse = one / d, s = kept(f * inverse);
  two_parts<T> const back = exact_product(s, d);
  two_parts<T> const ratio{s, (rounded(f - back.high) - back.low - s * rest) * inverse}, z = ratio * ratio;
  P const p =
      z.high * wide_polynomial(z.high, 0.5770780163555853, 0.4121985831111953, 0.32059889794828045, 0.2623081945240016,
                               0.22195253465027567, 0.19239186524005028, 0.1686292728111856, 0.17144989425121918);
  two_parts<T> const third = two_parts<T>{P(0.9617966939259756), P(5.0577616648125907e-17)} + two_parts<T>{p, zero};
  two_parts<T> const series = two_parts<T>{P(2.8853900817779268), P(4.0710547481862066e-17)} + z * third;
  return two_parts<T>{e, zero} + ratio * series;
}

// a to the power b of normal a > 0 and |b| < 2^900: 2^(b log2 a)
template <class T>
requires std::is_same_v<T, double> RICCI_INLINE pack<T> pow_of_positive(pack<T> a, pack<T> b) {
  using P = pack<T>;
  two_parts<T> const logarithm = precise_log2(a), product = exact_product(b, logarithm.high);
  P const n = nearbyint(clamp(product.high, -1100., 1100.));
  P const r =
      clamp(rounded(product.high - n) + (product.low + b * logarithm.low), -1., 1.);  // all of it where n was moved
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
// of floats, for which log2 a as a double, to 2^-33 of itself, is enough
template <class T>
requires std::is_same_v<T, float> RICCI_INLINE pack<T> pow_of_positive(pack<T> a, pack<T> b) {
  using D = std::conditional_t<sizeof(T) == 4, double, T>;  // of T, so that nobody without powers pays for it
  using P = pack<D>;
  auto const of = split(a);
  auto const exponent = [](P m, P e, P y) RICCI_INLINE_LAMBDA {
    P const r = m - P(1.);
    P const p = wide_polynomial(r, 1.4426950409393327, -0.7213475252134709, 0.4808983207335893, -0.36067280052176,
                                0.28854064323875644, -0.2405041747063205, 0.20609626500302644, -0.17904695150635577,
                                0.1590014008767274, -0.15698218118547547, 0.15485789672520126, -0.0863465080690694);
    return clamp(y * fma(r, p, e), -160., 130.);
  };
  P const x = exponent(half_of<0, D>(of.m), half_of<0, D>(of.e), half_of<0, D>(b)),
          y = exponent(half_of<1, D>(of.m), half_of<1, D>(of.e), half_of<1, D>(b));
  P const n = nearbyint(x), k = nearbyint(y);
  pack<T> const r = joined(x - n, y - k);
  return scale(fma(r,
                   wide_polynomial(r, 0.69314718246f, 0.24022650719f, 0.055503569543f, 0.0096180308610f,
                                   0.0013390866807f, 0.00015469733626f),
                   pack<T>(1.f)),
               joined(n, k));
}
#endif
template <class T>
RICCI_INLINE pack<T> pow(pack<T> a, pack<T> b) {
  using P = pack<T>;
  // what most exponents stand for, which are one number for all elements
  if (!any_of(b != P(T(2)))) return a * a;
  if (!any_of(b != P(T(3)))) return a * a * a;
  P const zero(T(0)), infinity(static_cast<T>(__builtin_inf()));
  if (!any_of(b != P(T(0.5)))) return select(a == -infinity, infinity, sqrt(a) + zero);  // -0 to 0
#if defined(__SSE2__) || defined(__aarch64__)
  P const normal(std::numeric_limits<T>::min()), most(sizeof(T) == 4 ? std::numeric_limits<T>::max() : T(0x1p900));
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
