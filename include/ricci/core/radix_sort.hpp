// Sorting by digits: elements as integers without a sign whose order is theirs (`key_of`), a byte at a time, from the
// last one on. Stable, and without comparisons; bytes that all keys share cost nothing.
#pragma once

#include <ricci/core/any_element.hpp>
#include <ricci/core/scalar.hpp>

RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

template <class T>
using key_t = typename word_of<int(sizeof(T))>::type;

// All bits where a comparison holds, which is a bool or lanes of ones and zeros.
template <class Bits, class Condition>
RICCI_INLINE RICCI_HD Bits ones_where(Condition c) {
  if constexpr (std::is_same_v<Condition, bool>)
    return static_cast<Bits>(-Bits(c));
  else
    return reinterpret_cast<Bits>(c);
}
// The bits of numbers of type T as keys, and back: of one number or of a vector of them. -0 stands before 0, and all
// NaNs are one, behind every number. Without branches, which signs would make unforeseeable.
template <class T, class Bits>
RICCI_INLINE RICCI_HD Bits keys_of_bits(Bits bits) {
  using K = key_t<T>;
  [[maybe_unused]] constexpr int last = 8 * int(sizeof(T)) - 1;
  constexpr K top = static_cast<K>(K(1) << last), rest = static_cast<K>(~top);
  if constexpr (is_floating(dtype_of<T>)) {
    K const infinity = __builtin_bit_cast(K, T(__builtin_inf()));
    Bits const magnitude = static_cast<Bits>(bits & rest), negative = static_cast<Bits>(-(bits >> last));
    return static_cast<Bits>((bits ^ (negative | top)) | ones_where<Bits>(magnitude > infinity));
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Bits>(bits ^ top);
  } else {
    return bits;
  }
}
template <class T, class Bits>
RICCI_INLINE Bits bits_of_keys(Bits keys) {
  using K = key_t<T>;
  [[maybe_unused]] constexpr int last = 8 * int(sizeof(T)) - 1;
  constexpr K top = static_cast<K>(K(1) << last), one = 1;
  if constexpr (is_floating(dtype_of<T>))
    return static_cast<Bits>(keys ^ (static_cast<Bits>((keys >> last) - one) | top));
  else if constexpr (std::is_signed_v<T>)
    return static_cast<Bits>(keys ^ top);
  else
    return keys;
}
// The same where -0 and 0 are equal, in ascending or descending order.
template <bool Descending, class T, class Bits>
RICCI_INLINE RICCI_HD Bits ordered_keys(Bits bits) {
  using K = key_t<T>;
  Bits keys = keys_of_bits<T>(bits);
  if constexpr (is_floating(dtype_of<T>)) {
    constexpr K of_minus_zero = static_cast<K>(K(~K(0)) >> 1);
    keys = static_cast<Bits>(keys - ones_where<Bits>(keys == of_minus_zero));
  }
  return Descending ? static_cast<Bits>(~keys) : keys;
}

template <class T>
RICCI_INLINE RICCI_HD key_t<T> key_of(T x) {
  return keys_of_bits<T>(__builtin_bit_cast(key_t<T>, x));
}
template <class T>
RICCI_INLINE T of_key(key_t<T> key) {
  if constexpr (std::is_same_v<T, bool>)
    return key != 0;
  else
    return __builtin_bit_cast(T, bits_of_keys<T>(key));
}
template <bool Descending, class T>
RICCI_INLINE RICCI_HD key_t<T> key_in_order(T x) {
  return ordered_keys<Descending, T>(__builtin_bit_cast(key_t<T>, x));
}

// A key and where its element stood.
template <class Key, class Place = index_t>
struct placed_key {
  Key key;
  Place at;
};
template <class Key>
RICCI_INLINE Key const& key_in(Key const& k) {
  return k;
}
template <class Key, class Place>
RICCI_INLINE Key const& key_in(placed_key<Key, Place> const& k) {
  return k.key;
}

// The n entries at a in the order of their keys. Sorted in place, or between a and b, which has the same size: where
// they are in the end, a or b, is returned.
template <class Entry>
Entry* radix_sort(Entry* a, Entry* b, index_t n) {
  using Key = std::remove_cvref_t<decltype(key_in(*a))>;
  if (n <= 64) {
    for (index_t i = 1; i < n; ++i) {
      Entry const x = a[i];
      index_t k = i;
      for (; k > 0 && key_in(x) < key_in(a[k - 1]); --k) a[k] = a[k - 1];
      a[k] = x;
    }
    return a;
  }
  constexpr int digits = int(sizeof(Key));
  index_t counts[digits][256]{};
  for (index_t i = 0; i < n; ++i) {
    Key const key = key_in(a[i]);
    for (int d = 0; d < digits; ++d) ++counts[d][std::uint8_t(key >> 8 * d)];
  }
  for (int d = 0; d < digits; ++d) {
    index_t* const count = counts[d];
    if (count[std::uint8_t(key_in(a[0]) >> 8 * d)] == n) continue;
    index_t before = 0;
    for (int k = 0; k < 256; ++k) {
      index_t const own = count[k];
      count[k] = before;
      before += own;
    }
    for (index_t i = 0; i < n; ++i) b[count[std::uint8_t(key_in(a[i]) >> 8 * d)]++] = a[i];
    Entry* const sorted = b;
    b = a, a = sorted;
  }
  return a;
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
