// Attention of 8 heads, 64 wide, beside the limit of the machine: times of one thread, alternating in one process with
// a loop of nothing but multiply-adds, the least of many rounds. What part of that loop's rate the products of
// attention reach (2 of them forward, 5 backward; what is causal is counted in whole); exponentials come on top.
#include <ricci/attention.hpp>

#include "../core/timing.hpp"

namespace rc = ricci;

namespace {

template <class T>
[[gnu::noinline]] void multiply_add(T* x, long steps) {
  typedef T lanes __attribute__((vector_size(64)));
  lanes acc[10], a, b;
  __builtin_memcpy(&a, x, 64);
  __builtin_memcpy(&b, x + 64 / sizeof(T), 64);
  for (auto& s : acc) s = a;
  for (long k = 0; k < steps; ++k)
#pragma GCC unroll 16
    for (auto& s : acc) s = s * a + b;
  for (auto& s : acc) a += s;
  __builtin_memcpy(x, &a, 64);
}

template <class T>
rc::ndarray<T, 3> made(rc::index_t heads, rc::index_t places, rc::index_t width, unsigned seed) {
  rc::ndarray<T, 3> x(heads, places, width);
  for (rc::index_t k = 0; k < x.size(); ++k)
    x.data()[k] = T((seed = seed * 1664525u + 1013904223u) >> 8) / T(1 << 23) - 1;
  return x;
}

template <class T, rc::attention_options O>
void measure(char const* name, rc::index_t places) {
  constexpr rc::index_t heads = 8, width = 64;
  auto const q = made<T>(heads, places, width, 1), k = made<T>(heads, places, width, 2),
             v = made<T>(heads, places, width, 3), dy = made<T>(heads, places, width, 4);
  rc::ndarray<T, 3> y(heads, places, width);
  auto const f = [](auto a, auto b, auto c) { return rc::attention<O>(a, b, c); };
  auto const pull = rc::vjp(f)(q, k, v).second;
  alignas(64) T x[128] = {};
  constexpr long steps = 2000;
  auto const t = bench::race(
      [&] {
        y = rc::attention<O>(q, k, v);
        bench::touch(y.data());
      },
      [&] {
        auto const g = pull(dy);
        bench::touch(&g);
      },
      [&] {
        multiply_add(x, steps);
        bench::touch(x);
      });
  double const peak = double(2 * 10 * (64 / sizeof(T)) * steps) / t[2],
               product = 2. * double(heads * places * places * width);
  std::printf("%-7s %5ld  forward %9.3f ms %5.2f of the peak   backward %9.3f ms %5.2f   (peak %.0f GFLOP/s)\n", name,
              long(places), t[0] * 1e3, 2 * product / t[0] / peak, t[1] * 1e3, 5 * product / t[1] / peak, peak * 1e-9);
}

}  // namespace

int main() {
  bench::budget = .5;
  constexpr rc::attention_options causal{.causal = true};
  for (rc::index_t places : {128, 1024}) {
    measure<float, rc::attention_options{}>("float", places);
    measure<float, causal>("causal", places);
    measure<double, rc::attention_options{}>("double", places);
  }
}
