// Memory for the length of one call that its thread keeps for the next one, where the stack is too little: pages that
// are fresh in every call cost as much as what is computed on them.
#pragma once

#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_THREADS && RICCI_HAS_HEAP

// At most two blocks of a thread are kept, none of them larger than this.
inline constexpr index_t most_kept = 8 * 1024 * 1024;

struct kept_block {
  char* p;
  index_t bytes;

  void free() const {
    if (p) ::operator delete(p, std::align_val_t(64));
  }
};
struct kept_blocks {
  kept_block all[2];

  // one of at least so many bytes; null where there is no memory
  static kept_block take(index_t bytes) {
    for (kept_block& b : of_thread().all)
      if (b.p && b.bytes >= bytes) {
        kept_block const found = b;
        b = {nullptr, 0};
        return found;
      }
    return {static_cast<char*>(::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64), std::nothrow)),
            bytes};
  }
  // the larger ones stay
  static void give_back(kept_block mine) {
    if (!mine.p) return;
    if (mine.bytes <= most_kept)
      for (kept_block& b : of_thread().all)
        if (b.bytes < mine.bytes) {
          kept_block const other = b;
          b = mine, mine = other;
        }
    mine.free();
  }

 private:
  // The blocks have no destructor, so that what runs after the thread's (a static object's, say) still may use them;
  // none is kept then.
  RICCI_NOINLINE static kept_blocks& of_thread() {
    struct last {
      kept_blocks& blocks;
      ~last() {
        for (kept_block& b : blocks.all) b.free(), b = {nullptr, most_kept};
      }
    };
    static thread_local kept_blocks mine = {{{nullptr, 0}, {nullptr, 0}}};
    static thread_local last const end{mine};
    return mine;
  }
};

template <index_t OnStack>
class kept_scratch {
 public:
  explicit kept_scratch(index_t bytes) {
    if (bytes > OnStack) heap_ = kept_blocks::take(bytes), is_there_ = heap_.p != nullptr;
  }
  kept_scratch(kept_scratch const&) = delete;
  kept_scratch& operator=(kept_scratch const&) = delete;
  ~kept_scratch() { kept_blocks::give_back(heap_); }
  char* data() { return heap_.p ? heap_.p : stack_; }
  bool is_there() const { return is_there_; }

 private:
  alignas(64) char stack_[OnStack];
  kept_block heap_{nullptr, 0};
  bool is_there_ = true;
};

#else

template <index_t OnStack>
struct kept_scratch : scratch<OnStack> {
  explicit kept_scratch(index_t bytes) : scratch<OnStack>(bytes, std::nothrow) {}
};

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
