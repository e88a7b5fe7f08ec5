// What each file of the program computes, in a namespace named after its options: everything is passed as tensors.
#pragma once

#include <ricci/ricci.hpp>

namespace rc = ricci;

using fixed_t = rc::tensor<float, 8, 5>;
using loose_t = rc::ndarray<float, 2>;
struct results {
  fixed_t fixed;
  loose_t loose;
  rc::tensor<float> number;
  int width;  // of the file's vectors, in bytes
};

// functions of a header, which the files share
template <class Kind = rc::values>
struct params {
  rc::field<Kind, float, 5, 4> w;
  rc::field<Kind, float, 4> b;
};

inline constexpr auto net = [](auto const& p, auto const& x) { return rc::tanh(rc::matmul(x, p.w) + p.b); };
inline constexpr auto loss = [](auto const& p, auto const& x) { return rc::mean(rc::square(net(p, x)) + rc::logsumexp(net(p, x), rc::axis<1>, rc::keepdims)); };

namespace part_base {
results compute(fixed_t const& a, loose_t const& b);
}
namespace part_wide {
results compute(fixed_t const& a, loose_t const& b);
}
namespace part_fast {
results compute(fixed_t const& a, loose_t const& b);
}
