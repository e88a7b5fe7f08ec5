// Up to 16 vectors of keys sorted in registers. They are columns, a lane of all vectors each: columns are sorted by
// Batcher's odd-even merging, two of them are then merged bitonically to one, four, and so on (K. E. Batcher, Sorting
// networks and their applications, 1968); vectors are transposed where they are stored.
#pragma once

#include <utility>

#include <ricci/core/key_lanes.hpp>

#if RICCI_KEY_LANES_BYTES != 0
RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

inline constexpr int network_rows = 16;

// The pairs of rows that odd-even merging compares, in its order.
struct row_pairs {
  int count = 0;
  signed char first[64]{}, second[64]{};
  constexpr row_pairs() {
    for (int p = 1; p < network_rows; p *= 2)
      for (int k = p; k >= 1; k /= 2)
        for (int j = k % p; j + k < network_rows; j += 2 * k)
          for (int i = 0; i < k && i + j + k < network_rows; ++i)
            if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) {
              first[count] = static_cast<signed char>(i + j);
              second[count++] = static_cast<signed char>(i + j + k);
            }
  }
};
inline constexpr row_pairs merged_rows{};

template <class Key>
struct key_network {
  using lanes = key_lanes<Key>;
  using vec = typename lanes::type;
  static constexpr int width = lanes::size;
  // keys that it sorts
  static constexpr int most = network_rows * width;
  using rows = std::make_integer_sequence<int, network_rows>;
  using half_rows = std::make_integer_sequence<int, network_rows / 2>;
  using all_lanes = std::make_integer_sequence<int, width>;

  RICCI_INLINE static void exchange(vec& a, vec& b) {
    vec const low = lanes::least(a, b);
    b = lanes::greatest(a, b);
    a = low;
  }
  template <int... P>
  RICCI_INLINE static void sort_columns(vec* v, std::integer_sequence<int, P...>) {
    (exchange(v[merged_rows.first[P]], v[merged_rows.second[P]]), ...);
  }
  // rows of a bitonic column: at distances of 8, 4, 2, 1
  template <int Distance, int... P>
  RICCI_INLINE static void merge_rows(vec* v, std::integer_sequence<int, P...> pairs) {
    (exchange(v[P / Distance * 2 * Distance + P % Distance], v[P / Distance * 2 * Distance + P % Distance + Distance]),
     ...);
    if constexpr (Distance > 1) merge_rows<Distance / 2>(v, pairs);
  }
  // lanes whose number with `Bits` exchanged is another lane's: those without `Top` have the least of both
  template <int Bits, int... L>
  RICCI_INLINE static vec exchanged_lanes(vec v, std::integer_sequence<int, L...>) {
    return __builtin_shufflevector(v, v, (L ^ Bits)...);
  }
  template <int Top, int... L>
  RICCI_INLINE static vec chosen(vec without, vec with, std::integer_sequence<int, L...>) {
    return __builtin_shufflevector(without, with, (L & Top ? L + width : L)...);
  }
  // The first step of merging two sorted runs of Columns columns: each key with its mirror image in the other run.
  template <int Columns>
  RICCI_INLINE static void mirror(vec& a, vec& b) {
    vec const other = exchanged_lanes<2 * Columns - 1>(b, all_lanes{});
    vec const low = lanes::least(a, other), high = lanes::greatest(a, other);
    a = chosen<Columns>(low, high, all_lanes{});
    b = exchanged_lanes<2 * Columns - 1>(chosen<Columns>(high, low, all_lanes{}), all_lanes{});
  }
  // the steps within a run between columns
  template <int Columns>
  RICCI_INLINE static void merge_lanes(vec& a) {
    if constexpr (Columns > 0) {
      vec const other = exchanged_lanes<Columns>(a, all_lanes{});
      a = chosen<Columns>(lanes::least(a, other), lanes::greatest(a, other), all_lanes{});
      merge_lanes<Columns / 2>(a);
    }
  }
  template <int Columns, int... R, int... H>
  RICCI_INLINE static void merge_columns(vec* v, std::integer_sequence<int, R...>, std::integer_sequence<int, H...>) {
    (mirror<Columns>(v[H], v[network_rows - 1 - H]), ...);
    (merge_lanes<Columns / 2>(v[R]), ...);
    merge_rows<network_rows / 2>(v, half_rows{});
  }
  template <int Columns, int Wanted>
  RICCI_INLINE static void merge_all(vec* v) {
    if constexpr (Columns < Wanted) {
      merge_columns<Columns>(v, rows{}, half_rows{});
      merge_all<2 * Columns, Wanted>(v);
    }
  }

  // Rows first + k and first + k + Distance exchange the blocks beside the diagonal: of `width` rows a transpose.
  template <int Distance, int... L>
  RICCI_INLINE static void exchange_blocks(vec& a, vec& b, std::integer_sequence<int, L...>) {
    vec const x = a, y = b;
    a = __builtin_shufflevector(x, y, (L & Distance ? L - Distance + width : L)...);
    b = __builtin_shufflevector(x, y, (L & Distance ? L + width : L + Distance)...);
  }
  template <int Distance, int... P>
  RICCI_INLINE static void transpose(vec* v, std::integer_sequence<int, P...> pairs) {
    (exchange_blocks<Distance>(v[P / Distance * 2 * Distance + P % Distance],
                               v[P / Distance * 2 * Distance + P % Distance + Distance], all_lanes{}),
     ...);
    if constexpr (Distance > 1) transpose<Distance / 2>(v, pairs);
  }

  template <int Columns, int... R>
  RICCI_INLINE static void load(vec* v, Key const* a, std::integer_sequence<int, R...>) {
    ((v[R] = lanes::load(a + R * Columns)), ...);
  }
  // blocks of `width` rows have been transposed: column c is in row c % width of each
  template <int Columns, int... R>
  RICCI_INLINE static void store(vec const* v, Key* a, std::integer_sequence<int, R...>) {
    ((R % width < Columns ? lanes::store(a + R % width * network_rows + R / width * width, v[R]) : void()), ...);
  }
  // The first network_rows * Columns keys of a, which has room for a vector behind them; Columns: a power of two.
  template <int Columns>
  RICCI_NOINLINE static void sort_in_columns(Key* a) {
    vec v[network_rows];
    load<Columns>(v, a, rows{});
    sort_columns(v, std::make_integer_sequence<int, merged_rows.count>{});
    merge_all<1, Columns>(v);
    transpose<width / 2>(v, half_rows{});
    store<Columns>(v, a, rows{});
  }
  template <int Columns>
  RICCI_INLINE static void sort_by_size(Key* a, index_t n) {
    if constexpr (Columns == width)
      return sort_in_columns<width>(a);
    else if (n <= network_rows * Columns)
      sort_in_columns<Columns>(a);
    else
      sort_by_size<2 * Columns>(a, n);
  }

  // Sorts the n keys at a, at most `most`, behind which there is room for `room` in all.
  static constexpr int room = most + width;
  static void sort(Key* a, index_t n) {
    index_t columns = 1;
    while (network_rows * columns < n) columns *= 2;
    for (index_t k = n; k < network_rows * columns + width; ++k) a[k] = static_cast<Key>(~Key(0));
    sort_by_size<1>(a, n);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
#endif
