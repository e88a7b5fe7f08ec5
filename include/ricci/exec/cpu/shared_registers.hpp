// Short rows that share a register: as many as fit are computed at once. What stays along a row is spread to its lanes,
// and what a row is reduced to is combined within them.
#pragma once

#include <cstring>

#include <ricci/exec/cpu/kernel_info.hpp>
#include <ricci/exec/cpu/lane_order.hpp>
#include <ricci/exec/cpu/lanes.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

#if RICCI_HAS_XSIMD
// Where lanes come from, for rows of n lanes, of which at least two fit.
template <class T>
struct lanes_of_rows {
  using order = simd::lane_order<T>;
  static constexpr int width = order::width, longest = width / 2;
  static constexpr int steps = width == 16 ? 3 : width == 8 ? 2 : 1;  // 2^steps >= longest
  using numbers = typename order::number[longest + 1][width];
  alignas(64) numbers row{};             // the number of the row that lane k belongs to
  alignas(64) numbers first{};           // the first lane of row k
  alignas(64) numbers partner[steps]{};  // 2^s lanes behind lane k, where that is in its row; else lane k
  T has_partner[steps][longest + 1][width]{};

  constexpr lanes_of_rows() {
    for (int n = 1; n <= longest; ++n)
      for (int k = 0; k < width; ++k) {
        int const together = width / n;
        row[n][k] = order::number_of(k / n < together ? k / n : together - 1);
        first[n][k] = order::number_of(k < together ? k * n : 0);
        for (int s = 0; s < steps; ++s) {
          bool const has = k % n + (1 << s) < n && k + (1 << s) < width;
          partner[s][n][k] = order::number_of(has ? k + (1 << s) : k);
          has_partner[s][n][k] = T(has);
        }
      }
  }
};
template <class T>
inline constexpr lanes_of_rows<T> all_lanes_of_rows{};

// Lanes of one type, whose order can be changed.
template <class L>
inline constexpr bool orders_lanes = false;
template <class T>
inline constexpr bool orders_lanes<simd_lanes<T>> = simd::reorders_lanes;
#else
template <class L>
inline constexpr bool orders_lanes = false;
#endif

// How rows of n elements lie beside each other: bytes from one to the next, and along a row where operands gather.
struct rows_beside {
  index_t n;
  index_t const *down, *along;
};
// Whether what stays the same along a row can be spread to its lanes: it is the same for all rows, or one number per
// row, side by side.
template <class X>
RICCI_INLINE bool can_be_spread(X, rows_beside const&) {
  return true;
}
template <int I, dtype T, int Slot, access A>
RICCI_INLINE bool can_be_spread(kernel::load<I, T, Slot, A>, rows_beside const& r) {
  return r.down[Slot] == 0 || r.down[Slot] == size_of(T);
}
// Whether what moves along a row lies so that rows can share a register: each begins where the one before it ends, or
// (what is read) the same one again.
template <bool Gathers, class X>
RICCI_INLINE bool rows_join([[maybe_unused]] rows_beside const& r) {
  if constexpr (requires { X::moves; }) {
    bool reduces_row = false;
    if constexpr (X::writes) reduces_row = X::reduces && X::moves == access::fixed;
    if (reduces_row) return true;
    index_t const down = r.down[X::slot];
    if (Gathers && X::moves == access::strided && r.along[X::slot] != size_of(X::type)) return false;
    return X::moves != access::fixed && (down == r.n * size_of(X::type) || (!X::writes && down == 0));
  } else {
    return true;
  }
}

template <class X>
inline constexpr bool is_load = requires {
  X::moves;
};
template <class X>
inline constexpr bool is_condition = false;
template <int I, int Slot, access A>
inline constexpr bool is_condition<kernel::load<I, dtype::boolean, Slot, A>> = true;

// Rows of at most a register, several at a time where they lie side by side.
template <class L, class Before, class Body, class Sinks, int Slots, bool Gathers>
struct shared_rows;
// What rows are reduced to.
template <class T>
struct sums_within_rows;

