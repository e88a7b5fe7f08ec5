// Products beside the same call of cuBLAS by hand, with the same handle and so the same mode.
#include "bench.hpp"

namespace {

float const one = 1, zero = 0;

// C (m, n) = A (m, k) B (k, n), all row-major
void by_hand(float const* a, float const* b, float* c, int m, int n, int k) {
  RICCI_CUDA(cublasSgemm(rc::exec::device_backend::blas_of(0), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k,
                         &zero, c, n));
}
__global__ void bias_and_relu(float4 const* bias, float4* c, long n, int packs_in_row) {
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n; i += long(gridDim.x) * blockDim.x) {
    float4 const x = c[i], b = bias[i % packs_in_row];
    c[i] = {fmaxf(x.x + b.x, 0), fmaxf(x.y + b.y, 0), fmaxf(x.z + b.z, 0), fmaxf(x.w + b.w, 0)};
  }
}

}  // namespace

void bench::products() {
  std::printf("\n%-44s %10s %8s %7s %6s %9s %8s\n", "products of floats", "device us", "TFLOP/s", "of hand", "goal",
              "host us", "launches");
  char name[64];
  struct size {
    int m, n, k;
  };
  for (auto const [m, n, k] :
       {size{512, 512, 512}, size{1024, 1024, 1024}, size{4096, 4096, 4096}, size{8192, 8192, 8192},
        size{8192, 64, 1024}, size{16, 4096, 4096}, size{128, 128, 784}, size{1, 4096, 4096}}) {
    auto const a = noise(rc::shape(m, k)), b = noise(rc::shape(k, n), 2);
    auto c = rc::zeros<float>(rc::shape(m, n), there);
    std::snprintf(name, sizeof name, "(%d, %d) (%d, %d)", m, k, k, n);
    product(
        name, 2. * m * n * k, [&] { c = rc::matmul(a, b); }, [&] { by_hand(a.data(), b.data(), c.data(), m, n, k); });
  }
  for (int n : {1024, 4096}) {
    auto const a = noise(rc::shape(n, n)), b = noise(rc::shape(n, n), 2);
    auto c = rc::zeros_like(a);
    std::snprintf(name, sizeof name, "A.T() B, %d", n);
    product(
        name, 2. * n * n * n, [&] { c = rc::matmul(a.T(), b); },
        [&] {
          RICCI_CUDA(cublasSgemm(rc::exec::device_backend::blas_of(0), CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one,
                                 b.data(), n, a.data(), n, &zero, c.data(), n));
        });
  }
  {
    int const batches = 256, n = 128;
    auto const a = noise(rc::shape(batches, n, n)), b = noise(rc::shape(batches, n, n), 2);
    auto c = rc::zeros_like(a);
    product(
        "256 of (128, 128) (128, 128)", 2. * batches * n * n * n, [&] { c = rc::matmul(a, b); },
        [&] {
          RICCI_CUDA(cublasSgemmStridedBatched(rc::exec::device_backend::blas_of(0), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n,
                                               &one, b.data(), n, n * n, a.data(), n, n * n, &zero, c.data(), n, n * n,
                                               batches));
        });
  }
  for (int n : {1024, 4096}) {
    auto const a = noise(rc::shape(n, n)), b = noise(rc::shape(n, n), 2), bias = noise(rc::shape(1, n), 3);
    auto const line = rc::eval(rc::reshape(bias, rc::shape(n)));
    auto c = rc::zeros_like(a);
    std::snprintf(name, sizeof name, "relu(A B + b), %d", n);
    product(
        name, 2. * n * n * n, [&] { c = rc::relu(rc::matmul(a, b) + line); },
        [&] {
          by_hand(a.data(), b.data(), c.data(), n, n, n);
          bias_and_relu<<<unsigned(n * n / 1024), 256, 0, stream()>>>(
              reinterpret_cast<float4 const*>(line.data()), reinterpret_cast<float4*>(c.data()), n * n / 4, n / 4);
          RICCI_CUDA(cudaGetLastError());
        });
  }
}
