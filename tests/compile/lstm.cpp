// The value and the gradient of 64 rounds of an LSTM with diagonal gates (the problem of ADBench: F. Srajer, Z.
// Kukelova, A. Fitzgibbon, A benchmark of selected algorithmic differentiation tools, 2018), two layers deep. Its plan
// has to be computed within what compilers let a constant take by themselves; it is not run.
#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

constexpr int rounds = 64, layers = 2, width = 14;

template <class Kind = rc::values>
struct layer {
  rc::field<Kind, double, 4, width> w, b;
};
template <class Kind = rc::values>
struct parameters {
  std::array<layer<Kind>, layers> gates;
  rc::field<Kind, double, width> in, out, bias;
};
template <class Kind = rc::values>
struct memory {
  rc::field<Kind, double, width> h, c;
};

[[maybe_unused]] constexpr auto loss = [](auto p, auto state, auto x) {
  auto total = 0. * rc::sum(x(0));
  for (int t = 0; t < rounds; ++t) {
    auto in = x(t) * p.in;
    for (std::size_t k = 0; k < layers; ++k) {
      auto const& [w, b] = p.gates[k];
      auto& [h, c] = state[k];
      auto f = rc::sigmoid(in * w(0) + b(0)), i = rc::sigmoid(h * w(1) + b(1)), o = rc::sigmoid(in * w(2) + b(2));
      c = c * f + i * rc::tanh(h * w(3) + b(3));
      h = o * rc::tanh(c);
      in = h;
    }
    auto y = in * p.out + p.bias;
    total = total - rc::sum(x(t + 1) * (y - rc::log(2. + rc::sum(rc::exp(y)))));
  }
  return total / double(rounds * width);
};

using function = decltype(rc::value_and_grad(loss));
static_assert(
    rc::workspace_bytes<function, parameters<>, std::array<memory<>, layers>, rc::tensor<double, rounds + 1, width>> >
    0);

}  // namespace
