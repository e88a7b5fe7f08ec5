// A row: the innermost loop of a kernel, over elements that lie side by side, or the same one again. What does not change along
// it is computed before it; the last, partial batch is loaded and stored lane by lane. An operand with a stride of its own is
// either brought into a row by the caller (tiles.hpp), or gathered (`Gathers`).
//
// `row<Code>::run` is inlined where it is called. `row<Code>::function` is the one out-of-line instance for tables of kernels; it
// holds the body of the loop only once, for the sake of compile time, and brings the last elements into a whole batch for it.
#pragma once

#include <ricci/exec/cpu/lanes.hpp>
#include <ricci/exec/geometry.hpp>
#include <ricci/kernel/code.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

using kernel::access;

// Operands along a row, in registers of the machine: what is read through a struct is read again after every store.
struct row_pointers {
  char* p[max_slots];
  index_t stride[max_slots];
};

// ---- one register; these depend on no kernel, so that kernels share them ----

template <class L, int I, dtype T, int Slot, access A>
RICCI_INLINE void start(kernel::load<I, T, Slot, A>, typename L::frame& f, row_pointers const& p, scalar_value const*) {
  L::template at<I, T>(f) = L::template splat<T>(*reinterpret_cast<type_of<T> const*>(p.p[Slot]));
}
template <class L, int I, dtype T, int Slot>
RICCI_INLINE void start(kernel::scalar<I, T, Slot>, typename L::frame& f, row_pointers const&, scalar_value const* s) {
  L::template at<I, T>(f) = L::template splat<T>(scalar_as<T>(s[Slot]));
}
template <class L, int I, dtype T, int N>
RICCI_INLINE void start(kernel::constant<I, T, N>, typename L::frame& f, row_pointers const&, scalar_value const*) {
  L::template at<I, T>(f) = L::template splat<T>(static_cast<type_of<T>>(N));
}

// Elements from i on: all lanes where n is that many, which the compiler knows in the loop over whole batches.
template <class L, bool Gathers, bool Whole, int I, dtype T, int Slot, access A>
RICCI_INLINE void compute(kernel::load<I, T, Slot, A>, typename L::frame& f, row_pointers const& p, index_t i, index_t n) {
  if constexpr (Gathers && A == access::strided) L::template at<I, T>(f) = L::template gather<T>(p.p[Slot], i, p.stride[Slot], n);
  else if constexpr (Whole) L::template at<I, T>(f) = L::template load<T>(p.p[Slot], i);
  else L::template at<I, T>(f) = L::template load_first<T>(p.p[Slot], i, n);
}
template <class L, int I, dtype T, class Op, int... In, dtype... Types>
RICCI_INLINE void evaluate(kernel::apply<I, T, Op, kernel::reg<In, Types>...>, typename L::frame& f) {
  if constexpr (requires { Op::converts; }) L::template at<I, T>(f) = Op::template kernel<type_of<T>>(L::template at<In, Types>(f)...);
  else L::template at<I, T>(f) = Op::kernel(L::template at<In, Types>(f)...);
}
template <class L, bool, bool, int I, dtype T, class Op, class... In>
RICCI_INLINE void compute(kernel::apply<I, T, Op, In...> a, typename L::frame& f, row_pointers const&, index_t, index_t) {
  evaluate<L>(a, f);
}

template <class L, bool Gathers, bool Whole, int Reg, int Slot, dtype T, access A>
RICCI_INLINE void sink(kernel::store<Reg, Slot, T, A>, typename L::frame& f, row_pointers const& p, index_t i, index_t n) {
  auto const& x = L::template at<Reg, T>(f);
  if constexpr (Gathers && A == access::strided) L::template scatter<T>(x, p.p[Slot], i, p.stride[Slot], n);
  else if constexpr (Whole) L::template store<T>(x, p.p[Slot], i);
  else L::template store_first<T>(x, p.p[Slot], i, n);
}
// A reduction over outer loops adds the row to the one in memory; one along the row is the block's affair (block.hpp).
template <class L, bool Gathers, bool Whole, class Op, int Reg, int Slot, dtype T, access A>
RICCI_INLINE void sink(kernel::reduce<Op, Reg, Slot, T, A>, typename L::frame& f, row_pointers const& p, index_t i, index_t n) {
  if constexpr (A != access::fixed) {
    auto const& x = L::template at<Reg, T>(f);
    if constexpr (Gathers && A == access::strided)
      L::template scatter<T>(Op::combine(L::template gather<T>(p.p[Slot], i, p.stride[Slot], n), x), p.p[Slot], i, p.stride[Slot], n);
    else if constexpr (Whole) L::template store<T>(Op::combine(L::template load<T>(p.p[Slot], i), x), p.p[Slot], i);
    else L::template store_first<T>(Op::combine(L::template load_first<T>(p.p[Slot], i, n), x), p.p[Slot], i, n);
  }
}

