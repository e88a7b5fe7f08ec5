// CUDA: memory, two streams for each device (one computes, one copies: cuda_copies.hpp), and cuBLAS. Included by
// backend.hpp, under nvcc and by tests whose runtime stands in for CUDA's.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>

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

// How many there are, which is asked once; says why where there are none.
inline int device_count() {
  static int known = 0;
  if (int const count = __atomic_load_n(&known, __ATOMIC_RELAXED)) return count;
  int driver = 0, n = 0;
  RICCI_CUDA(cudaDriverGetVersion(&driver));
  if (driver == 0)
    core::raise<device_error>(core::text() << "this program was built for CUDA, and this machine has no CUDA driver");
  if (cudaError_t const status = cudaGetDeviceCount(&n); status != cudaSuccess || n == 0)
    core::raise<device_error>(core::text() << "this program was built for CUDA, and no GPU can be used here: "
                                              "cudaGetDeviceCount: "
                                           << cudaGetErrorString(status));
  n = n < max_devices ? n : max_devices;
  __atomic_store_n(&known, n, __ATOMIC_RELAXED);
  return n;
}

// What a device works with, made when it is first used and kept as long as the program runs.
struct device_state {
  cudaStream_t compute = nullptr, copy = nullptr;
  cudaEvent_t computed = nullptr, freed = nullptr;
  cublasHandle_t blas = nullptr;
  bool busy = false, ready = false, blas_ready = false;
  bool queued = true;  // something since `freed` was recorded
  int unsaid = 0;      // what failed where nothing can be raised; the next call does
  // where a graph is recorded, by one thread at a time (cuda_graph.hpp)
  cudaStream_t record = nullptr;
  cublasHandle_t record_blas = nullptr;
  bool recording = false;
};
// What this thread has queued since somebody set this back; and whether it is recorded, and not executed.
struct queued_work {
  bool multiplies = false, meets_host = false, is_recorded = false;
};
inline constinit thread_local queued_work noted;
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
  for (cudaEvent_t* e : {&s.computed, &s.freed})
    if (!*e) RICCI_CUDA(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  if (!s.compute) RICCI_CUDA(cudaStreamCreateWithFlags(&s.compute, cudaStreamNonBlocking));
  __atomic_store_n(&s.ready, true, __ATOMIC_RELEASE);
  return s;
}
inline void use_device(int device) {
  device_state& s = state_of(device);
  if (int const status = __atomic_exchange_n(&s.unsaid, 0, __ATOMIC_RELAXED))
    check(static_cast<cudaError_t>(status),
          "cudaFree, cudaFreeHost or cudaEventRecord of memory that was given back, or cudaGraphDestroy or "
          "cudaGraphExecDestroy");
  RICCI_CUDA(cudaSetDevice(device));
}
// Something has been queued: who queues says so afterwards.
inline void note_queued(int device) { __atomic_store_n(&state_of(device).queued, true, __ATOMIC_RELEASE); }
inline cudaStream_t stream(int device) {
  note_queued(device);  // of one who does not say it (another thread may give memory back before it is queued)
  device_state const& s = state_of(device);
  return noted.is_recorded ? s.record : s.compute;
}

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
  core::raise<device_error>(core::text() << "cudaSetDevice and cudaMalloc of " << bytes << " bytes: "
                                         << cudaGetErrorString(status) << " (" << cudaGetErrorName(status) << ")");
}
inline void clear(int device, void* p, index_t bytes) {
  use_device(device);
  RICCI_CUDA(cudaMemsetAsync(p, 0, static_cast<std::size_t>(bytes), stream(device)));
  note_queued(device);
}
// Destructors call this: what fails is raised by the next call.
inline void keep_unsaid(device_state& s, cudaError_t status) {
  if (status != cudaSuccess) __atomic_store_n(&s.unsaid, int(status), __ATOMIC_RELAXED);
}
inline void deallocate(int device, void* p) {
  device_state& s = state_of(device);
  keep_unsaid(s, cudaSetDevice(device));
  keep_unsaid(s, cudaFree(p));
}
// A block that is given back may still be read by work that is queued: copies into it wait for that. (The pool calls
// this for one thread at a time, so who gives a block back finds recorded what it queued.)
inline void note_free(int device) {
  device_state& s = state_of(device);
  if (__atomic_exchange_n(&s.queued, false, __ATOMIC_ACQUIRE)) keep_unsaid(s, cudaEventRecord(s.freed, s.compute));
}
// ---- products by cuBLAS ----

inline cublasHandle_t blas_of(int device) {
  use_device(device);
  device_state& s = state_of(device);
  noted.multiplies = true;
  if (noted.is_recorded) return s.record_blas;
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
  note_queued(device);
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
