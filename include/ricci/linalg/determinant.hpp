// Determinants: `rc::linalg::det(a)`, (..., n, n) -> (...), and `auto [sign, logabsdet] = rc::linalg::slogdet(a)`, its
// sign (a complex number of modulus 1, where the matrix is complex) and the logarithm of its magnitude, which neither
// overflow nor vanish. A singular matrix has 0, and 0 and minus infinity; that of no rows 1, and 1 and 0. A matrix that
// is not square is a compile error or a shape_error.
//
// The gradient of `det` is the matrix of cofactors, which singular matrices have, too; second derivatives and those of
// `slogdet` go by the inverse, and are NaN for singular matrices.
#pragma once

#include <ricci/linalg/inverse.hpp>
#include <ricci/linalg/results.hpp>
#include <ricci/ops/elimination_of_known.hpp>

namespace ricci::linalg {

// The cofactors of a matrix: of a regular one its determinant times its transposed inverse [Horn and Johnson, Matrix
// Analysis, section 0.8.2]. By elimination with complete pivoting, a = p l u q, of which the cofactors of u alone may
// have a pivot of 0, the last one; where there are more, all cofactors are 0.
struct cofactors_t : core_call<cofactors_t> {
  static constexpr auto name = "cofactors";
  static constexpr core_signature core{"(n,n)->(n,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return 2 * n[0] * n[0] + 2 * n[0]; }
  static constexpr index_t operations(index_t const* n) { return 3 * n[0] * n[0] * n[0]; }

  // y becomes the adjugate of what stands in lu, less permutations: adj(u) adj(l). (n > 0)
  template <class T>
  RICCI_HD RICCI_VECTORISED static constexpr void adjugate(T const* lu, T* y, index_t n, T sign) {
    T before = sign;  // the product of all pivots but the last one
    for (index_t k = 0; k + 1 < n; ++k) before *= lu[k * n + k];
    T const last = lu[n * n - 1];
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) y[i * n + j] = 0;
    if (before == 0) return;
    // y = adj(u), upper triangular: the inverse of its first rows and columns times `before` times the last pivot,
    // beside a last column that solves with them
    index_t const m = n - 1;
    for (index_t i = 0; i < m; ++i) y[i * n + i] = before * last;
    y[n * n - 1] = before;
    for (index_t i = 0; i < m; ++i) y[i * n + m] = -lu[i * n + m] * before;
    for (index_t i = m - 1; i >= 0; --i) {
      subtract_rows(y + i * n + i, lu + i * n + i + 1, 1, y + (i + 1) * n + i, n, m - 1 - i, n - i);
      for (index_t j = i; j < n; ++j) y[i * n + j] /= lu[i * n + i];
    }
    // times inv(l): y l' = y, from the last column to the first
    for (index_t i = 0; i < n; ++i)
      for (index_t k = n - 1; k > 0; --k) {
        T const f = y[i * n + k];
        for (index_t j = 0; j < k; ++j) y[i * n + j] -= f * lu[k * n + j];
      }
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& y) {
    index_t const n = c.extents[0];
    auto *const lu = c.workspace, *const adj = lu + n * n, *const order = adj + n * n;
    using T = std::remove_cvref_t<decltype(*lu)>;
    if (n == 0) return;
    // order: of each step the row and the column of its pivot
    read(lu, n, a, n, n);
    T sign = 1;
    for (index_t k = 0; k < n; ++k) {
      index_t row = k, column = k;
      auto largest = magnitude(lu[k * n + k]);
      for (index_t i = k; i < n; ++i)
        for (index_t j = k; j < n; ++j)
          if (auto const size = magnitude(lu[i * n + j]); size > largest) largest = size, row = i, column = j;
      order[2 * k] = T(real_for<T>(row)), order[2 * k + 1] = T(real_for<T>(column));
      if (row != k) exchange_rows(lu + k * n, lu + row * n, n), sign = -sign;
      if (column != k) {
        sign = -sign;
        for (index_t i = 0; i < n; ++i) {
          T const t = lu[i * n + k];
          lu[i * n + k] = lu[i * n + column], lu[i * n + column] = t;
        }
      }
      if (lu[k * n + k] == 0) continue;
      for (index_t i = k + 1; i < n; ++i) {
        T const f = lu[i * n + k] / lu[k * n + k];
        lu[i * n + k] = f;
        for (index_t j = k + 1; j < n; ++j) lu[i * n + j] -= f * lu[k * n + j];
      }
    }
    adjugate(lu, adj, n, sign);
    for (index_t k = n - 1; k >= 0; --k) {  // undo the exchanges: those of rows of a are of columns of the adjugate
      index_t const row = static_cast<index_t>(real_part(order[2 * k])),
                    column = static_cast<index_t>(real_part(order[2 * k + 1]));
      if (column != k) exchange_rows(adj + k * n, adj + column * n, n);
      if (row != k)
        for (index_t i = 0; i < n; ++i) {
          T const t = adj[i * n + k];
          adj[i * n + k] = adj[i * n + row], adj[i * n + row] = t;
        }
    }
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) y(i, j) = adj[j * n + i];
  }

