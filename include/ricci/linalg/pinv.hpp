// What goes by singular values:
//
//   pinv(a)            Moore and Penrose's pseudo-inverse, (..., m, n) -> (..., n, m)
//   lstsq(a, b)        of all x for which b - a x is shortest the shortest: (..., m, n), (..., m, k) -> (..., n, k);
//                      b of order 1: (..., m, n), (m,) -> (..., n)
//   lstsq(a, b, rc::linalg::all_results)   x, and beside it how long b - a x is, squared, of each column, how many
//                      singular values of a count, and these: `auto [x, residuals, rank, singular_values]`
//   matrix_rank(a)     how many singular values there are, (..., m, n) -> (...), int64
//
// All take behind their operands a tolerance, a number or one for each matrix, relative to the largest singular value:
// what is not above it counts as 0. By default it is the larger of m and n times the distance from 1 to the next
// number. A number that is negative or NaN is a value_error; in a tensor it counts as 0.
//
// Derivatives of pinv and lstsq hold where the rank stays what it is [Golub and Pereyra, The differentiation of
// pseudo-inverses and nonlinear least squares problems whose variables separate, 1973].
#pragma once

#include <ricci/linalg/svd.hpp>

namespace ricci::linalg {

// The larger extent of matrices times the distance from 1 to the next number, as a number of their type.
template <class V>
constexpr V usual_tolerance(V a) {
  auto& g = *a.g;
  ir::graph_context<typename V::graph_type> c{g, ir::no_asker, 0, 0};
  index_t const m = a.shape().extent[a.rank() - 2], n = a.shape().extent[a.rank() - 1];
  index_t const larger = ir::plus(g, n, shapes::left_of(c, m, n));
  dtype const type = component_type(a.type());
  return ir::number<typename V::mode>(g, larger, type) * (type == dtype::float32 ? 0x1p-23 : 0x1p-52);
}

struct pseudo_inverse_t : core_call<pseudo_inverse_t> {
  static constexpr auto name = "pinv";
  static constexpr core_signature core{"(m,n),()->(n,m)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  template <class T>
  using types = type_list<T, component_t<T>, T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return svd_t<false>::memory(n).size() + n[0] * n[1]; }
  static constexpr index_t operations(index_t const* n) {
    svd_memory const at = svd_t<false>::memory(n);
    return 8 * at.high * at.wide * at.wide + 20 * at.wide * at.wide * at.wide;
  }

  // the transposed result of a matrix that is not wider than high: of a = u s vh that is conj(u inv(s) vh)
  template <class T, class R, class A, class Y>
  RICCI_HD static constexpr void run_high(T* memory, svd_memory const& at, A const& a, R tolerance, Y const& y) {
    R const scale = singular_values_of_view(memory, at, a);
    index_t const m = at.high, n = at.wide;
    if (m == 0 || n == 0) return;
    if (scale == 0) return fill(not_a_number<T>, y, m, n);
    T *const u = memory + at.u(), *const s = memory + at.s(), *const to = memory + at.size();
    R const limit = (tolerance > 0 ? tolerance : R(0)) * real_part(s[0]);
    for (index_t k = 0; k < n; ++k) s[k] = real_part(s[k]) > limit ? T(-scale / real_part(s[k])) : T(0);
    for (index_t i = 0; i < m; ++i) {
      T *const row = to + i * n, *const f = u + i * n;
      for (index_t k = 0; k < n; ++k) row[k] = 0, f[k] *= s[k];
      subtract_rows(row, f, 1, memory + at.g(), n, n, n);
      for (index_t k = 0; k < n; ++k) row[k] = conjugate(row[k]);
    }
    write(to, n, y, m, n);
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& tolerance, auto const& y) {
    svd_memory const at = svd_t<false>::memory(c.extents);
    if (c.extents[0] >= c.extents[1])
      run_high(c.workspace, at, a, tolerance(), transposed_view(y));
    else
      run_high(c.workspace, at, transposed_view(a), tolerance(), y);
  }

