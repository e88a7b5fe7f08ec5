// What a pullback keeps goes with it where it is copied, moved and assigned. Also built with optimization: compilers
// that keep it in registers have lost it.
#include <doctest/doctest.h>

#include <array>
#include <utility>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr auto product = [](auto a, auto b) { return a * b; };
constexpr auto deep = [](auto a, auto b) {
  return rc::sum(rc::exp(a * b) * rc::tanh(a)) + rc::sum(rc::where(a > b, a * a, b));
};
constexpr auto halves = [](auto a, auto b) {
  return rc::sum(rc::astype<double>(a) * b + rc::square(rc::astype<double>(a)));
};

template <class A, class B, class Ct>
void check(A const& a, B const& b, Ct const& ct, numbers const& of_a, numbers const& of_b) {
  auto [y, pull] = rc::vjp(product)(a, b);
  CHECK(numbers(y) == numbers(A(a * b)));
  auto const same = [&](auto const& p) {
    auto [ca, cb] = p(ct);
    CHECK(numbers(ca) == of_a);
    CHECK(numbers(cb) == of_b);
  };
  same(pull);
  auto const copy = pull;
  same(copy);
  auto const moved = std::move(pull);
  same(moved);
  auto assigned = rc::vjp(product)(b, a).second;
  assigned = moved;
  same(assigned);
  std::array const several{copy, assigned};
  for (auto const& p : several) same(p);
  auto whole = rc::vjp(product)(a, b);
  same(whole.second);
}

}  // namespace

TEST_CASE("a pullback of little") {
  check(rc::tensor<double, 3>{1, 2, 3}, rc::tensor<double, 3>{3, 12, 27}, rc::tensor<double, 3>{1, 1, 2}, {3, 12, 54},
        {1, 2, 6});
  check(rc::tensor<float, 2>{1, 2}, rc::tensor<float, 2>{3, 4}, rc::tensor<float, 2>{1, 10}, {3, 40}, {1, 20});
  rc::ndarray<double, 1> const x{1, 2, 3};
  check(x, rc::ndarray<double, 1>{4, 5, 6}, rc::ndarray<double, 1>{1, 1, 1}, {4, 5, 6}, {1, 2, 3});
}
TEST_CASE("a pullback of several values of several types") {
  rc::tensor<float, 5> const a{.5f, -.25f, 1, 2, -1};
  rc::tensor<double, 5> const b{1, .5, -1, .25, 3};
  auto const [value, pull] = rc::vjp(halves)(a, b);
  auto const again = pull;
  auto const [ca, cb] = again(1.);
  CHECK(numbers(ca) == numbers{2, 0, 1, 4.25, 1});
  CHECK(numbers(cb) == numbers(a));
  rc::tensor<double, 5> const c = rc::astype<double>(a);
  auto const both = rc::vjp(deep)(c, b);
  auto const kept = both;
  auto const [ga, gb] = kept.second(1.);
  auto const [wa, wb] = rc::grad<0, 1>(deep)(c, b);
  CHECK(numbers(ga).near(numbers(wa), 1e-14));
  CHECK(numbers(gb).near(numbers(wb), 1e-14));
}
