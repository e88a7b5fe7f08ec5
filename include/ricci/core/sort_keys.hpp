// Keys sorted: where there are vectors of them by quicksort, whose partitions compress vectors (S. Gueron and V.
// Krasnov, Fast quicksort implementation using AVX instructions, 2016), with a network for what fits into registers;
// else by digits.
#pragma once

#include <ricci/core/key_network.hpp>
#include <ricci/core/radix_sort.hpp>

RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

#if RICCI_KEY_LANES_BYTES != 0
template <class Key>
struct key_partition {
  using lanes = key_lanes<Key>;
  using network = key_network<Key>;
  using vec = typename lanes::type;
  static constexpr int width = lanes::size, at_once = 4;

  // Where the next keys go: those that are at most the pivot, and the others. A vector is stored whole, over what has
  // been read or is written next.
  Key *low, *high;
  vec pivot;

  RICCI_INLINE void put(vec v) {
    typename lanes::lane_set const set = lanes::are_at_most(v, pivot);
    int const n = __builtin_popcount(set);
    lanes::store(low, lanes::compressed(v, set));
    lanes::store(high, lanes::compressed(v, ~set & lanes::all));
    low += n, high += width - n;
  }
  // Those of the n keys at a that are at most p are moved to its front, the others to b; how many they are.
  RICCI_NOINLINE static index_t run(Key* a, Key* b, index_t n, Key p) {
    key_partition s{a, b, lanes::spread(p)};
    index_t k = 0;
    for (; k + at_once * width <= n; k += at_once * width) {
      vec const v[at_once] = {lanes::load(a + k), lanes::load(a + k + width), lanes::load(a + k + 2 * width),
                              lanes::load(a + k + 3 * width)};
      s.put(v[0]), s.put(v[1]), s.put(v[2]), s.put(v[3]);
    }
    for (; k + width <= n; k += width) s.put(lanes::load(a + k));
    for (; k < n; ++k) {
      Key const x = a[k];
      bool const is_low = x <= p;
      *s.low = x, *s.high = x;
      s.low += is_low, s.high += !is_low;
    }
    return s.low - a;
  }
  // The middle one of a sample of n keys.
  static Key middle(Key const* a, index_t n) {
    constexpr int count = 32;
    Key sample[count];
    std::uint64_t state = 0x9e3779b97f4a7c15 + std::uint64_t(n);
    index_t const step = n / count < (index_t(1) << 31) ? n / count : index_t(1) << 31;
    for (int k = 0; k < count; ++k) {  // one of each stretch, at a place that data do not foresee
      state = state * 6364136223846793005u + 1442695040888963407u;
      sample[k] = a[k * step + index_t((state >> 32) * std::uint64_t(step) >> 32)];
    }
    network::sort(sample, count, sample);
    return sample[count / 2];
  }
  // Divides n keys: those behind the first `low` are greater and still in b, or, if none is, in their places at a.
  struct division {
    index_t low;
    bool is_done;
  };
  static division divide(Key* a, Key* b, index_t n) {
    Key const p = middle(a, n);
    index_t const at_most = run(a, b, n, p);
    if (at_most < n) return {at_most, false};
    index_t const less = p == 0 ? 0 : run(a, b, n, static_cast<Key>(p - 1));
    for (index_t k = less; k < n; ++k) a[k] = p;
    return {less, true};
  }

  static void sort(Key* a, Key* b, index_t n, int most_divisions) {
    while (n > network::most) {
      if (most_divisions-- == 0) {  // an adversary's: by digits
        Key* const sorted = radix_sort(a, b, n);
        if (sorted != a) __builtin_memcpy(a, sorted, std::size_t(n) * sizeof(Key));
        return;
      }
      division const d = divide(a, b, n);
      if (!d.is_done) {
        index_t const rest = n - d.low;
        if (rest <= network::most) {
          network::sort(b, rest, a + d.low);
        } else {
          __builtin_memcpy(a + d.low, b, std::size_t(rest) * sizeof(Key));
          sort(a + d.low, b, rest, most_divisions);
        }
      }
      n = d.low;
    }
    network::sort(a, n, a);
  }
};
#endif

// f of n words, from one array to another: of vectors of them where there are any, as compilers make none of such loops
// at -O2.
template <class K, class F>
RICCI_INLINE void map_words(K const* from, index_t n, K* to, F const& f) {
  index_t k = 0;
#if RICCI_KEY_LANES_BYTES != 0
  if constexpr (has_key_lanes<K>) {
    using lanes = key_lanes<K>;
    for (; k + lanes::size <= n; k += lanes::size) lanes::store(to + k, f(lanes::load(from + k)));
  }
#endif
  for (; k < n; ++k) to[k] = f(from[k]);
}
// The keys of n numbers in one of both orders (key_in_order), and the numbers of keys.
template <bool Descending, class T>
void write_keys(T const* x, index_t n, key_t<T>* keys) {
  map_words(reinterpret_cast<key_t<T> const*>(x), n, keys, [](auto bits) { return ordered_keys<Descending, T>(bits); });
}
template <bool Descending, class T>
void write_numbers(key_t<T> const* keys, index_t n, T* x) {
  map_words(keys, n, reinterpret_cast<key_t<T>*>(x),
            [](auto key) { return bits_of_keys<T>(Descending ? static_cast<decltype(key)>(~key) : key); });
}

// The n keys at a in ascending order, in place or in b, which has the same size: where they are in the end, a or b, is
// returned.
template <class Key>
Key* sort_keys(Key* a, Key* b, index_t n) {
#if RICCI_KEY_LANES_BYTES != 0
  if constexpr (has_key_lanes<Key>) {
    int divisions = 16;
    for (index_t k = n; k > 1; k /= 2) divisions += 2;
    key_partition<Key>::sort(a, b, n, divisions);
    return a;
  } else
#endif
    return radix_sort(a, b, n);
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
