// Cumulative operations: the last loop is the axis along which one runs, the others are such runs beside one another.
// Several advance together, so that no operation waits for the one before it: a strip of those that lie side by side in
// memory, a few in registers of the machine where they lie apart.
#pragma once

#include <ricci/exec/cpu/map.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Strips are long, since memory is read fastest in order; shorter where several threads share them.
inline constexpr index_t scan_strip = RICCI_SMALL_STACK ? 32 : 1024, shared_scan_strip = RICCI_SMALL_STACK ? 32 : 128;
inline constexpr int scans_apart = 8;

// One kind of scan; the result is the last operand. Strides in bytes.
template <class Op, class T, class = std::make_integer_sequence<int, Op::arity>>
struct scans;
template <class Op, class T, int... K>
struct scans<Op, T, std::integer_sequence<int, K...>> {
  static constexpr int slots = sizeof...(K) + 1, result = sizeof...(K);
  index_t n;
  index_t along[slots], across[slots];

  RICCI_INLINE static void step(T& h, char* const* p, [[maybe_unused]] index_t const* at, index_t j) {
    T const next = Op::next(h, *reinterpret_cast<T const*>(p[K] + j * at[K])...);
    *reinterpret_cast<T*>(p[result] + j * at[result]) = Op::inclusive ? next : h;
    h = next;
  }
  // `f(p)` for the places of one element after another
  template <class F>
  RICCI_INLINE void for_each_element(char* const* from, F const& f) const {
    char* p[slots];
    index_t by[slots];
    for (int k = 0; k < slots; ++k) p[k] = from[k], by[k] = along[k];
    for (index_t i = 0; i < n; ++i) {
      f(p);
      for (int k = 0; k < slots; ++k) p[k] += by[k];
    }
  }
  // elements of `count` scans side by side are rows
  RICCI_NOINLINE void side_by_side(char* const* from, index_t count) const {
    static constexpr index_t dense[] = {K * 0 + index_t(sizeof(T))..., index_t(sizeof(T))};
    T h[scan_strip];
    for (index_t j = 0; j < count; ++j) h[j] = Op::template initial<T>;
    for_each_element(from, [&](char* const* p) RICCI_INLINE_LAMBDA {
      for (index_t j = 0; j < count; ++j) step(h[j], p, dense, j);
    });
  }
  template <int Count>
  RICCI_NOINLINE void apart(char* const* from) const {
    T h[Count];
    index_t at[slots];
    for (int k = 0; k < slots; ++k) at[k] = across[k];
    for (int j = 0; j < Count; ++j) h[j] = Op::template initial<T>;
    for_each_element(from, [&](char* const* p) RICCI_INLINE_LAMBDA {
      RICCI_UNROLL(8)
      for (int j = 0; j < Count; ++j) step(h[j], p, at, j);
    });
  }
  void run(char* const* p, index_t count) const {
    bool side = count > 1;
    for (index_t const a : across) side = side && a == sizeof(T);
    if (side) return side_by_side(p, count);
    for (index_t j = 0; j < count;) {
      char* at[slots];
      for (int k = 0; k < slots; ++k) at[k] = p[k] + j * across[k];
      if (count - j >= scans_apart) {
        apart<scans_apart>(at);
        j += scans_apart;
      } else {
        apart<1>(at);
        ++j;
      }
    }
  }
};

template <class Op, class T, bool Backwards>
void run_cumulative(kernel_info const&, geometry& g) {
  using all_scans = scans<Op, T>;
  int const axis = g.loops - 1, outer = g.kept > 0 ? g.kept - 1 : 0;
  index_t const n = g.extent[axis], width = g.kept > 0 ? g.extent[outer] : 1;
  bool const alone = is_alone(g.threads) || product_of(g, 0, g.loops) < parallel_threshold;
  index_t const strip = alone ? scan_strip : shared_scan_strip, strips = (width + strip - 1) / strip,
                all = product_of(g, 0, outer) * strips;
  if (n == 0 || all == 0) return;
  all_scans s{n, {}, {}};
  index_t start[all_scans::slots];
  for (int k = 0; k < all_scans::slots; ++k) {
    s.along[k] = Backwards ? -g.stride[axis][k] : g.stride[axis][k];
    s.across[k] = g.kept > 0 ? g.stride[outer][k] : 0;
    start[k] = Backwards ? (n - 1) * g.stride[axis][k] : 0;
  }
  auto const part = [&](index_t from, index_t to) {
    odometer at(g);
    at.seek(g, 0, outer, from / strips);
    for (; from < to; ++from) {
      index_t const first = from % strips * strip, left = width - first;
      char* p[all_scans::slots];
      for (int k = 0; k < all_scans::slots; ++k) p[k] = at.p[k] + start[k] + first * s.across[k];
      s.run(p, left < strip ? left : strip);
      if (from % strips == strips - 1) at.next(g, 0, outer);
    }
  };
  if (alone) return part(0, all);
  index_t const chunks = all < 4 * g.threads ? all : 4 * g.threads;
  parallel_for(g.threads, chunks, [&](index_t c) { part(all * c / chunks, all * (c + 1) / chunks); });
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
