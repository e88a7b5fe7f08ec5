// A program of files that are compiled with different options. Each computes the same, in a namespace of its own, and
// tensors are passed between them.
#pragma once

#include <ricci/ricci.hpp>

namespace rc = ricci;

using fixed_t = rc::tensor<float, 8, 5>;
using loose_t = rc::ndarray<float, 2>;
struct results {
  fixed_t fixed;
  loose_t loose;
  rc::tensor<float> number;
};

// functions of a header, so that all files have them
template <class Kind = rc::values>
struct params {
  rc::field<Kind, float, 5, 4> w;
  rc::field<Kind, float, 4> b;
};

inline constexpr auto net = [](auto const& p, auto const& x) { return rc::tanh(rc::matmul(x, p.w) + p.b); };
inline constexpr auto loss = [](auto const& p, auto const& x) {
  auto y = net(p, x);
  return rc::mean(rc::square(y) + rc::logsumexp(y, rc::axis<1>, rc::keepdims));
};

namespace part_base {  // as the compiler does by itself
results compute(fixed_t const& a, loose_t const& b);
}
namespace part_wide {  // for a newer instruction set, with fast-math
results compute(fixed_t const& a, loose_t const& b);
}
namespace part_aborts {  // without exceptions and RTTI
results compute(fixed_t const& a, loose_t const& b);
}
