// Softmax of rows beside a kernel by hand that keeps its row in registers, and its gradient: as a part of the copy,
// where each number is read once and each result written once.
#include "bench.hpp"

namespace {

template <int Threads, class F>
__device__ float across(float x, F const& f) {
  for (int d = (Threads < 32 ? Threads : 32) / 2; d > 0; d /= 2) x = f(x, __shfl_xor_sync(~0u, x, d));
  if constexpr (Threads > 32) {
    __shared__ float of_warp[Threads / 32];
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    x = of_warp[0];
    for (int k = 1; k < Threads / 32; ++k) x = f(x, of_warp[k]);
  }
  return x;
}
// `Threads` of a block of 128 or more have a row of 4 * Threads * Packs floats.
template <int Threads, int Packs>
__global__ void __launch_bounds__(Threads < 128 ? 128 : Threads) by_hand(float4 const* x, float4* y, long rows) {
  long const i = (blockIdx.x * long(blockDim.x) + threadIdx.x) / Threads;
  int const lane = int(threadIdx.x) % Threads;
  if (i >= rows) return;
  float4 v[Packs];
  float most = -INFINITY, sum = 0;
  for (int k = 0; k < Packs; ++k) {
    v[k] = x[i * (Threads * Packs) + k * Threads + lane];
    most = fmaxf(most, fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)));
  }
  most = across<Threads>(most, [](float a, float b) { return fmaxf(a, b); });
  for (int k = 0; k < Packs; ++k) {
    v[k] = {expf(v[k].x - most), expf(v[k].y - most), expf(v[k].z - most), expf(v[k].w - most)};
    sum += v[k].x + v[k].y + (v[k].z + v[k].w);
  }
  float const scale = 1 / across<Threads>(sum, [](float a, float b) { return a + b; });
  for (int k = 0; k < Packs; ++k)
    y[i * (Threads * Packs) + k * Threads + lane] = {v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale};
}
void by_hand(float const* from, float* to, long rows, long columns) {
  auto const* x = reinterpret_cast<float4 const*>(from);
  auto* y = reinterpret_cast<float4*>(to);
  auto const s = bench::stream();
  if (columns == 128) by_hand<32, 1><<<unsigned(rows / 4), 128, 0, s>>>(x, y, rows);
  if (columns == 1024) by_hand<128, 2><<<unsigned(rows), 128, 0, s>>>(x, y, rows);
  if (columns == 4096) by_hand<256, 4><<<unsigned(rows), 256, 0, s>>>(x, y, rows);
  if (columns == 32768) by_hand<1024, 8><<<unsigned(rows), 1024, 0, s>>>(x, y, rows);
  RICCI_CUDA(cudaGetLastError());
}

}  // namespace

void bench::softmaxes() {
  print_head("softmax of rows");
  auto const gradient = rc::grad([](auto x, auto w) { return rc::sum(w * rc::softmax(x, rc::axis<1>)); });
  for (rc::index_t columns : {128, 1024, 4096, 32768}) {
    rc::index_t const rows = (rc::index_t(1) << 26) / columns;
    auto const x = noise(rc::shape(rows, columns)), w = noise(rc::shape(rows, columns), 2);
    auto y = rc::zeros_like(x);
    double const bytes = 4. * double(rows * columns);
    std::printf("%ld rows of %ld\n", long(rows), long(columns));
    row("  softmax by hand", 2 * bytes, .85, [&] { by_hand(x.data(), y.data(), long(rows), long(columns)); });
    row("  softmax", 2 * bytes, .85, [&] { y = rc::softmax(x, rc::axis<1>); });
    row("  gradient of sum(w * softmax)", 3 * bytes, .85, [&] { (void)gradient(x, w); });
  }
}
