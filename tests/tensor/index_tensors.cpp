// Several integer tensors in one index, masks beside other items, writes where every occurrence counts: NumPy's
// results.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr rc::all_t all{};
using cube = rc::ndarray<double, 3>;
using indices = rc::ndarray<int, 1>;

cube numbered(int l = 2, int m = 3, int n = 4) {
  return rc::reshape(rc::arange<double>(0, l * m * n), rc::shape(l, m, n));
}

}  // namespace

TEST_CASE("index tensors are broadcast together; side by side they stand in place of their axes, else first") {
  auto const a = numbered();
  indices const i{1, 0}, j{2, -1};
  CHECK(numbers(rc::eval(a(all, i, j))) == numbers{6, 3, 18, 15});
  CHECK(numbers(rc::eval(a(i, j))) == numbers{20, 21, 22, 23, 8, 9, 10, 11});
  auto const apart = a(i, all, j);
  CHECK(shape_of(rc::eval(apart)) == numbers{2, 3});
  CHECK(numbers(rc::eval(apart)) == numbers{14, 18, 22, 3, 7, 11});
  CHECK(apart.shape() == std::array<rc::index_t, 2>{2, 3});
  // an integer is an index tensor of order 0, also where there is one other
  CHECK(numbers(rc::eval(a(0, all, j))) == numbers{2, 6, 10, 3, 7, 11});
  CHECK(numbers(rc::eval(a(all, 0, j))) == numbers{2, 3, 14, 15});
  // in every combination, by views of different shapes
  auto const grid = rc::eval(a(-1, i(all, rc::newaxis), j));
  CHECK(shape_of(grid) == numbers{2, 2});
  CHECK(numbers(grid) == numbers{18, 19, 14, 15});
  CHECK(shape_of(rc::eval(a(rc::newaxis, i, rc::ellipsis, j))) == numbers{2, 1, 3});
  // part of an expression, of a view, chained, into other types and places
  CHECK(numbers(rc::eval(a(i, all, j) * 2. - a(0, 0, 1))) == numbers{27, 35, 43, 5, 13, 21});
  CHECK(numbers(rc::eval(rc::flip(a)(i, j))) == numbers{3, 2, 1, 0, 15, 14, 13, 12});
  CHECK(numbers(rc::eval(a(i, all, j)(1, rc::range(rc::end, rc::end, -1)))) == numbers{11, 7, 3});
  CHECK(a(i, all, j)(0, 1) == 18);
  rc::tensor<float, 2, 3> into;
  into = a(i, all, j);
  CHECK(numbers(into) == numbers{14, 18, 22, 3, 7, 11});
  cube whole = a;
  whole(0, all, rc::range(0, 2)) = a(i, all, j).T();
  CHECK(numbers(whole(0, all, 0)) == numbers{14, 18, 22});
  whole = whole(i(all, rc::newaxis), j);  // from itself
  CHECK(numbers(whole(1, 0)) == numbers{22, 11, 10, 11});
}

TEST_CASE("unsigned indices never count from the end") {
  rc::ndarray<double, 1> x{1, 2, 3};
  rc::ndarray<std::uint8_t, 1> const bytes{2, 0};
  CHECK(numbers(rc::eval(x(bytes) + rc::take(x, bytes))) == numbers{6, 2});
  for (std::uint64_t const last : {~std::uint64_t(0), std::uint64_t(1) << 63}) {
    rc::ndarray<std::uint64_t, 1> const i{1, last};
    auto const outside = [](auto call) { return raised(call).find("index_error") == 0; };
    CHECK(outside([&] { rc::eval(x(i)); }));
    CHECK(outside([&] { x(i) = 0.; }));
    CHECK(outside([&] { rc::eval(rc::take(x, i)); }));
    CHECK(outside([&] { rc::eval(rc::take_along_axis(x, i)); }));
    CHECK(outside([&] { rc::fn([](auto v, auto k) { return v(k); })(x, i); }));
    CHECK(outside([&] { rc::grad([](auto v, auto k) { return rc::sum(v(k)); })(x, i); }));
  }
  CHECK(numbers(x) == numbers{1, 2, 3});
}

