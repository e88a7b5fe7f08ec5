// Kernels that only copy, over rows of few elements: each row by itself would cost more than what is in it, so that
// many go together, element by element or, where rows lie one behind the other, all of them as one stretch.
#pragma once

#include <ricci/exec/cpu/map.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The bytes of an element where all that a kernel does is to store operand 0 as operand 1; 0 elsewhere.
template <class Code>
inline constexpr int copied_size = 0;
template <int R, dtype T, access From, access To>
inline constexpr int copied_size<kernel::code<2, 0, kernel::before<>, kernel::body<kernel::load<R, T, 0, From>>,
                                              kernel::sinks<kernel::store<R, 1, T, To>>>> = size_of(T);
template <int R, dtype T, access From, access To>
inline constexpr int copied_size<kernel::code<2, 0, kernel::before<kernel::load<R, T, 0, From>>, kernel::body<>,
                                              kernel::sinks<kernel::store<R, 1, T, To>>>> = size_of(T);

// Up to so many elements are a short row of one element again and again, and of elements that do not lie side by side.
inline constexpr index_t short_copy = 4, short_strided_copy = 16, fewest_copies = 8;

// Rows of N elements, one behind the other; element k of all of them, too, `apart` elements from those before.
template <int N, class T>
RICCI_VECTORISED void interleave(T* __restrict to, T const* from, index_t apart, index_t rows) {
  for (index_t i = 0; i < rows; ++i) RICCI_UNROLL(4)
  for (int k = 0; k < N; ++k) to[i * N + k] = from[k * apart + i];
}
// Strides from row to row, and from element to element, in elements.
template <class T>
RICCI_NOINLINE void copy_short_rows(T* to, T const* from, index_t rows, index_t n, index_t to_down, index_t from_down,
                                    index_t along) {
  if (to_down == n && from_down == 1) {
    if (n == 2) return interleave<2>(to, from, along, rows);
    if (n == 3) return interleave<3>(to, from, along, rows);
    if (n == 4) return interleave<4>(to, from, along, rows);
  }
  constexpr index_t at_once = 64;  // which stay in the first-level cache
  for (index_t first = 0; first < rows; first += at_once) {
    index_t const some = rows - first < at_once ? rows - first : at_once;
    for (index_t k = 0; k < n; ++k) {
      T* const y = to + first * to_down + k;
      T const* const x = from + first * from_down + k * along;
      for (index_t i = 0; i < some; ++i) y[i * to_down] = x[i * from_down];
    }
  }
}

template <int Size, bool Tiled>
void run_copy(kernel_info const& kernel, geometry& g) {
  using T = typename core::word_of<Size>::type;
  int const inner = g.loops - 1;
  index_t const n = inner > 0 ? g.extent[inner] : 0;
  index_t const along = n > 0 ? g.stride[inner][0] : 0;
  // what lies side by side already is moved by registers
  index_t const most = along == Size ? 0 : along == 0 ? short_copy : short_strided_copy;
  auto const is_run = [&](int loop) { return loop >= 0 && g.extent[loop] >= fewest_copies; };
  if (!runs_of_rows || n < 1 || n > most || !(is_run(inner - 1) || is_run(inner - 2)) || g.stride[inner][1] != Size)
    return run_map<Tiled>(kernel, g);
  index_t const rows = product_of(g, 0, inner);
  auto const part = [&](index_t from, index_t to) {
    for_rows<true>(g, g.p, 0, inner, from, to, [&](char* const* p, index_t some, index_t const* down) {
      copy_short_rows<T>(reinterpret_cast<T*>(p[1]), reinterpret_cast<T const*>(p[0]), some, n, down[1] / Size,
                         down[0] / Size, along / Size);
    });
  };
  if (is_alone(g.threads, rows * n)) return part(0, rows);
  parallel_parts(g.threads, rows, part);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
