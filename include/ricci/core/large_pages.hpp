// Large pages for large buffers. The first write to each page of new memory costs a page fault, so that with pages of
// 2 MiB there are few of them. Linux is asked for these, and may refuse.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ricci/core/types.hpp>

#if defined(__linux__) && defined(__GLIBC__)
#define RICCI_ASKS_FOR_LARGE_PAGES 1
#else
#define RICCI_ASKS_FOR_LARGE_PAGES 0
#endif

namespace ricci::core {

// From so many bytes on large pages are asked for.
inline constexpr index_t large_pages_from = index_t(4) << 20;
#if RICCI_ASKS_FOR_LARGE_PAGES
extern "C" int madvise(void*, std::size_t, int) noexcept;  // of <sys/mman.h>, which takes every program long to compile
#endif
inline namespace RICCI_ABI {
// For the whole pages of `bytes` bytes at p.
RICCI_COLD inline void ask_for_large_pages([[maybe_unused]] char* p, [[maybe_unused]] index_t bytes) {
#if RICCI_ASKS_FOR_LARGE_PAGES
  constexpr int madv_hugepage = 14;  // MADV_HUGEPAGE there
  constexpr std::uintptr_t size = std::uintptr_t(2) << 20;
  std::uintptr_t const from = (reinterpret_cast<std::uintptr_t>(p) + size - 1) / size * size,
                       to = (reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(bytes)) / size * size;
  if (from < to) static_cast<void>(madvise(reinterpret_cast<void*>(from), to - from, madv_hugepage));
#endif
}
}  // namespace RICCI_ABI

}  // namespace ricci::core
