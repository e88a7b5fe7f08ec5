// A CUDA runtime without a GPU, for tests: as much of its interface as the device context calls. What is queued on a
// stream is executed as late as it may be, when something waits for it, so a missing wait shows; kernels run thread by
// thread, with barriers; memory of the device is memory of the host, so a sanitizer sees what kernels access. Calls are
// counted, and one of them can be made to fail (stand_in.hpp).
//
// A file includes it, by its folder in front of others, with RICCI_CUDA_STAND_IN defined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "stand_in.hpp"

#define __global__
#define __device__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureWrongThread = 908
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostAllocDefault = 0 };
using cudaStream_t = stand_in::stream*;
using cudaEvent_t = stand_in::event*;

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned n) : x(n) {}
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline stand_in::place threadIdx, blockIdx, blockDim, gridDim;

inline char const* cudaGetErrorName(cudaError_t e) {
  return e == cudaSuccess                   ? "cudaSuccess"
         : e == cudaErrorMemoryAllocation   ? "cudaErrorMemoryAllocation"
         : e == cudaErrorInsufficientDriver ? "cudaErrorInsufficientDriver"
         : e == cudaErrorInvalidDevice      ? "cudaErrorInvalidDevice"
                                            : "cudaErrorIllegalAddress";
}
inline char const* cudaGetErrorString(cudaError_t e) { return e == cudaSuccess ? "no error" : "as the test wants"; }

namespace stand_in {
// counts the call; what it returns is the fault that a test wants there
inline cudaError_t enter(char const* call) { return static_cast<cudaError_t>(runtime().enter(call)); }
// The same for what may not be called by a thread that records: that spoils what is recorded.
inline cudaError_t enter_apart(char const* call) {
  if (auto const e = enter(call)) return e;
  if (!runtime().recording) return cudaSuccess;
  runtime().recording->is_spoiled = true;
  return cudaErrorStreamCaptureUnsupported;
}
}  // namespace stand_in

inline cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return stand_in::enter("cudaDriverGetVersion");
}
inline cudaError_t cudaGetDeviceCount(int* n) {
  *n = 2;
  return stand_in::enter("cudaGetDeviceCount");
}
inline cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= 2) return cudaErrorInvalidDevice;
  return stand_in::enter("cudaSetDevice");
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) {
  if (auto const e = stand_in::enter_apart("cudaStreamCreateWithFlags")) return e;
  *s = stand_in::runtime().new_stream();
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) {
  if (auto const fault = stand_in::enter("cudaEventCreateWithFlags")) return fault;
  *e = stand_in::runtime().new_event();
  return cudaSuccess;
}
// (Events and streams that record are more than the library asks for.)
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  if (auto const fault = s->recorded ? stand_in::enter_apart("cudaEventRecord") : stand_in::enter("cudaEventRecord"))
    return fault;
  e->where = s, e->position = s->queued();
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned = 0) {
  if (auto const fault =
          s->recorded ? stand_in::enter_apart("cudaStreamWaitEvent") : stand_in::enter("cudaStreamWaitEvent"))
    return fault;
  s->queue([where = e->where, position = e->position] {
    if (where) where->execute_until(position);
  });
  return cudaSuccess;
}
inline cudaError_t cudaEventQuery(cudaEvent_t e) {
  if (auto const fault = stand_in::enter_apart("cudaEventQuery")) return fault;
  return e->where && e->where->executed() < e->position ? cudaErrorNotReady : cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  if (auto const fault = stand_in::enter_apart("cudaEventSynchronize")) return fault;
  if (e->where) e->where->execute_until(e->position);
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  if (auto const e = stand_in::enter_apart("cudaStreamSynchronize")) return e;
  s->execute_until(s->queued());
  return cudaSuccess;
}

inline cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  if (auto const e = stand_in::enter_apart("cudaMalloc")) return e;
  *p = stand_in::runtime().allocate(bytes);
  return cudaSuccess;
}
inline cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
  if (auto const e = stand_in::enter_apart("cudaHostAlloc")) return e;
  *p = stand_in::runtime().allocate(bytes);
  return cudaSuccess;
}
// these wait for all that is queued, as CUDA's do
inline cudaError_t cudaFreeHost(void* p) {
  if (auto const e = stand_in::enter_apart("cudaFreeHost")) return e;
  stand_in::runtime().execute_all();
  return stand_in::runtime().free(p) ? cudaSuccess : cudaErrorIllegalAddress;
}
inline cudaError_t cudaFree(void* p) {
  if (auto const e = stand_in::enter_apart("cudaFree")) return e;
  stand_in::runtime().execute_all();
  return stand_in::runtime().free(p) ? cudaSuccess : cudaErrorIllegalAddress;
}
inline cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t s) {
  if (auto const e = stand_in::enter("cudaMemsetAsync")) return e;
  s->queue([=] { __builtin_memset(p, value, bytes); });
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s) {
  if (auto const e = stand_in::enter(kind == cudaMemcpyHostToDevice   ? "cudaMemcpyAsync to the device"
                                     : kind == cudaMemcpyDeviceToHost ? "cudaMemcpyAsync to the host"
                                                                      : "cudaMemcpyAsync on the device"))
    return e;
  s->queue([=] { __builtin_memcpy(to, from, bytes); });
  return cudaSuccess;
}

