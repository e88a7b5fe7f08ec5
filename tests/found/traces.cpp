// Faults that were found in traced functions; numbers are those of the programs that showed them.
#include <doctest/doctest.h>

#include <array>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr auto add_to_zeros = [](auto x) {
  auto y = rc::zeros<double>(rc::shape(x.shape(0)));
  y = y + x;
  return y;
};
// an Elman network whose state starts from zeros
constexpr auto recurrent = [](auto x, auto w, auto u) {
  auto h = rc::zeros<double>(rc::shape(x.shape(0), 2));
  for (int t = 0; t < 3; ++t) h = rc::tanh(rc::matmul(x, w) + rc::matmul(h, u));
  return h;
};
// quotients and remainders of extents, also negative ones and over 0, as numbers and as shapes
constexpr auto divided = [](auto x) {
  auto const n = x.shape(0), none = n - n, less = n - 8;
  auto counted = n, rest = n, one_more = n, one_less = n;
  counted /= 2, rest %= 4, ++one_more, --one_less;
  auto const zero = 0. * rc::sum(x);
  return rc::stack(zero + 12 / n, zero + 17 % n, zero + n / 2, zero + n % 3, zero + n % (n - 1), zero + (n - 1) / n,
                   zero + less / 2, zero + less % 2, zero + 7 / none, zero + 7 % none, zero + n % none, zero + counted,
                   zero + rest, zero + one_more, zero + one_less, rc::axis<0>);
};
constexpr auto by_threes = [](auto x) {
  auto const n = x.shape(0);
  return rc::sum(rc::reshape(x(rc::range(0, n - n % 3)), rc::shape(n / 3, 3)), rc::axis<0>);
};
// what no extent of an argument describes, beside a symbol
constexpr auto carried_beside = [](auto x) {
  auto h = rc::zeros<double>(rc::extents<4>{}, rc::like(x));
  auto norm = rc::full<double>(rc::extents<>{}, 2, rc::like(x));
  for (int t = 0; t < 2; ++t) {
    h = h + rc::sum(x) * rc::arange<double>(4, rc::like(x));
    norm += rc::sum(x * x);
  }
  h(rc::range(0, 2)) = rc::asarray(std::array{5., 6.}, rc::like(x)) + rc::linspace<double>(0, 1, 2, rc::like(x));
  return rc::eval(h * norm + rc::sum(rc::matmul(rc::eye<double>(2, rc::like(x)), x)));
};
// constants whose extents are in their types
constexpr std::array<double, 2> numbers_elsewhere{3, 4};
constexpr auto with_constants = [](auto x) {
  return rc::eval(x * rc::asarray(numbers_elsewhere) + rc::asarray<double>({1, 2}) +
                  rc::arange<double>(rc::extents<2>{}) + rc::frombuffer(numbers_elsewhere.data(), rc::extents<2>{}) +
                  rc::tensor<double, 2>{10, 20});
};
constexpr auto total = [](auto x, auto w, auto u) { return rc::sum(recurrent(x, w, u)); };

}  // namespace

TEST_CASE("carries and constants beside a symbol, of extents that no argument has") {
  auto const ramp = [](auto x) {
    auto const n = x.shape(0);
    return x * rc::arange<double>(n, rc::like(x)) + rc::arange<double>(1, n + 1, rc::like(x));
  };
  rc::ndarray<double, 1> three(3);
  three = 2.;
  CHECK(numbers(rc::fn(ramp)(three)) == numbers{1, 4, 7});
  CHECK(numbers(rc::fn(ramp)(rc::tensor<double, 3>{2, 2, 2})) == numbers{1, 4, 7});
  rc::tensor<double, 2> const s{1, 2};
  rc::ndarray<double, 1> const d = s;
  for (auto const& y :
       {numbers(rc::fn(carried_beside)(s)), numbers(rc::fn(carried_beside)(d)), numbers(carried_beside(s)),
        numbers(carried_beside(d)), numbers(rc::interpret(carried_beside)(d))})
    CHECK(y == numbers{63, 87, 147, 219});
  auto const sum = [](auto x) { return rc::sum(carried_beside(x)); };
  // h = 4 s (k), k = 2, 3, and constants 5, 7; norm = 2 + 2 q; + 4 s
  CHECK(numbers(rc::grad(sum)(d)) == numbers{292, 460});
  CHECK(numbers(rc::interpret(rc::grad(sum))(s)) == numbers{292, 460});
}

