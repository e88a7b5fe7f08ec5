// The functions of <cmath> on packs. Most are xsimd's; exp is ours, since xsimd's loses the ends of the range, and what
// xsimd gets wrong at its ends is mended. Maximal errors are data of the operations (ops/math.hpp) and tested there.
#pragma once

#include <ricci/core/scalar.hpp>
#include <ricci/exec/cpu/rounding.hpp>

#if RICCI_HAS_XSIMD
#include <bit>
#include <cmath>

namespace ricci::simd {
inline namespace RICCI_ABI {

#if defined(__AVX512F__) || defined(__FMA__) || defined(__aarch64__)
inline constexpr bool has_fused_products = true;
#else
inline constexpr bool has_fused_products = false;
#endif
// a * b + c in one rounding where the machine has it; xsimd's has no AVX-512 version
template <class T>
RICCI_INLINE pack<T> fma(pack<T> a, pack<T> b, pack<T> c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return typename pack<T>::batch(_mm512_fmadd_ps(a.v, b.v, c.v));
  else
    return typename pack<T>::batch(_mm512_fmadd_pd(a.v, b.v, c.v));
#else
  return xsimd::fma(a.v, b.v, c.v);
#endif
}
template <class T>
RICCI_INLINE pack<T> sqrt(pack<T> x) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return typename pack<T>::batch(vsqrtq_f32(x.v));  // xsimd's is an estimate
#endif
  return xsimd::sqrt(x.v);
}
// the operand with its values outside [low, high] moved there; NaN stays
template <class T>
RICCI_INLINE pack<T> clamp(pack<T> x, T low, T high) {
  return xsimd::min(pack<T>(high).v, xsimd::max(pack<T>(low).v, x.v));
}
#if defined(__SSE2__)
// NaN where one of the two is. (The instructions give the second operand where both are equal, 0 and -0, too, or one is
// NaN.)
template <class T>
RICCI_INLINE pack<T> larger(pack<T> a, pack<T> b) {
  return select(a == a, pack<T>(xsimd::max(a.v, b.v)), a);
}
template <class T>
RICCI_INLINE pack<T> smaller(pack<T> a, pack<T> b) {
  return select(a == a, pack<T>(xsimd::min(a.v, b.v)), a);
}
// NaN where one of the three is; bounds are most often the same for all elements
template <class T>
RICCI_INLINE pack<T> clip(pack<T> x, pack<T> low, pack<T> high) {
  pack<T> const open = select(low != low || high != high, pack<T>(static_cast<T>(__builtin_nan(""))), pack<T>(T(0)));
  return xsimd::min(high.v, xsimd::max(low.v, x.v)) | open.v;
}
#else
template <class T>
RICCI_INLINE pack<T> clip(pack<T> x, pack<T> low, pack<T> high) {
  pack<T> const raised = select((low > x) || (low != low), low, x);
  return select((high < raised) || (high != high), high, raised);
}
#endif
template <class T>
RICCI_INLINE bool any_of(mask<T> m) {
  return xsimd::any(m.v);
}
// the first lane that is true, of which there is one
template <class T>
RICCI_INLINE int first_of(mask<T> m) {
#if defined(__AVX512F__)
  return __builtin_ctz(static_cast<unsigned>(m.v.data));
#elif defined(__AVX__)
  if constexpr (sizeof(T) == 4)
    return __builtin_ctz(static_cast<unsigned>(_mm256_movemask_ps(m.v)));
  else
    return __builtin_ctz(static_cast<unsigned>(_mm256_movemask_pd(m.v)));
#elif defined(__SSE2__)
  if constexpr (sizeof(T) == 4)
    return __builtin_ctz(static_cast<unsigned>(_mm_movemask_ps(m.v)));
  else
    return __builtin_ctz(static_cast<unsigned>(_mm_movemask_pd(m.v)));
#else
  bool lane[pack<T>::size];
  m.v.store_unaligned(lane);
  int k = 0;
  while (!lane[k]) ++k;
  return k;
#endif
}
// lane by lane, for what has no vector code
template <class T, class F>
RICCI_INLINE pack<T> by_lanes(pack<T> a, F const& f) {
  alignas(64) T x[pack<T>::size];
  a.store(x);
  for (int k = 0; k < pack<T>::size; ++k) x[k] = f(x[k]);
  return pack<T>::load(x);
}
template <class T, class F>
RICCI_INLINE pack<T> by_lanes(pack<T> a, pack<T> b, F const& f) {
  alignas(64) T x[pack<T>::size], y[pack<T>::size];
  a.store(x);
  b.store(y);
  for (int k = 0; k < pack<T>::size; ++k) x[k] = f(x[k], y[k]);
  return pack<T>::load(x);
}
// c[0] + x (c[1] + x (c[2] + ...))
template <class T>
RICCI_INLINE pack<T> polynomial(pack<T>, T c) {
  return pack<T>(c);
}
template <class T, class... Rest>
RICCI_INLINE pack<T> polynomial(pack<T> x, T c, Rest... rest) {
  return fma(polynomial(x, rest...), x, pack<T>(c));
}

// between booleans and numbers
template <class To, class T>
requires std::is_same_v<To, T> RICCI_INLINE pack<T> convert(mask<T> m) {
  return select(m, pack<T>(T(1)), pack<T>(T(0)));
}
template <class To, class T>
requires std::is_same_v<To, bool> RICCI_INLINE mask<T> convert(pack<T> x) { return x != pack<T>(T(0)); }
template <class To, class T>
requires std::is_same_v<To, bool> RICCI_INLINE mask<T> convert(mask<T> m) { return m; }
template <class To, class T>
requires std::is_same_v<To, T> RICCI_INLINE pack<T> convert(pack<T> x) { return x; }

// 2^n for an integer n in the exponent range of normal numbers: n is added to a number so large that it comes to lie in
// the last bits of the sum, from where it is shifted into the exponent.
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
  if constexpr (sizeof(T) == 4)
    return typename pack<T>::batch(_mm512_scalef_ps(x.v, n.v));
  else
    return typename pack<T>::batch(_mm512_scalef_pd(x.v, n.v));
#else
  pack<T> const half = nearbyint(n * pack<T>(T(0.5)));
  return x * power_of_two(half) * power_of_two(n - half);
#endif
}

