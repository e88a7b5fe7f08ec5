// How a leaf of a function's arguments is called: "argument 1", or in a record or tuple "argument 0, leaf 2", counted
// from 0 in the order of the members.
#pragma once

#include <ricci/autodiff/tree.hpp>
#include <ricci/core/text.hpp>

namespace ricci::tree {
inline namespace RICCI_ABI {

struct leaf_name {
  int argument = 0;
  int leaf = -1;  // -1: the argument is a tensor or a number itself

  friend constexpr core::text& operator<<(core::text& t, leaf_name const& n) {
    t << "argument " << n.argument;
    return n.leaf < 0 ? t : t << ", leaf " << n.leaf;
  }
};

// of leaf k of all arguments
template <class... A>
constexpr leaf_name name_of_leaf(int k) {
  int const counts[] = {count_leaves<A>()..., 0};
  bool const alone[] = {Leaf<A>..., true};
  leaf_name n;
  for (; n.argument < int(sizeof...(A)) && k >= counts[n.argument]; ++n.argument) k -= counts[n.argument];
  if (!alone[n.argument]) n.leaf = k;
  return n;
}

}  // namespace RICCI_ABI
}  // namespace ricci::tree
