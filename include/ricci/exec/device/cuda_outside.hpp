// Indices outside of their axis, found by the kernels that read rows by them: nobody waits for a check. Such a kernel
// reads nothing there, leaves the row that it was to write as it is, and reports the index; the next one who waits for
// the device (copies to the host, and numbers that are read) raises the error.
#pragma once

#include <ricci/core/raise_index.hpp>
#include <ricci/exec/device/cuda.hpp>

namespace ricci::exec::device_backend {
inline namespace RICCI_DEVICE_ABI {

// The first of a step's indices that lies outside, of the first such step; in memory of the host, which kernels write
// where they find one, and never read else.
struct outside_report {
  char const* operation;  // null: there is none
  index_t step, place;    // which one of the step's indices
  index_t index, choices;
};
inline outside_report*& outside_of(int device) {
  static outside_report* reports[max_devices];
  return reports[device];
}
// It stays where it is as long as the program runs, since recorded work knows its address.
inline outside_report* report_of(int device) {
  outside_report*& report = outside_of(device);
  if (outside_report* const known = __atomic_load_n(&report, __ATOMIC_ACQUIRE)) return known;
  use_device(device);
  initializing const only(state_of(device).busy);
  if (report) return report;
  void* p = nullptr;
  RICCI_CUDA(cudaHostAlloc(&p, sizeof(outside_report), cudaHostAllocDefault));
  auto* const made = static_cast<outside_report*>(p);
  *made = {};
  __atomic_store_n(&report, made, __ATOMIC_RELEASE);
  return made;
}
// Raises what was reported, once; after a wait for what may have reported it.
inline void raise_outside(int device) {
  outside_report* const report = __atomic_load_n(&outside_of(device), __ATOMIC_ACQUIRE);
  if (!report) return;
  index_t const index = report->index, choices = report->choices;
  if (char const* const operation = __atomic_exchange_n(&report->operation, nullptr, __ATOMIC_ACQ_REL))
    core::raise_index(operation, index, choices);
}

// One thread at a time.
#if defined(__CUDACC__)
static __device__ unsigned outside_is_busy = 0;
#endif
// The part of a kernel: what it says of an index that lies outside.
struct outside_notes {
  outside_report* report;
  char const* operation;
  index_t step;
  RICCI_HD void operator()(index_t place, index_t index, index_t choices) const {
    outside_report volatile* const r = report;
    bool done = false;
    while (!done) {
#if defined(__CUDA_ARCH__)
      if (atomicCAS(&outside_is_busy, 0u, 1u) != 0u) continue;
      __threadfence_system();
#endif
      if (!r->operation || (r->step == step && place < r->place)) {
        r->step = step;
        r->place = place;
        r->index = index;
        r->choices = choices;
        r->operation = operation;
      }
#if defined(__CUDA_ARCH__)
      __threadfence_system();
      atomicExch(&outside_is_busy, 0u);
#endif
      done = true;
    }
  }
};
inline outside_notes notes_of_outside(int device, char const* operation) {
  static index_t steps = 0;
  return {report_of(device), operation, __atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED)};
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