// (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2: the polynomial nearest to it in the maximum norm
template <class T>
RICCI_INLINE pack<T> exp_tail(pack<T> r) {
  if constexpr (sizeof(T) == 4)
    return polynomial(r, 0.5000000027100f, 0.1666657664646f, 0.0416663740982f, 0.0083632350819f, 0.0013941216587f);
  else
    return polynomial(r, 0.50000000000000010314, 0.16666666666666674607, 4.1666666666623818e-2, 8.3333333333221173e-3,
                      1.3888888917368192e-3, 1.9841269886871402e-4, 2.4801521056246131e-5, 2.7557242015275129e-6,
                      2.7620202311461781e-7, 2.5110171979166902681e-8);
}
// exp(r) 2^n
template <class T>
RICCI_INLINE pack<T> scaled_exp(pack<T> r, pack<T> n) {
  return scale(fma(exp_tail(r), r * r, r) + pack<T>(T(1)), n);
}
// x = n ln 2 + r, ln 2 in two parts of which the first times n is exact
template <class T>
struct exponent_parts {
  pack<T> n, r;

  RICCI_INLINE explicit exponent_parts(pack<T> x) {
    using P = pack<T>;
    n = nearbyint(x * P(T(1.4426950408889634)));
    if constexpr (sizeof(T) == 4)
      r = fma(n, P(-1.42860682e-6f), fma(n, P(-0.693145751953125f), x));
    else
      r = fma(n, P(-7.37100256516779890e-13), fma(n, P(-0.6931471805592082091607153), x));
  }
};
template <class T>
RICCI_INLINE pack<T> exp(pack<T> x) {
  exponent_parts<T> const of(sizeof(T) == 4 ? clamp(x, T(-110), T(90)) : clamp(x, T(-760), T(720)));
  return scaled_exp(of.r, of.n);
}

