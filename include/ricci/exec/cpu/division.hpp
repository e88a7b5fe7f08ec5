// Quotients of packs that are whole numbers, and what they leave, bit by bit those of scalar.hpp, whose remainders are
// computed number by number.
#pragma once

#include <ricci/core/quotients.hpp>
#include <ricci/exec/cpu/math.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

template <class T>
struct division {
  pack<T> quotient, rest;  // truncated, and what it leaves of the dividend
};
// Whether both are there. A rounded quotient of few bits is at most one too large when it is truncated, and what is
// left is then of the other sign; as whole multiples of the smaller unit in the last place, rests have a place among
// numbers, so that a fused product is exact. (With -ffast-math a quotient may be a product with an estimate.)
template <class T>
RICCI_INLINE bool divides_exactly([[maybe_unused]] pack<T> a, [[maybe_unused]] pack<T> b,
                                  [[maybe_unused]] division<T>& d) {
#if (defined(__FMA__) || defined(__aarch64__)) && !defined(__FAST_MATH__)
  using P = pack<T>;
  P const y = a / b;
  P const most(sizeof(T) == 4 ? T(4194304) : T(2251799813685248)), infinity(static_cast<T>(__builtin_inf()));
  if (any_of(!(abs(y) < most && abs(b) < infinity))) return false;
  auto const sign = xsimd::bitofsign(y.v);
  P const size = floor(abs(y)), t = size.v | sign;
  P const left = fma(-t, b, a);
  mask<T> const beyond = (left < P(T(0)) && a > P(T(0))) || (left > P(T(0)) && a < P(T(0)));
  d.quotient = select(beyond, P((size - P(T(1))).v | sign), t);
  d.rest = select(beyond, fma(-d.quotient, b, a), left);
  return true;
#else
  return false;
#endif
}
// where a rest has not the sign of the divisor
template <class T>
RICCI_INLINE mask<T> is_beside(pack<T> rest, pack<T> b) {
  pack<T> const zero(T(0));
  return (rest < zero && b > zero) || (rest > zero && b < zero);
}
template <class T>
RICCI_INLINE pack<T> with_sign(pack<T> size, pack<T> of) {
  return abs(size).v | xsimd::bitofsign(of.v);
}

template <class T>
RICCI_INLINE pack<T> floor_divide(pack<T> a, pack<T> b) {
  division<T> d;
  if (!divides_exactly(a, b, d)) return by_lanes(a, b, [](T x, T y) { return scalar::floor_divide(x, y); });
  pack<T> const q = select(is_beside(d.rest, b), d.quotient - pack<T>(T(1)), d.quotient);
  return select(q == pack<T>(T(0)), with_sign(q, b), q);
}
template <class T>
RICCI_INLINE pack<T> remainder(pack<T> a, pack<T> b) {
  division<T> d;
  if (!divides_exactly(a, b, d)) return by_lanes(a, b, [](T x, T y) { return scalar::remainder(x, y); });
  return select(d.rest == pack<T>(T(0)), with_sign(d.rest, b), select(is_beside(d.rest, b), d.rest + b, d.rest));
}
template <class T>
RICCI_INLINE pack<T> fmod(pack<T> a, pack<T> b) {
  division<T> d;
  if (!divides_exactly(a, b, d)) return by_lanes(a, b, [](T x, T y) { return scalar::truncated_remainder(x, y); });
  return with_sign(d.rest, a);
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
