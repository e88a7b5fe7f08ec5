// Windows of a traced function whose start is a value: `x(rc::slice<2>(i))` where i is an argument or the number of an
// iteration.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

auto const squares = [](auto x, auto k) { return rc::sum(rc::square(x(rc::slice<2>(k)))); };

TEST_CASE("values and gradients, from both ends") {
  rc::tensor<double, 4> const x{1, 2, 3, 4};
  rc::ndarray<double, 1> const y = x;
  for (int k : {0, 2, -2, -4}) {
    bool const begins = k == 0 || k == -4;
    numbers const gradient = begins ? numbers{2, 4, 0, 0} : numbers{0, 0, 6, 8};
    CHECK(rc::eval(rc::fn(squares)(x, k)).item() == (begins ? 5 : 25));
    CHECK(numbers(rc::grad(squares)(x, k)) == gradient);
    CHECK(numbers(rc::grad(squares)(y, k)) == gradient);
    CHECK(numbers(rc::interpret(rc::grad(squares))(x, k)) == gradient);
  }
}

TEST_CASE("what lies outside is an error, also where both ends have a part of it") {
  rc::tensor<double, 4> const x{1, 2, 3, 4};
  for (int k : {3, 4, -1, -5}) {
    CHECK(raised([&] { (void)rc::eval(rc::fn(squares)(x, k)); }).rfind("index_error: take: index", 0) == 0);
    CHECK(raised([&] { (void)rc::eval(rc::interpret(squares)(x, k)); }).rfind("index_error: take: index", 0) == 0);
  }
}

TEST_CASE("beside other items, and two of them") {
  rc::ndarray<double, 2> m(3, 4);
  for (int i = 0; i < 12; ++i) m(i / 4, i % 4) = i;
  auto const patch = [](auto a, auto i, auto j) { return a(rc::slice<2>(i), rc::slice<3>(j)); };
  CHECK(numbers(rc::eval(rc::fn(patch)(m, 1, 0))) == numbers{4, 5, 6, 8, 9, 10});
  CHECK(numbers(rc::eval(rc::interpret(patch)(m, 0, 1))) == numbers{1, 2, 3, 5, 6, 7});
  auto const rows = [](auto a, auto j) {
    return a(1, rc::slice<2>(j)) + a(rc::range(0, 2), rc::slice<2>(j)) + a(rc::ellipsis, rc::slice<2>(j))(2);
  };
  CHECK(numbers(rc::eval(rc::fn(rows)(m, 2))) == numbers{18, 21, 22, 25});
}

TEST_CASE("written and added to in a loop") {
  rc::tensor<double, 4> const x{1, 2, 3, 4};
  auto const f = [](auto v) {
    auto const body = [=](auto i, auto s) {
      s(rc::slice<1>(i)) = s(rc::slice<1>(i + 1)) * v(rc::slice<1>(i));
      s(rc::slice<2>(i)).add(.5);
      return s;
    };
    return rc::sum(rc::fori_loop(0, v.shape(0) - 1, body, v));
  };
  CHECK(rc::eval(rc::fn(f)(x)).item() == 26);
  CHECK(numbers(rc::grad(f)(x)) == numbers{2, 4, 6, 4});
  CHECK(numbers(rc::interpret(rc::grad(f))(x)) == numbers{2, 4, 6, 4});
}

TEST_CASE("a start for each element of a batch") {
  rc::tensor<double, 4> const x{1, 2, 3, 4};
  rc::tensor<int, 3> const starts{0, 2, 1};
  auto const each = rc::in_axes<rc::unbatched, 0>;
  CHECK(numbers(rc::eval(rc::vmap(squares, each)(x, starts))) == numbers{5, 25, 13});
  CHECK(numbers(rc::vmap(rc::grad(squares), each)(x, starts)) == numbers{2, 4, 0, 0, 0, 0, 6, 8, 0, 4, 6, 0});
}

}  // namespace