  // With y = det(a) inv(a)^T: dy = (sum(y * da) y - y da^T y) / det(a), and it is symmetric in da and what it is summed
  // with.
  template <class V>
  static constexpr V along(V a, V y, V da);
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return along(at.operand(0), at.y, t[0]);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = along(at.operand(0), at.y, ct);
  }
};

// the sum of products of all elements, (..., n, n), (..., n, n) -> (...)
template <class V>
constexpr V inner_product(V a, V b) {
  return sum_t::record(reduction_axes{2, {-2, -1}, false}, V(a * b));
}

struct det_t : core_call<det_t> {
  static constexpr auto name = "det";
  static constexpr core_signature core{"(n,n)->()"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return n[0] * n[0]; }
  static constexpr index_t operations(index_t const* n) { return 2 * n[0] * n[0] * n[0] / 3; }

  RICCI_FN run(auto const& c, auto const& a, auto const& y) {
    index_t const n = c.extents[0];
    auto* const lu = c.workspace;
    using T = std::remove_cvref_t<decltype(*lu)>;
    if constexpr (!is_complex_matrix<T>)
      if (n > 0 && n <= 4) {
        T few;
        if (has_registers_of_four<T>() && n == 4 && !__builtin_is_constant_evaluated()) {
          if constexpr (has_registers_of_four<T>())
            if (determinant_of_four<T>(a, few)) return void(y() = few);
        } else if (determinant_of_few<one_by_one<T>>(a, n, few)) {
          return void(y() = few);
        }
      }
    T d = 1;
    if constexpr (constexpr index_t known = extent_of_core<std::remove_cvref_t<decltype(c)>>(0);
                  !is_complex_matrix<T> && known > 4 && known <= 16)
      if (determinant_of_known<known>(a, d)) return void(y() = d);
    read(lu, n, a, n, n);
    eliminate(lu, n, n, n, n, [&d](index_t, index_t) { d = -d; });
    for (index_t k = 0; k < n; ++k) d *= lu[k * n + k];
    y() = d;
  }
  static constexpr bool runs_in_lanes = true;
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* y) {
    index_t const n = extent_or_few(c, 0);
    if (n == 0 || n > 4) return void(*y = by_elimination<N>(a, n));
    P few;
    auto const is_right = determinant_of_few<N>([a, n](index_t i, index_t j) { return a[i * n + j]; }, n, few);
    if (N::is_any(!is_right)) {
      P left[16], d = few;
      RICCI_UNROLL(16)
      for (index_t k = 0; k < n * n; ++k) left[k] = a[k];
      eliminate_where_not<N>(is_right, left, n, &d);
      few = d;
    }
    *y = few;
  }
  template <class N, class P>
  RICCI_INLINE static P by_elimination(P* a, index_t n) {
    P d = 1;
    in_lanes<N>::template eliminate<false>(
        a, n, n, n, a, 0, [&d](typename N::condition m, index_t, index_t) { d = N::select(m, -d, d); });
    for (index_t k = 0; k < n; ++k) d = d * a[k * n + k];
    return d;
  }
  template <class N, class P>
  RICCI_NOINLINE static void eliminate_where_not(typename N::condition const& is_right, P* a, index_t n, P* d) {
    *d = N::select(is_right, *d, by_elimination<N>(a, n));
  }
  template <class V>
  static constexpr V cofactors(ir::application<V> const& at) {
    return cofactors_t::record(no_attributes{}, at.operand(0));
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return inner_product(cofactors(at), t[0]);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = for_matrix(ct) * cofactors(at);
  }
  template <class V>
  static constexpr V consumer(V y, V x);
};
inline constexpr det_t det{};

template <class V>
constexpr V cofactors_t::along(V a, V y, V da) {
  V const all = for_matrix(inner_product(y, da)) * y, d = det_t::record(no_attributes{}, a);
  return V(all - product(y, product(transposed(da), y))) / for_matrix(d);
}

