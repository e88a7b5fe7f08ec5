// Products of integers with sums of 32 bits, which wrap. Factors may be narrower than that: bytes or numbers of 16 bits
// stay so while they are packed, and one instruction adds up the products of four bytes, or of two numbers, along k for
// each lane of 32 bits. So a group along k fills such a lane, in rows of A and columns of B alike: four bytes, two
// numbers or one.
#pragma once

#include <ricci/exec/cpu/kept_scratch.hpp>
#include <ricci/exec/cpu/microkernel.hpp>
#include <ricci/exec/cpu/parallel.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The product element by element, in plain loops: what is left to few rows and to compilers without vectors.
template <class A, class B, class T>
RICCI_NOINLINE void multiply_integers_plainly(product_t<T> const& g, matrix_ref<A> a, matrix_ref<B> b) {
  T buffer[strip_columns];
  for (index_t i = 0; i < g.m; ++i)
    for (index_t j0 = 0; j0 < g.n; j0 += strip_columns) {
      index_t const n = g.n - j0 < strip_columns ? g.n - j0 : strip_columns;
      rows_of_c<T> const c = g.place(i, j0, buffer, strip_columns);
      for (index_t j = 0; j < n; ++j) c.p[j] = T(0);
      for (index_t k = 0; k < g.k; ++k) {
        T const x = static_cast<T>(a.p[i * a.row + k * a.column]);
        B const* const y = b.p + k * b.row + j0 * b.column;
        for (index_t j = 0; j < n; ++j)
          c.p[j] = scalar::add(c.p[j], scalar::multiply(x, static_cast<T>(y[j * b.column])));
      }
      g.finished(c, i, j0, 1, n);
    }
}

#if RICCI_HAS_XSIMD && (defined(__GNUC__) || defined(__clang__))

#if defined(__AVX512F__)
inline constexpr int integer_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int integer_bytes = 32;
#else
inline constexpr int integer_bytes = 16;
#endif
typedef std::int32_t integers __attribute__((vector_size(integer_bytes)));

typedef std::uint32_t wrapping_integers __attribute__((vector_size(integer_bytes)));
RICCI_INLINE integers sum_of(integers a, integers b) { return (integers)((wrapping_integers)a + (wrapping_integers)b); }

// One number in a lane.
struct dot_of_one {
  using number = std::int32_t;
  static constexpr int group = 1, offset = 0;
  static constexpr bool is_there = true;
  RICCI_INLINE static integers add(integers sum, integers a, integers b) {
    return sum_of(sum, (integers)((wrapping_integers)a * (wrapping_integers)b));
  }
};
// Two numbers of 16 bits.
struct dot_of_pairs {
  using number = std::int16_t;
  static constexpr int group = 2, offset = 0;
#if defined(__AVX512BW__)
  static constexpr bool is_there = true;
  RICCI_INLINE static integers add(integers sum, integers a, integers b) {
    return sum_of(sum, integers(_mm512_madd_epi16((__m512i)a, (__m512i)b)));
  }
#elif defined(__AVX2__) && !defined(__AVX512F__)
  static constexpr bool is_there = true;
  RICCI_INLINE static integers add(integers sum, integers a, integers b) {
    return sum_of(sum, integers(_mm256_madd_epi16((__m256i)a, (__m256i)b)));
  }
#elif defined(__SSE2__) && !defined(__AVX512F__)
  static constexpr bool is_there = true;
  RICCI_INLINE static integers add(integers sum, integers a, integers b) {
    return sum_of(sum, integers(_mm_madd_epi16((__m128i)a, (__m128i)b)));
  }
#else
  static constexpr bool is_there = false;
  static integers add(integers, integers, integers);
#endif
};
// Four bytes, without a sign in A and with one in B. To bytes of A that have one an offset of 128 is added; what comes
// of that, 128 times the sums of columns of B, is subtracted.
struct dot_of_bytes {
  using number = std::int8_t;
  static constexpr int group = 4, offset = 128;
#if defined(__AVX512VNNI__)
  static constexpr bool is_there = true;
  RICCI_INLINE static integers add(integers sum, integers a, integers b) {
    return integers(_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b));
  }
#elif defined(__AVXVNNI__) && !defined(__AVX512F__)
  static constexpr bool is_there = true;
  RICCI_INLINE static integers add(integers sum, integers a, integers b) {
    return integers(_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)a, (__m256i)b));
  }
#else
  static constexpr bool is_there = false;
  static integers add(integers, integers, integers);
#endif
};

template <class A, class B>
constexpr auto dots_of_integers() {
  constexpr bool narrow =
      sizeof(A) + sizeof(B) <= 4 && !std::is_same_v<A, std::uint16_t> && !std::is_same_v<B, std::uint16_t>;
  if constexpr (dot_of_bytes::is_there && sizeof(A) == 1 && std::is_same_v<B, std::int8_t>)
    return dot_of_bytes{};
  else if constexpr (dot_of_pairs::is_there && narrow)
    return dot_of_pairs{};
  else
    return dot_of_one{};
}

