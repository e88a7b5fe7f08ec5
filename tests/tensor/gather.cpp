// Indices that are tensors: rows by integers, elements by masks; read, written, inside traced functions and derived.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr rc::all_t all{};
// 10 i + j
rc::ndarray<double, 2> table(int rows = 4, int columns = 3) {
  rc::ndarray<double, 2> t(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) t(i, j) = 10 * i + j;
  return t;
}
using indices = rc::ndarray<int, 1>;

}  // namespace

TEST_CASE("rows and columns in any order, some twice, some from the end") {
  auto const t = table();
  indices const rows{2, 0, 2, -1};
  CHECK(numbers(rc::eval(t(rows))) == numbers{20, 21, 22, 0, 1, 2, 20, 21, 22, 30, 31, 32});
  CHECK(numbers(rc::eval(t(rows, 1))) == numbers{21, 1, 21, 31});
  CHECK(numbers(rc::eval(t(all, indices{2, 0}))) == numbers{2, 0, 12, 10, 22, 20, 32, 30});
  CHECK(numbers(rc::eval(t(rc::range(3, 0, -2), indices{1, 1}))) == numbers{31, 31, 11, 11});
  CHECK(numbers(rc::eval(t(rc::ellipsis, indices{1}))) == numbers{1, 11, 21, 31});
  CHECK(shape_of(rc::eval(t(rc::newaxis, rows))) == numbers{1, 4, 3});
  CHECK(rc::eval(t(indices(0))).size() == 0);
  rc::tensor<std::int64_t, 2, 2> const square{{0, 1}, {2, 3}};
  CHECK(shape_of(rc::eval(t(square))) == numbers{2, 2, 3});
  CHECK(rc::eval(t(square))(1, 0, 2) == 22);
  CHECK(double(rc::sum(t(rows) * 2.)) == 2 * (63 + 3 + 63 + 93));
  // an expression, a view and a temporary as indices
  CHECK(numbers(rc::eval(t(rc::arange<int>(1, 3) * 1, 0))) == numbers{10, 20});
  CHECK(numbers(rc::eval(t(rows(rc::range(0, 2)), 0))) == numbers{20, 0});
  CHECK(raised([&] { rc::eval(t(indices{0, 4})); }) == "index_error: take: index 4 is out of range for an axis of 4");
  CHECK(raised([&] { rc::eval(t(all, indices{-4})); }).rfind("index_error: ", 0) == 0);
}

TEST_CASE("static extents stay in the type") {
  rc::tensor<float, 4, 3> t;
  t = table();
  rc::tensor<int, 2> const rows{3, 1};
  auto const r = rc::eval(t(rows));
  static_assert(std::is_same_v<std::remove_const_t<decltype(r)>, rc::tensor<float, 2, 3>>);
  CHECK(numbers(r) == numbers{30, 31, 32, 10, 11, 12});
  t(rows, 0) = -1.f;
  CHECK(numbers(t(all, 0)) == numbers{0, -1, 20, -1});
}

TEST_CASE("rows are written, the last where one is named twice") {
  auto t = table();
  indices const rows{2, 0};
  t(rows) = 5.;
  CHECK(numbers(t(all, 1)) == numbers{5, 11, 5, 31});
  t(rows) = rc::ndarray<double, 2>{{1, 2, 3}, {4, 5, 6}};
  CHECK(numbers(t(2)) == numbers{1, 2, 3});
  CHECK(numbers(t(0)) == numbers{4, 5, 6});
  t(rows) += 100.;
  t(all, indices{1}) *= -1.;
  CHECK(numbers(t) == numbers{104, -105, 106, 10, -11, 12, 101, -102, 103, 30, -31, 32});
  t(rows) = t(indices{0, 2});  // exchanged
  CHECK(numbers(t(all, 0)) == numbers{101, 10, 104, 30});
  t(rc::range(1, 4, 2), indices{2, 0}) = rc::ndarray<double, 1>{7, 8};
  CHECK(numbers(t(1)) == numbers{8, -11, 7});
  CHECK(numbers(t(3)) == numbers{8, -31, 7});
  t(indices{1, 1}, 0) = rc::ndarray<double, 1>{1, 2};
  CHECK(t(1, 0) == 2);
  t(indices{3, 1}) = t(rc::range(0, 2));  // read where it is written
  CHECK(numbers(t(all, 0)) == numbers{101, 2, 104, 101});
  t.T()(indices{2, 0}, indices{-1}(0)) = rc::ndarray<float, 1>{70, 80};
  CHECK(numbers(t(3)) == numbers{80, t(3, 1), 70});
  t(rc::ndarray<int, 2>{{0, 1}, {2, 3}}) = rc::ndarray<double, 3>{{{1}, {2}}};  // broadcast along both
  CHECK(numbers(t(all, 2)) == numbers{1, 2, 1, 2});
  indices order{2, 0, 1};
  order(order) = rc::arange<int>(3);
  CHECK(numbers(order) == numbers{1, 2, 0});
  t(indices{}) = 5.;
  auto const before = t;
  CHECK(raised([&] { t(indices{0, 9}) = 1.; }).rfind("index_error: ", 0) == 0);
  CHECK(raised([&] { t(rows) = rc::ndarray<double, 1>{1, 2}; }).rfind("shape_error: ", 0) == 0);
  CHECK(numbers(t) == numbers(before));
}

