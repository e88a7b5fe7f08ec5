// What a model is made of, as text.
#pragma once

#include <string>

#include <ricci/io/member_names.hpp>
#include <ricci/nn/layer.hpp>

namespace ricci::nn {

// One line for each parameter: name, shape, elements; and their sum.
template <class X>
std::string summary(X const& x) {
  std::string s;
  index_t total = 0;
  files::for_each_named_leaf(x, "", [&](std::string const& name, auto const& leaf) {
    s += name;
    index_t n = 1;
    if constexpr (Tensor<std::remove_cvref_t<decltype(leaf)>>) {
      s += " (";
      for (int k = 0; k < rank_of<std::remove_cvref_t<decltype(leaf)>>; ++k)
        s += (k ? ", " : "") + std::to_string(leaf.shape()[std::size_t(k)]);
      s += ')';
      n = leaf.size();
    }
    s += ' ' + std::to_string(n) + '\n';
    total += n;
  });
  return s + "total " + std::to_string(total) + '\n';
}

}  // namespace ricci::nn
