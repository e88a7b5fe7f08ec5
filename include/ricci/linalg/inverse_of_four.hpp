// The inverse and the determinant of a matrix of 4 rows by its cofactors, with a row or a column in each register of
// four numbers, where there are such. For the inverse minors of two columns stand side by side, those of the upper two
// rows and those of the lower ones, each twice, as the columns of the result want them; for the determinant minors of
// two rows.
#pragma once

#include <ricci/linalg/small.hpp>

namespace ricci::linalg {

#if !defined(__CUDACC__) && (defined(__GNUC__) || defined(__clang__)) && \
    (defined(__SSE2__) || defined(__aarch64__))  // (nvcc has no __builtin_shufflevector)

// Whether four numbers are one register.
template <class T>
constexpr bool has_registers_of_four() {
#if defined(__AVX__)
  return std::is_same_v<T, float> || std::is_same_v<T, double>;
#else
  return std::is_same_v<T, float>;
#endif
}
// y becomes the inverse of a, (4, 4). False where elimination has to say what it is. (Registers are not handed to
// functions: how that goes depends on the instructions that there are.)
template <class T, class A, class Y>
RICCI_INLINE bool inverse_of_four(A const& a, Y const& y) {
  typedef T four __attribute__((vector_size(4 * sizeof(T))));
  typedef T four_in_memory __attribute__((vector_size(4 * sizeof(T)), aligned(alignof(T))));
  using integer = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  typedef integer bits __attribute__((vector_size(4 * sizeof(T))));
  four row[4];
  RICCI_UNROLL(4)
  for (int i = 0; i < 4; ++i)
    if (a.stride[1] == 1)
      row[i] = *reinterpret_cast<four_in_memory const*>(&a(i, 0));
    else
      row[i] = four{a(i, 0), a(i, 1), a(i, 2), a(i, 3)};
  // columns, in which rows have changed places: 1, 0, 3, 2
  four const top = __builtin_shufflevector(row[1], row[0], 0, 4, 2, 6),
             next = __builtin_shufflevector(row[1], row[0], 1, 5, 3, 7),
             low = __builtin_shufflevector(row[3], row[2], 0, 4, 2, 6),
             last = __builtin_shufflevector(row[3], row[2], 1, 5, 3, 7);
  four const t[] = {__builtin_shufflevector(top, low, 0, 1, 4, 5), __builtin_shufflevector(next, last, 0, 1, 4, 5),
                    __builtin_shufflevector(top, low, 2, 3, 6, 7), __builtin_shufflevector(next, last, 2, 3, 6, 7)};
  four u[4], v[4], w[6];  // u: rows 2, 2, 0, 0, v: rows 3, 3, 1, 1, w: minors of these
  RICCI_UNROLL(4)
  for (int k = 0; k < 4; ++k) {
    u[k] = __builtin_shufflevector(t[k], t[k], 3, 3, 1, 1);
    v[k] = __builtin_shufflevector(t[k], t[k], 2, 2, 0, 0);
  }
  constexpr int left[] = {0, 0, 0, 1, 1, 2}, right[] = {1, 2, 3, 2, 3, 3};
  RICCI_UNROLL(6)
  for (int k = 0; k < 6; ++k) w[k] = u[left[k]] * v[right[k]] - u[right[k]] * v[left[k]];
  // the determinant by minors of both pairs of rows, each half of a register one half of the sum
  four const p = w[0] * __builtin_shufflevector(w[5], w[5], 2, 3, 0, 1),
             q = w[1] * __builtin_shufflevector(w[4], w[4], 2, 3, 0, 1),
             r = w[2] * __builtin_shufflevector(w[3], w[3], 2, 3, 0, 1);
  constexpr integer most = std::numeric_limits<integer>::max();
  constexpr bits magnitude{most, most, most, most};
  four const half = p - q + r,
             magnitudes = (four)((bits)p & magnitude) + (four)((bits)q & magnitude) + (four)((bits)r & magnitude);
  four const d = half + __builtin_shufflevector(half, half, 2, 3, 0, 1);
  if (!little_has_cancelled<one_by_one<T>>(T(d[0]), T(magnitudes[0] + magnitudes[2]))) return false;
  four const f = four{1, -1, 1, -1} / d;
  four const x[] = {(t[1] * w[5] - t[2] * w[4] + t[3] * w[3]) * f, (t[2] * w[2] - t[0] * w[5] - t[3] * w[1]) * f,
                    (t[0] * w[4] - t[1] * w[2] + t[3] * w[0]) * f, (t[1] * w[1] - t[0] * w[3] - t[2] * w[0]) * f};
  RICCI_UNROLL(4)
  for (int i = 0; i < 4; ++i)
    if (y.stride[1] == 1)
      *reinterpret_cast<four_in_memory*>(&y(i, 0)) = x[i];
    else
      RICCI_UNROLL(4)
  for (int j = 0; j < 4; ++j) y(i, j) = x[i][j];
  return true;
}

// The determinant of a, (4, 4), into d, as `determinant_of_few` says it. False where elimination has to.
template <class T, class A>
RICCI_INLINE bool determinant_of_four(A const& a, T& d) {
  typedef T four __attribute__((vector_size(4 * sizeof(T))));
  typedef T four_in_memory __attribute__((vector_size(4 * sizeof(T)), aligned(alignof(T))));
  using integer = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  typedef integer bits __attribute__((vector_size(4 * sizeof(T))));
  constexpr integer most = std::numeric_limits<integer>::max();
  constexpr bits magnitude{most, most, most, most};
  four row[4], products[2], next[2], far[2];
  RICCI_UNROLL(4)
  for (int i = 0; i < 4; ++i)
    if (a.stride[1] == 1)
      row[i] = *reinterpret_cast<four_in_memory const*>(&a(i, 0));
    else
      row[i] = four{a(i, 0), a(i, 1), a(i, 2), a(i, 3)};
  // of the upper two rows and of the lower ones the minors of columns 0 1, 1 2, 2 3, 3 0 and 0 2, 1 3, 2 0, 3 1
  RICCI_UNROLL(2)
  for (int i = 0; i < 2; ++i) {
    four const x = row[2 * i], y = row[2 * i + 1];
    products[i] = __builtin_shufflevector(x, x, 1, 2, 3, 0) * y;
    next[i] = x * __builtin_shufflevector(y, y, 1, 2, 3, 0) - products[i];
    far[i] = x * __builtin_shufflevector(y, y, 2, 3, 0, 1) - __builtin_shufflevector(x, x, 2, 3, 0, 1) * y;
  }
  four const p = next[0] * __builtin_shufflevector(next[1], next[1], 2, 3, 0, 1),
             q = far[0] * __builtin_shufflevector(far[1], far[1], 1, 0, 3, 2);  // each product twice
  constexpr four sign{1, -1, 1, -1}, half{T(.5), T(.5), T(.5), T(.5)};
  four const terms = p * sign - q * half, sizes = (four)((bits)p & magnitude) + (four)((bits)q & magnitude) * half;
  four const pairs =
      __builtin_shufflevector(terms, sizes, 0, 4, 2, 6) + __builtin_shufflevector(terms, sizes, 1, 5, 3, 7);
  d = pairs[0] + pairs[2];
  // `is_more_than_rounding` by one product: the other is no larger than that and the minor together
  constexpr T rounding = 2048 * std::numeric_limits<T>::epsilon();
  using one = one_by_one<T>;
  return little_has_cancelled<one>(d, T(pairs[1] + pairs[3])) &&
         one::magnitude(next[0][0]) >= one::magnitude(products[0][0]) * rounding &&
         one::magnitude(next[1][2]) >= one::magnitude(products[1][2]) * rounding;
}

#else

template <class T>
constexpr bool has_registers_of_four() {
  return false;
}
template <class T, class A, class Y>
bool inverse_of_four(A const& a, Y const& y);  // never called
template <class T, class A>
bool determinant_of_four(A const& a, T& d);

#endif

}  // namespace ricci::linalg
