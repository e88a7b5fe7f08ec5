// Keys, and what is made from them: `split`, `fold_in`, and random bits. A key is a value, and the same key gives the
// same numbers: to have others, split it and use each part once.
//
//   rc::random::key root(42);
//   auto [ka, kb] = rc::random::split(root);
//   auto step_key = rc::random::fold_in(ka, step);
//
// A key of Philox is a tensor of order 0 with 64 bits, one of Threefry, with JAX's streams, a tensor (2,) of 32 bits.
// So traced functions take them as they take any tensor, in records and tuples, too; a batch of keys is a tensor with
// an axis more, for vmap and scan.
#pragma once

#include <array>

#include <ricci/random/words.hpp>
#include <ricci/shape/shape_of.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::random {

// `k.fold(n)` is fold_in(k, n).
using key = tensor<std::uint64_t>;
using threefry_key = tensor<std::uint32_t, 2>;

// The key of jax.random.key(seed).
constexpr threefry_key threefry(std::uint64_t seed) {
  threefry_key k;
  k.data()[0] = std::uint32_t(seed >> 32);
  k.data()[1] = std::uint32_t(seed);
  return k;
}

template <class K>
concept PhiloxKey = TensorOf<K, std::uint64_t> && rank_of<K>
== 0;
template <class K>
concept ThreefryKey = TensorOf<K, std::uint32_t> && rank_of<K>
== 1;
template <class K>
concept Key = PhiloxKey<K> || ThreefryKey<K>;

// Key number n made from a key, elementwise.
struct philox_child_t : elementwise<philox_child_t, 2> {
  static constexpr auto name = "fold_in";
  static constexpr bool takes_integers_alone = true;
  static constexpr std::uint8_t cost = 60;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  static constexpr dtype operand_type(dtype) { return dtype::uint64; }
  template <class A>
  RICCI_FN kernel(A from, A n) {
    return static_cast<A>(philox_child(from, n));
  }
};
inline constexpr philox_child_t make_philox_child{};
struct threefry_child_t : core_call<threefry_child_t> {
  static constexpr auto name = "fold_in";
  static constexpr core_signature core{"(k),()->(k)"};
  template <class T>
  using types = type_list<T, std::uint64_t, T>;
  static constexpr dtype operand_type(dtype) { return dtype::uint32; }
  RICCI_FN run(auto const&, auto const& from, auto const& n, auto const& y) {
    threefry2x32 const b = threefry_block(from(0), from(1), n());
    y(0) = b.word[0];
    y(1) = b.word[1];
  }
};
inline constexpr threefry_child_t make_threefry_child{};

// A key for number n, which may be a tensor or symbol of integers, as the number of an iteration: for Philox of any
// order, and then there is a key for each; for Threefry of order 0 (JAX: jax.random.fold_in). n counts modulo 2^64, for
// Threefry modulo 2^32.
template <Key K, class N>
constexpr auto fold_in(K const& from, N const& n) {
  constexpr bool is_number = Arithmetic<N>;
  using W = value_type_of<K>;
  auto const number = [&] {
    if constexpr (is_number) {
      static_assert(std::is_integral_v<N>, "random::fold_in: the number is an integer");
      return static_cast<W>(n);
    } else {
      static_assert(is_integer(dtype_of<value_type_of<N>>), "random::fold_in: the numbers are integers");
      return astype<W>(n);
    }
  }();
  // a key and a number: no statement is planned for what is one call
  if constexpr (std::is_same_v<K, key> && is_number) {
    return key(philox_child(from.item(), number));
  } else {
    auto const child = [&] {
      if constexpr (PhiloxKey<K>)
        return make_philox_child(from, number);
      else
        return make_threefry_child(from, number);
    }();
    if constexpr (is_symbol<std::remove_cvref_t<decltype(child)>>)
      return child;
    else
      return eval(child);
  }
}

// N keys made from one, as a std::array: `auto [a, b] = split(k)`. Number n of them is fold_in(k, n).
template <int N = 2, Key K>
constexpr auto split(K const& from) {
  static_assert(N > 0, "random::split makes one key or more");
  return [&]<int... I>(std::integer_sequence<int, I...>) { return std::array{fold_in(from, I)...}; }
  (std::make_integer_sequence<int, N>{});
}

}  // namespace ricci::random

namespace ricci {

// what tensor::fold calls
template <class N>
constexpr auto folded_key(tensor<std::uint64_t> const& from, N const& n) {
  return random::fold_in(from, n);
}

}  // namespace ricci
