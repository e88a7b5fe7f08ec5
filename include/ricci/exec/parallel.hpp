// Work in parallel, for those who ask for it: kernels call `parallel_for`, and a program that includes exec/cpu/threads.hpp has
// threads behind it. Without that header, or with one thread, the chunks run one after another.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/types.hpp>

namespace ricci::exec {

// runs work(context, chunk) for every chunk, on up to `threads` threads, and returns when all are done
using parallel_runner = void (*)(int threads, index_t chunks, void (*work)(void*, index_t), void* context);

inline constinit parallel_runner installed_runner = nullptr;

inline namespace RICCI_ABI {

template <class Work>
void parallel_for(int threads, index_t chunks, Work const& work) {
  if (threads > 1 && chunks > 1 && installed_runner) {
    auto copy = &work;
    installed_runner(threads, chunks, [](void* w, index_t chunk) { (**static_cast<Work const**>(w))(chunk); }, &copy);
  } else {
    for (index_t k = 0; k < chunks; ++k) work(k);
  }
}

}  // namespace RICCI_ABI

}  // namespace ricci::exec
