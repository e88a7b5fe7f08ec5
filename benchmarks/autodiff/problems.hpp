// The problems: each is a function of ricci's (functions.hpp), the fastest plain objective that was found (Eigen's,
// vectorised by hand), and a gradient by hand, all of doubles. Data are drawn here.
#pragma once

#include <cstdint>

#include "functions.hpp"
#include "table.hpp"

namespace bench {

// numbers in [-1, 1], the same ones every time
class numbers {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return double(std::int64_t(state_ >> 11)) * 0x1p-52 - 1;
  }
  template <class X>
  X fill(X x, double by = 1) {
    for (ricci::index_t k = 0; k < x.size(); ++k) x.data()[k] = by * (*this)();
    return x;
  }

 private:
  std::uint64_t state_ = 31337;
};

void vectors();    // sum of squares, log-sum-exp
void products();   // sum of a product, logistic regression, a net of two layers
void mixtures();   // a mixture of Gaussians
void recurrent();  // an LSTM
void bundles();    // the sparse jacobian of bundle adjustment
void hands();      // the jacobian of hand tracking
void loops();      // least squares, an equation of motion
void nested();     // a saddle, a particle: derivatives of derivatives

}  // namespace bench
