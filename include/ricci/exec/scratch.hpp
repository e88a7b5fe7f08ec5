// Memory for the length of one call: a few KiB of the stack, the heap where that is too little.
#pragma once

#include <new>

#include <ricci/core/errors.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

template <index_t OnStack>
class scratch {
 public:
  explicit scratch(index_t bytes) {
#if !defined(RICCI_NO_HEAP)
    if (bytes > OnStack) heap_ = static_cast<char*>(::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64)));
#else
    if (bytes > OnStack) core::raise<value_error>(core::text() << "this needs " << bytes << " bytes of heap, and RICCI_NO_HEAP forbids it");
#endif
  }
  scratch(scratch const&) = delete;
  scratch& operator=(scratch const&) = delete;
  ~scratch() {
#if !defined(RICCI_NO_HEAP)
    if (heap_) ::operator delete(heap_, std::align_val_t(64));
#endif
  }
  char* data() { return heap_ ? heap_ : stack_; }

 private:
  alignas(64) char stack_[OnStack > 0 ? OnStack : 1];
  char* heap_ = nullptr;
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