// As a call: the record of both is made by `slogdet`. Of the logarithm of the determinant, z, dz = sum(inv(a)^T * da):
// the real part is that of the magnitude, and the imaginary one the angle by which a complex sign turns.
struct sign_and_log_t : core_call<sign_and_log_t> {
  static constexpr auto name = "slogdet";
  static constexpr core_signature core{"(n,n)->(),()"};
  template <class T>
  using types = type_list<T, T, component_t<T>>;
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return n[0] * n[0]; }
  static constexpr index_t operations(index_t const* n) { return 2 * n[0] * n[0] * n[0] / 3; }

  RICCI_FN run(auto const& c, auto const& a, auto const& sign, auto const& logarithm) {
    using std::log;
    index_t const n = c.extents[0];
    auto* const lu = c.workspace;
    using T = std::remove_cvref_t<decltype(*lu)>;
    using R = real_for<T>;
    if constexpr (!is_complex_matrix<T>)
      if (n > 0 && n <= 4) {
        T few;
        if (determinant_of_few<one_by_one<T>>(a, n, few))
          return void((sign() = few < 0 ? T(-1) : T(1), logarithm() = log(magnitude(few))));
      }
    read(lu, n, a, n, n);
    T s = 1;
    R sum = 0;
    eliminate(lu, n, n, n, n, [&s](index_t, index_t) { s = -s; });
    for (index_t k = 0; k < n; ++k) {
      T const d = lu[k * n + k];
      R const size = modulus(d);
      if constexpr (is_complex_matrix<T>)
        s = d == 0 ? T(0) : s * (d / size);
      else
        s = d < 0 ? -s : d == 0 ? T(0) : d > 0 ? s : d;
      sum += log(size);
    }
    sign() = s, logarithm() = s == 0 ? -std::numeric_limits<R>::infinity() : sum;
  }
  static constexpr bool runs_in_lanes = true;
  template <class N, class P>
  RICCI_INLINE static void run_in_lanes(auto const& c, P* a, P* sign, P* logarithm) {
    index_t const n = extent_or_few(c, 0);
    if (n == 0 || n > 4) return by_elimination<N>(a, n, *sign, *logarithm);
    P d;
    auto const is_right = determinant_of_few<N>([a, n](index_t i, index_t j) { return a[i * n + j]; }, n, d);
    P s = N::select(d < P(0), P(-1), P(1)), sum = N::logarithm(N::magnitude(d));
    if (N::is_any(!is_right)) {
      P left[16], both[] = {s, sum};
      RICCI_UNROLL(16)
      for (index_t k = 0; k < n * n; ++k) left[k] = a[k];
      eliminate_where_not<N>(is_right, left, n, both);
      s = both[0], sum = both[1];
    }
    *sign = s, *logarithm = sum;
  }
  template <class N, class P>
  RICCI_INLINE static void by_elimination(P* a, index_t n, P& sign, P& logarithm) {
    using condition = typename N::condition;
    P const zero = 0;
    P s = 1, sum = 0;
    in_lanes<N>::template eliminate<false>(a, n, n, n, a, 0,
                                           [&s](condition m, index_t, index_t) { s = N::select(m, -s, s); });
    for (index_t k = 0; k < n; ++k) {
      P const d = a[k * n + k];
      s = N::select(d < zero, -s, N::select(d > zero, s, d));
      s = N::select(d == zero, zero, s);
      sum = sum + N::logarithm(N::magnitude(d));
    }
    sign = s, logarithm = N::select(s == zero, P(-std::numeric_limits<typename N::element>::infinity()), sum);
  }
  template <class N, class P>
  RICCI_NOINLINE static void eliminate_where_not(typename N::condition const& is_right, P* a, index_t n, P* y) {
    P sign, logarithm;
    by_elimination<N>(a, n, sign, logarithm);
    y[0] = N::select(is_right, y[0], sign), y[1] = N::select(is_right, y[1], logarithm);
  }
  template <class V>
  static constexpr V inverse(ir::application<V> const& at) {
    return inv_t::record(no_attributes{}, at.operand(0));
  }
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) {
    V const z = inner_product(transposed(inverse(at)), t[0]);
    if (!is_complex(z.type())) return void(dy[1] = z);
    dy[0] = at.result(0) * along_i(V(imag(z)));
    dy[1] = real(z);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    V all = ct[1];
    if (is_complex(at.operand(0).type())) {
      V const turn = ct[0] ? along_i(V(imag(ct[0] * at.result(0)))) : V{};
      all = ir::sum_of(ct[1] ? ir::cast(ct[1], at.operand(0).type()) : V{}, turn);
    }
    if (all) out[0] = for_matrix(all) * transposed(inverse(at));
  }
};
// Logarithms of a determinant and of its magnitude neither overflow nor vanish by that of `slogdet`. The logarithm of
// the sign is 0 where it is 1, NaN where it is -1.
template <class V>
constexpr V det_t::consumer(V y, V x) {
  if (!y.is(ir::facts_of<log_t>())) return V{};
  V const of = y.operand(0);
  bool const is_magnitude = of.is(ir::facts_of<abs_t>()) && of.operand(0).id == x.id;
  if (of.id != x.id && !is_magnitude) return V{};
  V const sign = sign_and_log_t::record(no_attributes{}, x.operand(0)), magnitude{sign.g, sign.id + 1};
  return is_magnitude ? magnitude : V(log(sign) + magnitude);
}

struct slogdet_function {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x) const { return named<slogdet_result>(sign_and_log_t{}(static_cast<X&&>(x))); }
};
inline constexpr slogdet_function slogdet{};

}  // namespace ricci::linalg
