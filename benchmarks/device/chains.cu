// Elementwise statements, the first beside a kernel by hand; of few elements, where launches show; over what is
// broadcast or transposed.
#include "bench.hpp"

namespace {

// 2x + z*x - z/3, as one would write it by hand
__global__ void by_hand(float4 const* x, float4 const* z, float4* y, long n) {
  auto const f = [](float a, float b) { return 2.f * a + b * a - b / 3.f; };
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n; i += long(gridDim.x) * blockDim.x) {
    float4 const a = x[i], b = z[i];
    y[i] = {f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)};
  }
}

}  // namespace

void bench::chains() {
  print_head("elementwise");
  for (rc::index_t n : {rc::index_t(1) << 26, rc::index_t(1) << 20, rc::index_t(1) << 16, rc::index_t(1) << 10}) {
    auto const x = noise(rc::shape(n)), z = noise(rc::shape(n), 2);
    auto y = rc::zeros_like(x);
    double const bytes = double(n) * 4;
    std::printf("%ld floats\n", long(n));
    row("  2x + z*x - z/3 by hand", 3 * bytes, .9, [&] {
      by_hand<<<unsigned((n / 4 + 255) / 256), 256, 0, stream()>>>(reinterpret_cast<float4 const*>(x.data()),
                                                                   reinterpret_cast<float4 const*>(z.data()),
                                                                   reinterpret_cast<float4*>(y.data()), long(n / 4));
      RICCI_CUDA(cudaGetLastError());
    });
    row("  2x + z*x - z/3", 3 * bytes, .9, [&] { y = 2.f * x + z * x - z / 3.f; });
    if (n == rc::index_t(1) << 20) continue;
    row("  exp(-x*x) * tanh(z)", 3 * bytes, .9, [&] { y = rc::exp(-x * x) * rc::tanh(z); });
    row("  log1p(exp(x))", 2 * bytes, .9, [&] { y = rc::log1p(rc::exp(x)); });
    if (n > 1 << 20) row("  x += z", 3 * bytes, .9, [&] { y += z; });
  }
  rc::index_t const n = 8192;
  auto const a = noise(rc::shape(n, n)), b = noise(rc::shape(n, n), 2), col = noise(rc::shape(n, 1), 4);
  auto const line = noise(rc::shape(n), 3);
  auto c = rc::zeros_like(a);
  double const bytes = 4. * double(n) * double(n);
  std::printf("8192 by 8192\n");
  row("  A + row", 2 * bytes, .9, [&] { c = a + line; });
  row("  A * row + col", 2 * bytes, .9, [&] { c = a * line + col; });
  row("  A.T() + B", 3 * bytes, .7, [&] { c = a.T() + b; });
  row("  A.T()", 2 * bytes, .7, [&] { c = a.T(); });
  row("  A(::, 1:) - A(::, :-1)", 2 * bytes, .7,
      [&] { c(rc::all, rc::range(1, n)) = a(rc::all, rc::range(1, n)) - a(rc::all, rc::range(0, n - 1)); });
}
