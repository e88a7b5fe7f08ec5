// A row times a matrix, the product that reads every element of the matrix once: what counts is that memory is read in
// order and that no sum waits for the one before. A matrix times a column is planned as one, too (transform/plan).
#pragma once

#include <ricci/exec/cpu/dots.hpp>
#include <ricci/exec/cpu/parallel.hpp>
#include <ricci/exec/cpu/product.hpp>
#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t longest_strip = RICCI_SMALL_STACK ? strip_columns : 1024;  // of a single row

#if RICCI_HAS_XSIMD

// `Packs` packs of columns of c; b has dense rows. 8 / Packs partial sums, each of every (8 / Packs)-th row.
template <int Packs, class T>
RICCI_INLINE void add_rows(T const* a, index_t a_step, T const* b, index_t b_row, index_t depth, T* c) {
  using P = simd::pack<T>;
  constexpr int splits = 8 / Packs;
  P acc[splits][Packs];
  RICCI_UNROLL(8)
  for (int s = 0; s < splits; ++s) RICCI_UNROLL(8)
  for (int j = 0; j < Packs; ++j) acc[s][j] = P(T(0));
  auto const add = [&](int s) RICCI_INLINE_LAMBDA {
    P const x(*a);
    RICCI_UNROLL(8)
    for (int j = 0; j < Packs; ++j) acc[s][j] = simd::fma(x, P::load(b + j * P::size), acc[s][j]);
    a += a_step;
    b += b_row;
  };
  index_t k = 0;
  for (; k + splits <= depth; k += splits) {
    RICCI_UNROLL(8)
    for (int s = 0; s < splits; ++s) add(s);
  }
  for (; k < depth; ++k) add(0);
  RICCI_UNROLL(8)
  for (int half = splits / 2; half > 0; half /= 2) RICCI_UNROLL(8)
  for (int s = 0; s < half; ++s) RICCI_UNROLL(8)
  for (int j = 0; j < Packs; ++j) acc[s][j] = acc[s][j] + acc[s + half][j];
  RICCI_UNROLL(8)
  for (int j = 0; j < Packs; ++j) acc[0][j].store(c + j * P::size);
}
// The same for fewer columns than a pack has. Where their loads are loops, the sums are not what is waited for.
template <class T>
RICCI_NOINLINE void add_short_rows(T const* a, index_t a_step, T const* b, index_t b_row, index_t n, index_t depth,
                                   T* c) {
  using P = simd::pack<T>;
  constexpr int splits = simd::loads_parts ? 4 : 1;
  P acc[splits];
  RICCI_UNROLL(4)
  for (int s = 0; s < splits; ++s) acc[s] = P(T(0));
  auto const add = [&](int s) RICCI_INLINE_LAMBDA {
    acc[s] = simd::fma(P(*a), simd::load_first(b, n), acc[s]);
    a += a_step;
    b += b_row;
  };
  index_t k = 0;
  for (; k + splits <= depth; k += splits) RICCI_UNROLL(4)
  for (int s = 0; s < splits; ++s) add(s);
  if constexpr (splits > 1) {
    for (; k < depth; ++k) add(0);
    acc[0] = (acc[0] + acc[1]) + (acc[2] + acc[3]);
  }
  simd::store_first(acc[0], c, n);
}
// At most 8 packs of columns; where packs do not divide them, the last one is computed together with columns that are
// there already.
template <class T>
RICCI_NOINLINE void add_narrow_rows(T const* a, index_t a_step, T const* b, index_t b_row, index_t n, index_t depth,
                                    T* c) {
  constexpr int size = simd::pack<T>::size;
  if (n < size) return add_short_rows(a, a_step, b, b_row, n, depth, c);
  if (n == 8 * size) return add_rows<8>(a, a_step, b, b_row, depth, c);
  index_t j = 0;
  if (j + 4 * size <= n) add_rows<4>(a, a_step, b + j, b_row, depth, c + j), j += 4 * size;
  if (j + 2 * size <= n) add_rows<2>(a, a_step, b + j, b_row, depth, c + j), j += 2 * size;
  for (; j < n; j += size) {
    index_t const at = j + size <= n ? j : n - size;
    add_rows<1>(a, a_step, b + at, b_row, depth, c + at);
  }
}

