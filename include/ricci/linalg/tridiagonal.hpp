// Eigenvalues and eigenvectors of symmetric matrices by Householder's reduction to a tridiagonal matrix and the
// implicit QL method [Golub and Van Loan, Matrix Computations, sections 8.3.1 and 8.3.5; Parlett, The Symmetric
// Eigenvalue Problem, chapter 8].
#pragma once

#include <ricci/linalg/hessenberg.hpp>
#include <ricci/linalg/library.hpp>
#include <ricci/linalg/rotations.hpp>

namespace ricci::linalg {

// The lower triangle of a symmetric matrix becomes tridiagonal, from the last row on: its diagonal d and, from 0 to n -
// 2, what lies beside it, e. Row k of a, before column k, keeps the vector of its reflection, whose last element is 1;
// tau[k] is its factor. What a reflection leaves and the product with the next one are one pass. memory: 2 n.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void make_tridiagonal(T* a, index_t n, T* d, T* e, T* tau, T* memory) {
  constexpr T tiny = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  T *w = memory, *next = memory + n;
  T const* v = nullptr;  // the reflection before, whose turn of the rows above is yet to come, with its w
  for (index_t k = n - 1; k > 0; --k) {
    T* const x = a + k * n;
    if (v) {
      T const f = v[k], g = w[k];
      for (index_t j = 0; j <= k; ++j) x[j] -= f * w[j] + g * v[j];
    }
    d[k] = x[k];
    T const last = x[k - 1], sum = product_of_rows(x, x, k - 1);
    T t = 0;
    if (sum == 0 || last * last + sum < tiny) {  // what is lost is less than rounding of the largest element
      e[k - 1] = sum == 0 ? last : T(0);
      for (index_t j = 0; j + 1 < k; ++j) x[j] = 0;
    } else {
      T const length = square_root(last * last + sum), onto = last > 0 ? -length : length, inverse = 1 / (last - onto);
      for (index_t j = 0; j + 1 < k; ++j) x[j] *= inverse;
      e[k - 1] = onto, t = (onto - last) / onto;
    }
    x[k - 1] = 1;
    tau[k] = t;
    if (t == 0 && !v) continue;
    for (index_t j = 0; j < k; ++j) next[j] = 0;
    for (index_t i = 0; i < k; ++i) {
      T* __restrict const row = a + i * n;
      T const at = x[i];
      if (v) {
        T const f = v[i], g = w[i];
        for (index_t j = 0; j < i; ++j) {
          T const y = row[j] - (f * w[j] + g * v[j]);
          row[j] = y;
          next[j] += at * y;
        }
        row[i] -= 2 * f * g;
      } else {
        for (index_t j = 0; j < i; ++j) next[j] += at * row[j];
      }
      next[i] += at * row[i] + product_of_rows(row, x, i);
    }
    if (t == 0) {
      v = nullptr;
      continue;
    }
    // w = t (a x - t/2 (x^T a x) x)
    T const half = t * t * product_of_rows(x, next, k) / 2;
    for (index_t j = 0; j < k; ++j) next[j] = t * next[j] - half * x[j];
    T* const other = w;
    w = next, next = other;
    v = x;
  }
  if (n > 0) d[0] = v ? a[0] - 2 * v[0] * w[0] : a[0];
}
// The transposed product of those reflections, whose rows are to become eigenvectors.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void reflections_as_rows(T const* a, index_t n, T const* tau, T* z) {
  for (index_t i = 0; i < n; ++i)
    for (index_t j = 0; j < n; ++j) z[i * n + j] = T(i == j);
  for (index_t k = 1; k < n; ++k) {  // of z, rows and columns before k: each row less its part along v
    T const* const v = a + k * n;
    if (tau[k] == 0) continue;
    for (index_t i = 0; i < k; ++i) {
      T* __restrict const row = z + i * n;
      T const f = tau[k] * product_of_rows(row, v, k);
      for (index_t j = 0; j < k; ++j) row[j] -= f * v[j];
    }
  }
}

