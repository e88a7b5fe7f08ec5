// Products of complex matrices. A row of B is read as it lies, real and imaginary parts in turn: one register adds up
// what the real parts of a row of A make of it, another what the imaginary parts make, and at the end the second one is
// multiplied by i and added. So there are four real multiplications for each complex one, all of them FMAs, and nothing
// is shuffled in the loop.
#pragma once

#include <ricci/exec/cpu/dots.hpp>
#include <ricci/exec/cpu/kept_scratch.hpp>
#include <ricci/exec/cpu/parallel.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD

inline constexpr int complex_rows = micro_rows / 2;  // of a tile, as many registers as one of real numbers has
inline constexpr index_t complex_strip = strip_columns / 2, complex_depth = block_depth / 2;

// x + i y, of complex numbers whose parts lie in turn
template <class F>
RICCI_INLINE simd::pack<F> plus_i_times(simd::pack<F> x, simd::pack<F> y) {
  using P = simd::pack<F>;
#if defined(__GNUC__) || defined(__clang__)
  return [&]<int... L>(std::integer_sequence<int, L...> lanes) RICCI_INLINE_LAMBDA {
    typename P::memory const signs = {F(L % 2 == 0 ? -1 : 1)...};
    typename P::register_type const v = y.v;
    return simd::fma(P(simd::lane_swapped<1>(v, lanes)), P((typename P::register_type)signs), x);
  }
  (std::make_integer_sequence<int, P::size>{});
#else
  alignas(64) F a[P::size], b[P::size];
  x.store(a), y.store(b);
  for (int l = 0; l < P::size; l += 2) a[l] -= b[l + 1], a[l + 1] += b[l];
  return P::load(a);
#endif
}

// A tile of C (+)= A B, of `rows` rows, which are at most Rows: those that are missing repeat the last one. Strides and
// `columns` count real numbers, of which two are a complex one. There are at most a pack of columns, loaded and stored
// in part; or any number, more than a pack behind whole tiles, of which the last pack begins within the one before.
template <int Rows, int Packs, class F>
RICCI_NOINLINE void multiply_complex_tiles(matrix_ref<F> const& a, index_t rows, matrix_ref<F> const& b, index_t panel,
                                           index_t depth, F* c, index_t c_row, index_t columns, bool add) {
  using P = simd::pack<F>;
  constexpr index_t size = P::size, width = size * Packs;
  index_t const b_row = b.row, a_column = a.column;
  index_t of_a[Rows], of_c[Rows];
  RICCI_UNROLL(4)
  for (index_t r = 0; r < Rows; ++r)
    of_a[r] = (r < rows ? r : rows - 1) * a.row, of_c[r] = (r < rows ? r : rows - 1) * c_row;
  for (F const* rows_of_b = b.p; columns > 0; rows_of_b += panel, c += width, columns -= width) {
    bool const is_part = Packs == 1 && columns < size;
    index_t const last = Packs > 1 && columns < width ? columns - size : width - size;
    auto const load = [&](F const* p, int j) RICCI_INLINE_LAMBDA {
      return is_part ? simd::load_first(p, columns) : P::load(p + (j == Packs - 1 ? last : j * size));
    };
    P acc[Rows][2][Packs];  // what real parts make, and imaginary ones
    RICCI_UNROLL(4)
    for (int r = 0; r < Rows; ++r) RICCI_UNROLL(4)
    for (int j = 0; j < Packs; ++j) acc[r][0][j] = add ? load(c + of_c[r], j) : P(F(0)), acc[r][1][j] = P(F(0));
    F const *x = a.p, *y = rows_of_b;
    RICCI_UNROLL(1)
    for (index_t k = 0; k < depth; ++k) {
      P row_of_b[Packs];
      RICCI_UNROLL(4)
      for (int j = 0; j < Packs; ++j) row_of_b[j] = load(y, j);
      RICCI_UNROLL(4)
      for (int r = 0; r < Rows; ++r) RICCI_UNROLL(2)
      for (int part = 0; part < 2; ++part) {
        P const number(x[of_a[r] + part]);
        RICCI_UNROLL(4)
        for (int j = 0; j < Packs; ++j) acc[r][part][j] = simd::fma(number, row_of_b[j], acc[r][part][j]);
      }
      x += a_column;
      y += b_row;
    }
    RICCI_UNROLL(4)
    for (int r = 0; r < Rows; ++r) RICCI_UNROLL(4)
    for (int j = 0; j < Packs; ++j) {
      P const sum = plus_i_times(acc[r][0][j], acc[r][1][j]);
      F* const to = c + of_c[r];
      if (is_part)
        simd::store_first(sum, to, columns);
      else
        sum.store(to + (j == Packs - 1 ? last : j * size));
    }
  }
}

