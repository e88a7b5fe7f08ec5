// `auto [p, l, u] = rc::linalg::lu(a)`: a = p l u with a permutation p, l lower triangular with ones on its diagonal
// and u upper triangular, as in SciPy and JAX: (..., m, n) -> (..., m, m), (..., m, k), (..., k, n), k the smaller of m
// and n. A singular matrix is factored, too. Derivatives are those of square regular matrices; of others they are a
// shape_error, or NaN.
#pragma once

#include <ricci/linalg/inverse.hpp>
#include <ricci/linalg/results.hpp>
#include <ricci/linalg/triangular.hpp>
#include <ricci/ops/sort.hpp>

namespace ricci::linalg {

// in whose name a derivative is refused
struct lu_derivative : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "lu is derived of square matrices";
};
// Both factors in one matrix, and which rows of a theirs are.
struct lu_factors_t : core_call<lu_factors_t> {
  static constexpr auto name = "lu";
  static constexpr core_signature core{"(m,n)->(m,n),(m)"};
  template <class T>
  using types = type_list<T, T, std::int64_t>;
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return n[0] * n[1]; }
  static constexpr index_t operations(index_t const* n) { return 2 * n[0] * n[1] * (n[0] < n[1] ? n[0] : n[1]) / 3; }

  RICCI_FN run(auto const& c, auto const& a, auto const& y, auto const& rows) {
    index_t const m = c.extents[0], n = c.extents[1];
    auto* const lu = c.workspace;
    read(lu, n, a, m, n);
    for (index_t i = 0; i < m; ++i) rows(i) = i;
    eliminate(lu, n, m, m < n ? m : n, n, [&rows](index_t i, index_t k) {
      auto const at = rows(i);
      rows(i) = rows(k), rows(k) = at;
    });
    write(lu, n, y, m, n);
  }
  static constexpr bool runs_in_lanes = true;
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* y, P* rows) {
    index_t const m = extent_or_few(c, 0), n = extent_or_few(c, 1);
    for (index_t k = 0; k < m * n; ++k) y[k] = a[k];
    for (index_t i = 0; i < m; ++i) rows[i] = P(static_cast<typename N::element>(i));
    in_lanes<N>::template eliminate<true>(y, m, m < n ? m : n, n, y, 0,
                                          [rows](typename N::condition where, index_t i, index_t k) {
                                            P const at = rows[i];
                                            rows[i] = N::select(where, rows[k], at);
                                            rows[k] = N::select(where, at, rows[k]);
                                          });
  }

  // the rows of x in the order of the pivots, and back
  template <class V>
  static constexpr V order_of(V rows, V x) {
    return ir::broadcast_to(ir::expand(rows, rows.rank()), x.shape_id());
  }
  template <class V>
  static constexpr V below_unit(V lu) {
    return where(row_of(lu) > column_of(lu), lu, ir::cast(V(row_of(lu) == column_of(lu)), lu.type()));
  }
  template <class V>
  static constexpr void needs_square(ir::application<V> const& at) {
    V const a = at.operand(0);
    ir::graph_context<typename V::graph_type> c{*a.g, ir::facts_of<lu_derivative>(), a.shape_id()};
    c.same(a.shape().extent[a.rank() - 1], a.shape().extent[a.rank() - 2]);
  }
  // With f = inv(l) p^T da inv(u): dl is l times what lies below the diagonal of f, du the rest times u [van der Hoorn,
  // and Murray, as for Cholesky's; both lie in one matrix].
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) {
    needs_square(at);
    V const lu = at.y, moved = sorting::gathered(t[0], order_of(at.result(1), t[0]), t[0].rank() - 2);
    V const half = triangular_t<true, true>::solved(lu, moved);
    V const f = transposed(triangular_t<false, false>::solved_by_transposed(lu, transposed(half)));
    dy[0] = product(below_unit(lu), strictly_lower_part(f)) + product(upper_part(f), upper_part(lu));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    needs_square(at);
    if (!ct[0]) return;
    V const lu = at.y, l = below_unit(lu), u = upper_part(lu);
    V const f = strictly_lower_part(product(transposed(l), strictly_lower_part(ct[0]))) +
                upper_part(product(upper_part(ct[0]), transposed(u)));
    V const half = triangular_t<true, true>::solved_by_transposed(lu, f);
    V const moved = transposed(triangular_t<false, false>::solved(lu, transposed(half)));
    out[0] = sorting::scattered(moved, order_of(at.result(1), moved), moved.rank() - 2);
  }
};

// What the results are made of: the parts of a matrix of both, and the rows as a matrix.
struct permutation_t : formula_of_one<permutation_t> {
  static constexpr auto name = "lu";
  template <class Context>
  static constexpr shape_t shape_of(Context&, axes_and_numbers const&, shape_t s) {
    s.push(s.extent[s.rank - 1]);
    return s;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const&, V rows, int shape) {
    auto& g = *rows.g;
    V const k = ir::positions<typename V::mode>(g, rows.shape().extent[rows.rank() - 1]);
    return ir::broadcast_to(V(ir::expand(k, 1) == ir::expand(rows, rows.rank() - 1)), shape);
  }
  static constexpr dtype type_of_result(dtype) { return dtype::boolean; }
};
template <bool Lower>
struct factor_t : formula_of_one<factor_t<Lower>> {
  static constexpr auto name = "lu";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const&, shape_t s) {
    s.extent[s.rank - (Lower ? 1 : 2)] = shapes::smaller(c, s.extent[s.rank - 2], s.extent[s.rank - 1]);
    return s;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const&, V lu, int shape) {
    int const axis = lu.rank() - (Lower ? 1 : 2);
    V const part = ir::stretch(lu, axis, 0, lu.g->shapes[shape].extent[axis]);
    if constexpr (Lower)
      return lu_factors_t::below_unit(part);
    else
      return upper_part(part);
  }
};

struct lu_function {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x) const {
    if constexpr (level_of<X> == operand_level::tensor) {
      return named<lu_result>(call_function(as_tuple{}, static_cast<X&&>(x)));
    } else {
      return named<lu_result>(as_tuple{}(static_cast<X&&>(x)));
    }
  }
  struct as_tuple {
    template <class X>
    constexpr auto operator()(X const& x) const {
      auto const [both, rows] = lu_factors_t{}(x);
      return std::tuple{
          astype<component_t<value_type_of<std::remove_cvref_t<decltype(both)>>>>(permutation_t::call(rows, axis<>)),
          factor_t<true>::call(both, axis<>), factor_t<false>::call(both, axis<>)};
    }
  };
};
inline constexpr lu_function lu{};

}  // namespace ricci::linalg
