// Eigenvalues and eigenvectors of symmetric and of Hermitian matrices: `auto [w, v] = rc::linalg::eigh(a)` with
// a v = v * w, (..., n, n) to (..., n), (..., n, n), w in ascending order, the eigenvectors in the columns of v;
// `rc::linalg::eigvalsh(a)` has w alone. The Hermitian part of a counts, half of a and its adjoint. Where elements are
// no finite numbers, the member of the batch is NaN. A matrix that is not square is a compile error or a shape_error.
//
// Derivatives are those of functions to which it does not matter how vectors of equal eigenvalues are turned: where it
// does matter, they are NaN. Those of distinct eigenvalues always exist; signs of vectors, and phases of complex ones,
// are not determined.
#pragma once

#include <ricci/linalg/eigh_of_few.hpp>
#include <ricci/linalg/inverse.hpp>
#include <ricci/linalg/results.hpp>
#include <ricci/linalg/tridiagonal.hpp>

namespace ricci::linalg {

// What is taken for equal among values the largest of which is 1, and for zero among sums of products of their vectors.
template <class V>
constexpr V equal_values(V type_and_shape) {
  dtype const type = component_type(type_and_shape.type());
  double const eps = type == dtype::float32 ? 0x1p-23 : 0x1p-52;
  return ir::literal<typename V::mode>(*type_and_shape.g, 8 * eps, type, 0);
}
template <class V>
constexpr V no_turn(V type_and_shape) {
  dtype const type = component_type(type_and_shape.type());
  double const tolerance = type == dtype::float32 ? 1e-4 : 1e-10;
  return ir::literal<typename V::mode>(*type_and_shape.g, tolerance, type, 0);
}
// `turn` over `gaps`, element by element, both antisymmetric. Where a gap is that of equal values (`are_equal`), 0, if
// the turn is, too: nothing depends on it; else NaN.
template <class V>
constexpr V over_gaps(V turn, V gaps, V are_equal, V size) {
  V const is_small = abs(turn) <= no_turn(turn) * size;
  V const none = ir::cast(V(where(is_small, 0., __builtin_nan(""))), size.type());
  return where(are_equal, none * turn, turn / ir::cast(V(where(are_equal, 1., gaps)), turn.type()));
}

// w alone, or both.
template <bool Vectors>
struct eigh_t : core_call<eigh_t<Vectors>> {
  static constexpr auto name = Vectors ? "eigh" : "eigvalsh";
  static constexpr core_signature core{Vectors ? "(n,n)->(n),(n,n)" : "(n,n)->(n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  template <class T>
  using types = std::conditional_t<Vectors, type_list<T, component_t<T>, T>, type_list<T, component_t<T>>>;
  static constexpr index_t workspace(index_t const* n) { return (Vectors ? 2 : 1) * n[0] * n[0] + 5 * n[0]; }
  static constexpr index_t operations(index_t const* n) { return (Vectors ? 9 : 4) * n[0] * n[0] * n[0] / 3; }

  RICCI_FN run(auto const& c, auto const& a, auto const& w, auto const&... v) {
    index_t const n = c.extents[0];
    using T = std::remove_cvref_t<decltype(*c.workspace)>;
    constexpr index_t known = extent_of_core<std::remove_cvref_t<decltype(c)>>(0);
    if constexpr (!is_complex_matrix<T> && (known < 0 || known == 2))
      if (n == 2 && eigenvalues_of_few<2, T>(a, w, v...)) return;
    if constexpr (!is_complex_matrix<T> && (known < 0 || known == 3))
      if (n == 3 && eigenvalues_of_few<3, T>(a, w, v...)) return;
    T *const d = c.workspace, *const memory = d + n, *const x = memory + 4 * n, *const z = x + n * n;
    using R = real_for<T>;
    R const scale = scale_of(largest_of(a, n, n));
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j)
        x[i * n + j] = T(a(i, j)) * T(scale) / T(2) + conjugate(T(a(j, i))) * T(scale) / T(2);
    if (scale == 0 || !eigenvalues_of(x, n, d, Vectors ? z : static_cast<T*>(nullptr), memory)) {
      for (index_t i = 0; i < n; ++i) w(i) = not_a_number<R>;
      return (fill(not_a_number<T>, v, n, n), ...);
    }
    for (index_t i = 0; i < n; ++i) w(i) = real_part(d[i]) / scale;
    (
        [&] {
          for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) v(i, j) = z[j * n + i];
        }(),
        ...);
  }

