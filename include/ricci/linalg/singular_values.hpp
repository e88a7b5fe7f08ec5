// Singular values and vectors of a matrix that stands in memory: of few rows by one-sided rotations (jacobi.hpp), of
// more by way of a bidiagonal matrix, which is faster, but leaves of small values only what is not rounding of large
// ones.
#pragma once

#include <ricci/linalg/bidiagonal.hpp>
#include <ricci/linalg/implicit_qr.hpp>
#include <ricci/linalg/jacobi.hpp>
#include <ricci/linalg/library.hpp>

namespace ricci::linalg {

// From so many columns on (rows, where there are fewer) matrices go by way of a bidiagonal one.
inline constexpr index_t least_columns_for_bidiagonal = 16;

// Where the parts of the work lie, for a matrix of `high` rows and `wide` columns, high >= wide; `left` is how many
// columns of u are wanted: 0, wide or high.
struct svd_memory {
  index_t high, wide, left;
  RICCI_HD constexpr bool by_jacobi() const { return wide < least_columns_for_bidiagonal; }
  // of a square matrix of vectors, for which the implicit QR method has a form of its own
  RICCI_HD constexpr index_t vectors() const {
    return left == 0 ? 0 : by_jacobi() ? wide * wide : sweeps<float>::panel_memory(wide, wide);
  }
  RICCI_HD constexpr index_t a() const { return 0; }
  RICCI_HD constexpr index_t g() const { return high * wide; }
  RICCI_HD constexpr index_t j() const { return g() + wide * wide; }
  RICCI_HD constexpr index_t p() const { return j() + vectors(); }
  RICCI_HD constexpr index_t u() const { return p() + (by_jacobi() ? 0 : vectors()); }
  RICCI_HD constexpr index_t s() const { return u() + high * left; }
  RICCI_HD constexpr index_t tau() const { return s() + wide; }
  RICCI_HD constexpr index_t order() const { return tau() + wide; }
  RICCI_HD constexpr index_t w() const { return order() + wide; }
  RICCI_HD constexpr index_t bidiagonal() const { return w() + reflection_memory(high, left > wide ? left : wide); }
  RICCI_HD constexpr index_t pairs() const { return bidiagonal() + (by_jacobi() ? 0 : 3 * wide); }
  RICCI_HD constexpr index_t size() const {
    return pairs() + (by_jacobi() || left == 0 ? 0 : 2 * sweeps<float>::pair_memory(wide));
  }
};

// a = u s v of a matrix that stands at `memory`: values in descending order at s, rows of v at g, columns of u at u.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool singular_values_by_jacobi(T* memory, svd_memory const& at) {
  index_t const m = at.high, n = at.wide;
  T *const a = memory + at.a(), *const g = memory + at.g(), *const s = memory + at.s(), *const tau = memory + at.tau(),
           *const order = memory + at.order(), *const w = memory + at.w();
  T* const j = at.left > 0 ? memory + at.j() : nullptr;
  triangularise(a, m, n, n, tau, w, order);
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < n; ++k) g[i * n + k] = k < i ? T(0) : a[i * n + k];
  if (j)
    for (index_t i = 0; i < n; ++i)
      for (index_t k = 0; k < n; ++k) j[i * n + k] = T(i == k);
  if (!make_rows_orthogonal(g, n, s, j)) return false;
  for (index_t i = 0; i < n; ++i) {
    index_t largest = i;
    for (index_t k = i + 1; k < n; ++k)
      if (s[k] > s[largest]) largest = k;
    if (largest == i) continue;
    T const t = s[i];
    s[i] = s[largest], s[largest] = t;
    exchange_rows(g + i * n, g + largest * n, n);
    if (j) exchange_rows(j + i * n, j + largest * n, n);
  }
  if (!j) return true;
  // u: the reflections of the turned unit matrix; rows of v, with their columns where those of the matrix were
  T* const u = memory + at.u();
  for (index_t i = 0; i < m; ++i)
    for (index_t k = 0; k < at.left; ++k) u[i * at.left + k] = i < n && k < n ? j[k * n + i] : T(i == k);
  reflect_back(a, n, n, tau, u, m, at.left, w, false);
  for (index_t i = 0; i < n; ++i) {
    T* const row = g + i * n;
    if (s[i] > 0) {
      T const inverse = 1 / s[i];
      for (index_t k = 0; k < n; ++k)
        row[k] = inverse <= std::numeric_limits<T>::max() ? row[k] * inverse : row[k] / s[i];
    } else {
      complete_row(g, i, n, w);
    }
  }
  for (index_t i = 0; i < n; ++i) {
    T* const row = g + i * n;
    for (index_t k = 0; k < n; ++k) w[static_cast<index_t>(order[k])] = row[k];
    for (index_t k = 0; k < n; ++k) row[k] = w[k];
  }
  return true;
}

