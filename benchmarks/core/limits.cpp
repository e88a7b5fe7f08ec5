// What one core can do at most: fused multiply-adds in registers, and streams through memory.
#include <ricci/exec/cpu/math.hpp>
#include <ricci/exec/cpu/memory.hpp>
#include <vector>

#include "timing.hpp"

namespace bench {
namespace {

#if RICCI_HAS_XSIMD
using lanes = ricci::simd::pack<float>;
inline lanes fma(lanes a, lanes b, lanes c) { return ricci::simd::fma(a, b, c); }
#else
struct lanes {
  static constexpr int size = 1;
  float v;
  lanes(float x = 0) : v(x) {}
  static lanes load(float const* p) { return *p; }
  void store(float* p) const { *p = v; }
  friend lanes operator+(lanes a, lanes b) { return a.v + b.v; }
};
inline lanes fma(lanes a, lanes b, lanes c) { return a.v * b.v + c.v; }
#endif

float* aligned(std::vector<float>& memory) {
  auto const at = reinterpret_cast<std::uintptr_t>(memory.data());
  return reinterpret_cast<float*>((at + 63) / 64 * 64);
}

[[gnu::noinline]] void multiply_add(float* out, long steps) {
  constexpr int n = 12;  // enough to hide the latency, few enough for 16 registers
  lanes acc[n];
  for (int k = 0; k < n; ++k) acc[k] = lanes(out[k]);
  lanes const x(out[n]), y(out[n + 1]);
  for (long s = 0; s < steps; ++s)
    for (int k = 0; k < n; ++k) acc[k] = fma(acc[k], x, y);
  for (int k = 1; k < n; ++k) acc[0] = acc[0] + acc[k];
  acc[0].store(out);
}
[[gnu::noinline]] void triad(float* x, float const* y, float const* z, float s, long n) {
  lanes const f(s);
  long i = 0;
  for (; i + lanes::size <= n; i += lanes::size) fma(f, lanes::load(z + i), lanes::load(y + i)).store(x + i);
  for (; i < n; ++i) x[i] = y[i] + s * z[i];
}
[[gnu::noinline]] void read(float* out, float const* x, long n) {
  lanes acc[8] = {lanes(0.f), lanes(0.f), lanes(0.f), lanes(0.f), lanes(0.f), lanes(0.f), lanes(0.f), lanes(0.f)};
  for (long i = 0; i + 8 * lanes::size <= n; i += 8 * lanes::size)
    for (int k = 0; k < 8; ++k) {
      __builtin_prefetch(x + i + k * lanes::size + 512);
      acc[k] = acc[k] + lanes::load(x + i + k * lanes::size);
    }
  for (int k = 1; k < 8; ++k) acc[0] = acc[0] + acc[k];
  acc[0].store(out);
}

}  // namespace

double fma_peak() {
  alignas(64) float out[64] = {};
  out[12] = 0.5f, out[13] = 1.f;
  constexpr long steps = 2000;
  auto const t = race([&] { multiply_add(out, steps), touch(out); });
  return 2. * 12 * lanes::size * steps / t[0];
}
double triad_bandwidth(long n) {
  std::vector<float> x(std::size_t(n) + 16, 1.f), y(x), z(x);
  auto const t = race([&] { triad(aligned(x), aligned(y), aligned(z), 0.5f, n), touch(x.data()); });
  return 12. * double(n) / t[0];
}
double read_bandwidth(long n) {
  std::vector<float> x(std::size_t(n) + 16, 1.f);
  alignas(64) float out[64];
  auto const t = race([&] { read(out, aligned(x), n), touch(out); });
  return 4. * double(n) / t[0];
}

}  // namespace bench
