// Folds on the CPU: the last loop is the axis along which one runs, the others are such runs beside one another.
// Several advance together, so that no operation waits for the one before it: a strip of those that lie side by side in
// memory, a few in registers of the machine where they lie apart, and stretches of one that is alone, if they can be
// joined.
#pragma once

#include <ricci/exec/cpu/call.hpp>
#include <ricci/exec/cpu/extremum_place.hpp>
#include <ricci/ops/fold.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Strips are long, since memory is read fastest in order; shorter where several threads share them.
inline constexpr index_t fold_strip = RICCI_SMALL_STACK ? 32 : 1024, shared_fold_strip = RICCI_SMALL_STACK ? 32 : 128;
inline constexpr int folds_apart = 8;
inline constexpr index_t shortest_stretch = 16;

template <class Op>
concept Fold = requires {
  { Op::gives } -> std::convertible_to<fold_gives>;
};

// One kind of fold; the result is the last operand. Strides in bytes.
template <class Op, class T, class = std::make_integer_sequence<int, Op::arity>>
struct folds;
template <class Op, class T, int... K>
struct folds<Op, T, std::integer_sequence<int, K...>> {
  static constexpr int slots = sizeof...(K) + 1, result = sizeof...(K);
  static constexpr bool is_scan = Op::gives != fold_gives::last;
  using state = decltype(Op::template start<T>());
  static_assert(sizeof(state) <= 64, "a fold's state is small: those of a strip lie on the stack");
  using R = calls::array_t<Op, T, result>;
  static constexpr index_t sizes[] = {index_t(sizeof(calls::array_t<Op, T, K>))..., index_t(sizeof(R))};
  index_t n;
  index_t along[slots], across[slots];

  RICCI_INLINE static void write(char* to, state const& h) {
    *reinterpret_cast<R*>(to) = static_cast<R>(Op::result(h));
  }
  RICCI_INLINE static void step(state& h, index_t i, char* const* p, [[maybe_unused]] index_t const* at, index_t j) {
    auto const next =
        static_cast<state>(Op::next(h, i, *reinterpret_cast<calls::array_t<Op, T, K> const*>(p[K] + j * at[K])...));
    if constexpr (is_scan) write(p[result] + j * at[result], Op::gives == fold_gives::after ? next : h);
    h = next;
  }
  // `f(p, i)` for the places of elements [0, end), one after another
  template <class F>
  RICCI_INLINE void for_each_element(char* const* from, index_t end, F const& f) const {
    char* p[slots];
    index_t by[slots];
    for (int k = 0; k < slots; ++k) p[k] = from[k], by[k] = along[k];
    for (index_t i = 0; i < end; ++i) {
      f(p, i);
      for (int k = 0; k < slots; ++k) p[k] += by[k];
    }
  }
  // elements of `count` folds side by side are rows
  RICCI_NOINLINE void side_by_side(char* const* from, index_t count) const {
    state h[fold_strip];
    for (index_t j = 0; j < count; ++j) h[j] = Op::template start<T>();
    for_each_element(from, n, [&](char* const* p, index_t i) RICCI_INLINE_LAMBDA {
      for (index_t j = 0; j < count; ++j) step(h[j], i, p, sizes, j);
    });
    if constexpr (!is_scan)
      for (index_t j = 0; j < count; ++j) write(from[result] + j * index_t(sizeof(R)), h[j]);
  }
  // `end` elements of Count folds, which are `across` apart; element i of fold j is counted as i + j * later
  template <int Count>
  RICCI_INLINE void advance(state* h, char* const* from, index_t const* across_, index_t end, index_t later) const {
    index_t at[slots];
    for (int k = 0; k < slots; ++k) at[k] = across_[k];
    for (int j = 0; j < Count; ++j) h[j] = Op::template start<T>();
    for_each_element(from, end, [&](char* const* p, index_t i) RICCI_INLINE_LAMBDA {
      RICCI_UNROLL(8)
      for (int j = 0; j < Count; ++j) step(h[j], i + j * later, p, at, j);
    });
  }
  template <int Count>
  RICCI_NOINLINE void apart(char* const* from) const {
    state h[Count];
    advance<Count>(h, from, across, n, 0);
    if constexpr (!is_scan)
      for (int j = 0; j < Count; ++j) write(from[result] + j * across[result], h[j]);
  }
  // one reduction in stretches
  RICCI_NOINLINE void in_stretches(char* const* from) const {
    index_t const length = n / folds_apart;
    index_t stretch[slots];
    for (int k = 0; k < slots; ++k) stretch[k] = length * along[k];
    state h[folds_apart];
    advance<folds_apart>(h, from, stretch, length, length);
    if constexpr (std::is_arithmetic_v<state>) {
      constexpr state start = Op::template start<T>();
      static_assert(Op::join(start, start) == start, "join(start, b) of a fold is b: each stretch begins with `start`");
    }
    for (int j = 1; j < folds_apart; ++j) h[0] = Op::join(h[0], h[j]);
    char* p[slots];
    for (int k = 0; k < slots; ++k) p[k] = from[k];
    for (index_t i = folds_apart * length; i < n; ++i) step(h[0], i, p, along, i);
    write(from[result], h[0]);
  }
  // by lanes, where a fold only asks for the place of an extremum and elements lie in the order of memory
  bool find_places(char* const* p, index_t count, bool side) const {
    using X = calls::array_t<Op, T, 0>;
    using V = ordered_as<X>;
    if (side) {
      if (n < 1 || n > most_places<V>) return false;
      places_side_by_side<Op, V, fold_strip>(p[0], along[0], n, count, reinterpret_cast<R*>(p[result]));
      return true;
    }
    if (along[0] != index_t(sizeof(X)) || n < 1) return false;
    if (n < shortest_in_lanes) {
      if (count < short_rows_at_once) return false;
      places_of_short_rows<Op>(reinterpret_cast<V const*>(p[0]), across[0] / index_t(sizeof(X)), n, count,
                               reinterpret_cast<R*>(p[result]), across[result] / index_t(sizeof(R)));
      return true;
    }
    for (index_t j = 0; j < count; ++j)
      *reinterpret_cast<R*>(p[result] + j * across[result]) =
          place_of_extremum<Op>(reinterpret_cast<V const*>(p[0] + j * across[0]), n);
    return true;
  }
  void run(char* const* p, index_t count) const {
    if constexpr (!RICCI_SMALL_STACK) {  // where memory is small, code is, too
      bool side = count > 1;
      for (int k = 0; k < slots; ++k) side = side && across[k] == sizes[k];
      if constexpr (FindsPlace<Op>)
        if (find_places(p, count, side)) return;
      if (side) return side_by_side(p, count);
    }
    for (index_t j = 0; j < count;) {
      char* at[slots];
      for (int k = 0; k < slots; ++k) at[k] = p[k] + j * across[k];
      if constexpr (!RICCI_SMALL_STACK) {
        if (count - j >= folds_apart) {
          apart<folds_apart>(at);
          j += folds_apart;
          continue;
        }
      }
      ++j;
      if constexpr (!is_scan && !RICCI_SMALL_STACK) {
        if (n >= folds_apart * shortest_stretch) {
          in_stretches(at);
          continue;
        }
      }
      apart<1>(at);
    }
  }
};

