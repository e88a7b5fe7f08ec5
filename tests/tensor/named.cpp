// Tensors whose axes have names.
#include <doctest/doctest.h>

#include <sstream>

#include "../numbers.hpp"

namespace rc = ricci;

TEST_CASE("axes by name") {
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::ndarray<double, 2> const b = rc::reshape(rc::arange<double>(0, 6), rc::shape(3, 2));
  auto const x = rc::named<"batch, channel">(a);
  auto const y = rc::named<"channel,batch">(b);
  auto const bias = rc::named<"channel">(rc::tensor<double, 3>{10, 20, 30});
  // what has more axes has the order, then the left one
  static_assert(std::is_same_v<decltype(bias + x)::names, decltype(x)::names>);
  static_assert(std::is_same_v<decltype(y + x)::names, decltype(y)::names>);
  CHECK(numbers(rc::eval(rc::unnamed(bias + x))) == numbers{11, 22, 33, 14, 25, 36});
  CHECK(numbers(rc::eval(rc::unnamed(x * y))) == numbers{0, 4, 12, 4, 15, 30});
  rc::tensor<double, 2> const rows{1, 2};
  auto const pairs = rc::eval(2. * rc::named<"row, channel">(rows(rc::all, rc::newaxis)) / bias - 1);
  CHECK(shape_of(rc::unnamed(pairs)) == numbers{2, 3});
  CHECK(pairs(1, 0) == doctest::Approx(-.6));
  CHECK((-bias)(1) == -20);
  CHECK(x.shape(rc::axis<"channel">) == 3);

  CHECK(numbers(rc::unnamed(rc::eval(rc::sum(x, rc::axis<"channel">)))) == numbers{6, 15});
  CHECK(numbers(rc::unnamed(rc::eval(rc::max(y, rc::axis<"batch">)))) == numbers{1, 3, 5});
  CHECK(rc::unnamed(rc::mean(x, rc::axis<"channel", "batch">)).item() == 3.5);
  CHECK(numbers(rc::unnamed(rc::eval(rc::cumulative_sum(x, rc::axis<"batch">)))) == numbers{1, 2, 3, 5, 7, 9});
  CHECK(numbers(rc::unnamed(rc::eval(rc::sort(-x, rc::axis<"channel">)))) == numbers{-3, -2, -1, -6, -5, -4});
  CHECK(numbers(rc::unnamed(rc::eval(rc::argmax(x, rc::axis<"batch">)))) == numbers{1, 1, 1});
  CHECK(rc::eval(rc::softmax(x, rc::axis<"batch">))(1, 2) == doctest::Approx(.95257412682243));
  CHECK(rc::sum(x).item() == 21);
  CHECK(numbers(rc::eval(rc::unnamed<"channel, batch">(x))) == numbers{1, 4, 2, 5, 3, 6});

  auto const weights = rc::named<"channel, out">(rc::ones<double>(rc::extents<3, 4>{}));
  auto const z = rc::contract(x, weights);
  static_assert(std::is_same_v<decltype(z)::names, rc::shapes::names_of_pattern<"batch, out">>);
  rc::tensor<double, 2, 4> const values = rc::unnamed(z);
  CHECK(values(1, 3) == 15);
  CHECK(rc::unnamed(rc::contract(x, y)).item() == 0 + 4 + 12 + 4 + 15 + 30);

  auto const loss = [](auto w, auto v) {
    auto const named = rc::named<"batch, channel">(w);
    return rc::sum(rc::unnamed(rc::contract(named, rc::named<"channel">(v)) * 3.));
  };
  CHECK(numbers(rc::grad<1>(loss)(a, rc::tensor<double, 3>{1, 1, 1})) == numbers{15, 21, 27});
}

TEST_CASE("they are printed as what they name") {
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  auto const x = rc::named<"batch, channel">(a);
  std::ostringstream s;
  s << x << rc::sum(x, rc::axis<"batch">) << rc::eval(rc::sum(x, rc::axis<"channel">));
  CHECK(s.str() == "[[1 2 3]\n [4 5 6]][5 7 9][6 15]");
}

TEST_CASE("functions element by element, and axes that stay, by name") {
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 3> const v{3, 2, 1};
  auto const x = rc::named<"batch, channel">(a);
  auto const m = rc::named<"channel">(v);
  auto const most = rc::maximum(m, x);
  static_assert(std::is_same_v<decltype(most)::names, decltype(x)::names>);
  CHECK(numbers(rc::eval(rc::unnamed(most))) == numbers{3, 2, 3, 4, 5, 6});
  CHECK(numbers(rc::eval(rc::unnamed(rc::where(rc::greater(x, 2.), m, 0.)))) == numbers{0, 0, 1, 3, 2, 1});
  CHECK(numbers(rc::eval(rc::unnamed(rc::sqrt(rc::square(-x))))) == numbers{1, 2, 3, 4, 5, 6});
  auto const sums = rc::sum(x, rc::axis<"channel">, rc::keepdims);
  static_assert(decltype(sums)::rank == 2);
  CHECK(numbers(rc::eval(rc::unnamed(x - sums / 3.))) == numbers{-1, 0, 1, -1, 0, 1});
}