TEST_CASE("what is named is written, and nothing else") {
  auto const a = numbered();
  indices const i{1, 0, 1}, j{2, -1, 2};
  auto b = a;
  b(all, i, j) = rc::ndarray<double, 1>{-1, -2, -3};
  auto expected = a;
  for (int k = 0; k < 2; ++k) expected(k, 1, 2) = -3, expected(k, 0, 3) = -2;
  CHECK(numbers(b) == numbers(expected));
  b = a;
  b(i, all, j) += 100.;  // read, added, written: the last stays
  CHECK((b(1, 0, 2) == 114 && b(0, 2, 3) == 111 && double(rc::sum(b - a)) == 600));
  b = a;
  b(i, all, j).add(rc::ndarray<double, 2>{{1}, {10}, {100}});  // each counts
  CHECK((b(1, 0, 2) == 115 && b(0, 2, 3) == 21 && double(rc::sum(b - a)) == 333));
  b(i(rc::range(0, 2)), 0, j(rc::range(0, 2))) = b(indices{0, 1}, 0, indices{3, 2});  // exchanged
  CHECK((b(1, 0, 2) == 13 && b(0, 0, 3) == 115));
  rc::ndarray<int, 2> own{{1, 0}, {0, 1}};
  own(own(0), own(1)) = rc::tensor<int, 2>{7, 8};  // indices that are overwritten themselves
  CHECK(numbers(own) == numbers{1, 8, 7, 1});
  auto const before = b;
  CHECK(raised([&] {
          b(i, all, indices{0, 1, 4}) = 1.;
        }) == "index_error: assignment to rows: index 4 is out of range for an axis of 4");
  CHECK(raised([&] {
          rc::eval(b(indices{0, -3}, indices{0, 1}));
        }) == "index_error: take: index -3 is out of range for an axis of 2");
  CHECK(raised([&] { rc::eval(b(i, indices{0, 1})); }) == "shape_error: take: (3,) (2,)");
  CHECK(raised([&] { b(i, indices{0, 1}) = 1.; }).rfind("shape_error: ", 0) == 0);
  CHECK(raised([&] { b(i, j) = rc::ndarray<double, 1>(3); }).rfind("shape_error: ", 0) == 0);
  CHECK(numbers(b) == numbers(before));
}

TEST_CASE("each occurrence is added, multiplied, compared") {
  rc::ndarray<double, 1> bins = rc::zeros<double>(rc::shape(4));
  rc::tensor<std::int64_t, 5> const to{0, 3, 3, 1, -1};
  rc::tensor<int, 5> const v{1, 10, 20, 2, 30};
  bins(to).add(v);
  CHECK(numbers(bins) == numbers{1, 2, 0, 60});
  bins(to).subtract(1);
  CHECK(numbers(bins) == numbers{0, 1, 0, 57});
  bins(to).multiply(v * 0.5);
  CHECK(numbers(bins) == numbers{0, 1, 0, 57 * 750});
  bins(to).minimum(v);
  CHECK(numbers(bins) == numbers{0, 1, 0, 10});
  bins(to).maximum(v);
  CHECK(numbers(bins) == numbers{1, 2, 0, 30});
  rc::tensor<bool, 3> flags{false, true, true};
  flags(rc::tensor<int, 2>{0, 1}).add(rc::tensor<bool, 2>{true, false});
  CHECK(numbers(flags) == numbers{1, 1, 1});
  // of other parts it is the compound assignment, in the element type
  rc::ndarray<int, 1> whole{-1, 2, 3};
  whole(rc::range(0, 2)).add(rc::tensor<double, 2>{0.9, 1.9});
  whole(whole > 2).multiply(10);
  rc::flip(whole)(rc::range(0, 1)).subtract(1);
  CHECK(numbers(whole) == numbers{-1, 30, 29});
}

