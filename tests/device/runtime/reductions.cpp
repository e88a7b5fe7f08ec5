// Reductions by the kernels that run under CUDA, executed by a runtime that stands in for it: rows, columns and several
// loops of all lengths at which threads are dealt differently; how often a kernel is launched, and over how many
// blocks.
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
// a warp for a short row, more threads where rows are few
static_assert(grid_of_reduction(256, false, one << 20, 1, 64).team == 32);
static_assert(grid_of_reduction(256, false, one << 20, 1, 64).blocks() == one << 17);
static_assert(grid_of_reduction(256, false, 4096, 1, 1024).team == 64);
static_assert(grid_of_reduction(256, false, 64, 1, 1024).team == 256);
// few rows are split over many blocks, one of 2^33 elements exactly
static_assert(grid_of_reduction(256, false, 2, 1, one << 27).blocks() == 1024);
static_assert(grid_of_reduction(256, false, 1, 1, one << 33).parts() == one << 15);
static_assert(covers(grid_of_reduction(256, false, 2, 1, (one << 27) + 3)));
static_assert(covers(grid_of_reduction(256, false, 3, 1000, 7)));
// columns: 32 of them are read side by side, rows by 8 threads, in parts
static_assert(grid_of_reduction(256, true, 1024, 1, 65536).team == 8);
static_assert(grid_of_reduction(256, true, 1024, 1, 65536).blocks() == 1024);
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
  CHECK(runtime.launches()[0].blocks == 18);
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