// A product in strips of columns of C, each of them in tiles of `micro_rows` rows and a panel of B.
template <class A, class B, class T>
struct integer_strips {
  using dots = decltype(dots_of_integers<A, B>());
  using number = typename dots::number;
  static constexpr index_t group = dots::group, lanes = integer_bytes / 4, width = lanes * micro_packs;
  static constexpr index_t depth_groups = RICCI_SMALL_STACK ? 32 : 512;  // of a tile of A
  static constexpr bool has_offset = dots::offset != 0 && std::is_signed_v<A>;
  typedef std::int32_t lane __attribute__((may_alias));

  product_t<T> const& g;
  matrix_ref<A> a;
  matrix_ref<B> b;
  index_t groups;  // along k

  // Numbers along k of one row of A, or column of B, in groups, `to_step` numbers apart, with zeros behind them.
  template <class S>
  RICCI_INLINE static void pack_one(S const* from, index_t step, index_t depth, number* to, index_t to_step) {
    index_t k = 0;
    if (step == 1 && std::is_same_v<S, number>) {
      for (; k + group <= depth; k += group)
        __builtin_memcpy(to + k / group * to_step, from + k, sizeof(number) * group);
    } else {
      for (; k + group <= depth; k += group)
        for (index_t i = 0; i < group; ++i) to[k / group * to_step + i] = static_cast<number>(from[(k + i) * step]);
    }
    if (k < depth)
      for (index_t i = 0; i < group; ++i)
        to[k / group * to_step + i] = k + i < depth ? static_cast<number>(from[(k + i) * step]) : number(0);
  }
  // Rows of B that lie in rows, a group of them.
  RICCI_VECTORISED static void pack_rows(B const* from, index_t row, index_t n, number* __restrict to) {
    if constexpr (group == 1) {
      for (index_t j = 0; j < n; ++j) to[j] = static_cast<number>(from[j]);
    } else if constexpr (group == 2) {
      B const* const second = from + row;
      for (index_t j = 0; j < n; ++j)
        to[2 * j] = static_cast<number>(from[j]), to[2 * j + 1] = static_cast<number>(second[j]);
    } else {
      B const *const second = from + row, *const third = second + row, *const fourth = third + row;
      for (index_t j = 0; j < n; ++j)
        to[4 * j] = static_cast<number>(from[j]), to[4 * j + 1] = static_cast<number>(second[j]),
               to[4 * j + 2] = static_cast<number>(third[j]), to[4 * j + 3] = static_cast<number>(fourth[j]);
    }
  }
  // Columns of B, at most a panel of them, and behind it what their sums begin with.
  RICCI_NOINLINE void pack_panel(index_t column, index_t columns, number* to) const {
    B const* const from = b.p + column * b.column;
    index_t const whole = columns == width && b.column == 1 ? g.k / group : 0;
    for (index_t k = 0; k < whole; ++k) pack_rows(from + k * group * b.row, b.row, width, to + k * group * width);
    if (columns < width) __builtin_memset(to, 0, static_cast<std::size_t>(4 * groups * width));
    if (whole < groups)
      for (index_t j = 0; j < columns; ++j)
        pack_one(from + whole * group * b.row + j * b.column, b.row, g.k - whole * group,
                 to + (whole * width + j) * group, width * group);
    auto* const panel = reinterpret_cast<lane*>(to);
    integers const ones = integers{} + 0x01010101, factor = integers{} - dots::offset;
    for (int p = 0; p < micro_packs; ++p) {
      integers sum{};
      if constexpr (has_offset)
        for (index_t k = 0; k < groups; ++k) sum = dots::add(sum, ones, load(panel + k * width + p * lanes));
      store(dot_of_one::add(integers{}, sum, factor), panel + groups * width + p * lanes);
    }
  }
  RICCI_INLINE static integers load(lane const* p) {
    integers v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
  }
  RICCI_INLINE static void store(integers v, lane* p) { __builtin_memcpy(p, &v, sizeof v); }

