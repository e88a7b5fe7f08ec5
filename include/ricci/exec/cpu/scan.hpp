// Exclusive scans: the last loop is the axis along which a scan runs, the others are scans beside one another. A strip
// of them advances together, so that memory is read as it lies and no operation waits for the one before it.
#pragma once

#include <ricci/exec/cpu/map.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t scan_strip = 32;

// `count` scans that lie `across` bytes apart in each operand; the result is the last operand.
template <class Op, class T, int... K>
RICCI_INLINE void scan_beside(std::integer_sequence<int, K...>, char** p, index_t const* along, index_t const* across,
                              index_t n, index_t count) {
  constexpr int result = sizeof...(K);
  T h[scan_strip];
  for (index_t j = 0; j < count; ++j) h[j] = Op::template initial<T>;
  for (index_t i = 0; i < n; ++i) {
    for (index_t j = 0; j < count; ++j) {
      T const next = Op::next(h[j], *reinterpret_cast<T const*>(p[K] + j * across[K])...);
      *reinterpret_cast<T*>(p[result] + j * across[result]) = h[j];
      h[j] = next;
    }
    for (int k = 0; k <= result; ++k) p[k] += along[k];
  }
}

template <class Op, class T, bool Backwards>
void run_scan(kernel_info const&, geometry& g) {
  constexpr int slots = Op::arity + 1;
  int const axis = g.loops - 1, outer = g.kept > 0 ? g.kept - 1 : 0;
  index_t const n = g.extent[axis], width = g.kept > 0 ? g.extent[outer] : 1;
  index_t const strips = (width + scan_strip - 1) / scan_strip, all = product_of(g, 0, outer) * strips;
  if (n == 0 || all == 0) return;
  index_t along[slots], across[slots], start[slots];
  for (int k = 0; k < slots; ++k) {
    along[k] = Backwards ? -g.stride[axis][k] : g.stride[axis][k];
    start[k] = Backwards ? (n - 1) * g.stride[axis][k] : 0;
    across[k] = g.kept > 0 ? g.stride[outer][k] : 0;
  }
  auto const part = [&](index_t from, index_t to) {
    odometer at(g);
    at.seek(g, 0, outer, from / strips);
    for (; from < to; ++from) {
      index_t const first = from % strips * scan_strip, left = width - first;
      char* p[slots];
      for (int k = 0; k < slots; ++k) p[k] = at.p[k] + start[k] + first * across[k];
      scan_beside<Op, T>(std::make_integer_sequence<int, Op::arity>{}, p, along, across, n,
                         left < scan_strip ? left : scan_strip);
      if (from % strips == strips - 1) at.next(g, 0, outer);
    }
  };
  if (is_alone(g.threads) || product_of(g, 0, g.loops) < parallel_threshold) return part(0, all);
  index_t const chunks = all < 4 * g.threads ? all : 4 * g.threads;
  parallel_for(g.threads, chunks, [&](index_t c) { part(all * c / chunks, all * (c + 1) / chunks); });
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
