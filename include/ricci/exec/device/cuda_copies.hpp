// Copies under CUDA. Large ones go beside the work that is queued, unless it is what they are about. Nobody waits for a
// copy to the device: its source is copied at once to memory from which the device reads by itself (pinned), and what
// is computed later comes behind it. A copy to the host is waited for, and raises what kernels reported.
#pragma once

#include <ricci/exec/device/cuda_outside.hpp>

namespace ricci::exec::device_backend {
inline namespace RICCI_DEVICE_ABI {

inline constexpr index_t staging_bytes = index_t(1) << 20;
inline constexpr int staging_segments = 8;

inline constexpr index_t most_behind = index_t(1) << 16;  // bytes that are copied behind what is queued, not beside it

// They are filled one after another; one is filled anew when what it held has been copied, for which there may be a
// wait. What is copied beside the work has one for itself.
struct staging_segment {
  char* memory = nullptr;
  index_t used = 0;
  cudaEvent_t copied = nullptr;
  bool in_use = false;
};
struct staging_ring {
  staging_segment segment[staging_segments];
  int current = 0;
  bool busy = false;
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
inline cudaError_t stage(device_state& s, staging_ring& ring, bool beside, char* to, char const* from, index_t bytes,
                         char const*& failed) {
  initializing const only(ring.busy);
  if (index_t const used = ring.segment[ring.current].used; beside ? used > 0 : used + bytes > staging_bytes) {
    ring.current = (ring.current + 1) % staging_segments;
    staging_segment& next = ring.segment[ring.current];
    next.used = staging_bytes;  // where there is an error
    if (cudaError_t const status = make_free(next, failed); status != cudaSuccess) return status;
    next.used = 0;
  }
  staging_segment& segment = ring.segment[ring.current];
  if (!segment.copied) RICCI_CUDA_STEP(cudaEventCreateWithFlags(&segment.copied, cudaEventDisableTiming))
  if (!segment.memory) {
    void* p = nullptr;
    RICCI_CUDA_STEP(cudaHostAlloc(&p, static_cast<std::size_t>(staging_bytes), cudaHostAllocDefault))
    segment.memory = static_cast<char*>(p);
  }
  char* const memory = segment.memory + segment.used;
  __builtin_memcpy(memory, from, static_cast<std::size_t>(bytes));
  segment.used = beside ? staging_bytes : segment.used + (bytes + 255) / 256 * 256;
  cudaStream_t const stream = beside ? s.copy : s.compute;
  RICCI_CUDA_STEP(cudaMemcpyAsync(to, memory, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, stream))
  RICCI_CUDA_STEP(cudaEventRecord(segment.copied, stream))
  segment.in_use = true;
  if (beside) RICCI_CUDA_STEP(cudaStreamWaitEvent(s.compute, segment.copied))
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
  bool const beside = bytes > most_behind;
  if (beside) RICCI_CUDA(cudaStreamWaitEvent(s.copy, s.freed));
  for (index_t done = 0; done < bytes; done += staging_bytes) {
    char const* failed = "";
    cudaError_t const status =
        stage(s, ring, beside, static_cast<char*>(to) + done, static_cast<char const*>(from) + done,
              bytes - done < staging_bytes ? bytes - done : staging_bytes, failed);
    if (status == cudaSuccess) continue;
    // what was queued writes to memory that goes, by way of segments that would be taken for free
    (void)cudaStreamSynchronize(beside ? s.copy : s.compute);
    check(status, failed);
  }
}
#undef RICCI_CUDA_STEP
// Gives the memory back through which copies go. What fails is raised by the next call.
inline void release_staging(int device) {
  staging_ring& ring = staging_of(device);
  initializing const only(ring.busy);
  for (staging_segment& segment : ring.segment) {
    if (!segment.memory) continue;
    device_state& s = state_of(device);
    keep_unsaid(s, cudaSetDevice(device));
    if (segment.in_use) keep_unsaid(s, cudaEventSynchronize(segment.copied));
    keep_unsaid(s, cudaFreeHost(segment.memory));
    segment.memory = nullptr, segment.in_use = false, segment.used = 0;
  }
}

// What was queued writes memory of the host that goes when an error is raised: so there it is waited for once more.
inline void wait_for_host_copy(cudaStream_t stream) {
  cudaError_t const status = cudaStreamSynchronize(stream);
  if (status != cudaSuccess) (void)cudaStreamSynchronize(stream);
  check(status, "cudaStreamSynchronize behind a copy to the host at " __FILE__);
}
inline void copy_out(int device, void* to, void const* from, index_t bytes) {
  meet_host();
  use_device(device);
  device_state& s = state_of(device);
  cudaStream_t const stream = bytes <= most_behind ? s.compute : s.copy;
  if (stream == s.copy) {
    RICCI_CUDA(cudaEventRecord(s.computed, s.compute));
    RICCI_CUDA(cudaStreamWaitEvent(s.copy, s.computed));
  }
  RICCI_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, stream));
  wait_for_host_copy(stream);
  raise_outside(device);
}
inline void copy_within(int device, void* to, void const* from, index_t bytes) {
  use_device(device);
  RICCI_CUDA(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, stream(device)));
  note_queued(device);
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
