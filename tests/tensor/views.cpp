// Views of every kind: what they show, what is written through them, and views of views. What a view should hold is
// computed here by plain loops over the elements.
#include <doctest/doctest.h>

#include <algorithm>
#include <ranges>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::dyn;

namespace {

// 100 i + 10 j + k
rc::ndarray<double, 3> cube() {
  rc::ndarray<double, 3> c(3, 4, 5);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 5; ++k) c(i, j, k) = 100 * i + 10 * j + k;
  return c;
}
constexpr rc::all_t all{};

}  // namespace

TEST_CASE("integers drop their axis") {
  auto const c = cube();
  CHECK(numbers(c(1, 2)) == numbers{120, 121, 122, 123, 124});
  CHECK(numbers(c(-1, -2)) == numbers{220, 221, 222, 223, 224});
  CHECK(numbers(c(1, all, 2)) == numbers{102, 112, 122, 132});
  CHECK(numbers(c(all, 1, 2)) == numbers{12, 112, 212});
  CHECK(shape_of(c(1)) == numbers{4, 5});
  CHECK(c(1)(2)(3) == 123);
  CHECK(c(1)(2, 3) == 123);
  CHECK(c(1).at(2, -1) == 124);
}

TEST_CASE("ranges of either sign, windows, new axes, ellipsis") {
  auto const c = cube();
  CHECK(numbers(c(2, 3, rc::range(1, 4))) == numbers{231, 232, 233});
  CHECK(numbers(c(2, 3, rc::range(3))) == numbers{230, 231, 232});
  CHECK(numbers(c(2, 3, rc::range(0, 5, 2))) == numbers{230, 232, 234});
  CHECK(numbers(c(2, 3, rc::range(4, 0, -1))) == numbers{234, 233, 232, 231});
  CHECK(numbers(c(2, 3, rc::range(-1, 1, -2))) == numbers{234, 232});
  CHECK(numbers(c(2, 3, rc::range(-3, -1))) == numbers{232, 233});
  CHECK(c(2, 3, rc::range(2, 2)).size() == 0);
  CHECK(numbers(c(rc::range(2, 0, -1), rc::range(0, 4, 3), 0)) == numbers{200, 230, 100, 130});
  auto const w = c(all, all, rc::slice<2>(3));
  static_assert(decltype(w)::extents::extent(2) == 2);
  CHECK(numbers(w(0)) == numbers{3, 4, 13, 14, 23, 24, 33, 34});
  auto const s = c(rc::ellipsis, rc::range<1, 4, 2>());
  static_assert(decltype(s)::extents::extent(2) == 2);
  CHECK(numbers(s(2, 0)) == numbers{201, 203});
  CHECK(shape_of(c(rc::newaxis, 1, rc::ellipsis, rc::newaxis)) == numbers{1, 4, 5, 1});
  CHECK(c(rc::newaxis, 1, rc::ellipsis, rc::newaxis)(0, 2, 3, 0) == 123);
  CHECK(shape_of(c(rc::ellipsis)) == numbers{3, 4, 5});
  CHECK(numbers(c(rc::ellipsis, 2, 3, 1)) == numbers{231});
}

TEST_CASE("views of views") {
  auto const c = cube();
  auto const v = c(rc::range(2, 0, -1), all, rc::range(0, 5, 2));  // (2, 4, 3)
  CHECK(v(0, 1, 2) == 214);
  CHECK(numbers(v(all, 3, rc::range(2, 0, -1))) == numbers{234, 232, 134, 132});
  CHECK(numbers(v(1)(rc::range(0, 4, 3), 1)) == numbers{102, 132});
  CHECK(v.strides() == std::array<rc::index_t, 3>{-20, 5, 2});
}

TEST_CASE("views are read in expressions by their strides") {
  auto const c = cube();
  rc::ndarray<double, 2> const sum = c(0, all, rc::range(4, 0, -2)) + c(all, 1, rc::range(0, 2))(1) * 1000.;
  CHECK(shape_of(sum) == numbers{4, 2});
  CHECK(sum(0, 0) == 4 + 110000);
  CHECK(sum(3, 1) == 32 + 111000);
  CHECK(double(rc::sum(c(all, 2, all))) == 3 * (20 * 5 + 10) + 300 * 5);
  // rows of slice 0 times reversed columns of slice 1
  rc::ndarray<double, 2> const p = rc::matmul(c(0, rc::range(0, 2)), c(1, all, rc::range(4, -1 - 5, -1)).T());
  CHECK(shape_of(p) == numbers{2, 4});
  double want = 0;
  for (int k = 0; k < 5; ++k) want += (10 + k) * (130 + 4 - k);
  CHECK(p(1, 3) == want);
}