// ---- graphs ----

using cudaGraph_t = std::shared_ptr<stand_in::work>*;
using cudaGraphExec_t = cudaGraph_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal };
enum cudaDeviceAttr { cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };

inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr asked, int) {
  *value = asked == cudaDevAttrComputeCapabilityMajor ? 8 : stand_in::most_memory_of_block;
  return stand_in::enter("cudaDeviceGetAttribute");
}
inline cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
  if (auto const e = stand_in::enter("cudaStreamBeginCapture")) return e;
  if (s->recorded) return cudaErrorStreamCaptureUnsupported;
  s->recorded = std::make_unique<stand_in::work>();
  s->is_spoiled = false;
  stand_in::runtime().recording = s;
  return cudaSuccess;
}
// ends it also where it fails
inline cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph) {
  *graph = nullptr;
  if (!s->recorded) return cudaErrorStreamCaptureUnsupported;
  std::shared_ptr<stand_in::work> const recorded(std::move(s->recorded));
  stand_in::runtime().recording = nullptr;
  if (auto const e = stand_in::enter("cudaStreamEndCapture")) return e;
  if (s->is_spoiled) return cudaErrorStreamCaptureInvalidated;
  *graph = stand_in::runtime().new_graph(recorded);
  return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (auto const e = stand_in::enter_apart("cudaGraphInstantiate")) return e;
  *exec = stand_in::runtime().new_graph(*graph);
  return cudaSuccess;
}
// These destroy it also where they fail, as they do that report what was launched before; and what was launched is
// executed all the same.
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  bool const is_one = stand_in::runtime().free_graph(graph);
  if (auto const e = stand_in::enter("cudaGraphDestroy")) return e;
  return is_one ? cudaSuccess : cudaErrorIllegalAddress;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  bool const is_one = stand_in::runtime().free_graph(exec);
  if (auto const e = stand_in::enter("cudaGraphExecDestroy")) return e;
  return is_one ? cudaSuccess : cudaErrorIllegalAddress;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s) {
  if (auto const e = stand_in::enter("cudaGraphLaunch")) return e;
  s->queue([all = *exec] {
    for (auto const& f : *all) f();
  });
  return cudaSuccess;
}

// ---- kernels ----

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum { cudaSharedmemCarveoutMaxShared = 100 };
template <class F>
cudaError_t cudaFuncSetAttribute(F*, cudaFuncAttribute, int) {
  return stand_in::enter("cudaFuncSetAttribute");
}
template <class... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** parameters, std::size_t shared_bytes,
                             cudaStream_t s) {
  if (auto const e = stand_in::enter("cudaLaunchKernel")) return e;
  if (shared_bytes > std::size_t(stand_in::most_memory_of_block)) return cudaErrorIllegalAddress;
  stand_in::runtime().note_launch(grid.x, block.x);
  auto const values = [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::tuple<std::remove_cv_t<P>...>(*static_cast<std::remove_cv_t<P>*>(parameters[K])...);
  }
  (std::index_sequence_for<P...>{});
  s->queue([=] {
    gridDim.x = grid.x, blockDim.x = block.x;
    stand_in::give_memory(shared_bytes);
    for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
      stand_in::run_block(block.x, threadIdx, [&] { std::apply(kernel, values); });
  });
  return cudaSuccess;
}
inline void __syncthreads() { stand_in::wait_for_block(); }
inline void __syncwarp() { stand_in::wait_for_warp(); }
// Of the thread whose number differs by these bits, in the warp; all of its threads ask together.
inline unsigned __shfl_xor_sync(unsigned, unsigned x, int bits) {
  static unsigned given[1024];
  given[threadIdx.x] = x;
  stand_in::wait_for_warp();
  unsigned const there = given[threadIdx.x ^ unsigned(bits)];
  stand_in::wait_for_warp();
  return there;
}
