// Replaces the global allocation functions by such that count, and that fail where the file that includes this says so,
// by `is_to_fail(bytes)`.
#pragma once

#include <cstdlib>
#include <new>

namespace {
// Only what happens while it counts, in the thread that asked for it.
thread_local long live = 0;
thread_local bool counts = false;

bool is_to_fail(std::size_t bytes);

void* memory_or_null(std::size_t bytes, std::size_t alignment) {
  if (counts && is_to_fail(bytes)) return nullptr;
  void* const p = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (counts && p) ++live;
  return p;
}
void* memory(std::size_t bytes, std::size_t alignment) {
  if (void* const p = memory_or_null(bytes > 0 ? bytes : 1, alignment)) return p;
  throw std::bad_alloc();
}
void give_back(void* p) {
  if (counts && p) --live;
  std::free(p);
}
}  // namespace

void* operator new(std::size_t n) { return memory(n, 16); }
void* operator new[](std::size_t n) { return memory(n, 16); }
void* operator new(std::size_t n, std::align_val_t a) { return memory(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return memory(n, std::size_t(a)); }
void* operator new(std::size_t n, std::nothrow_t const&) noexcept { return memory_or_null(n > 0 ? n : 1, 16); }
void* operator new(std::size_t n, std::align_val_t a, std::nothrow_t const&) noexcept {
  return memory_or_null(n > 0 ? n : 1, std::size_t(a));
}
void operator delete(void* p) noexcept { give_back(p); }
void operator delete[](void* p) noexcept { give_back(p); }
void operator delete(void* p, std::size_t) noexcept { give_back(p); }
void operator delete[](void* p, std::size_t) noexcept { give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }
