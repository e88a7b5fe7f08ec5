// Reductions by the kernels that run under CUDA, executed by a runtime that stands in for it: rows, columns and several
// loops of all lengths at which threads are dealt differently; how often a kernel is launched, and over how many
// blocks.
#include <limits>

#include <doctest/doctest.h>

#include "there.hpp"

namespace rc = ricci;

namespace {

using rc::exec::grid_of_reduction, rc::exec::reduction_grid;
constexpr rc::index_t one = 1;

// every element of every segment belongs to one part of one team, and grids are launched whole
constexpr bool covers(reduction_grid const& g) {
  rc::index_t elements = 0;
  for (rc::index_t p = 0; p < g.outer_parts; ++p)
    for (rc::index_t q = 0; q < g.inner_parts; ++q)
      elements +=
          (rc::exec::part_begin(g.outer, p + 1, g.outer_parts) - rc::exec::part_begin(g.outer, p, g.outer_parts)) *
          (rc::exec::part_begin(g.inner, q + 1, g.inner_parts) - rc::exec::part_begin(g.inner, q, g.inner_parts));
  return elements == g.outer * g.inner && g.blocks() * g.teams() >= g.segments * g.parts() && g.row <= g.team &&
         g.team <= g.threads && g.threads % g.team == 0 && g.team % g.row == 0;
}
// few threads for a short row, in packs or not, up to a warp for a longer one, and more where rows are few
static_assert(grid_of_reduction(256, false, one << 20, 1, 64).team == 8);
static_assert(grid_of_reduction(256, false, one << 20, 1, 64).blocks() == one << 15);
static_assert(grid_of_reduction(256, false, one << 20, 1, 64 / 4, true, 2, 4).team == 4);
static_assert(grid_of_reduction(256, false, one << 16, 1, 1024 / 4, true, 2, 4).team == 32);
static_assert(grid_of_reduction(256, false, one << 20, 1, 3).team == 4);
static_assert(grid_of_reduction(256, false, 4096, 1, 1024).team == 64);
static_assert(grid_of_reduction(256, false, 64, 1, 1024).team == 256);
// few rows are split over many blocks, one of 2^33 elements exactly
static_assert(grid_of_reduction(256, false, 2, 1, one << 27).blocks() == 1024);
static_assert(grid_of_reduction(256, false, 1, 1, one << 33).parts() == one << 15);
static_assert(covers(grid_of_reduction(256, false, 2, 1, (one << 27) + 3)));
static_assert(covers(grid_of_reduction(256, false, 3, 1000, 7)));
// columns: 32 of them are read side by side, rows by 8 threads, in parts
static_assert(grid_of_reduction(256, true, 1024, 1, 65536).team == 8);
static_assert(grid_of_reduction(256, true, 1024, 1, 65536).blocks() == 6144);
static_assert(grid_of_reduction(256, true, 1024, 1, 64, false).team == 32);
static_assert(grid_of_reduction(256, true, 3, 1, 100000).team == 64);
static_assert(covers(grid_of_reduction(64, true, 5, 17, 300)));
// nothing to reduce, nothing to reduce it to
static_assert(grid_of_reduction(256, false, 5, 1, 0).blocks() == 1);
static_assert(grid_of_reduction(256, false, 0, 1, 5).blocks() == 0);

}  // namespace

TEST_CASE("rows and columns of many lengths") {
  for (rc::index_t rows : {1, 3, 33})
    for (rc::index_t columns : {0, 1, 5, 33, 257, 1100}) {
      INFO(rows, " rows of ", columns);
      auto const h = rc::eval(rc::reshape(rc::cos(3. * rc::arange<double>(rows * columns)), rc::shape(rows, columns)));
      auto const x = rc::copy(h, there);
      runtime.forget_counts();
      auto const sums = rc::eval(rc::sum(x * x, rc::axis<1>));
      CHECK(elements(sums).near(numbers(rc::eval(rc::sum(h * h, rc::axis<1>))), 1e-12));
      CHECK(runtime.count("cudaLaunchKernel") == 1);  // a copy launches none
      CHECK(elements(rc::eval(rc::sum(x, rc::axis<0>))).near(numbers(rc::eval(rc::sum(h, rc::axis<0>))), 1e-12));
    }
}

TEST_CASE("few long rows, and columns of many rows, are split over blocks") {
  auto const h = rc::eval(rc::reshape(rc::sin(rc::arange<double>(2 * 40001)), rc::shape(2, 40001)));
  auto const x = rc::copy(h, there);
  runtime.forget_counts();
  auto const largest = rc::eval(rc::max(x, rc::axis<1>));
  CHECK(elements(largest) == numbers(rc::eval(rc::max(h, rc::axis<1>))));
  REQUIRE(runtime.launches().size() == 2);
  CHECK(runtime.launches()[0].blocks == 8);
  runtime.forget_counts();
  auto const columns = rc::eval(x.T());
  auto const sums = rc::eval(rc::sum(columns, rc::axis<0>));
  CHECK(elements(sums).near(numbers(rc::eval(rc::sum(h, rc::axis<1>))), 1e-12));
  CHECK(runtime.launches().back().blocks == 1);
  CHECK(double(rc::sum(x)) == doctest::Approx(double(rc::sum(h))).epsilon(1e-12));
}

TEST_CASE("several loops, steps backwards, and what a step also stores") {
  auto const h = rc::eval(rc::reshape(rc::sin(rc::arange<double>(7 * 11 * 13)), rc::shape(7, 11, 13)));
  auto const x = rc::copy(h, there);
  auto const part = [](auto const& t) { return t(rc::all, rc::range(0, 11, 2), rc::range(12, 0, -3)); };
  CHECK(elements(rc::eval(rc::sum(part(x), rc::axis<0, 2>)))
            .near(numbers(rc::eval(rc::sum(part(h), rc::axis<0, 2>))), 1e-12));
  CHECK(double(rc::sum(part(x))) == doctest::Approx(double(rc::sum(part(h)))).epsilon(1e-12));
  CHECK(elements(rc::eval(rc::sum(x, rc::axis<1>))).near(numbers(rc::eval(rc::sum(h, rc::axis<1>))), 1e-12));
  auto const f = [](auto a) {
    auto y = rc::exp(a);
    return std::tuple(y, rc::sum(y, rc::axis<2>));
  };
  runtime.forget_counts();
  auto const [y, s] = rc::fn(f)(x);
  CHECK(runtime.count("cudaLaunchKernel") == 1);
  auto const [hy, hs] = rc::fn(f)(h);
  CHECK(elements(y).near(numbers(hy), 1e-12));
  CHECK(elements(s).near(numbers(hs), 1e-12));
}

TEST_CASE("how often kernels are launched") {
  auto const x = rc::ones<float>(rc::shape(8, 40), there);
  auto const launches = [](auto const& f) {
    runtime.forget_counts();
    f();
    return runtime.count("cudaLaunchKernel");
  };
  CHECK(launches([&] { (void)rc::eval(x * x + 2.f * x); }) == 1);
  CHECK(launches([&] { (void)rc::eval(rc::mean(x, rc::axis<1>)); }) == 1);
  CHECK(launches([&] { (void)rc::eval(rc::softmax(x, rc::axis<1>)); }) == 1);
}

TEST_CASE("packs of elements, and what is left over behind them") {
  for (rc::index_t n : {4, 7, 30, 1003, 40003}) {
    INFO(n);
    auto const h = rc::eval(rc::astype<float>(rc::round(9. * rc::sin(rc::arange<double>(3 * n)))));
    auto const x = rc::copy(h, there);
    CHECK(float(rc::sum(x)) == float(rc::sum(h)));
    CHECK(float(rc::max(x)) == float(rc::max(h)));
    // rows that begin where packs may, and rows that do not
    auto const rows = [n](auto const& t) { return rc::reshape(t, rc::shape(3, n)); };
    CHECK(elements(rc::eval(rc::sum(rows(x) * rows(x), rc::axis<1>))) ==
          numbers(rc::eval(rc::sum(rows(h) * rows(h), rc::axis<1>))));
    auto const part = [](auto const& t) { return t(rc::range(1, -1)); };
    CHECK(float(rc::sum(part(x))) == float(rc::sum(part(h))));
    // two operands, both as far behind one, and not
    auto const products = [&](auto const& t) {
      auto const a = t(rc::range(1, n)), b = t(rc::range(n + 1, 2 * n)), c = t(rc::range(n, 2 * n - 1));
      return std::tuple(rc::eval(rc::sum(a * b)), rc::eval(rc::sum(a * c)), rc::eval(rc::sum(a * rc::flip(c))));
    };
    auto const got = products(x);
    auto const expected = products(h);
    CHECK(float(std::get<0>(got)) == float(std::get<0>(expected)));
    CHECK(float(std::get<1>(got)) == float(std::get<1>(expected)));
    CHECK(float(std::get<2>(got)) == float(std::get<2>(expected)));
    auto const stored = rc::fn([](auto a) { return std::tuple(a + 1.f, rc::sum(a + 1.f, rc::axis<1>)); })(rows(x));
    CHECK(elements(std::get<0>(stored)) == numbers(rc::eval(rows(h) + 1.f)));
    CHECK(elements(std::get<1>(stored)) == numbers(rc::eval(rc::sum(rows(h) + 1.f, rc::axis<1>))));
  }
}