  static constexpr bool runs_in_lanes = true;
  // beyond that a reduction to a tridiagonal matrix is worth its while
  static constexpr bool is_for_lanes(index_t const* n) { return n[0] <= most_rows_in_lanes; }
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* w) {
    linalg::eigh_in_lanes<N>::run(a, extent_or_few(c, 0), w, nullptr);
  }
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* w, P* v) {
    index_t const n = extent_or_few(c, 0);
    linalg::eigh_in_lanes<N>::run(a, n, w, v);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < i; ++j) {
        P const t = v[i * n + j];
        v[i * n + j] = v[j * n + i], v[j * n + i] = t;
      }
  }

  // dw = diag(v^H da v), dv = v (f * v^H da v), f[i, j] = 1 / (w[j] - w[i]) [Giles, Collected matrix derivative
  // results, 2008, section 3.1]
  template <class V>
  static constexpr V in_eigenbasis(V v, V x) {
    return product(adjoint(v), product(x, v));
  }
  template <class V>
  static constexpr V gaps_of(V w) {
    return for_columns(w) - for_rows(w);
  }
  // `turn`, over the gaps, without what lies on the diagonal
  template <class V>
  static constexpr V divided(V turn, V w, V size) {
    V const gaps = gaps_of(w);
    V const same = abs(gaps) <= equal_values(w) * for_rows(largest_element(w, 1));
    return where(row_of(turn) == column_of(turn), 0., over_gaps(turn, gaps, same, size));
  }
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) requires Vectors {
    V const w = at.result(0), v = at.result(1), x = in_eigenbasis(v, symmetrised(t[0]));
    dy[0] = real_if_complex(diagonal_of(x));
    dy[1] = product(v, divided(x, w, largest_element(x, 2)));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) requires Vectors {
    V const w = at.result(0), v = at.result(1);
    V inner = ct[0] ? diagonal_matrix(ir::cast(ct[0], v.type())) : V{};
    if (ct[1]) {
      V const x = product(adjoint(v), conjugated(ct[1]));
      inner = ir::sum_of(inner, divided(V(.5 * (x - adjoint(x))), w, largest_element(x, 2)));
    }
    out[0] = conjugated(symmetrised(product(v, product(inner, adjoint(v)))));
  }
  template <class V>
  static constexpr V vectors(ir::application<V> const& at) {
    V const w = eigh_t<true>::record(no_attributes{}, at.operand(0));
    return {w.g, w.id + 1};
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) requires(!Vectors) {
    return real_if_complex(diagonal_of(in_eigenbasis(vectors(at), symmetrised(t[0]))));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) requires(!Vectors) {
    V const v = vectors(at);
    out[0] = conjugated(product(v, product(diagonal_matrix(ir::cast(ct, v.type())), adjoint(v))));
  }
};
struct eigh_function {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x) const { return named<eigh_result>(eigh_t<true>{}(static_cast<X&&>(x))); }
  template <class Given = void>
  constexpr std::pair<wrong::result, wrong::result> operator()(wrong::argument = {}, wrong::argument = {},
                                                               wrong::argument = {}) const {
    static_assert(always_false<Given>,
                  "linalg::eigh takes a matrix, or a batch of them, alone: rc::linalg::eigh(a), of (a + a^H) / 2; "
                  "without vectors rc::linalg::eigvalsh(a)");
    return {};
  }
};
inline constexpr eigh_function eigh{};
inline constexpr eigh_t<false> eigvalsh{};

}  // namespace ricci::linalg
