// The device context on a GPU against its limits: fused chains of 2^26 floats against a copy within the device,
// products against the same call of cuBLAS by hand. Prints a table, or why it cannot.
#include <ricci/device.hpp>

#include <algorithm>
#include <cstdio>

namespace rc = ricci;

namespace {

cudaStream_t stream() { return rc::exec::device_backend::stream(0); }

// the best of several rounds, in seconds
template <class F>
double best(F const& f, int rounds = 20) {
  cudaEvent_t begin, end;
  RICCI_CUDA(cudaEventCreate(&begin));
  RICCI_CUDA(cudaEventCreate(&end));
  f();
  double least = 1e300;
  for (int k = 0; k < rounds; ++k) {
    RICCI_CUDA(cudaEventRecord(begin, stream()));
    f();
    RICCI_CUDA(cudaEventRecord(end, stream()));
    RICCI_CUDA(cudaEventSynchronize(end));
    float ms = 0;
    RICCI_CUDA(cudaEventElapsedTime(&ms, begin, end));
    least = std::min(least, ms * 1e-3);
  }
  RICCI_CUDA(cudaEventDestroy(begin));
  RICCI_CUDA(cudaEventDestroy(end));
  return least;
}

void chains() {
  rc::index_t const n = rc::index_t(1) << 26;
  rc::device const there{};
  auto const x = rc::full<float>(rc::shape(n), 0.5f, there), z = rc::full<float>(rc::shape(n), 0.25f, there);
  auto y = rc::zeros_like(x);
  double const copy = 8. * double(n) / best([&] {
                        RICCI_CUDA(cudaMemcpyAsync(y.data(), x.data(), 4 * n, cudaMemcpyDeviceToDevice, stream()));
                      });
  std::printf("%-34s %8.0f GB/s\n", "copy within the device", copy * 1e-9);
  auto const row = [&](char const* name, double bytes, auto const& f) {
    double const rate = bytes * double(n) / best(f);
    std::printf("%-34s %8.0f GB/s  %5.2f of the copy (goal .85)\n", name, rate * 1e-9, rate / copy);
  };
  row("2x + z*x - z/3", 12, [&] { y = 2.f * x + z * x - z / 3.f; });
  row("exp(-x*x) * tanh(z)", 12, [&] { y = rc::exp(-x * x) * rc::tanh(z); });
  row("log1p(exp(x))", 8, [&] { y = rc::log1p(rc::exp(x)); });
  row("sum(x)", 4, [&] { rc::eval(rc::sum(x)); });
}

void products() {
  rc::device const there{};
  for (int n : {512, 1024, 4096, 8192}) {
    auto const a = rc::full<float>(rc::shape(n, n), 0.5f, there), b = rc::full<float>(rc::shape(n, n), 0.25f, there);
    auto c = rc::zeros_like(a);
    float const one = 1, zero = 0;
    double const by_hand = best([&] {
      RICCI_CUDA(cublasSgemm(rc::exec::device_backend::blas_of(0), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b.data(), n,
                             a.data(), n, &zero, c.data(), n));
    });
    double const ours = best([&] { c = rc::matmul(a, b); });
    double const transposed = best([&] { c = rc::matmul(a.T(), b); });
    std::printf("matmul %-5d %29.1f TFLOP/s  %5.2f of cuBLAS by hand (goal .95), a.T() %.2f\n", n,
                2e-12 * n * n * double(n) / ours, by_hand / ours, by_hand / transposed);
  }
}

}  // namespace

int main() {
  try {
    chains();
    products();
  } catch (rc::device_error const& e) {
    std::printf("absent: %s\n", e.what());
  }
}
