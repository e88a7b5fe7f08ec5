// The owners of counted memory: tensors, views and lazy expressions. Memory is freed when the last of them is gone.
//
// As long as the process has one thread they are a plain count. Among several threads the count is atomic; but a
// statement over small arrays would take ten times its time to count its operands up and down again. So shares that the
// thread which made a block takes are counted apart, as lent, in a number that only this thread writes, by plain loads
// and stores. Shares are all alike: that thread gives back what is lent first, other threads what is counted.
//
// Who has the last counted share while something is lent cannot give it back, for the lender would not know that it has
// the last share of all. It leaves it with the orphans: a list behind a lock, which is looked through whenever a share
// is left there, or when the lender gives something back of a block that is on it. (If it does so at the very moment
// in which another thread leaves the share, it may not know that yet; then the block is freed with the next orphan.)
//
// A block is freed by who finds that there is no other share. It reads the count, then what is lent, and then puts 0 in
// place of the count, which fails where that was changed in between, if only there and back: all changes are counted in
// its upper half. So both numbers were true at once; and a share is only taken from another one, so that there will be
// none once there is no other. (What was lent before a share was released is seen by all who see the release.)
#pragma once

#include <cstdint>
#include <new>

#include <ricci/core/heap.hpp>

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
#define RICCI_NEVER_THREADED
#endif
#endif

RICCI_OPTIMIZED
namespace ricci::core {

// What stands before the elements: the owners, and what a tensor of that memory is.
struct block_header {
  std::uint64_t count;  // of shares in its lower half; among several threads, of its changes in its upper one
  index_t bytes;
  int threads;   // of the context in which it was made
  int distance;  // from the start of the memory that it was made in, in bytes
  index_t extents[12];
  // called when the last owner is gone, where there is more than this block to give back
  void (*release)(block_header&);

