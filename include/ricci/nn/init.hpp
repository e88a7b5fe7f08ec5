// First values: `nn::init<net<>>(key)` goes through a record. A member whose type has a static `init(key)` gets what
// that returns, with a key of its own, folded from the places of the members. A tensor that stands in a record without
// such a function is Glorot's uniform where it has two axes or more (X. Glorot, Y. Bengio, 2010: the last two axes are
// inputs and outputs), else zero. `nn::init<Model>(key, sizes...)` is `Model::init(key, sizes...)`, for records whose
// extents are known at run time alone, as `nn::linear<rc::dyn, rc::dyn>` is.
#pragma once

#include <cmath>

#include <ricci/nn/layer.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::nn {

// `random::uniform<T>(k, shape(n), T(-1), T(1)) * bound`, the same for a tensor of any shape, as a loop: the compiler
// would plan a statement for each shape.
template <class T>
RICCI_NOINLINE void fill_uniform(T* p, index_t n, key const& k, T bound) {
  using unit = random::unit_of_word_t<T, std::numeric_limits<T>::digits>;
  constexpr index_t piece = 256;
  random::word_t<T> words[piece];
  for (index_t i = 0; i < n; i += piece) {
    index_t const m = i + piece < n ? piece : n - i;
    random::philox_row(words, k.item(), i, m);
    for (index_t j = 0; j < m; ++j) p[i + j] = (unit::kernel(words[j]) * T(2) - T(1)) * bound;
  }
}
// What Glorot's uniform numbers of a matrix lie between, from minus that on.
inline double glorot_bound(index_t in, index_t out, double window = 1) {
  return std::sqrt(6. / (window * double(in + out)));
}
// A matrix of these extents, as a tensor of static ones gets it by the same key. shape_error: its type has others.
template <class W>
void init_matrix(W& w, key const& k, index_t in, index_t out) {
  using T = value_type_of<W>;
  w = zeros<T>(shape(in, out));
  fill_uniform(w.data(), index_t(w.size()), k, T(glorot_bound(in, out)));
}
template <class X>
void init_into(X& x, key const& k) {
  if constexpr (requires { X::init(k); }) {
    x = X::init(k);
  } else if constexpr (Tensor<X>) {
    using E = extents_of<X>;
    static_assert(E::is_static,
                  "nn::init: a tensor of dynamic extents has no size; give its record a static function init(key), or "
                  "init(key, sizes...), which nn::init<Model>(key, sizes...) calls");
    if constexpr (X::rank > 1) {
      constexpr auto n = E::value.extent;
      double window = 1;  // of convolutions, which each sum goes over
      for (int d = 0; d + 2 < X::rank; ++d) window *= double(n[d]);
      auto const bound = static_cast<value_type_of<X>>(glorot_bound(n[X::rank - 2], n[X::rank - 1], window));
      if constexpr (storage::memory_of<X>() == expr::host_memory)
        fill_uniform(x.data(), index_t(x.size()), k, bound);
      else
        x = random::uniform<value_type_of<X>>(k, E{}, value_type_of<X>(-1), value_type_of<X>(1)) * bound;
    } else if constexpr (storage::memory_of<X>() == expr::host_memory) {
      for (index_t i = 0; i < x.size(); ++i) x.data()[i] = value_type_of<X>(0);
    } else {
      x = zeros_like(x);
    }
  } else if constexpr (Arithmetic<X>) {
    x = X(0);
  } else {
    auto const all = tree::members(x);
    [&]<std::size_t... I>(std::index_sequence<I...>) { (init_into(tree::get<I>(all), k.fold(int(I))), ...); }
    (std::make_index_sequence<std::tuple_size_v<std::remove_cv_t<decltype(all)>>>{});
  }
}
template <class Model>
Model init(key const& k) {
  Model m{};
  init_into(m, k);
  return m;
}
template <class Model, class Size, class... Sizes>
requires requires(key const& k, Size const& n, Sizes const&... more) { Model::init(k, n, more...); }
Model init(key const& k, Size const& n, Sizes const&... more) { return Model::init(k, n, more...); }

}  // namespace ricci::nn
