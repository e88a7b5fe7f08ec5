// A block: a stretch of a row, reduced to one number. Several accumulators hide the latency of a combination.
#pragma once

#include <ricci/exec/cpu/complex_sums.hpp>
#include <ricci/exec/cpu/conditions.hpp>
#include <ricci/exec/cpu/row.hpp>
#include <ricci/exec/cpu/tiles.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// ---- the last elements of a row, in a batch of their own ----

struct row_tail {
  alignas(64) char lanes[max_slots][register_bytes];
};
// Moves operand `slot` of the given size to the tail, from element i on, n elements; up to `width`, where that is not
// 0, the first of them fills the other lanes.
inline void enter_tail(row_tail& tail, row_pointers& p, int slot, int size, index_t i, index_t n, index_t width) {
  load_lanes(tail.lanes[slot], p.p[slot] + i * size, n * size);
  if (width > 0) fill_lanes(tail.lanes[slot], size, n, width);
  p.p[slot] = tail.lanes[slot];
}

template <bool Gathers, int Width, class X>
RICCI_INLINE void enter(row_tail& tail, row_pointers& p, index_t i, index_t n) {
  if constexpr (requires { X::moves; }) {
    if constexpr (Gathers && X::moves == access::strided)
      p.p[X::slot] += i * p.stride[X::slot];
    else if constexpr (X::moves != access::fixed) {
      if (p.p[X::slot] != tail.lanes[X::slot]) enter_tail(tail, p, X::slot, size_of(X::type), i, n, Width);
    }
  }
}
template <bool Gathers, class Sink>
RICCI_INLINE void leave(row_tail const& tail, char* const* operands, index_t i, index_t n) {
  if constexpr (Sink::moves != access::fixed && !(Gathers && Sink::moves == access::strided))
    __builtin_memcpy(operands[Sink::slot] + i * size_of(Sink::type), tail.lanes[Sink::slot],
                     static_cast<std::size_t>(n * size_of(Sink::type)));
}

template <class Sink>
inline constexpr bool reduces_row = Sink::reduces&& Sink::moves == access::fixed;

// The accumulator of sink K, in a register of its own, and, where the last elements are computed one by one (Numbers),
// in a number; nothing where the sink does not reduce the row.
template <class L, bool Numbers, int K, class Sink, bool = reduces_row<Sink>>
struct accumulator {
  RICCI_INLINE void clear() {}
  RICCI_INLINE void add_number(scalar_lanes::frame&) {}
  template <bool Whole>
  RICCI_INLINE void add(typename L::frame&, index_t) {}
  RICCI_INLINE void join(accumulator const&) {}
  RICCI_INLINE void finish(core::any_element*) const {}
  RICCI_INLINE void write(char* const*) const {}
};
template <class L, bool Numbers, int K, class Sink>
struct accumulator<L, Numbers, K, Sink, true> {
  static constexpr dtype type = Sink::type;
  using operation = typename Sink::operation;
  decltype(L::template splat<type>(type_of<type>{})) value;
  type_of<type> number;