// A product in strips of columns of C, each of them in tiles.
template <class F>
struct complex_strips {
  using C = std::complex<F>;
  static constexpr index_t size = simd::pack<F>::size, width = size / 2 * micro_packs;  // complex numbers in a panel
  product_t<C> const& g;

  RICCI_INLINE static F const* parts(C const* p) { return reinterpret_cast<F const*>(p); }
  RICCI_INLINE static F* parts(C* p) { return reinterpret_cast<F*>(p); }

  // Columns of B, in panels; the rows of the last one have the columns that are left.
  RICCI_NOINLINE void pack(index_t column, index_t columns, C* to) const {
    constexpr index_t together = 16;
    for (index_t first = 0; first < columns; first += width) {
      index_t const n = columns - first < width ? columns - first : width;
      C const* const from = g.b.p + (column + first) * g.b.column;
      C* const packed = to + first * g.k;
      if (g.b.column == 1) {
        for (index_t k = 0; k < g.k; ++k)
          for (index_t j = 0; j < n; ++j) packed[k * n + j] = from[k * g.b.row + j];
        continue;
      }
      for (index_t k0 = 0; k0 < g.k; k0 += together)
        for (index_t j = 0; j < n; ++j)
          for (index_t k = k0; k < g.k && k < k0 + together; ++k)
            packed[k * n + j] = from[k * g.b.row + j * g.b.column];
    }
  }
  // The rows of a tile, of which each is a column behind the other where A is read often and has no dense rows.
  RICCI_INLINE matrix_ref<F> tile_of_a(index_t row, index_t rows, index_t k, index_t depth, C* copied) const {
    C const* const from = g.a.p + row * g.a.row + k * g.a.column;
    if (g.a.column == 1 || RICCI_SMALL_STACK || g.n <= width) return {parts(from), 2 * g.a.row, 2 * g.a.column};
    for (index_t c = 0; c < depth; ++c)
      for (index_t r = 0; r < rows; ++r) copied[c * complex_rows + r] = from[c * g.a.column + r * g.a.row];
    return {parts(copied), 2, 2 * complex_rows};
  }
  template <int Rows>
  RICCI_INLINE void multiply_rows(matrix_ref<F> b, index_t panel, matrix_ref<F> last, index_t column, index_t n,
                                  index_t row, index_t rows, C* copied, C* buffer) const {
    index_t const left = n % width, whole = n - left;
    // a single row takes two panels at a time where they lie side by side, lest its sums wait for each other
    index_t const wide = Rows == 1 && panel == 2 * width ? whole - whole % (2 * width) : 0;
    rows_of_c<C> const c = g.place(row, column, buffer, complex_strip);
    for (index_t k = 0; k == 0 || k < g.k; k += complex_depth) {  // at least once: a sum of nothing is 0
      index_t const depth = g.k - k < complex_depth ? g.k - k : complex_depth;
      matrix_ref<F> const a = tile_of_a(row, rows, k, depth, copied);
      F const* const of_b = b.p + k * b.row;
      if constexpr (Rows == 1)
        multiply_complex_tiles<1, 2 * micro_packs>(a, 1, {of_b, b.row, 1}, 2 * panel, depth, parts(c.p), 0, 2 * wide,
                                                   k > 0);
      multiply_complex_tiles<Rows, micro_packs>(a, rows, {of_b + 2 * wide, b.row, 1}, panel, depth, parts(c.p + wide),
                                                2 * c.row, 2 * (whole - wide), k > 0);
      if (left > 0)
        (2 * left > size ? &multiply_complex_tiles<Rows, micro_packs, F>
                         : &multiply_complex_tiles<Rows, 1, F>)(a, rows, {last.p + k * last.row, last.row, 1}, 0, depth,
                                                                parts(c.p + whole), 2 * c.row, 2 * left, k > 0);
    }
    g.finished(c, row, column, rows, n);
  }
  // A strip of C, whose B is there: that of whole panels, and that of the columns that are left.
  RICCI_NOINLINE void multiply_strip(matrix_ref<F> b, index_t panel, matrix_ref<F> last, index_t column,
                                     index_t n) const {
    auto const part = [&](index_t from, index_t to) {
      alignas(64) F copied[RICCI_SMALL_STACK ? 2 : 2 * complex_rows * complex_depth];
      alignas(64) F buffer[2 * complex_rows * complex_strip];
      for (index_t row = from; row < to; row += complex_rows) {
        index_t const rows = to - row < complex_rows ? to - row : complex_rows;
        auto* const c = reinterpret_cast<C*>(buffer);
        auto* const a = reinterpret_cast<C*>(copied);
        if (rows == 1)
          multiply_rows<1>(b, panel, last, column, n, row, rows, a, c);
        else
          multiply_rows<complex_rows>(b, panel, last, column, n, row, rows, a, c);
      }
    };
    parallel_parts(g.threads_for(g.m * n * g.k), g.m, part, complex_rows);
  }
  void multiply() const {
    constexpr index_t bytes = sizeof(C);
    index_t const most = columns_in_l2(complex_strip, width, g.k * bytes);
    // to pack B pays by the number of rows
    bool const in_place = g.b.column == 1 && (g.m <= 4 * complex_rows ||
                                              g.k * g.n * bytes <= (g.m > 48 ? most_in_place : 4 * most_in_place));
    index_t const widest = g.n < most ? g.n : most;
    kept_scratch<most_packed_on_stack> memory(in_place ? 0 : g.k * widest * bytes);
    if (!memory.is_there()) [[unlikely]]
      return multiply_elements(g);
    auto* const packed = reinterpret_cast<C*>(memory.data());
    for (index_t j = 0; j < g.n; j += most) {
      index_t const n = g.n - j < most ? g.n - j : most, whole = n / width * width, left = n - whole;
      if (in_place) {
        F const* const b = parts(g.b.p + j);
        multiply_strip({b, 2 * g.b.row, 1}, 2 * width, {b + 2 * whole, 2 * g.b.row, 1}, j, n);
      } else {
        pack(j, n, packed);
        multiply_strip({parts(packed), 2 * width, 1}, 2 * width * g.k, {parts(packed + whole * g.k), 2 * left, 1}, j,
                       n);
      }
    }
  }
};

