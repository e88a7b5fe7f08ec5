// Singular values: `auto [u, s, vh] = rc::linalg::svd(a, rc::full_matrices<false>)`, a = u * s vh with orthonormal
// columns of u and rows of vh, s in descending order: (..., m, n) -> (..., m, k), (..., k), (..., k, n), k the smaller
// of m and n. `rc::linalg::svd(a)` has all columns of u and rows of vh, (..., m, m), (..., k), (..., n, n), as in NumPy
// and the array API. `rc::linalg::svdvals(a)` is s alone. Where elements are no finite numbers, the member of the batch
// is NaN.
//
// Derivatives are those of functions to which it does not matter how vectors of equal values are turned: where it does
// matter, and those of vectors of the value 0, are NaN. All columns and rows have derivatives for square matrices; for
// others that is a shape_error. Those of the values alone always exist.
#pragma once

#include <ricci/linalg/complex_jacobi.hpp>
#include <ricci/linalg/eigh.hpp>

namespace ricci {

template <bool Full>
struct full_matrices_t {};
template <bool Full>
inline constexpr full_matrices_t<Full> full_matrices{};

namespace linalg {

template <class View>
RICCI_HD RICCI_INLINE constexpr View transposed_view(View v) {
  index_t const t = v.stride[0];
  v.stride[0] = v.stride[1], v.stride[1] = t;
  return v;
}
// Factors what `a` shows, m rows and n columns, m >= n, in `memory`; the values are yet to be divided by the result. 0
// where there are none.
template <class T, class X>
RICCI_HD constexpr real_for<T> singular_values_of_view(T* memory, svd_memory const& at, X const& a) {
  using R = real_for<T>;
  R const scale = scale_of(largest_of(a, at.high, at.wide));
  if (scale == 0) return 0;
  for (index_t i = 0; i < at.high; ++i)
    for (index_t j = 0; j < at.wide; ++j) memory[i * at.wide + j] = T(a(i, j)) * T(scale);
  return singular_values_of(memory, at) ? scale : R(0);
}

// in whose name a derivative is refused
struct svd_derivative : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "svd is derived by full_matrices<false>, or of square matrices";
};
template <bool Full>
struct svd_t : core_call<svd_t<Full>> {
  static constexpr auto name = "svd";
  static constexpr core_signature core{Full ? "(m,n)->(m,m),(k),(n,n)" : "(m,n)->(m,k),(k),(k,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  template <class T>
  using types = type_list<T, T, component_t<T>, T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  template <class Context>
  static constexpr void extents(Context& c, index_t* n) {
    n[2] = shapes::smaller(c, n[0], n[1]);
  }
  RICCI_HD static constexpr svd_memory memory(index_t const* n) {
    index_t const high = n[0] < n[1] ? n[1] : n[0], wide = n[0] < n[1] ? n[0] : n[1];
    return {high, wide, Full ? high : wide};
  }
  static constexpr index_t workspace(index_t const* n) { return memory(n).size(); }
  static constexpr index_t operations(index_t const* n) {
    svd_memory const at = memory(n);
    return 6 * at.high * at.wide * at.wide + 20 * at.wide * at.wide * at.wide;
  }

  // of a matrix that is not wider than high
  template <class T, class A, class L, class S, class R>
  RICCI_HD static constexpr void run_high(T* memory, svd_memory const& at, A const& a, L const& left, S const& s,
                                          R const& right) {
    real_for<T> const scale = singular_values_of_view(memory, at, a);
    index_t const m = at.high, n = at.wide;
    if (scale == 0 && m > 0) {
      for (index_t k = 0; k < n; ++k) s(k) = not_a_number<real_for<T>>;
      fill(not_a_number<T>, left, m, at.left);
      return fill(not_a_number<T>, right, n, n);
    }
    for (index_t k = 0; k < n; ++k) s(k) = real_part(memory[at.s() + k]) / scale;
    write(memory + at.u(), at.left, left, m, at.left);
    write(memory + at.g(), n, right, n, n);
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& u, auto const& s, auto const& vh) {
    if (c.extents[0] >= c.extents[1])
      run_high(c.workspace, memory(c.extents), a, u, s, vh);
    else
      run_high(c.workspace, memory(c.extents), transposed_view(a), transposed_view(vh), s, transposed_view(u));
  }

  template <class V>
  struct parts {
    V u, s, v;            // the columns of v are right vectors
    index_t more, wider;  // how many rows there are more than values, and columns
    constexpr explicit parts(ir::application<V> const& at)
        : u(at.result(0)), s(at.result(1)), v(adjoint(at.result(2))) {
      auto& g = *u.g;
      V const a = at.operand(0);
      index_t const m = a.shape().extent[a.rank() - 2], n = a.shape().extent[a.rank() - 1];
      if (Full) {
        ir::graph_context<typename V::graph_type> c{g, ir::facts_of<svd_derivative>(), a.shape_id()};
        index_t const k = c.same(m, n);
        int const square = ir::intern(g, [&] {
          shape_t x = a.shape();
          x.extent[x.rank - 1] = x.extent[x.rank - 2] = k;
          return x;
        }());
        shape_t vector = a.shape();
        vector.extent[--vector.rank - 1] = k;
        u = ir::broadcast_to(u, square), v = ir::broadcast_to(v, square);
        s = ir::broadcast_to(s, ir::intern(g, vector));
        more = wider = 0;
      } else {
        index_t const k = s.shape().extent[s.rank() - 1];
        more = ir::minus(g, m, k), wider = ir::minus(g, n, k);
      }
    }
    // what x has beside the columns of q, over the values
    constexpr V beside(V q, V x, index_t how_many) const {
      if (ir::find(*x.g, how_many) == 0) return {};
      V const rest = (x - product(q, product(adjoint(q), x))) / ir::cast(for_columns(s), x.type());
      if (ir::find(*x.g, how_many) > 0) return rest;
      return where(ir::number<typename V::mode>(*x.g, how_many, dtype::int64) > 0, rest, 0.);
    }
    // the imaginary part of the diagonal over the values: by which columns of u turn against those of v, as the values
    // are real
    constexpr V phases(V p) const {
      if (!is_complex(p.type())) return {};
      return along_i(V(imag(diagonal_matrix(diagonal_of(p))) / for_rows(s)));
    }
    // `turn`, symmetric or antisymmetric, over the gaps of squares, without what lies on the diagonal
    constexpr V over_squares(V turn, V size) const {
      V const gaps = (for_columns(s) - for_rows(s)) * (for_columns(s) + for_rows(s));
      V const largest = for_rows(largest_element(s, 1));
      V const same = abs(for_columns(s) - for_rows(s)) <= equal_values(s) * largest;
      return where(row_of(turn) == column_of(turn), 0., over_gaps(turn, gaps, same, size));
    }
  };
  // With p = u^H da v: ds = diag(p), du = u (f * (p s + s p^H)) + (1 - u u^H) da v / s, and dv likewise, f[i, j] = 1 /
  // (s[j]^2 - s[i]^2) [Townsend, Differentiating the singular value decomposition, 2016]
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) {
    parts<V> const x(at);
    V const p = product(adjoint(x.u), product(t[0], x.v)), size = largest_element(p, 2);
    V const scaled = size * for_rows(largest_element(x.s, 1));
    V const row = p * ir::cast(for_columns(x.s), p.type()), column = p * ir::cast(for_rows(x.s), p.type());
    dy[1] = real_if_complex(diagonal_of(p));
    V const turn = ir::sum_of(x.over_squares(V(row + adjoint(row)), scaled), x.phases(p));
    dy[0] = ir::sum_of(product(x.u, turn), x.beside(x.u, product(t[0], x.v), x.more));
    dy[2] = adjoint(ir::sum_of(product(x.v, x.over_squares(V(column + adjoint(column)), scaled)),
                               x.beside(x.v, product(adjoint(t[0]), x.u), x.wider)));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    parts<V> const x(at);
    V inner = ct[1] ? diagonal_matrix(ir::cast(ct[1], x.u.type())) : V{}, outer{};
    V const rows = ir::cast(for_rows(x.s), x.u.type()), columns = ir::cast(for_columns(x.s), x.u.type());
    if (ct[0]) {
      V const c = conjugated(ct[0]), w = product(adjoint(x.u), c);
      inner = ir::sum_of(inner, V(x.over_squares(V(w - adjoint(w)), largest_element(w, 2)) * columns));
      inner = ir::sum_of(inner, x.phases(w));
      if (V const more = x.beside(x.u, c, x.more)) outer = product(more, adjoint(x.v));
    }
    if (ct[2]) {
      V const c = adjoint(conjugated(ct[2])), w = product(adjoint(x.v), c);
      inner = ir::sum_of(inner, V(x.over_squares(V(w - adjoint(w)), largest_element(w, 2)) * rows));
      if (V const more = x.beside(x.v, c, x.wider)) outer = ir::sum_of(outer, product(x.u, adjoint(more)));
    }
    out[0] = conjugated(ir::sum_of(product(x.u, product(inner, adjoint(x.v))), outer));
  }
};

struct svdvals_t : core_call<svdvals_t> {
  static constexpr auto name = "svdvals";
  static constexpr core_signature core{"(m,n)->(k)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  template <class T>
  using types = type_list<T, component_t<T>>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  template <class Context>
  static constexpr void extents(Context& c, index_t* n) {
    n[2] = shapes::smaller(c, n[0], n[1]);
  }
  RICCI_HD static constexpr svd_memory memory(index_t const* n) {
    return {n[0] < n[1] ? n[1] : n[0], n[0] < n[1] ? n[0] : n[1], 0};
  }
  static constexpr index_t workspace(index_t const* n) { return memory(n).size(); }
  static constexpr index_t operations(index_t const* n) {
    svd_memory const at = memory(n);
    return 2 * at.high * at.wide * at.wide + 12 * at.wide * at.wide * at.wide;
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& s) {
    svd_memory const at = memory(c.extents);
    auto* const x = c.workspace;
    using R = real_for<std::remove_cvref_t<decltype(*x)>>;
    R const scale = c.extents[0] >= c.extents[1] ? singular_values_of_view(x, at, a)
                                                 : singular_values_of_view(x, at, transposed_view(a));
    for (index_t k = 0; k < at.wide; ++k) s(k) = scale == 0 ? not_a_number<R> : real_part(x[at.s() + k]) / scale;
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    V const u = svd_t<false>::record(no_attributes{}, at.operand(0)), vh{u.g, u.id + 2};
    return real_if_complex(diagonal_of(product(adjoint(u), product(t[0], adjoint(vh)))));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const u = svd_t<false>::record(no_attributes{}, at.operand(0)), vh{u.g, u.id + 2};
    out[0] = conjugated(product(V(u * ir::cast(for_columns(ct), u.type())), vh));
  }
};
struct svd_function {
  template <class X, bool Full = true>
  requires operands<X>
  constexpr auto operator()(X&& x, full_matrices_t<Full> = {}) const {
    return named<svd_result>(svd_t<Full>{}(static_cast<X&&>(x)));
  }
  template <class Given = void>
  constexpr std::tuple<wrong::result, wrong::result, wrong::result> operator()(wrong::argument = {},
                                                                               wrong::argument = {},
                                                                               wrong::argument = {}) const {
    static_assert(always_false<Given>,
                  "linalg::svd takes a matrix, or a batch of them: rc::linalg::svd(a), as many vectors as there are "
                  "singular values "
                  "by rc::linalg::svd(a, rc::full_matrices<false>), and without vectors rc::linalg::svdvals(a)");
    return {};
  }
};
inline constexpr svd_function svd{};
inline constexpr svdvals_t svdvals{};

// A tolerance that is given as a number: 0 or more, else a value_error.
template <class Tolerance>
constexpr void check_tolerance([[maybe_unused]] char const* name, [[maybe_unused]] Tolerance const& rtol) {
  if constexpr (Arithmetic<Tolerance>)
    if (!(rtol >= Tolerance(0)))
      core::raise<value_error>(core::text() << name << ": a tolerance of 0 or more is expected, not "
                                            << (rtol < Tolerance(0) ? "a negative one" : "NaN"));
}

}  // namespace linalg

}  // namespace ricci
