// Sine, cosine and tangent on packs. x = n pi / 2 + r, |r| <= pi / 4; where |x| is large the lanes go to <cmath>.
#pragma once

#include <ricci/exec/cpu/math.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

// Both at once: pi / 2 in parts of so few bits (33 of doubles, 11 of floats) that their products with n are exact, and
// a rest; r is a sum of two numbers, since near a multiple of pi / 2 nearly all of x cancels. The polynomials are
// fdlibm's (k_sin.c, k_cos.c) and, of floats, Cephes' (sinf.c). (xsimd's of floats call a function that is named after
// no instruction set, so that a program has one of it, for whichever set.)
template <class T>
struct sine_and_cosine {
  pack<T> sine, cosine;
  mask<T> large;
};
template <class T>
RICCI_INLINE sine_and_cosine<T> sincos(pack<T> x) {
  using P = pack<T>;
  constexpr bool is_double = sizeof(T) == 8;
  P const n = nearbyint(x * P(T(0.63661977236758134308)));
  P high = x, low(T(0));
  auto const less = [&](T part) RICCI_INLINE_LAMBDA {
    P const term = rounded(n * P(part)), sum = rounded(high - term), back = rounded(sum - high);
    low = low + (rounded(high - rounded(sum - back)) - rounded(term + back));
    high = sum;
  };
  if constexpr (is_double) {
    less(1.57079632673412561417);
    less(6.07710050630396597660e-11);
    less(2.02226624871116645580e-21);
    low = low - n * P(8.47842766036889956997e-32);
  } else {
    // exact: all are multiples of 2^-24, and the result is below 1
    high = rounded(rounded(x - n * P(1.5703125f)) - n * P(0.000483751297f));
    less(7.54953362e-08f);
    low = low - n * P(2.56334407e-12f);
  }
  P const r = rounded(high + low);
  low = low - rounded(r - high);
  P const z = r * r, v = z * r;
  P s, c;
  T third;  // the coefficient of r^3
  if constexpr (is_double) {
    third = -1.66666666666666324348e-01;
    s = polynomial(z, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                   -2.50507602534068634195e-08, 1.58969099521155010221e-10);
    c = polynomial(z, 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
                   -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11);
  } else {
    third = -1.6666654611e-1f;
    s = polynomial(z, 8.3321608736e-3f, -1.9515295891e-4f);
    c = polynomial(z, 4.166664568298827e-2f, -1.388731625493765e-3f, 2.443315711809948e-5f);
  }
  P const sine = r - ((z * (P(T(0.5)) * low - v * s) - low) - v * P(third));
  P const half = P(T(0.5)) * z, w = rounded(P(T(1)) - half);
  P const cosine = w + ((rounded(P(T(1)) - w) - half) + (z * (z * c) - r * low));
  // the quadrant: n modulo 4 is -2, -1, 0, 1 or 2
  P const quadrant = n - P(T(4)) * nearbyint(n * P(T(0.25)));
  mask<T> const odd = abs(quadrant) == P(T(1));
  P const p = select(odd, cosine, sine), q = select(odd, sine, cosine);
  mask<T> const turned = abs(quadrant) == P(T(2));
  return {select(turned || quadrant == P(T(-1)), -p, select(x == P(T(0)), x, p)),
          select(turned || quadrant == P(T(1)), -q, q), !(abs(x) < P(is_double ? T(1e6) : T(8192)))};
}
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
inline constexpr bool reduces_by_fma = true;
#else
inline constexpr bool reduces_by_fma = false;
#endif
// Of floats with FMA: pi / 2 has three parts, the product with the first cancels exactly, and the second is subtracted
// in one rounding, so that r is one number.
template <class T>
struct reduced_angle {
  using integers = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, T>>;
  pack<T> r;
  integers n;
  mask<T> large;

  RICCI_INLINE explicit reduced_angle(pack<T> x) : large(!(abs(x) < pack<T>(T(8192)))) {
    using P = pack<T>;
    P const shifted = rounded(fma(x, P(T(0.636619772)), P(T(12582912))));  // n in its last bits
    P const whole = shifted - P(T(12582912));
    n = std::bit_cast<integers>(shifted.v);
    r = fma(whole, P(T(-5.390303e-15)), fma(whole, P(T(-7.5497894e-08)), fma(whole, P(T(-1.5707963f)), x)));
  }
  RICCI_INLINE mask<T> is_odd() const {
    return pack<T>(std::bit_cast<xsimd::batch<T>>(integers((n & integers(1)) << 30))) > pack<T>(T(0));
  }
  // the sine of x + quarters pi / 2
  RICCI_INLINE pack<T> sine(int quarters) {
    using P = pack<T>;
    n = n + integers(quarters);
    P const z = r * r, s = r * polynomial(z, T(1), T(-0.1666665499), T(0.008332180398), T(-0.0001951752853)),
            c = polynomial(z, T(1), T(-0.5), T(0.04166664688), T(-0.001388736793), T(2.443848104e-5));
    integers const bits = std::bit_cast<integers>(select(is_odd(), c, s).v);
    return P(std::bit_cast<xsimd::batch<T>>(integers(bits ^ ((n & integers(2)) << 30))));
  }
  RICCI_INLINE pack<T> tangent() const {
    using P = pack<T>;
    P const z = r * r, t = fma(r * z,
                               polynomial(z, T(0.3333316057), T(0.1333873171), T(0.05341557877), T(0.02441777762),
                                          T(0.00313641287), T(0.009377098032)),
                               r);
    return select(is_odd(), P(T(-1)) / t, t);
  }
};

// y, but f lane by lane where x is large
template <class T, class F>
RICCI_INLINE pack<T> unless_large(mask<T> large, pack<T> x, pack<T> y, F const& f) {
  return any_of(large) ? select(large, by_lanes(x, f), y) : y;
}

template <class T>
RICCI_INLINE pack<T> sin(pack<T> x) {
  auto const of_one = [](T t) { return std::sin(t); };
  if constexpr (reduces_by_fma && sizeof(T) == 4) {
    reduced_angle<T> a(x);
    return unless_large(a.large, x, a.sine(0), of_one);
  } else {
    auto const r = sincos(x);
    return unless_large(r.large, x, r.sine, of_one);
  }
}
template <class T>
RICCI_INLINE pack<T> cos(pack<T> x) {
  auto const of_one = [](T t) { return std::cos(t); };
  if constexpr (reduces_by_fma && sizeof(T) == 4) {
    reduced_angle<T> a(x);
    return unless_large(a.large, x, a.sine(1), of_one);
  } else {
    auto const r = sincos(x);
    return unless_large(r.large, x, r.cosine, of_one);
  }
}
template <class T>
RICCI_INLINE pack<T> tan(pack<T> x) {
  auto const of_one = [](T t) { return std::tan(t); };
  if constexpr (reduces_by_fma && sizeof(T) == 4) {
    reduced_angle<T> a(x);
    return unless_large(a.large, x, a.tangent(), of_one);
  } else {
    auto const r = sincos(x);
    return unless_large(r.large, x, r.sine / r.cosine, of_one);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