TEST_CASE("masks beside other items are the index tensors that name what they name") {
  auto const a = numbered();
  rc::ndarray<bool, 2> const m{{true, false, true}, {false, true, false}};
  rc::tensor<bool, 3> const middle{true, false, true};
  CHECK(numbers(rc::eval(a(m, rc::range(1, 3)))) == numbers{1, 2, 9, 10, 17, 18});
  CHECK(shape_of(rc::eval(a(all, middle))) == numbers{2, 2, 4});
  CHECK(numbers(rc::eval(a(1, middle, indices{3, -1}))) == numbers{15, 23});
  CHECK(shape_of(rc::eval(a(all, rc::tensor<bool, 3>{}))) == numbers{2, 0, 4});
  auto b = a;
  b(m, rc::range(0, rc::end, 3)) = -1.;
  b(rc::ellipsis, middle, 1) += 100.;
  CHECK(numbers(b(0)) == numbers{-1, 101, 2, -1, 4, 5, 6, 7, -1, 109, 10, -1});
  CHECK(raised([&] { b(all, rc::ndarray<bool, 1>(2)) = 1.; }) ==
        "shape_error: a mask of shape (2,) stands for the axes from 1 on of a tensor of shape (2, 3, 4)");
}

TEST_CASE("index tensors that together have no elements name nothing, wherever one of them lies") {
  constexpr auto read = [](auto x, auto i, auto j) { return x(i, j); };
  constexpr auto total = [](auto x, auto i, auto j) { return rc::sum(x(i, j)); };
  constexpr auto put = [](auto x, auto i, auto j) {
    x(i, j) = 7.;
    x(i, j).add(1.);
    return x;
  };
  indices const none(0), five{5};
  rc::ndarray<int, 2> const column{{7}, {-8}};
  auto const everywhere = [&](auto const& x, auto const& i, auto const& j, numbers const& shape) {
    CHECK(shape_of(rc::eval(x(i, j))) == shape);
    CHECK(shape_of(rc::fn(read)(x, i, j)) == shape);
    CHECK(shape_of(rc::interpret(read)(x, i, j)) == shape);
    CHECK(numbers(rc::grad(total)(x, i, j)) == numbers(rc::eval(0. * x)));
    CHECK(numbers(rc::interpret(rc::grad(total))(x, i, j)) == numbers(rc::eval(0. * x)));
    CHECK(numbers(rc::fn(put)(x, i, j)) == numbers(x));
    auto y = x;
    y(i, j) = 7.;
    CHECK(numbers(y) == numbers(x));
  };
  rc::ndarray<double, 2> const rowless(0, 3), columnless(3, 0), some = rc::ones<double>(rc::shape(3, 4));
  everywhere(rowless, five, none, {0});
  everywhere(rowless, column, none, {2, 0});
  everywhere(columnless, none, five, {0});
  everywhere(some, five, none, {0});
  everywhere(some, column, none, {2, 0});
  everywhere(some, rc::tensor<int, 1>{9}, rc::tensor<int, 0>{}, {0});
  everywhere(rc::tensor<double, 0, 3>{}, column, none, {2, 0});
  // one that names something is looked at, and so is an integer
  std::string const outside = "index_error: take: index 5 is out of range for an axis of 0";
  CHECK(raised([&] { rc::fn(read)(rowless, five, five); }) == outside);
  CHECK(raised([&] { rc::interpret(read)(rowless, five, five); }) == outside);
  CHECK(raised([&] { rc::fn(read)(some, column, five); }) ==
        "index_error: take: index 7 is out of range for an axis of 3");
  CHECK(raised([&] { rc::fn([](auto x, auto j) { return x(7, j); })(some, none); }).rfind("index_error: ", 0) == 0);
}

TEST_CASE("what a mask names has parts, which are read") {
  rc::ndarray<double, 1> const a{1, 3, 4, 5};
  CHECK(numbers(rc::eval(a(a > 2.)(rc::range(0, 2)))) == numbers{3, 4});
  CHECK(a(a > 2.)(-1) == 5);
  rc::ndarray<double, 2> const m{{1, 2}, {3, 4}, {5, 6}};
  CHECK(numbers(rc::eval(m(rc::tensor<bool, 3>{true, false, true})(all, 1) + 1.)) == numbers{3, 7});
  CHECK(raised([&] { rc::eval(a(a > 4.)(rc::range(0, 2))); }).rfind("index_error: ", 0) == 0);
}

