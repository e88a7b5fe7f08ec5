// Steps that go row by row, as one kernel: softmax, layer norms, losses and their gradients, over rows of lengths at
// which threads are dealt differently; and where they may not be one.
#include <ricci/nn/cross_entropy.hpp>

#include <doctest/doctest.h>

#include "there.hpp"
//
#include "../../raised.hpp"

namespace rc = ricci;

namespace {

auto waves(rc::index_t rows, rc::index_t columns, double start) {
  return rc::eval(rc::reshape(rc::sin(start + 3. * rc::arange<double>(rows * columns)), rc::shape(rows, columns)));
}
// f there and here; how many kernels were launched
template <class F, class... A>
long compare(F const& f, A const&... a) {
  auto const on_device = std::tuple(rc::copy(a, there)...);
  runtime.forget_counts();
  auto const got = std::apply([&](auto const&... x) { return f(x...); }, on_device);
  long const launches = runtime.count("cudaLaunchKernel");
  CHECK(elements(got).near(numbers(f(a...)), 1e-11));
  return launches;
}
constexpr auto norm_of_rows = [](auto x) {
  auto const centred = x - rc::mean(x, rc::axis<1>, rc::keepdims);
  return centred / rc::sqrt(rc::mean(rc::square(centred), rc::axis<1>, rc::keepdims) + 1e-5);
};
constexpr auto cross_entropy = [](auto z, auto y) {
  return rc::logsumexp(z, rc::axis<1>) - rc::sum(z * y, rc::axis<1>);
};
constexpr auto softmax = [](auto const& x) { return rc::eval(rc::softmax(x, rc::axis<1>)); };

}  // namespace

TEST_CASE("softmax, layer norms and losses of rows are one launch each") {
  for (rc::index_t rows : {1, 5, 70})
    for (rc::index_t columns : {1, 3, 33, 300}) {
      INFO(rows, " rows of ", columns);
      auto const x = waves(rows, columns, .1), y = waves(rows, columns, .2);
      CHECK(compare(softmax, x) == 1);
      CHECK(compare([](auto const& a) { return rc::eval(a - rc::logsumexp(a, rc::axis<1>, rc::keepdims)); }, x) == 1);
      CHECK(compare(rc::fn(norm_of_rows), x) == 1);
      CHECK(compare(rc::fn(cross_entropy), x, y) == 1);
    }
}

TEST_CASE("their gradients") {
  auto const of_softmax = rc::grad([](auto x, auto w) { return rc::sum(w * rc::softmax(x, rc::axis<1>)); });
  auto const of_norm = rc::grad([](auto x, auto w) { return rc::sum(w * norm_of_rows(x)); });
  auto const of_loss = rc::grad([](auto z, auto y) { return rc::sum(cross_entropy(z, y)); });
  auto const of_mean = rc::grad([](auto z, auto y) { return rc::mean(cross_entropy(z, y)); });
  // of 40, warps of a block have several rows each, and need not wait for one another
  for (rc::index_t columns : {3, 40, 140}) {
    INFO(columns);
    auto const x = waves(70, columns, .1), y = waves(70, columns, .2);
    CHECK(compare(of_softmax, x, y) == 1);
    CHECK(compare(of_norm, x, y) == 1);
    CHECK(compare(of_loss, x, y) == 1);
    CHECK(compare(of_mean, x, y) == 2);  // one over the number of rows is computed before
  }
}

