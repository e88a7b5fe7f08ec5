// First values of parameters beyond Glorot's uniform, which nn::init takes by itself, for the function `init(key)` of a
// layer of one's own:
//
//   static params init(nn::key const& k) { return {nn::he_normal<float>(k, rc::extents<64, 32>{}), ...}; }
//
// The last two axes are inputs and outputs, those before them a window: of (3, 3, 8, 16) each output has 72 inputs.
// Normal ones are cut at two deviations and scaled so that the variance is the one that is named, as in JAX. Constants
// are `rc::full`, `rc::zeros`, `rc::eye`; uniform and normal numbers of a given width are `rc::random`'s.
#pragma once

#include <cmath>

#include <ricci/linalg/qr.hpp>
#include <ricci/nn/layer.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/random/continuous.hpp>
#include <ricci/random/normal.hpp>

namespace ricci::nn {

namespace initial {

// variance = scale / how many inputs, outputs, or the mean of both
enum class fan { in, out, mean };
template <index_t... E>
constexpr double variance(extents<E...>, double scale, fan f) {
  static_assert(sizeof...(E) >= 2, "an initialiser of weights needs two axes, inputs and outputs");
  static_assert(extents<E...>::is_static, "an initialiser of weights needs static extents");
  constexpr index_t n[] = {E...};
  double window = 1;
  for (std::size_t k = 0; k + 2 < sizeof...(E); ++k) window *= double(n[k]);
  double const in = window * double(n[sizeof...(E) - 2]), out = window * double(n[sizeof...(E) - 1]);
  return scale / (f == fan::in ? in : f == fan::out ? out : (in + out) / 2);
}
template <class T, index_t... E>
tensor<T, E...> uniform(key const& k, extents<E...> shape, double variance) {
  T const bound = T(std::sqrt(3 * variance));
  return random::uniform<T>(k, shape, -bound, bound);
}
template <class T, index_t... E>
tensor<T, E...> normal(key const& k, extents<E...> shape, double variance) {
  constexpr double deviation_of_cut = .87962566103423978;
  return random::truncated_normal<T>(k, T(-2), T(2), shape) * T(std::sqrt(variance) / deviation_of_cut);
}

}  // namespace initial

// Variance 2 / (inputs + outputs) (X. Glorot, Y. Bengio, 2010).
template <class T, index_t... E>
tensor<T, E...> glorot_uniform(key const& k, extents<E...> shape) {
  return initial::uniform<T>(k, shape, initial::variance(shape, 1, initial::fan::mean));
}
template <class T, index_t... E>
tensor<T, E...> glorot_normal(key const& k, extents<E...> shape) {
  return initial::normal<T>(k, shape, initial::variance(shape, 1, initial::fan::mean));
}
// Variance 2 / inputs (K. He and others, 2015), before relu.
template <class T, index_t... E>
tensor<T, E...> he_uniform(key const& k, extents<E...> shape) {
  return initial::uniform<T>(k, shape, initial::variance(shape, 2, initial::fan::in));
}
template <class T, index_t... E>
tensor<T, E...> he_normal(key const& k, extents<E...> shape) {
  return initial::normal<T>(k, shape, initial::variance(shape, 2, initial::fan::in));
}
// Variance 1 / inputs (Y. LeCun and others, Efficient backprop, 1998), before selu and tanh.
template <class T, index_t... E>
tensor<T, E...> lecun_uniform(key const& k, extents<E...> shape) {
  return initial::uniform<T>(k, shape, initial::variance(shape, 1, initial::fan::in));
}
template <class T, index_t... E>
tensor<T, E...> lecun_normal(key const& k, extents<E...> shape) {
  return initial::normal<T>(k, shape, initial::variance(shape, 1, initial::fan::in));
}
// Normal numbers of that deviation before they are cut at two of it.
template <class T, index_t... E>
tensor<T, E...> truncated_normal(key const& k, extents<E...> shape, T deviation) {
  return random::truncated_normal<T>(k, T(-2), T(2), shape) * deviation;
}
// Evenly distributed matrices with orthonormal columns, or rows where there are fewer of them (A. M. Saxe and others,
// 2014; F. Mezzadri, 2007).
template <class T, index_t N, index_t M>
tensor<T, N, M> orthogonal(key const& k, extents<N, M>) {
  constexpr index_t more = N > M ? N : M, less = N > M ? M : N;
  tensor<T, more, less> const noise = random::normal<T>(k, extents<more, less>{});
  auto const [q, r] = linalg::qr(noise);
  tensor<T, more, less> const turned = q * where(diagonal(r) < T(0), T(-1), T(1));
  if constexpr (N > M)
    return turned;
  else
    return moveaxis(turned, axis<0>, axis<1>);
}

}  // namespace ricci::nn
