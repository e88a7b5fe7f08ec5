// Tables of lengths, made once for a process: what a program transforms again and again has a few lengths. They stand
// in lists that only grow, by a compare and exchange, so that threads need no lock; all together take no more than
// `most_bytes`. Small ones lie in static memory, so that transforms of small static tensors do without a heap. What
// finds no place there is computed in the workspace of its call, as in constant expressions and on devices.
#pragma once

#include <new>

#include <ricci/core/bytes.hpp>
#include <ricci/core/heap.hpp>
#include <ricci/fft/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

namespace tables {

inline constexpr index_t static_bytes = RICCI_SMALL_STACK ? 0 : 65536, most_bytes = index_t(1) << 26;
inline constexpr int lists = 64;

// Numbers begin a cache line behind it. (An aligned type would say so, but nvcc does not know placement new of one.)
inline constexpr index_t line = 64;
struct entry {
  entry* next;
  index_t n;
  void* data() { return reinterpret_cast<char*>(this) + line; }
};
static_assert(sizeof(entry) <= line);
struct alignas(64) static_memory {
  char at[static_bytes > 0 ? static_bytes : 1];
};
inline constinit static_memory memory{};
inline constinit index_t taken_statically = 0, taken = 0;
template <class Kind, class T>
inline constinit entry* first[lists]{};

// Memory that is never given back, or null.
inline void* more_memory(index_t bytes) {
  bytes = core::whole_lines(bytes);
  if (bytes <= static_bytes / 4) {
    index_t const from = __atomic_fetch_add(&taken_statically, bytes, __ATOMIC_RELAXED);
    if (from + bytes <= static_bytes) return memory.at + from;
    __atomic_fetch_sub(&taken_statically, bytes, __ATOMIC_RELAXED);
  }
  if constexpr (core::has_heap) {
    if (__atomic_fetch_add(&taken, bytes, __ATOMIC_RELAXED) + bytes <= most_bytes)
      if (void* const p = ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64), std::nothrow)) return p;
    __atomic_fetch_sub(&taken, bytes, __ATOMIC_RELAXED);
  }
  return nullptr;
}

template <class T>
T const* find(entry* e, index_t n) {
  for (; e; e = e->next)
    if (e->n == n) return static_cast<T const*>(e->data());
  return nullptr;
}
// That of length n, or null. Two threads may make the same one at once; both stay.
template <class Kind, class T, class... Help>
RICCI_NOINLINE T const* kept(index_t n, Help const&... help) {
  entry** const list = &first<Kind, T>[static_cast<std::uint64_t>(n) * 0x9e3779b97f4a7c15u >> 58];
  entry* e = __atomic_load_n(list, __ATOMIC_ACQUIRE);
  if (T const* const found = find<T>(e, n)) return found;
  void* const place = more_memory(line + Kind::size(n) * index_t(sizeof(T)));
  if (!place) return nullptr;
  entry* const made = ::new (place) entry{e, n};
  T* const w = ::new (made->data()) T[static_cast<std::size_t>(Kind::size(n))];
  Kind::fill(n, w, help...);
  while (!__atomic_compare_exchange_n(list, &made->next, made, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
  }
  return w;
}

}  // namespace tables

// The table of a length, computed at `room` where none is kept; `room` is moved behind it. `help`:
// what computes it.
template <class Kind, class T, class... Help>
RICCI_HD constexpr T const* table_of(index_t n, T*& room, Help const&... help) {
  T* const here = room;
  room += Kind::size(n);
#if !defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated())
    if (T const* const w = tables::kept<Kind, T>(n, help...)) return w;
#endif
  Kind::fill(n, here, help...);
  return here;
}

}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
