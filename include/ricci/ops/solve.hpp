// Systems of linear equations: `rc::linalg::solve(a, b)` is x with a x = b, as in NumPy, JAX and the array API.
//
//   x = rc::linalg::solve(a, b)   (..., n, n), (..., n, k) -> (..., n, k); b of order 1: (..., n, n), (n,) -> (..., n)
//
// A loop of its own per matrix (core_call.hpp), by elimination with row pivots (elimination.hpp); what stands before
// the matrices is broadcast. A singular matrix raises nothing: where a pivot is 0, the results are NaN, in its member
// of the batch alone. Derivatives are solutions, too [Giles, Collected matrix derivative results, 2008, section 2.3.1].
#pragma once

#include <ricci/ops/elimination.hpp>
#include <ricci/ops/elimination_in_lanes.hpp>
#include <ricci/ops/elimination_of_known.hpp>
#include <ricci/ops/products.hpp>

namespace ricci {

struct solve_matrices_t : core_call<solve_matrices_t> {
  static constexpr auto name = "solve_matrices";
  static constexpr core_signature core{"(n,n),(n,k)->(n,k)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = linalg::number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  static constexpr index_t workspace(index_t const* n) { return n[0] * (n[0] + n[1]); }
  static constexpr index_t operations(index_t const* n) { return 2 * n[0] * n[0] * n[0] / 3 + 2 * n[0] * n[0] * n[1]; }

  RICCI_FN run(auto const& c, auto const& a, auto const& b, auto const& x) {
    index_t const n = c.extents[0], columns = c.extents[1], ld = n + columns;
    auto* const both = c.workspace;
    using T = std::remove_cvref_t<decltype(*both)>;
    using C = std::remove_cvref_t<decltype(c)>;
    if constexpr (constexpr index_t known = extent_of_core<C>(0);
                  !linalg::is_complex_matrix<T> && known >= 2 && known <= 16 && extent_of_core<C>(1) == 1)
      if (known <= 4 ? linalg::solve_few<(known <= 4 ? known : 4), T>(a, b, x) : linalg::solve_known<known, T>(a, b, x))
        return;
    linalg::read(both, ld, a, n, n);
    linalg::read(both + n, ld, b, n, columns);
    if (linalg::solve_known_beside<extent_of_core<C>(0)>(both, n, columns))
      linalg::write(both + n, ld, x, n, columns);
    else
      linalg::fill(linalg::not_a_number<T>, x, n, columns);
  }

  static constexpr bool runs_in_lanes = true;
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* b, P* x) {
    index_t const n = linalg::extent_or_few(c, 0), columns = linalg::extent_or_few(c, 1);
    for (index_t k = 0; k < n * columns; ++k) x[k] = b[k];
    linalg::in_lanes<N>::solve_for(c, a, n, x, columns);
  }

  // of matrices with equal batches, as an instruction has them
  template <class V>
  static constexpr V solved(V a, V b) {
    return record(no_attributes{}, a, b);
  }
  // dx = inv(a) (db - da x)
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V const moved = t[0] ? V(-matmul_t::product(t[0], at.y)) : V{};
    return solved(at.operand(0), ir::sum_of(moved, t[1]));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[1] = solved(ir::transposed(at.operand(0)), ct);
    out[0] = -matmul_t::product(out[1], ir::transposed(at.y));
  }
};

namespace linalg {

struct solve_t : product_of_two<solve_t> {
  static constexpr auto name = "solve";
  using product_of_two::operator();
  RICCI_WRONG_CALL_OF_OBJECT(
      "linalg::solve(a, b) takes the matrix, then the right side, both tensors; where a function gives "
      "the product with the matrix, rc::linalg::cg(f, b) is")
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype a, dtype b) { return solve_matrices_t::operand_type(promote(a, b)); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t a, shape_t b) {
    if (a.rank < 2 || b.rank < 1) return c.fail(), shape_t{};
    index_t const n = c.same(a.extent[a.rank - 1], a.extent[a.rank - 2]);
    a.rank -= 2;
    if (b.rank == 1) {
      a.push(c.same(n, b.extent[0]));
      return a;
    }
    c.same(n, b.extent[b.rank - 2]);
    index_t const columns = b.extent[b.rank - 1];
    b.rank -= 2;
    shape_t s = shapes::broadcast(c, a, b);
    s.push(n), s.push(columns);
    return s;
  }
  template <class V>
  static constexpr V formula(V a, V b, int shape) {
    if (b.rank() > 1) return solve_matrices_t::record(no_attributes{}, a, b);
    return ir::reshape(solve_matrices_t::record(no_attributes{}, a, ir::expand(b, 1)), shape);
  }
};
inline constexpr solve_t solve{};

}  // namespace linalg

}  // namespace ricci
