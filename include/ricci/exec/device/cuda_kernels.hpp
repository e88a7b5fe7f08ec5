// Kernels under CUDA and how they are started: one call for each index, and one of each thread of a block. Parameters
// are read where they were passed: no thread has a copy of them.
#pragma once

#include <ricci/exec/device/cuda.hpp>

namespace ricci::exec::device_backend {
inline namespace RICCI_DEVICE_ABI {

inline constexpr unsigned threads_of_indices = 256;
inline constexpr index_t most_blocks = (index_t(1) << 31) - 1;

template <class F>
__global__ void __launch_bounds__(256)
    call_with_indices(__grid_constant__ F const f, __grid_constant__ index_t const n) {
  index_t const all = static_cast<index_t>(gridDim.x) * threads_of_indices;
  for (index_t i = static_cast<index_t>(blockIdx.x) * threads_of_indices + threadIdx.x; i < n; i += all) f(i);
}
// One thread for each index, or several indices for a thread where there are more than a grid holds.
constexpr index_t blocks_for(index_t n) {
  index_t const blocks = n / threads_of_indices + (n % threads_of_indices != 0);
  return blocks < most_blocks ? blocks : most_blocks;
}
static_assert(blocks_for(1) == 1 && blocks_for(256) == 1 && blocks_for(257) == 2);
static_assert(blocks_for((index_t(1) << 62) + 1) == most_blocks);
// f(0), ..., f(n - 1), in any order
template <class F>
void for_each_index(int device, index_t n, F const& f) {
  if (n == 0) return;
  use_device(device);
  void* parameters[] = {const_cast<F*>(&f), &n};
  RICCI_CUDA(cudaLaunchKernel(&call_with_indices<F>, dim3(static_cast<unsigned>(blocks_for(n))),
                              dim3(threads_of_indices), parameters, 0, stream(device)));
  note_queued(device);
}

// f(block, thread, memory) for the threads of each block, which have F::shared_bytes of memory together and wait for
// one another between what is written there and what is read (__syncthreads).
template <class F>
__global__ void __launch_bounds__(F::threads)
    call_with_blocks(__grid_constant__ F const f, __grid_constant__ index_t const blocks) {
  alignas(16) __shared__ char memory[F::shared_bytes];
  for (index_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    f(block, static_cast<int>(threadIdx.x), memory);
    __syncthreads();
  }
}
template <class F>
void for_each_block(int device, index_t blocks, F const& f) {
  if (blocks == 0) return;
  use_device(device);
  void* parameters[] = {const_cast<F*>(&f), &blocks};
  unsigned const grid = static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
  RICCI_CUDA(cudaLaunchKernel(&call_with_blocks<F>, dim3(grid), dim3(F::threads), parameters, 0, stream(device)));
  note_queued(device);
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
