// `rc::linalg::cholesky(a)` is the lower triangle l with l l^H = a, `rc::linalg::cholesky(a, rc::upper)` its adjoint:
// (..., n, n) -> (..., n, n). The Hermitian part of a counts, half of a and its adjoint. What is not positive
// definite is NaN, in its member of the batch alone. A matrix that is not square is a compile error or a shape_error.
#pragma once

#include <ricci/linalg/cholesky_in_lanes.hpp>
#include <ricci/linalg/triangular.hpp>

namespace ricci::linalg {

// What `factor_symmetric` does, of N rows, with loops that compilers take apart.
template <index_t N, class T>
RICCI_HD RICCI_INLINE constexpr bool factor_few(T* u) {
  RICCI_UNROLL(8)
  for (index_t i = 0; i < N; ++i) {
    RICCI_UNROLL(8)
    for (index_t k = 0; k < i; ++k) RICCI_UNROLL(8)
    for (index_t j = i; j < N; ++j) u[i * N + j] -= u[k * N + i] * u[k * N + j];
    T const square = u[i * N + i];
    if (!(square > 0 && square <= std::numeric_limits<T>::max())) return false;
    T const d = square_root(square), inverse = 1 / d;
    u[i * N + i] = d;
    RICCI_UNROLL(8)
    for (index_t j = i + 1; j < N; ++j) u[i * N + j] *= inverse;
  }
  return true;
}

// Makes, in place, of the upper triangle of a symmetric matrix that of its factor u, u^T u = a, a row after the other,
// two at a time [Golub and Van Loan, Matrix Computations, section 4.2]. False where a is not positive definite.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool factor_symmetric(T* u, index_t n) {
  auto const finish = [n](T* row, index_t i) {
    T const square = row[i];
    if (!(square > 0 && square <= std::numeric_limits<T>::max())) return false;
    T const d = square_root(square), inverse = 1 / d;
    row[i] = d;
    for (index_t j = i + 1; j < n; ++j) row[j] *= inverse;
    return true;
  };
  index_t i = 0;
  for (; i + 2 <= n; i += 2) {
    T *const y = u + i * n, *const z = y + n;
    subtract_rows_of_two(y + i, z + i, u + i, u + i + 1, n, u + i, n, i, n - i);
    if (!finish(y, i)) return false;
    T const f = y[i + 1];
    for (index_t j = i + 1; j < n; ++j) z[j] -= f * y[j];
    if (!finish(z, i + 1)) return false;
  }
  if (i < n) {
    T* const y = u + i * n;
    subtract_rows(y + i, u + i, n, u + i, n, i, n - i);
    if (!finish(y, i)) return false;
  }
  return true;
}

// The same of a Hermitian matrix, u^H u = a.
template <class R>
RICCI_HD constexpr bool factor_symmetric(complex_number<R>* u, index_t n) {
  using C = complex_number<R>;
  for (index_t i = 0; i < n; ++i) {
    C* const row = u + i * n;
    for (index_t k = 0; k < i; ++k) {
      C const f = conjugate(u[k * n + i]);
      for (index_t j = i; j < n; ++j) row[j] -= f * u[k * n + j];
    }
    R const square = row[i].re;
    if (!(square > 0 && square <= std::numeric_limits<R>::max())) return false;
    R const d = square_root(square);
    row[i] = d;
    for (index_t j = i + 1; j < n; ++j) row[j] *= C(1 / d);
  }
  return true;
}

