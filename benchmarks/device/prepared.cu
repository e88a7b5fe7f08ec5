// A step of training of the digits' net (loss, gradient and momentum as one function; with Adam nvcc 13.0 crashes) on a
// GPU, as it is and prepared: a prepared one is the launch of a graph. First both have to give the same bits, step by
// step, then they are timed. Says why where it cannot.
#include <ricci/device.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "net.hpp"

namespace rc = ricci;

namespace {

rc::device const there{0};
using bench::batch, bench::classes, bench::hidden, bench::loss;
constexpr int pixels = 64, batches = 7;
using params = bench::net<pixels>::params<>;

constexpr auto training_step = [](auto p, auto mean, auto const& images, auto const& targets, auto const& rate) {
  auto const [value, gradient] = rc::value_and_grad(loss)(p, images, targets);
  rc::tree_map(
      [&](auto& w, auto& m, auto const& g) {
        m = 0.9f * m + 0.1f * g;
        w = w - rate * m;
      },
      p, mean, gradient);
  return std::tuple(value, p, mean);
};
using images_t = rc::tensor<float, batch, pixels>;
using targets_t = rc::tensor<float, batch, classes>;

struct data {
  std::vector<images_t> images = std::vector<images_t>(batches);
  std::vector<targets_t> targets = std::vector<targets_t>(batches);
  params start{};
  data() {
    float x = 0;
    auto const fill = [&](auto& t, float scale) {
      for (float& e : t) e = scale * std::sin(x += 1.7f);
    };
    for (auto& i : images) fill(i, 1);
    for (int b = 0; b < batches; ++b)
      for (int k = 0; k < batch; ++k) targets[std::size_t(b)](k, (k * k + b) % classes) = 1;
    fill(start.w1, 0.1f), fill(start.w2, 0.1f);
  }
};

template <class P>
struct state {
  P p, mean;
  explicit state(params const& start) : p(rc::copy(start, there)), mean(rc::zeros_like(p)) {}
};
using state_t = state<decltype(rc::copy(params{}, there))>;

template <class Step, class X, class Y>
auto advance(Step& step, state_t& s, X const& x, Y const& y, float rate) {
  auto [value, p, mean] = step(s.p, s.mean, x, y, rate);
  s.p = std::move(p), s.mean = std::move(mean);
  return value;
}
template <class A, class B>
bool same_bits(A const& a, B const& b) {
  return std::memcmp(a.data(), b.data(), sizeof(*a.data()) * std::size_t(a.size())) == 0;
}
bool same_bits(state_t const& a, state_t const& b) {
  bool same = true;
  auto const compare = [&](auto const& p, auto const& q) {
    auto const x = rc::copy(p, rc::cpu{}), y = rc::copy(q, rc::cpu{});
    same = same && same_bits(x.w1, y.w1) && same_bits(x.b1, y.b1) && same_bits(x.w2, y.w2) && same_bits(x.b2, y.b2);
  };
  compare(a.p, b.p), compare(a.mean, b.mean);
  return same;
}

// 20 steps with another batch and another rate each
template <class Take>
bool is_equal(data const& d, char const* name, Take const& take) {
  state_t plain(d.start), other(d.start);
  auto step = rc::fn(training_step);
  for (int k = 0; k < 20; ++k) {
    std::size_t const b = std::size_t(k % batches);
    float const rate = 1e-3f / float(1 + k / 4);
    float const v = advance(step, plain, rc::copy(d.images[b], there), rc::copy(d.targets[b], there), rate).item();
    float const w = take(other, rc::copy(d.images[b], there), rc::copy(d.targets[b], there), rate);
    if (std::memcmp(&v, &w, sizeof v) != 0 || !std::isfinite(v) || !same_bits(plain, other)) {
      std::printf("%s: step %d differs: loss %.9g, prepared %.9g\n", name, k, double(v), double(w));
      return false;
    }
    if (k % 19 == 0) std::printf("%s: step %2d: loss %.9g, the same bits\n", name, k, double(v));
  }
  return true;
}

void wait() { RICCI_CUDA(cudaStreamSynchronize(rc::exec::device_backend::stream(0))); }

// microseconds a step: until the host has queued it, and until it is done; the best of several rounds
template <class F>
void time(char const* name, F const& f, int steps = 1000) {
  using clock = std::chrono::steady_clock;
  double queued = 1e300, done = 1e300;
  for (int k = 0; k < 50; ++k) f(k);
  wait();
  for (int round = 0; round < 7; ++round) {
    auto const begin = clock::now();
    for (int k = 0; k < steps; ++k) f(k);
    auto const middle = clock::now();
    wait();
    auto const end = clock::now();
    auto const us = [&](auto t) { return std::chrono::duration<double, std::micro>(t - begin).count() / steps; };
    queued = std::min(queued, us(middle)), done = std::min(done, us(end));
  }
  std::printf("%-52s %8.2f us queued  %8.2f us done\n", name, queued, done);
}

int run() {
  (void)rc::exec::device_backend::device_count();
  cudaDeviceProp properties{};
  RICCI_CUDA(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s; digits' net %d-%d-%d, batches of %d\n", properties.name, pixels, hidden, classes, batch);
  data const d;
  rc::device_tensor<float> value(0.f);
  auto prepared = rc::prepared(training_step), in_place = rc::prepared(training_step);
  if (!is_equal(d, "prepared", [&](state_t& s, auto const& x, auto const& y, float rate) {
        return advance(prepared, s, x, y, rate).item();
      }))
    return 1;
  if (!is_equal(d, "prepared into", [&](state_t& s, auto const& x, auto const& y, float rate) {
        in_place.into(value, s.p, s.mean)(s.p, s.mean, x, y, rate);
        return value.item();
      }))
    return 1;

  auto plain = rc::fn(training_step);
  auto const x = rc::copy(d.images[0], there);
  auto const y = rc::copy(d.targets[0], there);
  state_t s(d.start);
  auto const row = [&](char const* name, auto& step) {
    char text[96];
    std::snprintf(text, sizeof text, "%s, batch there, loss not read", name);
    time(text, [&](int) { (void)advance(step, s, x, y, 1e-3f); });
    std::snprintf(text, sizeof text, "%s, another rate each step", name);
    time(text, [&](int k) { (void)advance(step, s, x, y, 1e-6f * float(k)); });
    std::snprintf(text, sizeof text, "%s, batch copied, loss not read", name);
    time(text, [&](int k) {
      std::size_t const b = std::size_t(k % batches);
      (void)advance(step, s, rc::copy(d.images[b], there), rc::copy(d.targets[b], there), 1e-3f);
    });
    std::snprintf(text, sizeof text, "%s, batch copied, loss read", name);
    time(text, [&](int k) {
      std::size_t const b = std::size_t(k % batches);
      (void)advance(step, s, rc::copy(d.images[b], there), rc::copy(d.targets[b], there), 1e-3f).item();
    });
  };
  row("step", plain);
  row("prepared step", prepared);
  time("prepared step into its tensors", [&](int) { in_place.into(value, s.p, s.mean)(s.p, s.mean, x, y, 1e-3f); });

  auto a = rc::ones<float>(rc::extents<64>{}, there), b = rc::ones<float>(rc::extents<64>{}, there);
  time("a = a * b + 1 of 64 elements", [&](int) { a = a * b + 1.f; });
  time("a = a * b + 1 of 64 elements, as a new tensor", [&](int) { (void)rc::eval(a * b + 1.f); });
  time("sum of 64 elements", [&](int) { (void)rc::eval(rc::sum(a)); });
  time("a number of the device is read", [&](int) { (void)value.item(); });
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (rc::device_error const& e) {
    std::printf("absent: %s\n", e.what());
    return 0;
  } catch (std::exception const& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
