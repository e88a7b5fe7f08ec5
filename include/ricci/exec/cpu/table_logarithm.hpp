// log2 in two parts, by a table. Numbers are m 2^e with m in one of a few intervals; each has a number 1/c of so few
// digits that r = m / c - 1 is exact, and log2 x = e + log2 c + log2(1 + r). Around 1, where e and log2 c are 0, r is
// m - 1, and no digit is lost. log2(1 + r) is r / ln 2, times -r / 2 the next term, both in two parts, and r^3 times a
// polynomial, nearest in the maximum norm.
#pragma once

#include <ricci/exec/cpu/logarithm_table.hpp>
#include <ricci/exec/cpu/two_parts.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

// c[0] + x (c[1] + x (c[2] + ...)) by pairs, and pairs of pairs (Estrin): there is much to do before this polynomial
// can begin and after it, and a machine does not look far enough ahead to begin the next meanwhile
template <class T>
RICCI_INLINE pack<T> in_pairs(pack<T>, pack<T> a) {
  return a;
}
template <class T>
RICCI_INLINE pack<T> in_pairs(pack<T> x, pack<T> a, pack<T> b) {
  return fma(b, x, a);
}
template <class T>
RICCI_INLINE pack<T> in_pairs(pack<T> x, pack<T> a, pack<T> b, pack<T> c) {
  return fma(c, x * x, fma(b, x, a));
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

template <class T>
struct number_in_interval {
  pack<T> r, whole, rest;  // log2 x = whole + rest + log2(1 + r)
};
#if defined(__AVX2__)
// Of floats there are eight intervals, from 17/24 to 17/12, |r| <= 1/16, which one instruction looks up.
template <class T>
struct eight_entries {
  static constexpr T inverse[]{T(1.375), T(1.25), T(1.125), T(1.0625), T(1), T(0.90625), T(0.8125), T(0.75)};
  static constexpr T logarithm[]{
      T(-0.459442138671875), T(-0.321929931640625), T(-0.169921875), T(-0.08746337890625), T(0),
      T(0.14202880859375),   T(0.299560546875),     T(0.4150390625)};
  static constexpr T rest[]{T(1.0520035e-05),  T(1.8367533e-06),  T(-3.1264423e-06), T(5.3765591e-07), T(0),
                            T(-9.8037213e-06), T(-2.6501609e-07), T(-1.5632212e-06)};
};
// the entries with the numbers in the three lowest bits
template <class T, class Bits>
RICCI_INLINE pack<T> looked_up(T const (&entries)[8], Bits index) {
  using B = typename pack<T>::batch;
  __m256 const all = _mm256_loadu_ps(entries);
#if defined(__AVX512F__)
  return B(_mm512_permutexvar_ps(index, _mm512_castpd_ps(_mm512_broadcast_f64x4(_mm256_castps_pd(all)))));
#else
  return B(_mm256_permutevar8x32_ps(all, index));
#endif
}
template <class T>
requires std::is_same_v<T, float> RICCI_INLINE number_in_interval<T> located(pack<T> x) {
  using integers = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, T>>;  // of T, for who has no powers
  using entries = eight_entries<T>;
  integers const bits = std::bit_cast<integers>(x.v), above = bits - integers(0x3f355556);
  integers const exponent = above >> 23, index = above >> 20;
  pack<T> const m = std::bit_cast<xsimd::batch<T>>(integers(bits - (above & integers(-0x800000))));
  return {fma(m, looked_up(entries::inverse, index), pack<T>(T(-1))),
          pack<T>(xsimd::to_float(exponent)) + looked_up(entries::logarithm, index), looked_up(entries::rest, index)};
}
#endif
// of the entries whose numbers the first six digits of doubles' bits are
template <class T, class Bits>
RICCI_INLINE void look_up(Bits bits, pack<T>& inverse, pack<T>& logarithm, pack<T>& rest) {
  using B = typename pack<T>::batch;
  constexpr auto const& entries = interval_entries<T>;
#if defined(__AVX512F__)
  __m512i const index = _mm512_and_si512(_mm512_srli_epi64(bits, 44), _mm512_set1_epi64(63 * 4));
  inverse = B(_mm512_i64gather_pd(index, &entries[0].inverse, 8));
  logarithm = B(_mm512_i64gather_pd(index, &entries[0].logarithm, 8));
  rest = B(_mm512_i64gather_pd(index, &entries[0].rest, 8));
#else
  alignas(64) std::uint64_t at[Bits::size];
  (bits >> 46).store_aligned(at);
#if defined(__AVX2__)
  auto const& a = entries[at[0] & 63];
  auto const& b = entries[at[1] & 63];
  auto const& c = entries[at[2] & 63];
  auto const& d = entries[at[3] & 63];
  __m256d const a_c = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(&a.inverse)), _mm_load_pd(&c.inverse), 1);
  __m256d const b_d = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(&b.inverse)), _mm_load_pd(&d.inverse), 1);
  inverse = B(_mm256_unpacklo_pd(a_c, b_d));
  logarithm = B(_mm256_unpackhi_pd(a_c, b_d));
  rest = B(_mm256_setr_pd(a.rest, b.rest, c.rest, d.rest));
