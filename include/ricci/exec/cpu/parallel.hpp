// Work in parallel, for those who ask for it: kernels call `parallel_for`, and a context of several threads installs
// them behind it (exec/cpu/threads.hpp). Without them, or with one thread, the chunks run one after another.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/types.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {

// runs work(context, chunk) for every chunk, on up to `threads` threads, and returns when all are done
using parallel_runner = void (*)(int threads, index_t chunks, void (*work)(void*, index_t), void* context);

inline namespace RICCI_ABI {

inline constinit parallel_runner installed_runner = nullptr;

// Whether work is done by the calling thread alone; the compiler knows it where there are no others.
RICCI_INLINE constexpr bool is_alone(int threads) { return !RICCI_HAS_THREADS || threads == 1; }

// below this many elements of work a second thread costs more than it brings
inline constexpr index_t parallel_threshold = 32768;
// whether it is, of so many elements
RICCI_INLINE constexpr bool is_alone(int threads, index_t elements) {
  return is_alone(threads) || elements < parallel_threshold;
}

RICCI_NOINLINE inline void run_chunks(int threads, index_t chunks, void (*work)(void*, index_t), void* context) {
  if (threads > 1 && chunks > 1)
    if (parallel_runner const runner = __atomic_load_n(&installed_runner, __ATOMIC_ACQUIRE))
      return runner(threads, chunks, work, context);
  for (index_t k = 0; k < chunks; ++k) work(context, k);
}
// work(chunk) for every chunk
template <class Work>
RICCI_INLINE void parallel_for(int threads, index_t chunks, Work const& work) {
  if constexpr (!RICCI_HAS_THREADS)
    for (index_t k = 0; k < chunks; ++k) work(k);
  else
    run_chunks(
        threads, chunks, [](void* w, index_t chunk) { (*static_cast<Work const*>(w))(chunk); },
        const_cast<Work*>(&work));
}
// part(from, to) for stretches of [0, n) that begin at multiples of `unit`: a few for each thread, so that a slow one
// holds up nobody
template <class Part>
RICCI_INLINE void parallel_parts(int threads, index_t n, Part const& part, index_t unit = 1) {
  index_t const units = (n + unit - 1) / unit, most = 4 * threads, chunks = units < most ? units : most;
  parallel_for(threads, chunks, [&](index_t c) {
    index_t const last = units * (c + 1) / chunks * unit;
    part(units * c / chunks * unit, last < n ? last : n);
  });
}

}  // namespace RICCI_ABI

}  // namespace ricci::exec
RICCI_OPTIMIZED_END
