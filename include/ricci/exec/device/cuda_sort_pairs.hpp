// Keys and places, sorted stably by the lowest bits of the keys: by CUB; where a runtime stands in for CUDA's, by one
// thread.
#pragma once

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#endif

#include <ricci/exec/device/memory.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

inline constexpr index_t most_sorted_pairs = (index_t(1) << 31) - 1;
// how many bits the numbers below n have
constexpr int bits_below(index_t n) {
  int bits = 1;
  while (bits < 63 && index_t(1) << bits < n) ++bits;
  return bits;
}

// Room for n keys and places, and for those that are sorted.
template <class Key>
class pairs_to_sort {
 public:
  pairs_to_sort(index_t n, int device) : n_(n), device_(device), keys_(2 * n, device), places_(2 * n, device) {}
  Key* keys() const { return keys_.data() + from_; }
  std::uint32_t* places() const { return places_.data() + from_; }
  void sort(int bits);

 private:
  index_t n_, from_ = 0;
  int device_;
  device_array<Key> keys_;
  device_array<std::uint32_t> places_;
};

#if defined(__CUDACC__)
template <class Key>
void pairs_to_sort<Key>::sort(int bits) {
  index_t const to = n_ - from_;
  cub::DoubleBuffer<Key> keys(keys_.data() + from_, keys_.data() + to);
  cub::DoubleBuffer<std::uint32_t> places(places_.data() + from_, places_.data() + to);
  device_backend::use_device(device_);
  std::size_t bytes = 0;
  RICCI_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, places, static_cast<int>(n_), 0, bits,
                                             device_backend::stream(device_)));
  device_array<char> const room(index_t(bytes), device_);
  RICCI_CUDA(cub::DeviceRadixSort::SortPairs(room.data(), bytes, keys, places, static_cast<int>(n_), 0, bits,
                                             device_backend::stream(device_)));
  from_ = keys.Current() - keys_.data();
  // (both change places together)
}
#else
template <class Key>
struct sort_by_one_thread {
  Key *keys, *sorted_keys;
  std::uint32_t *places, *sorted_places;
  index_t n;
  int shift;
  void operator()(index_t) const {
    index_t before[256]{};
    for (index_t i = 0; i < n; ++i)
      if (int const digit = int(keys[i] >> shift & 255); digit < 255) ++before[digit + 1];
    for (int k = 1; k < 256; ++k) before[k] += before[k - 1];
    for (index_t i = 0; i < n; ++i) {
      index_t const to = before[keys[i] >> shift & 255]++;
      sorted_keys[to] = keys[i], sorted_places[to] = places[i];
    }
  }
};
template <class Key>
void pairs_to_sort<Key>::sort(int bits) {
  for (int shift = 0; shift < bits; shift += 8) {
    index_t const to = n_ - from_;
    device_backend::for_each_index(device_, 1,
                                   sort_by_one_thread<Key>{keys_.data() + from_, keys_.data() + to,
                                                           places_.data() + from_, places_.data() + to, n_, shift});
    from_ = to;
  }
}
#endif

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
