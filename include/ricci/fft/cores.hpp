// The loops of the calls: transforms of complex numbers to complex ones, of real numbers to the first half of their
// spectrum, and of such a half to real numbers; rows side by side in lanes where they are short.
#pragma once

#include <ricci/fft/square.hpp>
#include <ricci/fft/transformer.hpp>
#include <ricci/ops/core_call.hpp>

RICCI_OPTIMIZED
namespace ricci::fft {
inline namespace RICCI_ABI {

// Whether rows of that length are transformed in lanes, eight at once: where that needs no more memory than there is on
// the stack, or a single one would need as much.
RICCI_HD constexpr bool takes_rows_in_lanes(index_t n) {
  return !RICCI_SMALL_STACK && has_stages(n) && (n <= 16 || (core::has_heap && n > 64 && n <= 256));
}

// What a transform is told: its direction, by what it is divided, and (of those from and to real numbers) whether what
// stands for two elements of the whole spectrum counts twice.
enum division { by_nothing, by_length, by_its_root };
struct manner {
  bool inverse, weighted;
  index_t division;
};
template <class T>
RICCI_HD constexpr T scale_of(index_t division, index_t n) {
  double const x = static_cast<double>(n);
  return division == by_nothing ? T(1) : static_cast<T>(1 / (division == by_length ? x : scalar::square_root(x)));
}

// Two arrays for transforms of length n, and what they read, in the workspace of a call.
template <class T>
struct arrays {
  split<T> a, b;
  T* room;

  static RICCI_HD constexpr index_t size(index_t n) {
    index_t const one = array_size(n), many = lanes * n;
    return takes_rows_in_lanes(n) && many > one ? many : one;
  }
  static RICCI_HD constexpr index_t workspace(index_t n) {
    return 4 * size(n) + table_size(n) + (takes_rows_in_lanes(n) ? stage_table<lanes>::size(n) : 0);
  }
  RICCI_HD constexpr arrays(index_t n, T* memory)
      : a{memory, memory + size(n)}, b{a.im + size(n), a.im + 2 * size(n)}, room(b.im + size(n)) {}
};

template <int N>
using layout = std::integral_constant<int, N>;

// Runs `count` transforms of length n by a Plan, those by stages several in lanes: load(x, from, width, layout) puts
// rows from `from` on side by side, element k of row r to k * layout + r, and store(x, from, width, layout) takes the
// results. Swapped: real parts for imaginary ones.
template <class Plan, class T, class Load, class Store>
RICCI_HD constexpr void transform_rows(index_t n, index_t count, bool are_neighbours, bool swapped, arrays<T> memory,
                                       Load const& load, Store const& store) {
  auto const exchanged = [&](split<T> x) { return swapped ? split<T>{x.im, x.re} : x; };
  index_t row = 0;
  if constexpr (std::is_same_v<Plan, staged<T>>)
    if (count > 1 && takes_rows_in_lanes(n) && (are_neighbours || !runs_in_lanes(n))) {
      T const* const w = table_of<stage_table<lanes>>(n, memory.room);
      radices const factors(n);
      for (; row + 1 < count; row += lanes) {
        int const width = count - row < lanes ? int(count - row) : lanes;
        if (width < lanes)
          for (index_t k = 0; k < n * lanes; ++k) memory.a.re[k] = memory.a.im[k] = 0;
        load(exchanged(memory.a), row, width, layout<lanes>{});
        store(exchanged(run_stages<lanes>(factors, n, memory.a, memory.b, w, lanes)), row, width, layout<lanes>{});
      }
    }
  if (row >= count) return;
  Plan const t(n, memory.a, memory.b, memory.room);
  for (; row < count; ++row) {
    load(exchanged(memory.a), row, 1, layout<1>{});
    store(exchanged(t.run(memory.a, memory.b)), row, 1, layout<1>{});
  }
}

// Elements of n rows, as calls are given them. Complex numbers are two real ones each, but in constant expressions.
template <class E>
struct rows {
  E* p;
  index_t row, step;  // in elements
  RICCI_HD constexpr E& operator()(index_t r, index_t k) const { return p[r * row + k * step]; }
};
// Whether rows of such elements, computed in type T, are read and written by vectors.
template <class E, class T>
RICCI_HD constexpr bool has_vectors() {
  return vectors::exist<T> && std::is_same_v<E, T> && !__builtin_is_constant_evaluated();
}
// Real and imaginary parts of n complex numbers that lie side by side, as far as vectors go; where that ends is
// returned.
template <class T>
RICCI_NOINLINE index_t part_pairs(T const* p, index_t n, T* re, T* im) {
  using V = vectors::of<T>;
  index_t k = 0;
  for (; k + vectors::width<T> <= n; k += vectors::width<T>) {
    V a, b;
    vectors::load_pairs<T>(p + 2 * k, a, b);
    vectors::store<V>(re + k, a), vectors::store<V>(im + k, b);
  }
  return k;
}
// The other way round, times `scale`.
template <class T>
RICCI_NOINLINE index_t join_pairs(T* p, index_t n, T const* re, T const* im, T scale) {
  using V = vectors::of<T>;
  index_t k = 0;
  for (; k + vectors::width<T> <= n; k += vectors::width<T>)
    vectors::store_pairs<T>(p + 2 * k, scale * vectors::load<V>(re + k), scale * vectors::load<V>(im + k));
  return k;
}
// `width` rows side by side, element k of row r at k * Layout + r.
template <int Layout, class E, class T>
RICCI_NOINLINE RICCI_HD constexpr void load_complex(rows<std::complex<E> const> x, index_t n, int width, T* re, T* im) {
  index_t first = 0;
  if constexpr (std::is_same_v<E, T> && vectors::exist<T>)
    if (has_vectors<E, T>()) {
      E const* const p = reinterpret_cast<E const*>(x.p);
      if (Layout == 1 && x.step == 1) first = part_pairs(p, n, re, im);
      if (Layout > 1 && width == Layout && x.row == 1) {
        for (index_t k = 0; k < n; ++k) part_pairs<T>(p + 2 * k * x.step, Layout, re + k * Layout, im + k * Layout);
        return;
      }
    }
  for (index_t k = first; k < n; ++k)
    for (int r = 0; r < width; ++r) {
      std::complex<E> const z = x(r, k);
      re[k * Layout + r] = T(z.real()), im[k * Layout + r] = T(z.imag());
    }
}
template <int Layout, class E, class T>
RICCI_NOINLINE RICCI_HD constexpr void store_complex(rows<std::complex<E>> y, index_t n, int width, T const* re,
                                                     T const* im, T scale) {
  index_t first = 0;
  if constexpr (std::is_same_v<E, T> && vectors::exist<T>)
    if (has_vectors<E, T>()) {
      E* const p = reinterpret_cast<E*>(y.p);
      if (Layout == 1 && y.step == 1) first = join_pairs(p, n, re, im, scale);
      if (Layout > 1 && width == Layout && y.row == 1) {
        for (index_t k = 0; k < n; ++k)
          join_pairs<T>(p + 2 * k * y.step, Layout, re + k * Layout, im + k * Layout, scale);
        return;
      }
    }
  for (index_t k = first; k < n; ++k)
    for (int r = 0; r < width; ++r)
      y(r, k) = std::complex<E>(E(scale * re[k * Layout + r]), E(scale * im[k * Layout + r]));
}

// Calls core(plan, memory) with what runs transforms of length n of elements of type E and the workspace of a call for
// it: numbers of type E, but double for what is a convolution, whose errors are larger.
template <class E, class Core>
RICCI_HD constexpr void in_its_type(index_t n, E* workspace, Core const& core) {
  if (has_stages(n)) return core(std::type_identity<staged<E>>{}, workspace);
  if constexpr (!std::is_same_v<E, double>)
    if (!__builtin_is_constant_evaluated())
      return core(std::type_identity<convolved<double>>{}, reinterpret_cast<double*>(workspace));
  core(std::type_identity<convolved<E>>{}, workspace);
}
// numbers of type E for that
RICCI_NOINLINE RICCI_HD constexpr index_t workspace_of(index_t n) {
  return has_stages(n) ? arrays<double>::workspace(n) : 2 * arrays<double>::workspace(n);
}

// Each row by itself, in lanes, the last stage of which writes complex numbers side by side.
template <class T>
RICCI_NOINLINE void complex_rows_in_lanes(index_t n, index_t count, rows<std::complex<T> const> x,
                                          rows<std::complex<T>> y, bool swapped, T scale, arrays<T> memory) {
  staged<T> const t(n, memory.a, memory.b, memory.room);
  split<T> const a = swapped ? split<T>{memory.a.im, memory.a.re} : memory.a;
  for (index_t row = 0; row < count; ++row) {
    load_complex<1, T>({x.p + row * x.row, x.row, x.step}, n, 1, a.re, a.im);
    split<T> const z = run_stages<lanes>(t.factors, n / lanes, memory.a, memory.b, t.stages, lanes);
    T* const to = reinterpret_cast<T*>(y.p + row * y.row);
    combine_lanes<2>(z, swapped ? split<T>{to + 1, to} : split<T>{to, to + 1}, t.combining, n / lanes, scale);
  }
}

// y[k] = sum over j of x[j] exp(-+ 2 pi i j k / n)
template <class E, class T, class Plan>
RICCI_NOINLINE RICCI_HD constexpr void complex_core(std::type_identity<Plan>, index_t n, index_t count,
                                                    rows<std::complex<E> const> x, rows<std::complex<E>> y, manner how,
                                                    T* memory) {
  T const scale = scale_of<T>(how.division, n);
  bool const are_neighbours = x.row == 1 && y.row == 1;
  if constexpr (std::is_same_v<Plan, staged<E>> && vectors::exist<T>)
    if (!__builtin_is_constant_evaluated() && y.step == 1 && (count == 1 || !are_neighbours)) {
      if (x.step == 1 && square_rows(n, count, reinterpret_cast<T const*>(x.p), 2 * x.row, reinterpret_cast<T*>(y.p),
                                     2 * y.row, how.inverse ? T(-1) : T(1), scale))
        return;
      if (runs_in_lanes(n)) return complex_rows_in_lanes(n, count, x, y, how.inverse, scale, arrays<T>(n, memory));
    }
  transform_rows<Plan>(
      n, count, are_neighbours, how.inverse, arrays<T>(n, memory),
      [&](split<T> a, index_t from, int width, auto layout) {
        load_complex<layout.value, E>({x.p + from * x.row, x.row, x.step}, n, width, a.re, a.im);
      },
      [&](split<T> a, index_t from, int width, auto layout) {
        store_complex<layout.value, E>({y.p + from * y.row, y.row, y.step}, n, width, a.re, a.im, scale);
      });
}

}  // namespace RICCI_ABI
}  // namespace ricci::fft
RICCI_OPTIMIZED_END