  RICCI_INLINE void clear() {
    value = L::template splat<type>(operation::template identity<type_of<type>>);
    number = operation::template identity<type_of<type>>;
  }
  RICCI_INLINE void add_number(scalar_lanes::frame& f) {
    number = static_cast<type_of<type>>(operation::combine(number, scalar_lanes::template at<Sink::index, type>(f)));
  }
  RICCI_INLINE type_of<type> total() const {
    type_of<type> const x = L::template across<operation, type>(value);
    if constexpr (Numbers)
      return static_cast<type_of<type>>(operation::combine(x, number));
    else
      return x;
  }
  // the first n lanes of the register that the sink reduces
  template <bool Whole>
  RICCI_INLINE void add(typename L::frame& f, index_t n) {
    decltype(value) const next = combined<L, operation, type>(value, L::template at<Sink::index, type>(f));
    if constexpr (Whole || L::width == 1)
      value = next;
    else
      value = L::first(next, value, n);
  }
  RICCI_INLINE void join(accumulator const& other) { value = combined<L, operation, type>(value, other.value); }
  RICCI_INLINE void finish(core::any_element* results) const { results[K].set(total()); }
  RICCI_INLINE void write(char* const* p) const { *reinterpret_cast<type_of<type>*>(p[Sink::slot]) = total(); }
};
// Those of all sinks.
template <class L, bool Numbers, class Indices, class... S>
struct accumulators;
template <class L, bool Numbers, int... K, class... S>
struct accumulators<L, Numbers, std::integer_sequence<int, K...>, S...> : accumulator<L, Numbers, K, S>... {
  RICCI_INLINE void add_number(scalar_lanes::frame& f) { (accumulator<L, Numbers, K, S>::add_number(f), ...); }
  RICCI_INLINE void clear() { (accumulator<L, Numbers, K, S>::clear(), ...); }
  template <bool Whole>
  RICCI_INLINE void add(typename L::frame& f, index_t n) {
    (accumulator<L, Numbers, K, S>::template add<Whole>(f, n), ...);
  }
  RICCI_INLINE void join(accumulators const& other) { (accumulator<L, Numbers, K, S>::join(other), ...); }
  RICCI_INLINE void finish(core::any_element* results) const { (accumulator<L, Numbers, K, S>::finish(results), ...); }
  RICCI_INLINE void write(char* const* p) const { (accumulator<L, Numbers, K, S>::write(p), ...); }
};

template <class Code>
struct block;

template <int Slots, int Scalars, class... B, class... R, class... S>
struct block<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>> {
  using code = kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>;
  using the_row = row<code, code::strided != 0>;
  using L = typename the_row::L;
  using frame = typename L::frame;
  // as many accumulators as the kernel leaves registers for; one of plain integers, which the compiler vectorises (of
  // four, g++ 12 leaves some out at -O3, also where what is counted are comparisons of floats)
  static constexpr int ways = L::width == 1 && (std::is_integral_v<type_of<S::type>> || ...) ? 1
                              : sizeof...(R) <= 4                                            ? 4
                              : sizeof...(R) <= 8                                            ? 2
                                                                                             : 1;

  // of the one sink, if all that the kernel reduces are conditions, number by number
  static constexpr int condition = L::width == 1 ? counted<kernel::sinks<S...>, R...> : -1;
  RICCI_INLINE static void count(row_pointers& p, scalar_value const* scalars, index_t begin, index_t end,
                                 core::any_element* results, index_t rows, index_t const* down) {
    index_t trues = 0, n = 0;
    for (;;) {
      bool const last = !runs_of_rows || --rows <= 0;
      trues += count_conditions<the_row, condition>(p, scalars, begin, end), n += end - begin;
      if (last || !results) (put<S>(trues, n, p, results), ...), trues = n = 0;
      if (last) return;
      the_row::move_down(p, down);
    }
  }

  // Elements [begin, end), number by number in one way, in a loop that is vectorised.
  template <class Accumulators>
  RICCI_VECTORISED static void reduce_numbers(row_pointers const& from, scalar_value const* scalars, index_t begin,
                                              index_t end, Accumulators& to) {
    row_pointers p;
    the_row::point(p, from.p, from.stride);
    frame f;
    the_row::begin(f, p, scalars);
    Accumulators a;
    a.clear();
    for (; begin < end; ++begin) the_row::template elements<true>(f, p, begin, 1), a.template add<true>(f, 0);
    to = a;
  }