TEST_CASE("what is assigned to a view lands where it looks, and nowhere else") {
  auto c = cube();
  c(1, all, rc::range(0, 5, 2)) = -1.;
  c(rc::range(2, 0, -2), rc::range(3, 1, -1), 0) = rc::ndarray<double, 1>{7, 8};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 5; ++k) {
        double want = 100 * i + 10 * j + k;
        if (i == 1 && k % 2 == 0) want = -1;
        if (i == 2 && k == 0 && j >= 2) want = j == 3 ? 7 : 8;
        CHECK(c(i, j, k) == want);
      }
  c(0) += c(2);
  CHECK(c(0, 1, 1) == 11 + 211);
  c(0, 0) *= 2.;
  CHECK(c(0, 0, 1) == 2 * (1 + 201));
  c(0, 0) -= 1.;
  c(0, 0) /= 3.;
  CHECK(c(0, 0, 1) == (2 * (1 + 201) - 1) / 3.);
  c(rc::ellipsis) = 0.;
  CHECK(double(rc::sum(rc::abs(c))) == 0);
}

TEST_CASE("a value of fewer axes is broadcast over the view") {
  rc::tensor<float, 2, 3> a;
  a(rc::all, rc::range(0, 3)) = rc::tensor<float, 3>{1, 2, 3};
  CHECK(numbers(a) == numbers{1, 2, 3, 1, 2, 3});
  a(all, all) = rc::tensor<float, 2, 1>{{5}, {6}};
  CHECK(numbers(a) == numbers{5, 5, 5, 6, 6, 6});
  rc::ndarray<float, 2> d(2, 3);
  d(all, rc::range(1, 3)) = a(all, rc::range(0, 1));
  CHECK(numbers(d) == numbers{0, 5, 5, 0, 6, 6});
  CHECK(raised([&] { d(all, rc::range(0, 2)) = rc::ndarray<float, 1>{1, 2, 3}; }) != "");
  CHECK(numbers(d) == numbers{0, 5, 5, 0, 6, 6});
}

TEST_CASE("elements in braces are written to a view") {
  rc::ndarray<double, 2> x(2, 3);
  x(0) = {1, 2, 3};
  x(all, 2) = {7., 8.};
  x(1, rc::range(rc::end, 0, -1)) = {9., 5.};
  CHECK(numbers(x) == numbers{1, 2, 7, 0, 5, 9});
  CHECK(raised([&] { x(0) = {1., 2.}; }) == "shape_error: assignment: (3,) (2,)");
  rc::tensor<int, 2, 2> known;
  known(1) = {3, 4};
  CHECK(numbers(known) == numbers{0, 0, 3, 4});
}

TEST_CASE("assigning a view to a view copies the elements, not the place") {
  rc::ndarray<double, 2> a{{1, 2}, {3, 4}};
  auto first = a(0), second = a(1);
  first = second;
  CHECK(numbers(a) == numbers{3, 4, 3, 4});
  second(0) = 9;
  CHECK(numbers(a) == numbers{3, 4, 9, 4});
  a(0) = a(1);
  CHECK(numbers(a) == numbers{9, 4, 9, 4});
}

TEST_CASE("views convert: to tensors of their own, to numbers, to other element types") {
  auto c = cube();
  rc::tensor<float, 2> const t = c(0, 0, rc::range<0, 4, 2>());
  CHECK(numbers(t) == numbers{0, 2});
  auto const one = c(1, 2, 3);
  CHECK(one == 123);
  rc::tensor<double, 2, 2> m{{1, 2}, {3, 4}};
  auto const corner = m(rc::range<0, 1>(), 1)(0);
  CHECK(corner == 2);
  rc::ndarray<int, 1> i(2);
  i(rc::range(0, 2)) = c(2, 0, rc::range(1, 3)) + 0.9;
  CHECK(numbers(i) == numbers{201, 202});
}

TEST_CASE("static tensors give static views") {
  rc::tensor<float, 4, 6> a;
  auto v = a(rc::range<0, 4, 2>(), rc::range<5, 1, -2>());
  static_assert(std::is_same_v<decltype(v)::extents, rc::extents<2, 2>>);
  v = rc::tensor<float, 2, 2>{{1, 2}, {3, 4}};
  CHECK(a(0, 5) == 1);
  CHECK(a(0, 3) == 2);
  CHECK(a(2, 5) == 3);
  CHECK(a(2, 3) == 4);
  CHECK(float(rc::sum(a)) == 10);
  a(all, 0) = 1;
  CHECK(float(rc::sum(a)) == 14);
}

