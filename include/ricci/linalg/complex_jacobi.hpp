// Singular values and vectors of complex matrices of any size by one-sided rotations, as jacobi.hpp has them for real
// ones: rows of the triangle of a QR factorisation are turned, by a phase and an angle, until they are orthogonal
// [Golub and Van Loan, Matrix Computations, section 8.6.3].
#pragma once

#include <ricci/linalg/singular_values.hpp>

namespace ricci::linalg {

// the sum of products of a row with the conjugates of another one
template <class C>
RICCI_HD constexpr C inner_product_of_rows(C const* x, C const* y, index_t n) {
  C sum(0);
  for (index_t k = 0; k < n; ++k) sum += x[k] * conjugate(y[k]);
  return sum;
}
// Turns the n rows of g until they are orthogonal, and with them those of j, where it is there; s[i] becomes the length
// of row i. What is short enough for squares to vanish becomes 0. False where that does not come to an end.
template <class R>
RICCI_HD constexpr bool make_rows_orthogonal(complex_number<R>* g, index_t n, complex_number<R>* s,
                                             complex_number<R>* j) {
  using C = complex_number<R>;
  constexpr R eps = std::numeric_limits<R>::epsilon(), tiny = std::numeric_limits<R>::min() / eps;
  constexpr int most_sweeps = 40, usual_sweeps = 10;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool turned = false;
    R const negligible = sweep < usual_sweeps ? eps : eps * R(n + 4);
    for (index_t i = 0; i < n; ++i) {
      s[i] = sum_of_squares(g + i * n, n);
      if (s[i].re < tiny)
        for (index_t k = 0; k < n; ++k) g[i * n + k] = s[i] = 0;
    }
    for (index_t i = 0; i + 1 < n; ++i)
      for (index_t k = i + 1; k < n; ++k) {
        C *const x = g + i * n, *const y = g + k * n, c = inner_product_of_rows(x, y, n);
        R const a = s[i].re, b = s[k].re, size = modulus(c);
        if (size <= negligible * square_root(a) * square_root(b)) continue;
        if (size != size) return false;
        turned = true;
        C const phase = c / C(size);
        R const ratio = (b - a) / (2 * size),
                root = magnitude(ratio) > 1 / eps ? magnitude(ratio) : square_root(1 + ratio * ratio),
                t = 1 / (ratio < 0 ? ratio - root : ratio + root), cosine = 1 / square_root(1 + t * t);
        auto const turn = [&](C* p, C* q) {
          for (index_t l = 0; l < n; ++l) q[l] *= phase;
          rotate_rows(p, q, C(cosine), C(-t * cosine), n);
        };
        turn(x, y);
        if (j) turn(j + i * n, j + k * n);
        s[i] = sum_of_squares(x, n), s[k] = sum_of_squares(y, n);
      }
    if (!turned) break;
    if (sweep + 1 == most_sweeps) return false;
  }
  for (index_t i = 0; i < n; ++i) s[i] = square_root(sum_of_squares(g + i * n, n));
  return true;
}
// Row i of x, of n, becomes a unit vector that is perpendicular to the rows before it. w: n numbers.
template <class R>
RICCI_HD constexpr void complete_row(complex_number<R>* x, index_t i, index_t n, complex_number<R>* w) {
  using C = complex_number<R>;
  for (index_t k = 0; k < n; ++k) w[k] = 0;
  for (index_t r = 0; r < i; ++r)
    for (index_t k = 0; k < n; ++k) w[k] += C(square_of(x[r * n + k]));
  index_t axis = 0;
  for (index_t k = 1; k < n; ++k)
    if (w[k].re < w[axis].re) axis = k;
  C* const row = x + i * n;
  for (index_t k = 0; k < n; ++k) row[k] = C(k == axis);
  for (int twice = 0; twice < 2; ++twice)
    for (index_t r = 0; r < i; ++r) {
      C const f = inner_product_of_rows(row, x + r * n, n);
      for (index_t k = 0; k < n; ++k) row[k] -= f * x[r * n + k];
    }
  R const length = square_root(sum_of_squares(row, n));
  for (index_t k = 0; k < n; ++k) row[k] *= C(1 / length);
}

// As of real matrices: a = u s v of what stands at `memory`: values in descending order at s, rows of v at g, columns
// of u at u.
template <class R>
RICCI_HD constexpr bool singular_values_of(complex_number<R>* memory, svd_memory const& at) {
  using C = complex_number<R>;
  index_t const m = at.high, n = at.wide;
  C *const a = memory + at.a(), *const g = memory + at.g(), *const s = memory + at.s(), *const tau = memory + at.tau(),
           *const w = memory + at.w();
  C* const j = at.left > 0 ? memory + at.j() : nullptr;
  triangularise(a, m, n, n, tau, w, static_cast<C*>(nullptr));
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < n; ++k) g[i * n + k] = k < i ? C(0) : a[i * n + k];
  if (j)
    for (index_t i = 0; i < n; ++i)
      for (index_t k = 0; k < n; ++k) j[i * n + k] = C(i == k);
  if (!make_rows_orthogonal(g, n, s, j)) return false;
  for (index_t i = 0; i < n; ++i) {
    index_t largest = i;
    for (index_t k = i + 1; k < n; ++k)
      if (s[k].re > s[largest].re) largest = k;
    if (largest == i) continue;
    C const t = s[i];
    s[i] = s[largest], s[largest] = t;
    exchange_rows(g + i * n, g + largest * n, n);
    if (j) exchange_rows(j + i * n, j + largest * n, n);
  }
  if (!j) return true;
  C* const u = memory + at.u();  // with g = j r, r = j^H g
  for (index_t i = 0; i < m; ++i)
    for (index_t k = 0; k < at.left; ++k) u[i * at.left + k] = i < n && k < n ? conjugate(j[k * n + i]) : C(i == k);
  reflect_back(a, n, n, tau, u, m, at.left, w, false);
  for (index_t i = 0; i < n; ++i) {
    if (s[i].re > 0)
      for (index_t k = 0; k < n; ++k) g[i * n + k] = C(g[i * n + k].re / s[i].re, g[i * n + k].im / s[i].re);
    else
      complete_row(g, i, n, w);
  }
  return true;
}

}  // namespace ricci::linalg
