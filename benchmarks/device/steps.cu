// A step of training of the digits' net by Adam, as two functions (nvcc 13.0 crashes on one), and what the host takes
// to start a small statement.
#include <cmath>

#include "bench.hpp"
#include "net.hpp"

namespace {

using bench::batch, bench::classes, bench::loss;
constexpr int pixels = 784;
constexpr auto adam_step = [](auto p, auto mean, auto square, auto const& gradient) {
  rc::tree_map(
      [](auto& w, auto& m, auto& v, auto const& g) {
        m = 0.9f * m + 0.1f * g;
        v = 0.999f * v + 0.001f * g * g;
        w = w - 0.001f * m / (rc::sqrt(v) + 1e-4f);
      },
      p, mean, square, gradient);
  return std::tuple(p, mean, square);
};
}  // namespace

void bench::steps() {
  std::printf("\n%-44s %10s %9s %9s %8s\n", "a step of training, 784-128-10, batch 128", "device us", "host us",
              "wall us", "launches");
  bench::net<pixels>::params<> start;
  float x = 0;
  for (float& e : start.w1) e = .05f * std::sin(++x);
  for (float& e : start.w2) e = .1f * std::sin(++x);
  rc::tensor<float, batch, pixels> host_images;
  rc::tensor<float, batch, classes> host_targets;
  for (float& e : host_images) e = std::sin(++x);
  for (int k = 0; k < batch; ++k) host_targets(k, k % classes) = 1;
  auto const images = rc::copy(host_images, there);
  auto const targets = rc::copy(host_targets, there);
  auto p = rc::copy(start, there);
  auto mean = rc::zeros_like(p), square = rc::zeros_like(p);
  float value = 0, first = 0;
  auto const show = [&](char const* name, auto const& f) {
    auto const t = measure(f);
    wait();
    int const steps = 300;
    double const begin = seconds();
    for (int k = 0; k < steps; ++k) f();
    wait();
    std::printf("%-44s %10.1f %9.1f %9.1f %8ld\n", name, t.device * 1e6, t.host * 1e6,
                (seconds() - begin) / steps * 1e6, t.launches);
    std::fflush(stdout);
  };
  auto const update = [&](auto const& gradient) {
    auto [next, m, s] = rc::fn(adam_step)(p, mean, square, gradient);
    p = std::move(next), mean = std::move(m), square = std::move(s);
  };
  auto const one_step = [&](bool reads) {
    auto [v, gradient] = rc::value_and_grad(loss)(p, images, targets);
    update(gradient);
    if (reads) value = v.item();
  };
  one_step(true);
  first = value;
  show("two functions: gradient, Adam", [&] { one_step(false); });
  show("  loss and batch over the bus", [&] {
    auto [v, gradient] = rc::value_and_grad(loss)(p, rc::copy(host_images, there), rc::copy(host_targets, there));
    update(gradient);
    value = v.item();
  });
  std::printf("loss %.4f, then %.4f\n", double(first), double(value));
  show("loss and gradient alone", [&] { (void)rc::value_and_grad(loss)(p, images, targets); });
  auto y = rc::zeros<float>(rc::shape(64), there);
  auto const z = rc::ones<float>(rc::shape(64), there);
  show("y = 2y + z, 64 dynamic floats", [&] { y = 2.f * y + z; });
  auto a = rc::zeros<float>(rc::extents<64>{}, there);
  auto const b = rc::ones<float>(rc::extents<64>{}, there);
  show("y = 2y + z, 64 static floats", [&] { a = 2.f * a + b; });
  show("sum(y), 64 static floats", [&] { (void)rc::eval(rc::sum(a)); });
}
