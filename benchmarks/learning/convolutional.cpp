// two convolutions of 3 x 3 with 32 and 64 features, each with relu and the largest of 2 x 2 pixels, 64 images of 28 x
// 28
#include <ricci/conv.hpp>

#include "steps.hpp"

namespace {
template <rc::index_t In, rc::index_t Out>
struct convolution {
  template <class Kind = rc::values>
  struct params {
    rc::field<Kind, float, 3, 3, In, Out> w;
    rc::field<Kind, float, Out> b;
    constexpr auto operator()(auto const& x) const {
      auto y = rc::relu(rc::conv<rc::conv_options{.pad = 1}>(x, w) + b);
      return rc::einops::reduce<"n (h 2) (w 2) c -> n h w c", rc::max>(y);
    }
  };
};
template <class Kind = rc::values>
struct net {
  nn::layer<convolution<1, 32>, Kind> a;
  nn::layer<convolution<32, 64>, Kind> b;
  nn::layer<nn::linear<7 * 7 * 64, 10>, Kind> out;
  constexpr auto operator()(auto const& x, auto const&) const {
    return out(rc::reshape(b(a(x)), rc::shape(-1, 7 * 7 * 64)));
  }
};
}  // namespace

void convolutional() {
  auto const key = rc::random::key(1);
  rc::tensor<float, rc::dyn, 28, 28, 1> const x = rc::random::uniform<float>(key.fold(0), rc::shape(64, 28, 28, 1));
  rc::ndarray<std::int64_t, 1> const labels = rc::random::randint<std::int64_t>(key.fold(1), rc::shape(64), 0, 10);
  time_steps<classified, net<>>("conv", adam, x, labels);
}
