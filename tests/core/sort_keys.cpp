// Keys in ascending order, with vectors of keys and without.
#include <ricci/core/sort_keys.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace core = ricci::core;
using ricci::index_t;

namespace {

// keys of several kinds: any, few different ones, ascending, descending, only the least and the greatest
template <class Key>
std::vector<Key> keys_of_kind(int kind, index_t n, std::mt19937_64& random) {
  std::vector<Key> keys(static_cast<std::size_t>(n));
  index_t k = 0;
  for (Key& key : keys) {
    std::uint64_t const any = random();
    key = kind == 0   ? static_cast<Key>(any)
          : kind == 1 ? static_cast<Key>(any % 7)
          : kind == 2 ? static_cast<Key>(k)
          : kind == 3 ? static_cast<Key>(n - k)
                      : static_cast<Key>(any % 2 ? ~Key(0) : Key(0));
    ++k;
  }
  return keys;
}
// how many of these sizes and kinds are not sorted as std::sort sorts them
template <class Key>
int wrongly_sorted(std::vector<index_t> const& sizes) {
  std::mt19937_64 random(5);
  int wrong = 0;
  for (index_t const n : sizes)
    for (int kind = 0; kind < 5; ++kind) {
      std::vector<Key> keys = keys_of_kind<Key>(kind, n, random), beside(keys.size()), right = keys;
      std::sort(right.begin(), right.end());
      Key const* const sorted = core::sort_keys(keys.data(), beside.data(), n);
      wrong += !std::equal(right.begin(), right.end(), sorted);
    }
  return wrong;
}

}  // namespace

TEST_CASE_TEMPLATE("keys are sorted as std::sort sorts them", Key, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  std::vector<index_t> sizes{1000, 5000, 40000};
  for (index_t n = 0; n < 300; ++n) sizes.push_back(n);
  CHECK(wrongly_sorted<Key>(sizes) == 0);
}

#if RICCI_KEY_LANES_BYTES != 0
TEST_CASE("rows that odd-even merging sorts") {
  // whatever sorts all rows of zeros and ones sorts all rows (the zero-one principle)
  int wrong = 0;
  for (unsigned row = 0; row < 1u << core::network_rows; ++row) {
    unsigned bits = row;
    for (int p = 0; p < core::merged_rows.count; ++p) {
      unsigned const a = unsigned(core::merged_rows.first[p]), b = unsigned(core::merged_rows.second[p]);
      if ((bits >> a & 1) > (bits >> b & 1)) bits ^= 1u << a | 1u << b;
    }
    unsigned const zeros = core::network_rows - unsigned(__builtin_popcount(row));
    wrong += bits != (~0u << zeros & ((1u << core::network_rows) - 1));
  }
  CHECK(core::merged_rows.count == 63);
  CHECK(wrong == 0);
}

TEST_CASE("where divisions bring little, digits sort") {
  std::mt19937_64 random(7);
  std::vector<std::uint32_t> keys = keys_of_kind<std::uint32_t>(0, 10000, random), beside(keys.size()), right = keys;
  std::sort(right.begin(), right.end());
  core::key_partition<std::uint32_t>::sort(keys.data(), beside.data(), 10000, 2);
  CHECK(keys == right);
}
#endif
