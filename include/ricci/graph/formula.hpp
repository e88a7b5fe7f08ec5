// What an operation becomes in a graph. While a formula of others is recorded, the graph knows its name and its
// operands, so that errors speak of what a program called, not of what that is made of.
#pragma once

#include <ricci/graph/descriptor.hpp>
#include <ricci/graph/value.hpp>

namespace ricci::ir {

template <class Op>
concept is_instruction = requires {
  requires Op::kind != op_kind::alias;
};
// (formulas need not say of what kind they are)
template <class Op>
inline constexpr op_facts formula_facts{Op::name, id_of_type<Op>(), op_kind::alias, 0, false};

// The formula in whose name a graph asks, as long as this lives; within another one that is the outer one.
template <class G>
struct naming_formula {
  G& g;
  bool is_outermost;

  constexpr naming_formula(G& to, op_facts const* op, int left, int right)
      : g(to), is_outermost(to.formula.op->id == 0) {
    if (is_outermost) g.formula = {op, {left, right}};
  }
  naming_formula(naming_formula const&) = delete;
  constexpr ~naming_formula() {
    if (is_outermost) g.formula = {};
  }
};

// Op::record, in the name of Op.
template <class Op, class Attributes, class V, class... Rest>
constexpr V recorded(Attributes const& attributes, V first, Rest... rest) {
  if constexpr (is_instruction<Op>) {
    return Op::record(attributes, first, rest...);
  } else {
    constexpr bool tells_shapes = sizeof...(rest) < 2;
    int const shapes[] = {tells_shapes ? first.shape_id() : -1, tells_shapes ? rest.shape_id() : -1 ..., -1};
    naming_formula<typename V::graph_type> const named(*first.g, &formula_facts<Op>, shapes[0], shapes[1]);
    return Op::record(attributes, first, rest...);
  }
}

// Op under the name of Caller, in errors at compile time and at run time: for functions that are one other operation
// and have no expression of their own.
template <class Caller, class Op>
struct called_as : Op {
  static constexpr auto name = Caller::name;
  static constexpr op_kind kind = op_kind::alias;
};

}  // namespace ricci::ir
