// Layers, and models made of them. A layer is a struct of constants; its parameters are a record inside of it, which is
// a function of its input; what it keeps from one call to the next, if anything, is a second record.
//
//   template <rc::index_t In, rc::index_t Out> struct affine {
//     template <class Kind = rc::values> struct params {
//       rc::field<Kind, float, In, Out> w;
//       rc::field<Kind, float, Out> b;
//       static params init(rc::random::key const& k);            // first values; optional (nn/init.hpp)
//       constexpr auto operator()(auto const& x) const { return rc::matmul(x, w) + b; }
//     };
//   };
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/tree.hpp>
#include <ricci/nn/keras_name.hpp>
#include <ricci/nn/torch_name.hpp>
#include <ricci/random/permutation.hpp>
#include <ricci/random/uniform.hpp>

namespace ricci::nn {

using key = random::key;

// A layer as a member of a record: `nn::layer<nn::linear<64, 32>, Kind> up;`
template <class L, class Kind = values>
using layer = typename L::template params<Kind>;
template <class L, class Kind = values>
using state = typename L::template state<Kind>;

// The same record, taken for constants by derivatives: what belongs to them alone is not computed.
template <class X>
constexpr X frozen(X x) {
  tree::for_each_leaf(
      [](auto& leaf) {
        if constexpr (is_symbol<std::remove_cvref_t<decltype(leaf)>>) leaf = stop_gradient(leaf);
      },
      x);
  return x;
}

}  // namespace ricci::nn
