// Places in a traced function that want numbers of their own, as what is random does: they are counted (`place_count`),
// and each iteration of the loops around one counts for itself.
#pragma once

#include <ricci/ops/arithmetic.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// A value that differs from one iteration of the loops around this place to the next, none where there are no loops.
// Under a checkpoint that of the loops around it is its operand (checkpoint.hpp): in the backward pass they run
// otherwise.
template <class Mode>
constexpr ir::value<Mode> iteration_of_place(typename Mode::graph& g) {
  using V = ir::value<Mode>;
  V n{};
  if (g.place_iteration != 0) n = {&g, g.place_iteration};
  if constexpr (requires { g.outer; })  // else loops run one iteration after another, of places of their own
    for (int scope = g.scope; scope != g.place_scope; scope = g.outer[scope]) {
      V const number = ir::number<Mode>(g, ir::dim(g, ir::dim_op::iteration, scope, 0), dtype::int64);
      constexpr std::int64_t factor = 6364136223846793005;  // D. Knuth's, of a generator modulo 2^64
      n = n ? V(n * ir::integer_literal<Mode>(g, factor, dtype::int64, 0) + number) : number;
    }
  return n;
}

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
