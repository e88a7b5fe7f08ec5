// A share of counted memory: it is freed when the last tensor, view or lazy expression that points to it is gone.
#pragma once

#include <ricci/core/bytes.hpp>
#include <ricci/core/owners.hpp>

RICCI_OPTIMIZED
namespace ricci::core {

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
  RICCI_INLINE constexpr ~shared_buffer() { release(); }

  RICCI_INLINE char* data() const { return reinterpret_cast<char*>(block_) + header_size; }
  RICCI_INLINE block_header& header() const { return *block_; }
  RICCI_INLINE index_t bytes() const { return block_->bytes; }
  // how many point to it
  RICCI_INLINE index_t use_count() const {
    if (RICCI_SINGLE_THREADED) [[likely]]
      return shares_in(block_->count) + block_->lent - block_->kept;
    return shares_in(__atomic_load_n(&block_->count, __ATOMIC_RELAXED)) +
           __atomic_load_n(&block_->lent, __ATOMIC_RELAXED) - __atomic_load_n(&block_->kept, __ATOMIC_RELAXED);
  }

 private:
  // Where the compiler sees that there is nothing to count, as in what was moved from, it need not; else the block
  // without elements is counted like any other.
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
  RICCI_INLINE constexpr void release() {
    if (is_known_to_be_empty()) return;
    if (RICCI_SINGLE_THREADED) [[likely]] {
      if (shares_in(block_->count) < 1) __builtin_unreachable();
      if (shares_in(--block_->count) == 0) [[unlikely]]
        release_last(block_);
    } else {
      release_among_threads(block_);
    }
  }
  block_header* block_;
};

// In place of a buffer where nothing has to be kept alive.
struct no_buffer {};

}  // namespace ricci::core
RICCI_OPTIMIZED_END
