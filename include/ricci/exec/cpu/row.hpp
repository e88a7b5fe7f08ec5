// A row: the innermost loop of a kernel, over elements that lie side by side, or the same one again. What does not
// change along it is computed before it; the last, partial batch is loaded in part, computed number by number, or
// copied to a batch of its own (tail.hpp). An operand with a stride of its own is either brought into a row by the
// caller (tiles.hpp), or gathered (`Gathers`).
//
// `row<Code>::run` is inlined where it is called. `row<Code>::function` is the one out-of-line instance; it holds the
// body of the loop only once, for the sake of compile time: for the last elements it calls itself with a batch of their
// own (tail.hpp).
#pragma once

#include <ricci/exec/cpu/mixed_lanes.hpp>
#include <ricci/exec/cpu/row_sums.hpp>
#include <ricci/exec/cpu/shared_registers.hpp>
#include <ricci/exec/cpu/tail.hpp>
#include <ricci/exec/tables.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The lanes that suit a kernel.
template <class Code>
constexpr auto lanes_of() {
#if RICCI_HAS_XSIMD
  if constexpr (Code::simd_type != dtype::none)
    return simd_lanes<type_of<Code::simd_type>>{};
  else if constexpr (Code::mixed_type != dtype::none)
    return mixed_lanes<type_of<Code::mixed_type>>{};
  else
#elif RICCI_VECTOR_LANES
  if constexpr (Code::simd_type != dtype::none)
    return vector_lanes<type_of<Code::simd_type>>{};
  else
#endif
    return scalar_lanes{};
}

// Whether rows that follow each other are one call of their kernel (for_rows in map.hpp). Without SIMD short rows cost
// little more than their elements, and boards have little room for code.
inline constexpr bool runs_of_rows = RICCI_HAS_XSIMD;

template <class X>
inline constexpr bool moves_booleans = requires {
  requires X::moves != access::fixed&& X::type == dtype::boolean;
};

// Numbers one by one, of which there are many.
template <class L>
inline constexpr bool is_vectorised = RICCI_VECTORISES && !RICCI_SMALL_STACK && L::width == 1;
inline constexpr index_t many_numbers = 16;
template <class Row>
RICCI_VECTORISED void run_numbers(row_pointers const& from, scalar_value const* scalars, index_t n) {
  row_pointers p;  // of its own: what is written through a pointer to characters, as uint8_t are, might be `from`
  Row::point(p, from.p, from.stride);
  typename Row::L::frame f;
  Row::begin(f, p, scalars);
  for (index_t i = 0; i < n; ++i) Row::template elements<true>(f, p, i, 1);
}

template <class Code, bool Gathers = false>
struct row;

template <int Slots, int Scalars, class... B, class... R, class... S, bool Gathers>
struct row<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>, Gathers> {
  using code = kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>;
  using L = decltype(lanes_of<code>());
  static constexpr bool gathers = Gathers;
  // Where one instruction loads a part of a register, the last elements of a short kernel are that and no more. (What
  // is booleans in memory has no such instruction.)
  static constexpr bool ends_in_part = [] {
    if constexpr (requires { requires L::loads_parts; })
      return code::of_operators && code::length <= 16 && ((!moves_booleans<R>)&&...) && ((!moves_booleans<S>)&&...);
    else
      return false;
  }();
  // Of a longer one all batches are parts, so that its body is there once.
  static constexpr bool goes_in_parts = [] {
    if constexpr (requires { requires L::loads_parts; })
      return !Gathers && !ends_in_part && ((!moves_booleans<R>)&&...) && ((!moves_booleans<S>)&&...);
    else
      return false;
  }();
  // Elsewhere they are computed one by one.
  static constexpr bool ends_in_numbers =
      L::width > 1 && !RICCI_VECTOR_LANES && !ends_in_part && code::of_operators && code::length <= 16;

  RICCI_INLINE static void point(row_pointers& p, char* const* operands, index_t const* strides) {
    point_at<Gathers>(p, operands, strides, std::make_integer_sequence<int, Slots>{});
  }
  RICCI_INLINE static void begin(typename L::frame& f, row_pointers const& p,
                                 [[maybe_unused]] scalar_value const* scalars) {
    (start<L>(B{}, f, p, scalars), ...);
  }
  template <bool Whole>
  RICCI_INLINE static void elements(typename L::frame& f, row_pointers const& p, index_t i, index_t n) {
    (compute<L, Gathers, Whole>(R{}, f, p, i, n), ...);
    (sink<L, Gathers, Whole>(S{}, f, p, i, n), ...);
  }

