// Copies under CUDA. They go beside the work that is queued, unless it is what they are about. Nobody waits for a copy
// to the device: its source is copied at once to memory from which the device reads by itself (pinned), and what is
// computed later comes behind it. A copy to the host is waited for.
#pragma once

#include <ricci/exec/device/cuda.hpp>

namespace ricci::exec::device_backend {
inline namespace RICCI_DEVICE_ABI {

inline constexpr index_t staging_bytes = index_t(1) << 20;
inline constexpr int staging_segments = 8;

// One after another is used; where it is in use still, there is a wait.
struct staging_segment {
  char* memory = nullptr;
  cudaEvent_t copied = nullptr;
  bool in_use = false, busy = false;
};
struct staging_ring {
  staging_segment segment[staging_segments];
  unsigned next = 0;
};
inline staging_ring& staging_of(int device) {
  static staging_ring rings[max_devices];
  return rings[device];
}
#define RICCI_CUDA_STEP(call)                                                     \
  if (cudaError_t const status_of_call = (call); status_of_call != cudaSuccess) { \
    failed = #call " at " __FILE__ ":" RICCI_CUDA_LINE(__LINE__);                 \
    return status_of_call;                                                        \
  }
// the segment's memory may be written after it
inline cudaError_t make_free(staging_segment& segment, char const*& failed) {
  if (!segment.in_use) return cudaSuccess;
  cudaError_t const status = cudaEventQuery(segment.copied);
  if (status == cudaErrorNotReady) {
    RICCI_CUDA_STEP(cudaEventSynchronize(segment.copied))
  } else if (status != cudaSuccess) {
    failed = "cudaEventQuery(segment.copied) at " __FILE__;
    return status;
  }
  segment.in_use = false;
  return cudaSuccess;
}
inline cudaError_t stage(device_state& s, staging_segment& segment, char* to, char const* from, index_t bytes,
                         char const*& failed) {
  initializing const only(segment.busy);
  if (!segment.copied) RICCI_CUDA_STEP(cudaEventCreateWithFlags(&segment.copied, cudaEventDisableTiming))
  if (!segment.memory) {
    void* p = nullptr;
    RICCI_CUDA_STEP(cudaHostAlloc(&p, static_cast<std::size_t>(staging_bytes), cudaHostAllocDefault))
    segment.memory = static_cast<char*>(p);
  }
  if (cudaError_t const status = make_free(segment, failed); status != cudaSuccess) return status;
  __builtin_memcpy(segment.memory, from, static_cast<std::size_t>(bytes));
  RICCI_CUDA_STEP(cudaMemcpyAsync(to, segment.memory, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, s.copy))
  RICCI_CUDA_STEP(cudaEventRecord(segment.copied, s.copy))
  segment.in_use = true;
  RICCI_CUDA_STEP(cudaStreamWaitEvent(s.compute, segment.copied))
  __atomic_store_n(&s.queued, true, __ATOMIC_RELEASE);
  return cudaSuccess;
}
// A graph is launched again without what the host did meanwhile.
inline void meet_host() {
  noted.meets_host = true;
  if (noted.is_recorded) core::raise<device_error>(core::text() << "a copy from or to the host cannot be recorded");
}
inline void copy_in(int device, void* to, void const* from, index_t bytes) {
  meet_host();
  use_device(device);
  device_state& s = state_of(device);
  staging_ring& ring = staging_of(device);
  RICCI_CUDA(cudaStreamWaitEvent(s.copy, s.freed));
  for (index_t done = 0; done < bytes; done += staging_bytes) {
    unsigned const k = __atomic_fetch_add(&ring.next, 1u, __ATOMIC_RELAXED) % staging_segments;
    char const* failed = "";
    cudaError_t const status =
        stage(s, ring.segment[k], static_cast<char*>(to) + done, static_cast<char const*>(from) + done,
              bytes - done < staging_bytes ? bytes - done : staging_bytes, failed);
    if (status == cudaSuccess) continue;
    // what was queued writes to memory that goes, by way of segments that would be taken for free
    (void)cudaStreamSynchronize(s.copy);
    check(status, failed);
  }
}
#undef RICCI_CUDA_STEP
// Gives the memory back through which copies go. What fails is raised by the next call.
inline void release_staging(int device) {
  for (staging_segment& segment : staging_of(device).segment) {
    initializing const only(segment.busy);
    if (!segment.memory) continue;
    device_state& s = state_of(device);
    keep_unsaid(s, cudaSetDevice(device));
    if (segment.in_use) keep_unsaid(s, cudaEventSynchronize(segment.copied));
    keep_unsaid(s, cudaFreeHost(segment.memory));
    segment.memory = nullptr, segment.in_use = false;
  }
}

// What was queued writes memory of the host that goes when an error is raised: so there it is waited for once more.
inline void wait_for_copies(cudaStream_t stream) {
  cudaError_t const status = cudaStreamSynchronize(stream);
  if (status != cudaSuccess) (void)cudaStreamSynchronize(stream);
  check(status, "cudaStreamSynchronize of the stream that copies at " __FILE__);
}
// A number comes behind what computes it; more elements go beside what is queued after that.
inline constexpr index_t most_beside_nothing = index_t(1) << 16;
inline void copy_out(int device, void* to, void const* from, index_t bytes) {
  meet_host();
  use_device(device);
  device_state& s = state_of(device);
  cudaStream_t const stream = bytes <= most_beside_nothing ? s.compute : s.copy;
  if (stream == s.copy) {
    RICCI_CUDA(cudaEventRecord(s.computed, s.compute));
    RICCI_CUDA(cudaStreamWaitEvent(s.copy, s.computed));
  }
  RICCI_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, stream));
  wait_for_copies(stream);
}
inline void copy_within(int device, void* to, void const* from, index_t bytes) {
  use_device(device);
  RICCI_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, stream(device)));
  note_queued(device);
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