TEST_CASE("empty views take nothing and give nothing") {
  auto c = cube();
  auto v = c(rc::range(1, 1));
  CHECK(shape_of(v) == numbers{0, 4, 5});
  v = 5.;
  v += 1.;
  CHECK(double(rc::sum(v)) == 0);
  CHECK(shape_of(rc::eval(v + c(0))) == numbers{0, 4, 5});
  CHECK(c(1, 2, 3) == 123);
}

TEST_CASE("a view is iterated over element by element, and sorted where it lies") {
  auto c = cube();
  auto const collected = [](auto const& v) {
    numbers each{};
    for (auto const& e : v) each.values.push_back(double(e));
    return each;
  };
  auto const back = c(rc::range(2, 0, -1), rc::range(0, 4, 2), rc::range(4, 2, -1));
  CHECK(collected(c(1, 2)) == numbers(c(1, 2)));
  CHECK(collected(c(all, 1, 2)) == numbers(c(all, 1, 2)));
  CHECK(collected(back) == numbers(back));
  CHECK(collected(c(rc::range(1, 1), all, 0)) == numbers{});
  CHECK(collected(c(0).T()) == numbers(rc::eval(c(0).T())));
  CHECK(collected(std::as_const(c)(all, rc::newaxis, 3, 4)) == numbers{34, 134, 234});
  using of_column = decltype(c(all, 1, 2));
  using of_block = decltype(back);
  static_assert(std::ranges::random_access_range<of_column> && std::ranges::random_access_range<of_block>);
  static_assert(std::ranges::contiguous_range<decltype(c(1, 2))>);
  static_assert(std::is_same_v<decltype(*std::as_const(c)(all, 1, 2).begin()), double const&>);
  static_assert(std::input_iterator<decltype(rc::ndarray<bool, 2>(2, 2)(all, 0).begin())>);
  for (auto& e : c(all, 0, 0)) e = -e;
  CHECK(numbers(c(all, 0, 0)) == numbers{-0., -100, -200});
  std::ranges::sort(c(all, 0, 0));
  CHECK(numbers(c(all, 0, 0)) == numbers{-200, -100, 0});
  for (auto row : rc::rows(c(0))) std::ranges::sort(row, std::greater{});
  CHECK(numbers(c(0, 1)) == numbers{14, 13, 12, 11, 10});
  auto const place = back.begin();
  CHECK((back.end() - place == back.size() && place[5] == *(place + 5) && *--(place + 6) == place[5] &&
         place[5] == back(1, 0, 1) && place < place + 1));
  auto walked = place;
  for (int k = 0; k < 7; ++k) {
    CHECK(*walked == place[k]);
    CHECK(*walked++ == *(7 + place - (7 - k)));
  }
  CHECK(*(walked -= 3) == place[4]);
  std::ranges::sort(back);
  CHECK(std::ranges::is_sorted(back));
  auto const column = c(all, 3, 4);
  CHECK(*std::ranges::max_element(column) == std::ranges::max(column));
}

TEST_CASE("rows are the views of a range, which may be written where the tensor may") {
  rc::ndarray<double, 2> x{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 2, 3> const known = x;
  rc::tensor<double, dyn, 3> mixed = x;
  using range = decltype(rc::rows(x));
  static_assert(std::ranges::random_access_range<range> && std::ranges::sized_range<range>);
  static_assert(std::is_same_v<decltype(rc::rows(known)[0](0)), double const&>);
  for (auto row : rc::rows(x)) row *= 10.;
  for (auto column : rc::rows(x, rc::axis<-1>)) column(0) += 1.;
  CHECK(numbers(x) == numbers{11, 21, 31, 40, 50, 60});
  for (auto row : rc::rows(x.T())) row(1) = 0.;
  for (auto& element : rc::rows(x(0))) element = 7;
  CHECK(numbers(x) == numbers{7, 7, 7, 0, 0, 0});
  for (auto row : rc::rows(mixed) | std::views::reverse | std::views::take(1)) row = 9.;
  CHECK(numbers(mixed) == numbers{1, 2, 3, 9, 9, 9});
  auto const rows = rc::rows(known);
  CHECK(std::ranges::find_if(rows, [](auto const& row) { return row(0) == 4; }) - rows.begin() == 1);
  double sum = 0;
  for (auto row : rc::rows(rc::tensor<double, 2, 3>(known))) sum += row(2);  // a temporary is held
  for (auto row : rc::rows(known + x)) sum += row(0);
  CHECK((sum == 3 + 6 + 8 + 4 && rc::rows(rc::ndarray<float, 3>(0, 2, 2)).empty()));
}