// exp(r) 2^n - 1 = 2 (2^(n - 1) (exp(r) - 1) + 2^(n - 1) - 1 / 2), so that no power leaves the range before the result
// does; it has the sign of x
template <class T>
RICCI_INLINE pack<T> expm1(pack<T> x) {
  using P = pack<T>;
  exponent_parts<T> const of(sizeof(T) == 4 ? clamp(x, T(-20), T(89)) : clamp(x, T(-40), T(710)));
  P const power = power_of_two(of.n - P(T(1)));
  P const half = fma(power, fma(exp_tail(of.r), of.r * of.r, of.r), power - P(T(0.5)));
  return xsimd::copysign((half + half).v, x.v);
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
  pack<T> const zero(T(0)), infinity(static_cast<T>(__builtin_inf())), y = xsimd::atan2(a.v, b.v);
  mask<T> open = (a == zero && b == zero) || (abs(a) == infinity && abs(b) == infinity);
#if defined(__aarch64__)  // where the estimate of 1 / b leaves the range
  if constexpr (sizeof(T) == 4) open = open || !(abs(b) >= pack<T>(T(0x1p-120f)) && abs(b) <= pack<T>(T(0x1p120f)));
#endif
  return any_of(open) ? select(open, by_lanes(a, b, [](T p, T q) { return std::atan2(p, q); }), y) : y;
}
// With |x| = n ln 2 + r and q = 2^(-2 n): cosh x = 2^(n - 1) ((1 + q) cosh r + (1 - q) sinh r), and sinh |x| the same
// with both exchanged; so small x are no case of their own. The polynomials in r^2 are nearest to (cosh r - 1) / r^2
// and (sinh r / r - 1) / r^2 in the maximum norm, to 2^-33 of floats' and 2^-69 of doubles' results.
template <class T>
struct hyperbolic_parts {
  pack<T> n, q, even, odd;  // even is cosh r - 1