// ---- the last elements of a row, in a batch of their own ----

struct row_tail {
  alignas(64) char lanes[max_slots][64];
};
// Moves operand `slot` of the given size to the tail, from element i on, n elements; what is behind them is zero.
inline void enter_tail(row_tail& tail, row_pointers& p, int slot, int size, index_t i, index_t n) {
  __builtin_memset(tail.lanes[slot], 0, 64);
  __builtin_memcpy(tail.lanes[slot], p.p[slot] + i * size, static_cast<std::size_t>(n * size));
  p.p[slot] = tail.lanes[slot];
}

template <bool Gathers, class X>
RICCI_INLINE void enter(row_tail& tail, row_pointers& p, index_t i, index_t n) {
  if constexpr (requires { X::moves; }) {
    if constexpr (Gathers && X::moves == access::strided) p.p[X::slot] += i * p.stride[X::slot];
    else if constexpr (X::moves != access::fixed) {
      if (p.p[X::slot] != tail.lanes[X::slot]) enter_tail(tail, p, X::slot, size_of(X::type), i, n);
    }
  }
}
template <bool Gathers, class Sink>
RICCI_INLINE void leave(row_tail const& tail, char* const* operands, index_t i, index_t n) {
  if constexpr (Sink::moves != access::fixed && !(Gathers && Sink::moves == access::strided))
    __builtin_memcpy(operands[Sink::slot] + i * size_of(Sink::type), tail.lanes[Sink::slot], static_cast<std::size_t>(n * size_of(Sink::type)));
}

// ---- all of them ----

template <class Code, bool Gathers = false>
struct row;

template <int Slots, int Scalars, class... B, class... R, class... S, bool Gathers>
struct row<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>, Gathers> {
  using code = kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>;
  using L = decltype(lanes_of<code>());
  static constexpr bool gathers = Gathers;

  RICCI_INLINE static void point(row_pointers& p, char* const* operands, index_t const* strides) {
    [&]<int... K>(std::integer_sequence<int, K...>) RICCI_INLINE_LAMBDA {
      ((p.p[K] = operands[K]), ...);
      if constexpr (Gathers) ((p.stride[K] = strides[K]), ...);
    }(std::make_integer_sequence<int, Slots>{});
  }
  RICCI_INLINE static void begin(typename L::frame& f, row_pointers const& p, [[maybe_unused]] scalar_value const* scalars) {
    (start<L>(B{}, f, p, scalars), ...);
  }
  template <bool Whole>
  RICCI_INLINE static void elements(typename L::frame& f, row_pointers const& p, index_t i, index_t n) {
    (compute<L, Gathers, Whole>(R{}, f, p, i, n), ...);
    (sink<L, Gathers, Whole>(S{}, f, p, i, n), ...);
  }

  // Computes n elements and stores them. `strides`: of the innermost loop, only read where it gathers.
  RICCI_INLINE static void run(char* const* operands, scalar_value const* scalars, index_t n, index_t const* strides = nullptr) {
    row_pointers p;
    point(p, operands, strides);
    typename L::frame f;
    begin(f, p, scalars);
    index_t i = 0;
    for (; i + L::width <= n; i += L::width) elements<true>(f, p, i, L::width);
    if constexpr (L::width > 1)
      if (i < n) elements<false>(f, p, i, n - i);
  }
  RICCI_NOINLINE static void function(char* const* operands, scalar_value const* scalars, index_t n, index_t const* strides) {
    row_pointers p;
    point(p, operands, strides);
    typename L::frame f;
    begin(f, p, scalars);
    row_tail tail;
    index_t const whole = n / L::width * L::width;
    index_t end = whole, lanes = L::width;
    for (bool last = whole == 0 && L::width > 1;;) {
      if (last) {
        if (n == whole) return;
        lanes = n - whole;
        (enter<Gathers, R>(tail, p, whole, lanes), ...);
        (enter<Gathers, S>(tail, p, whole, lanes), ...);
        end = L::width;
      }
      for (index_t i = 0; i < end; i += L::width) elements<true>(f, p, i, lanes);
      if (last) break;
      if (L::width == 1) return;
      last = true;
    }
    (leave<Gathers, S>(tail, operands, whole, lanes), ...);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
