// Programs without a heap define RICCI_NO_HEAP: then whatever would need one does not compile, and the type named in
// the error says how many bytes. Only where the number depends on run-time values is it an error at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include <ricci/core/errors.hpp>

namespace ricci::core {

inline constexpr bool has_heap = RICCI_HAS_HEAP;
inline constexpr index_t unknown_bytes = -1;

template <index_t Bytes>
struct heap_memory {
  static_assert(has_heap || Bytes == 0,
                "this needs memory from the heap, which RICCI_NO_HEAP forbids: heap_memory<number of bytes>");
};
// Stops here where there is no heap.
template <index_t Bytes>
RICCI_INLINE constexpr void require_heap() {
  (void)sizeof(heap_memory<Bytes>);
}
inline namespace RICCI_ABI {
// The same for a number of bytes that is only known here.
[[noreturn]] RICCI_COLD inline void raise_no_heap(index_t bytes) {
  raise<value_error>(text() << "this needs " << bytes << " bytes from the heap, which RICCI_NO_HEAP forbids");
}
}  // namespace RICCI_ABI

// Memory that is new from the system costs a fault for every page that is written first; pages of 2 MiB cost few. From
// so many bytes on the system is asked for them; it may refuse.
inline constexpr index_t large_pages_from = index_t(4) << 20;
#if defined(__linux__) && defined(__GLIBC__)
#define RICCI_ASKS_FOR_LARGE_PAGES 1
extern "C" int madvise(void*, std::size_t, int) noexcept;  // of <sys/mman.h>, which would cost every program its time
#else
#define RICCI_ASKS_FOR_LARGE_PAGES 0
#endif
inline namespace RICCI_ABI {
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