  RICCI_INLINE explicit hyperbolic_parts(pack<T> x) {
    using P = pack<T>;
    exponent_parts<T> const of(clamp(abs(x), T(0), sizeof(T) == 4 ? T(90) : T(712)));
    P const z = of.r * of.r;
    n = of.n;
    q = power_of_two(clamp(n * P(T(-2)), T(-120), T(0)));  // which is nothing beside 1
    if constexpr (sizeof(T) == 4) {
      even = z * polynomial(z, 0.5f, 0.0416662395f, 0.001394869993f);
      odd = fma(z * of.r, polynomial(z, 0.16666667163f, 0.0083332862705f, 0.00019907703972f), of.r);
    } else {
      even = z * polynomial(z, 0.5, 0.041666666666666706, 0.00138888888888645, 2.4801587364178127e-05,
                            2.755724018844584e-07, 2.092512803910618e-09);
      odd = fma(z * of.r,
                polynomial(z, 0.16666666666666666, 0.008333333333333337, 0.00019841269841253584, 2.755731926570529e-06,
                           2.50520557039158e-08, 1.6091287127045192e-10),
                of.r);
    }
  }
  // a + a (cosh r - 1) + b sinh r, 2^(n - 1) times; a and b sinh r cancel the most, and go first
  RICCI_INLINE pack<T> sum(pack<T> a, pack<T> b) const {
    return scale(fma(a, even, fma(b, odd, a)), n - pack<T>(T(1)));
  }
};
template <class T>
RICCI_INLINE pack<T> sinh(pack<T> x) {
  pack<T> const one(T(1));
  hyperbolic_parts<T> const of(x);
  return xsimd::copysign(of.sum(one - of.q, one + of.q).v, x.v);
}
template <class T>
RICCI_INLINE pack<T> cosh(pack<T> x) {
  pack<T> const one(T(1));
  hyperbolic_parts<T> const of(x);
  return of.sum(one + of.q, one - of.q);
}
// tanh |x| = h / (h + 1) with h = (exp(2 |x|) - 1) / 2 = 2^n p(r) + (2^n - 1) / 2, where |x| = n ln 2 / 2 + r with |r|
// <= ln 2 / 4, and p(r) = (exp(2 r) - 1) / 2 keeps its digits near 0; so there is no second formula for small x. An
// error of r counts less the larger n is, so of floats one number suffices for ln 2 / 2; doubles' h is half of what
// expm1 of 2 |x| is. From 9.01 on the result is 1, of doubles from 19.1.
template <class T>
RICCI_INLINE pack<T> tanh(pack<T> x) {
  if constexpr (sizeof(T) == 4) {
    using P = pack<T>;
    P const magnitude = xsimd::min(P(10.f).v, abs(x).v);
    P const shifted = fma(magnitude, P(2.88539008f), P(12582912.f + 127.f));  // see power_of_two
    P const n = shifted - P(12582912.f + 127.f);
    auto const bits = std::bit_cast<xsimd::batch<std::int32_t>>(shifted.v);
    P const power = std::bit_cast<xsimd::batch<T>>(xsimd::batch<std::int32_t>(bits << 23));
    P const r = fma(n, P(-0.34657359f), magnitude);
    P q = P(0.04462922708f);
    q = fma(q, r, P(0.133866968728f));
    q = fma(q, r, P(0.333330238566f));
    q = fma(q, r, P(0.666661692482f));
    q = fma(q, r, P(1.f));
    P const h = fma(power, fma(q * r, r, r), fma(power, P(0.5f), P(-0.5f)));
    return xsimd::copysign((h / (h + P(1.f))).v, x.v);
  } else {
    using P = pack<T>;
    P const magnitude = xsimd::min(P(20.).v, abs(x).v);
    exponent_parts<T> const of(magnitude + magnitude);
    P const power = power_of_two(of.n - P(1.));
    P const h = fma(power, fma(exp_tail(of.r), of.r * of.r, of.r), power - P(0.5));
    return xsimd::copysign((h / (h + P(1.))).v, x.v);
  }
}
// Of doubles: up to 1, x times a polynomial in x^2; from there to 6, where it is 1, 1 - exp(-x^2) times one in
// (x - 2) / (x + 2), which maps [1, 6] to [-1/3, 1/2]. Both are nearest in the maximum norm, to 2^-56 of erf and
// better.
template <class T>
RICCI_INLINE pack<T> erf(pack<T> x) {
  using P = pack<T>;
  if constexpr (sizeof(T) == 8) {
    P const z = x * x, a = clamp(abs(x), 1., 6.), u = (a - P(2.)) / (a + P(2.));
    P const low =
        x * polynomial(z, 1.1283791670955126, -0.3761263890318352, 0.11283791670944185, -0.026866170643111403,
                       0.005223977606117977, -0.000854832592929161, 0.00012055293576241884, -1.4924712289815019e-05,
                       1.6447131426112253e-06, -1.620631268457347e-07, 1.3710975905183231e-08, -7.779460367271988e-10);
    P const tail = polynomial(u, 0.25539567631050575, -0.42718584741395677, 0.24165819424246696, -0.07897858101645551,
                              0.00373289239858745, 0.006997461790018104, -0.000847142572713922, -0.0009819765825151564,
                              4.3535323933615265e-05, 0.00017428770862344228, 2.7630797346895908e-05,
                              -2.6587274932560636e-05, -1.2622300854768622e-05);
    P const high = P(1.) - exp(-(a * a)) * tail;
    return select(z < P(1.), low, select(x < P(0.), -high, select(x != x, x, high)));
  } else {
    return xsimd::erf(clamp(x, T(-6.5), T(6.5)).v);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
