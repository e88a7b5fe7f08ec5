// What rules of derivatives are made of: products, triangles and diagonals of the matrices in the last two axes of
// values, whose batches and element types are equal.
#pragma once

#include <ricci/ops/arithmetic.hpp>
#include <ricci/ops/complex.hpp>
#include <ricci/ops/composite.hpp>
#include <ricci/ops/diagonals.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/select.hpp>

namespace ricci::linalg {

constexpr dtype floating_matrix(dtype t) { return floating_type_for(t); }
inline constexpr axes_and_numbers main_diagonal{{2, {-2, -1}}, 1, {0}, true};

template <class V>
constexpr V product(V a, V b) {
  return matmul_t::product(a, b);
}
using ir::transposed;
// whether m is that of x
template <class V>
constexpr bool is_transposed(V m, V x) {
  if (!m.is(ir::facts_of<permute_dims_t>()) || m.operand(0).id != x.id) return false;
  bool is = true;
  for (int k = 0, n = m.rank(); k < n; ++k) is = is && m.g->attr(m.id, k) == (k < n - 2 ? k : 2 * n - 3 - k);
  return is;
}
// of complex matrices with conjugate elements; rules of derivatives, which are written for adjoints, take cotangents by
// their conjugates, too, and return such ones (ops/complex.hpp)
template <class V>
constexpr V conjugated(V x) {
  return x && is_complex(x.type()) ? V(conj(x)) : x;
}
template <class V>
constexpr V adjoint(V x) {
  return conjugated(transposed(x));
}
template <class V>
constexpr V real_if_complex(V x) {
  return is_complex(x.type()) ? V(real(x)) : x;
}
// half of x and its adjoint
template <class V>
constexpr V symmetrised(V x) {
  return .5 * (x + adjoint(x));
}

// the row and the column of each element, to be compared
template <class V>
constexpr V row_of(V x) {
  return ir::expand(ir::positions<typename V::mode>(*x.g, x.shape().extent[x.rank() - 2]), 1);
}
template <class V>
constexpr V column_of(V x) {
  return ir::expand(ir::positions<typename V::mode>(*x.g, x.shape().extent[x.rank() - 1]), 0);
}
// the elements below and on the diagonal, above and on it, strictly below it
template <class V>
constexpr V lower_part(V x) {
  return where(row_of(x) >= column_of(x), x, 0.);
}
template <class V>
constexpr V upper_part(V x) {
  return where(row_of(x) <= column_of(x), x, 0.);
}
template <class V>
constexpr V strictly_lower_part(V x) {
  return where(row_of(x) > column_of(x), x, 0.);
}
// the lower triangle with half of the diagonal: what makes a triangle of a symmetric matrix that is it and its
// transpose
template <class V>
constexpr V lower_half(V x) {
  return where(row_of(x) > column_of(x), x, where(row_of(x) == column_of(x), .5 * x, 0.));
}
// zeros and ones of the shape of x
template <class V>
constexpr V unit_like(V x) {
  return ir::cast(ir::broadcast_to(V(row_of(x) == column_of(x)), x.shape_id()), x.type());
}

// (..., n, n) -> (..., n), and back
template <class V>
constexpr V diagonal_of(V x) {
  return diagonal_t::record(main_diagonal, x);
}
template <class V>
constexpr V diagonal_matrix(V d) {
  return diagonal_t::spread(d);
}
// a vector as one that scales columns, (..., 1, n), or rows, (..., n, 1)
template <class V>
constexpr V for_columns(V d) {
  return ir::expand(d, d.rank() - 1);
}
template <class V>
constexpr V for_rows(V d) {
  return ir::expand(d, d.rank());
}
// i x of a real x
template <class V>
constexpr V along_i(V x) {
  return complex(ir::zeros_like(x), x);
}
// the largest magnitude among the elements of each matrix, or of each vector, as a constant
template <class V>
constexpr V largest_element(V x, int axes) {
  int const mask = (axes == 2 ? 3 : 1) << (x.rank() - axes);
  return stop_gradient_t::record(no_attributes{}, ir::reduced<max_t>(V(abs(x)), mask, true));
}
// (...) -> (..., 1, 1)
template <class V>
constexpr V for_matrix(V s) {
  return ir::expand(ir::expand(s, s.rank()), s.rank() + 1);
}

}  // namespace ricci::linalg
