// What the compiler has to instantiate for a usual program: the loss of a net of eight layers, each of which uses its
// pre-activation twice, and the gradients of six of its arguments. Counted, not run.
#include <ricci/ricci.hpp>
namespace rc = ricci;

constexpr int batch = 8, width = 16, classes = 4, layers = 8;

struct loss_of_net {
  constexpr auto operator()(auto x, auto y, auto w0, auto w1, auto w2, auto w3, auto b, auto out) const {
    auto layer = [&](auto in, auto w) {
      auto z = rc::matmul(in, w) + b;
      return rc::tanh(z * (1.f / (1.f + rc::exp(-z))));
    };
    auto h = x;
    for (int k = 0; k < layers / 4; ++k) h = layer(layer(layer(layer(h, w0), w1), w2), w3);
    auto z = rc::matmul(h, out);
    auto normaliser = rc::log(rc::sum(rc::exp(z), rc::axis<1>, rc::keepdims));
    return rc::sum(y * (normaliser - z)) / float(batch);
  }
};

using square = rc::tensor<float, width, width>;
auto step(rc::tensor<float, batch, width> const& x, rc::tensor<float, batch, classes> const& y, square const& w0,
          square const& w1, square const& w2, square const& w3, rc::tensor<float, width> const& b,
          rc::tensor<float, width, classes> const& out) {
  return rc::value_and_grad<2, 3, 4, 5, 6, 7>(loss_of_net{})(x, y, w0, w1, w2, w3, b, out);
}
