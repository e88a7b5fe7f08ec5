// Trains the net, on a PC, and writes what it learned as constants, and pictures that it has not seen:
//
//   zcat ../digits/data/digits.csv.gz | ./train learned.hpp pictures.hpp
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include <ricci/nn/freeze.hpp>

#include "net.hpp"

namespace {

constexpr int epochs = 60, batch = 32;
using rows = rc::tensor<float, rc::dim<"rows">, pixels>;
using targets = rc::tensor<float, rc::dim<"rows">, classes>;

struct table {
  std::vector<float> ink;
  std::vector<int> labels;
};
// lines of 64 pixels and a label, separated by commas
table read() {
  table t;
  for (int k = 0, n = 0; std::scanf("%d%*[,\n]", &n) == 1; ++k)
    if (k % (pixels + 1) == pixels)
      t.labels.push_back(n);
    else
      t.ink.push_back(static_cast<float>(n) / most_ink);
  return t;
}

constexpr auto loss = [](auto const& p, auto const& ink, auto const& wanted) {
  auto z = scores(p, ink);
  return rc::mean(rc::logsumexp(z, rc::axis<1>) - rc::sum(z * wanted, rc::axis<1>));
};

params<> train(table const& t, int used) {
  std::mt19937 bits(0);
  auto const within = [&](float bound) { return (static_cast<float>(bits() >> 8) * 0x1p-23f - 1.f) * bound; };
  params<> p, speed;
  for (float& w : p.w1) w = within(0.27f);
  for (float& w : p.w2) w = within(0.48f);
  rows x(batch, pixels);
  targets y(batch, classes);
  int const steps = epochs * used / batch;
  for (int step = 0; step < steps; ++step) {
    y = 0.f;
    for (int k = 0; k < batch; ++k) {
      auto const from = bits() % static_cast<unsigned>(used);
      for (int c = 0; c < pixels; ++c) x(k, c) = t.ink[from * pixels + unsigned(c)] + within(0.2f);
      y(k, t.labels[from]) = 1;
    }
    float const rate = 0.1f * (1 - static_cast<float>(step) / static_cast<float>(steps));
    rc::tree_map([=](auto& w, auto& v, auto const& g) { v = 0.9f * v + g, w -= rate * v; }, p, speed,
                 rc::grad(loss)(p, x, y));
  }
  return p;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "train: the names of two headers to write are missing\n"), 1;
  table const t = read();
  int const count = static_cast<int>(t.labels.size()), used = count * 3 / 4;
  if (used < batch) return std::fprintf(stderr, "train: no table on the standard input\n"), 1;
  params<> const p = train(t, used);
  int right = 0;
  for (int k = used; k < count; ++k) {
    rc::tensor<float, pixels> ink;
    for (int c = 0; c < pixels; ++c) ink(c) = t.ink[std::size_t(k * pixels + c)];
    right += int(rc::argmax(rc::fn(scores)(p, ink)).item()) == t.labels[std::size_t(k)];
  }
  std::fprintf(stderr, "%d of %d held-out pictures read right\n", right, count - used);

  rc::nn::freeze(argv[1], p);
  examples some;
  for (int n = 0; n < shown; ++n) {
    some.labels(n) = t.labels[std::size_t(used + n)];
    for (int c = 0; c < pixels; ++c)
      some.ink(n, c) = static_cast<std::uint8_t>(t.ink[std::size_t((used + n) * pixels + c)] * most_ink);
  }
  rc::nn::freeze(argv[2], some, {.name = "pictures"});
  return 0;
}
