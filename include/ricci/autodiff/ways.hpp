// How a sparse jacobian may be computed otherwise than by colors, as far as it is known while compiling: component by
// component in forward mode (autodiff/components.hpp), or part by part in reverse mode (autodiff/parts.hpp).
#pragma once

#include <ricci/autodiff/part_places.hpp>

namespace ricci::sparsity {
inline namespace RICCI_ABI {

// Whether derivatives by component may be what computes a jacobian: X and Y are trees of symbols, that which is derived
// by and the results.
template <class X, class Y>
constexpr bool may_be_by_component() {
  constexpr tracing::tree_facts by = tracing::facts_of_tree<X>(), of = tracing::facts_of_tree<Y>();
  constexpr int leaves = tracing::most_leaves_by_component, most_directions = 32;
  if (by.leaves > leaves || of.leaves > leaves || !by.has_long_axes || !of.has_long_axes) return false;
  return by.directions >= 2 && by.directions <= most_directions && by.directions * of.pieces <= 4 * most_directions;
}
// and compile in moderate time
template <class Table>
constexpr bool is_moderate(index_t derivatives) {
  constexpr int most_instructions = 4096;
  for (int id = 1; id < Table::size; ++id)
    if (Table::ins.at[id].op->kind == ir::op_kind::loop) return false;
  return derivatives * Table::size <= most_instructions;
}
// Those of parts have all numbers that a row depends on where one by component has one, for about twice the time.
inline constexpr int directions_for_a_part = 2, most_pieces = 128;
// One by component takes less time than one that is part of a batch: so many of these are taken in place of a color.
inline constexpr index_t most_for_a_color = 5;

// How the graph of a function is looked at: as it is derived, where elements may be found otherwise than by colors.
template <int I, class F, class... A>
struct looked_at {
  using call = tracing::traced_call<tracing::stable_function<I>, F, A...>;
  using transform = tracing::stable_function<I>;
  using table = graph_table<call, tree::count_leaves<std::tuple_element_t<I, std::tuple<A...>>>()>;
  static constexpr tracing::function_parts parts =
      tracing::parts_of(call::trace().g, {call::trace().g.outputs, table::first_output},
                        {call::trace().g.outputs + table::first_output, table::output_count});
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
