// What both kernels of attention are made of on the host: blocks of matrices with rows of whole register tiles and
// zeros behind what is there, products of these, and scores that are hidden, moved by a bias and exponentiated.
#pragma once

#include <ricci/attention/calls.hpp>
#include <ricci/exec/cpu/call.hpp>
#include <ricci/exec/cpu/microkernel.hpp>
#include <ricci/exec/cpu/transpose.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::attentions {
inline namespace RICCI_ABI {

template <class T>
inline constexpr index_t panel_width = exec::columns_of_b<T>::width;
inline constexpr index_t tile_rows = exec::micro_rows;
// Queries and places of a block of scores.
inline constexpr index_t block_rows = 8 * tile_rows;
template <class T>
inline constexpr index_t block_places = 4 * panel_width<T>;

RICCI_HD constexpr index_t rounded_up(index_t n, index_t unit) { return (n + unit - 1) / unit * unit; }
RICCI_HD constexpr index_t smaller_of(index_t a, index_t b) { return a < b ? a : b; }

// A matrix for products: element (i, j) at p[i * row + j], or where it stands on the right, in panels of columns of
// which each is `panel` behind the one before.
template <class T>
struct operand {
  T const* p;
  index_t row, column;
};
enum class how { set, add, scale_and_add };

// c (+)= a b for tile_rows rows and a panel of columns; scaled: c = c * factors[r] + a b
template <how How, class T>
RICCI_NOINLINE void multiply_tile(operand<T> const& a, T const* b, index_t b_row, index_t depth, T* c, index_t c_row,
                                  T const* factors) {
  using P = simd::pack<T>;
  constexpr index_t size = P::size;
  P acc[tile_rows][2];
  RICCI_UNROLL(16)
  for (int r = 0; r < tile_rows; ++r) {
    if constexpr (How == how::set) {
      acc[r][0] = acc[r][1] = P(T(0));
    } else {
      acc[r][0] = P::load(c + r * c_row), acc[r][1] = P::load(c + r * c_row + size);
      if constexpr (How == how::scale_and_add) {
        P const f(factors[r]);
        acc[r][0] = acc[r][0] * f, acc[r][1] = acc[r][1] * f;
      }
    }
  }
  T const* x = a.p;
  index_t const row = a.row, column = a.column;
  RICCI_UNROLL(1)
  for (index_t k = 0; k < depth; ++k) {
    P const left = P::load(b), right = P::load(b + size);
    RICCI_UNROLL(16)
    for (int r = 0; r < tile_rows; ++r) {
      P const of_a(x[r * row]);
      acc[r][0] = simd::fma(of_a, left, acc[r][0]);
      acc[r][1] = simd::fma(of_a, right, acc[r][1]);
    }
    x += column;
    b += b_row;
  }
  RICCI_UNROLL(16)
  for (int r = 0; r < tile_rows; ++r) acc[r][0].store(c + r * c_row), acc[r][1].store(c + r * c_row + size);
}
// The same for `rows` rows, rounded up to those of tiles, and `columns` columns, a multiple of a panel's; panels of b
// are `panel` apart.
template <how How, class T>
RICCI_INLINE void multiply(operand<T> const& a, T const* b, index_t b_row, index_t panel, index_t depth, T* c,
                           index_t c_row, index_t rows, index_t columns, T const* factors = nullptr) {
  for (index_t j = 0; j < columns; j += panel_width<T>, b += panel)
    for (index_t r = 0; r < rows; r += tile_rows)
      multiply_tile<How>(operand<T>{a.p + r * a.row, a.row, a.column}, b, b_row, depth, c + r * c_row + j, c_row,
                         factors + (How == how::scale_and_add ? r : 0));
}

// Rows [first, first + n) of a matrix of `width` columns to rows of `padded` numbers, and zeros to `rows` rows.
template <class T, class View>
RICCI_INLINE void copy_rows(T* to, View const& x, index_t first, index_t n, index_t rows, index_t width,
                            index_t padded) {
  for (index_t i = 0; i < n; ++i, to += padded) {
    T const* from = x.p + (first + i) * x.stride[0];
    index_t const step = x.stride[1];
    if (step == 1)
      for (index_t c = 0; c < width; ++c) to[c] = from[c];
    else
      for (index_t c = 0; c < width; ++c) to[c] = from[c * step];
    for (index_t c = width; c < padded; ++c) to[c] = T(0);
  }
  for (index_t k = 0; k < (rows - n) * padded; ++k) to[k] = T(0);
}
// Rows of `padded` numbers from there to a matrix.
template <class T, class View>
RICCI_INLINE void write_rows(View const& x, T const* from, index_t first, index_t n, index_t width, index_t padded) {
  for (index_t i = 0; i < n; ++i, from += padded) {
    T* to = x.p + (first + i) * x.stride[0];
    index_t const step = x.stride[1];
    if (step == 1)
      for (index_t c = 0; c < width; ++c) to[c] = from[c];
    else
      for (index_t c = 0; c < width; ++c) to[c * step] = from[c];
  }
}
// `places` rows of `padded` numbers, a multiple of a panel's, to their transpose in panels of `width` rows.
template <class T>
RICCI_INLINE void transpose_to_panels(T* to, T const* from, index_t places, index_t width, index_t padded) {
  constexpr index_t size = exec::square_of<T>, panel = panel_width<T>;
  for (index_t j = 0; j < places; j += panel, to += width * panel, from += panel * padded) {
    index_t c = 0;
    if constexpr (size > 0)
      for (; c + size <= width; c += size)
        for (index_t k = 0; k < panel; k += size)
          exec::transpose_square(from + k * padded + c, padded, to + c * panel + k, panel);
    for (; c < width; ++c)
      for (index_t k = 0; k < panel; ++k) to[c * panel + k] = from[k * padded + c];
  }
}

// Rows of a matrix, as many at a time as a block has: where they lie, if they lie as products want them, else a copy.
template <class T, class View>
struct rows_of {
  View const& x;
  T* copies;  // of the rows from `start` on
  index_t start;
  index_t rows, width, padded, block, unit;  // of a last block as many rows are there as a multiple of `unit` has

  index_t size(index_t first) const { return rounded_up(smaller_of(block, rows - first), unit); }
  bool are_in_place(index_t first) const { return x.stride[1] == 1 && width == padded && first + size(first) <= rows; }
  void prepare(index_t first) const {
    if (!are_in_place(first))
      copy_rows(copies + (first - start) * padded, x, first, smaller_of(block, rows - first), size(first), width,
                padded);
  }
  T const* at(index_t first) const {
    return are_in_place(first) ? x.p + first * x.stride[0] : copies + (first - start) * padded;
  }
  index_t apart(index_t first) const { return are_in_place(first) ? x.stride[0] : padded; }
};
// Whether `rows` rows of `columns` numbers, a multiple of a pack's, are finite: a number less itself is 0.
template <class T>
RICCI_INLINE bool are_finite(T const* p, index_t row, index_t rows, index_t columns) {
  using P = simd::pack<T>;
  P sum(T(0));
  for (index_t i = 0; i < rows; ++i, p += row)
    for (index_t c = 0; c < columns; c += P::size) sum = sum + (P::load(p + c) - P::load(p + c));
  T lanes[P::size], all = 0;
  sum.store(lanes);
  for (T const x : lanes) all += x;
  return all == 0;
}
// c += a b where numbers of b may not be finite: elements of a at which `p` is 0 add nothing. Of `rows` rows, `depth`
// products each and `columns` columns.
template <class T>
RICCI_NOINLINE void add_seen(operand<T> const& a, T const* p, T const* b, index_t b_row, index_t depth, T* c,
                             index_t c_row, index_t rows, index_t columns) {
  for (index_t i = 0; i < rows; ++i)
    for (index_t k = 0; k < depth; ++k) {
      index_t const at = i * a.row + k * a.column;
      if (p[at] == 0) continue;
      for (index_t j = 0; j < columns; ++j) c[i * c_row + j] += a.p[at] * b[k * b_row + j];
    }
}
// A block of scores: its first row and place, and how many of each there are.
struct block {
  index_t row, place, rows, places;
};
// The bias is added, and of `used` numbers of a row what is hidden or not there gets minus infinity; rows are `columns`
// numbers apart.
template <bool Causal, class T, class Bias>
RICCI_INLINE void finish_scores(T* s, block const& at, index_t columns, index_t used, Bias const& bias) {
  constexpr T hidden = -std::numeric_limits<T>::infinity();
  if constexpr (!std::is_same_v<Bias, no_bias>)
    for (index_t i = 0; i < at.rows; ++i) {
      T* to = s + i * columns;
      index_t const step = bias.stride[1];
      T const* from = bias.p + (at.row + i) * bias.stride[0] + at.place * step;
      if (step == 1)
        for (index_t j = 0; j < at.places; ++j) to[j] = from[j] == hidden ? hidden : to[j] + from[j];
      else
        for (index_t j = 0; j < at.places; ++j) to[j] = from[j * step] == hidden ? hidden : to[j] + from[j * step];
    }
  bool const ends = at.places < used;
  if (!ends && !(Causal && at.place + at.places > at.row + 1)) return;
  for (index_t i = 0; i < block_rows; ++i) {
    index_t const seen = Causal ? at.row + i + 1 - at.place : used;
    for (index_t j = smaller_of(seen > 0 ? seen : 0, at.places); j < used; ++j) s[i * columns + j] = hidden;
  }
}
// exp of what is 0 or less; a NaN stays. Of floats cheaper than the function of all numbers: that ln 2 is one number
// here costs n 2^-24 of a result 2^-n, which is added to some that are 1.
template <class T>
RICCI_INLINE simd::pack<T> exp_of_negative(simd::pack<T> x) {
  using P = simd::pack<T>;
  if constexpr (sizeof(T) == 4) {
    x = P(xsimd::max(P(-110.f).v, x.v));
    P const whole(12582912.f);  // so large that it leaves no fraction
    P const n = simd::fma(x, P(1.44269504f), whole) - whole;
    P const r = simd::fma(n, P(-0.693147181f), x);
    return simd::scale(simd::polynomial(r, 1.f, 1.f, 0.5000000027100f, 0.1666657664646f, 0.0416663740982f,
                                        0.0083632350819f, 0.0013941216587f),
                       n);
  } else {
    simd::exponent_parts<T> const of(P(xsimd::max(P(-760.).v, x.v)));
    return simd::scaled_exp(of.r, of.n);
  }
}
// join(lanes of a row) for as many rows as there are lanes, of packs one behind the other
template <class T, class F>
RICCI_INLINE simd::pack<T> of_rows(T const* lanes, F const& join) {
  using P = simd::pack<T>;
  constexpr index_t size = P::size;
  alignas(64) T turned[size * size];
  if constexpr (exec::square_of<T> == size) {
    exec::transpose_square(lanes, size, turned, size);
  } else {
    for (index_t i = 0; i < size; ++i)
      for (index_t j = 0; j < size; ++j) turned[j * size + i] = lanes[i * size + j];
  }
  P all = P::load(turned);
  for (index_t j = 1; j < size; ++j) all = join(all, P::load(turned + j * size));
  return all;
}

// Parts of a workspace, each on a line of the cache.
template <class T>
struct parts_of_memory {
  T* p;
  index_t used = 0;
  T* take(index_t n) {
    T* const part = p == nullptr ? nullptr : p + used;
    used += rounded_up(n, 64 / index_t(sizeof(T)));
    return part;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::attentions
RICCI_OPTIMIZED_END
#endif
