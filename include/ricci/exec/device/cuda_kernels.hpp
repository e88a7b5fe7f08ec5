// Kernels under CUDA and how they are started: one call for each index, and one of each thread of a block. Parameters
// are read where they were passed: no thread has a copy of them.
#pragma once

#include <ricci/exec/device/cuda.hpp>
#if defined(__CUDACC__)
#include <ricci/exec/device/cuda_complex.hpp>
#include <ricci/exec/device/division.hpp>
#endif

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
// One thread for each index, or several indices for a thread where there are many, so that what is the same for all is
// done once, or more than a grid holds.
constexpr index_t blocks_for(index_t n) {
  constexpr index_t many = index_t(1) << 20, each = 4;
  index_t const of_block = threads_of_indices * (n >= many ? each : 1), blocks = quotient_up(n, of_block);
  return blocks < most_blocks ? blocks : most_blocks;
}
static_assert(blocks_for(1) == 1 && blocks_for(256) == 1 && blocks_for(257) == 2);
static_assert(blocks_for((1 << 20) - 1) == 4096 && blocks_for((1 << 20) + 1) == 1025);
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

// How many blocks are at least to run beside each other on a multiprocessor, by which the compiler deals registers: 0
// leaves that to it.
template <class F>
inline constexpr int fewest_blocks = [] {
  if constexpr (requires { F::fewest_blocks; })
    return F::fewest_blocks;
  else
    return 0;
}();
// f(block, thread, memory) for the threads of each block, which have F::shared_bytes of memory together and wait for
// one another between what is written there and what is read (__syncthreads).
template <class F>
__global__ void __launch_bounds__(F::threads, fewest_blocks<F>)
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

// The same with as many threads (up to 512) and bytes of memory for a block as are asked for at run time.
__device__ inline char* memory_of_block() {
#if defined(__CUDACC__)
  extern __shared__ float4 memory_of_a_block[];
  return reinterpret_cast<char*>(memory_of_a_block);
#else
  return stand_in::memory_of_block();
#endif
}
template <class F>
__global__ void __launch_bounds__(512)
    call_with_rows(__grid_constant__ F const f, __grid_constant__ index_t const blocks) {
  for (index_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    f(block, static_cast<int>(threadIdx.x), memory_of_block());
    __syncthreads();
  }
}
// as much as a block may have of this device
inline int most_memory_of_block(int device) {
  static int most[max_devices];
  int bytes = __atomic_load_n(&most[device], __ATOMIC_RELAXED);
  if (bytes > 0) return bytes;
  RICCI_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  __atomic_store_n(&most[device], bytes, __ATOMIC_RELAXED);
  return bytes;
}
template <class F>
void for_each_block_of_rows(int device, index_t blocks, int threads, int bytes, F const& f) {
  if (blocks == 0) return;
  use_device(device);
  static bool allowed[max_devices];
  if (!__atomic_load_n(&allowed[device], __ATOMIC_RELAXED)) {
    RICCI_CUDA(cudaFuncSetAttribute(&call_with_rows<F>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    most_memory_of_block(device)));
    RICCI_CUDA(cudaFuncSetAttribute(&call_with_rows<F>, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    __atomic_store_n(&allowed[device], true, __ATOMIC_RELAXED);
  }
  void* parameters[] = {const_cast<F*>(&f), &blocks};
  unsigned const grid = static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
  RICCI_CUDA(cudaLaunchKernel(&call_with_rows<F>, dim3(grid), dim3(static_cast<unsigned>(threads)), parameters,
                              static_cast<std::size_t>(bytes), stream(device)));
  note_queued(device);
}

// ---- copies between memory of the device and of a block, by its threads ----

// `bytes` in units of `unit` (1, 2, 4, 8 or 16), to which all is aligned; may be on its way until wait_for_copies
__device__ inline void copy_into_block(char* to, char const* from, int bytes, int unit, int thread, int threads) {
  int const first = thread * unit, step = threads * unit;
#if defined(__CUDACC__)
  unsigned const at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if (unit == 16) {
    unsigned to_here = at + static_cast<unsigned>(first);
    char const *from_here = from + first, *const end = from + bytes;
    int const next = 16 * threads;
    _Pragma("unroll 4") for (; from_here < end; from_here += next, to_here += static_cast<unsigned>(next)) asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to_here), "l"(from_here) : "memory");
    return;
  }
  if (unit >= 4) {
    RICCI_ONE_BY_ONE
    for (int k = first; k < bytes; k += step) {
      if (unit == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at + k), "l"(from + k) : "memory");
      else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at + k), "l"(from + k) : "memory");
    }
    return;
  }
#endif
  RICCI_ONE_BY_ONE
  for (int k = first; k < bytes; k += step) {
    RICCI_ONE_BY_ONE
    for (int j = 0; j < unit; ++j) to[k + j] = from[k + j];
  }
}
__device__ inline void wait_for_copies() {
#if defined(__CUDACC__)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
__device__ inline void copy_out_of_block(char* to, char const* from, int bytes, int unit, int thread, int threads) {
  RICCI_ONE_BY_ONE
  for (int k = thread * unit; k < bytes; k += threads * unit) {
    if (unit == 16)
      *reinterpret_cast<float4*>(to + k) = *reinterpret_cast<float4 const*>(from + k);
    else if (unit == 8)
      *reinterpret_cast<std::int64_t*>(to + k) = *reinterpret_cast<std::int64_t const*>(from + k);
    else if (unit == 4)
      *reinterpret_cast<std::int32_t*>(to + k) = *reinterpret_cast<std::int32_t const*>(from + k);
    else {
      RICCI_ONE_BY_ONE
      for (int j = 0; j < unit; ++j) to[k + j] = from[k + j];
    }
  }
}
// p + n * stride, as one instruction: a compiler may take it for a product of 64 bits, which is many
__device__ inline char* moved_by(char* p, int n, int stride) {
#if defined(__CUDACC__)
  asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(p) : "r"(n), "r"(stride));
  return p;
#else
  return p + static_cast<index_t>(n) * stride;
#endif
}
// What lies in memory of the block, as a pointer of which a compiler does not know that: one that points there or into
// memory of the device is made of it at no cost.
__device__ inline char* address_of_any_memory(char* p) {
#if defined(__CUDACC__)
  asm("" : "+l"(p));
#endif
  return p;
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
