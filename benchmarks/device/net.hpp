// The net that steps of training are measured with: from so many pixels by 128 to 10 classes, in batches of 128.
#pragma once

#include <ricci/device.hpp>

namespace bench {

inline constexpr int hidden = 128, classes = 10, batch = 128;

template <int Pixels>
struct net {
  template <class Kind = ricci::values>
  struct params {
    ricci::field<Kind, float, Pixels, hidden> w1;
    ricci::field<Kind, float, hidden> b1;
    ricci::field<Kind, float, hidden, classes> w2;
    ricci::field<Kind, float, classes> b2;
  };
};
inline constexpr auto loss = [](auto const& p, auto const& images, auto const& targets) {
  auto h = ricci::relu(ricci::matmul(images, p.w1) + p.b1);
  auto z = ricci::matmul(h, p.w2) + p.b2;
  return ricci::mean(ricci::logsumexp(z, ricci::axis<1>) - ricci::sum(z * targets, ricci::axis<1>));
};

}  // namespace bench
