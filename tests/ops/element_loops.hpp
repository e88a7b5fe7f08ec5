// What the tests of element types share: functions over all kinds of loops give for elements of a type what they give
// for the widest of its kind, rounded to it, or modulo its size.
#pragma once

#include <doctest/doctest.h>

#include <limits>

#include "../numbers.hpp"
#include "own_calls.hpp"

namespace element_loops {

namespace rc = ricci;
using std::int64_t;

template <class T>
using wide = std::conditional_t<rc::is_complex_number<T>, std::complex<double>,
                                std::conditional_t<rc::is_floating(rc::dtype_of<T>), double, int64_t>>;
template <class T>
using index = std::conditional_t<rc::is_inexact(rc::dtype_of<T>), int, T>;

// Integers over the whole range of T, the ends among them; floats that are small integers, so that sums are exact.
template <class V, class T>
rc::ndarray<V, 2> sample(rc::index_t rows, rc::index_t columns, std::uint64_t step) {
  rc::ndarray<V, 2> x(rows, columns);
  for (rc::index_t k = 0; k < x.size(); ++k) {
    std::uint64_t const n = std::uint64_t(k) * step;
    if constexpr (rc::is_complex_number<T>)
      x.data()[k] = V(rc::component_t<V>(int(n % 17) - 8), rc::component_t<V>(int(n % 13) - 6));
    else if constexpr (rc::is_floating(rc::dtype_of<T>))
      x.data()[k] = V(int(n % 17) - 8);
    else
      x.data()[k] = V(static_cast<T>(std::numeric_limits<T>::max() + n));
  }
  return x;
}
// the elements of a result as those of T
template <class T, class X>
numbers rounded(X const& x) {
  numbers n(x);
  if constexpr (!rc::is_complex_number<T>)
    for (std::size_t k = 0; k < n.values.size(); ++k) n.values[k] = double(static_cast<T>(x.data()[k]));
  return n;
}
// Compiled on tensors of T, and interpreted on the wide type, which is another program and has no such loops.
template <class T, class F>
void like_wide(F f) {
  constexpr std::uint64_t a = 0x25a5a5b1, b = 0x01030507;
  for (rc::index_t n : {3, 53}) {
    auto const expected = rc::interpret(f)(sample<wide<T>, T>(37, n, a), sample<wide<T>, T>(37, n, b));
    auto const y = rc::fn(f)(sample<T, T>(37, n, a), sample<T, T>(37, n, b));
    bool const same = numbers(y) == rounded<typename decltype(y)::value_type>(expected);
    CHECK(same);
  }
}
// Functions with several results, on tensors of T as `run` computes them, and interpreted on the wide type.
template <class T, class F, class Run>
void all_like_wide(F f, Run const& run) {
  constexpr std::uint64_t a = 0x25a5a5b1, b = 0x01030507;
  for (rc::index_t n : {1, 3, 16, 53}) {
    auto const expected = rc::interpret(f)(sample<wide<T>, T>(7, n, a), sample<wide<T>, T>(7, n, b));
    auto const y = run(f, sample<T, T>(7, n, a), sample<T, T>(7, n, b));
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      auto const check = [&](std::size_t k, auto const& of, auto const& wanted) {
        CAPTURE(k);
        CAPTURE(n);
        CHECK(numbers(of) == rounded<typename std::remove_cvref_t<decltype(of)>::value_type>(wanted));
      };
      (check(K, std::get<K>(y), std::get<K>(expected)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(y)>>>{});
  }
}
// Loops that are regions, rows by index of each element's own, rows that are added, tables, and calls of a program's
// own (own_calls.hpp), for elements of any size.
template <class T, class Run>
void check_regions_and_calls(Run const& run) {
  all_like_wide<T>(
      [](auto a, auto b) {
        auto [last, all] = rc::scan([](auto h, auto x) { return std::pair(h + x, h - x); }, rc::zeros_like(a(0)), b);
        auto const repeated = rc::fori_loop(
            0, 5, [](auto, auto s) { return s + rc::flip(s); }, a(1));
        auto const chosen = rc::cond(
            rc::sum(rc::astype<double>(rc::real(a))) > 0., [](auto x, auto y) { return x + y; },
            [](auto x, auto y) { return x - y; }, a.T(), b.T());
        auto const rows = rc::astype<int64_t>(rc::arange<int>(9, rc::like(a))) % 7;
        auto added = b;
        added(rows).add(rc::take(a, (rows + 2) % 7, rc::axis<0>));
        auto const own = rc::astype<int64_t>(rc::abs(rc::real(b))) % 7;
        return std::tuple(last, all, repeated, chosen, added, rc::take_along_axis(a, own, rc::axis<0>));
      },
      run);
  all_like_wide<T>(
      [](auto a, auto b) {
        constexpr rc::tensor<T, 5> numbers_of_the_plan{T(1), T(2), T(3), T(4), T(5)};
        auto const table = rc::take(numbers_of_the_plan * a(0, 0), rc::arange<int>(3, rc::like(a)), rc::axis<0>);
        auto [rows, first, last] = own_calls::turned(a);
        auto [columns, top, bottom] = own_calls::turned(b.T());
        return std::tuple(table, rows, first, last, columns, top, bottom, own_calls::sum_of_ends(a),
                          own_calls::sum_of_ends(b, rc::axis<0>));
      },
      run);
}
// Loops over elements that need no order.
template <class T>
void check_loops_of_all() {
  // strided, reversed, repeated, all of them in one kernel
  like_wide<T>([](auto a, auto b) { return a.T() + b.T() * 3; });
  like_wide<T>([](auto a, auto b) { return rc::flip(a) - rc::flip(b, rc::axis<1>); });
  like_wide<T>([](auto a, auto b) { return a(rc::range<0, 30, 3>(), rc::all) * b(rc::range<10, 0, -1>(), rc::all); });
  like_wide<T>(
      [](auto a, auto b) { return a(rc::all, rc::range<0, 1>()) * b(0) + b(rc::all, 1)(rc::all, rc::newaxis); });
  like_wide<T>([](auto a, auto b) {
    b(rc::range<30, 0, -1>(), 1) = a(rc::range<0, 30>(), 2);
    b(rc::all, 0) = a(rc::all, 1) + 1;
    return b;
  });
  // reductions of columns and of all; rows by index, parts, products
  like_wide<T>([](auto a, auto b) { return rc::sum(a, rc::axis<0>) + rc::sum(rc::astype<int64_t>(b)); });
  like_wide<T>([](auto a, auto b) { return rc::sum(a, rc::axis<1>) + rc::cumulative_sum(b, rc::axis<0>)(0, 0); });
  like_wide<T>([](auto a, auto b) {
    auto const rows = rc::arange<index<T>>(9, rc::like(a)) * 3;
    b(rows) = rc::take(a, rows + 2, rc::axis<0>);
    return b;
  });
  like_wide<T>([](auto a, auto b) { return rc::concat(a, b, a, rc::axis<1>); });
  like_wide<T>([](auto a, auto b) { return rc::matmul(a, b.T()); });
}
template <class T>
void check_loops() {
  check_loops_of_all<T>();
  like_wide<T>([](auto a, auto b) { return rc::min(a, rc::axis<1>) + rc::max(b, rc::axis<1>); });
  like_wide<T>(
      [](auto a, auto b) { return rc::astype<int>(rc::any(a == 0, rc::axis<0>)) + rc::argmax(b, rc::axis<0>); });
  like_wide<T>([](auto a, auto b) { return rc::cumulative_sum(a, rc::axis<0>) + rc::argmin(b, rc::axis<1>)(0); });
  like_wide<T>([](auto a, auto b) { return rc::sort(a, rc::axis<0>) + rc::argsort(b, rc::axis<0>)(0); });
}

}  // namespace element_loops