TEST_CASE("inside traced functions, with derivatives and batches") {
  auto const a = numbered(2, 2, 3);  // 0 1 2 / 3 4 5, 6 7 8 / 9 10 11
  indices const i{1, 0, 1}, j{2, -2, 2};
  auto const picks = [](auto x, auto rows, auto columns) { return rc::sum(rc::square(x(rows, rc::all, columns))); };
  double const value = 2 * (64 + 121) + 1 + 16;
  CHECK(double(rc::fn(picks)(a, i, j)) == value);
  numbers const gradient{0, 2, 0, 0, 8, 0, 0, 0, 32, 0, 0, 44};
  CHECK(numbers(rc::grad(picks)(a, i, j)) == gradient);
  CHECK(numbers(rc::interpret(rc::grad(picks))(a, i, j)) == gradient);
  CHECK(raised([&] {
          rc::fn(picks)(a, i, indices{0, 3, 0});
        }) == "index_error: take: index 3 is out of range for an axis of 3");
  CHECK(raised([&] { rc::fn(picks)(a, i, indices{0, 1}); }).rfind("shape_error: ", 0) == 0);
  // a batch of index pairs
  auto const each = rc::vmap(rc::grad(picks), rc::in_axes<rc::unbatched, 0, 0>)(
      a, rc::ndarray<int, 2>{{1, 0, 1}, {0, 0, 0}}, rc::ndarray<int, 2>{{2, 1, 2}, {0, 0, 0}});
  CHECK(numbers(each(0)) == gradient);
  CHECK(numbers(each(1)) == numbers{0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0, 0});
  // functional updates: of what is written the last stays, of what is added each counts
  auto const puts = [](auto x, auto rows, auto columns, auto y) {
    x(rows, rc::all, columns) = y;
    x(rows, rc::all, columns).add(2. * y);
    x(0, 0, rc::range(0, 2)).multiply(3.);
    return rc::sum(x * x);
  };
  rc::ndarray<double, 2> const v{{1}, {2}, {3}};
  // x(1, :, 2) = 3 + 2 + 6, x(0, :, 1) = 2 + 4, and 3 times that in the first row, where 0 stays 0
  CHECK(double(rc::fn(puts)(a, i, j, v)) == 2 * 121 + 324 + 36 + 4 + 9 + 25 + 36 + 49 + 81 + 100);
  auto const [gx, gv] = rc::grad<0, 3>(puts)(a, i, j, v);
  CHECK(numbers(gx) == numbers{0, 0, 4, 6, 0, 10, 12, 14, 0, 18, 20, 0});
  // 2 * 2 * 11 for each of two rows; 3 * (3 * 2 * 18 + 2 * 6); and 2 * 11 more for the one that stays
  CHECK(numbers(gv) == numbers{88, 3 * (108 + 12), 132});
}

TEST_CASE("masks of many elements, of rows with strides") {
  rc::ndarray<double, 2> x(3, 700), y = rc::zeros<double>(rc::shape(700, 3));
  for (int k = 0; k < 2100; ++k) x.data()[k] = k * 7919 % 31;
  rc::ndarray<bool, 2> const mask = x.T() > 12.;
  auto const read = rc::eval(x.T()(mask));
  y(mask) = read;
  x.T()(mask) += 100.;
  y(mask) += 7.;
  y(mask) *= 2.;
  rc::index_t at = 0;
  int wrong = 0;
  for (int i = 0; i < 700; ++i)
    for (int k = 0; k < 3; ++k) {
      double const e = (k * 700 + i) * 7919 % 31;
      bool const chosen = e > 12;
      wrong += x(k, i) != (chosen ? e + 100 : e) || y(i, k) != (chosen ? 2 * (e + 7) : 0);
      if (chosen) wrong += read(at++) != e;
    }
  CHECK((wrong == 0 && at == read.size()));
}
