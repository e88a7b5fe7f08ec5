// Maps that are launched together: what an update of a record launches, that steps of all shapes are right in such a
// launch, and that what depends on another is not in one with it, also where that shows only when it runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "there.hpp"

namespace rc = ricci;

namespace {

auto waves(rc::index_t rows, rc::index_t columns, double start) {
  return rc::eval(rc::reshape(rc::sin(start + rc::arange<double>(rows * columns)), rc::shape(rows, columns)));
}
template <class X, class Y>
void check_near(X const& got, Y const& expected) {
  CHECK(elements(got).near(numbers(expected), 1e-12));
}
// f there and here; how many kernels were launched
template <class F, class... A>
long compare(F const& f, A const&... a) {
  auto const on_device = std::tuple(rc::copy(a, there)...);
  runtime.forget_counts();
  auto const got = std::apply([&](auto const&... x) { return rc::fn(f)(x...); }, on_device);
  long const launches = runtime.count("cudaLaunchKernel");
  auto const expected = rc::fn(f)(a...);
  [&]<std::size_t... K>(std::index_sequence<K...>) { (check_near(std::get<K>(got), std::get<K>(expected)), ...); }
  (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(got)>>>{});
  return launches;
}
constexpr auto moved = [](auto const& w, auto const& g) { return w - 0.1 * g / (1. + rc::square(g)); };

}  // namespace

TEST_CASE("maps over different extents are one launch") {
  auto const f = [](auto a, auto b, auto c) {
    return std::tuple(moved(a, 2. * a), moved(b, b), rc::exp(c), a.T() * 3., rc::flip(c));
  };
  // whole packs, rows with an end, none at all
  for (rc::index_t n : {0, 1, 3, 8, 300}) {
    INFO(n);
    CHECK(compare(f, waves(n, 4, .1), waves(5, n, .2), waves(3, 7, .3)) == 1);
  }
}

TEST_CASE("a map waits for what does not depend on it, and goes before what does") {
  auto const f = [](auto a, auto b) {
    auto const y = rc::exp(a);  // waits,
    auto const s = rc::sum(rc::square(b), rc::axis<0>);
    auto const z = rc::sin(s);  // is read at once,
    auto const m = rc::matmul(a, b);
    return std::tuple(y, rc::outer(z, z), m + 1., rc::cumulative_sum(z));
  };
  CHECK(compare(f, waves(6, 5, .1), waves(5, 9, .2)) <= 5);
  // a chain of steps over other elements each time
  auto const chain = [](auto a) {
    auto const y = rc::exp(a) + rc::sum(a, rc::axis<1>, rc::keepdims);
    return std::tuple(rc::cumulative_sum(y, rc::axis<0>) * 2., rc::cumulative_sum(a, rc::axis<0>) * 3.);
  };
  compare(chain, waves(6, 5, .1));
}

TEST_CASE("results where arguments lie") {
  auto const ha = waves(4, 3, .1), hb = waves(4, 6, .2);
  auto a = rc::copy(ha, there), b = rc::copy(hb, there), c = rc::eval(a * 0.);
  // the second is written where the first one's operand lies
  rc::fn([](auto p, auto q) { return std::tuple(q * 2., p + 1.); }).into(c, a)(a, a);
  check_near(c, rc::eval(ha * 2.));
  check_near(a, rc::eval(ha + 1.));
  // a part of an argument is read, all of it written
  rc::fn([](auto p, auto q) { return std::tuple(q(rc::all, rc::range(0, 3)) * p, q + 1.); }).into(a, b)(a, b);
  check_near(a, rc::eval(hb(rc::all, rc::range(0, 3)) * (ha + 1.)));
  check_near(b, rc::eval(hb + 1.));
  // each takes the other's place
  a = rc::copy(ha, there), c = 5. * a;
  rc::fn([](auto p, auto q) { return std::tuple(q + 0.5, rc::flip(p)); }).into(a, c)(a, c);
  check_near(a, rc::eval(ha * 5. + 0.5));
  check_near(c, rc::eval(rc::flip(ha)));
}

TEST_CASE("maps in loops") {
  auto const f = [](auto a, auto b) {
    return rc::scan(
        [](auto const& carry, auto const& row) {
          auto const [x, y] = carry;
          return std::tuple(std::tuple(rc::sin(x) + row, y * 0.5 + rc::sum(x)), rc::cos(y));
        },
        std::tuple(b, rc::square(b(rc::range(0, 2)))), a);
  };
  auto const ha = waves(5, 3, .1);
  auto const hb = rc::eval(ha(0));
  auto const [hc, hy] = rc::fn(f)(ha, hb);
  auto const [c, y] = rc::fn(f)(rc::copy(ha, there), rc::copy(hb, there));
  CHECK(elements(y).near(numbers(hy), 1e-12));
  CHECK(elements(std::get<0>(c)).near(numbers(std::get<0>(hc)), 1e-12));
  CHECK(elements(std::get<1>(c)).near(numbers(std::get<1>(hc)), 1e-12));
}