  // Computes n elements and stores them. `strides`: of the innermost loop, only read where it gathers.
  RICCI_INLINE static void run(char* const* operands, scalar_value const* scalars, index_t n,
                               index_t const* strides = nullptr) {
    row_pointers p;
    point(p, operands, strides);
    if constexpr (is_vectorised<L>)
      if (n >= many_numbers) return run_numbers<row>(p, scalars, n);
    typename L::frame f;
    begin(f, p, scalars);
    index_t i = 0;
    for (; i + L::width <= n; i += L::width) elements<true>(f, p, i, L::width);
    if constexpr (L::width > 1)
      if (i < n) elements<false>(f, p, i, n - i);
  }
  // Whole batches only, but for a kernel that goes in parts; gives how many elements that were.
  RICCI_INLINE static index_t run_whole(char* const* operands, scalar_value const* scalars, index_t n) {
    row_pointers p;
    point(p, operands, nullptr);
    if constexpr (is_vectorised<L>)
      if (n >= many_numbers) return run_numbers<row>(p, scalars, n), n;
    typename L::frame f;
    begin(f, p, scalars);
    if constexpr (goes_in_parts) return all_in_parts(f, p, n), n;
    index_t i = 0;
    for (; i + L::width <= n; i += L::width) elements<true>(f, p, i, L::width);
    return i;
  }
  // Whether a part of a batch is loaded without a second body.
  static constexpr bool takes_parts = goes_in_parts || (!Gathers && requires { requires L::loads_halves; });
  // A row in a function of its own, where the last batch of rows is mostly a part; run_in_pairs: an even number of
  // batches, two at a time.
  RICCI_NOINLINE static void run_in_parts(char* const* operands, scalar_value const* scalars, index_t n) {
    row_pointers p;
    point(p, operands, nullptr);
    typename L::frame f;
    begin(f, p, scalars);
    all_in_parts(f, p, n);
  }
  RICCI_NOINLINE static void run_in_pairs(char* const* operands, scalar_value const* scalars, index_t n) {
    row_pointers p;
    point(p, operands, nullptr);
    typename L::frame f, next;
    begin(f, p, scalars);
    begin(next, p, scalars);
    for (index_t i = 0; i < n; i += 2 * L::width) {
      index_t const behind = i + L::width, left = n - behind < L::width ? n - behind : L::width;
      ((compute<L, Gathers, true>(R{}, f, p, i, L::width), compute<L, Gathers, false>(R{}, next, p, behind, left)),
       ...);
      ((sink<L, Gathers, true>(S{}, f, p, i, L::width), sink<L, Gathers, false>(S{}, next, p, behind, left)), ...);
    }
  }
  // The last n elements, fewer than a batch.
  static void run_last(char* const* operands, scalar_value const* scalars, index_t from, index_t n,
                       index_t const* strides) {
    if constexpr (ends_in_numbers) {
      row_pointers p;
      point(p, operands, strides);
      scalar_lanes::frame f;
      (start<scalar_lanes>(B{}, f, p, scalars), ...);
      // told how few there are, g++ 12 at -O3 does not warn of a loop of 2^61 iterations
      index_t const end = from + (n & (L::width - 1));
      for (; from < end; ++from) {
        (compute<scalar_lanes, Gathers, true>(R{}, f, p, from, 1), ...);
        (sink<scalar_lanes, Gathers, true>(S{}, f, p, from, 1), ...);
      }
    } else if constexpr (L::width > 1)
      run_tail({&function, moving.at, moving_count, Slots, L::width, mixes_types<L>}, operands, scalars, from, n,
               strides);
  }
  RICCI_NOINLINE static void function(char* const* operands, scalar_value const* scalars, index_t n,
                                      index_t const* strides, index_t rows, index_t const* down) {
    row_pointers p;
    point(p, operands, strides);
    if constexpr (sums_fit_registers)
      if (rows > 1 && n <= L::width && ((down[S::slot] == 0) && ...)) return add_up_rows(p, scalars, n, rows, down);
    if constexpr (spreads_numbers)
      if (spreads_in_parts || (rows > 1 && 2 * n <= L::width)) {
        shared_rows const r(p, n, rows, down);
        if (spreads_in_parts || r.together > 1) return run_together(p, scalars, n, rows, down, r);
      }
    if constexpr (!spreads_in_parts)
      for (;;) {
        if constexpr (is_vectorised<L>) {
          run_numbers<row>(p, scalars, n);
        } else {
          typename L::frame f;
          begin(f, p, scalars);
          all_elements(f, p, scalars, n, strides);
        }
        if (--rows <= 0) return;
        move_down(p, down);
      }
  }
  template <class Rows>
  RICCI_INLINE static void run_together(row_pointers& p, scalar_value const* scalars, index_t n, index_t rows,
                                        index_t const* down, Rows const& r) {
    for (;; r.move_down(p)) {
      index_t const taken = r.together < rows ? r.together : rows, all = n * taken;
      typename L::frame f;
      r.begin(f, p, scalars, down, taken);
      if constexpr (spreads_in_parts)
        all_in_parts(f, p, all);
      else
        elements<false>(f, p, 0, all);
      if ((rows -= taken) <= 0) return;
    }
  }
  RICCI_INLINE static void all_in_parts(typename L::frame& f, row_pointers const& p, index_t n) {
    for (index_t i = 0; i < n; i += L::width) elements<false>(f, p, i, n - i < L::width ? n - i : L::width);
  }
  RICCI_INLINE static void all_elements(typename L::frame& f, row_pointers const& p,
                                        [[maybe_unused]] scalar_value const* scalars, index_t n,
                                        [[maybe_unused]] index_t const* strides) {
    if constexpr (goes_in_parts) {
      all_in_parts(f, p, n);
    } else {
      index_t i = 0;
      for (; i + L::width <= n; i += L::width) elements<true>(f, p, i, L::width);
      if constexpr (ends_in_part) {
        if (i < n) elements<false>(f, p, i, n - i);
      } else if (i < n) {
        row_pointers at;
        point(at, p.p, strides);
        run_last(at.p, scalars, i, n - i, strides);
      }
    }
  }
  // Whether short rows may share a register (shared_registers.hpp).
  static constexpr bool shares_registers = [] {
    if constexpr (orders_lanes<L>)
      return (L::loads_parts || L::loads_halves) && ((!moves_booleans<R>)&&...) && ((!moves_booleans<S>)&&...) &&
             ((!is_condition<B>)&&...);
    else
      return false;
  }();
  using shared_rows =
      exec::shared_rows<L, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>, Slots, Gathers>;
  // That of rows that store, which gains where a number stays along each of them. (Others that lie side by side are
  // one row.)
  static constexpr bool spreads_numbers = shares_registers && (is_load<B> || ...) && ((!S::reduces) && ...);
  // Of more than a few operators all batches are parts then, so that their body is there once.
  static constexpr bool spreads_in_parts = spreads_numbers && !(code::of_operators && code::length <= 16);
  // Rows of one register or a part of one that are combined into the same one.
  static constexpr bool sums_fit_registers = L::width > 1 && runs_of_rows && (ends_in_part || takes_parts) && !Gathers
                                             && (combines_rows<S> && ...);
  static void add_up_rows(row_pointers& p, scalar_value const* scalars, index_t n, index_t rows, index_t const* down) {
    row_sums<L, std::make_integer_sequence<int, sizeof...(S)>, S...> sums;
    for (sums.load(p, n);; move_down(p, down)) {
      typename L::frame f;
      begin(f, p, scalars);
      (compute<L, false, false>(R{}, f, p, 0, n), ...);
      sums.add(f);
      if (--rows <= 0) return sums.store(p, n);
    }
  }
  RICCI_INLINE static void move_down(row_pointers& p, index_t const* down) {
    advance_by(p, down, std::make_integer_sequence<int, Slots>{});
  }

 private:
  template <class X>
  static constexpr void note(moving_operand* to, int& n) {
    if constexpr (requires { X::moves; }) {
      if (X::moves == access::fixed) return;
      bool reads = !X::writes;
      if constexpr (X::writes) reads = X::reduces;
      for (int k = 0; k < n; ++k)
        if (to[k].slot == X::slot)
          return void((to[k].read = to[k].read || reads, to[k].written = to[k].written || X::writes));
      to[n++] = {X::slot, size_of(X::type), reads, X::writes, Gathers && X::moves == access::strided};
    }
  }
  static constexpr table<moving_operand, max_slots> all_moving(int& n) {
    table<moving_operand, max_slots> t{};
    (note<R>(t.at, n), ...);
    (note<S>(t.at, n), ...);
    return t;
  }
  static constexpr int moving_count = [] {
    int n = 0;
    all_moving(n);
    return n;
  }();
  static constexpr auto moving = [] {
    int n = 0;
    auto const from = all_moving(n);
    table<moving_operand, moving_count> t{};
    for (int k = 0; k < n; ++k) t.at[k] = from.at[k];
    return t;
  }();
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
