// Parts of symbols, `x(0)` and `x(rc::range<1, 3>())`, are values wherever values are taken: by transforms, alone and
// in tuples, as what loops carry, go over and are bounded by, and as conditions.
#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

rc::tensor<double, 3> const x{.5, .25, 2};

// the value of f at x, and its gradient, compiled and interpreted
template <class F>
void check(F f, double value, numbers const& gradient) {
  CHECK(rc::eval(rc::fn(f)(x)).item() == doctest::Approx(value));
  CHECK(numbers(rc::grad(f)(x)).near(gradient, 1e-14));
  CHECK(numbers(rc::interpret(rc::grad(f))(x)).near(gradient, 1e-14));
}

TEST_CASE("batches: what is the same for all elements is a part, alone and in a tuple") {
  check(
      [](auto t) {
        return rc::sum(rc::vmap([](auto a, auto b) { return a * b * b; }, rc::in_axes<0, rc::unbatched>)(
            t(rc::range<1, 3>()), t(0)));
      },
      .5625, {2.25, .25, .25});
  check(
      [](auto t) {
        auto const f = [](auto a, auto p) { return a * p.first * p.second; };
        return rc::sum(rc::vmap(f, rc::in_axes<0, rc::unbatched>)(t, std::pair(t(0), t(1))));
      },
      .34375, {.8125, 1.5, .125});
}

TEST_CASE("trees of parts") {
  check(
      [](auto t) {
        auto const parts = std::pair(t(0), t(rc::range<1, 3>()));
        auto const squares = rc::tree_map([](auto a, auto b) { return a * a + b; }, parts, rc::zeros_like(parts));
        return squares.first * rc::sum(squares.second);
      },
      1.015625, {4.0625, .125, 1});
  check(  // as they are, and what becomes of the tree afterwards is no write to t
      [](auto t) {
        auto same = rc::tree_map([](auto a) { return a; }, std::pair(t(0), std::tuple(t(1), t)));
        same.first = 2. * same.first;
        return same.first * std::get<0>(same.second) * t(0);
      },
      .125, {.5, .5, 0});
}

TEST_CASE("bounds, conditions and carries") {
  rc::tensor<int, 3> const counts{2, 1, 0};
  auto const power = [](auto t, auto n) {
    return rc::fori_loop(
        n(2), n(0), [](auto, auto y) { return y * y; }, t(0), rc::at_most<4>);
  };
  auto const segments = [](auto t, auto n) {
    return rc::fori_loop(
        n(2), n(0), [](auto, auto y) { return y * y; }, t(0), rc::at_most<4>, rc::checkpoint_every<2>);
  };
  CHECK(rc::eval(rc::fn(power)(x, counts)).item() == .0625);
  CHECK(numbers(rc::grad(power)(x, counts)) == numbers{.5, 0, 0});
  CHECK(numbers(rc::grad(segments)(x, counts)) == numbers{.5, 0, 0});
  CHECK(numbers(rc::interpret(rc::grad(segments))(x, counts)) == numbers{.5, 0, 0});

  rc::tensor<bool, 3> const flags{true, false, true};
  auto const chosen = [](auto t, auto n, auto flag) {
    auto const i = n(1);
    auto const first = rc::while_loop([=](auto k) { return flag(k); }, [](auto k) { return k + 1; }, n(2));
    auto const y = rc::cond(
        flag(i), [](auto a) { return a; }, [](auto a) { return a * a; }, t(first));
    auto const [last, all] = rc::scan([](auto c, auto a) { return std::pair(c * a, c); }, t(0), t(rc::range<1, 3>()));
    return y + last + rc::sum(all);
  };
  CHECK(rc::eval(rc::fn(chosen)(x, counts, flags)).item() == .9375);
  CHECK(numbers(rc::grad(chosen)(x, counts, flags)) == numbers{1.75, 2, .125});
  CHECK(numbers(rc::interpret(rc::grad(chosen))(x, counts, flags)) == numbers{1.75, 2, .125});
}

}  // namespace
