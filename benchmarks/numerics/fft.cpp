// Transforms beside FFTW (planned by measuring), in one process and alternating, the least of many rounds:
// microseconds, GFLOP/s at 5 n log2(n), and the time of FFTW over ours. Complex ones, then real ones; one row, and 64
// at once. Then what stands before and behind a transform, of rows that are too many for caches, and beside it of so
// few at a time that all stays in cache: milliseconds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>

#include <ricci/fft.hpp>

#if defined(BENCH_FFTW)
#include <fftw3.h>
#endif

namespace rc = ricci;

namespace {

#if defined(BENCH_FFTW)
template <class T>
struct peer;
template <>
struct peer<float> {
  fftwf_plan plan;
  peer(int n, int rows, std::complex<float>* x, std::complex<float>* y)
      : plan(fftwf_plan_many_dft(1, &n, rows, reinterpret_cast<fftwf_complex*>(x), nullptr, 1, n,
                                 reinterpret_cast<fftwf_complex*>(y), nullptr, 1, n, FFTW_FORWARD, FFTW_MEASURE)) {}
  peer(int n, int rows, float* x, std::complex<float>* y)
      : plan(fftwf_plan_many_dft_r2c(1, &n, rows, x, nullptr, 1, n, reinterpret_cast<fftwf_complex*>(y), nullptr, 1,
                                     n / 2 + 1, FFTW_MEASURE)) {}
  void operator()() const { fftwf_execute(plan); }
  ~peer() { fftwf_destroy_plan(plan); }
};
template <>
struct peer<double> {
  fftw_plan plan;
  peer(int n, int rows, std::complex<double>* x, std::complex<double>* y)
      : plan(fftw_plan_many_dft(1, &n, rows, reinterpret_cast<fftw_complex*>(x), nullptr, 1, n,
                                reinterpret_cast<fftw_complex*>(y), nullptr, 1, n, FFTW_FORWARD, FFTW_MEASURE)) {}
  peer(int n, int rows, double* x, std::complex<double>* y)
      : plan(fftw_plan_many_dft_r2c(1, &n, rows, x, nullptr, 1, n, reinterpret_cast<fftw_complex*>(y), nullptr, 1,
                                    n / 2 + 1, FFTW_MEASURE)) {}
  void operator()() const { fftw_execute(plan); }
  ~peer() { fftw_destroy_plan(plan); }
};
#else
template <class T>
struct peer {
  peer(int, int, auto*, auto*) {}
  void operator()() const {}
};
#endif

double seconds(auto const& f, int times) {
  auto const start = std::chrono::steady_clock::now();
  for (int k = 0; k < times; ++k) f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}
void row(char const* name, int n, int rows, double operations, auto const& ours, auto const& theirs) {
  int const times = std::max(1, 100000 / n / rows);
  double a = 1e9, b = 1e9;
  for (int k = 0; k < 40; ++k) a = std::min(a, seconds(ours, times)), b = std::min(b, seconds(theirs, times));
  std::printf("%-16s %6d x %2d  %9.2f us  %5.1f GFLOP/s", name, n, rows, a * 1e6, operations * rows / a / 1e9);
#if defined(BENCH_FFTW)
  std::printf("  %.2f of FFTW", b / a);
#endif
  std::printf("\n");
}
template <class T>
void compare(int n, int rows) {
  rc::ndarray<std::complex<T>, 2> x(rows, n), y(rows, n), half(rows, n / 2 + 1);
  rc::ndarray<T, 2> r(rows, n);
  peer<T> const theirs(n, rows, x.data(), y.data()), theirs_real(n, rows, r.data(), half.data());  // they write on both
  for (int k = 0; k < n * rows; ++k) x.data()[k] = {T(std::sin(k)), T(std::cos(3 * k))}, r.data()[k] = T(std::sin(k));
  bool const single = sizeof(T) == 4;
  double const operations = 5. * n * std::log2(n);
  row(
      single ? "fft, float" : "fft, double", n, rows, operations, [&] { y = rc::fft::fft(x); }, theirs);
  row(
      single ? "rfft, float" : "rfft, double", n, rows, operations / 2, [&] { half = rc::fft::rfft(r); }, theirs_real);
}

void one_pass(char const* name, auto const& whole, auto const& few, int times) {
  double a = 1e9, b = 1e9;
  for (int k = 0; k < 15; ++k) a = std::min(a, seconds(whole, 1)), b = std::min(b, seconds(few, 1) * times);
  std::printf("%-32s %9.2f ms, in cache %9.2f ms, %.2f of it\n", name, a * 1e3, b * 1e3, b / a);
}
void passes() {
  constexpr int rows = 4096, n = 1024, few = 8, hop = 256;
  rc::ndarray<float, 2> x(rows, n), y(rows, n), half(rows, n / 2 + 1), a(few, n), b(few, n), c(few, n / 2 + 1);
  for (int k = 0; k < rows * n; ++k) x.data()[k] = std::sin(float(k));
  a = x(rc::range(0, few));
  rc::ndarray<float, 1> const w = rc::fft::hann<float>(n), signal = rc::reshape(x, rc::shape(rows * n)),
                              part = signal(rc::range(0, (few - 1) * hop + n));
  one_pass(
      "abs(fft(w * x))", [&] { y = rc::abs(rc::fft::fft(w * x)); }, [&] { b = rc::abs(rc::fft::fft(w * a)); },
      rows / few);
  one_pass(
      "square(abs(rfft(w * x)))", [&] { half = rc::square(rc::abs(rc::fft::rfft(w * x))); },
      [&] { c = rc::square(rc::abs(rc::fft::rfft(w * a))); }, rows / few);
  one_pass(
      "abs(dct(w * x))", [&] { y = rc::abs(rc::fft::dct(w * x)); }, [&] { b = rc::abs(rc::fft::dct(w * a)); },
      rows / few);
  rc::ndarray<float, 2> frames((rows * n - n) / hop + 1, n / 2 + 1);
  one_pass(
      "square(abs(stft(x, w, 256)))", [&] { frames = rc::square(rc::abs(rc::fft::stft(signal, w, hop))); },
      [&] { c = rc::square(rc::abs(rc::fft::stft(part, w, hop))); }, int(frames.shape(0)) / few);
}

}  // namespace

int main() {
  passes();
  for (int rows : {1, 64})
    for (int n : {16, 64, 256, 1024, 4096, 65536, 60, 1000, 1009})
      if (n * rows <= 1 << 18) compare<float>(n, rows), compare<double>(n, rows);
}
