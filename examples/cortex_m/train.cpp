// Trains the net, on a PC, and writes what it learned as constants, with pictures that it has not seen:
//
//   zcat ../digits/data/digits.csv.gz | ./train > learned.hpp
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "net.hpp"

namespace {

constexpr int epochs = 60, batch = 32, shown = 20;
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

template <class T>
void write(T const& t) {
  std::printf("    {");
  int k = 0;
  for (float const w : t) {
    int const columns = static_cast<int>(t.shape(-1)), at = k++ % columns;
    if (T::rank == 2 && at == 0) std::printf("%s{", k > 1 ? ",\n     " : "");
    std::printf("%s%.3ff", at ? ", " : "", w);
    if (T::rank == 2 && at == columns - 1) std::printf("}");
  }
  std::printf("},\n");
}

}  // namespace

int main() {
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

  std::printf(
      "// What train.cpp learned, and pictures that it did not see. It wrote this file.\n#pragma once\n\n#include "
      "<cstdint>\n\n"
      "#include \"net.hpp\"\n\ninline constexpr params<> learned{\n");
  write(p.w1), write(p.b1), write(p.w2), write(p.b2);
  std::printf("};\n\nstruct picture {\n  int label;\n  std::uint8_t ink[pixels];\n};\n");
  std::printf("inline constexpr picture pictures[] = {\n");
  for (int k = used; k < used + shown; ++k) {
    std::printf("    {%d, {", t.labels[std::size_t(k)]);
    for (int c = 0; c < pixels; ++c)
      std::printf("%s%d",
                  c == pixels / 2 ? ",\n         "
                  : c             ? ", "
                                  : "",
                  int(t.ink[std::size_t(k * pixels + c)] * most_ink));
    std::printf("}},\n");
  }
  std::printf("};\n");
  return 0;
}