// A row of A times columns of B that are dense, four of them at a time. As above: the sums of products with the row,
// and of those with its real and imaginary parts exchanged.
template <class F>
RICCI_INLINE void complex_dots(F const* x, F const* const (&y)[4], index_t n, std::complex<F> (&sums)[4]) {
  using P = simd::pack<F>;
  P acc[2][4];
  RICCI_UNROLL(4)
  for (int j = 0; j < 4; ++j) acc[0][j] = P(F(0)), acc[1][j] = P(F(0));
  auto const add = [&](index_t k, auto const& load) RICCI_INLINE_LAMBDA {
    P const straight = load(x + k), exchanged = plus_i_times(P(F(0)), straight);  // (-im, re)
    RICCI_UNROLL(4)
    for (int j = 0; j < 4; ++j) {
      P const of_b = load(y[j] + k);
      acc[0][j] = simd::fma(straight, of_b, acc[0][j]);
      acc[1][j] = simd::fma(exchanged, of_b, acc[1][j]);
    }
  };
  index_t k = 0;
  for (; k + P::size <= n; k += P::size) add(k, [](F const* p) RICCI_INLINE_LAMBDA { return P::load(p); });
  if (k < n) add(k, [&](F const* p) RICCI_INLINE_LAMBDA { return simd::load_first(p, n - k); });
  // straight: re re, im im; exchanged: -im re, re im
  F re[4], im[4];
  P const signs = plus_i_times(P(F(0)), P(F(1)));  // -1, 1
  RICCI_UNROLL(4)
  for (int j = 0; j < 4; ++j) acc[0][j] = P(F(0)) - acc[0][j] * signs, acc[1][j] = acc[1][j] * signs;
  sums_of_lanes(acc[0], re), sums_of_lanes(acc[1], im);
  RICCI_UNROLL(4)
  for (int j = 0; j < 4; ++j) sums[j] = {re[j], im[j]};
}
template <class F>
RICCI_NOINLINE void multiply_rows_by_complex_dots(product_t<std::complex<F>> const& g) {
  using C = std::complex<F>;
  auto const part = [&](index_t from, index_t to) {
    alignas(64) F buffer[2 * complex_strip];
    for (index_t i = 0; i < g.m; ++i)
      for (index_t j0 = from; j0 < to; j0 += complex_strip) {
        index_t const n = to - j0 < complex_strip ? to - j0 : complex_strip;
        rows_of_c<C> const c = g.place(i, j0, reinterpret_cast<C*>(buffer), complex_strip);
        for (index_t j = 0; j < n; j += 4) {
          F const* y[4];
          C sums[4];
          for (index_t l = 0; l < 4; ++l)
            y[l] = reinterpret_cast<F const*>(g.b.p + (j0 + (j + l < n ? j + l : n - 1)) * g.b.column);
          complex_dots(reinterpret_cast<F const*>(g.a.p + i * g.a.row), y, 2 * g.k, sums);
          for (index_t l = 0; l < 4 && j + l < n; ++l) c.p[j + l] = sums[l];
        }
        g.finished(c, i, j0, 1, n);
      }
  };
  parallel_parts(g.threads_for(g.n * g.k), g.n, part, complex_strip);
}

template <class F>
void multiply_complex(product_t<std::complex<F>> const& g) {
  if (g.m < complex_rows && g.b.row == 1 && g.b.column != 1 && g.a.column == 1) return multiply_rows_by_complex_dots(g);
  complex_strips<F>{g}.multiply();
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
