// Counted memory of dynamic tensors: it is freed when the last tensor, view or lazy expression that points to it is
// gone. The count is not atomic as long as the process has one thread, so that it costs nothing that small arrays can
// see.
#pragma once

#include <cstdint>
#include <new>

#include <ricci/core/bytes.hpp>
#include <ricci/core/execution.hpp>
#include <ricci/core/heap.hpp>
#include <ricci/core/large_pages.hpp>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define RICCI_SINGLE_THREADED __libc_single_threaded
#endif
#endif
#if !defined(RICCI_SINGLE_THREADED)
#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
#define RICCI_SINGLE_THREADED false
#else
#define RICCI_SINGLE_THREADED true
#endif
#endif

RICCI_OPTIMIZED
namespace ricci::core {

// What stands before the elements: the count, and what a tensor of that memory is.
struct block_header {
  index_t count, bytes;
  execution how;  // that of the context in which it was made
  int distance;   // from the start of the memory that it was made in, in bytes
  index_t extents[12];
  // called when the last owner is gone, where there is more than this block to give back
  void (*release)(block_header&);
};
inline constexpr index_t header_size = 128;
static_assert(sizeof(block_header) <= header_size);
RICCI_INLINE char* elements_of(block_header& header) { return reinterpret_cast<char*>(&header) + header_size; }

// The memory of tensors that have none. Who points to it first does not count up, and not all who leave it count down:
// so its count says nothing, and must only be kept from reaching zero.
struct alignas(64) empty_block {
  block_header header;
  char elements[64];
};
inline constexpr index_t uncounted = index_t(1) << 40;
inline constinit empty_block no_elements{{uncounted, 0, {}, 0, {}, nullptr}, {}};

inline namespace RICCI_ABI {
RICCI_NOINLINE inline block_header* allocate(index_t bytes) {
  if constexpr (has_heap) {
    // aligned here: libraries keep no small blocks at hand for those who ask for an alignment
    constexpr index_t most = block_alignment - index_t(__STDCPP_DEFAULT_NEW_ALIGNMENT__), more = most > 0 ? most : 0;
    char* const p = static_cast<char*>(::operator new(std::size_t(bytes) + std::size_t(header_size + more)));
    if (bytes >= large_pages_from) [[unlikely]]
      ask_for_large_pages(p, bytes);
    int const distance = int(-reinterpret_cast<std::uintptr_t>(p) & std::uintptr_t(block_alignment - 1));
    return new (p + distance) block_header{1, bytes, {}, distance, {}, nullptr};
  } else {
    raise_no_heap(bytes);
  }
}
// Of a block whose count has come to zero.
RICCI_COLD inline void free_block([[maybe_unused]] block_header* block) {
  if (block == &no_elements.header) {
    block->count = uncounted;
    return;
  }
  if constexpr (has_heap) {
    if (block->release) block->release(*block);
    ::operator delete(static_cast<void*>(reinterpret_cast<char*>(block) - block->distance));
  }
}
// The block without elements is not counted among threads, which would wait for one another there.
RICCI_NOINLINE inline void share_among_threads(block_header* block) {
  if (block != &no_elements.header) __atomic_fetch_add(&block->count, 1, __ATOMIC_RELAXED);
}
RICCI_NOINLINE inline void release_among_threads(block_header* block) {
  if (block != &no_elements.header && __atomic_sub_fetch(&block->count, 1, __ATOMIC_ACQ_REL) == 0) free_block(block);
}
}  // namespace RICCI_ABI

class shared_buffer {
 public:
  RICCI_INLINE constexpr shared_buffer() noexcept : block_(&no_elements.header) {}
  // uninitialised
  RICCI_INLINE explicit shared_buffer(index_t bytes) : block_(allocate(bytes)) {}
  RICCI_INLINE constexpr shared_buffer(shared_buffer const& other) noexcept : block_(other.block_) { acquire(); }
  RICCI_INLINE constexpr shared_buffer(shared_buffer&& other) noexcept : block_(other.block_) {
    other.block_ = &no_elements.header;
  }
  RICCI_INLINE constexpr shared_buffer& operator=(shared_buffer other) noexcept {
    auto const mine = block_;
    block_ = other.block_;
    other.block_ = mine;
    return *this;
  }
#if defined(__GNUC__) && !defined(__clang__)
  // or g++ 12 says at -O1 with -fsanitize=undefined that what follows a move was not to be reached
  __attribute__((no_sanitize("object-size")))
#endif
  RICCI_INLINE constexpr ~shared_buffer() {
    if (is_known_to_be_empty()) return;
    if (RICCI_SINGLE_THREADED) [[likely]] {
      if (block_->count < 1) __builtin_unreachable();
      if (--block_->count == 0) [[unlikely]]
        free_block(block_);
    } else {
      release_among_threads(block_);
    }
  }

  RICCI_INLINE char* data() const { return elements_of(*block_); }
  RICCI_INLINE block_header& header() const { return *block_; }
  RICCI_INLINE index_t bytes() const { return block_->bytes; }
  // How many point to it; among several threads, how many did a moment ago.
  RICCI_INLINE index_t use_count() const {
    if (RICCI_SINGLE_THREADED) [[likely]]
      return block_->count;
    return __atomic_load_n(&block_->count, __ATOMIC_RELAXED);
  }
  // For memory that is made by whoever looks first, of several threads: whether it is there, and that this becomes it,
  // unless another thread was faster.
  bool is_made() const { return __atomic_load_n(&block_, __ATOMIC_ACQUIRE) != &no_elements.header; }
  void make_once(shared_buffer made) {
    block_header* none = &no_elements.header;
    if (__atomic_compare_exchange_n(&block_, &none, made.block_, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      made.block_ = &no_elements.header;
  }

 private:
  // Where the compiler sees that there is nothing to count, as in what was moved from, it need not.
  RICCI_INLINE constexpr bool is_known_to_be_empty() const {
#if defined(__GNUC__) && !defined(__clang__)
    if (!__builtin_is_constant_evaluated())
      return __builtin_constant_p(block_ == &no_elements.header) && block_ == &no_elements.header;
#endif
    return block_ == &no_elements.header;
  }
  RICCI_INLINE constexpr void acquire() const {
    if (is_known_to_be_empty()) return;
    if (RICCI_SINGLE_THREADED) [[likely]]
      ++block_->count;
    else
      share_among_threads(block_);
  }
  block_header* block_;
};

// In place of a buffer where nothing has to be kept alive.
struct no_buffer {};

}  // namespace ricci::core
RICCI_OPTIMIZED_END