// c += a b, over whole packs: Rows rows of b at a time, so that long ones are read from end to end.
template <int Rows, class T>
RICCI_INLINE void stream_rows(T const* a, index_t a_step, T const* b, index_t b_row, index_t n, T* c) {
  using P = simd::pack<T>;
  P x[Rows];
  RICCI_UNROLL(8)
  for (int r = 0; r < Rows; ++r) x[r] = P(a[r * a_step]);
  for (index_t j = 0; j < n; j += P::size) {
    P acc = P::load(c + j);
    RICCI_UNROLL(8)
    for (int r = 0; r < Rows; ++r) acc = simd::fma(x[r], P::load(b + r * b_row + j), acc);
    acc.store(c + j);
  }
}
template <class T>
RICCI_NOINLINE void add_long_rows(T const* a, index_t a_step, T const* b, index_t b_row, index_t n, index_t depth,
                                  T* c) {
  constexpr int size = simd::pack<T>::size;
  index_t const whole = n / size * size;
  for (index_t j = 0; j < whole; ++j) c[j] = T(0);
  index_t k = 0;
  for (; k + 8 <= depth; k += 8) stream_rows<8>(a + k * a_step, a_step, b + k * b_row, b_row, whole, c);
  for (; k + 2 <= depth; k += 2) stream_rows<2>(a + k * a_step, a_step, b + k * b_row, b_row, whole, c);
  if (k < depth) stream_rows<1>(a + k * a_step, a_step, b + k * b_row, b_row, whole, c);
  if (whole < n) add_short_rows(a, a_step, b + whole, b_row, n - whole, depth, c + whole);
}

// Columns [from, from + n) of the row a times B, into c.
template <class T>
RICCI_NOINLINE void multiply_part_of_row(product_t<T> const& g, matrix_ref<T> const& a, index_t from, index_t n, T* c) {
  T const* b = g.b.p + from * g.b.column;
  if (g.b.column == 1 && g.n <= 8 * simd::pack<T>::size) {
    add_narrow_rows(a.p, a.column, b, g.b.row, n, g.k, c);
  } else if (g.b.column == 1) {
    add_long_rows(a.p, a.column, b, g.b.row, n, g.k, c);
  } else if (g.b.row == 1) {
    multiply_rows_by_dots<1, 2, T>({a.p, 0}, {b, g.b.column}, n, g.k, {c, 0, 1});
  } else {
    multiply_elements_of_row(g, a, from, n, c);
  }
}

// The row, in strips that several threads can share. The last of a strip's dot products are summed in another way than
// the others, so strips of these are as wide for one thread as for several.
template <class T>
RICCI_NOINLINE void multiply_strips_of_row(product_t<T> const& g, matrix_ref<T> const& a, index_t width) {
  auto const part = [&](index_t strip) {
    index_t const from = strip * width, n = g.n - from < width ? g.n - from : width;
    alignas(64) T buffer[longest_strip];
    rows_of_c<T> const c = g.place(0, from, buffer, longest_strip);
    multiply_part_of_row(g, a, from, n, c.p);
    g.finished(c, 0, from, 1, n);
  };
  parallel_for(g.threads_for(g.n * g.k), (g.n + width - 1) / width, part);
}
template <class T>
RICCI_NOINLINE void multiply_packed_row(product_t<T> const& g, index_t width) {
  index_t const bytes = g.k * index_t(sizeof(T));
  scratch<most_packed_on_stack> memory(bytes, std::nothrow);
  if (!memory.is_there()) [[unlikely]]
    return multiply_elements(g);
  auto* dense = reinterpret_cast<T*>(memory.data());
  for (index_t k = 0; k < g.k; ++k) dense[k] = g.a.p[k * g.a.column];
  multiply_strips_of_row(g, {dense, 0, 1}, width);
}
// Small ones are a call away; the rest is apart, with its memory on the stack.
template <class T>
void multiply_one_row(product_t<T> const& g) {
  bool const dots = g.b.row == 1 && g.b.column != 1, shared = !is_alone(g.threads_for(g.n * g.k));
  index_t const width = shared || dots ? strip_columns : longest_strip;
  if (dots && g.a.column != 1) return multiply_packed_row(g, width);
  if (g.to && g.n <= width) return multiply_part_of_row(g, g.a, 0, g.n, g.to);
  multiply_strips_of_row(g, g.a, width);
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
