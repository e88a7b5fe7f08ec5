// The same of costly values that loops stack and of sums behind loops as in costly_values.cpp, under other transforms:
// the second order, batches, loops in loops, bounded loops, branches, checkpoints.
#include <doctest/doctest.h>

#include "../near.hpp"

namespace rc = ricci;

namespace {

using matrix = rc::tensor<double, 2, 2>;
using vector = rc::tensor<double, 2>;
vector const h{.3, -.4};
matrix const w{{.3, -.2}, {.5, .1}};

constexpr auto step = [](auto s, auto m) { return rc::tanh(rc::matmul(s, m)) * rc::sigmoid(s * m(0)); };
constexpr auto looped = [](auto s, auto m) {
  auto const last = rc::fori_loop(
      0, 3, [=](auto, auto x) { return step(x, m); }, s);
  return rc::sum(last * last);
};
constexpr auto unrolled = [](auto s, auto m) {
  auto x = s;
  for (int i = 0; i < 3; ++i) x = step(x, m);
  return rc::sum(x * x);
};
constexpr auto nested = [](auto s, auto m) {
  auto const last = rc::fori_loop(
      0, 2,
      [=](auto, auto x) {
        auto const y = rc::exp(rc::matmul(x, m));
        return rc::fori_loop(
            0, 2, [=](auto, auto z) { return step(z, m) + rc::sin(y * z); }, x);
      },
      s);
  return rc::sum(last * last);
};
constexpr auto nested_unrolled = [](auto s, auto m) {
  auto x = s;
  for (int i = 0; i < 2; ++i) {
    auto const y = rc::exp(rc::matmul(x, m));
    for (int k = 0; k < 2; ++k) x = step(x, m) + rc::sin(y * x);
  }
  return rc::sum(x * x);
};
constexpr auto bounded = [](auto s, auto m, auto n) {
  auto const last = rc::fori_loop(
      0, n, [=](auto, auto x) { return step(x, m); }, s, rc::at_most<5>);
  return rc::sum(last * last);
};
constexpr auto checkpointed = [](auto s, auto m) {
  return rc::checkpoint([](auto x, auto y) { return looped(x, y); })(s, m);
};

}  // namespace

TEST_CASE("the second order") {
  check_near(rc::hessian<1>(looped)(h, w), rc::hessian<1>(unrolled)(h, w));
  check_near(rc::hessian<0>(looped)(h, w), rc::hessian<0>(unrolled)(h, w));
}
TEST_CASE("a batch") {
  rc::tensor<double, 3, 2> const rows{{.3, -.4}, {.1, .8}, {-.5, .2}};
  constexpr auto axes = rc::in_axes<0, rc::unbatched>;
  check_near(rc::vmap(rc::grad<0, 1>(looped), axes)(rows, w), rc::vmap(rc::grad<0, 1>(unrolled), axes)(rows, w));
}
TEST_CASE("a loop in a loop, and one with a bound") {
  check_near(rc::grad<0, 1>(nested)(h, w), rc::grad<0, 1>(nested_unrolled)(h, w));
  check_near(rc::grad<0, 1>(bounded)(h, w, 3), rc::grad<0, 1>(unrolled)(h, w));
  check_near(rc::grad<0>(bounded)(h, w, 0), vector{.6, -.8});
}
TEST_CASE("what is under a checkpoint is not kept") {
  check_near(rc::grad<0, 1>(checkpointed)(h, w), rc::grad<0, 1>(unrolled)(h, w));
  CHECK(rc::saved(checkpointed, h, w).size() == 2);
  CHECK(rc::saved(looped, h, w).bytes > rc::saved(checkpointed, h, w).bytes);
}