  // Rows of A, groups [from, from + count) of them; those that are missing are zero. (Where bytes have
  // an offset, so have the zeros behind k; B's are zero there.)
  RICCI_NOINLINE void pack_tile(index_t row, index_t rows, index_t from, index_t count, number* to) const {
    index_t const depth = g.k - from * group < count * group ? g.k - from * group : count * group;
    if (rows < micro_rows) __builtin_memset(to, 0, static_cast<std::size_t>(4 * count * micro_rows));
    for (index_t r = 0; r < rows; ++r) {
      A const* const p = a.p + (row + r) * a.row + from * group * a.column;
      if constexpr (std::is_same_v<number, std::int8_t> && std::is_same_v<A, std::uint8_t>)
        pack_one(reinterpret_cast<std::int8_t const*>(p), a.column, depth, to + r * group, micro_rows * group);
      else
        pack_one(p, a.column, depth, to + r * group, micro_rows * group);
    }
    auto* const all = reinterpret_cast<lane*>(to);
    if constexpr (has_offset)
      for (index_t k = 0; k < count * micro_rows; ++k) all[k] = all[k] ^ std::int32_t(0x80808080u);
  }
  // A tile of C (+)= A B.
  template <int Rows>
  RICCI_NOINLINE static void multiply_tile(lane const* x, lane const* y, index_t count, lane const* first, T* c,
                                           index_t c_row, index_t rows, index_t columns, bool add) {
    integers acc[Rows][micro_packs];
    alignas(64) std::int32_t all[Rows * width];
    bool const is_part = rows < Rows || columns < width;
    if (add && is_part)
      for (index_t r = 0; r < rows; ++r)
        for (index_t j = 0; j < columns; ++j) all[r * width + j] = static_cast<std::int32_t>(c[r * c_row + j]);
    auto* const to = is_part ? static_cast<lane*>(all) : reinterpret_cast<lane*>(c);
    index_t const to_row = is_part ? width : c_row;
    RICCI_UNROLL(16)
    for (int r = 0; r < Rows; ++r) RICCI_UNROLL(16)
    for (int j = 0; j < micro_packs; ++j) acc[r][j] = load(add ? to + r * to_row + j * lanes : first + j * lanes);
    RICCI_UNROLL(1)
    for (index_t k = 0; k < count; ++k) {
      integers of_b[micro_packs];
      RICCI_UNROLL(16)
      for (int j = 0; j < micro_packs; ++j) of_b[j] = load(y + j * lanes);
      RICCI_UNROLL(16)
      for (int r = 0; r < Rows; ++r) {
        integers const of_a = integers{} + x[r];
        RICCI_UNROLL(16)
        for (int j = 0; j < micro_packs; ++j) acc[r][j] = dots::add(acc[r][j], of_a, of_b[j]);
      }
      x += micro_rows;
      y += width;
    }
    RICCI_UNROLL(16)
    for (int r = 0; r < Rows; ++r) RICCI_UNROLL(16)
    for (int j = 0; j < micro_packs; ++j) store(acc[r][j], to + r * to_row + j * lanes);
    if (is_part)
      for (index_t r = 0; r < rows; ++r)
        for (index_t j = 0; j < columns; ++j) c[r * c_row + j] = static_cast<T>(all[r * width + j]);
  }
  RICCI_NOINLINE void multiply_strip(number const* packed, index_t column, index_t n) const {
    auto const part = [&](index_t from, index_t to) {
      alignas(64) number tile[micro_rows * depth_groups * group];
      T buffer[micro_rows * strip_columns];
      index_t const panel = (groups + 1) * width;
      auto const* const panels = reinterpret_cast<lane const*>(packed);
      for (index_t row = from; row < to; row += micro_rows) {
        index_t const rows = to - row < micro_rows ? to - row : micro_rows;
        rows_of_c<T> const c = g.place(row, column, buffer, strip_columns);
        for (index_t k = 0; k == 0 || k < groups; k += depth_groups) {
          index_t const count = groups - k < depth_groups ? groups - k : depth_groups;
          pack_tile(row, rows, k, count, tile);
          for (index_t j = 0; j < n; j += width) {
            lane const* const y = panels + j / width * panel;
            (rows == 1 ? &multiply_tile<1> : &multiply_tile<micro_rows>)(reinterpret_cast<lane const*>(tile),
                                                                         y + k * width, count, y + groups * width,
                                                                         c.p + j, c.row, rows,
                                                                         n - j < width ? n - j : width, k > 0);
          }
        }
        g.finished(c, row, column, rows, n);
      }
    };
    parallel_parts(g.threads_for(g.m * n * g.k), g.m, part, micro_rows);
  }
  void multiply() const {
    index_t const most = columns_in_l2(strip_columns, width, 4 * groups), panel = (groups + 1) * width * group;
    index_t const panels = ((g.n < most ? g.n : most) + width - 1) / width;
    kept_scratch<most_packed_on_stack> space(panels * panel * index_t(sizeof(number)));
    if (!space.is_there()) [[unlikely]]
      return multiply_integers_plainly(g, a, b);
    auto* const packed = reinterpret_cast<number*>(space.data());
    for (index_t column = 0; column < g.n; column += most) {
      index_t const n = g.n - column < most ? g.n - column : most;
      parallel_parts(
          g.k * n < parallel_threshold ? 1 : g.threads, (n + width - 1) / width, [&](index_t from, index_t to) {
            for (index_t p = from; p < to; ++p)
              pack_panel(column + p * width, n - p * width < width ? n - p * width : width, packed + p * panel);
          });
      multiply_strip(packed, column, n);
    }
  }
};

#endif

// C = A B, where g has all of it but the factors.
template <class A, class B, class T>
void multiply_integers(product_t<T> const& g, matrix_ref<A> const& a, matrix_ref<B> const& b) {
#if RICCI_HAS_XSIMD && (defined(__GNUC__) || defined(__clang__))
  constexpr index_t group = decltype(dots_of_integers<A, B>())::group;
  if (g.m >= 4 && g.m * g.n * g.k >= 1024)
    return integer_strips<A, B, T>{g, a, b, (g.k + group - 1) / group}.multiply();
#endif
  multiply_integers_plainly(g, a, b);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
