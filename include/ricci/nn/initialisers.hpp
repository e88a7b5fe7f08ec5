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
#include <limits>

#include <ricci/linalg/qr.hpp>
#include <ricci/nn/layer.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/random/continuous.hpp>
#include <ricci/random/normal.hpp>
#include <ricci/random/permutation.hpp>

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
// Normal numbers for `count` inputs of each output, evenly drawn ones, and zeros for the others (J. Martens, Deep
// learning via Hessian-free optimization, 2010, with 15 inputs). value_error: more inputs than there are, or none.
template <class T, index_t N, index_t M>
tensor<T, N, M> sparse(key const& k, extents<N, M>, index_t count, T deviation) {
  if (count < 1 || count > N)
    core::raise<value_error>(core::text() << "nn::sparse: " << count << " of " << N << " inputs for each output");
  tensor<T, N, M> const all = random::normal<T>(k.fold(0), extents<N, M>{});
  tensor<T, N, M> w{};
  for (index_t j = 0; j < M; ++j) {
    auto const order = ricci::eval(random::permutation(k.fold(1).fold(j), N));
    for (index_t i = 0; i < count; ++i) w(order(i), j) = deviation * all(order(i), j);
  }
  return w;
}
// Scales the weights `w` of a layer so that layer(x) has variance 1 (up to `tolerance`, in at most `most` steps), and
// gives layer(x), the input of the next one: layer-sequential unit variance (D. Mishkin, J. Matas, All you need is a
// good init, 2016), of weights that are orthogonal to begin with. Of values, with x some examples:
//
//   auto const h = nn::unit_variance(model.in, x);
//   auto const scores = nn::unit_variance(model.out, rc::eval(rc::relu(h)));
//
// value_error: the variance is 0 or not finite.
template <class Layer, Tensor X>
auto unit_variance(Layer& layer, X const& x, double tolerance = .01, int most = 10) {
  auto const call = fn([](auto const& l, auto const& v) { return ricci::eval(l(v)); });
  auto y = call(layer, x);
  for (int step = 0; step < most; ++step) {
    double const variance = double(ricci::var(y));
    if (!(variance > 0 && variance <= std::numeric_limits<double>::max()))
      core::raise<value_error>(core::text() << "nn::unit_variance: what the layer gives has no variance above 0");
    if (std::abs(variance - 1) <= tolerance) break;
    layer.w *= static_cast<value_type_of<decltype(layer.w)>>(1 / std::sqrt(variance));
    y = call(layer, x);
  }
  return y;
}

}  // namespace ricci::nn
