// Labels as rows with a one: `nn::one_hot<10>(labels)`, (...), integers, to (..., 10), as jax.nn.one_hot has it: of a
// label outside all are zero.
#pragma once

#include <ricci/ops/create.hpp>
#include <ricci/ops/movement.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

template <index_t Classes, class T = float, Tensor L>
constexpr auto one_hot(L const& labels) {
  static_assert(is_integer(dtype_of<value_type_of<L>>), "nn::one_hot: labels are integers");
  static_assert(Classes > 0,
                "nn::one_hot: how many classes there are stands in angle brackets, nn::one_hot<10>(labels)");
  return fn([](auto const& of) {
    // by more bits than labels have where these do not reach all classes
    using number = std::conditional_t<std::is_same_v<value_type_of<L>, std::uint64_t>, std::uint64_t, std::int64_t>;
    auto const all = ricci::eval(ricci::arange<number>(Classes, like(of)));
    return ricci::eval(ricci::astype<T>(ricci::astype<number>(ricci::expand_dims(of, axis<-1>)) == all));
  })(labels);
}

}  // namespace ricci::nn
