// What the tables of the device context are made with: time on the device, apart from the host's; rows that go on where
// one fails.
#pragma once

#include <cuda_runtime.h>

namespace bench {
inline long launches = 0;  // by the library
}
#define cudaLaunchKernel(...) (++::bench::launches, cudaLaunchKernel(__VA_ARGS__))
#include <ricci/device.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace rc = ricci;

namespace bench {

inline rc::device const there{};
inline cudaStream_t stream() { return rc::exec::device_backend::stream(0); }
inline void wait() { RICCI_CUDA(cudaStreamSynchronize(stream())); }

static __global__ void keep_busy(long long nanoseconds) {
  auto const now = [] {
    long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
  };
  for (long long const begin = now(); now() - begin < nanoseconds;) {
  }
}
static __global__ void fill_with_noise(float* p, long n, unsigned seed) {
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n; i += long(gridDim.x) * blockDim.x) {
    unsigned h = unsigned(i) * 2654435761u + unsigned(i >> 32) + seed;
    h = (h ^ (h >> 16)) * 0x85ebca6bu, h = (h ^ (h >> 13)) * 0xc2b2ae35u, h ^= h >> 16;
    p[i] = float(int(h)) * 4.656612873e-10f;  // -1 to 1
  }
}
// a tensor of numbers between -1 and 1
template <class Shape>
auto noise(Shape const& shape, unsigned seed = 1) {
  auto x = rc::zeros<float>(shape, there);
  fill_with_noise<<<4096, 256, 0, stream()>>>(x.data(), long(x.size()), seed);
  RICCI_CUDA(cudaGetLastError());
  return x;
}

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
struct timing {
  double device, host;  // seconds of a call: the median on the device, and what the host takes to queue it
  long launches;        // kernels of the library in a call
};
// Kernels are queued while the device is kept busy, so that what it waits for the host does not count, unless the call
// itself waits for the device.
template <class F>
timing measure(F const& f, double budget = 0.12) {
  f();
  wait();
  launches = 0;
  double const begin = seconds();
  f();
  timing t{0, seconds() - begin, launches};
  wait();
  double const whole = seconds() - begin;
  t.device = whole;
  if (whole > budget) return t;
  if (whole < 2e-3) {
    int const calls = 50;
    double const since = seconds();
    for (int k = 0; k < calls; ++k) f();
    t.host = (seconds() - since) / calls;
    wait();
  }
  cudaEvent_t first, last;
  RICCI_CUDA(cudaEventCreate(&first));
  RICCI_CUDA(cudaEventCreate(&last));
  int const rounds = int(std::clamp(budget / (whole + 3 * t.host), 3., 25.));
  std::vector<double> times;
  for (int k = 0; k < rounds; ++k) {
    keep_busy<<<1, 1, 0, stream()>>>(20000 + (long long)(2e9 * std::min(t.host, 1e-3)));
    RICCI_CUDA(cudaGetLastError());
    RICCI_CUDA(cudaEventRecord(first, stream()));
    f();
    RICCI_CUDA(cudaEventRecord(last, stream()));
    RICCI_CUDA(cudaEventSynchronize(last));
    float ms = 0;
    RICCI_CUDA(cudaEventElapsedTime(&ms, first, last));
    times.push_back(ms * 1e-3);
  }
  RICCI_CUDA(cudaEventDestroy(first));
  RICCI_CUDA(cudaEventDestroy(last));
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  t.device = times[std::size_t(rounds / 2)];
  return t;
}

inline double copy_rate = 0;  // bytes a second, read and written, of a copy within the device

inline void print_head(char const* title) {
  std::printf("\n%-44s %10s %8s %7s %6s %9s %8s\n", title, "device us", "GB/s", "of copy", "goal", "host us",
              "launches");
}
// `bytes`: the least that has to be read and written
template <class F>
double row(char const* name, double bytes, double goal, F const& f) {
  try {
    timing const t = measure(f);
    std::printf("%-44s %10.1f %8.0f %7.2f %6.2f %9.1f %8ld\n", name, t.device * 1e6, bytes / t.device * 1e-9,
                copy_rate > 0 ? bytes / t.device / copy_rate : 0, goal, t.host * 1e6, t.launches);
    std::fflush(stdout);
    return t.device;
  } catch (rc::error const& e) {
    std::printf("%-44s failed: %s\n", name, e.what());
    std::fflush(stdout);
    return 0;
  }
}
// the same for what is counted in operations, beside the same work done by hand
template <class F, class G>
void product(char const* name, double operations, F const& ours, G const& by_hand) {
  try {
    timing const hand = measure(by_hand), mine = measure(ours), again = measure(by_hand);
    double const peer = std::min(hand.device, again.device);
    std::printf("%-44s %10.1f %8.2f %7.2f %6.2f %9.1f %8ld\n", name, mine.device * 1e6,
                operations / mine.device * 1e-12, peer / mine.device, .97, mine.host * 1e6, mine.launches);
  } catch (rc::error const& e) {
    std::printf("%-44s failed: %s\n", name, e.what());
  }
  std::fflush(stdout);
}

// One of the tables; a fault that nothing can be done after ends it.
template <class F>
void table(char const* title, F const& f) {
  double const begin = seconds();
  try {
    f();
    wait();
    rc::device_memory().trim();
  } catch (rc::error const& e) {
    std::printf("%s ends here: %s\n", title, e.what());
  }
  std::printf("(%s: %.1f s)\n", title, seconds() - begin);
  std::fflush(stdout);
}

void chains();
void products();
void softmaxes();
void norms();
void losses();
void reductions();
void movement();
void sequences();
void steps();

}  // namespace bench