// The tridiagonal matrix becomes diagonal; the rows of z, where it is there, turn with it. False where that does not
// come to an end, as with numbers that are none.
template <class D, class E, class Z>
RICCI_HD RICCI_VECTORISED constexpr bool make_diagonal(D d, E e, index_t n, Z* z) {
  using T = std::remove_cvref_t<decltype(d[0])>;
  constexpr T eps = std::numeric_limits<T>::epsilon(), small = square_root_of_least<T>();
  constexpr int most_steps = 60;  // for one eigenvalue; a few are usual
  for (index_t low = 0; low < n; ++low)
    for (int step = 0;; ++step) {
      index_t high = low;  // the block from `low` to `high` is not yet split
      while (high + 1 < n && !(magnitude(e[high]) <= eps * (magnitude(d[high]) + magnitude(d[high + 1])))) ++high;
      if (high == low) break;
      if (step == most_steps) return false;
      T const difference = (d[low + 1] - d[low]) / (2 * e[low]), root = square_root(1 + difference * difference);
      T f = d[high] - d[low] + e[low] / (difference + (difference < 0 ? -root : root));  // less Wilkinson's shift
      T s = 1, c = 1, moved = 0;
      bool split = false;
      for (index_t i = high - 1; i >= low; --i) {
        T const beside = s * e[i], b = c * e[i];
        T length = square_root(beside * beside + f * f);
        if (!(length > small)) {  // squares may have vanished
          T const larger = magnitude(beside) > magnitude(f) ? magnitude(beside) : magnitude(f);
          if (larger == 0) {
            d[i + 1] -= moved, e[i + 1] = 0;
            split = true;
            break;
          }
          T const x = beside / larger, y = f / larger;
          length = square_root(x * x + y * y) * larger;
        }
        e[i + 1] = length;
        s = beside / length, c = f / length;
        T const shifted = d[i + 1] - moved, r = (d[i] - shifted) * s + 2 * c * b;
        moved = s * r;
        d[i + 1] = shifted + moved;
        f = c * r - b;
        if (z) rotate_rows(z + (i + 1) * n, z + i * n, Z(c), Z(s), n);
      }
      e[high] = 0;
      if (split) continue;
      d[low] -= moved;
      e[low] = f;
    }
  return true;
}

// Of a symmetric matrix that stands in a, both triangles: its eigenvalues in ascending order in d, their vectors as
// rows of z where it is there. memory: 4 n numbers.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool eigenvalues_of(T* a, index_t n, T* d, T* z, T* memory) {
#if RICCI_LINALG_LAPACK || RICCI_LINALG_EIGEN
  if (!__builtin_is_constant_evaluated() && n >= library::least_for_eigenvalues) {
    if (z)
      for (index_t i = 0; i < n * n; ++i) z[i] = a[i];
    auto const it = library::eigenvalues(z ? z : a, n, d, z != nullptr);
    if (it != lapack::outcome::not_run) return it == lapack::outcome::done;
  }
#endif
  T *const e = memory, *const tau = e + n, *const w = tau + n;
  make_tridiagonal(a, n, d, e, tau, w);
  if (z) reflections_as_rows(a, n, tau, z);
  if (!make_diagonal(d, e, n, z)) return false;
  for (index_t i = 0; i < n; ++i) {
    index_t least = i;
    for (index_t k = i + 1; k < n; ++k)
      if (d[k] < d[least]) least = k;
    if (least == i) continue;
    T const t = d[i];
    d[i] = d[least], d[least] = t;
    if (z) exchange_rows(z + i * n, z + least * n, n);
  }
  return true;
}

// The parts of complex numbers in memory as rows of real ones.
template <class R>
struct real_parts {
  complex_number<R>* p;
  RICCI_HD constexpr R& operator[](index_t k) const { return p[k].re; }
};
template <class R>
struct imaginary_parts {
  complex_number<R>* p;
  RICCI_HD constexpr R& operator[](index_t k) const { return p[k].im; }
};
// The same of a Hermitian matrix, by way of Hessenberg's form, which is tridiagonal, and real beside the diagonal.
template <class R>
RICCI_HD constexpr bool eigenvalues_of(complex_number<R>* a, index_t n, complex_number<R>* d, complex_number<R>* z,
                                       complex_number<R>* memory) {
  using C = complex_number<R>;
  make_hessenberg(a, n, z, memory);
  for (index_t i = 0; i < n; ++i) d[i] = C(a[i * n + i].re, i + 1 < n ? a[(i + 1) * n + i].re : R(0));
  if (!make_diagonal(real_parts<R>{d}, imaginary_parts<R>{d}, n, z)) return false;
  for (index_t i = 0; i < n; ++i) {
    index_t least = i;
    for (index_t k = i + 1; k < n; ++k)
      if (d[k].re < d[least].re) least = k;
    if (least == i) continue;
    C const t = d[i];
    d[i] = d[least], d[least] = t;
    if (z) exchange_rows(z + i * n, z + least * n, n);
  }
  return true;
}

}  // namespace ricci::linalg
