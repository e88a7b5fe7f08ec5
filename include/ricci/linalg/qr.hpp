// `auto [q, r] = rc::linalg::qr(a)`: a = q r with orthonormal columns of q and an upper triangular r: (..., m, n) ->
// (..., m, k), (..., k, n), k the smaller of m and n. `rc::linalg::qr(a, rc::complete)` has all columns of q:
// (..., m, m), (..., m, n). Signs are LAPACK's.
//
// Derivatives need the first k columns of a to be independent, else they are NaN or infinite. Complete factors of a
// matrix with more rows than columns have none, as nothing says how their other columns turn: a shape_error.
#pragma once

#include <ricci/linalg/inverse.hpp>
#include <ricci/linalg/reflections.hpp>
#include <ricci/linalg/results.hpp>
#include <ricci/linalg/triangular.hpp>

namespace ricci {

struct complete_t {};
inline constexpr complete_t complete{};

namespace linalg {

// in whose name a derivative is refused
struct qr_derivative : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "qr is derived by reduced factors, or of no more rows than columns";
};
template <bool Complete>
struct qr_t : core_call<qr_t<Complete>> {
  static constexpr auto name = "qr";
  static constexpr core_signature core{Complete ? "(m,n)->(m,m),(m,n)" : "(m,n)->(m,k),(k,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  template <class Context>
  static constexpr void extents(Context& c, index_t* n) {
    if constexpr (!Complete) n[2] = shapes::smaller(c, n[0], n[1]);
  }
  static constexpr index_t workspace(index_t const* n) {
    index_t const k = n[0] < n[1] ? n[0] : n[1], q = Complete ? n[0] : k;
    return n[0] * n[1] + n[0] * q + k + reflection_memory(n[0], n[1] < q ? q : n[1]);
  }
  static constexpr index_t operations(index_t const* n) {
    index_t const k = n[0] < n[1] ? n[0] : n[1];
    return 4 * k * k * (n[0] + n[1] - k) - 4 * k * k * k / 3;
  }

  RICCI_FN run(auto const& c, auto const& a, auto const& q, auto const& r) {
    index_t const m = c.extents[0], n = c.extents[1], k = m < n ? m : n, columns = Complete ? m : k;
    using T = std::remove_cvref_t<decltype(*c.workspace)>;
    T *const x = c.workspace, *const y = x + m * n, *const tau = y + m * columns, *const w = tau + k;
    real_for<T> const scale = scale_of(largest_of(a, m, n));
    if (scale == 0) {
      fill(not_a_number<T>, q, m, columns);
      return fill(not_a_number<T>, r, columns, n);
    }
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; ++j) x[i * n + j] = T(a(i, j)) * T(scale);
    triangularise(x, m, n, k, tau, w, static_cast<T*>(nullptr));
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < columns; ++j) y[i * columns + j] = T(i == j);
    reflect_back(x, n, k, tau, y, m, columns, w, true);
    write(y, columns, q, m, columns);
    for (index_t i = 0; i < columns; ++i)
      for (index_t j = 0; j < n; ++j) r(i, j) = j < i ? T(0) : x[i * n + j] / T(scale);
  }

