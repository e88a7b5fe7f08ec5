// The K greatest elements of each channel in the order in which they stand: `rc::k_max_pool<3>(x)`, (..., places, c) ->
// (..., 3, c) (N. Kalchbrenner, E. Grefenstette, P. Blunsom, 2014): sentences of any length become as many features.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/sort.hpp>
#include <ricci/ops/take_along_axis.hpp>
#include <ricci/tensor/top_k.hpp>

namespace ricci {

// Of equal elements the first ones; NaN is greater than every number. Fewer places than K are a value_error.
template <index_t K, Tensor X>
constexpr auto k_max_pool(X const& x) {
  static_assert(K > 0 && rank_of<X> >= 2, "k_max_pool<K>: K of 1 or more, of (..., places, channels)");
  if constexpr (K > 0 && rank_of<X> >= 2) {
    if constexpr (requires { index_t(x.shape(0)); })
      if (index_t const places = x.shape(rank_of<X> - 2); places < K)
        core::raise<value_error>(core::text() << "k_max_pool: " << K << " of " << places << " places");
    return fn([](auto const& y) {
      auto const rows = ricci::eval(ricci::swapaxes(y, axis<-2>, axis<-1>));
      auto const places = ricci::top_k(ricci::stop_gradient(rows), extents<K>{}).second;
      auto const greatest = ricci::eval(ricci::take_along_axis(rows, ricci::eval(ricci::sort(places)), axis<-1>));
      return ricci::eval(ricci::swapaxes(greatest, axis<-2>, axis<-1>));
    })(x);
  }
}

}  // namespace ricci
