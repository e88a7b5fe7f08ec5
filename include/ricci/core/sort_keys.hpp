// Keys sorted: where there are vectors of them by quicksort, which divides vectors by moving lanes (S. Gueron and V.
// Krasnov, Fast quicksort implementation using AVX instructions, 2016), with a network for what fits into registers;
// else by digits.
#pragma once

#include <ricci/core/key_network.hpp>
#include <ricci/core/radix_sort.hpp>

RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

// What makes keys of words, of one or of a vector of them: they are keys themselves.
struct words_as_keys {
  template <class Bits>
  RICCI_INLINE Bits operator()(Bits key) const {
    return key;
  }
  static constexpr bool has_failed() { return false; }
};
// They are numbers (keys_of_bits), or these in one of both orders (ordered_keys).
template <class T>
struct numbers_as_keys : words_as_keys {
  template <class Bits>
  RICCI_INLINE Bits operator()(Bits bits) const {
    return keys_of_bits<T>(bits);
  }
};
template <bool Descending, class T>
struct ordered_numbers_as_keys : words_as_keys {
  template <class Bits>
  RICCI_INLINE Bits operator()(Bits bits) const {
    return ordered_keys<Descending, T>(bits);
  }
};
#if RICCI_KEY_LANES_BYTES != 0
// The latter, which fails where one of them is -0 or NaN.
template <bool Descending, class T>
struct plain_numbers_as_keys {
  using word = key_t<T>;
  using vec = typename key_lanes<word>::type;
  word odd_words = 0;
  vec odd_lanes{};
  RICCI_INLINE word operator()(word bits) { return key(bits, odd_words); }
  RICCI_INLINE vec operator()(vec bits) { return key(bits, odd_lanes); }
  bool has_failed() const {
    word odd = odd_words;
    for (int k = 0; k < key_lanes<word>::size; ++k) odd |= odd_lanes[k];
    return odd != 0;
  }

 private:
  template <class Bits>
  RICCI_INLINE static Bits key(Bits bits, Bits& odd) {
    Bits keys = bits;
    if constexpr (is_floating(dtype_of<T>)) {
      constexpr word minus_zero = word(1) << (8 * sizeof(T) - 1);
      word const infinity = __builtin_bit_cast(word, T(__builtin_inf()));
      Bits const magnitude = bits & static_cast<word>(~minus_zero);
      odd |= ones_where<Bits>(magnitude > infinity) | ones_where<Bits>(bits == minus_zero);
      keys ^= -(bits >> (8 * sizeof(T) - 1)) | minus_zero;
    } else {
      keys = keys_of_bits<T>(bits);
    }
    return Descending ? ~keys : keys;
  }
};
#endif

// A word, which may be a number's.
template <class K>
RICCI_INLINE K word_at(K const* p) {
  K word;
  __builtin_memcpy(&word, p, sizeof(K));
  return word;
}
// f of n words, from one array to another: of vectors of them where there are any, as compilers make none of such loops
// at -O2.
template <class K, class F>
RICCI_INLINE void map_words(K const* from, index_t n, K* to, F&& f) {
  index_t k = 0;
#if RICCI_KEY_LANES_BYTES != 0
  if constexpr (has_key_lanes<K>) {
    using lanes = key_lanes<K>;
    for (; k + lanes::size <= n; k += lanes::size) lanes::store(to + k, f(lanes::load(from + k)));
  }
#endif
  for (; k < n; ++k) {
    K const word = f(word_at(from + k));
    __builtin_memcpy(to + k, &word, sizeof(K));
  }
}
// The numbers of keys in one of both orders.
template <bool Descending, class T>
void write_numbers(key_t<T> const* keys, index_t n, key_t<T>* x) {
  map_words(keys, n, x, [](auto key) { return bits_of_keys<T>(Descending ? static_cast<decltype(key)>(~key) : key); });
}
template <class Key>
void copy_keys(Key const* keys, index_t n, Key* to) {
  __builtin_memcpy(to, keys, std::size_t(n) * sizeof(Key));
}