  // Ways are counted by the compiler, so that each accumulator is a register of the machine, not an element of an
  // array.
  template <int... W>
  RICCI_INLINE static void run(std::integer_sequence<int, W...>, char* const* operands, scalar_value const* scalars,
                               index_t begin, index_t end, index_t const* strides, core::any_element* results,
                               index_t rows, index_t const* down) {
    if constexpr (adds_complex_row<code>)
      return add_complex_rows<R..., S...>(operands, begin, end, results, rows, down);
    row_pointers p;
    the_row::point(p, operands, strides);
    if constexpr (condition >= 0) return count(p, scalars, begin, end, results, rows, down);
    if constexpr (shares_registers)
      if (begin == 0 && end <= longest_short_row && !results && end > 0)
        return add_short_rows(p, scalars, end, rows, down);
    if constexpr (adds_rows_of_numbers)
      if (end - begin <= longest_row_of_numbers && !results)
        return add_rows_of_numbers(p, scalars, begin, end, rows, down);
    using all = accumulators<L, the_row::ends_in_numbers, std::make_integer_sequence<int, sizeof...(S)>, S...>;
    all a[ways];
    for (;;) {
      (a[W].clear(), ...);
      for (;;) {
        index_t i = begin;
        frame f;
        if constexpr (is_vectorised<L> && ways == 1)
          if (end - begin >= many_numbers) {
            all of_row;
            reduce_numbers(p, scalars, begin, end, of_row);
            a[0].join(of_row);
            i = end;
          }
        if (i == begin) the_row::begin(f, p, scalars);
        if constexpr (ways > 1 || !the_row::goes_in_parts)
          for (; i + ways * L::width <= end; i += ways * L::width)
            ((the_row::template elements<true>(f, p, i + W * L::width, L::width), a[W].template add<true>(f, 0)), ...);
        if constexpr (the_row::ends_in_numbers) {
          for (; i + L::width <= end; i += L::width)
            the_row::template elements<true>(f, p, i, L::width), a[0].template add<true>(f, 0);
          if (i < end) add_numbers(a[0], p, scalars, i, end);
        } else {
          for (; i < end; i += L::width) add_batch(a[0], f, p, i, end - i < L::width ? end - i : L::width);
        }
        if (!results || !runs_of_rows || --rows <= 0) break;
        the_row::move_down(p, down);
      }
      if (end - begin >= ways * L::width) {  // else the others hold nothing
        if constexpr (ways == 4) a[0].join(a[2]), a[1].join(a[3]);
        if constexpr (ways >= 2) a[0].join(a[1]);
      }
      if (results) return a[0].finish(results);
      a[0].write(p.p);
      if (!runs_of_rows || --rows <= 0) return;
      the_row::move_down(p, down);
    }
  }
  // Rows of at most a register, several of them in one where that is possible, and of operators those of a few
  // registers. (Of conditions in memory no instruction loads a part.)
  static constexpr bool shares_registers = the_row::shares_registers && ((S::type != dtype::boolean) && ...);
  // (of the longest ones four accumulators are the faster way where parts are loaded by halves)
  static constexpr index_t longest_short_row = [] {
    if constexpr (shares_registers && code::of_operators)
      return 4 * L::width - !L::loads_parts;
    else
      return L::width;
  }();
  using row_sums = accumulators<L, false, std::make_integer_sequence<int, sizeof...(S)>, S...>;
  RICCI_INLINE static void add_short_rows(row_pointers& p, scalar_value const* scalars, index_t n, index_t rows,
                                          index_t const* down) {
    bool const halves = n <= L::width / 2;
    if constexpr (code::of_operators)
      if (!halves) {
        for (;; the_row::move_down(p, down)) {
          frame f;
          the_row::begin(f, p, scalars);
          row_sums a;
          a.clear();
          for (index_t i = 0; i < n; i += L::width) {
            index_t const taken = n - i < L::width ? n - i : L::width;
            the_row::template elements<false>(f, p, i, taken);
            a.template add<false>(f, taken);
          }
          a.write(p.p);
          if (--rows <= 0) return;
        }
      }
    typename the_row::shared_rows const r(p, n, rows, down);
    sums_within_rows<typename L::value_type> const within(halves ? n : 1);
    for (;; r.move_down(p)) {
      index_t const taken = r.together < rows ? r.together : rows;
      frame f;
      r.begin(f, p, scalars, down, taken);
      the_row::template elements<false>(f, p, 0, n * taken);
      if (code::of_operators || halves)
        (write_rows<S>(within, f, p, n, taken, down), ...);
      else {
        row_sums a;
        a.clear();
        a.template add<false>(f, n);
        a.write(p.p);
      }
      if ((rows -= taken) <= 0) return;
    }
  }
  template <class Sink, class Sums>
  RICCI_INLINE static void write_rows(Sums const& within, frame& f, row_pointers const& p, index_t n, index_t taken,
                                      index_t const* down) {
    if constexpr (reduces_row<Sink>) {
      using T = type_of<Sink::type>;
      auto const x = within.template operator()<typename Sink::operation, Sink::type>(
          L::template at<Sink::index, Sink::type>(f), n);
      if (taken == 1 || down[Sink::slot] == index_t(sizeof(T)))
        return L::template store_first<Sink::type>(x, p.p[Sink::slot], 0, taken);
      L::template scatter<Sink::type>(x, p.p[Sink::slot], 0, down[Sink::slot], taken);
    }
  }
  // Elsewhere rows of few elements are added up one by one: what registers need before and after them would be most.
  static constexpr bool adds_rows_of_numbers =
      !shares_registers && L::width > 1 && !RICCI_VECTOR_LANES && code::of_operators && code::length <= 16;
  static constexpr index_t longest_row_of_numbers = L::width > 6 ? 6 : 3;
  RICCI_INLINE static void add_rows_of_numbers(row_pointers& p, scalar_value const* scalars, index_t begin, index_t end,
                                               index_t rows, index_t const* down) {
    for (;;) {
      accumulators<scalar_lanes, true, std::make_integer_sequence<int, sizeof...(S)>, S...> a;
      a.clear();
      add_numbers(a, p, scalars, begin, end);
      a.write(p.p);
      if (--rows <= 0) return;
      the_row::move_down(p, down);
    }
  }
  template <class Accumulators>
  RICCI_INLINE static void add_numbers(Accumulators& a, row_pointers const& p,
                                       [[maybe_unused]] scalar_value const* scalars, index_t i, index_t end) {
    scalar_lanes::frame f;
    (start<scalar_lanes>(B{}, f, p, scalars), ...);
    for (; i < end; ++i) {
      (compute<scalar_lanes, the_row::gathers, true>(R{}, f, p, i, 1), ...);
      (sink<scalar_lanes, the_row::gathers, true>(S{}, f, p, i, 1), ...);
      a.add_number(f);
    }
  }
  // n elements from i on, at most a batch. The last ones are brought into a batch of their own where no part of a
  // register can be loaded; the lanes that are too many are masked.
  template <class Accumulators>
  RICCI_INLINE static void add_batch(Accumulators& a, frame& f, row_pointers const& p, index_t i, index_t n) {
    if constexpr (the_row::ends_in_part || the_row::takes_parts) {
      the_row::template elements<false>(f, p, i, n);
      a.template add<false>(f, n);
    } else if constexpr (L::width == 1) {
      the_row::template elements<true>(f, p, i, n);
      a.template add<true>(f, n);
    } else {
      bool const last = n < L::width;
      row_tail tail;
      row_pointers at;
      the_row::point(at, p.p, p.stride);
      if (last) {
        (enter < the_row::gathers, mixes_types<L> ? L::width : 0, R > (tail, at, i, n), ...);
        (enter < the_row::gathers, mixes_types<L> ? L::width : 0, S > (tail, at, i, n), ...);
      }
      the_row::template elements<true>(f, at, last ? 0 : i, n);
      if (last) {
        a.template add<false>(f, n);
        (leave<the_row::gathers, S>(tail, p.p, i, n), ...);
      } else {
        a.template add<true>(f, n);
      }
    }
  }
  // A whole row of few elements, whose number the compiler knows, to where the results belong.
  RICCI_INLINE static void run_row(char* const* operands, scalar_value const* scalars, index_t n) {
    row_pointers p;
    the_row::point(p, operands, nullptr);
    frame f;
    the_row::begin(f, p, scalars);
    accumulators<L, false, std::make_integer_sequence<int, sizeof...(S)>, S...> a;
    a.clear();
    index_t i = 0;
    for (; i + L::width <= n; i += L::width)
      the_row::template elements<true>(f, p, i, L::width), a.template add<true>(f, 0);
    if constexpr (L::width > 1)
      if (i < n) the_row::template elements<false>(f, p, i, n - i), a.template add<false>(f, n - i);
    a.write(operands);
  }
  // A row of at most block_length elements, to where the results belong.
  RICCI_INLINE static void call_for_row(char* const* p, scalar_value const* scalars, index_t n) {
    function(p, scalars, 0, n, nullptr, nullptr, 1, nullptr);
  }
  RICCI_NOINLINE static void function(char* const* p, scalar_value const* scalars, index_t begin, index_t end,
                                      index_t const* strides, core::any_element* results, index_t rows,
                                      index_t const* down) {
    run(std::make_integer_sequence<int, ways>{}, p, scalars, begin, end, strides, results, rows, down);
  }