TEST_CASE("constants in traced functions whose extents are in their types") {
  rc::tensor<double, 2> const s{1, 2};
  rc::ndarray<double, 1> const d = s;
  for (auto const& y : {numbers(rc::fn(with_constants)(s)), numbers(rc::fn(with_constants)(d)),
                        numbers(with_constants(s)), numbers(rc::interpret(with_constants)(d))})
    CHECK(y == numbers{17, 35});
}

TEST_CASE("bug6: zeros of an extent of an argument, static, dynamic, named, traced, interpreted and called directly") {
  rc::tensor<double, 2> const s{3, 4};
  rc::ndarray<double, 1> const d = s;
  rc::tensor<double, rc::dim<"n">> const named = s;
  for (auto const& y : {numbers(rc::fn(add_to_zeros)(s)), numbers(rc::fn(add_to_zeros)(d)),
                        numbers(rc::fn(add_to_zeros)(named)), numbers(rc::interpret(add_to_zeros)(s)),
                        numbers(rc::interpret(add_to_zeros)(d)), numbers(add_to_zeros(s)), numbers(add_to_zeros(d))})
    CHECK(y == numbers{3, 4});
}

TEST_CASE("bug6, of its kind: a loop carries zeros, over all kinds of extents, and is derived") {
  rc::tensor<double, 3, 2> const x{{1, 2}, {3, 4}, {5, 6}};
  rc::tensor<double, 2, 2> const w{{.1, .2}, {.3, .4}}, u{{.5, -.5}, {.25, .1}};
  rc::tensor<double, rc::dim<"batch">, 2> const named = x;
  rc::ndarray<double, 2> const xd = x, wd = w, ud = u;
  numbers const expected(recurrent(x, w, u));
  CHECK(numbers(rc::fn(recurrent)(x, w, u)).near(expected, 1e-14));
  CHECK(numbers(rc::fn(recurrent)(named, w, u)).near(expected, 1e-14));
  CHECK(numbers(rc::fn(recurrent)(xd, w, u)).near(expected, 1e-14));
  CHECK(numbers(rc::fn(recurrent)(xd, wd, ud)).near(expected, 1e-14));
  numbers const gradient(rc::interpret(rc::grad<2>(total))(x, w, u));
  CHECK(numbers(rc::grad<2>(total)(x, w, u)).near(gradient, 1e-14));
  CHECK(numbers(rc::grad<2>(total)(named, w, u)).near(gradient, 1e-14));
  CHECK(numbers(rc::grad<2>(total)(xd, wd, ud)).near(gradient, 1e-14));
}

TEST_CASE("quotients and remainders of extents, static, dynamic, interpreted") {
  rc::tensor<double, 5> const s{1, 2, 3, 4, 5};
  rc::ndarray<double, 1> const d = s;
  numbers const expected{2, 2, 2, 2, 1, 0, -1, -1, 0, 7, 5, 2, 1, 6, 4};
  CHECK(numbers(rc::fn(divided)(s)) == expected);
  CHECK(numbers(rc::fn(divided)(d)) == expected);
  CHECK(numbers(rc::interpret(divided)(s)) == expected);
  CHECK(numbers(rc::interpret(divided)(d)) == expected);
  rc::ndarray<double, 1> const seven = rc::arange<double>(7);
  CHECK(numbers(rc::fn(by_threes)(seven)) == numbers{3, 5, 7});
  CHECK(numbers(rc::interpret(by_threes)(seven)) == numbers{3, 5, 7});
}

TEST_CASE("a range backwards to the other end of an axis whose extent two operands make, traced") {
  auto const backwards = [](auto x, auto y) { return (x * y)(rc::all, rc::range(rc::end, rc::end, -2)); };
  auto const loss = [=](auto x, auto y) { return rc::sum(backwards(x, y)); };
  rc::ndarray<double, 2> const row{{1, 2, 3}}, none(1, 0);
  rc::ndarray<double, 2> const one{{2}};
  CHECK(numbers(rc::fn(backwards)(row, one)) == numbers{6, 2});
  CHECK(numbers(rc::fn(backwards)(one, row)) == numbers{6, 2});
  CHECK(numbers(rc::grad(loss)(row, one)) == numbers{2, 0, 2});
  CHECK(rc::fn(backwards)(none, one).shape(1) == 0);
  CHECK(rc::grad(loss)(none, one).shape(1) == 0);
}
