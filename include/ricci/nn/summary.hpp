// What a model is made of, as text.
#pragma once

#include <string>

#include <ricci/io/member_names.hpp>
#include <ricci/nn/layer.hpp>

namespace ricci::nn {

// The lines so far: a number has rank -1.
struct summary_lines {
  std::string text;
  index_t total = 0;
  RICCI_COLD void add(std::string const& name, index_t const* extents, int rank) {
    text += name;
    index_t n = 1;
    if (rank >= 0) {
      text += " (";
      for (int k = 0; k < rank; ++k) {
        if (k > 0) text += ", ";
        text += std::to_string(extents[k]);
        n *= extents[k];
      }
      text += ')';
    }
    text += ' ';
    text += std::to_string(n);
    text += '\n';
    total += n;
  }
};
// One line for each parameter: name, shape, elements; and their sum.
template <class X>
RICCI_COLD std::string summary(X const& x) {
  summary_lines lines;
  files::for_each_named_leaf(x, "", [&](std::string const& name, auto const& leaf) {
    if constexpr (Tensor<std::remove_cvref_t<decltype(leaf)>>) {
      auto const& extents = leaf.shape();
      lines.add(name, extents.data(), rank_of<std::remove_cvref_t<decltype(leaf)>>);
    } else {
      lines.add(name, nullptr, -1);
    }
  });
  return lines.text + "total " + std::to_string(lines.total) + '\n';
}

}  // namespace ricci::nn
