// What members of a layer are called in PyTorch's state dicts, and how they lie there; nn/torch.hpp reads and writes
// such files. A layer whose member is called otherwise there than here says so beside its members, in their order:
//
//   static constexpr torch_name torch[] = {{"weight", {.turned = true}}, {"bias"}};
#pragma once

namespace ricci::nn {

struct torch_layout {
  // Whether axes come as (outputs, inputs, window...), of which ours are (window..., inputs, outputs).
  bool turned = false;
  // It is part number `part` of `parts` equal ones along the first axis there.
  int part = 0, parts = 1;
  // An array that is added to it: to the first `added_parts` of `of_parts` equal parts.
  char const* added = nullptr;
  int added_parts = 1, of_parts = 1;
};
// An empty name is that of a record whose members count as those of the record around it.
struct torch_name {
  char const* name;
  torch_layout layout = {};
};

}  // namespace ricci::nn
