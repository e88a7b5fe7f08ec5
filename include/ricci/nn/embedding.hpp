// Rows of a table by index: (...), integers, to (..., N). An index outside, also a negative one, is an index_error.
// Count may be `rc::dyn`, which nn::init is told: `nn::init<nn::embedding<rc::dyn, 64>::params<>>(key, 20000)`.
#pragma once

#include <ricci/nn/by_label.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/random/normal.hpp>

namespace ricci::nn {

struct of_embedding {
  static constexpr auto name = "embedding";
};

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
      return row_of_label<of_embedding>(w, index);
    }
  };
};

}  // namespace ricci::nn
