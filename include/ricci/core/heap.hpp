// Programs without a heap define RICCI_NO_HEAP: then whatever would need one does not compile, and the type named in
// the error says how many bytes. Only where the number depends on run-time values is it an error at run time.
#pragma once

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

}  // namespace ricci::core
