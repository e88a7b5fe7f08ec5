// The derivative of a function of matrices, as the exponential, is part of that of a matrix of blocks [Mathias, A chain
// rule for matrix functions and applications, 1996]: in the direction e the upper right block of that of ((a, e), (0,
// a)).
#pragma once

#include <ricci/linalg/algebra.hpp>

namespace ricci::linalg {

template <class Op, class V>
constexpr V block_of_function(V a, V e) {
  auto& g = *a.g;
  int const row = a.rank() - 2, column = a.rank() - 1;
  index_t const n = a.shape().extent[row];
  shape_t wide = a.shape(), whole = wide;
  wide.extent[column] = whole.extent[row] = whole.extent[column] = ir::plus(g, n, n);
  int const half = ir::intern(g, wide);
  V const upper_blocks = ir::joined(column, half, a, e), lower_blocks = ir::joined(column, half, ir::zeros_like(a), a);
  V const y = Op::record(no_attributes{}, ir::joined(row, ir::intern(g, whole), upper_blocks, lower_blocks));
  return ir::broadcast_to(ir::stretch(ir::stretch(y, row, 0, n), column, n, n), a.shape_id());
}
// The derivative in the direction e, which is brought to a size before it stands beside a, so that neither of both is
// lost in what is rounded of the other.
template <class Op, class V>
constexpr V derivative_along(V a, V e, V size) {
  V const f = largest_element(e, 2) / size, factor = where(f > 0., f, 1.);
  return V(block_of_function<Op>(a, V(e / factor)) * factor);
}

}  // namespace ricci::linalg
