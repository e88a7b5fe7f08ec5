// CUDA: memory, two streams for each device (one computes, one copies), and cuBLAS. Included under nvcc only, by
// backend.hpp.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include <ricci/exec/device/blas.hpp>
#include <ricci/exec/device/error.hpp>

namespace ricci::exec::device_backend {
inline namespace RICCI_DEVICE_ABI {

inline constexpr bool is_cuda = true;
inline constexpr int max_devices = 16;

inline void check(cudaError_t status, char const* call) {
  if (status != cudaSuccess)
    core::raise<device_error>(core::text()
                              << call << ": " << cudaGetErrorString(status) << " (" << cudaGetErrorName(status) << ")");
}
inline void check(cublasStatus_t status, char const* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    core::raise<device_error>(core::text() << call << ": " << cublasGetStatusName(status));
}
#define RICCI_CUDA_TEXT(x) #x
#define RICCI_CUDA_LINE(x) RICCI_CUDA_TEXT(x)
#define RICCI_CUDA(call) \
  ::ricci::exec::device_backend::check((call), #call " at " __FILE__ ":" RICCI_CUDA_LINE(__LINE__))

// How many there are; says why where there are none.
inline int device_count() {
  int driver = 0, n = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
    core::raise<device_error>(core::text() << "this program was built for CUDA, and this machine has no CUDA driver");
  if (cudaError_t const status = cudaGetDeviceCount(&n); status != cudaSuccess || n == 0)
    core::raise<device_error>(core::text() << "this program was built for CUDA, and no GPU can be used here: "
                                           << cudaGetErrorString(status));
  return n < max_devices ? n : max_devices;
}

// What a device works with, made when it is first used and kept as long as the program runs.
struct device_state {
  cudaStream_t compute = nullptr, copy = nullptr;
  cudaEvent_t computed = nullptr, copied = nullptr, freed = nullptr;
  cublasHandle_t blas = nullptr;
  bool busy = false, ready = false, blas_ready = false;
};
// One thread makes what all use.
struct initializing {
  bool& busy;
  explicit initializing(bool& b) : busy(b) {
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
    }
  }
  ~initializing() { __atomic_clear(&busy, __ATOMIC_RELEASE); }
  initializing(initializing const&) = delete;
};
inline device_state& state_of(int device) {
  static device_state states[max_devices];
  device_state& s = states[device];
  if (__atomic_load_n(&s.ready, __ATOMIC_ACQUIRE)) return s;
  (void)device_count();
  initializing const only(s.busy);
  if (s.ready) return s;
  RICCI_CUDA(cudaSetDevice(device));
  // where one fails, the next call goes on from there
  if (!s.copy) RICCI_CUDA(cudaStreamCreateWithFlags(&s.copy, cudaStreamNonBlocking));
  for (cudaEvent_t* e : {&s.computed, &s.copied, &s.freed})
    if (!*e) RICCI_CUDA(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  if (!s.compute) RICCI_CUDA(cudaStreamCreateWithFlags(&s.compute, cudaStreamNonBlocking));
  __atomic_store_n(&s.ready, true, __ATOMIC_RELEASE);
  return s;
}
inline void use_device(int device) {
  (void)state_of(device);
  RICCI_CUDA(cudaSetDevice(device));
}
inline cudaStream_t stream(int device) { return state_of(device).compute; }

// Null where it fails; `fault` is then 0 where memory lacks, else what an earlier call did wrong.
inline void* allocate(int device, index_t bytes, int& fault) {
  void* p = nullptr;
  cudaError_t status = cudaSetDevice(device);
  if (status == cudaSuccess) status = cudaMalloc(&p, static_cast<std::size_t>(bytes));
  if (status == cudaSuccess) return p;
  (void)cudaGetLastError();
  fault = status == cudaErrorMemoryAllocation ? 0 : int(status);
  return nullptr;
}
[[noreturn]] inline void raise_allocation(int fault, index_t bytes) {
  auto const status = static_cast<cudaError_t>(fault);
  core::raise<device_error>(core::text() << "cudaMalloc of " << bytes << " bytes: " << cudaGetErrorString(status)
                                         << " (" << cudaGetErrorName(status) << ")");
}
inline void clear(int device, void* p, index_t bytes) {
  use_device(device);
  RICCI_CUDA(cudaMemsetAsync(p, 0, static_cast<std::size_t>(bytes), stream(device)));
}
inline void deallocate(int device, void* p) {
  (void)cudaSetDevice(device);
  (void)cudaFree(p);
}
// A block that is given back may still be read by work that is queued: copies into it wait for that.
inline void note_free(int device) {
  device_state& s = state_of(device);
  (void)cudaEventRecord(s.freed, s.compute);
}
// Copies go beside the work that is queued, unless it is what they are about.
inline void copy_in(int device, void* to, void const* from, index_t bytes) {
  use_device(device);
  device_state& s = state_of(device);
  RICCI_CUDA(cudaStreamWaitEvent(s.copy, s.freed));
  RICCI_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, s.copy));
  RICCI_CUDA(cudaEventRecord(s.copied, s.copy));
  RICCI_CUDA(cudaStreamWaitEvent(s.compute, s.copied));
  RICCI_CUDA(cudaStreamSynchronize(s.copy));  // the source may go now
}
inline void copy_out(int device, void* to, void const* from, index_t bytes) {
  use_device(device);
  device_state& s = state_of(device);
  RICCI_CUDA(cudaEventRecord(s.computed, s.compute));
  RICCI_CUDA(cudaStreamWaitEvent(s.copy, s.computed));
  RICCI_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, s.copy));
  RICCI_CUDA(cudaStreamSynchronize(s.copy));
}
inline void copy_within(int device, void* to, void const* from, index_t bytes) {
  use_device(device);
  RICCI_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, stream(device)));
}

