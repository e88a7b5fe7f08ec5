// The real Schur form of a Hessenberg matrix by the implicit QR method with two shifts at a time [Francis, The QR
// transformation, 1961; Golub and Van Loan, Matrix Computations, section 7.5]: upper triangular but for blocks of two
// rows, one for each pair of conjugate eigenvalues, with equal diagonal elements and others of different signs, as
// LAPACK's.
#pragma once

#include <ricci/linalg/hessenberg.hpp>

namespace ricci::linalg {

// Rows and columns `at` and at + 1 are turned, so that their block is triangular, or else has equal diagonal elements
// [Bai and Demmel, On swapping diagonal blocks in real Schur form, 1993, section 3].
template <class T>
RICCI_HD constexpr void standardise_block(T* h, index_t n, index_t at, T* z) {
  T const a = h[at * n + at], b = h[at * n + at + 1], c = h[(at + 1) * n + at], d = h[(at + 1) * n + at + 1];
  if (c == 0) return;
  T const half = (a - d) / 2, larger = magnitude(b) > magnitude(c) ? magnitude(b) : magnitude(c),
          scale = magnitude(half) > larger ? magnitude(half) : larger,
          square = half / scale * (half / scale) + b / scale * (c / scale);  // of the root, over the scale's
  T x = 1, y = 0;
  bool const is_real = square >= 0;
  if (is_real) {  // (a vector of the eigenvalue d + z is (z, c))
    T const root = square_root(square) * scale, to = half < 0 ? half - root : half + root;
    x = to, y = c;
  } else if (a != d) {
    T const sum = b + c, length = modulus(complex_number<T>{sum, a - d});
    x = square_root((1 + magnitude(sum) / length) / 2);
    y = -(half / (length * x)) * (sum < 0 ? T(-1) : T(1));
  }
  T const length = modulus(complex_number<T>{x, y}), cosine = x / length, sine = y / length;
  rotate_rows(h + at * n + at, h + (at + 1) * n + at, cosine, sine, n - at);
  for (index_t i = 0; i < at + 2; ++i) {
    T &p = h[i * n + at], &q = h[i * n + at + 1];
    T const s = cosine * p + sine * q;
    q = cosine * q - sine * p, p = s;
  }
  if (z) rotate_rows(z + at * n, z + (at + 1) * n, cosine, sine, n);
  if (is_real)
    h[(at + 1) * n + at] = 0;
  else
    h[at * n + at] = h[(at + 1) * n + at + 1] = (a + d) / 2;
}

// h becomes its Schur form t, and the rows of z, if it is there, turn with it. False where that does not come to an
// end.
template <class T>
RICCI_HD RICCI_VECTORISED constexpr bool make_schur(T* h, index_t n, T* z) {
  constexpr T eps = std::numeric_limits<T>::epsilon(), tiny = std::numeric_limits<T>::min() / eps;
  auto const at = [h, n](index_t i, index_t j) -> T& { return h[i * n + j]; };
  index_t steps_left = 30 * n + 30;
  int steps = 0;
  for (index_t high = n - 1; high > 0;) {
    index_t low = high;
    for (; low > 0; --low) {
      T const size = magnitude(at(low, low - 1)), beside = magnitude(at(low - 1, low - 1)) + magnitude(at(low, low));
      if (size <= tiny || size <= eps * beside) break;
    }
    if (low > 0) at(low, low - 1) = 0;
    if (low + 1 >= high) {
      if (low < high) standardise_block(h, n, low, z);
      high = low - 1;
      steps = 0;
      continue;
    }
    if (--steps_left < 0) return false;
    T x = at(high, high), y = at(high - 1, high - 1), product = at(high, high - 1) * at(high - 1, high);
    if (++steps % 10 == 0) {  // shifts of another kind, where the usual ones go round in circles
      T const size = magnitude(at(high, high - 1)) + magnitude(at(high - 1, high - 2));
      x = y = T(.75) * size + at(high, high);
      product = T(-.4375) * size * size;
    }
    // the first column of (h - x) (h - y) - product, from the last row on in which two small elements follow each other
    T v[3]{};
    index_t from = high - 2;
    for (;; --from) {
      T const corner = at(from, from), r = x - corner, s = y - corner;
      v[0] = (r * s - product) / at(from + 1, from) + at(from, from + 1);
      v[1] = at(from + 1, from + 1) - corner - r - s;
      v[2] = at(from + 2, from + 1);
      T const size = magnitude(v[0]) + magnitude(v[1]) + magnitude(v[2]);
      for (T& c : v) c /= size;
      if (from == low) break;
      if (magnitude(at(from, from - 1)) * (magnitude(v[1]) + magnitude(v[2])) <=
          eps * magnitude(v[0]) *
              (magnitude(at(from - 1, from - 1)) + magnitude(corner) + magnitude(at(from + 1, from + 1))))
        break;
    }
    for (index_t k = from; k < high; ++k) {
      bool const three = k + 2 <= high;
      if (k > from) {
        v[0] = at(k, k - 1), v[1] = at(k + 1, k - 1), v[2] = three ? at(k + 2, k - 1) : T(0);
      }
      T const tau = reflection_of(v, three ? 3 : 2);
      if (k > from) {
        at(k, k - 1) = v[0], at(k + 1, k - 1) = 0;
        if (three) at(k + 2, k - 1) = 0;
      } else if (k > low) {
        at(k, k - 1) *= 1 - tau;
      }
      if (tau == 0) continue;
      T const f = v[1], g = three ? v[2] : T(0), tau_f = tau * f, tau_g = tau * g;
      auto const reflect_rows = [&](T* __restrict p, T* __restrict q, T* __restrict r, index_t count) {
        if (three)
          for (index_t j = 0; j < count; ++j) {
            T const sum = p[j] + f * q[j] + g * r[j];
            p[j] -= tau * sum, q[j] -= tau_f * sum, r[j] -= tau_g * sum;
          }
        else
          for (index_t j = 0; j < count; ++j) {
            T const sum = p[j] + f * q[j];
            p[j] -= tau * sum, q[j] -= tau_f * sum;
          }
      };
      index_t const end = z ? n : high + 1, rows = k + 3 < high ? k + 4 : high + 1;
      index_t const third = three ? k + 2 : k + 1;
      reflect_rows(h + k * n + k, h + (k + 1) * n + k, h + third * n + k, end - k);
      for (index_t i = z ? 0 : low; i < rows; ++i) {
        T* const p = h + i * n + k;
        T const sum = p[0] + f * p[1] + (three ? g * p[2] : T(0));
        p[0] -= tau * sum, p[1] -= tau_f * sum;
        if (three) p[2] -= tau_g * sum;
      }
      if (z) reflect_rows(z + k * n, z + (k + 1) * n, z + third * n, n);
    }
  }
  return true;
}

}  // namespace ricci::linalg