struct cholesky_t : core_call<cholesky_t> {
  static constexpr auto name = "cholesky";
  static constexpr core_signature core{"(n,n)->(n,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return n[0] * n[0]; }
  static constexpr index_t operations(index_t const* n) { return n[0] * n[0] * n[0] / 3; }

  using core_call<cholesky_t>::operator();
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, lower_t) const {
    return (*this)(static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, upper_t) const;

  template <index_t N, class T>
  RICCI_HD RICCI_INLINE static constexpr void run_few(auto const& a, auto const& l) {
    T u[N * N]{};
    RICCI_UNROLL(8)
    for (index_t i = 0; i < N; ++i) RICCI_UNROLL(8)
    for (index_t j = i; j < N; ++j) u[i * N + j] = a(i, j) / 2 + a(j, i) / 2;
    if (!factor_few<N>(u)) return fill(not_a_number<T>, l, N, N);
    RICCI_UNROLL(8)
    for (index_t i = 0; i < N; ++i) RICCI_UNROLL(8)
    for (index_t j = 0; j < N; ++j) l(i, j) = j > i ? T(0) : u[j * N + i];
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& l) {
    index_t const n = c.extents[0];
    auto* const u = c.workspace;
    using T = std::remove_cvref_t<decltype(*u)>;
    if constexpr (!is_complex_matrix<T>) {
      if constexpr (constexpr index_t known = extent_of_core<std::remove_cvref_t<decltype(c)>>(0);
                    known > 4 && known <= 8)
        return run_few<known, T>(a, l);
      if (n == 2) return run_few<2, T>(a, l);
      if (n == 3) return run_few<3, T>(a, l);
      if (n == 4) return run_few<4, T>(a, l);
    }
    for (index_t i = 0; i < n; ++i)
      for (index_t j = i; j < n; ++j) u[i * n + j] = T(a(i, j)) / T(2) + conjugate(T(a(j, i))) / T(2);
    if (!factor_symmetric(u, n)) return fill(not_a_number<T>, l, n, n);
    for (index_t i = 0; i < n; ++i) {
      for (index_t j = 0; j <= i; ++j) l(i, j) = conjugate(u[j * n + i]);
      for (index_t j = i + 1; j < n; ++j) l(i, j) = T(0);
    }
  }
  static constexpr bool runs_in_lanes = true;
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* l) {
    linalg::cholesky_in_lanes<N>::factor(a, extent_or_few(c, 0), l);
  }

  // dl = l h(inv(l) da inv(l)^H), where h takes the lower triangle with half of the diagonal [Murray, Differentiation
  // of the Cholesky decomposition, 2016, section 3.1]
  using by_factor = triangular_t<true, false>;
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V const half = by_factor::solved(at.y, symmetrised(t[0]));
    return product(at.y, lower_half(by_factor::solved(at.y, adjoint(half))));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const inner = lower_half(product(adjoint(at.y), lower_part(conjugated(ct))));
    V const left = by_factor::solved_by_adjoint(at.y, inner);
    out[0] = conjugated(symmetrised(by_factor::solved_by_adjoint(at.y, adjoint(left))));
  }
};
struct upper_cholesky_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "cholesky";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype t) { return cholesky_t::type_of_result(t); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x) {
    return cholesky_t::shape_of(c, no_attributes{}, x);
  }
  template <class V>
  static constexpr V record(no_attributes, V x) {
    return adjoint(cholesky_t::record(no_attributes{}, x));
  }
};
template <class X>
requires operands<X> RICCI_INLINE constexpr auto cholesky_t::operator()(X&& x, upper_t) const {
  return call_operation<upper_cholesky_t>(no_attributes{}, static_cast<X&&>(x));
}
inline constexpr cholesky_t cholesky{};

// `rc::linalg::cho_solve(l, b)`: x with l l^H x = b, of a factor that `cholesky` has made: (..., n, n), (..., n, k) ->
// (..., n, k), or of one right-hand side, (..., n, n), (n,) -> (..., n); `cho_solve(u, b, rc::upper)` of its adjoint.
// What lies in the other triangle is not read.
template <bool Lower>
struct cho_solve_t : product_of_two<cho_solve_t<Lower>> {
  static constexpr auto name = "cho_solve";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype a, dtype b) { return floating_matrix(promote(a, b)); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b) {
    return solve_t::shape_of(c, no_attributes{}, a, b);
  }
  template <class V>
  static constexpr V formula(V a, V b, int shape) {
    V const columns = b.rank() > 1 ? b : ir::expand(b, 1);
    V const half = triangular_t<true, false>::solved(Lower ? a : adjoint(a), columns);
    return ir::reshape(triangular_t<false, false>::solved(Lower ? adjoint(a) : a, half), shape);
  }
};
struct cho_solve_function {
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, lower_t = {}) const {
    return cho_solve_t<true>{}(static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, upper_t) const {
    return cho_solve_t<false>{}(static_cast<A&&>(a), static_cast<B&&>(b));
  }
};
inline constexpr cho_solve_function cho_solve{};

}  // namespace ricci::linalg