TEST_CASE("positions of extrema: the first of equal ones, and of NaN, wherever threads meet") {
  for (rc::index_t n : {1, 5, 64, 1000, 40001}) {
    INFO(n);
    auto h = rc::eval(rc::reshape(rc::round(3. * rc::sin(rc::arange<double>(3 * n))), rc::shape(3, n)));
    if (n > 100) h(1, 77) = h(1, 90) = std::numeric_limits<double>::quiet_NaN();
    h(2) = -std::numeric_limits<double>::infinity();
    auto const x = rc::copy(h, there);
    CHECK(elements(rc::eval(rc::argmax(x, rc::axis<1>))) == numbers(rc::eval(rc::argmax(h, rc::axis<1>))));
    CHECK(elements(rc::eval(rc::argmin(x, rc::axis<1>))) == numbers(rc::eval(rc::argmin(h, rc::axis<1>))));
    CHECK(elements(rc::eval(rc::argmax(x, rc::axis<0>))) == numbers(rc::eval(rc::argmax(h, rc::axis<0>))));
    CHECK(elements(rc::eval(rc::argmax(x.T(), rc::axis<0>))) == numbers(rc::eval(rc::argmax(h.T(), rc::axis<0>))));
    CHECK(elements(rc::eval(rc::argmin(x))) == numbers(rc::eval(rc::argmin(h))));
  }
}

TEST_CASE("running sums and products, forwards and backwards") {
  for (rc::index_t n : {1, 40, 1000, 4097, 9000}) {
    INFO(n);
    auto const h = rc::eval(rc::reshape(rc::round(5. * rc::sin(rc::arange<double>(3 * n))), rc::shape(3, n)));
    auto const x = rc::copy(h, there);
    CHECK(elements(rc::eval(rc::cumulative_sum(x, rc::axis<1>))) ==
          numbers(rc::eval(rc::cumulative_sum(h, rc::axis<1>))));
    CHECK(elements(rc::eval(rc::cumulative_sum(x.T(), rc::axis<0>))) ==
          numbers(rc::eval(rc::cumulative_sum(h.T(), rc::axis<0>))));
    auto const near_one = [](auto const& t) { return 1. + 1e-4 * t; };
    CHECK(elements(rc::eval(rc::cumulative_prod(near_one(x), rc::axis<1>)))
              .near(numbers(rc::eval(rc::cumulative_prod(near_one(h), rc::axis<1>))), 1e-11));
    auto const slope = rc::grad([](auto t) { return rc::sum(rc::cumulative_sum(t, rc::axis<1>) * t); });
    CHECK(elements(slope(x)) == numbers(slope(h)));
  }
}

TEST_CASE("rows that are added by index") {
  auto const add = rc::grad([](auto table, auto at, auto w) { return rc::sum(w * rc::take(table, at, rc::axis<0>)); });
  auto const table = rc::eval(rc::reshape(rc::arange<double>(50 * 3), rc::shape(50, 3)));
  auto const w = rc::eval(rc::reshape(rc::sin(rc::arange<double>(200 * 3)), rc::shape(200, 3)));
  auto at = rc::zeros<std::int64_t>(rc::shape(200));
  for (int k = 0; k < 200; ++k) at(k) = k * k % 50 - (k % 3 == 0 ? 50 : 0);
  CHECK(elements(add(rc::copy(table, there), rc::copy(at, there), rc::copy(w, there)))
            .near(numbers(add(table, at, w)), 1e-12));
}
