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

// -0 stands before 0, and all NaNs are one, behind every number.
template <class T>
RICCI_INLINE RICCI_HD key_t<T> key_of(T x) {
  using K = key_t<T>;
  [[maybe_unused]] constexpr int last = 8 * int(sizeof(T)) - 1;
  constexpr K top = static_cast<K>(K(1) << last), rest = static_cast<K>(~top);
  auto const bits = __builtin_bit_cast(K, x);
  if constexpr (is_floating(dtype_of<T>)) {
    auto const infinity = __builtin_bit_cast(K, T(__builtin_inf()));
    // without branches, which signs would make unforeseeable
    K const ones_if_negative = static_cast<K>(-K(bits >> last)),
            ones_if_nan = static_cast<K>(-K((bits & rest) > infinity));
    return static_cast<K>((bits ^ (ones_if_negative | top)) | ones_if_nan);
  } else {
    return std::is_signed_v<T> ? static_cast<K>(bits ^ top) : bits;
  }
}
template <class T>
RICCI_INLINE T of_key(key_t<T> key) {
  using K = key_t<T>;
  [[maybe_unused]] constexpr int last = 8 * int(sizeof(T)) - 1;
  constexpr K top = static_cast<K>(K(1) << last);
  if constexpr (std::is_same_v<T, bool>)
    return key != 0;
  else if constexpr (is_floating(dtype_of<T>))
    return __builtin_bit_cast(T, static_cast<K>(key ^ (static_cast<K>((key >> last) - 1) | top)));
  else
    return static_cast<T>(std::is_signed_v<T> ? key ^ top : key);
}

// The same where -0 and 0 are equal, in ascending or descending order.
template <bool Descending, class T>
RICCI_INLINE RICCI_HD key_t<T> key_in_order(T x) {
  using K = key_t<T>;
  K key = key_of(x);
  if constexpr (is_floating(dtype_of<T>)) key = static_cast<K>(key + (key == K(K(~K(0)) >> 1)));
  return Descending ? static_cast<K>(~key) : key;
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
