// The n-th allocation fails, for every n: replaces the global allocation functions of the test that includes it.
#pragma once

#include <cstdlib>
#include <new>
#include <vector>

namespace {
// Only what happens between `failing` and its end counts, and only the thread that asked.
thread_local long countdown = -1, live = 0;
thread_local bool counts = false;

void* memory_or_null(std::size_t bytes, std::size_t alignment) {
  if (counts && countdown >= 0 && countdown-- == 0) return nullptr;
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

#include <doctest/doctest.h>

namespace {

// Runs `program` until none of its allocations is left to fail, and says how many have failed.
template <class Program, class... Targets>
int fails_cleanly(Program const& program, Targets const&... targets) {
  std::vector<double> const before = [&] {
    std::vector<double> all;
    (all.insert(all.end(), targets.begin(), targets.end()), ...);
    return all;
  }();
  for (int n = 0;; ++n) {
    bool threw = false;
    live = 0, countdown = n, counts = true;
    try {
      program();
    } catch (std::bad_alloc const&) {
      threw = true;
    }
    counts = false;
    bool const failed = countdown < 0;
    INFO("allocation ", n);
    if (threw) {
      CHECK(live == 0);
      std::vector<double> after;
      (after.insert(after.end(), targets.begin(), targets.end()), ...);
      CHECK(after == before);
    }
    if (!failed) return n;
    if (!threw && sizeof...(targets) > 0) return n + 1;  // it went on without that memory, and the targets are new
  }
}

}  // namespace