template <Fold Op, class T>
struct host_routine<Op, T> {
  static void run(geometry const& g) {
    using all_folds = folds<Op, T>;
    int const axis = g.kept, outer = g.kept > 0 ? g.kept - 1 : 0;
    bool const backwards = all_folds::is_scan && g.scalars[0].integer != 0;
    index_t const n = g.extent[axis], width = g.kept > 0 ? g.extent[outer] : 1;
    bool const alone = is_alone(g.threads, product_of(g, 0, g.loops));
    index_t const strip = alone ? fold_strip : shared_fold_strip, strips = (width + strip - 1) / strip,
                  all = product_of(g, 0, outer) * strips;
    if ((n == 0 && all_folds::is_scan) || all == 0) return;
    all_folds s{n, {}, {}};
    index_t start[all_folds::slots];
    for (int k = 0; k < all_folds::slots; ++k) {
      s.along[k] = backwards ? -g.stride[axis][k] : g.stride[axis][k];
      s.across[k] = g.kept > 0 ? g.stride[outer][k] : 0;
      start[k] = backwards ? (n - 1) * g.stride[axis][k] : 0;
    }
    auto const part = [&](index_t from, index_t to) {
      odometer at(g);
      at.seek(g, 0, outer, from / strips);
      for (; from < to; ++from) {
        index_t const first = from % strips * strip, left = width - first;
        char* p[all_folds::slots];
        for (int k = 0; k < all_folds::slots; ++k) p[k] = at.p[k] + start[k] + first * s.across[k];
        s.run(p, left < strip ? left : strip);
        if (from % strips == strips - 1) at.next(g, 0, outer);
      }
    };
    if (alone) return part(0, all);
    parallel_parts(g.threads, all, part);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
