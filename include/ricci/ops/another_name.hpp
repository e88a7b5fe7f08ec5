// Aliases: instructions that are another name of a value, and are derived as that is.
#pragma once

#include <ricci/ops/call_types.hpp>

namespace ricci::ir {

// Base of those whose derivatives are their operand's.
struct another_name : operation_of_kind<op_kind::alias, 0> {
  template <class V>
  static constexpr V jvp(application<V> const&, V const* t) {
    return t[0];
  }
  template <class V>
  static constexpr void vjp(application<V> const&, V ct, V* out) {
    out[0] = ct;
  }
};

// What an instruction is another name of, 0 where it is more than that. An alias is one of its operand 0; the other
// operands are there for its derivative rule. Of one with several results (autodiff/custom_call.hpp) the parts are
// names of the operands behind that.
template <class G>
constexpr int aliased(G const& g, int id) {
  auto const kind = g.ins[id].op->kind;
  if (kind == op_kind::alias) return g.in(id, 0);
  if (kind != op_kind::part || g.ins[g.in(id, 0)].op->kind != op_kind::alias) return 0;
  return g.in(g.in(id, 0), static_cast<int>(g.attr(id, 0)));
}

}  // namespace ricci::ir
