// Sorting under CUDA. Rows that a block's memory holds are sorted there, each by as many threads as it has pairs
// (bitonic: K. Batcher, Sorting networks and their applications, 1968), several in a block where they are short; longer
// ones by the digits of their keys, many together: by key, and then by row. Both sort places along with the keys, so
// equal elements keep their order, and what is written is what was read.
#pragma once

#include <ricci/core/radix_sort.hpp>
#include <ricci/exec/device/cuda_folds.hpp>
#include <ricci/exec/device/cuda_sort_pairs.hpp>

namespace ricci {
struct argsort_t;
struct sort_t;
struct top_k_places_t;

namespace exec {
inline namespace RICCI_DEVICE_LOOPS {

// Rows of T and what is written of each: the first `kept` elements in their order, or their places.
template <class T, int Slots, int Scalars, bool Places>
struct rows_to_sort {
  using key = core::key_t<T>;
  using R = std::conditional_t<Places, std::int64_t, T>;
  device_step<Slots, Scalars> s;
  int batch;
  index_t rows, length, kept;
  bool descending;

  __device__ T element(index_t row, index_t k) const {
    return *reinterpret_cast<T const*>(s.at(row, 0, batch).to[0] + k * s.stride[batch][0]);
  }
  __device__ key key_of(T x) const {
    key const k = core::key_in_order<false, T>(x);
    return descending ? static_cast<key>(~k) : k;
  }
  __device__ void write(index_t row, index_t k, R r) const {
    *reinterpret_cast<R*>(s.at(row, 0, batch).to[Slots - 1] + k * s.stride[batch][Slots - 1]) = r;
  }
};

// ---- short rows ----

// A key and a place, which together are in one order only.
template <class Key, bool Small = sizeof(Key) <= 4>
struct sort_entry {
  std::uint64_t both;
  RICCI_HD static sort_entry of(Key key, std::uint32_t place) { return {std::uint64_t(key) << 32 | place}; }
  RICCI_HD static sort_entry last() { return {~std::uint64_t(0)}; }
  RICCI_HD std::uint32_t place() const { return static_cast<std::uint32_t>(both); }
  RICCI_HD bool is_behind(sort_entry const& other) const { return both > other.both; }
};
template <class Key>
struct sort_entry<Key, false> {
  Key key;
  std::uint32_t at;
  RICCI_HD static sort_entry of(Key key, std::uint32_t place) { return {key, place}; }
  RICCI_HD static sort_entry last() { return {~Key(0), ~std::uint32_t(0)}; }
  RICCI_HD std::uint32_t place() const { return at; }
  RICCI_HD bool is_behind(sort_entry const& other) const {
    return key > other.key || (key == other.key && at > other.at);
  }
};
template <class T>
inline constexpr int longest_short_row = sizeof(T) <= 4 ? 2048 : 1024;

template <class T, int Slots, int Scalars, bool Places>
struct sort_short_rows {
  using rows_type = rows_to_sort<T, Slots, Scalars, Places>;
  using entry = sort_entry<typename rows_type::key>;
  static constexpr int threads = 256, most = longest_short_row<T>;
  static constexpr int entry_bytes = most * int(sizeof(entry));
  static constexpr int shared_bytes = entry_bytes + (Places ? 0 : most * int(sizeof(T)));
  static_assert(shared_bytes <= 48 * 1024);
  rows_type r;
  int room, rows;  // of a row, and of rows in a block: powers of two

  __device__ void operator()(index_t block, int thread, char* memory) const {
    auto* const entries = reinterpret_cast<entry*>(memory);
    [[maybe_unused]] auto* const elements = reinterpret_cast<T*>(memory + entry_bytes);
    int const all = room * rows;
    index_t const first = block * rows;
    for (int i = thread; i < all; i += threads) {
      int const k = i & (room - 1);
      index_t const row = first + i / room;
      entries[i] = entry::last();
      if (row >= r.rows || k >= r.length) continue;
      T const x = r.element(row, k);
      entries[i] = entry::of(r.key_of(x), static_cast<std::uint32_t>(k));
      if constexpr (!Places) elements[i] = x;
    }
    for (int size = 2; size <= room; size *= 2)
      for (int distance = size / 2; distance > 0; distance /= 2) {
        __syncthreads();
        for (int i = thread; i < all / 2; i += threads) {
          int const low = 2 * i - (i & (distance - 1));
          bool const up = (low & (room - 1) & size) == 0;
          entry const a = entries[low], b = entries[low + distance];
          if (a.is_behind(b) == up) entries[low] = b, entries[low + distance] = a;
        }
      }
    __syncthreads();
    for (int i = thread; i < all; i += threads) {
      int const k = i & (room - 1);
      index_t const row = first + i / room;
      if (row >= r.rows || k >= r.kept) continue;
      std::uint32_t const place = entries[i].place();
      if constexpr (Places)
        r.write(row, k, std::int64_t(place));
      else
        r.write(row, k, elements[i - k + int(place)]);
    }
  }
};

// ---- long rows ----

template <class T, int Slots, int Scalars, bool Places, class Key>
struct keys_of_rows {
  rows_to_sort<T, Slots, Scalars, Places> r;
  index_t first;  // row
  Key* keys;
  std::uint32_t* places;
  T* elements;
  __device__ void operator()(index_t i) const {
    index_t const row = i / r.length, k = i - row * r.length;
    T const x = r.element(first + row, k);
    keys[i] = r.key_of(x);
    places[i] = static_cast<std::uint32_t>(i);
    if constexpr (!Places) elements[i] = x;
  }
};
template <class Key>
struct rows_of_places {
  std::uint32_t const* from;
  index_t length;
  Key* keys;
  std::uint32_t* places;
  __device__ void operator()(index_t i) const {
    places[i] = from[i];
    keys[i] = static_cast<Key>(from[i] / length);
  }
};
template <class T, int Slots, int Scalars, bool Places>
struct write_sorted {
  rows_to_sort<T, Slots, Scalars, Places> r;
  index_t first;
  std::uint32_t const* places;
  T const* elements;
  __device__ void operator()(index_t i) const {
    index_t const row = i / r.kept, k = i - row * r.kept;
    std::uint32_t const place = places[row * r.length + k];
    if constexpr (Places)
      r.write(first + row, k, std::int64_t(place) - row * r.length);
    else
      r.write(first + row, k, elements[place]);
  }
};

template <class T, int Slots, int Scalars, bool Places>
void sort_long_rows(rows_to_sort<T, Slots, Scalars, Places> const& r, int device) {
  using key = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
  constexpr index_t together = index_t(1) << 27, by_itself = index_t(1) << 20;
  index_t const most = r.length >= by_itself ? 1 : together / r.length;
  for (index_t first = 0; first < r.rows; first += most) {
    index_t const rows = r.rows - first < most ? r.rows - first : most, n = rows * r.length;
    pairs_to_sort<key> by_key(n, device);
    auto const elements = Places ? device_array<T>() : device_array<T>(n, device);
    T* const copied = Places ? nullptr : elements.data();
    device_backend::for_each_index(
        device, n, keys_of_rows<T, Slots, Scalars, Places, key>{r, first, by_key.keys(), by_key.places(), copied});
    by_key.sort(8 * int(sizeof(T)));
    auto const write = [&](std::uint32_t const* places) {
      device_backend::for_each_index(device, rows * r.kept,
                                     write_sorted<T, Slots, Scalars, Places>{r, first, places, copied});
    };
    if (rows == 1) {
      write(by_key.places());
      continue;
    }
    pairs_to_sort<std::uint32_t> by_row(n, device);
    device_backend::for_each_index(
        device, n, rows_of_places<std::uint32_t>{by_key.places(), r.length, by_row.keys(), by_row.places()});
    by_row.sort(bits_below(rows));
    write(by_row.places());
  }
}
// False where rows are so long that places have more than 31 bits.
template <class T, int Slots, int Scalars, bool Places>
bool sort_rows(rows_to_sort<T, Slots, Scalars, Places> const& r, int device) {
  if (r.rows == 0 || r.kept == 0) return true;
  if (r.length > most_sorted_pairs) return false;
  using short_rows = sort_short_rows<T, Slots, Scalars, Places>;
  if (r.length > short_rows::most) return sort_long_rows(r, device), true;
  int const room = power_of_two(r.length > 2 ? r.length : 2, short_rows::most);
  int const rows = power_of_two((r.rows + 1023) / 1024, short_rows::most / room);
  device_backend::for_each_block(device, (r.rows + rows - 1) / rows, short_rows{r, room, rows});
  return true;
}

template <class Op, class T>
struct sort_routine {
  static constexpr bool places = std::is_same_v<Op, argsort_t>;
  static void run(device_geometry& g, device_call const& c) {
    index_t const n = g.extent[g.kept];
    rows_to_sort<T, 2, 1, places> const r{passed<2, 1>(g, c),       g.kept, product_of(g, 0, g.kept), n, n,
                                          g.scalars[0].integer != 0};
    if (!sort_rows(r, c.device)) one_core_for_an_index<Op, T>::run(g, c);
  }
};
template <class T>
struct device_routine<argsort_t, T> : sort_routine<argsort_t, T> {};
template <class T>
struct device_routine<sort_t, T> : sort_routine<sort_t, T> {};
// the first elements in descending order
template <class T>
struct device_routine<top_k_places_t, T> {
  static void run(device_geometry& g, device_call const& c) {
    rows_to_sort<T, 3, 0, true> const r{passed<3, 0>(g, c),   g.kept, product_of(g, 0, g.kept), g.extent[g.kept],
                                        g.extent[g.kept + 1], true};
    if (!sort_rows(r, c.device)) one_core_for_an_index<top_k_places_t, T>::run(g, c);
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace exec
}  // namespace ricci
