// Convolutions against the peak of fused multiply-adds, depthwise ones and pooling against a copy of as many bytes, all
// on one thread of this process, the least of many rounds: floats, 16 images of 56 x 56 and the like.
#include <chrono>
#include <cstdio>
#include <cstring>

#include <ricci/conv.hpp>

namespace rc = ricci;

namespace {

double rounds = 25;

template <class F>
double least_seconds(F const& f) {
  double least = 1e300;
  for (int k = 0; k < int(rounds); ++k) {
    auto const start = std::chrono::steady_clock::now();
    f();
    asm volatile("" ::: "memory");
    double const taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (taken < least) least = taken;
  }
  return least;
}
// floating-point operations a second of registers that are multiplied and added to
double measured_peak() {
  using P = rc::simd::pack<float>;
  constexpr int chains = 12, steps = 200000;
  float out[P::size * chains];
  double const seconds = least_seconds([&] {
    P sum[chains];
    P a(1.0000001f), b(1e-7f);
    asm volatile("" : "+m"(a), "+m"(b));
    for (int c = 0; c < chains; ++c) sum[c] = P(float(c));  // equal ones would be computed once
    for (int k = 0; k < steps; ++k)
#pragma GCC unroll 12
      for (auto& s : sum) s = rc::simd::fma(s, a, b);
    for (int c = 0; c < chains; ++c) sum[c].store(out + c * P::size);
    asm volatile("" : : "r"(out) : "memory");
  });
  return 2. * P::size * chains * steps / seconds;
}
// bytes that a copy reads and writes a second, of as many as given
double copied(double bytes) {
  auto const n = rc::index_t(bytes / 8) + 1;
  rc::ndarray<float, 1> from = rc::ones<float>(rc::shape(n)), to = rc::zeros<float>(rc::shape(n));
  double const seconds = least_seconds([&] {
    std::memcpy(to.data(), from.data(), std::size_t(n) * sizeof(float));
    asm volatile("" : : "r"(to.data()) : "memory");
  });
  return 8. * double(n) / seconds;
}

template <class... N>
auto sample(N... n) {
  rc::ndarray<float, sizeof...(N)> x(n...);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = float(k * 7919 % 1013) / 1013 - .5f;
  return x;
}
// with extents that the compiler knows, as those of layers are, where they are said
template <rc::index_t... N>
auto weights_of(rc::extents<N...>, rc::ndarray<float, 4> const& w) {
  return rc::tensor<float, N...>(w);
}
// One convolution and the gradients of its images and weights, as parts of the peak.
template <rc::conv_options O, class Weights = rc::extents<rc::dyn, rc::dyn, rc::dyn, rc::dyn>>
void convolve(char const* name, double peak, int images, int height, int channels, int window, int features) {
  auto const x = sample(images, height, height, channels);
  auto const some = sample(window, window, int(channels / O.groups), features);
  auto const w = weights_of(Weights{}, some);
  rc::ndarray<float, 4> y = rc::conv<O>(x, w);
  auto const f = [](auto a, auto b) { return rc::conv<O>(a, b); };
  auto const by_x = rc::fn([f](auto a, auto b, auto ct) {
    auto const [value, back] = rc::vjp([b, f](auto t) { return f(t, b); })(a);
    return std::get<0>(back(ct));
  });
  auto const by_w = rc::fn([f](auto a, auto b, auto ct) {
    auto const [value, back] = rc::vjp([a, f](auto t) { return f(a, t); })(b);
    return std::get<0>(back(ct));
  });
  double const operations = 2. * double(y.size()) * window * window * double(channels / O.groups);
  double const bytes = 4. * double(x.size() + y.size());
  double const forward = least_seconds([&] { y = rc::conv<O>(x, w); });
  auto const ct = rc::ndarray<float, 4>(y);
  double const of_images = least_seconds([&] { auto const g = by_x(x, w, ct); });
  double const of_weights = least_seconds([&] { auto const g = by_w(x, w, ct); });
  double const copy = bytes / copied(bytes);
  std::printf("%-34s %6.2f %6.2f %6.2f   %6.2f %6.2f %6.2f\n", name, operations / forward / peak,
              operations / of_images / peak, operations / of_weights / peak, copy / forward, copy / of_images,
              copy / of_weights);
}
template <rc::pool_options O>
void pool(char const* name, int images, int height, int channels) {
  static constexpr rc::pool_options averages{
      .window = O.window, .stride = O.stride, .pad = O.pad, .zeros = rc::pool_zeros::counted};
  auto const x = sample(images, height, height, channels);
  rc::ndarray<float, 4> y = rc::max_pool<O>(x);
  auto const ct = rc::ndarray<float, 4>(y);
  auto const back_of = [](auto f) {
    return rc::fn([f](auto a, auto c) {
      auto const [value, back] = rc::vjp(f)(a);
      return std::get<0>(back(c));
    });
  };
  auto const of_max = back_of([](auto a) { return rc::max_pool<O>(a); });
  auto const of_avg = back_of([](auto a) { return rc::avg_pool<averages>(a); });
  double const bytes = 4. * double(x.size() + y.size()), three = bytes + 4. * double(x.size());
  double const max = least_seconds([&] { y = rc::max_pool<O>(x); });
  double const avg = least_seconds([&] { y = rc::avg_pool<averages>(x); });
  double const max_back = least_seconds([&] { auto const g = of_max(x, ct); });
  double const avg_back = least_seconds([&] { auto const g = of_avg(x, ct); });
  double const rate = copied(bytes);
  std::printf("%-34s %6.2f %6.2f %6.2f %6.2f\n", name, bytes / rate / max, bytes / rate / avg, three / rate / max_back,
              bytes / rate / avg_back);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "--quick") == 0) rounds = 3;
  double const peak = measured_peak();
  std::printf("float, one thread; peak of fused multiply-adds: %.0f GFLOPS\n\n", peak * 1e-9);
  std::printf("%-34s parts of the peak       parts of a copy of images and results\n", "convolution");
  std::printf("%-34s result images weights   result images weights\n", "");
  using how = rc::conv_options;
  convolve<how{.pad = 1}>("3 x 3, 64 -> 64, 1 of 56 x 56", peak, 1, 56, 64, 3, 64);
  convolve<how{.stride = 2, .pad = 1}>("3 x 3 / 2, 64 -> 128, 1 of 56 x 56", peak, 1, 56, 64, 3, 128);
  convolve<how{}>("1 x 1, 64 -> 256, 1 of 56 x 56", peak, 1, 56, 64, 1, 256);
  convolve<how{.stride = 2, .pad = 3}>("7 x 7 / 2, 3 -> 64, 1 of 224 x 224", peak, 1, 224, 3, 7, 64);
  convolve<how{.pad = 1}>("3 x 3, 3 -> 64, 1 of 224 x 224", peak, 1, 224, 3, 3, 64);
  convolve<how{}>("5 x 5, 1 -> 6, 32 of 28 x 28", peak, 32, 28, 1, 5, 6);
  convolve<how{.pad = 1, .groups = 64}, rc::extents<3, 3, 1, 64>>("3 x 3 depthwise, 64, 4 of 56 x 56", peak, 4, 56, 64,
                                                                  3, 64);
  std::printf("\n%-34s parts of a copy of the bytes that are read and written\n", "pooling");
  std::printf("%-34s    max    avg   max'   avg'\n", "");
  using pools = rc::pool_options;
  pool<pools{.window = {2, 2}}>("2 x 2 / 2, 64, 4 of 112 x 112", 4, 112, 64);
  pool<pools{.window = {3, 3}, .stride = 2, .pad = 1}>("3 x 3 / 2, 64, 4 of 112 x 112", 4, 112, 64);
  pool<pools{.window = {3, 3}, .stride = 1, .pad = 1}>("3 x 3 / 1, 64, 4 of 112 x 112", 4, 112, 64);
  pool<pools{.window = {2, 2}}>("2 x 2 / 2, 3, 16 of 224 x 224", 16, 224, 3);
  pool<pools{.window = {2, 2}}>("2 x 2 / 2, 1, 64 of 224 x 224", 64, 224, 1);
}
