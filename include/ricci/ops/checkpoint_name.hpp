// A value with a name, by which a checkpoint's policy asks for it (autodiff/policies.hpp). It is another name of its
// operand; loops stack it among what is costly to compute (costly_values.hpp), so that reverse mode has it from there.
#pragma once

#include <ricci/core/label.hpp>
#include <ricci/ops/another_name.hpp>
#include <ricci/ops/call.hpp>

namespace ricci {

struct checkpoint_name_t : ir::another_name {
  static constexpr auto name = "checkpoint_name";
  template <class Mode>
  static constexpr ir::value<Mode> record(label const& l, ir::value<Mode> x) {
    index_t const words[] = {index_t(l.w0), index_t(l.w1), index_t(l.w2), index_t(l.w3)};
    return ir::record<checkpoint_name_t, Mode>(*x.g, x.type(), x.shape_id(), {&x.id, 1}, {words, 4});
  }
};

namespace ir {

template <class G>
constexpr bool is_checkpoint_name(G const& g, int id) {
  return same_operation(g.ins[id].op, facts_of<checkpoint_name_t>());
}
template <class G>
constexpr label checkpoint_label(G const& g, int id) {
  using word = std::uint64_t;
  return {word(g.attr(id, 0)), word(g.attr(id, 1)), word(g.attr(id, 2)), word(g.attr(id, 3))};
}
// what has been given names, one or several
template <class G>
constexpr int named_value(G const& g, int id) {
  while (is_checkpoint_name(g, id)) id = g.in(id, 0);
  return id;
}

}  // namespace ir
}  // namespace ricci
