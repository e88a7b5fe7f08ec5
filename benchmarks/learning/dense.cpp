// 784-256-128-100-10, 64 images
#include "steps.hpp"

namespace {
template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<784, 256>, Kind> a;
  nn::layer<nn::linear<256, 128>, Kind> b;
  nn::layer<nn::linear<128, 100>, Kind> c;
  nn::layer<nn::linear<100, 10>, Kind> out;
  constexpr auto operator()(auto const& x, auto const&) const { return out(rc::relu(c(rc::relu(b(rc::relu(a(x))))))); }
};
}  // namespace

void dense() {
  auto const key = rc::random::key(1);
  rc::tensor<float, rc::dyn, 784> const x = rc::random::uniform<float>(key.fold(0), rc::shape(64, 784));
  rc::ndarray<std::int64_t, 1> const labels = rc::random::randint<std::int64_t>(key.fold(1), rc::shape(64), 0, 10);
  time_steps<classified, net<>>("mlp", adam, x, labels);
}
