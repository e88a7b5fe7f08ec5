// Systems of triangular matrices: `rc::linalg::solve_triangular(a, b)` is x with a x = b, as in SciPy and JAX.
//
//   solve_triangular(a, b)               a lower triangle: (..., n, n), (..., n, k) -> (..., n, k)
//   solve_triangular(a, b, rc::upper)    an upper one; what lies in the other triangle is not read
//   solve_triangular(a, b, rc::lower, rc::unit_diagonal)   the diagonal is taken for ones, and not read
//
// b of order 1 is one right-hand side, (..., n, n), (n,) -> (..., n); what stands before the matrices is broadcast. A
// matrix that is not square is a compile error or a shape_error. Where the diagonal has a zero, the member is NaN.
#pragma once

#include <ricci/linalg/algebra.hpp>
#include <ricci/ops/solve.hpp>

namespace ricci {

// Which triangle of a matrix is meant.
struct lower_t {};
struct upper_t {};
inline constexpr lower_t lower{};
inline constexpr upper_t upper{};
struct unit_diagonal_t {};
inline constexpr unit_diagonal_t unit_diagonal{};

namespace linalg {

// By substitution [Golub and Van Loan, Matrix Computations, section 3.1], rows of all right-hand sides at once.
template <bool Lower, bool Unit>
struct triangular_t : core_call<triangular_t<Lower, Unit>> {
  static constexpr auto name = "solve_triangular";
  static constexpr core_signature core{"(n,n),(n,k)->(n,k)"};
  static constexpr int dense_axes = 2;
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return n[0] * n[1] + n[0]; }
  static constexpr index_t operations(index_t const* n) { return n[0] * n[0] * n[1]; }

  // memory: n numbers, for a row of what is not stored as numbers of this type
  template <class Element, class T>
  RICCI_HD RICCI_VECTORISED static constexpr bool substitute(Element const* a, T* x, index_t n, index_t columns,
                                                             T* memory) {
    for (index_t k = 0; k < n; ++k) {
      index_t const i = Lower ? k : n - 1 - k, from = Lower ? 0 : i + 1;
      T const* row = memory;
      if constexpr (std::is_same_v<Element, T>)
        row = a + i * n;
      else
        for (index_t j = 0; j < n; ++j) memory[j] = a[i * n + j];
      T const pivot = Unit ? T(1) : row[i];
      if (pivot == 0) return false;
      if (columns == 1) {
        x[i] = (x[i] - product_of_rows(row + from, x + from, k)) / pivot;
      } else {
        T* const y = x + i * columns;
        subtract_rows(y, row + from, 1, x + from * columns, columns, k, columns);
        if constexpr (!Unit)
          for (index_t j = 0; j < columns; ++j) y[j] /= pivot;
      }
    }
    return true;
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& b, auto const& x) {
    index_t const n = c.extents[0], columns = c.extents[1];
    auto* const y = c.workspace;
    read(y, columns, b, n, columns);
    if (substitute(a.p, y, n, columns, y + n * columns))
      write(y, columns, x, n, columns);
    else
      fill(not_a_number<std::remove_cvref_t<decltype(*y)>>, x, n, columns);
  }
  static constexpr bool runs_in_lanes = true;
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* b, P* x) {
    index_t const n = extent_or_few(c, 0), columns = extent_or_few(c, 1);
    for (index_t k = 0; k < n * columns; ++k) x[k] = b[k];
    in_lanes<N>::template substitute<Lower, Unit>(a, n, x, columns);
  }

  template <class V>
  static constexpr V solved(V a, V b) {
    return core_call<triangular_t>::record(no_attributes{}, a, b);
  }
  // with the transposed matrix
  template <class V>
  static constexpr V solved_by_transposed(V a, V b) {
    return triangular_t<!Lower, Unit>::solved(transposed(a), b);
  }
  template <class V>
  static constexpr V solved_by_adjoint(V a, V b) {
    return triangular_t<!Lower, Unit>::solved(adjoint(a), b);
  }
  // what is read of the matrix
  template <class V>
  static constexpr V triangle(V a) {
    V const above = Lower ? column_of(a) : row_of(a), below = Lower ? row_of(a) : column_of(a);
    return where(Unit ? V(below > above) : V(below >= above), a, 0.);
  }
  // dx = inv(a) (db - da x)
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V const moved = t[0] ? V(-product(triangle(t[0]), at.y)) : V{};
    return solved(at.operand(0), ir::sum_of(moved, t[1]));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[1] = solved_by_transposed(at.operand(0), ct);
    out[0] = -triangle(product(out[1], transposed(at.y)));
  }
};

template <bool Lower, bool Unit>
struct solve_triangular_t : product_of_two<solve_triangular_t<Lower, Unit>> {
  static constexpr auto name = "solve_triangular";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype a, dtype b) { return floating_matrix(promote(a, b)); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b) {
    return solve_t::shape_of(c, no_attributes{}, a, b);
  }
  template <class V>
  static constexpr V formula(V a, V b, int shape) {
    using call = triangular_t<Lower, Unit>;
    if (b.rank() > 1) return call::record(no_attributes{}, a, b);
    return ir::reshape(call::record(no_attributes{}, a, ir::expand(b, 1)), shape);
  }
};
struct solve_triangular_function {
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, lower_t = {}) const {
    return solve_triangular_t<true, false>{}(static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, upper_t) const {
    return solve_triangular_t<false, false>{}(static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, lower_t, unit_diagonal_t) const {
    return solve_triangular_t<true, true>{}(static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, upper_t, unit_diagonal_t) const {
    return solve_triangular_t<false, true>{}(static_cast<A&&>(a), static_cast<B&&>(b));
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "linalg::solve_triangular takes a triangle and the right-hand side: rc::linalg::solve_triangular(a, b), of the "
      "upper one (a, b, rc::upper), with ones on the diagonal (a, b, rc::lower, rc::unit_diagonal)")
};
inline constexpr solve_triangular_function solve_triangular{};

}  // namespace linalg

}  // namespace ricci
