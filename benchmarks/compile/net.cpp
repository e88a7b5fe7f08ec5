// A net of LAYERS equal layers, each of which uses its pre-activation twice, with its value and all gradients. The same
// function as the prototype's (design, section 1); a table of differences shows that the gradients are right.
#include <cstdio>
#include <ricci/ricci.hpp>

#ifndef LAYERS
#define LAYERS 8
#endif
namespace rc = ricci;

constexpr auto loss = [](auto x, auto y, auto w0, auto w1, auto w2, auto w3, auto b, auto wo) {
  auto layer = [&](auto h, auto w) {
    auto z = rc::matmul(h, w) + b;
    return rc::tanh(z * (1.f / (1.f + rc::exp(-z))));
  };
  auto h = x;
  for (int k = 0; k < LAYERS / 4; ++k) h = layer(layer(layer(layer(h, w0), w1), w2), w3);
  auto z = rc::matmul(h, wo);
  auto lse = rc::log(rc::sum(rc::exp(z), rc::axis<1>, rc::keepdims));
  return rc::sum(y * (lse - z)) / 8.f;
};

template <class T>
void fill(T& t, unsigned& state) {
  for (long k = 0; k < t.size(); ++k) {
    state = state * 1664525u + 1013904223u;
    t.data()[k] = float(state >> 8) / 16777216.f - 0.5f;
  }
}

int main() {
  rc::tensor<float, 8, 16> x{};
  rc::tensor<float, 8, 4> y{};
  rc::tensor<float, 16, 16> w0{}, w1{}, w2{}, w3{};
  rc::tensor<float, 16> b{};
  rc::tensor<float, 16, 4> wo{};
  unsigned state = 1;
  fill(x, state), fill(w0, state), fill(w1, state), fill(w2, state), fill(w3, state), fill(b, state), fill(wo, state);
  for (int i = 0; i < 8; ++i) y(i, i % 4) = 1.f;
  auto const run = [&] { return rc::value_and_grad<0, 1, 2, 3, 4, 5, 6, 7>(loss)(x, y, w0, w1, w2, w3, b, wo); };
  auto const [value, gradients] = run();
  float const h = 1e-2f, kept = w3(0, 5);
  w3(0, 5) = kept + h;
  float const above = float(run().first);
  w3(0, 5) = kept - h;
  float const below = float(run().first);
  float const slope = (above - below) / (2 * h), expected = std::get<5>(gradients)(0, 5);
  std::printf("%d layers: loss %g, d loss / d w3(0, 5) %g, by differences %g\n", LAYERS, double(float(value)),
              double(expected), double(slope));
  return !(slope - expected < 1e-3f && expected - slope < 1e-3f);
}