#if RICCI_KEY_LANES_BYTES != 0
// Keys lie in either of two arrays, where they stand at the same places: what is divided leaves those that are at most
// a pivot where they lie, at the front, and moves the others to the end of the other array, so that what lies beside
// either is free. What is sorted is written to a third one, which may be either of them.
template <class Key>
struct key_partition {
  using lanes = key_lanes<Key>;
  using network = key_network<Key>;
  using vec = typename lanes::type;
  static constexpr int width = lanes::size, at_once = 4;

  // where sorted keys go, and as what
  Key* to;
  void (*write_sorted)(Key const* keys, index_t n, Key* to);

  // Where the next keys go: those that are at most the pivot to `low`, the others before `high`. A vector is stored
  // whole, over what has been read or is written next.
  struct ends {
    Key *low, *high;
    vec pivot;
    RICCI_INLINE void put(vec v) {
      typename lanes::lane_set const set = lanes::are_at_most(v, pivot);
      int const n = __builtin_popcount(set);
      typename lanes::parts const parts = lanes::parted(v, set, n);
      lanes::store(low, parts.first);
      lanes::store(high - width, parts.last);
      low += n, high -= width - n;
    }
  };
  // Of the n keys that `reader` makes of words those that are at most p go to the front of `here`, where the words may
  // lie, the others to the end of n places of `there`. How many the first are.
  template <class Read>
  RICCI_NOINLINE static index_t run(Key const* words, Read& reader, Key* here, Key* there, index_t n, Key p) {
    Read read = reader;
    ends e{here, there + n, lanes::spread(p)};
    index_t k = 0;
    for (; k + at_once * width <= n; k += at_once * width) {
      vec const v[at_once] = {lanes::load(words + k), lanes::load(words + k + width),
                              lanes::load(words + k + 2 * width), lanes::load(words + k + 3 * width)};
      e.put(read(v[0])), e.put(read(v[1])), e.put(read(v[2])), e.put(read(v[3]));
    }
    for (; k + width <= n; k += width) e.put(read(lanes::load(words + k)));
    for (; k < n; ++k) {
      Key const x = read(word_at(words + k));
      bool const is_low = x <= p;
      *e.low = x, e.high[-1] = x;
      e.low += is_low, e.high -= !is_low;
    }
    reader = read;
    return e.low - here;
  }
  // About the middle one of n keys, at least `most`: of a vector of each fifth of them, at a place that data do not
  // foresee, the medians of lanes, of which the median of three medians of three is taken.
  template <class Read>
  static Key middle(Key const* words, Read& read, index_t n) {
    std::uint64_t state = 0x9e3779b97f4a7c15 + std::uint64_t(n);
    index_t const fifth = n / 5, all_places = fifth - width,
                  places = all_places < index_t(1) << 31 ? all_places : index_t(1) << 31;
    auto const some = [&](int k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      index_t const place = index_t((state >> 32) * std::uint64_t(places) >> 32);
      return read(lanes::load(words + k * fifth + place));
    };
    vec const a = some(0), b = some(1), c = some(2), d = some(3), e = some(4);
    vec const v = median(e, lanes::greatest(lanes::least(a, b), lanes::least(c, d)),
                         lanes::least(lanes::greatest(a, b), lanes::greatest(c, d)));
    using all_lanes = typename network::all_lanes;
    return median_of_lanes<1>(median_of_lanes<width / 3>(v, all_lanes{}), all_lanes{})[0];
  }
  RICCI_INLINE static vec median(vec a, vec b, vec c) {
    return lanes::greatest(lanes::least(a, b), lanes::least(lanes::greatest(a, b), c));
  }
  // of each lane and those that follow it at one and two times a distance
  template <int Distance, int... L>
  RICCI_INLINE static vec median_of_lanes(vec v, std::integer_sequence<int, L...>) {
    return median(v, __builtin_shufflevector(v, v, ((L + Distance) % width)...),
                  __builtin_shufflevector(v, v, ((L + 2 * Distance) % width)...));
  }

