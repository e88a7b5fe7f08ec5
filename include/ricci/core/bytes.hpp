// How many bytes the elements of a tensor take. Extents that come from arithmetic end up here, just before memory is
// asked for, so this is where they are checked.
#pragma once

#include <ricci/core/errors.hpp>

RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

// far below what 64 bits can count, so that sums of a few of them do not overflow
inline constexpr index_t most_bytes = index_t(1) << 60;

// where blocks of memory begin: at a multiple of so many bytes, a line of the cache
inline constexpr index_t block_alignment = 64;
// The bytes of all lines that so many bytes reach into.
RICCI_INLINE constexpr index_t whole_lines(index_t bytes) {
  return (bytes + block_alignment - 1) / block_alignment * block_alignment;
}

[[noreturn]] RICCI_COLD inline void raise_extents(index_t const* extents, int rank, char const* who = nullptr) {
  text t;
  if (who) t << who << ": ";
  for (int k = 0; k < rank; ++k)
    if (extents[k] < 0) raise<value_error>((t << "negative extent in ").shape(extents, rank));
  raise<value_error>((t << "too many elements in ").shape(extents, rank));
}
// For a length that is not above 0.
[[noreturn]] RICCI_COLD inline void raise_length(index_t length, char const* who) {
  text t;
  if (who) t << who << ": ";
  raise<value_error>(t << "a length above 0 is expected, not " << length);
}
// The bytes of elements of that size; a value_error, with the operation's name if it is there, where an extent is
// negative, or they are more than `most_bytes`.
RICCI_INLINE constexpr index_t bytes_of(index_t const* extents, int rank, index_t element_size,
                                        char const* who = nullptr) {
  index_t bytes = element_size;
  bool wrong = false;
  for (int k = 0; k < rank; ++k) {
    wrong = wrong || extents[k] < 0;
    if (__builtin_is_constant_evaluated()) {  // nvcc does not know the function there
      wrong = wrong || (extents[k] > 0 && bytes > most_bytes / extents[k]);
      bytes = wrong ? 0 : bytes * extents[k];
    } else {
      wrong = __builtin_mul_overflow(bytes, extents[k], &bytes) || wrong;
    }
  }
  if (wrong || bytes > most_bytes) [[unlikely]]
    raise_extents(extents, rank, who);
  return bytes;
}
// the same for a number of elements
RICCI_INLINE constexpr index_t bytes_of(index_t elements, index_t element_size) {
  return bytes_of(&elements, 1, element_size);
}

// Sums and products of extents; where one is no number any more, it is the largest there is, which `bytes_of` refuses.
inline constexpr index_t no_extent = index_t(~std::uint64_t(0) >> 1);
RICCI_INLINE constexpr index_t sum_of_extents(index_t a, index_t b) {
  if (__builtin_is_constant_evaluated()) return a + b;  // where the compiler sees it
  index_t n = 0;
  return __builtin_add_overflow(a, b, &n) ? no_extent : n;
}
RICCI_INLINE constexpr index_t product_of_extents(index_t a, index_t b) {
  if (__builtin_is_constant_evaluated()) return a * b;
  index_t n = 0;
  return __builtin_mul_overflow(a, b, &n) ? no_extent : n;
}
// Quotients are truncated, as those of integers are; 0 where b is. A remainder is what they leave of a.
RICCI_INLINE constexpr index_t quotient_of_extents(index_t a, index_t b) {
  return b == 0 ? 0 : b == -1 ? product_of_extents(a, b) : a / b;
}
RICCI_INLINE constexpr index_t remainder_of_extents(index_t a, index_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