#if RICCI_HAS_XSIMD
template <class T, class... B, class... R, class... S, int Slots, bool Gathers>
struct shared_rows<simd_lanes<T>, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>, Slots, Gathers> {
  using L = simd_lanes<T>;
  index_t together;
  simd::lane_order<T> row;
  index_t down[Slots]{};
  // what is the same in all rows, once for each of them
  alignas(64) char repeated[sizeof...(R) + 1][register_bytes];

  RICCI_INLINE shared_rows(row_pointers& p, index_t n, index_t rows, index_t const* from) : together(1) {
    if (rows > 1) {
      rows_beside const r{n, from, p.stride};
      if (2 * n <= L::width && (can_be_spread(B{}, r) && ...) && (rows_join<Gathers, R>(r) && ...) &&
          (rows_join<Gathers, S>(r) && ...))
        together = L::width / n;
      for (int k = 0; k < Slots; ++k) down[k] = together * from[k];
      if (together > 1) {
        [[maybe_unused]] int next = 0;  // (where nothing is the same in all rows)
        (repeat<R>(p, n, from, next), ...);
      }
    }
    row = simd::lane_order<T>::load(all_lanes_of_rows<T>.row[together > 1 ? n : 1]);
  }
  RICCI_INLINE void begin(typename L::frame& f, row_pointers const& p, [[maybe_unused]] scalar_value const* scalars,
                          [[maybe_unused]] index_t const* from, [[maybe_unused]] index_t taken) const {
    (start(B{}, f, p, scalars, from, taken), ...);
  }
  RICCI_INLINE void move_down(row_pointers& p) const { advance_by(p, down, std::make_integer_sequence<int, Slots>{}); }

 private:
  template <class X>
  RICCI_INLINE void repeat(row_pointers& p, index_t n, index_t const* from, int& next) {
    if constexpr (requires { X::moves; }) {
      if (from[X::slot] != 0) return;
      index_t const bytes = n * size_of(X::type);
      for (index_t k = 0; k < together; ++k)
        std::memcpy(repeated[next] + k * bytes, p.p[X::slot], static_cast<std::size_t>(bytes));
      p.p[X::slot] = repeated[next++];
    }
  }
  template <class X>
  RICCI_INLINE void start(X x, typename L::frame& f, row_pointers const& p, scalar_value const* scalars, index_t const*,
                          index_t) const {
    exec::start<L>(x, f, p, scalars);
  }
  template <int I, dtype U, int Slot, access A>
  RICCI_INLINE void start(kernel::load<I, U, Slot, A> x, typename L::frame& f, row_pointers const& p,
                          scalar_value const* scalars, index_t const* from, index_t taken) const {
    if (together > 1 && from[Slot] != 0)
      L::template at<I, U>(f) = row.of(L::template load_first<U>(p.p[Slot], 0, taken));
    else
      exec::start<L>(x, f, p, scalars);
  }
};

// What rows of at most half a register are reduced to, each in its first lane. The order of combinations depends on n
// alone, so that it does not matter how many rows are taken at once.
template <class T>
struct sums_within_rows {
  using tables = lanes_of_rows<T>;
  simd::lane_order<T> partner[tables::steps], first;
  simd::mask<T> has_partner[tables::steps];

  RICCI_INLINE explicit sums_within_rows(index_t n) : first(simd::lane_order<T>::load(all_lanes_of_rows<T>.first[n])) {
    for (int s = 0; s < tables::steps; ++s) {
      partner[s] = simd::lane_order<T>::load(all_lanes_of_rows<T>.partner[s][n]);
      has_partner[s] = simd::pack<T>::load(all_lanes_of_rows<T>.has_partner[s][n]) != simd::pack<T>(T(0));
    }
  }
  template <class Op, dtype U>
  RICCI_INLINE simd::pack<T> operator()(simd::pack<T> x, index_t n) const {
    x = combined<simd_lanes<T>, Op, U>(simd::pack<T>(Op::template identity<T>), x);  // 0 + -0 is 0
    for (int s = 0; s < tables::steps; ++s)
      if (n > index_t(1) << s) x = simd::select(has_partner[s], combined<simd_lanes<T>, Op, U>(x, partner[s].of(x)), x);
    return first.of(x);
  }
};
#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
