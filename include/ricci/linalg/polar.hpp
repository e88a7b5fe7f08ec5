// `auto [u, p] = rc::linalg::polar(a)`: a = u p with a symmetric (Hermitian) p that has no negative eigenvalues and,
// where a is not wider than high, orthonormal columns of u, else rows: (..., m, n) -> (..., m, n), (..., n, n), as
// SciPy's. u is the nearest to a of all such matrices. Where elements are no finite numbers, the member of the batch is
// NaN.
//
// By singular values [Higham, Functions of Matrices, 2008, section 8.1]. Derivatives need independent columns, else
// they are NaN; equal singular values do not matter to them.
#pragma once

#include <ricci/linalg/svd.hpp>
#include <ricci/ops/solve.hpp>

namespace ricci::linalg {

struct polar_t : core_call<polar_t> {
  static constexpr auto name = "polar";
  static constexpr core_signature core{"(m,n)->(m,n),(n,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return svd_t<false>::memory(n).size(); }
  static constexpr index_t operations(index_t const* n) {
    svd_memory const at = svd_t<false>::memory(n);
    return 12 * at.high * at.wide * at.wide + 20 * at.wide * at.wide * at.wide;
  }

  // to(i, j) = the sum over k of conj(x[i step + k other_step]) f[k] y[k ld + j next]; where f is not there, of x y
  template <class T, class Y>
  RICCI_HD static constexpr void multiply(Y const& to, T const* x, index_t step, index_t other_step, T const* f,
                                          T const* y, index_t ld, index_t next, index_t rows, index_t columns,
                                          index_t terms) {
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < columns; ++j) {
        T sum = 0;
        for (index_t k = 0; k < terms; ++k)
          sum += (f ? conjugate(x[i * step + k * other_step]) * f[k] : x[i * step + k * other_step]) *
                 y[k * ld + j * next];
        to(i, j) = sum;
      }
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& u, auto const& p) {
    svd_memory const at = svd_t<false>::memory(c.extents);
    index_t const m = c.extents[0], n = c.extents[1], k = at.wide;
    auto* const memory = c.workspace;
    using T = std::remove_cvref_t<decltype(*memory)>;
    bool const high = m >= n;
    auto const scale =
        high ? singular_values_of_view(memory, at, a) : singular_values_of_view(memory, at, transposed_view(a));
    if (scale == 0 && m > 0 && n > 0) {
      fill(not_a_number<T>, u, m, n);
      return fill(not_a_number<T>, p, n, n);
    }
    T *const left = memory + at.u(), *const right = memory + at.g(), *const s = memory + at.s();
    constexpr T const* ones = nullptr;
    for (index_t i = 0; i < k; ++i) s[i] = real_part(s[i]) / scale;
    if (high) {  // a = left s right
      multiply(u, left, k, 1, ones, right, k, 1, m, n, k);
      multiply(p, right, 1, k, s, right, k, 1, n, n, k);
    } else {  // its transpose is
      multiply(transposed_view(u), left, k, 1, ones, right, k, 1, n, m, k);
      multiply(p, left, k, 1, s, left, 1, k, n, n, k);
    }
  }

  // x with x p + p x = y
  template <class V>
  static constexpr V between(V p, V y) {
    V const w = eigh_t<true>::record(no_attributes{}, p), v{w.g, w.id + 1};
    V const inner = product(adjoint(v), product(y, v)) / ir::cast(V(for_columns(w) + for_rows(w)), y.type());
    return product(v, product(inner, adjoint(v)));
  }
  // what x has beside the columns of u, times inv(p)
  template <class V>
  static constexpr V beside(V u, V p, V x) {
    V const rest = x - product(u, product(adjoint(u), x));
    return adjoint(solve_matrices_t::solved(p, adjoint(rest)));
  }
  // With w = u^H du: u^H da - da^H u = w p + p w, dp = u^H da - w p, du = u w + (1 - u u^H) da inv(p)
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) {
    V const u = at.result(0), p = at.result(1), inner = product(adjoint(u), t[0]);
    V const w = between(p, V(inner - adjoint(inner)));
    dy[0] = product(u, w) + beside(u, p, t[0]);
    dy[1] = symmetrised(V(inner - product(w, p)));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    V const u = at.result(0), p = at.result(1), left = conjugated(ct[0]);
    V const half = ct[1] ? symmetrised(conjugated(ct[1])) : V{};
    V const w = between(p, ir::sum_of(left ? product(adjoint(u), left) : V{}, half ? V(-product(half, p)) : V{}));
    V const inner = product(u, ir::sum_of(half, V(w - adjoint(w))));
    out[0] = conjugated(ir::sum_of(inner, left ? beside(u, p, left) : V{}));
  }
};
struct polar_function {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x) const { return named<polar_result>(polar_t{}(static_cast<X&&>(x))); }
};
inline constexpr polar_function polar{};

}  // namespace ricci::linalg
