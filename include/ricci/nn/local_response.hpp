// Local response normalisation over neighbouring channels (A. Krizhevsky, I. Sutskever, G. Hinton, 2012).
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/conv/pool_places.hpp>
#include <ricci/conv/pooling.hpp>
#include <ricci/ops/rearranging.hpp>

namespace ricci::nn {

// x / (k + alpha m)^beta, where m is the mean of the squares of Size channels around each, those beyond the ends being
// zeros: (..., channels), as PyTorch's. Size is odd.
template <index_t Size>
constexpr auto local_response(Tensor auto const& x, double alpha = 1e-4, double beta = .75, double k = 1) {
  static_assert(Size > 0 && Size % 2 == 1, "nn::local_response: of an odd number of channels");
  return fn([](auto const& v, auto const& a, auto const& b, auto const& c) {
    using T = value_type_of<std::remove_cvref_t<decltype(v)>>;
    constexpr pool_options window{.window = {Size}, .stride = 1, .pad = Size / 2, .zeros = pool_zeros::counted};
    auto const squares = ricci::eval(ricci::expand_dims(ricci::square(v), axis<-1>));
    auto const means = ricci::eval(ricci::squeeze(ricci::eval(ricci::avg_pool<window>(squares)), axis<-1>));
    return ricci::eval(v / ricci::pow(ricci::astype<T>(c) + ricci::astype<T>(a) * means, ricci::astype<T>(b)));
  })(x, alpha, beta, k);
}

}  // namespace ricci::nn