  // x inv(r) for an upper triangular r
  template <class V>
  static constexpr V over(V x, V r) {
    return transposed(triangular_t<false, false>::solved_by_transposed(r, transposed(x)));
  }
  // and times that of its adjoint
  template <class V>
  static constexpr V over_adjoint(V x, V r) {
    return adjoint(triangular_t<false, false>::solved(r, adjoint(x)));
  }
  // the imaginary part of the diagonal, by which columns of q turn, as that of r is real
  template <class V>
  static constexpr V phases(V c) {
    return is_complex(c.type()) ? along_i(V(imag(diagonal_matrix(diagonal_of(c))))) : V{};
  }
  // Of a matrix that is not higher than wide, its first columns x with a triangle u, and the others, y: a = (x y), r =
  // (u v), v = q^T y.
  template <class V>
  struct halves {
    V a, q, r;
    index_t k, rest;
    bool is_wide;  // as far as is known
    constexpr explicit halves(ir::application<V> const& at) : a(at.operand(0)), q(at.result(0)), r(at.result(1)) {
      auto& g = *a.g;
      index_t const m = a.shape().extent[a.rank() - 2], n = a.shape().extent[a.rank() - 1];
      if (Complete) {
        ir::graph_context<typename V::graph_type> c{g, ir::facts_of<qr_derivative>(), a.shape_id()};
        k = c.same(shapes::smaller(c, m, n), m);
        rest = ir::minus(g, n, m);
      } else {
        k = q.shape().extent[q.rank() - 1];
        rest = ir::minus(g, n, k);
      }
      is_wide = ir::find(g, rest) != 0;
    }
    constexpr V first(V x) const { return is_wide ? ir::stretch(x, x.rank() - 1, 0, k) : x; }
    constexpr V others(V x) const { return ir::stretch(x, x.rank() - 1, k, rest); }
    constexpr V joined(V x, V y, int shape) const { return is_wide ? ir::joined(x.rank() - 1, shape, x, y) : x; }
  };
  // [Walter and Lehmann, Algorithmic differentiation of linear algebra functions, 2012, section 4.3; of wide matrices
  // Roberts and Roberts, QR and LQ decomposition matrix backpropagation algorithms, 2020]
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) {
    halves<V> const h(at);
    V const u = h.first(h.r), da = over(h.first(t[0]), u), c = product(adjoint(h.q), da);
    V const below = strictly_lower_part(c), turn = ir::sum_of(V(below - adjoint(below)), phases(c));
    dy[0] = product(h.q, V(turn - c)) + da;
    V const du = product(V(c - turn), u);
    if (!h.is_wide) return void(dy[1] = du);
    V const dv = product(adjoint(dy[0]), h.others(h.a)) + product(adjoint(h.q), h.others(t[0]));
    dy[1] = h.joined(du, dv, h.r.shape_id());
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    halves<V> const h(at);
    V const given = conjugated(ct[1]), u = h.first(h.r), cu = given ? upper_part(h.first(given)) : V{};
    V cq = conjugated(ct[0]), rest{};
    if (h.is_wide) {
      V const cv = given ? h.others(given) : V{};
      if (cv) cq = ir::sum_of(cq, product(h.others(h.a), adjoint(cv)));
      rest = cv ? product(h.q, cv) : ir::zeros_like(h.others(h.a));
    }
    V const m = ir::sum_of(cu ? product(u, adjoint(cu)) : V{}, cq ? V(-product(adjoint(cq), h.q)) : V{});
    V const below = strictly_lower_part(m), on_diagonal = diagonal_of(m);
    V const real_diagonal = is_complex(m.type()) ? ir::cast(V(real(on_diagonal)), m.type()) : on_diagonal;
    V const both = below + adjoint(below) + diagonal_matrix(real_diagonal);
    V const first = over_adjoint(ir::sum_of(cq, product(h.q, both)), u);
    out[0] = conjugated(h.joined(first, rest, h.a.shape_id()));
  }
};
struct qr_function {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x) const { return named<qr_result>(qr_t<false>{}(static_cast<X&&>(x))); }
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x, complete_t) const { return named<qr_result>(qr_t<true>{}(static_cast<X&&>(x))); }
  template <class Given = void>
  constexpr std::pair<wrong::result, wrong::result> operator()(wrong::argument = {}, wrong::argument = {},
                                                               wrong::argument = {}) const {
    static_assert(
        always_false<Given>,
        "linalg::qr takes a matrix, or a batch of them: rc::linalg::qr(a), or with a square Q rc::linalg::qr(a, "
        "rc::complete)");
    return {};
  }
};
inline constexpr qr_function qr{};

}  // namespace linalg

}  // namespace ricci