// ---- f(0), ..., f(n - 1) ----

// The parameter is read where it was passed: no thread has a copy of it.
template <class F, class I>
__global__ void __launch_bounds__(256) call_with_indices(__grid_constant__ F const f, __grid_constant__ I const n) {
  I const all = static_cast<I>(gridDim.x) * 256;
  for (I i = static_cast<I>(blockIdx.x) * 256 + threadIdx.x; i < n; i += all) f(static_cast<index_t>(i));
}
// One thread for each index, or several indices for a thread where there are more than a grid holds.
constexpr index_t blocks_for(index_t n) {
  index_t const blocks = n / 256 + (n % 256 != 0), most = (index_t(1) << 31) - 1;
  return blocks < most ? blocks : most;
}
static_assert(blocks_for(1) == 1 && blocks_for(256) == 1 && blocks_for(257) == 2);
static_assert(blocks_for((index_t(1) << 62) + 1) == (index_t(1) << 31) - 1);
template <class F>
void launch_indices(int device, index_t n, F const& f) {
  use_device(device);
  call_with_indices<F, index_t><<<static_cast<unsigned>(blocks_for(n)), 256, 0, stream(device)>>>(f, n);
  RICCI_CUDA(cudaGetLastError());
}

inline auto policy(int device) { return thrust::cuda::par_nosync.on(stream(device)); }

// ---- reductions by CUB ----

struct segment_start {
  index_t length;
  RICCI_HD index_t operator()(index_t segment) const { return segment * length; }
};
// room for CUB's intermediate results; the work that uses it may outlive the call, so it goes back in the order of the
// stream
struct cub_workspace {
  void* p = nullptr;
  cudaStream_t stream;
  cub_workspace(std::size_t bytes, cudaStream_t s) : stream(s) {
    RICCI_CUDA(cudaMallocAsync(&p, bytes > 0 ? bytes : 1, s));
  }
  ~cub_workspace() { (void)cudaFreeAsync(p, stream); }
  cub_workspace(cub_workspace const&) = delete;
};
template <class V, class Value, class Combine>
void reduce_long_segments(int device, index_t segments, index_t length, Value const& value, Combine const& combine,
                          V identity, V* results) {
  use_device(device);
  cudaStream_t const s = stream(device);
  thrust::counting_iterator<index_t> const first(0);
  auto const values = thrust::make_transform_iterator(first, value);
  std::size_t bytes = 0;
  if (segments == 1) {
    RICCI_CUDA(cub::DeviceReduce::Reduce(nullptr, bytes, values, results, length, combine, identity, s));
    cub_workspace const room(bytes, s);
    RICCI_CUDA(cub::DeviceReduce::Reduce(room.p, bytes, values, results, length, combine, identity, s));
  } else {
    auto const starts = thrust::make_transform_iterator(first, segment_start{length});
    RICCI_CUDA(cub::DeviceSegmentedReduce::Reduce(nullptr, bytes, values, results, segments, starts, starts + 1,
                                                  combine, identity, s));
    cub_workspace const room(bytes, s);
    RICCI_CUDA(cub::DeviceSegmentedReduce::Reduce(room.p, bytes, values, results, segments, starts, starts + 1, combine,
                                                  identity, s));
  }
}

// ---- products by cuBLAS ----

inline cublasHandle_t blas_of(int device) {
  use_device(device);
  device_state& s = state_of(device);
  if (__atomic_load_n(&s.blas_ready, __ATOMIC_ACQUIRE)) return s.blas;
  initializing const only(s.busy);
  if (!s.blas) RICCI_CUDA(cublasCreate(&s.blas));
  RICCI_CUDA(cublasSetStream(s.blas, s.compute));
  __atomic_store_n(&s.blas_ready, true, __ATOMIC_RELEASE);
  return s.blas;
}
template <class T>
void multiply(int device, blas_product<T> const& p) {
  auto const op = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  T const one = 1, zero = 0;
  cublasHandle_t const h = blas_of(device);
  if constexpr (sizeof(T) == 4) {
    RICCI_CUDA(cublasSgemmStridedBatched_64(h, op(p.transpose_a), op(p.transpose_b), p.m, p.n, p.k, &one, p.a, p.lda,
                                            p.stride_a, p.b, p.ldb, p.stride_b, &zero, p.c, p.ldc, p.stride_c,
                                            p.batches));
  } else {
    RICCI_CUDA(cublasDgemmStridedBatched_64(h, op(p.transpose_a), op(p.transpose_b), p.m, p.n, p.k, &one, p.a, p.lda,
                                            p.stride_a, p.b, p.ldb, p.stride_b, &zero, p.c, p.ldc, p.stride_c,
                                            p.batches));
  }
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