  // x - a y x, what lies beside the range of a, of y = pinv(a)
  template <class V>
  static constexpr V beside(V a, V y, V x) {
    return x - product(a, product(y, x));
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    if (!t[0]) return V{};
    V const a = at.operand(0), y = at.y, da = adjoint(t[0]);
    V const left = adjoint(beside(a, y, adjoint(product(y, product(adjoint(y), da)))));
    return left + beside(y, a, product(da, product(adjoint(y), y))) - product(y, product(t[0], y));
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const a = at.operand(0), y = at.y, yh = adjoint(y), c = conjugated(ct);
    V const left = beside(a, y, product(adjoint(c), product(y, yh)));
    V const right = product(yh, product(y, adjoint(V(c - product(y, product(a, c))))));
    out[0] = conjugated(V(left + right - product(yh, product(c, yh))));
  }
};

template <class Derived>
struct with_tolerance : ir::operation_of_kind<ir::op_kind::alias, 255> {
  static constexpr bool takes_complex = true;
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x));
  }
  template <class X, class Tolerance>
  requires operands<X, Tolerance> RICCI_INLINE constexpr auto operator()(X&& x, Tolerance&& rtol) const {
    check_tolerance<std::remove_cvref_t<Tolerance>>(Derived::name, rtol);
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x), static_cast<Tolerance&&>(rtol));
  }
  template <class V>
  static constexpr V record(no_attributes, V a) {
    a = ir::cast(a, arithmetic_type(floating_matrix(a.type())));
    if (a.rank() < 2) return Derived::formula(a, ir::literal<typename V::mode>(*a.g, 0, component_type(a.type()), 0));
    return Derived::formula(a, usual_tolerance(a));
  }
  template <class V>
  static constexpr V record(no_attributes, V a, V rtol) {
    a = ir::cast(a, arithmetic_type(floating_matrix(promote(a.type(), rtol.type()))));
    return Derived::formula(a, ir::cast(rtol, component_type(a.type())));
  }
};
struct pinv_t : with_tolerance<pinv_t> {
  static constexpr auto name = "pinv";
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return floating_matrix(promote_all(t...));
  }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, S const&... rtol) {
    shape_t const operands[] = {a, rtol..., shape_t{}};
    return pseudo_inverse_t::shape_of(c, no_attributes{}, operands[0], operands[1]);
  }
  template <class V>
  static constexpr V formula(V a, V rtol) {
    return pseudo_inverse_t::record(no_attributes{}, a, rtol);
  }
};
struct matrix_rank_t : with_tolerance<matrix_rank_t> {
  static constexpr auto name = "matrix_rank";
  template <class... T>
  static constexpr dtype type_of_result(T...) {
    return dtype::int64;
  }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, S const&... rtol) {
    shape_t const operands[] = {a, rtol..., shape_t{}};
    shape_t s = pseudo_inverse_t::shape_of(c, no_attributes{}, operands[0], operands[1]);
    s.rank -= 2;
    return s;
  }
  template <class V>
  static constexpr V formula(V a, V rtol) {
    V const s = svdvals_t::record(no_attributes{}, a);
    V const k = ir::positions<typename V::mode>(*s.g, s.shape().extent[s.rank() - 1]);
    V const largest = sum_t::record(reduction_axes{1, {-1}, true}, where(k == 0, s, 0.));  // that of none is 0
    V const limit = ir::expand(where(rtol > 0, rtol, 0.), rtol.rank()) * largest;
    return sum_t::record(reduction_axes{1, {-1}, false}, V(s > limit));
  }
};
inline constexpr pinv_t pinv{};
inline constexpr matrix_rank_t matrix_rank{};

struct lstsq_t : ir::operation_of_kind<ir::op_kind::alias, 255> {
  static constexpr auto name = "lstsq";
  static constexpr bool takes_complex = true;
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b) const {
    return call_operation<lstsq_t>(no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <class A, class B, class Tolerance>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, Tolerance&& rtol) const {
    check_tolerance<std::remove_cvref_t<Tolerance>>(name, rtol);
    return call_operation<lstsq_t>(no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b),
                                   static_cast<Tolerance&&>(rtol));
  }
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return floating_matrix(promote_all(t...));
  }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b, S const&... rtol) {
    shape_t const operands[] = {a, rtol..., shape_t{}};
    if (a.rank < 2) return c.fail(), shape_t{};
    return shapes::matmul(c, pseudo_inverse_t::shape_of(c, no_attributes{}, operands[0], operands[1]), b);
  }
  template <class V, class... Rest>
  static constexpr V record(no_attributes, V a, V b, Rest... rtol) {
    ir::graph_context<typename V::graph_type> c{*a.g, ir::facts_of<lstsq_t>(), a.shape_id(), b.shape_id()};
    (void)shape_of(c, no_attributes{}, a.shape(), b.shape(), rtol.shape()...);
    dtype const type = type_of_result(a.type(), b.type(), rtol.type()...);
    return matmul_t::record(no_attributes{}, pinv_t::record(no_attributes{}, ir::cast(a, type), rtol...),
                            ir::cast(b, type));
  }
};
struct all_results_t {};
inline constexpr all_results_t all_results{};
struct lstsq_function : lstsq_t {
  using lstsq_t::operator();
  struct as_tuple {
    template <class A, class B, class... Tolerance>
    constexpr auto operator()(A const& a, B const& b, Tolerance const&... rtol) const {
      auto const x = lstsq_t{}(a, b, rtol...);
      auto const reached = [&] {
        if constexpr (rank_of<B> == 1 && rank_of < A >> 2)  // x is a vector for each matrix
          return squeeze(matmul(a, expand_dims(x, axis<-1>)), axis<-1>);
        else
          return matmul(a, x);
      }();
      auto const left = square(abs(b - reached));
      return std::tuple{x, sum(left, axis<(rank_of<B> > 1 ? -2 : -1)>), matrix_rank(a, rtol...), svdvals(a)};
    }
  };
  template <class A, class B>
  requires tensor_operands<A, B>
  constexpr auto operator()(A&& a, B&& b, all_results_t) const { return all(a, b); }
  template <class A, class B, class Tolerance>
  requires tensor_operands<A, B>
  constexpr auto operator()(A&& a, B&& b, Tolerance&& rtol, all_results_t) const {
    check_tolerance<std::remove_cvref_t<Tolerance>>(name, rtol);
    return all(a, b, rtol);
  }

 private:
  template <class... X>
  static constexpr auto all(X const&... x) {
    if constexpr (level_of_call<X...> == operand_level::tensor)
      return named<lstsq_result>(call_function(as_tuple{}, x...));
    else
      return named<lstsq_result>(as_tuple{}(x...));
  }
};
inline constexpr lstsq_function lstsq{};

}  // namespace ricci::linalg
