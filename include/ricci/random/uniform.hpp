// Numbers between two others, whole ones too, and conditions. Everything is lazy, and reads its words in place.
#pragma once

#include <bit>

#include <ricci/random/bits.hpp>

RICCI_OPTIMIZED
namespace ricci::random {

// What becomes of a word of random bits. The word is as wide as the number.
template <class Derived, class F>
struct of_word : elementwise<Derived, 1> {
  static_assert(std::is_same_v<F, float> || std::is_same_v<F, double>, "random numbers are float or double");
  static constexpr std::uint8_t cost = 2;
  static constexpr bool takes_integers_alone = true;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  using word = std::conditional_t<std::is_same_v<F, float>, std::uint32_t, std::uint64_t>;
  static constexpr dtype operand_type(dtype) { return dtype_of<word>; }
  static constexpr dtype result_type(dtype) { return dtype_of<F>; }
};
template <class F>
using word_t = std::conditional_t<std::is_same_v<F, float>, std::uint32_t, std::uint64_t>;

// [0, 1): the first `Digits` bits of a word as digits behind the point.
template <class F, int Digits>
struct unit_of_word_t : of_word<unit_of_word_t<F, Digits>, F> {
  static constexpr auto name = "unit_of_word";
  RICCI_FN kernel(std::uint32_t w) requires(std::is_same_v<F, float>) {
    return static_cast<float>(static_cast<std::int32_t>(w >> (32 - Digits))) * (1.f / float(1 << Digits));
  }
  // By the bits of a number in [1, 2), as not every processor converts integers of 64 bits; digit 53 is added.
  RICCI_FN kernel(std::uint64_t w) requires(std::is_same_v<F, double>) {
    double const x = std::bit_cast<double>(w >> 12 | std::uint64_t(0x3ff) << 52) - 1.;
    if constexpr (Digits == 53)
      return x + std::bit_cast<double>((0 - (w >> 11 & 1)) & std::bit_cast<std::uint64_t>(0x1p-53));
    else
      return x;
  }
};
// A probability with the sign of the side on which it lies: -p for p itself, p for 1 - p, 0 < p <= 1/2. So both tails
// of a distribution are as exact as numbers are, to 2^-33 and 2^-65.
template <class F>
struct tail_of_word_t : of_word<tail_of_word_t<F>, F> {
  static constexpr auto name = "tail_of_word";
  template <class W>
  RICCI_FN kernel(W w) {
    using S = std::make_signed_t<W>;
    constexpr int bits = 8 * int(sizeof(W));
    constexpr F unit = F(1) / (F(2) * F(W(1) << (bits - 1)));
    F const p = (static_cast<F>(static_cast<S>(w & (W(-1) >> 1))) + F(0.5)) * unit;
    return static_cast<S>(w) < 0 ? -p : p;
  }
};

template <class F, Key K, ShapeArgument S>
constexpr auto tails(K const& from, S const& shape) {
  return tail_of_word_t<F>{}(words<word_t<F>>(from, shape));
}

// Numbers in [0, 1), each a multiple of 2^-24 for float and 2^-53 for double that is equally likely; under a key of
// Threefry of 2^-23 and 2^-52, as in JAX.
template <class T, Key K, ShapeArgument S>
constexpr auto uniform(K const& from, S const& shape) {
  constexpr int digits = std::numeric_limits<T>::digits - (ThreefryKey<K> ? 1 : 0);
  return unit_of_word_t<T, digits>{}(words<word_t<T>>(from, shape));
}
// From `low` to `high`, numbers or tensors that are broadcast to the shape: low + u (high - low) with u in [0, 1),
// which may round to `high`. A value_error where numbers have no difference that is finite.
template <class T, Key K, ShapeArgument S, class A, class B>
requires operands<A, B>
constexpr auto uniform(K const& from, S const& shape, A&& low, B&& high) {
  auto const a = parameter<T>("random::uniform", static_cast<A&&>(low), shape);
  auto const b = parameter<T>("random::uniform", static_cast<B&&>(high), shape);
  if constexpr (Arithmetic<std::remove_cvref_t<A>> && Arithmetic<std::remove_cvref_t<B>>)
    if (T const range = b - a; !(range - range == 0))
      core::raise<value_error>(core::text() << "random::uniform: high - low is no finite number");
  return uniform<T>(from, shape) * (b - a) + a;
}

// floor(w n / 2^64) for a word w of 64 bits: below n.
struct scaled_word_t : elementwise<scaled_word_t, 2> {
  static constexpr auto name = "scaled_word";
  static constexpr std::uint8_t cost = 8;
  static constexpr bool takes_integers_alone = true;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  static constexpr dtype operand_type(dtype) { return dtype::uint64; }
  template <class W>
  RICCI_FN kernel(W w, W n) {
    W const low = 0xffffffffu;
    W const a = w >> 32, b = w & low, c = n >> 32, d = n & low;
    W const middle = a * d + (b * d >> 32), other = b * c + (middle & low);
    return static_cast<W>(a * c + (middle >> 32) + (other >> 32));
  }
};
inline constexpr scaled_word_t scaled_word{};

// A number of any integer type as one can be compared with those of others: its bits in two's complement and its sign.
struct whole_number {
  std::uint64_t bits;
  bool is_negative;
  template <class N>
  constexpr explicit whole_number(N n)
      : bits(static_cast<std::uint64_t>(n)), is_negative(std::is_signed_v<N> && static_cast<std::int64_t>(n) < 0) {}
  constexpr bool operator<(whole_number const& o) const {
    return is_negative != o.is_negative ? is_negative : bits < o.bits;
  }
  constexpr whole_number one_less() const {
    whole_number y = *this;
    if (y.bits-- == 0) y.is_negative = true;
    return y;
  }
  constexpr core::text& show(core::text& to) const {
    if (is_negative || bits < 10) return to << index_t(bits);
    return to << index_t(bits / 10) << char('0' + bits % 10);  // there may be more of them than an index_t has
  }
};
inline namespace RICCI_ABI {
// An error where there is no number from low to below high, or not all of them are of a type.
RICCI_COLD constexpr void expect_range(whole_number low, whole_number high, dtype type, whole_number least,
                                       whole_number most) {
  core::text t;
  t << "random::randint: ";
  whole_number const last = high.one_less();
  if (!(low < high))
    core::raise<value_error>(high.show(low.show(t << "low is ") << ", high ") << ", and has to be above it");
  if (low < least || most < last)
    core::raise<value_error>(last.show(low.show(t << "from ") << " to ")
                             << ", where " << name_of(type) << " has "
                             << (low < least ? "no numbers so low" : "no numbers so high"));
}
}  // namespace RICCI_ABI

// Integers from `low` to `high`, which is not among them; numbers, or integer tensors that are broadcast to the shape.
// Each has a probability within 2^-64 of 1 / (high - low). A value_error where high is not above low, or T has not all
// of these numbers; of tensors, taken as int64, the result is `low` where high is not above it, and wraps around where
// T does not have it.
template <class T, Key K, ShapeArgument S, class A, class B>
requires operands<A, B>
constexpr auto randint(K const& from, S const& shape, A&& low, B&& high) {
  static_assert(is_integer(dtype_of<T>), "random::randint<T> makes integers");
  static_assert(!is_inexact(own_type<A>()) && !is_inexact(own_type<B>()), "random::randint: low and high are integers");
  using W = std::uint64_t;
  auto const w = words<W>(from, shape);
  if constexpr (Arithmetic<std::remove_cvref_t<A>> && Arithmetic<std::remove_cvref_t<B>>) {
    expect_range(whole_number(low), whole_number(high), dtype_of<T>, whole_number(std::numeric_limits<T>::min()),
                 whole_number(std::numeric_limits<T>::max()));
    return astype<T>(scaled_word(w, static_cast<W>(high) - static_cast<W>(low)) + static_cast<W>(low));
  } else {
    auto const a = parameter<std::int64_t>("random::randint", static_cast<A&&>(low), shape);
    auto const b = parameter<std::int64_t>("random::randint", static_cast<B&&>(high), shape);
    auto const count = where(b > a, parameter<W>(b) - parameter<W>(a), W(0));
    return astype<T>(astype<std::int64_t>(scaled_word(w, count)) + a);
  }
}

// Conditions that are true with probability p, a number or a tensor that is broadcast to the shape. A value_error where
// a number is not within 0 and 1; of tensors the result is true where p is above 1, and false where it is below 0 or
// NaN.
template <Key K, class P, ShapeArgument S>
requires operands<P>
constexpr auto bernoulli(K const& from, P&& p, S const& shape) {
  using X = std::remove_cvref_t<P>;
  if constexpr (Arithmetic<X>) {
    double const number = scalar::convert<double>(p);
    if (!(number >= 0 && number <= 1))
      core::raise<value_error>(core::text() << "random::bernoulli: p is "
                                            << (number > 1   ? "above 1"
                                                : number < 0 ? "below 0"
                                                             : "NaN")
                                            << ", and has to be within 0 and 1");
    return uniform<double>(from, shape) < number;
  } else if constexpr (TensorOf<X, float>) {
    return uniform<float>(from, shape) < parameter<float>("random::bernoulli", static_cast<P&&>(p), shape);
  } else {
    return uniform<double>(from, shape) < parameter<double>("random::bernoulli", static_cast<P&&>(p), shape);
  }
}

}  // namespace ricci::random
RICCI_OPTIMIZED_END
