// Rows that are combined into one row, which the registers hold until all are there: a row in memory that is written in
// part and read again at once waits for the write.
#pragma once

#include <ricci/exec/cpu/lanes.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The first n lanes of the row of sink K.
template <class L, int K, class Sink>
struct row_sum {
  static constexpr dtype type = Sink::type;
  decltype(L::template splat<type>(type_of<type>{})) value;

  RICCI_INLINE void load(row_pointers const& p, index_t n) {
    value = L::template load_first<type>(p.p[Sink::slot], 0, n);
  }
  RICCI_INLINE void add(typename L::frame& f) {
    value = combined<L, typename Sink::operation, type>(value, L::template at<Sink::index, type>(f));
  }
  RICCI_INLINE void store(row_pointers const& p, index_t n) const {
    L::template store_first<type>(value, p.p[Sink::slot], 0, n);
  }
};
template <class L, class Indices, class... S>
struct row_sums;
template <class L, int... K, class... S>
struct row_sums<L, std::integer_sequence<int, K...>, S...> : row_sum<L, K, S>... {
  RICCI_INLINE void load(row_pointers const& p, index_t n) { (row_sum<L, K, S>::load(p, n), ...); }
  RICCI_INLINE void add(typename L::frame& f) { (row_sum<L, K, S>::add(f), ...); }
  RICCI_INLINE void store(row_pointers const& p, index_t n) const { (row_sum<L, K, S>::store(p, n), ...); }
};

// Whether a sink combines rows, of elements that lie side by side.
template <class Sink>
inline constexpr bool combines_rows = Sink::reduces&& Sink::moves == access::contiguous;

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
