// First values: `nn::init<net<>>(key)` goes through a record. A member whose type has a static `init(key)` gets what
// that returns, with a key of its own, folded from the places of the members. A tensor that stands in a record without
// such a function is Glorot's uniform where it has two axes or more (X. Glorot, Y. Bengio, 2010: the last two axes are
// inputs and outputs), else zero.
#pragma once

#include <cmath>

#include <ricci/nn/layer.hpp>

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
template <class X>
void init_into(X& x, key const& k) {
  if constexpr (requires { X::init(k); }) {
    x = X::init(k);
  } else if constexpr (Tensor<X>) {
    using E = extents_of<X>;
    static_assert(E::is_static,
                  "nn::init: a tensor of dynamic extents has no size; give its record a static function init(key)");
    if constexpr (X::rank > 1) {
      constexpr auto n = E::value.extent;
      double window = 1;  // of convolutions, which each sum goes over
      for (int d = 0; d + 2 < X::rank; ++d) window *= double(n[d]);
      auto const bound =
          static_cast<value_type_of<X>>(std::sqrt(6. / (window * double(n[X::rank - 2] + n[X::rank - 1]))));
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

}  // namespace ricci::nn
