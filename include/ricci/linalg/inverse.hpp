// `rc::linalg::inv(a)`, (..., n, n) -> (..., n, n). A singular matrix gives NaN, in its member of the batch alone. A
// matrix that is not square is a compile error or a shape_error. Where a product with the inverse is wanted,
// `rc::linalg::solve` is more accurate and costs less.
#pragma once

#include <ricci/linalg/algebra.hpp>
#include <ricci/linalg/inverse_of_four.hpp>
#include <ricci/ops/solve.hpp>

namespace ricci::linalg {

struct inv_t : core_call<inv_t> {
  static constexpr auto name = "inv";
  static constexpr core_signature core{"(n,n)->(n,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return 2 * n[0] * n[0]; }
  static constexpr index_t operations(index_t const* n) { return 2 * n[0] * n[0] * n[0]; }

  RICCI_FN run(auto const& c, auto const& a, auto const& y) {
    index_t const n = c.extents[0], ld = 2 * n;
    auto* const both = c.workspace;
    using T = std::remove_cvref_t<decltype(*both)>;
    if constexpr (!is_complex_matrix<T>) {
      if (has_registers_of_four<T>() && n == 4 && !__builtin_is_constant_evaluated()) {
        if constexpr (has_registers_of_four<T>())
          if (inverse_of_four<T>(a, y)) return;
      } else if (n >= 2 && n <= 4 && inverse_of_few<one_by_one<T>>(a, y, n)) {
        return;
      }
    }
    read(both, ld, a, n, n);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) both[i * ld + n + j] = T(i == j);
    if (solve_beside(both, n, n))
      write(both + n, ld, y, n, n);
    else
      fill(not_a_number<T>, y, n, n);
  }
  static constexpr bool runs_in_lanes = true;
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* y) {
    index_t const n = extent_or_few(c, 0);
    if (n >= 2 && n <= 4) {
      P few[16] = {};  // g++ does not see that all of them are written
      auto const is_right = inverse_of_few<N>([a, n](index_t i, index_t j) { return a[i * n + j]; },
                                              [&few, n](index_t i, index_t j) -> P& { return few[i * n + j]; }, n);
      if (N::is_any(!is_right)) {  // all through memory, so that otherwise all stays in registers
        P left[16], x[16];
        RICCI_UNROLL(16)
        for (index_t k = 0; k < n * n; ++k) left[k] = a[k], x[k] = few[k];
        eliminate_where_not<N>(c, is_right, left, x);
        RICCI_UNROLL(16)
        for (index_t k = 0; k < n * n; ++k) few[k] = x[k];
      }
      RICCI_UNROLL(16)
      for (index_t k = 0; k < n * n; ++k) y[k] = few[k];
      return;
    }
    by_elimination<N>(c, a, y);
  }
  template <class N, class P>
  RICCI_INLINE static void by_elimination(auto const& c, P* a, P* y) {
    index_t const n = extent_or_few(c, 0);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) y[i * n + j] = P(static_cast<typename N::element>(i == j));
    in_lanes<N>::solve_for(c, a, n, y, n);
  }
  template <class N, class P>
  RICCI_NOINLINE static void eliminate_where_not(auto const& c, typename N::condition const& is_right, P* a, P* y) {
    index_t const n = extent_or_few(c, 0);
    P x[16];
    by_elimination<N>(c, a, x);
    for (index_t k = 0; k < n * n; ++k) y[k] = N::select(is_right, y[k], x[k]);
  }
  // -inv(a) da inv(a) [Giles, Collected matrix derivative results, 2008, section 2.2.3]
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return -product(at.y, product(t[0], at.y));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const y = transposed(at.y);
    out[0] = -product(y, product(ct, y));
  }
  // inv(a) b is the solution x of a x = b, and b inv(a) that of x a = b; so where the inverse is transposed, or those
  // of a batch are one tall matrix (ops/matmul.hpp)
  template <class V>
  static constexpr V consumer(V y, V x) {
    if (!y.is(ir::facts_of<matmul_t>())) return V{};
    V const a = x.operand(0), left = y.operand(0), right = y.operand(1);
    auto const matrix_of = [&](V m) {
      if (m.id == x.id) return a;
      return is_transposed(m, x) ? transposed(a) : V{};
    };
    if (V const m = matrix_of(left)) return solve_matrices_t::record(no_attributes{}, m, right);
    if (V const m = matrix_of(right))
      return transposed(solve_matrices_t::record(no_attributes{}, transposed(m), transposed(left)));
    if (left.is(ir::facts_of<reshape_t>()) && left.operand(0).id == x.id && left.rank() == 2 &&
        left.shape().extent[1] == x.shape().extent[x.rank() - 1])
      return ir::reshape(solve_matrices_t::record(no_attributes{}, a, right), y.shape_id());
    return V{};
  }
};
inline constexpr inv_t inv{};

}  // namespace ricci::linalg
