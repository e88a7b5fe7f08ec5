// Random numbers that are the same everywhere. The standard fixes the bits of std::mt19937_64, but neither what
// std::shuffle nor what its distributions make of them: each library has its own. So the two transforms stand here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>

class random_source {
 public:
  explicit random_source(std::uint64_t seed) : bits_(seed) {}

  // one of 2^24 equally spaced floats in [-bound, bound)
  float within(float bound) { return (static_cast<float>(bits_() >> 40) * 0x1p-23f - 1.f) * bound; }

  // Fisher and Yates, as Durstenfeld wrote it (CACM 7, 1964); the bias of % is below 2^-50 for any row that fits in
  // memory
  template <class Row>
  void shuffle(Row& row) {
    for (auto n = static_cast<std::uint64_t>(row.size()); n > 1; --n)
      std::swap(row.begin()[n - 1], row.begin()[bits_() % n]);
  }

 private:
  std::mt19937_64 bits_;
};
