// Rows of a table by index: (...), integers, to (..., N). Count may be `rc::dyn`, which nn::init is told:
// `nn::init<nn::embedding<rc::dyn, 64>::params<>>(key, 20000)`.
#pragma once

#include <ricci/nn/init.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/random/normal.hpp>

namespace ricci::nn {

template <index_t Count, index_t N>
struct embedding {
  template <class Kind = values>
  struct params {
    field<Kind, float, Count, N> w;
    static constexpr torch_name torch[] = {{"weight"}};
    static constexpr keras_name keras{"embedding", {{"vars/0"}}};
    static params init(key const& k) requires(Count != dyn) { return {random::normal<float>(k, extents<Count, N>{})}; }
    static params init(key const& k, index_t count) requires(Count == dyn) {
      return {random::normal<float>(k, shape(count, N))};
    }
    template <Tensor I>
    constexpr auto operator()(I const& index) const {
      static_assert(is_integer(dtype_of<value_type_of<I>>), "nn::embedding: indices are integers");
      return take(w, index, axis<0>);
    }
  };
};

}  // namespace ricci::nn
