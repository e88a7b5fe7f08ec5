// Keys in ascending order, with vectors of keys and without.
#include <ricci/core/sort_keys.hpp>

#include <algorithm>
#include <functional>
#include <limits>
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
      Key const* const sorted = core::sort_keys(keys.data(), core::words_as_keys{}, keys.data(), beside.data(), n);
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
  using key = std::uint32_t;
  core::key_partition<key> const partition{keys.data(), core::copy_keys<key>};
  partition.sort(keys.data(), beside.data(), 10000, 0, 2);
  CHECK(keys == right);
}

TEST_CASE("the median of lanes is within the middle half of what is any") {
  std::mt19937_64 random(11);
  int outside = 0;
  for (int k = 0; k < 200; ++k) {
    std::vector<std::uint32_t> keys = keys_of_kind<std::uint32_t>(0, 1000 + k, random);
    core::words_as_keys read;
    std::uint32_t const m = core::key_partition<std::uint32_t>::middle(keys.data(), read, 1000 + k);
    auto const below = std::count_if(keys.begin(), keys.end(), [m](std::uint32_t key) { return key <= m; });
    outside += below < 250 || below > 750;
    CHECK(std::find(keys.begin(), keys.end(), m) != keys.end());
  }
  CHECK(outside < 10);
}

TEST_CASE_TEMPLATE("numbers are sorted in both orders, from one array to another and in place", T, float, double,
                   std::int32_t, std::uint32_t, std::int64_t) {
  using key = core::key_t<T>;
  std::mt19937_64 random(13);
  int wrong = 0, refused = 0;
  for (index_t const n :
       {index_t(2), index_t(17), index_t(64), index_t(255), index_t(256), index_t(257), index_t(999), index_t(20000)}) {
    std::vector<T> x;
    for (index_t k = 0; k < n; ++k) x.push_back(static_cast<T>(static_cast<std::int32_t>(random())));
    std::vector<T> up = x, down = x, y(x.size());
    std::sort(up.begin(), up.end());
    std::sort(down.begin(), down.end(), std::greater<T>());
    std::vector<key> a(x.size()), b(x.size());
    refused += !core::sort_numbers<false>(x.data(), n, a.data(), b.data(), y.data());
    wrong += y != up;
    refused += !core::sort_numbers<true>(x.data(), n, a.data(), b.data(), x.data());
    wrong += x != down;
  }
  CHECK(refused == 0);
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("numbers that are equal and differ are refused, wherever they stand", T, float, double) {
  using key = core::key_t<T>;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  for (index_t const n : {index_t(5), index_t(300), index_t(2000)})
    for (T const odd : {T(-0.), nan, -nan})
      for (index_t const at : {index_t(0), n / 2, n - 1}) {
        std::vector<T> x(std::size_t(n), T(0)), y(x.size(), T(7));
        std::vector<key> a(x.size()), b(x.size());
        x[std::size_t(at)] = odd;
        CHECK(!core::sort_numbers<false>(x.data(), n, a.data(), b.data(), y.data()));
        CHECK(!core::sort_numbers<true>(x.data(), n, a.data(), b.data(), y.data()));
        CHECK(std::count(y.begin(), y.end(), T(7)) == n);
        x[std::size_t(at)] = std::numeric_limits<T>::infinity();
        CHECK(core::sort_numbers<false>(x.data(), n, a.data(), b.data(), y.data()));
        CHECK(y.back() == std::numeric_limits<T>::infinity());
      }
}
#endif
