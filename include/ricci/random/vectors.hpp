// Distributions of vectors and matrices: multivariate_normal, ball, orthogonal.
#pragma once

#include <ricci/linalg/cholesky.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/random/gamma.hpp>

RICCI_OPTIMIZED
namespace ricci::random {

// The lower triangle l of a covariance l l^T, (n, n): a compile error or shape_error where it is not square.
template <class L>
struct cholesky_factor_t {
  L l;
};
template <Tensor L>
constexpr auto cholesky_factor(L&& l) {
  static_assert(rank_of<L> == 2, "random::cholesky_factor takes one matrix; vmap has a batch of them");
  constexpr index_t rows = extents_of<L>::value.extent[0], columns = extents_of<L>::value.extent[1];
  static_assert(rows < 0 || columns < 0 || rows == columns, "random::cholesky_factor: the matrix is not square");
  if constexpr (requires { index_t(l.shape(0)); })  // where extents are symbols, the product and the mean have to fit
    if (index_t const m = l.shape(0), n = l.shape(1); m != n)
      core::raise<shape_error>(core::text() << "random::cholesky_factor: (" << m << ", " << n << ") is not square");
  auto const held = parameter<value_type_of<L>>(static_cast<L&&>(l));
  return cholesky_factor_t<std::remove_const_t<decltype(held)>>{held};
}
// Normal vectors, along an axis behind the shape: mean + l z with a vector z of normal numbers of its own for each. The
// covariance is given by its factor, `rc::random::cholesky_factor(l)`, where it is factored once for many calls.
// Derivatives by both.
template <class T, Key K, Tensor M, class L, ShapeArgument S>
constexpr auto multivariate_normal(K const& from, M&& mean, cholesky_factor_t<L> const& factor, S const& shape) {
  static_assert(rank_of<M> == 1, "random::multivariate_normal takes one mean; vmap has a batch of them");
  return parameter<T>("random::multivariate_normal", static_cast<M&&>(mean), with_last_extent(shape, factor.l)) +
         matmul(normal<T>(from, with_last_extent(shape, factor.l)), matrix_transpose(astype<T>(factor.l)));
}
// The same by the covariance itself, which is factored at each call; where it has no factor, all are NaN.
template <class T, Key K, Tensor M, Tensor C, ShapeArgument S>
constexpr auto multivariate_normal(K const& from, M&& mean, C&& covariance, S const& shape) {
  return multivariate_normal<T>(from, static_cast<M&&>(mean),
                                cholesky_factor(linalg::cholesky(static_cast<C&&>(covariance))), shape);
}

// Points in the unit ball of n dimensions, each part of it as likely as its volume, along an axis behind the shape; n
// is an integer or extent, or rc::known<n>. A vector of normal numbers divided by the root of the sum of its squares
// and twice an exponential number (F. Barthe, O. Guedon, S. Mendelson, A. Naor, A probabilistic approach to the
// geometry of the l_p^n ball, 2005).
template <class T, Key K, class N, ShapeArgument S>
constexpr auto ball(K const& from, N const& n, S const& shape) {
  auto const [first, second] = split(from);
  auto const z = normal<T>(first, with_extent(shape, n));
  auto const e = exponential<T>(second, with_extent(shape, known<1>));
  return z / sqrt(sum(square(z), axis<-1>, keepdims) + T(2) * e);
}
// The same in that of the norm (sum of |x_i|^p)^(1/p), p > 0. A value_error for other p, and where p is infinite.
template <class T, Key K, class N, Arithmetic P, ShapeArgument S>
constexpr auto ball(K const& from, N const& n, P p, S const& shape) {
  if (!(p > P(0))) core::raise<value_error>(core::text() << "random::ball: p has to be above 0");
  if (!(static_cast<T>(p) <= std::numeric_limits<T>::max()))
    core::raise<value_error>(
        core::text() << "random::ball: p has to be finite; uniform numbers from -1 to 1 are of the ball of its limit");
  T const inverse = T(1) / static_cast<T>(p);
  auto const [first, second, third] = split<3>(from);
  auto const g = log_gamma<T>(first, inverse, with_extent(shape, n));  // g itself would be 0 where p is large
  auto const side = sign(tails<T>(second, with_extent(shape, n)));
  auto const e = exponential<T>(third, with_extent(shape, known<1>));
  return side * exp(inverse * (g - log(sum(exp(g), axis<-1>, keepdims) + e)));
}

// Of a matrix of normal numbers the orthogonal factor, with signs such that the triangular one would have positive
// numbers on its diagonal: then every rotation of it is as likely (F. Mezzadri, How to generate random matrices from
// the classical compact groups, 2007). By Householder's reflections; the workspace holds the matrix, and a number for
// each.
struct orthogonal_t : core_call<orthogonal_t> {
  static constexpr auto name = "random::orthogonal";
  static constexpr core_signature core{"(n,n)->(n,n)"};
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  static constexpr index_t workspace(index_t const* n) { return n[0] * n[0] + n[0]; }
  static constexpr index_t operations(index_t const* n) { return 8 * n[0] * n[0] * n[0] / 3; }

  // x -= v (v^T x) / (v^T v / 2) for column `column`, where v is column k of a from row k on
  template <class T, class X>
  RICCI_HD static constexpr void reflect(T const* a, index_t n, index_t k, T half, X const& x) {
    if (half == 0) return;
    T dot = 0;
    for (index_t i = k; i < n; ++i) dot += a[i * n + k] * x(i);
    dot /= half;
    for (index_t i = k; i < n; ++i) x(i) -= dot * a[i * n + k];
  }
  RICCI_FN run(auto const& c, auto const& x, auto const& q) {
    index_t const n = c.extents[0];
    auto* const a = c.workspace;
    auto* const half = a + n * n;
    using T = std::remove_cvref_t<decltype(*a)>;
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) a[i * n + j] = x(i, j), q(i, j) = 0;
    for (index_t k = 0; k < n; ++k) {
      T square = 0;
      for (index_t i = k; i < n; ++i) square += a[i * n + k] * a[i * n + k];
      T const length = root(square), first = a[k * n + k];
      // the diagonal of the triangle has the other sign than `first`
      q(k, k) = first < 0 ? T(1) : T(-1);
      a[k * n + k] = first < 0 ? first - length : first + length;
      half[k] = square + (first < 0 ? -first : first) * length;
      for (index_t j = k + 1; j < n; ++j) reflect(a, n, k, half[k], [&](index_t i) -> T& { return a[i * n + j]; });
    }
    for (index_t k = n - 1; k >= 0; --k)
      for (index_t j = 0; j < n; ++j) reflect(a, n, k, half[k], [&](index_t i) -> T& { return q(i, j); });
  }

 private:
  template <class T>
  RICCI_HD static constexpr T root(T x) {
    using std::sqrt;
    return sqrt(x);
  }
};
// Orthogonal matrices (n, n) behind the shape, every rotation of one as likely as itself; n is an integer, an extent or
// rc::known<n>.
template <class T, Key K, class N, ShapeArgument S>
constexpr auto orthogonal(K const& from, N const& n, S const& shape) {
  return orthogonal_t{}(normal<T>(from, with_extent(with_extent(shape, n), n)));
}
template <class T, Key K, class N>
constexpr auto orthogonal(K const& from, N const& n) {
  return orthogonal<T>(from, n, extents<>{});
}

}  // namespace ricci::random
RICCI_OPTIMIZED_END
