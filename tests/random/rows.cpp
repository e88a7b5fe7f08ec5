// Rows of Philox's words, at every width of registers, against its blocks one by one: lengths around those of a batch,
// beginnings far behind, counters whose first word runs over.
#include <doctest/doctest.h>

#include <vector>

#include <ricci/random/philox_rows.hpp>

namespace {

template <class W>
bool is_right(std::uint64_t key, ricci::index_t begin, ricci::index_t n) {
  std::vector<W> row(std::size_t(n) + 1, W(7));
  ricci::random::philox_row(row.data(), key, begin, n);
  bool right = row.back() == W(7);  // nothing is written behind it
  for (ricci::index_t k = 0; k < n; ++k)
    right = right && row[std::size_t(k)] == ricci::random::philox_word<W>(key, std::uint64_t(begin + k));
  return right;
}

}  // namespace

TEST_CASE_TEMPLATE("rows", W, std::uint32_t, std::uint64_t) {
  for (ricci::index_t n : {0, 1, 3, 4, 31, 32, 33, 63, 64, 65, 1000})
    for (ricci::index_t begin : {ricci::index_t(0), ricci::index_t(8), (ricci::index_t(1) << 33) - 8})
      CHECK(is_right<W>(0x123456789abcdef0u + std::uint64_t(n), begin, n));
  CHECK(is_right<W>(5, (ricci::index_t(1) << 34) - 128, 300));
}
