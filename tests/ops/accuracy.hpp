// How far a result lies from the true one, in units of the last place of the true one; and the operands at which every
// elementwise operation is asked.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include <ricci/ricci.hpp>

namespace accuracy {

// What T would round the true number to may be infinite or subnormal: then the unit is that of the largest or of the
// smallest numbers, and infinity is the number after the largest.
template <class T>
double ulps(T got, long double truth) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(truth)) return std::isnan(got) ? 0 : 1e30;
  if (std::isnan(got)) return 1e30;
  long double const beyond = std::ldexp(1.0L, limits::max_exponent);
  auto const within = [&](long double x) { return x > beyond ? beyond : x < -beyond ? -beyond : x; };
  long double const x = within(truth);
  if (x == 0) return got == 0 && (std::signbit(got) == std::signbit(truth)) ? 0 : 1e30;
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = exponent > limits::max_exponent ? limits::max_exponent : exponent;
  int const last = (exponent < limits::min_exponent ? limits::min_exponent : exponent) - limits::digits;
  return static_cast<double>(std::abs(within(got) - x) / std::ldexp(1.0L, last));
}

// Everywhere in an interval: its ends, numbers whose magnitudes are spread evenly over all exponents, and numbers
// spread evenly; and wherever else something special may happen.
template <class T>
std::vector<T> points(ricci::interval domain, int n) {
  using limits = std::numeric_limits<T>;
  auto const as_T = [](double x) {
    double const most = static_cast<double>(limits::max());
    return static_cast<T>(x > most ? most : x < -most ? -most : x);
  };
  T const low = as_T(domain.low), high = as_T(domain.high), infinity = limits::infinity();
  std::vector<T> x{low, high, std::nextafter(low, high), std::nextafter(high, low)};
  for (T p : {T(0), limits::denorm_min(), limits::min(), limits::epsilon(), T(0.25), T(0.5), T(1), T(1.5), T(2), T(2.5),
              T(3), T(1e6), limits::max(), infinity})
    for (T s : {p, -p, std::nextafter(p, infinity), -std::nextafter(p, infinity), std::nextafter(p, T(0)),
                -std::nextafter(p, T(0))})
      x.push_back(s);
  x.push_back(limits::quiet_NaN());
  for (int k = 1; k < 2000; k += k < 100 ? 1 : k / 16)  // the zeros of sine and cosine
    for (T s : {T(1), T(-1)}) x.push_back(s * static_cast<T>(k * 1.57079632679489661923132169163975144L));
  std::uint64_t state = 1;
  auto const unit = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  double const smallest = std::log(static_cast<double>(limits::denorm_min()));
  while (static_cast<int>(x.size()) < n) {
    double const most = std::abs(domain.low) > std::abs(domain.high) ? std::abs(domain.low) : std::abs(domain.high);
    double const magnitude = std::exp(smallest + (std::log(static_cast<double>(as_T(most))) - smallest) * unit());
    T const spread = as_T(domain.low < 0 && (domain.high <= 0 || unit() < 0.5) ? -magnitude : magnitude);
    if (spread >= low && spread <= high) x.push_back(spread);
    double const from = domain.low < -100 ? -100 : domain.low, to = domain.high > 100 ? 100 : domain.high;
    x.push_back(static_cast<T>(from + (to - from) * unit()));
    if (domain.low > -1e4 && domain.high < 1e4) x.push_back(as_T(domain.low + (domain.high - domain.low) * unit()));
  }
  return x;
}

// The kernel of an operation on numbers of type T, and its result as one: booleans go in as "is not zero" and come out
// as 0 or 1.
template <class Op, class T>
inline constexpr bool takes_booleans = Op::operand_type(ricci::dtype::float64) == ricci::dtype::boolean;
template <class Op, int K, class T>
auto operand(T x) {
  if constexpr (K < Op::first_numeric || takes_booleans<Op, T>)
    return x != T(0);
  else
    return x;
}
template <class Op, class T>
T by_scalar(T a, T b, T c) {
  if constexpr (Op::arity == 1)
    return static_cast<T>(Op::kernel(operand<Op, 0>(a)));
  else if constexpr (Op::arity == 2)
    return static_cast<T>(Op::kernel(operand<Op, 0>(a), operand<Op, 1>(b)));
  else
    return static_cast<T>(Op::kernel(operand<Op, 0>(a), operand<Op, 1>(b), operand<Op, 2>(c)));
}

#if RICCI_HAS_XSIMD
template <class T>
ricci::simd::pack<T> as_pack(ricci::simd::pack<T> x) {
  return x;
}
template <class T>
ricci::simd::pack<T> as_pack(ricci::simd::mask<T> x) {
  return select(x, ricci::simd::pack<T>(T(1)), ricci::simd::pack<T>(T(0)));
}
template <class Op, int K, class T>
auto pack_operand(T const* x) {
  auto const p = ricci::simd::pack<T>::load(x);
  if constexpr (K < Op::first_numeric || takes_booleans<Op, T>)
    return p != ricci::simd::pack<T>(T(0));
  else
    return p;
}
template <class Op, class T>
void by_pack(T const* a, T const* b, T const* c, T* y) {
  if constexpr (Op::arity == 1)
    as_pack(Op::kernel(pack_operand<Op, 0>(a))).store(y);
  else if constexpr (Op::arity == 2)
    as_pack(Op::kernel(pack_operand<Op, 0>(a), pack_operand<Op, 1>(b))).store(y);
  else
    as_pack(Op::kernel(pack_operand<Op, 0>(a), pack_operand<Op, 1>(b), pack_operand<Op, 2>(c))).store(y);
}
#endif

// Operands of an operation of so many, one array each, all of one length.
template <class T>
struct operands {
  std::vector<T> x[3];

  operands(ricci::interval domain, int arity, int n) {
    std::vector<T> const all = points<T>(domain, n);
    std::size_t const special = 89;  // the ends of the domain, what is special, NaN
    if (arity > 1)
      for (std::size_t i = 0; i < special; ++i)
        for (std::size_t k = 0; k < special; ++k) add(all[i], all[k], all[(i + 7 * k) % special]);
    for (std::size_t k = 0; k < all.size(); ++k)
      add(all[k], all[(7 * k + 3) % all.size()], all[(31 * k + 1) % all.size()]);
    while (x[0].size() % 16 != 0) add(T(1), T(1), T(1));
  }
  void add(T a, T b, T c) {
    x[0].push_back(a);
    x[1].push_back(b);
    x[2].push_back(c);
  }
};

}  // namespace accuracy