  void const* lender;  // the thread that made it
  index_t lent;        // only written by it
  index_t kept;        // shares that are with the orphans; written behind their lock
  block_header* next;  // there
};
inline constexpr index_t header_size = 192, block_alignment = 64;
static_assert(sizeof(block_header) <= header_size);

// The memory of tensors that have none; its count never reaches zero.
struct alignas(64) empty_block {
  block_header header;
  char elements[64];
};
inline constinit empty_block no_elements{{1 << 30, 0, 1, 0, {}, nullptr, nullptr, 0, 0, nullptr}, {}};

// The address of this names a thread.
#if !defined(RICCI_NEVER_THREADED)
inline constinit thread_local char this_thread = 0;
inline constinit block_header* orphans = nullptr;
inline constinit bool orphans_are_locked = false;
#endif

inline namespace RICCI_ABI {

RICCI_INLINE constexpr index_t shares_in(std::uint64_t count) { return index_t(count & 0xffffffff); }

RICCI_NOINLINE inline block_header* allocate(index_t bytes) {
  if constexpr (has_heap) {
    // aligned here: libraries keep no small blocks at hand for those who ask for an alignment
    constexpr index_t most = block_alignment - index_t(__STDCPP_DEFAULT_NEW_ALIGNMENT__), more = most > 0 ? most : 0;
    char* const p = static_cast<char*>(::operator new(std::size_t(bytes) + std::size_t(header_size + more)));
    int const distance = int(-reinterpret_cast<std::uintptr_t>(p) & std::uintptr_t(block_alignment - 1));
#if defined(RICCI_NEVER_THREADED)
    void const* const lender = nullptr;
#else
    void const* const lender = &this_thread;
#endif
    return new (p + distance) block_header{1, bytes, 1, distance, {}, nullptr, lender, 0, 0, nullptr};
  } else {
    raise_no_heap(bytes);
  }
}
RICCI_COLD inline void free_block([[maybe_unused]] block_header* block) {
  if constexpr (has_heap) {
    if (block->release) block->release(*block);
    ::operator delete(static_cast<void*>(reinterpret_cast<char*>(block) - block->distance));
  }
}

#if defined(RICCI_NEVER_THREADED)

RICCI_INLINE void release_last(block_header* block) { free_block(block); }
RICCI_INLINE void share_among_threads(block_header*) {}
RICCI_INLINE void release_among_threads(block_header*) {}

#else

inline constexpr std::uint64_t one_change = std::uint64_t(1) << 32;

// For the lender.
RICCI_INLINE index_t lent_of(block_header* block) { return __atomic_load_n(&block->lent, __ATOMIC_RELAXED); }
RICCI_INLINE void change_lent(block_header* block, index_t by) {
  __atomic_store_n(&block->lent, lent_of(block) + by, __ATOMIC_RELEASE);
}
// Whether `seen` was the count of a block that has no other shares than so many; then the count is 0 now.
RICCI_INLINE bool has_only(index_t shares, block_header* block, std::uint64_t seen) {
  return shares_in(seen) + __atomic_load_n(&block->lent, __ATOMIC_ACQUIRE) == shares &&
         __atomic_compare_exchange_n(&block->count, &seen, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
// Whether there was a second counted share; then one has been given back.
RICCI_INLINE bool is_given_back(block_header* block, std::uint64_t& seen) {
  while (shares_in(seen) > 1)
    if (__atomic_compare_exchange_n(&block->count, &seen, seen + one_change - 1, true, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      return true;
  return false;
}
enum class orphan { stays, leaves, dies };
// What becomes of a block among the orphans, which may be gone as soon as they have no share of it; `lends`: this
// thread lent one that it gives back.
inline orphan look_after(block_header* block, bool lends) {
  index_t const kept = block->kept;
  if (lends) {
    // where more is lent, the orphans' shares take the place of lent ones
    bool const leaves = lent_of(block) > kept;
    if (leaves) __atomic_store_n(&block->kept, 0, __ATOMIC_RELAXED);
    change_lent(block, leaves ? -1 - kept : -1);
    if (leaves) return orphan::leaves;
  }
  std::uint64_t seen = __atomic_load_n(&block->count, __ATOMIC_ACQUIRE);
  if (has_only(kept, block, seen)) return orphan::dies;
  for (index_t left = kept; left > 0; --left) {
    __atomic_store_n(&block->kept, left - 1, __ATOMIC_RELAXED);
    seen = __atomic_load_n(&block->count, __ATOMIC_ACQUIRE);
    if (is_given_back(block, seen)) continue;
    __atomic_store_n(&block->kept, left, __ATOMIC_RELAXED);
    return orphan::stays;
  }
  return orphan::leaves;
}
// The last counted share is left with the orphans, or (`lends`) the lender of one of them gives a share back.
RICCI_COLD inline void settle(block_header* block, bool lends) {
  while (__atomic_test_and_set(&orphans_are_locked, __ATOMIC_ACQUIRE)) {
  }
  if (!lends) {
    if (block->kept == 0) block->next = orphans, orphans = block;
    __atomic_store_n(&block->kept, block->kept + 1, __ATOMIC_RELAXED);
  } else if (block->kept == 0) {  // it has left meanwhile
    change_lent(block, -1);
    lends = false;
  }
  block_header* dead = nullptr;
  for (block_header** at = &orphans; *at;) {
    block_header* const b = *at;
    *at = b->next;
    orphan const what = look_after(b, lends && b == block);
    if (what == orphan::stays)
      b->next = *at, *at = b, at = &b->next;
    else if (what == orphan::dies)
      b->next = dead, dead = b;
  }
  __atomic_clear(&orphans_are_locked, __ATOMIC_RELEASE);
  while (dead) {
    block_header* const b = dead;
    dead = b->next;
    free_block(b);
  }
}
RICCI_NOINLINE inline void share_among_threads(block_header* block) {
  if (block->lender == &this_thread)
    change_lent(block, 1);
  else
    __atomic_fetch_add(&block->count, one_change + 1, __ATOMIC_RELAXED);
}
RICCI_NOINLINE inline void release_among_threads(block_header* block) {
  if (block->lender == &this_thread && lent_of(block) > 0) {
    if (__atomic_load_n(&block->kept, __ATOMIC_RELAXED) > 0) [[unlikely]]
      return settle(block, true);
    return change_lent(block, -1);
  }
  std::uint64_t seen = __atomic_load_n(&block->count, __ATOMIC_ACQUIRE);
  while (!is_given_back(block, seen)) {
    if (has_only(1, block, seen)) return free_block(block);
    std::uint64_t const now = __atomic_load_n(&block->count, __ATOMIC_ACQUIRE);
    if (now == seen) return settle(block, false);
    seen = now;
  }
}
// What the only thread of a process found to be the last counted share.
RICCI_COLD inline void release_last(block_header* block) {
  if (block->lent == 0) return free_block(block);
  block->count = 1;  // there were several threads when something was lent
  release_among_threads(block);
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
