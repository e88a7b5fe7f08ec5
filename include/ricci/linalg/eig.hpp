// Eigenvalues and eigenvectors of any square matrix, which are complex:
//
//   auto [w, v] = eig(a)   (..., n, n) -> (..., n), (..., n, n), with a v = v * w
//   eigvals(a)             w alone
//
// Vectors are the columns of v, each of length 1, and its largest element is a real number, as LAPACK's. Of real
// matrices those of conjugate eigenvalues are conjugate, and follow each other, the one with the positive imaginary
// part first; there is no other order. Where elements are no finite numbers, the member of the batch is NaN. A matrix
// that is not square is a compile error or a shape_error.
//
// Derivatives are those of distinct eigenvalues [Giles, Collected matrix derivative results, 2008, section 3.1]; where
// some are equal, those of vectors that depend on how they are chosen are NaN.
#pragma once

#include <ricci/linalg/eigenvectors.hpp>
#include <ricci/linalg/eigh.hpp>
#include <ricci/linalg/schur.hpp>
#include <ricci/ops/solve.hpp>

namespace ricci::linalg {

// the type of eigenvalues
template <class T>
using complex_for = std::complex<real_for<std::conditional_t<(sizeof(T) < 4), float, T>>>;

// what eigenvalues and vectors of a make of tangents and cotangents; computed in complex numbers
template <class V>
struct eigenbasis {
  V w, v;
  constexpr V solved(V x) const { return solve_matrices_t::record(no_attributes{}, v, x); }
  constexpr V solved_by_transposed(V x) const { return solve_matrices_t::record(no_attributes{}, transposed(v), x); }
  // x over the differences of eigenvalues, w[j] - w[i], without what lies on the diagonal
  constexpr V over_differences(V x) const {
    V const gaps = for_columns(w) - for_rows(w), size = abs(gaps), sizes = abs(x);
    V const same = size <= equal_values(size) * for_matrix(ir::reduced<max_t>(V(abs(w)), 1 << (w.rank() - 1), false));
    V const nothing = sizes <= no_turn(sizes) * largest_element(sizes, 2);
    V const on_diagonal = row_of(x) == column_of(x), left_out = on_diagonal | same;
    V const none = ir::cast(V(where(on_diagonal | nothing, 0., __builtin_nan(""))), size.type());
    return where(left_out, ir::broadcast_to(none, size.shape_id()), 1.) *
           (where(left_out, 0., x) / where(left_out, 1., gaps) + where(left_out, where(on_diagonal, 0., x), 0.));
  }
  // inv(v) da v
  constexpr V of(V da) const { return solved(product(ir::cast(da, v.type()), v)); }
  // the cotangent of a, whose element type that is, of that of inv(v) da v
  constexpr V back(V x, dtype type) const {
    V const y = product(solved_by_transposed(x), transposed(v));
    return is_complex(type) ? y : V(real(y));
  }
};

template <bool Vectors>
struct eig_t : core_call<eig_t<Vectors>> {
  static constexpr auto name = Vectors ? "eig" : "eigvals";
  static constexpr core_signature core{Vectors ? "(n,n)->(n),(n,n)" : "(n,n)->(n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using types = std::conditional_t<Vectors, type_list<T, complex_for<T>, complex_for<T>>, type_list<T, complex_for<T>>>;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return (Vectors ? 2 : 1) * n[0] * n[0] + 8 * n[0]; }
  static constexpr index_t operations(index_t const* n) { return (Vectors ? 30 : 10) * n[0] * n[0] * n[0]; }

  RICCI_FN run(auto const& c, auto const& a, auto const& w, auto const&... v) {
    index_t const n = c.extents[0];
    using T = std::remove_cvref_t<decltype(*c.workspace)>;
    using R = real_for<T>;
    using C = complex_number<R>;
    T *const x = c.workspace, *const z = x + (Vectors ? 1 : 0) * n * n, *const memory = z + n * n;
    R const scale = scale_of(largest_of(a, n, n));
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) x[i * n + j] = T(a(i, j)) * T(scale);
    T* const d = memory + 3 * n;
    if (scale != 0) balance(x, n, d);
    if (scale == 0 || !schur_form(x, n, Vectors ? z : static_cast<T*>(nullptr), memory)) {
      for (index_t i = 0; i < n; ++i) w(i) = not_a_number<C>;
      return (fill(not_a_number<C>, v, n, n), ...);
    }
    for (index_t i = 0; i < n; ++i) {
      C const value = eigenvalue_of_schur(x, n, i);
      w(i) = C(value.re / scale, value.im / scale);
    }
    (eigenvectors_of_schur(x, z, d, n, memory + 4 * n, v), ...);
  }

  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) requires Vectors {
    eigenbasis<V> const basis{at.result(0), at.result(1)};
    V const p = basis.of(t[0]);
    dy[0] = diagonal_of(p);
    dy[1] = product(basis.v, basis.over_differences(p));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) requires Vectors {
    eigenbasis<V> const basis{at.result(0), at.result(1)};
    V inner = ct[0] ? diagonal_matrix(ct[0]) : V{};
    if (ct[1]) inner = ir::sum_of(inner, basis.over_differences(product(transposed(basis.v), ct[1])));
    out[0] = basis.back(inner, at.operand(0).type());
  }
  template <class V>
  static constexpr eigenbasis<V> basis_of(ir::application<V> const& at) {
    V const w = eig_t<true>::record(no_attributes{}, at.operand(0));
    return {w, {w.g, w.id + 1}};
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) requires(!Vectors) {
    return diagonal_of(basis_of(at).of(t[0]));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) requires(!Vectors) {
    out[0] = basis_of(at).back(diagonal_matrix(ct), at.operand(0).type());
  }
};

// Vectors that the rules above turn as it comes, of length 1 again, and with a real number for the largest element.
struct normalised_vectors_t : formula_of_one<normalised_vectors_t> {
  static constexpr auto name = "eig";
  static constexpr dtype type_of_result(dtype t) { return t; }
  template <class Context>
  static constexpr shape_t shape_of(Context&, axes_and_numbers const&, shape_t s) {
    return s;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const&, V v, int shape) {
    int const rows = 1 << (v.rank() - 2);
    V const size = stop_gradient_t::record(no_attributes{}, V(abs(v))), largest = ir::reduced<max_t>(size, rows, true);
    V const n = ir::number<typename V::mode>(*v.g, v.shape().extent[v.rank() - 2], dtype::int64);
    V const at = where(size == largest, row_of(v), n), first = ir::reduced<min_t>(at, rows, true);
    V const pivot = ir::reduced<sum_t>(V(where(row_of(v) == first, v, 0.)), rows, true);
    V const length = sqrt(ir::reduced<sum_t>(V(square(real(v)) + square(imag(v))), rows, true));
    V const turned = v * (conj(pivot) / abs(pivot)) / length;
    // of a real vector, which may have either sign, as it was
    V const sign = where(stop_gradient_t::record(no_attributes{}, V(real(pivot))) < 0., -1., 1.);
    return ir::broadcast_to(V(turned * ir::cast(sign, length.type())), shape);
  }
};
struct eig_function {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x) const {
    auto r = named<eig_result>(eig_t<true>{}(static_cast<X&&>(x)));
    if constexpr (level_of<X> == operand_level::tensor) {
      return r;
    } else {
      auto v = normalised_vectors_t::call(r.eigenvectors, axis<>);
      return eig_result<decltype(r.eigenvalues), decltype(v)>{r.eigenvalues, v};
    }
  }
};
inline constexpr eig_function eig{};
inline constexpr eig_t<false> eigvals{};

}  // namespace ricci::linalg
