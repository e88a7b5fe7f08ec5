// Mixed precision: `nn::as<rc::bfloat16>(model)` in a loss is the model with its parameters rounded to that type, of
// which the derivatives are those of the parameters themselves, so that these stay in float:
//
//   constexpr auto loss = [](auto const& model, auto state, auto const& mode, auto const& x, auto const& labels) {
//     auto scores = nn::as<rc::bfloat16>(model)(nn::as<rc::bfloat16>(x), state, mode);
//     return std::pair(nn::cross_entropy(nn::as<float>(scores), labels), state);
//   };
#pragma once

#include <ricci/nn/layer.hpp>
#include <ricci/ops/movement.hpp>

namespace ricci {

// Fields whose elements are of type T where they are floating-point numbers.
template <class Kind, class T>
struct elements_of {
  template <class Own, index_t... E>
  using of = typename Kind::template of<std::conditional_t<is_floating(dtype_of<Own>), T, Own>, E...>;
};
namespace tree {
template <class Kind, class T>
struct kind<elements_of<Kind, T>> : kind<Kind> {
  template <int Memory>
  using outside = elements_of<typename kind<Kind>::template outside<Memory>, T>;
  template <class Mode>
  using traced = elements_of<typename kind<Kind>::template traced<Mode>, T>;
};
}  // namespace tree

namespace nn {

// A tensor, or a record of fields, with elements of type T where they are floating-point numbers.
template <class T, class X>
requires Tensor<X>
constexpr auto as(X const& x) {
  if constexpr (is_floating(dtype_of<value_type_of<X>>))
    return astype<T>(x);
  else
    return x;
}
template <class T, template <class> class Record, class Kind>
requires(tree::kind<Kind>::is_kind) constexpr auto as(Record<Kind> const& x) {
  Record<elements_of<Kind, T>> y{};
  tree::for_each_leaf([](auto& to, auto const& from) { to = as<T>(from); }, y, x);
  return y;
}

}  // namespace nn
}  // namespace ricci