  // The n keys that `read` makes of words go to place `at` of the target; false, and nothing is written, where it
  // failed.
  template <class Read>
  bool sort_few(Key const* words, Read& read, index_t n, index_t at) const {
    alignas(64) Key keys[network::room];
    map_words(words, n, keys, read);
    if (read.has_failed()) return false;
    network::sort(keys, n);
    write_sorted(keys, n, to + at);
    return true;
  }
  // Of n keys, divided by p, the first at_most of which are not greater, the others go to their places; or, if there
  // are none, all that are p. How many are left, at the front of `here`.
  index_t sort_greater(Key* here, Key* there, index_t n, Key p, index_t at_most, index_t at, int most_divisions) const {
    if (at_most < n) {
      sort(there + at_most, here + at_most, n - at_most, at + at_most, most_divisions);
      return at_most;
    }
    words_as_keys read;
    index_t const less = p == 0 ? 0 : run(here, read, here, there, n, static_cast<Key>(p - 1));
    for (index_t k = less; k < n; ++k) here[k] = p;
    write_sorted(here + less, n - less, to + at + less);
    return less;
  }
  // The n keys that lie `here` go to place `at`.
  void sort(Key* here, Key* there, index_t n, index_t at, int most_divisions) const {
    words_as_keys read;
    while (n > network::most) {
      if (most_divisions-- == 0)  // an adversary's: by digits
        return write_sorted(radix_sort(here, there, n), n, to + at);
      Key const p = middle(here, read, n);
      n = sort_greater(here, there, n, p, run(here, read, here, there, n, p), at, most_divisions);
    }
    sort_few(here, read, n, at);
  }
  // The n keys that `read` makes of words, which may lie at a, sorted between a and b; false, and nothing is written to
  // the target, where it failed.
  template <class Read>
  bool sort_words(Key const* words, Read read, Key* a, Key* b, index_t n) const {
    if (n <= network::most) return sort_few(words, read, n, 0);
    int divisions = 16;
    for (index_t k = n; k > 1; k /= 2) divisions += 2;
    Key const p = middle(words, read, n);
    index_t const at_most = run(words, read, a, b, n, p);
    if (read.has_failed()) return false;
    sort(a, b, sort_greater(a, b, n, p, at_most, 0, divisions), 0, divisions);
    return true;
  }
};
#endif

// The n keys that `read` makes of words in ascending order, between a and b, which have room for n each; the words may
// lie at a. Where they are in the end, a or b, is returned.
template <class Key, class Read>
Key* sort_keys(Key const* words, Read read, Key* a, Key* b, index_t n) {
#if RICCI_KEY_LANES_BYTES != 0
  if constexpr (has_key_lanes<Key>) {
    key_partition<Key>{a, copy_keys<Key>}.sort_words(words, read, a, b, n);
    return a;
  } else
#endif
  {
    map_words(words, n, a, read);
    return radix_sort(a, b, n);
  }
}
// The n numbers at x in one of both orders to y, which may be x, with room for n keys at a and at b. False, and nothing
// is written to y, where there are no vectors of their keys, or where order and bits are two things: a NaN, or -0.
template <bool Descending, class T>
bool sort_numbers([[maybe_unused]] T const* x, [[maybe_unused]] index_t n, [[maybe_unused]] key_t<T>* a,
                  [[maybe_unused]] key_t<T>* b, [[maybe_unused]] T* y) {
#if RICCI_KEY_LANES_BYTES != 0
  if constexpr (has_key_lanes<key_t<T>>)
    return key_partition<key_t<T>>{reinterpret_cast<key_t<T>*>(y), write_numbers<Descending, T>}.sort_words(
        reinterpret_cast<key_t<T> const*>(x), plain_numbers_as_keys<Descending, T>{}, a, b, n);
#endif
  return false;
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