TEST_CASE("losses by labels go through rows once, and nobody waits for a look at the labels") {
  auto const loss = rc::fn([](auto z, auto label) { return rc::nn::cross_entropy(z, label); });
  auto const gradient = rc::value_and_grad([](auto z, auto label) { return rc::nn::cross_entropy(z, label); });
  for (rc::index_t columns : {3, 40, 140}) {
    INFO(columns);
    auto const x = waves(70, columns, .1);
    auto labels = rc::zeros<std::int64_t>(rc::shape(70));
    for (rc::index_t k = 0; k < 70; ++k) labels(k) = k * 7 % columns;
    CHECK(compare(loss, x, labels) == 5);  // one of them looks for labels below 0
    auto const z = rc::copy(x, there);
    auto at = rc::copy(labels, there);
    runtime.forget_counts();
    auto const [value, slope] = gradient(z, at);
    CHECK(runtime.count("cudaLaunchKernel") == 8);
#if !defined(__CUDACC__)
    CHECK(runtime.count("cudaStreamSynchronize") == 0);
#endif
    auto const [expected, expected_slope] = gradient(x, labels);
    CHECK(elements(value).near({double(expected)}, 1e-11));
    CHECK(elements(slope).near(numbers(expected_slope), 1e-11));
    labels(5) = columns;
    at = rc::copy(labels, there);
    auto const wrong = gradient(z, at);
    CHECK(raised([&] { elements(wrong.second); }) == "index_error: cross_entropy: index " + std::to_string(columns) +
                                                         " is out of range for an axis of " + std::to_string(columns));
  }
}

TEST_CASE("several loops count the rows, and rows of other lengths belong together") {
  auto const cube = [](double start) { return rc::eval(rc::reshape(waves(6, 35, start), rc::shape(2, 3, 35))); };
  CHECK(compare([](auto const& a) { return rc::eval(rc::softmax(a, rc::axis<2>)); }, cube(.1)) == 1);
  auto const f = rc::fn([](auto x, auto y) {
    auto const a = rc::max(x, rc::axis<1>);
    return rc::sum(rc::exp(y), rc::axis<1>) * a;
  });
  CHECK(compare(f, waves(7, 12, .1), waves(7, 200, .2)) <= 2);
}

TEST_CASE("rows that fill the memory of a block, and that do not fit there") {
  auto const of_norm = rc::grad([](auto x, auto w) { return rc::sum(w * norm_of_rows(x)); });
  for (rc::index_t columns : {1500, 4001, 9000}) {
    INFO(columns);
    auto const x = waves(3, columns, .1), y = waves(3, columns, .2);
    CHECK(compare(softmax, x) == 1);
    CHECK(compare(rc::fn(norm_of_rows), x) == 1);
    CHECK(compare(of_norm, x, y) == 1);
  }
}

TEST_CASE("rows of packs, rows that are no whole packs, and rows that do not begin where packs may") {
  auto const floats = [](rc::index_t rows, rc::index_t columns) {
    return rc::eval(rc::astype<float>(waves(rows, columns, .1)));
  };
  auto const check = [](auto const& f, auto const& h) {
    auto const x = rc::copy(h, there);
    CHECK(elements(f(x)).near(numbers(f(h)), 1e-5));
  };
  for (rc::index_t columns : {4, 6, 32, 130, 1027}) {
    INFO(columns);
    auto const h = floats(9, columns + 1);
    check(softmax, floats(9, columns));
    check(rc::fn(norm_of_rows), floats(9, columns));
    check([](auto const& x) { return rc::eval(rc::softmax(x(rc::all, rc::range(1, x.shape(1))), rc::axis<1>)); }, h);
  }
}

TEST_CASE("where rows depend on each other, or lie over each other, steps are launched one after another") {
  // rows of sums that other rows read
  auto const f = rc::fn([](auto x) {
    auto const s = rc::sum(x, rc::axis<1>);
    return rc::flip(s) + rc::max(x, rc::axis<1>);
  });
  compare(f, waves(12, 12, .1));
  auto const g = rc::fn([](auto x) { return x / rc::sum(x.T(), rc::axis<1>, rc::keepdims); });
  compare(g, waves(12, 12, .1));
  // few long rows are split over blocks
  CHECK(compare(softmax, waves(2, 30001, .1)) > 1);
  CHECK(compare(softmax, waves(0, 4, .1)) <= 1);
  // the result lies where the argument does
  auto const h = waves(6, 9, .1);
  auto x = rc::copy(h, there);
  x = rc::softmax(x, rc::axis<1>);
  CHECK(elements(x).near(numbers(rc::eval(rc::softmax(h, rc::axis<1>))), 1e-12));
}
