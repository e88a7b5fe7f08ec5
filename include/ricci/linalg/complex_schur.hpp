// The Schur form of a complex Hessenberg matrix, upper triangular, by the QR method with one shift at a time [Golub and
// Van Loan, Matrix Computations, section 7.5; Stewart, Matrix Algorithms II, section 2.3].
#pragma once

#include <ricci/linalg/hessenberg.hpp>

namespace ricci::linalg {

// of the branch with a real part that is not negative
template <class R>
RICCI_HD constexpr complex_number<R> square_root_of_complex(complex_number<R> x) {
  R const size = modulus(x);
  if (size == 0) return {0, 0};
  R const larger = square_root((size + magnitude(x.re)) / 2), other = x.im / (2 * larger);
  if (x.re >= 0) return {larger, other};
  return {magnitude(other), x.im < 0 ? -larger : larger};
}
// The eigenvalue of ((a, b), (c, d)) that is nearer to d.
template <class C>
RICCI_HD constexpr C nearer_eigenvalue(C a, C b, C c, C d) {
  C const half = (a - d) * C(real_for<C>(.5)), product = b * c, root = square_root_of_complex(half * half + product);
  C const p = half + root, q = half - root, larger = magnitude(p) > magnitude(q) ? p : q;
  return larger == 0 ? d : d - product / larger;
}

// h becomes its Schur form, and the rows of z, if it is there, turn with it; memory: 2 n numbers. False where that does
// not come to an end.
template <class R>
RICCI_HD RICCI_VECTORISED constexpr bool make_schur(complex_number<R>* h, index_t n, complex_number<R>* z,
                                                    complex_number<R>* memory) {
  using C = complex_number<R>;
  constexpr R eps = std::numeric_limits<R>::epsilon(), tiny = std::numeric_limits<R>::min() / eps;
  index_t steps_left = 30 * n + 30;
  int steps = 0;
  for (index_t high = n - 1; high > 0;) {
    index_t low = high;
    for (; low > 0; --low) {
      R const size = magnitude(h[low * n + low - 1]),
              beside = magnitude(h[(low - 1) * n + low - 1]) + magnitude(h[low * n + low]);
      if (size <= tiny || size <= eps * beside) break;
    }
    if (low > 0) h[low * n + low - 1] = 0;
    if (low == high) {
      --high, steps = 0;
      continue;
    }
    if (--steps_left < 0) return false;
    C *const last = h + high * n + high, *const above = last - n;
    C const shift =
        ++steps % 10 == 0 ? *last + C(magnitude(last[-1])) : nearer_eigenvalue(above[-1], above[0], last[-1], last[0]);
    index_t const end = z ? n : high + 1;
    for (index_t k = low; k <= high; ++k) h[k * n + k] -= shift;
    // (c, s), c real: rows x and y become c x + s y and c y - conj(s) x; columns x and y c x + conj(s) y, c y - s x
    for (index_t k = low; k < high; ++k) {
      C* __restrict const x = h + k * n, * __restrict const y = x + n;
      C const f = x[k], g = y[k];
      R const length = square_root(square_of(f) + square_of(g)), size = modulus(f);
      C& c = memory[2 * k] = C(1);
      C& s = memory[2 * k + 1] = C(0);
      if (length > 0) {
        C const phase = size > 0 ? f / C(size) : C(1);
        c = size / length, s = phase * conjugate(g) / C(length);
        x[k] = phase * C(length);
      }
      y[k] = 0;
      R const cosine = c.re;
      for (index_t j = k + 1; j < end; ++j) {
        C const a = x[j], b = y[j];
        x[j] = C(cosine) * a + s * b;
        y[j] = C(cosine) * b - conjugate(s) * a;
      }
    }
    for (index_t i = z ? 0 : low; i <= high; ++i) {
      C* const row = h + i * n;
      for (index_t k = i > low ? i - 1 : low; k < high; ++k) {
        C const a = row[k], b = row[k + 1], c = memory[2 * k], s = memory[2 * k + 1];
        row[k] = c * a + conjugate(s) * b;
        row[k + 1] = c * b - s * a;
      }
    }
    if (z)
      for (index_t k = low; k < high; ++k) {
        C* __restrict const x = z + k * n, * __restrict const y = x + n;
        C const s = memory[2 * k + 1];
        R const cosine = memory[2 * k].re;
        for (index_t j = 0; j < n; ++j) {
          C const a = x[j], b = y[j];
          x[j] = C(cosine) * a + conjugate(s) * b;
          y[j] = C(cosine) * b - s * a;
        }
      }
    for (index_t k = low; k <= high; ++k) h[k * n + k] += shift;
  }
  return true;
}

}  // namespace ricci::linalg
