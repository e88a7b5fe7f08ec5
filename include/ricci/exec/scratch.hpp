// Memory for the length of one call: a few KiB of the stack, the heap where that is too little.
#pragma once

#include <new>

#include <ricci/core/heap.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

template <index_t OnStack>
class scratch {
 public:
  explicit scratch(index_t bytes) {
    if (bytes <= OnStack) return;
    if constexpr (core::has_heap)
      heap_ = static_cast<char*>(::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64)));
    else
      core::raise_no_heap(bytes);
  }
  // for who can do without it: `is_there` says whether it has been had
  scratch(index_t bytes, std::nothrow_t) {
    if (bytes <= OnStack) return;
    if constexpr (core::has_heap)
      heap_ = static_cast<char*>(::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64), std::nothrow));
    is_there_ = heap_ != nullptr;
  }
  scratch(scratch const&) = delete;
  scratch& operator=(scratch const&) = delete;
  ~scratch() {
    if constexpr (core::has_heap)
      if (heap_) ::operator delete(heap_, std::align_val_t(64));
  }
  char* data() { return heap_ ? heap_ : stack_; }
  bool is_there() const { return is_there_; }

 private:
  alignas(64) char stack_[OnStack > 0 ? OnStack : 1];
  char* heap_ = nullptr;
  bool is_there_ = true;
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
