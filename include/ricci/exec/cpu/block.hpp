// A block: a stretch of a row, reduced to one number. Several accumulators hide the latency of a combination.
#pragma once

#include <ricci/exec/cpu/row.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

template <class Sink>
inline constexpr bool reduces_row = Sink::reduces && Sink::moves == access::fixed;

// Accumulator K of a sink; like registers, shared by all kernels.
template <class L, int K, class Sink>
RICCI_INLINE void clear(typename L::frame& a) {
  if constexpr (reduces_row<Sink>)
    L::template at<K, Sink::type>(a) = L::template splat<Sink::type>(Sink::operation::template identity<type_of<Sink::type>>);
}
template <class L, int K, class Sink, bool Whole>
RICCI_INLINE void accumulate(typename L::frame& a, typename L::frame& f, index_t n) {
  if constexpr (reduces_row<Sink>) {
    auto& acc = L::template at<K, Sink::type>(a);
    auto const next = Sink::operation::combine(acc, L::template at<Sink::index, Sink::type>(f));
    if constexpr (Whole || L::width == 1) acc = next;
    else acc = L::first(next, acc, n);
  }
}
template <class L, int K, class Sink>
RICCI_INLINE void join(typename L::frame& a, typename L::frame& b) {
  if constexpr (reduces_row<Sink>)
    L::template at<K, Sink::type>(a) = Sink::operation::combine(L::template at<K, Sink::type>(a), L::template at<K, Sink::type>(b));
}
template <class L, int K, class Sink>
RICCI_INLINE void finish(typename L::frame& a, scalar_value* results) {
  if constexpr (reduces_row<Sink>)
    results[K] = scalar_of<Sink::type>(L::template across<typename Sink::operation, Sink::type>(L::template at<K, Sink::type>(a)));
}

template <class Code>
struct block;

template <int Slots, int Scalars, class... B, class... R, class... S>
struct block<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>> {
  using code = kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>;
  using the_row = row<code, code::strided != 0>;
  using L = typename the_row::L;
  using frame = typename L::frame;
  // as many accumulators as the kernel leaves registers for
  static constexpr int ways = sizeof...(R) <= 4 ? 4 : sizeof...(R) <= 8 ? 2 : 1;

  template <int... K>
  RICCI_INLINE static void run(std::integer_sequence<int, K...>, char* const* operands, scalar_value const* scalars, index_t i,
                               index_t end, index_t const* strides, scalar_value* results) {
    row_pointers p;
    the_row::point(p, operands, strides);
    frame f;
    the_row::begin(f, p, scalars);
    frame a[ways];
    for (int w = 0; w < ways; ++w) (clear<L, K, S>(a[w]), ...);
    for (; i + ways * L::width <= end; i += ways * L::width)
      for (int w = 0; w < ways; ++w) {
        the_row::template elements<true>(f, p, i + w * L::width, L::width);
        (accumulate<L, K, S, true>(a[w], f, 0), ...);
      }
    // what is left; the last elements are brought into a batch of their own, and the lanes that are too many masked
    row_tail tail;
    for (; i < end; i += L::width) {
      bool const last = L::width > 1 && end - i < L::width;
      index_t const n = last ? end - i : L::width;
      if (last) {
        (enter<the_row::gathers, R>(tail, p, i, n), ...);
        (enter<the_row::gathers, S>(tail, p, i, n), ...);
      }
      the_row::template elements<true>(f, p, last ? 0 : i, n);
      if (L::width > 1 && last) {
        (accumulate<L, K, S, false>(a[0], f, n), ...);
        (leave<the_row::gathers, S>(tail, operands, i, n), ...);
      } else {
        (accumulate<L, K, S, true>(a[0], f, n), ...);
      }
    }
    for (int w = ways / 2; w > 0; w /= 2)
      for (int k = 0; k < w; ++k) (join<L, K, S>(a[k], a[k + w]), ...);
    (finish<L, K, S>(a[0], results), ...);
  }
  RICCI_NOINLINE static void function(char* const* p, scalar_value const* scalars, index_t begin, index_t end,
                                      index_t const* strides, scalar_value* results) {
    run(std::make_integer_sequence<int, sizeof...(S)>{}, p, scalars, begin, end, strides, results);
  }
};

// A reduction of numbers of one type, without the kernel that makes them.
template <class Op, dtype D>
struct reduction {
  using T = type_of<D>;
  static scalar_value identity() { return scalar_of<D>(Op::template identity<T>); }
  static void combine(scalar_value& a, scalar_value b) {
    a = scalar_of<D>(static_cast<T>(Op::combine(scalar_as<D>(a), scalar_as<D>(b))));
  }
  static void combine_rows(char* to, index_t to_stride, char const* from, index_t from_stride, index_t n) {
    for (index_t i = 0; i < n; ++i) {
      T& x = *reinterpret_cast<T*>(to + i * to_stride);
      x = static_cast<T>(Op::combine(x, *reinterpret_cast<T const*>(from + i * from_stride)));
    }
  }
  static void fill_row(char* to, index_t stride, index_t n) {
    for (index_t i = 0; i < n; ++i) *reinterpret_cast<T*>(to + i * stride) = Op::template identity<T>;
  }
  static void write(char* to, scalar_value x) { *reinterpret_cast<T*>(to) = scalar_as<D>(x); }

  static constexpr reduction_info info{&identity, &combine, &combine_rows, &fill_row, &write};
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