TEST_CASE("masks read and write the elements that they name") {
  auto t = table(2, 3);  // 0 1 2 / 10 11 12
  CHECK(numbers(rc::eval(t(t > 1.))) == numbers{2, 10, 11, 12});
  CHECK(double(rc::sum(t(t > 1.))) == 35);
  CHECK(t(t > 1.).shape(0) == 4);
  CHECK(rc::eval(t(t > 99.)).size() == 0);
  rc::tensor<bool, 2, 3> const corners{{true, false, true}, {true, false, true}};
  t(corners) = -1.;
  CHECK(numbers(t) == numbers{-1, 1, -1, -1, 11, -1});
  t(t > 0.) *= 2.;
  t(t < 0.) += 0.5;
  CHECK(numbers(t) == numbers{-0.5, 2, -0.5, -0.5, 22, -0.5});
  t(corners) = rc::ndarray<double, 1>{1, 2, 3, 4};
  CHECK(numbers(t) == numbers{1, 2, 2, 3, 22, 4});
  t(all, 1)(t(all, 1) > 10.) = 0.;
  CHECK(t(1, 1) == 0);
  CHECK(raised([&] { t(corners) = rc::ndarray<double, 1>{1, 2}; }).rfind("shape_error: ", 0) == 0);
  CHECK(raised([&] { rc::eval(t(rc::ndarray<bool, 2>(3, 2))); }).rfind("shape_error: ", 0) == 0);
  CHECK(t(0, 0) == 1);
  rc::tensor<float, 4> small{1, -2, 3, -4};
  small(small < 0.f) = 0.f;
  CHECK(numbers(small) == numbers{1, 0, 3, 0});
}

TEST_CASE("masks of leading axes name rows") {
  auto t = table(4, 3);  // 0 1 2 / 10 11 12 / 20 21 22 / 30 31 32
  rc::tensor<int, 4> const label{0, 1, 0, 1};
  CHECK(numbers(rc::eval(t(label == 1))) == numbers{10, 11, 12, 30, 31, 32});
  CHECK(numbers(rc::eval(rc::mean(t(label == 1), rc::axis<0>))) == numbers{20, 21, 22});
  CHECK(t(label == 1).shape() == std::array<rc::index_t, 2>{2, 3});
  CHECK(numbers(rc::eval(t.T()(rc::tensor<bool, 3>{true, false, true}))) == numbers{0, 10, 20, 30, 2, 12, 22, 32});
  CHECK(rc::eval(t(label > 1)).shape() == std::array<rc::index_t, 2>{0, 3});
  t(label == 1) = rc::tensor<int, 3>{1, 2, 3};
  t(label == 0) += rc::ndarray<double, 2>{{100}, {200}};
  CHECK(numbers(t) == numbers{100, 101, 102, 1, 2, 3, 220, 221, 222, 1, 2, 3});
  t(label == 0) = t(label == 1) * 2.;
  t(t(all, 0) == 1.) = -1.;
  CHECK(numbers(t) == numbers{2, 4, 6, -1, -1, -1, 2, 4, 6, -1, -1, -1});
  CHECK(raised([&] { t(label == 1) = rc::ndarray<double, 2>(3, 3); }).rfind("shape_error: ", 0) == 0);
  CHECK(raised([&] { rc::eval(t(rc::ndarray<bool, 1>(3))); }).rfind("shape_error: ", 0) == 0);
  CHECK(t(0, 0) == 2);
  rc::tensor<int, 2, 2, 3> image;
  image(rc::tensor<bool, 2, 2>{{true, false}, {false, true}}) = rc::tensor<int, 3>{1, 2, 3};
  CHECK(numbers(image) == numbers{1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 3});
}

TEST_CASE("lazy rows outlive what they were made of") {
  auto const make = [] {
    auto const local = table();
    indices const rows{1, 2};
    rc::tensor<int, 1> const fixed{0};
    return std::pair(local(rows), local(all, fixed));
  };
  auto const [a, b] = make();
  CHECK(numbers(rc::eval(a)) == numbers{10, 11, 12, 20, 21, 22});
  CHECK(numbers(rc::eval(b)) == numbers{0, 10, 20, 30});
}

TEST_CASE("inside traced functions, with derivatives") {
  auto const t = table(3, 2);
  indices const rows{2, 0, 2};
  auto const gather = [](auto x, auto i) { return rc::sum(x(i) * x(i)); };
  CHECK(double(rc::fn(gather)(t, rows)) == 2 * (400 + 441) + 1);
  CHECK(numbers(rc::grad(gather)(t, rows)) == numbers{0, 2, 0, 0, 80, 84});
  CHECK(numbers(rc::interpret(rc::grad(gather))(t, rows)) == numbers{0, 2, 0, 0, 80, 84});
  auto const put = [](auto x, auto i) {
    x(rc::all, i) = 3. * x(rc::all, i);
    return rc::sum(x * x);
  };
  rc::tensor<int, 1> const second{1};
  CHECK(numbers(rc::grad(put)(t, second)) == numbers{0, 18, 20, 18 * 11, 40, 18 * 21});
  auto const cut = [](auto x) {
    x(x > 10.) = 0.;
    x(x == 0.) += 1.;
    return rc::sum(x * x);
  };
  // 0 1 / 10 0 / 0 0, then each 0 becomes 1
  CHECK(double(rc::fn(cut)(t)) == 1 + 1 + 100 + 3);
  CHECK(numbers(rc::grad(cut)(t)) == numbers{2, 2, 20, 0, 0, 0});
  auto const rows_of_label = [](auto x, auto label) {
    x(label == 1) = 0.;
    x(label == 0) *= rc::tensor<double, 2>{2, 3};
    return rc::sum(x * x);
  };
  rc::tensor<int, 3> const label{0, 1, 0};  // 0 1 / 10 11 / 20 21
  CHECK(double(rc::fn(rows_of_label)(t, label)) == 9 + 1600 + 3969);
  CHECK(numbers(rc::grad(rows_of_label)(t, label)) == numbers{0, 18, 0, 0, 160, 378});
}
