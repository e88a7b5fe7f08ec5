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
// The line of a leaf of type T.
using listing = void(summary_lines& to, std::string const& name, void const* leaf);
template <class T>
struct listing_of {
  static void add(summary_lines& to, std::string const& name, void const* leaf) {
    if constexpr (Tensor<T>) {
      auto const& extents = static_cast<T const*>(leaf)->shape();
      to.add(name, extents.data(), rank_of<T>);
    } else {
      to.add(name, nullptr, -1);
    }
  }
  static constexpr listing* value = &add;
};
// One line for each parameter: name, shape, elements; and their sum.
template <class X>
RICCI_COLD std::string summary(X const& x) {
  summary_lines lines;
  for (auto const& leaf : files::leaves_of<listing_of>(x).all)
    (*static_cast<listing* const*>(leaf.rules))(lines, leaf.name, leaf.at);
  return lines.text + "total " + std::to_string(lines.total) + '\n';
}

}  // namespace ricci::nn