// The same by way of a bidiagonal matrix b, which the factor r of a QR factorisation becomes where there are more rows
// than columns [Chan, An improved algorithm for computing the singular value decomposition, 1982].
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool singular_values_by_bidiagonal(T* memory, svd_memory const& at) {
  index_t const m = at.high, n = at.wide;
  T *const a = memory + at.a(), *const g = memory + at.g(), *const s = memory + at.s(), *const tau = memory + at.tau(),
           *const order = memory + at.order(), *const w = memory + at.w(), *const e = memory + at.bidiagonal(),
           *const of_left = e + n, *const of_right = of_left + n, *const u = memory + at.u();
  bool const vectors = at.left > 0;
  if (m > n) triangularise(a, m, n, n, tau, w, static_cast<T*>(nullptr));
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < n; ++k) g[i * n + k] = m > n && k < i ? T(0) : a[i * n + k];
  make_bidiagonal(g, n, s, e, of_left, of_right, w);
  sweeps<T> left{n, n, memory + at.j(), memory + at.pairs()},
      right{n, n, memory + at.p(), memory + at.pairs() + sweeps<T>::pair_memory(n)};
  auto const product_of_reflections = [&](T const* x, T const* factors, index_t size, auto const& to) {
    for (index_t i = 0; i < size; ++i)
      for (index_t k = 0; k < size; ++k) u[i * size + k] = T(i == k);
    reflect_back(x, size, size, factors, u, size, size, w, true);
    for (index_t k = 0; k < size; ++k)
      for (index_t i = 0; i < size; ++i) to(k, i, u[i * size + k]);
  };
  if (vectors) {
    product_of_reflections(g, of_left, n, [&](index_t k, index_t i, T x) { left(k, i) = x; });
    T* const turned = right.panels;  // reflections from the right, in columns
    for (index_t i = 0; i + 1 < n; ++i)
      for (index_t k = 0; k <= i; ++k) turned[i * (n - 1) + k] = g[k * n + i + 1];
    product_of_reflections(turned, of_right, n - 1, [&](index_t k, index_t i, T x) { g[(k + 1) * n + i + 1] = x; });
    for (index_t k = 0; k < n; ++k)
      for (index_t i = 0; i < n; ++i) right(k, i) = k > 0 && i > 0 ? g[k * n + i] : T(i == k);
  }
  if (!make_bidiagonal_diagonal(s, e, n, vectors ? &left : nullptr, vectors ? &right : nullptr)) return false;
  for (index_t i = 0; i < n; ++i) order[i] = T(i);
  for (index_t i = 0; i < n; ++i) {
    index_t largest = i;
    for (index_t k = i + 1; k < n; ++k)
      if (magnitude(s[k]) > magnitude(s[largest])) largest = k;
    T const x = s[i], from = order[i];
    s[i] = s[largest], order[i] = order[largest];
    s[largest] = x, order[largest] = from;
  }
  if (vectors) {
    for (index_t k = 0; k < n; ++k) {
      index_t const from = static_cast<index_t>(order[k]);
      T const sign = s[k] < 0 ? T(-1) : T(1);
      for (index_t i = 0; i < n; ++i) g[k * n + i] = sign * right(from, i);
    }
    for (index_t i = 0; i < m; ++i)
      for (index_t k = 0; k < at.left; ++k)
        u[i * at.left + k] = i < n && k < n ? left(static_cast<index_t>(order[k]), i) : T(i == k);
    if (m > n) reflect_back(a, n, n, tau, u, m, at.left, w, false);
  }
  for (index_t i = 0; i < n; ++i) s[i] = magnitude(s[i]);
  return true;
}

template <class T>
RICCI_HD RICCI_INLINE constexpr bool singular_values_of(T* memory, svd_memory const& at) {
#if RICCI_LINALG_LAPACK || RICCI_LINALG_EIGEN
  if (!__builtin_is_constant_evaluated() && at.wide >= library::least_for_singular_values) {
    auto const it = library::singular_values(memory + at.a(), at.high, at.wide, memory + at.s(), memory + at.u(),
                                             at.left, memory + at.g());
    if (it != lapack::outcome::not_run) return it == lapack::outcome::done;
  }
#endif
  return at.by_jacobi() ? singular_values_by_jacobi(memory, at) : singular_values_by_bidiagonal(memory, at);
}

}  // namespace ricci::linalg
