// A number kept as a sum of two packs, so that it has the digits of both.
#pragma once

#include <ricci/exec/cpu/math.hpp>

#if RICCI_HAS_XSIMD
namespace ricci::simd {
inline namespace RICCI_ABI {

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
// exactly; without a fused multiplication by halves of the digits (Dekker), of numbers below 2^100 and 2^990
template <class T>
RICCI_INLINE two_parts<T> exact_product(pack<T> a, pack<T> b) {
  using P = pack<T>;
  P const product = kept(a * b);
  if constexpr (has_fused_products) {
    return {product, fma(a, b, -product)};
  } else {
    auto const upper = [](P x) RICCI_INLINE_LAMBDA {
      P const far = rounded(x * P(sizeof(T) == 4 ? T(4097) : T(134217729)));
      return rounded(far - rounded(far - x));
    };
    P const x = upper(a), y = upper(b), u = a - x, v = b - y;
    return {product, ((rounded(x * y - product) + x * v) + u * y) + u * v};
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::simd
#endif
