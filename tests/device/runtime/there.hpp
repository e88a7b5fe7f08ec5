// The device of the stand-in, its runtime, and what lies there. Compiled by nvcc the device is a GPU, and the linker
// puts what counts launches before the runtime's own (-Xlinker --wrap=cudaLaunchKernel).
#pragma once

#include <ricci/device.hpp>

#include "../../numbers.hpp"

#if defined(__CUDACC__)
#include <string>
#include <vector>

namespace {

struct launch_counter {
  struct launch {
    unsigned blocks, threads;
  };
  void forget_counts() { launches_.clear(); }
  long count(std::string const&) const { return long(launches_.size()); }
  std::vector<launch> const& launches() const { return launches_; }
  void note_launch(unsigned blocks, unsigned threads) { launches_.push_back({blocks, threads}); }

 private:
  std::vector<launch> launches_;
} runtime;

}  // namespace

extern "C" {
cudaError_t __real_cudaLaunchKernel(void const*, dim3, dim3, void**, std::size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t on) {
  runtime.note_launch(grid.x, block.x);
  return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, on);
}
}
#endif

namespace {

ricci::device const there{};
#if !defined(__CUDACC__)
auto& runtime = stand_in::runtime();
#endif

template <class X>
numbers elements(X const& x) {
  return numbers(ricci::copy(x, ricci::cpu{}));
}

}  // namespace
