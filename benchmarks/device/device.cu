// The device context on a GPU against its limits: a copy within the device, cuBLAS by hand, kernels by hand. Prints
// tables, or why it cannot.  device [table ...]
#include <cstring>

#include "bench.hpp"

namespace {

struct named {
  char const* name;
  void (*run)();
};
constexpr named tables[] = {
    {"chains", bench::chains},     {"products", bench::products},   {"softmax", bench::softmaxes},
    {"norms", bench::norms},       {"losses", bench::losses},       {"reductions", bench::reductions},
    {"movement", bench::movement}, {"sequences", bench::sequences}, {"steps", bench::steps}};

void measure_copy() {
  rc::index_t const n = rc::index_t(1) << 26;
  auto const x = bench::noise(rc::shape(n));
  auto y = rc::zeros_like(x);
  auto const t = bench::measure(
      [&] { RICCI_CUDA(cudaMemcpyAsync(y.data(), x.data(), 4 * n, cudaMemcpyDeviceToDevice, bench::stream())); });
  bench::copy_rate = 8. * double(n) / t.device;
  std::printf("copy of 2^26 floats within the device: %.0f us, %.0f GB/s\n", t.device * 1e6, bench::copy_rate * 1e-9);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    double const begin = bench::seconds();
    (void)rc::exec::device_backend::device_count();
    cudaDeviceProp p{};
    RICCI_CUDA(cudaGetDeviceProperties(&p, 0));
    std::printf("%s, %d multiprocessors, %d MB of L2\n", p.name, p.multiProcessorCount, p.l2CacheSize >> 20);
    measure_copy();
    for (auto const& t : tables) {
      bool wanted = argc < 2;
      for (int k = 1; k < argc; ++k) wanted = wanted || std::strcmp(argv[k], t.name) == 0;
      if (wanted) bench::table(t.name, t.run);
    }
    std::printf("%.1f s in all\n", bench::seconds() - begin);
    return 0;
  } catch (rc::error const& e) {
    std::printf("absent: %s\n", e.what());
    return 77;
  }
}
