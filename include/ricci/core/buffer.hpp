// Counted memory of dynamic tensors: it is freed when the last tensor, view or lazy expression that points to it is gone. The
// count is not atomic as long as the process has one thread, so that it costs nothing that small arrays can see.
#pragma once

#include <new>

#include <ricci/core/errors.hpp>

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

namespace ricci::core {

class shared_buffer {
 public:
  constexpr shared_buffer() = default;
  // uninitialised
  RICCI_NOINLINE explicit shared_buffer(index_t bytes) {
#if defined(RICCI_NO_HEAP)
    raise<value_error>(text() << "a tensor of " << bytes << " bytes needs the heap, and RICCI_NO_HEAP forbids it");
#else
    if (bytes == 0) return;
    block_ = static_cast<char*>(::operator new(static_cast<std::size_t>(bytes + header_size), std::align_val_t(alignment)));
    new (block_) header{1, bytes};
#endif
  }
  RICCI_INLINE constexpr shared_buffer(shared_buffer const& other) noexcept : block_(other.block_) { acquire(); }
  RICCI_INLINE constexpr shared_buffer(shared_buffer&& other) noexcept : block_(other.block_) { other.block_ = nullptr; }
  RICCI_INLINE constexpr shared_buffer& operator=(shared_buffer other) noexcept {
    auto const mine = block_;
    block_ = other.block_;
    other.block_ = mine;
    return *this;
  }
  RICCI_INLINE constexpr ~shared_buffer() { release(); }

  RICCI_INLINE char* data() const { return block_ ? block_ + header_size : nullptr; }
  index_t bytes() const { return block_ ? as_header()->bytes : 0; }
  // how many point to it
  index_t use_count() const { return block_ ? __atomic_load_n(&as_header()->count, __ATOMIC_RELAXED) : 0; }

 private:
  struct header {
    index_t count, bytes;
  };
  static constexpr index_t header_size = 64, alignment = 64;

  header* as_header() const { return reinterpret_cast<header*>(block_); }
  RICCI_INLINE constexpr void acquire() const {
    if (!block_) return;
    if (RICCI_SINGLE_THREADED) ++as_header()->count;
    else __atomic_fetch_add(&as_header()->count, 1, __ATOMIC_RELAXED);
  }
  RICCI_INLINE constexpr void release() {
    if (!block_) return;
    index_t const left = RICCI_SINGLE_THREADED ? --as_header()->count : __atomic_sub_fetch(&as_header()->count, 1, __ATOMIC_ACQ_REL);
    if (left == 0) free_block();
  }
  RICCI_COLD void free_block() {
#if !defined(RICCI_NO_HEAP)
    ::operator delete(block_, std::align_val_t(alignment));
#endif
  }
  char* block_ = nullptr;
};

// In place of a buffer where nothing has to be kept alive.
struct no_buffer {};

}  // namespace ricci::core