TEST_CASE("a map of more elements than indices of 32 bits are for is split along its longest loop") {
  for (auto const& [length, half] : {std::pair<rc::index_t, rc::index_t>{7, 3}, {130, 64}, {1000, 448}}) {
    INFO(length);
    rc::exec::device_geometry g;
    g.loops = g.slots = 2;
    g.extent[0] = length, g.extent[1] = 5;
    g.stride[0][0] = 20, g.stride[0][1] = 0, g.stride[1][0] = g.stride[1][1] = 4;
    char memory[20 * 1000 + 1];
    g.p[0] = memory, g.p[1] = memory + 1;
    auto const rest = rc::exec::second_half(g);
    CHECK(g.extent[0] == half);
    CHECK(rest.extent[0] == length - half);
    CHECK(rest.extent[1] == 5);
    CHECK(rest.p[0] == memory + 20 * half);
    CHECK(rest.p[1] == memory + 1);
  }
}

TEST_CASE("rows of all lengths, shifted, transposed and by steps, of elements of all sizes") {
  auto const check_all = [](auto const& h) {
    auto const x = rc::copy(h, there);
    auto const is_equal = [](auto const& got, auto const& expected) {
      CHECK(elements(rc::eval(got)) == numbers(rc::eval(expected)));
    };
    auto const of = [&](auto const& f) { is_equal(f(x), f(h)); };
    rc::index_t const rows = h.shape()[0], columns = h.shape()[1];
    of([](auto const& a) { return a + a; });
    of([](auto const& a) { return a + a(0); });
    of([](auto const& a) { return a + a(rc::all, rc::range(0, 1)); });
    of([](auto const& a) { return a.T() + a.T(); });
    of([](auto const& a) { return rc::flip(a.T()); });
    // neither side begins where packs may, and results are written within others
    of([&](auto const& a) { return a(rc::all, rc::range(1, columns)) - a(rc::all, rc::range(0, columns - 1)); });
    of([&](auto const& a) { return a(rc::range(1, rows), rc::range(1, columns)).T(); });
    of([&](auto const& a) { return a(rc::all, rc::range(columns - 1, 0, -2)); });
    auto const write = [&](auto const& from, auto to) {
      to(rc::range(1, columns), rc::range(1, rows)) = from(rc::range(1, rows), rc::range(1, columns)).T();
      return to;
    };
    is_equal(write(x, rc::eval(x.T())), write(h, rc::eval(h.T())));
    // more loops
    of([&](auto const& a) {
      return rc::permute_dims(rc::reshape(a, rc::shape(2, rows / 2, columns)), rc::axis<2, 0, 1>);
    });
    of([&](auto const& a) {
      return rc::permute_dims(rc::reshape(a, rc::shape(2, rows / 2, columns)), rc::axis<0, 2, 1>);
    });
    of([&](auto const& a) {
      return rc::permute_dims(rc::reshape(a, rc::shape(2, rows / 2, columns)), rc::axis<2, 1, 0>);
    });
  };
  for (auto const& [rows, columns] :
       {std::pair<rc::index_t, rc::index_t>{2, 2}, {8, 8}, {66, 35}, {40, 64}, {4, 300}}) {
    INFO(rows, " rows of ", columns);
    auto const h = rc::eval(rc::round(50. * waves(rows, columns, .1)));
    check_all(h);
    check_all(rc::eval(rc::astype<float>(h)));
    check_all(rc::eval(rc::astype<std::int8_t>(h)));
    check_all(rc::eval(rc::astype<std::complex<double>>(h)));
  }
}

// How often each element belongs to a unit of some index: once.
TEST_CASE("indices of maps are dealt every element once") {
  namespace e = rc::exec;
  auto const dealt_once = [](int width, bool packed, rc::index_t outer, rc::index_t rows, rc::index_t length,
                             bool tiled) {
    e::map_units const u = e::units_of_map(width, packed, length, tiled ? rows : 0);
    rc::index_t const all = outer * rows;
    std::vector<int> met(std::size_t(all * length));
    for (rc::index_t i = 0; i < e::indices_of_map(u, all, tiled ? rows : 1); ++i) {
      auto const n = static_cast<std::uint32_t>(i);
      e::map_place const at =
          tiled ? e::place_in_tiles(u, n, static_cast<std::uint32_t>(rows), width) : e::place_in_rows(u, n);
      if (at.row == e::map_place::none) continue;
      for (int k = 0; k < width; ++k) {
        rc::index_t const element = e::first_of_unit(u, at.unit, width) + (rc::index_t(k) << u.shift);
        if (element < length) ++met[std::size_t(at.row * length + element)];
      }
    }
    return std::all_of(met.begin(), met.end(), [](int times) { return times == 1; });
  };
  for (int width : {1, 2, 4, 8, 16})
    for (bool packed : {false, true})
      for (rc::index_t length : {1, 3, 7, 32, 33, 40, 67, 1000})
        for (rc::index_t rows : {1, 2, 9, 17, 33, 130}) {
          INFO(width, " ", packed, " ", rows, " rows of ", length);
          CHECK(dealt_once(width, packed, 1, rows, length, false));
          CHECK(dealt_once(width, packed, 2, rows, length, true));
        }
}
