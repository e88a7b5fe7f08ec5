// Steps that are no fused loops: take, scatter, tables.
#pragma once

#include <ricci/core/scalar.hpp>
#include <ricci/exec/cpu/map.hpp>
#include <ricci/exec/row_index.hpp>
#include <ricci/exec/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Extents of take and scatter: outer, rows, inner, and how many rows there are to choose from. The indices have been
// checked when they run.
template <class Op, bool Own, int Slot>
void check_indices(geometry const& g) {
  check_rows(reinterpret_cast<std::int64_t const*>(g.p[Slot]), Own ? g.extent[0] * g.extent[1] : g.extent[1],
             g.extent[3], Op::name);
}
inline constexpr index_t long_row = 16;  // from here on a call is the better loop
// Rows of one element each: y[r] = x[of[r]].
template <class T>
RICCI_VECTORISED void take_elements(T* __restrict y, T const* x, std::int64_t const* of, index_t n, index_t choices) {
  for (index_t r = 0; r < n; ++r) y[r] = x[of[r] + (of[r] >> 63 & choices)];
}
// The same of several rows of such elements at once, which share their indices; from one to the next, x moves by
// `choices` and y by `down`.
inline constexpr int rows_taken_together = RICCI_SMALL_STACK ? 1 : 4;
template <class T>
RICCI_NOT_VECTORISED void take_elements_together(T* __restrict y, T const* x, std::int64_t const* of, index_t n,
                                                 index_t choices, index_t down) {
  RICCI_NUMBER_BY_NUMBER
  for (index_t r = 0; r < n; ++r) {
    T const* from = x + (of[r] + (of[r] >> 63 & choices));
    T* to = y + r;
    RICCI_UNROLL(4)
    for (int k = 0; k < rows_taken_together; ++k) to[k * down] = from[k * choices];
  }
}
// `outer` times `rows` rows of `inner` elements each, of the `choices` that x has each time.
template <class T, bool Own>
void take_rows(T* y, T const* x, std::int64_t const* indices, index_t outer, index_t rows, index_t inner,
               index_t choices, int threads) {
  constexpr int together = Own ? 1 : rows_taken_together;
  auto const part = [&](index_t o, index_t from, index_t to, [[maybe_unused]] bool several) {
    std::int64_t const* const of = indices + (Own ? o * rows : 0);
    if constexpr (together > 1)
      if (several)
        return take_elements_together(y + o * rows + from, x + o * choices, of + from, to - from, choices, rows);
    if (inner == 1) return take_elements(y + o * rows + from, x + o * choices, of + from, to - from, choices);
    for (index_t r = from; r < to; ++r) {
      T const* row_of_x = x + (o * choices + (of[r] < 0 ? of[r] + choices : of[r])) * inner;
      T* row_of_y = y + (o * rows + r) * inner;
      if (inner >= long_row)
        __builtin_memcpy(row_of_y, row_of_x, static_cast<std::size_t>(inner) * sizeof(T));
      else
        for (index_t k = 0; k < inner; ++k) row_of_y[k] = row_of_x[k];
    }
  };
  bool const alone = is_alone(threads, rows * inner);
  for (index_t o = 0, next = 0; o < outer; o = next) {
    bool const several = together > 1 && inner == 1 && o + together <= outer;
    next = o + (several ? together : 1);
    if (alone)
      part(o, 0, rows, several);
    else
      parallel_parts(threads, rows, [&](index_t from, index_t to) { part(o, from, to, several); });
  }
}
template <class T, bool Own>
void run_take(kernel_info const&, geometry& g) {
  take_rows<T, Own>(reinterpret_cast<T*>(g.p[2]), reinterpret_cast<T const*>(g.p[0]),
                    reinterpret_cast<std::int64_t const*>(g.p[1]), g.extent[0], g.extent[1], g.extent[2], g.extent[3],
                    g.threads);
}

template <class T, bool Add, bool Own>
void run_scatter(kernel_info const&, geometry& g) {
  index_t const outer = g.extent[0], rows = g.extent[1], inner = g.extent[2], choices = g.extent[3];
  auto* x = reinterpret_cast<T*>(g.p[0]);
  auto const* y = reinterpret_cast<T const*>(g.p[1]);
  auto const* indices = reinterpret_cast<std::int64_t const*>(g.p[2]);
  auto const write = [](T& to, T const& from) {
    if constexpr (Add)
      to = scalar::add(to, from);
    else
      to = from;
  };
  for (index_t o = 0; o < outer; ++o) {
    std::int64_t const* const of = indices + (Own ? o * rows : 0);
    T* const to = x + o * choices * inner;
    T const* from = y + o * rows * inner;
    if (inner == 1)
      for (index_t r = 0; r < rows; ++r) write(to[of[r] + (of[r] >> 63 & choices)], from[r]);
    else
      for (index_t r = 0; r < rows; ++r) {
        T* const row = to + (of[r] < 0 ? of[r] + choices : of[r]) * inner;
        for (index_t k = 0; k < inner; ++k) write(row[k], *from++);
      }
  }
}

template <class T>
void run_table(kernel_info const&, geometry& g) {
  write_table(reinterpret_cast<T*>(g.p[0]), g.table, g.extent[0]);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
