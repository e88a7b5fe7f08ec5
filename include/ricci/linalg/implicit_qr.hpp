// The implicit QR method for bidiagonal matrices [Golub and Van Loan, Matrix Computations, section 8.6; Demmel and
// Kahan, Accurate singular values of bidiagonal matrices, 1990].
#pragma once

#include <ricci/linalg/rotations.hpp>

namespace ricci::linalg {

// What a sweep turns: planes of two rows that follow each other, from the first on or from the last one on.
struct chase {
  index_t low, high;
  bool from_below;
  RICCI_HD constexpr index_t at(index_t i) const { return from_below ? high - i : low + i; }
  RICCI_HD constexpr index_t beside(index_t i) const { return from_below ? high - 1 - i : low + i; }
};
// (c, s, r): c f + s g = r, c g - s f = 0
template <class T>
struct rotation {
  T c, s, r;
  RICCI_HD constexpr rotation(T f, T g) : c(1), s(0), r(f) {
    if (g == 0) return;
    r = square_root(f * f + g * g);
    if (r < square_root_of_least<T>()) {  // squares may have vanished
      T const larger = magnitude(f) > magnitude(g) ? magnitude(f) : magnitude(g), x = f / larger, y = g / larger;
      r = square_root(x * x + y * y);
      c = x / r, s = y / r, r *= larger;
      return;
    }
    T const inverse = 1 / r;
    c = f * inverse, s = g * inverse;
  }
};
// The smaller singular value of ((f, g), (0, h)).
template <class T>
RICCI_HD constexpr T smaller_of_two(T f, T g, T h) {
  f = magnitude(f), g = magnitude(g), h = magnitude(h);
  T const least = f < h ? f : h, most = f < h ? h : f;
  if (least == 0) return 0;
  T const ratio = least / most, sum = 1 + ratio, difference = 1 - ratio;
  if (g < most) {
    T const x = g / most, square = x * x;
    return 2 * least / (square_root(sum * sum + square) + square_root(difference * difference + square));
  }
  T const x = most / g;
  if (x == 0) return least * most / g;
  T const y = sum * x, z = difference * x;
  return 2 * (least * x) / (square_root(1 + y * y) + square_root(1 + z * z));
}

// One sweep of the block of d and e, less the shift, which is 0 where the block has small values that a shift would
// spoil.
template <class T>
RICCI_HD constexpr void sweep(T* d, T* e, chase const& b, T shift, sweeps<T>* left, sweeps<T>* right) {
  index_t const n = b.high - b.low;
  T *cl = nullptr, *cr = nullptr;
  if (left) {
    if (b.from_below) {
      sweeps<T>* const t = left;
      left = right, right = t;
    }
    cl = left->next(b.from_below ? b.high : b.low, n, b.from_below);
    cr = right->next(b.from_below ? b.high : b.low, n, b.from_below);
  }
  auto const keep = [&](index_t i, T c, T s, T c_left, T s_left) {
    if (!cl) return;
    cr[2 * i] = c, cr[2 * i + 1] = s;
    cl[2 * i] = c_left, cl[2 * i + 1] = s_left;
  };
  if (shift == 0) {
    T c = 1, c_before = 1, s_before = 0;
    for (index_t i = 0; i < n; ++i) {
      T &here = d[b.at(i)], &after = d[b.at(i + 1)];
      rotation<T> const r(here * c, e[b.beside(i)]);
      if (i > 0) e[b.beside(i - 1)] = s_before * r.r;
      rotation<T> const l(c_before * r.r, after * r.s);
      here = l.r;
      c = r.c, c_before = l.c, s_before = l.s;
      keep(i, r.c, r.s, l.c, l.s);
    }
    T& last = d[b.at(n)];
    T const h = last * c;
    last = h * c_before;
    e[b.beside(n - 1)] = h * s_before;
    return;
  }
  T const first = d[b.at(0)];
  T f = (magnitude(first) - shift) * ((first < 0 ? T(-1) : T(1)) + shift / first), g = e[b.beside(0)];
  for (index_t i = 0; i < n; ++i) {
    T &here = d[b.at(i)], &after = d[b.at(i + 1)], &between = e[b.beside(i)];
    rotation<T> const r(f, g);
    if (i > 0) e[b.beside(i - 1)] = r.r;
    f = r.c * here + r.s * between;
    between = r.c * between - r.s * here;
    g = r.s * after;
    after = r.c * after;
    rotation<T> const l(f, g);
    here = l.r;
    f = l.c * between + l.s * after;
    after = l.c * after - l.s * between;
    keep(i, r.c, r.s, l.c, l.s);
    if (i + 1 < n) {
      T& following = e[b.beside(i + 1)];
      g = l.s * following;
      following = l.c * following;
    }
  }
  e[b.beside(n - 1)] = f;
}

// The bidiagonal matrix becomes diagonal, and what has collected in `left` and `right`, where they are there, are the
// rotations of rows of its vectors. False where that does not come to an end, as with numbers that are none.
template <class T>
RICCI_HD constexpr bool make_bidiagonal_diagonal(T* d, T* e, index_t n, sweeps<T>* left, sweeps<T>* right) {
  constexpr T eps = std::numeric_limits<T>::epsilon();
  index_t steps_left = 30 * n + 30;
  T largest = 0;
  for (index_t i = 0; i < n; ++i) {
    T const size = magnitude(d[i]) + (i + 1 < n ? magnitude(e[i]) : T(0));
    if (!(size <= largest)) largest = size;
  }
  T const nothing = largest * eps * eps;
  auto const negligible = [&](index_t i) {
    return magnitude(e[i]) <= eps / 2 * (magnitude(d[i]) + magnitude(d[i + 1])) || magnitude(e[i]) <= nothing;
  };
  chase b{0, n - 1, false};
  index_t before_low = -1, before_high = -1;
  while (b.high > 0) {
    if (negligible(b.high - 1)) {
      e[--b.high] = 0;
      continue;
    }
    for (b.low = b.high - 1; b.low > 0 && !negligible(b.low - 1); --b.low) {
    }
    if (b.low > 0) e[b.low - 1] = 0;
    if (--steps_left < 0) return false;
    if (b.low > before_high || b.high < before_low || before_high < 0)  // a block of its own: from the larger end
      b.from_below = magnitude(d[b.low]) < magnitude(d[b.high]);
    before_low = b.low, before_high = b.high;
    T least = magnitude(d[b.at(0)]), most = least, size = least;
    for (index_t i = 0; i < b.high - b.low; ++i) {
      T const here = magnitude(d[b.at(i + 1)]), between = magnitude(e[b.beside(i)]), sum = size + between;
      size = sum == 0 ? T(0) : here * (size / sum);
      least = size < least ? size : least;
      most = here > most ? here : most;
      most = between > most ? between : most;
    }
    index_t const last = b.high - b.low;
    T shift = 0, first = magnitude(d[b.at(0)]);
    if (T(last + 1) * (least / most) > T(.01) * eps) {
      shift = smaller_of_two(d[b.at(last - 1)], e[b.beside(last - 1)], d[b.at(last)]);
      T const ratio = shift / first;
      if (!(ratio * ratio >= eps)) shift = 0;
    }
    if (left && (left->is_full(last) || right->is_full(last))) left->apply(), right->apply();
    sweep(d, e, b, shift, left, right);
  }
  if (left) left->apply(), right->apply();
  for (index_t i = 0; i < n; ++i)
    if (d[i] != d[i]) return false;
  return true;
}

}  // namespace ricci::linalg