 private:
  template <class Sink>
  RICCI_INLINE static void put(index_t trues, index_t n, row_pointers const& p, core::any_element* results) {
    auto const x = static_cast<type_of<Sink::type>>(Sink::operation::of_count(trues, n));
    if (results)
      results[0].set(x);
    else
      *reinterpret_cast<type_of<Sink::type>*>(p.p[Sink::slot]) = x;
  }
};

template <class Op, class T>
RICCI_VECTORISED void combine_side_by_side(T* __restrict to, T const* __restrict from, index_t n) {
  for (index_t i = 0; i < n; ++i) to[i] = static_cast<T>(Op::combine(to[i], from[i]));
}
// A reduction of numbers of one type, without the kernel that makes them.
template <class Op, dtype D>
struct reduction {
  using T = type_of<D>;
  static void identity(core::any_element& x) { x.set(T(Op::template identity<T>)); }
  static void combine(core::any_element& a, core::any_element const& b) {
    a.set(static_cast<T>(Op::combine(a.get<T>(), b.get<T>())));
  }
  static void combine_rows(char* to, index_t to_stride, char const* from, index_t from_stride, index_t n) {
    constexpr index_t size = sizeof(T);
    if (to_stride == size && from_stride == size)
      return combine_side_by_side<Op>(reinterpret_cast<T*>(to), reinterpret_cast<T const*>(from), n);
    for (index_t i = 0; i < n; ++i) {
      T& x = *reinterpret_cast<T*>(to + i * to_stride);
      x = static_cast<T>(Op::combine(x, *reinterpret_cast<T const*>(from + i * from_stride)));
    }
  }
  static void fill_row(char* to, index_t stride, index_t n) {
    T const x = Op::template identity<T>;
    if (stride == sizeof(T)) return exec::fill_row(to, reinterpret_cast<char const*>(&x), int(sizeof(T)), n);
    for (index_t i = 0; i < n; ++i) *reinterpret_cast<T*>(to + i * stride) = x;
  }
  static void write(char* to, core::any_element const& x) { *reinterpret_cast<T*>(to) = x.get<T>(); }

  static bool settled([[maybe_unused]] core::any_element const& x) {
    if constexpr (settles)
      return Op::settled(x.get<T>());
    else
      return false;
  }
  static constexpr bool settles = D == dtype::boolean && requires { Op::settled(true); };

  static constexpr reduction_info info{&identity, &combine, &combine_rows,
                                       &fill_row, &write,   settles ? &settled : nullptr};
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
