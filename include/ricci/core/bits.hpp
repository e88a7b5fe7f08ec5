// Bits of integers, also in kernels of a GPU: there the functions of <bit> that count are not to be called, since they
// are made of what only hosts have, and nvcc leaves that out without a word (of std::countr_zero(x) it makes 64).
#pragma once

#include <bit>
#include <cstdint>

#include <ricci/core/abi.hpp>

namespace ricci::core {
inline namespace RICCI_ABI {

// How many zeros stand below the lowest bit of x that is 1; x: not 0.
RICCI_INLINE RICCI_HD constexpr int trailing_zeros(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return __ffsll(static_cast<long long>(x)) - 1;
#endif
  return std::countr_zero(x);
}
// How many bits of x are 1.
RICCI_INLINE RICCI_HD constexpr int count_of_ones(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return __popcll(x);
#endif
  return std::popcount(x);
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
