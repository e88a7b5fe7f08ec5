// Roots of unity, exp(-2 pi i k / n), within 0.53 units in the last place, without the functions of a C library, so
// that constant expressions, hosts and devices have the same ones.
//
// An octant of the circle is covered by 33 points in two parts each, from which a root is at most 1/512 of a turn away
// [the method of tables with a correction: P. Tang, Table-lookup algorithms for elementary functions, 1991].
#pragma once

#include <ricci/core/types.hpp>

namespace ricci::fft {

// A number of type T, and how far it is from the one that is meant.
struct two_part_number {
  double high, low;
};
template <class T>
struct root_t {
  T real, imag;
};

namespace circle {

// Sums and products in two parts (T. Dekker, 1971); in constant expressions alone, where nothing is contracted.
constexpr two_part_number sum(double a, double b) {
  double const s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
constexpr two_part_number sum(two_part_number a, two_part_number b) {
  two_part_number const s = sum(a.high, b.high);
  return sum(s.high, s.low + (a.low + b.low));
}
constexpr two_part_number product(two_part_number a, two_part_number b) {
  constexpr double splitter = 134217729;  // 2^27 + 1
  double const p = a.high * b.high, u = splitter * a.high, v = splitter * b.high;
  double const ah = u - (u - a.high), bh = v - (v - b.high), al = a.high - ah, bl = b.high - bh;
  double const low = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
  return sum(p, low + (a.high * b.low + a.low * b.high));
}
constexpr two_part_number negative(two_part_number a) { return {-a.high, -a.low}; }

struct point {
  two_part_number cosine, sine;
};
inline constexpr int parts = 256;  // of a turn
struct octant {
  point at[parts / 8 + 1];
  constexpr octant() : at{} {
    point const first{{0.9996988186962042, -2.985148640379975e-17}, {0.024541228522912288, -9.186849012577878e-20}};
    at[0] = {{1, 0}, {0, 0}};
    at[1] = first;
    for (int k = 2; k <= parts / 8; ++k) {
      point const a = at[k / 2], b = at[k - k / 2];
      at[k].cosine = sum(product(a.cosine, b.cosine), negative(product(a.sine, b.sine)));
      at[k].sine = sum(product(a.cosine, b.sine), product(a.sine, b.cosine));
    }
  }
};
inline constexpr octant table{};
#if defined(__CUDACC__)
static __device__ constexpr octant device_table{};
#endif

}  // namespace circle

// exp(-2 pi i k / n), 0 <= k < n; T: double, or what has a few more digits.
template <class T>
RICCI_HD constexpr root_t<T> root_of_unity(index_t k, index_t n) {
  constexpr double unit = 6.283185307179586476925286766559 / circle::parts;
  index_t a = 8 * k;  // of 8 n, which is a turn
  bool const below = a <= 4 * n;
  if (!below) a = 8 * n - a;
  bool const left = a > 2 * n;
  if (left) a = 4 * n - a;
  bool const steep = a > n;
  if (steep) a = 2 * n - a;
  index_t const j = (2 * (circle::parts / 8) * a + n) / (2 * n), rest = circle::parts / 8 * a - j * n;
  double const x = unit * (static_cast<double>(rest) / static_cast<double>(n)), xx = x * x;
  double const less = xx * (-0.5 + xx * (1. / 24 - xx * (1. / 720)));  // cos(x) - 1
  double const sine = x + x * (xx * (-1. / 6 + xx * (1. / 120 - xx * (1. / 5040))));
#if defined(__CUDA_ARCH__)
  circle::point const& at = circle::device_table.at[j];
#else
  circle::point const& at = circle::table.at[j];
#endif
  double const c = at.cosine.high, s = at.sine.high;
  T const along = static_cast<T>(c) + static_cast<T>(at.cosine.low + (c * less - s * sine));
  T const up = static_cast<T>(s) + static_cast<T>(at.sine.low + (s * less + c * sine));
  T const real = steep ? up : along, imag = steep ? along : up;
  return {left ? -real : real, below ? -imag : imag};
}
template <>
RICCI_HD constexpr root_t<float> root_of_unity<float>(index_t k, index_t n) {
  root_t<double> const z = root_of_unity<double>(k, n);
  return {static_cast<float>(z.real), static_cast<float>(z.imag)};
}

}  // namespace ricci::fft