#else
  alignas(64) T i[Bits::size], l[Bits::size], r[Bits::size];
  for (std::size_t k = 0; k < Bits::size; ++k) {
    auto const& entry = entries[at[k] & 63];
    i[k] = entry.inverse, l[k] = entry.logarithm, r[k] = entry.rest;
  }
  inverse = B::load_aligned(i), logarithm = B::load_aligned(l), rest = B::load_aligned(r);
#endif
#endif
}
template <class T>
requires std::is_same_v<T, double> RICCI_INLINE number_in_interval<T> located(pack<T> x) {
  using P = pack<T>;
  // there is no arithmetic shift of 64 bits everywhere: exponents as they are stored, in the last bits of 2^52
  using integers = xsimd::batch<std::conditional_t<sizeof(T) == 8, std::uint64_t, T>>;  // of T, as above
  integers const bits = std::bit_cast<integers>(x.v), above = bits - integers(0x3feac80000000000u);
  integers const exponent = ((above + integers(0x3ff0000000000000u)) >> 52) | integers(0x4330000000000000u);
  integers const m_bits = bits - (above & integers(0xfff0000000000000u));
  P const m = std::bit_cast<xsimd::batch<T>>(m_bits), one(T(1));
  P inverse, logarithm, rest, r;
  look_up(above, inverse, logarithm, rest);
  if constexpr (has_fused_products) {
    r = fma(m, inverse, -one);
  } else {  // both products are exact
    P const head = std::bit_cast<xsimd::batch<T>>(integers(m_bits & integers(0xfffffffff0000000u)));
    r = (head * inverse - one) + (m - head) * inverse;
  }
  P const of_two = std::bit_cast<xsimd::batch<T>>(exponent) - xsimd::batch<T>(T(4503599627370496. + 1023.));
  return {r, of_two + logarithm, rest};
}

// log2 of positive normal x, of doubles to 2^-64 of itself, of floats to 2^-32; the second part is below 2^-9 of the
// first
template <class T>
RICCI_INLINE two_parts<T> log2_in_parts(pack<T> x) {
  using P = pack<T>;
  auto const [r, whole, rest] = located(x);
  P const half = r * P(T(-0.5)), cube = r * (r * r);
  two_parts<T> first = exact_product(r, P(T(1.4426950408889634)));
  first.low = fma(r, P(sizeof(T) == 4 ? T(1.925963e-08) : T(2.0355273740931033e-17)), first.low);
  two_parts<T> const second = exact_product(first.high, half), sum = exact_sum(whole, first.high),
                     both = exact_sum(sum.high, second.high);
  P const low = (fma(first.low, half, first.low) + second.low) + ((sum.low + both.low) + rest);
  if constexpr (sizeof(T) == 4)
    return {both.high, fma(cube, wide_polynomial(r, 0.4808968376, -0.3606716447, 0.2897084131, -0.2416973868), low)};
  else
    return {both.high,
            fma(cube,
                wide_polynomial(r, 0.48089834696298775, -0.36067376022289045, 0.28853900817969767, -0.24044916088446296,
                                0.20609927127313562, -0.18041266986562154, 0.16038652299509732),
                low)};
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
