// Logarithms on packs. Those of floats are ours: with x = 2^n (1 + f), 1 + f between sqrt(1/2) and sqrt(2), log x is
// n ln 2 + f + f^2 q(f), and to another base a number times that. q is the polynomial nearest to (log(1 + f) - f) / f^2
// (by Remez' algorithm, errors weighted by |f| + .001, which are 4e-9, and to other bases 3e-8). Those of doubles, and
// log1p, are xsimd's, mended at their ends.
#pragma once

#include <ricci/exec/cpu/division.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

// of_parts(n, f) for positive floats; what is not normal is told by its bits, and brought there first.
template <class T, class F>
RICCI_INLINE pack<T> logarithm_of_floats(pack<T> x, F const& of_parts) {
  using P = pack<T>;
  using integers = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, T>>;  // of T, for who has none of it
  using unsigneds = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::uint32_t, T>>;
  integers bits = std::bit_cast<integers>(x.v);
  bool const all_normal = xsimd::all(std::bit_cast<unsigneds>(bits) - unsigneds(0x00800000u) < unsigneds(0x7f000000u));
  P scaled_by(T(0));
  if (!all_normal) {
    mask<T> const tiny = x < P(std::numeric_limits<T>::min());
    bits = std::bit_cast<integers>(select(tiny, x * P(T(8388608)), x).v);
    scaled_by = select(tiny, P(T(23)), scaled_by);
  }
  integers const exponent = (bits - integers(0x3f3504f3)) >> 23;
  P const n = P(xsimd::to_float(exponent)) - scaled_by;
  P const y = of_parts(n, P(std::bit_cast<xsimd::batch<T>>(integers(bits - (exponent << 23)))) - P(T(1)));
  if (all_normal) return y;
  P const infinity(static_cast<T>(__builtin_inf()));
  P const of_others = select(x == infinity, infinity, P(static_cast<T>(__builtin_nan(""))));
  return select(x == P(T(0)), -infinity, select(x > P(T(0)) && x < infinity, y, of_others));
}
// f(x), a logarithm of xsimd's: subnormal doubles are scaled by 2^54, of which `of_scale` is that logarithm, first
template <class T, class F>
RICCI_INLINE pack<T> logarithm_of_doubles(pack<T> x, T of_scale, F const& f) {
  mask<T> const tiny = x < pack<T>(2.2250738585072014e-308) && x > pack<T>(0.);
  pack<T> const y = f(x);
  return any_of(tiny) ? select(tiny, f(x * pack<T>(18014398509481984.)) - pack<T>(of_scale), y) : y;
}

template <class T>
RICCI_INLINE pack<T> log(pack<T> x) {
  using P = pack<T>;
  if constexpr (sizeof(T) == 8)
    return logarithm_of_doubles(x, T(37.42994775023704671), [](P a) RICCI_INLINE_LAMBDA { return P(xsimd::log(a.v)); });
  else
    return logarithm_of_floats(x, [](P n, P f) RICCI_INLINE_LAMBDA {
      // ln 2 in two parts, of which the first times n is exact
      return fma(n, P(0.693359375f),
                 fma(f * f,
                     polynomial(f, -0.4999998926f, 0.3333330832f, -0.2500151535f, 0.2000301183f, -0.1661128139f,
                                0.141635811f, -0.1320793812f, 0.1300396792f, -0.07824334048f),
                     fma(n, P(-2.12194440e-4f), f)));
    });
}
template <class T>
RICCI_INLINE pack<T> log2(pack<T> x) {
  using P = pack<T>;
  if constexpr (sizeof(T) == 8)
    return logarithm_of_doubles(x, T(54), [](P a) RICCI_INLINE_LAMBDA { return P(xsimd::log2(a.v)); });
  else
    return logarithm_of_floats(x, [](P n, P f) RICCI_INLINE_LAMBDA {
      return n + fma(f, P(1.44269502f),
                     f * f *
                         polynomial(f, -0.7213472776f, 0.4809069777f, -0.3607109872f, 0.2880129084f, -0.2387928004f,
                                    0.2147190748f, -0.2081287919f, 0.129559072f));
    });
}
template <class T>
RICCI_INLINE pack<T> log10(pack<T> x) {
  using P = pack<T>;
  if constexpr (sizeof(T) == 8)
    return logarithm_of_doubles(x, T(16.25561976585498), [](P a) RICCI_INLINE_LAMBDA { return P(xsimd::log10(a.v)); });
  else
    return logarithm_of_floats(x, [](P n, P f) RICCI_INLINE_LAMBDA {
      P const rest = fma(n, P(4.60503907e-6f),  // log10 2 is in two parts, too
                         f * f *
                             polynomial(f, -0.2171471678f, 0.1447674254f, -0.1085848269f, 0.08670052455f,
                                        -0.07188379565f, 0.06463688216f, -0.06265300933f, 0.03900116689f));
      return fma(n, P(0.301025390625f), fma(f, P(0.434294492f), rest));
    });
}
template <class T>
RICCI_INLINE pack<T> log1p(pack<T> x) {
  return select(x == pack<T>(T(0)), x, pack<T>(xsimd::log1p(x.v)));
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
