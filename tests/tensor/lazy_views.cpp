// Views of views: what is indexed or assigned of `x.T()`, `rc::flip(x)`, a reshape and their like is the memory of x.
#include <doctest/doctest.h>

#include <utility>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

// 10 i + j
template <class X>
void fill(X& x) {
  for (int i = 0; i < x.shape(0); ++i)
    for (int j = 0; j < x.shape(1); ++j) x(i, j) = 10 * i + j;
}
// what is not says so in one sentence, where its operator that gives nothing is instantiated (tests/fail)
template <class V>
concept writable = requires(V v) {
  requires !std::is_void_v<decltype(std::forward<V>(v) = 1)>;
};
template <class V, class X>
bool within(V const& v, X const& x) {
  return v.data() >= x.data() && v.data() < x.data() + x.size();
}

// Everything that shows a matrix of 3 x 4 in another way, as `f(view, expected elements)`.
template <class X, class F>
void for_each_view(X& x, F const& f) {
  f(x.T(), numbers{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23});
  f(rc::matrix_transpose(x), numbers{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23});
  f(rc::permute_dims(x, rc::axis<0, 1>), numbers{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  f(rc::flip(x, rc::axis<1>), numbers{3, 2, 1, 0, 13, 12, 11, 10, 23, 22, 21, 20});
  f(rc::flip(x), numbers{23, 22, 21, 20, 13, 12, 11, 10, 3, 2, 1, 0});
  f(rc::flip(x.T(), rc::axis<0>), numbers{3, 13, 23, 2, 12, 22, 1, 11, 21, 0, 10, 20});
  f(rc::reshape(x, rc::extents<2, 6>{}), numbers{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  f(rc::flip(rc::reshape(x, rc::shape(6, -1)), rc::axis<0>), numbers{22, 23, 20, 21, 12, 13, 10, 11, 2, 3, 0, 1});
  f(rc::reshape(x(rc::range(1, 3)), rc::shape(4, 2)), numbers{10, 11, 12, 13, 20, 21, 22, 23});
  f(x(rc::range(2, 0, -1), rc::range(1, 3)).T(), numbers{21, 11, 22, 12});
  f(rc::squeeze(rc::permute_dims(rc::expand_dims(x, rc::axis<1>), rc::axis<2, 1, 0>), rc::axis<1>),
    numbers{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23});
}

template <class X>
void shows_and_writes() {
  X x = rc::zeros<double>(rc::shape(3, 4));
  for_each_view(x, [&](auto&& v, numbers const& want) {
    fill(x);
    auto const rows = v.shape(0), columns = v.shape(1);
    auto const at = [&](rc::index_t i, rc::index_t j) { return want.values[std::size_t(i * columns + j)]; };
    for (rc::index_t i = 0; i < rows; ++i)
      for (rc::index_t j = 0; j < columns; ++j) {
        CHECK(v(i, j) == at(i, j));
        CHECK(v(i - rows, j - columns) == at(i, j));
      }
    auto row = v(-1);
    CHECK(within(row, x));
    CHECK(row(1) == at(rows - 1, 1));
    auto block = v(rc::range(0, 2), rc::range(1, 0, -1));
    CHECK(within(block, x));
    CHECK(numbers(block) == numbers{at(0, 1), at(1, 1)});
    // an element, a row, all of it
    v(0, 1) = 100;
    v(1) = 7;
    CHECK(double(rc::max(x)) == 100);
    for (rc::index_t i = 0; i < rows; ++i)
      for (rc::index_t j = 0; j < columns; ++j) CHECK(v(i, j) == (i == 1 ? 7 : i == 0 && j == 1 ? 100 : at(i, j)));
    v = 3;
    for (rc::index_t i = 0; i < rows; ++i) CHECK(v(i, 1) == 3);
  });
  fill(x);
  X const& same = x;
  for_each_view(same, [&](auto const& v, numbers const& want) {
    CHECK(v(0, 1) == want.values[1]);
    auto row = v(0);
    CHECK(within(row, x));
    static_assert(std::is_const_v<std::remove_pointer_t<decltype(row.data())>>);
    static_assert(!writable<decltype(v(0, 0))>);
  });
}

}  // namespace

TEST_CASE("elements and parts of lazy views are the memory's") {
  shows_and_writes<rc::ndarray<double, 2>>();
  shows_and_writes<rc::tensor<double, 3, 4>>();
}

TEST_CASE("assignment of tensors to lazy views, and what they do in statements") {
  rc::ndarray<double, 2> x{{1, 2, 3}, {4, 5, 6}}, y{{10, 20}, {30, 40}, {50, 60}};
  x.T() = y;
  CHECK(numbers(x) == numbers{10, 30, 50, 20, 40, 60});
  x.T() += y;
  CHECK(numbers(x) == numbers{20, 60, 100, 40, 80, 120});
  rc::flip(x, rc::axis<1>) = x;  // read while it is written
  CHECK(numbers(x) == numbers{100, 60, 20, 120, 80, 40});
  rc::flip(x)(0, rc::range(0, 2)) = rc::ndarray<double, 1>{1, 2};
  CHECK(numbers(x) == numbers{100, 60, 20, 120, 2, 1});
  rc::reshape(x, rc::shape(-1))(4) = 5;
  CHECK(x(1, 1) == 5);
  rc::ndarray<double, 2> const z = x.T() + y;
  CHECK(numbers(z) == numbers{110, 140, 90, 45, 70, 61});
  x.T()(rc::ndarray<int, 1>{2, 0}) = 0;
  CHECK(numbers(x) == numbers{0, 60, 0, 0, 5, 0});
  x.T()(x.T() > 50) = 1;
  CHECK(numbers(x) == numbers{0, 1, 0, 0, 5, 0});
  // an assigned view is no other object: elements are copied
  auto t = x.T();
  t = y.T().T();
  CHECK(numbers(x) == numbers{10, 30, 50, 20, 40, 60});
  CHECK(t.shape(0) == 3);
  CHECK(t.T()(1, 2) == 60);
}

TEST_CASE("views of temporaries share their memory or give values") {
  auto const make = [] { return rc::ndarray<double, 2>{{1, 2}, {3, 4}}; };
  auto const row = make().T()(0);  // shares the memory
  CHECK(numbers(row) == numbers{1, 3});
  CHECK(rc::flip(make())(0, 0) == 4);
  auto const in_place = [] { return rc::tensor<double, 2, 2>{{1, 2}, {3, 4}}; };
  auto const part = rc::flip(in_place())(0);
  static_assert(std::is_same_v<decltype(part), rc::tensor<double, 2> const>);
  CHECK(numbers(part) == numbers{4, 3});
  CHECK(rc::permute_dims(in_place(), rc::axis<1, 0>)(0, 1) == 3);
  auto const kept = rc::permute_dims(in_place(), rc::axis<1, 0>);
  CHECK(kept(-1, 0) == 2);
  CHECK(numbers(kept(1)) == numbers{2, 4});
}

TEST_CASE("broadcast views can be read; a reshape across strides is a copy") {
  rc::ndarray<double, 1> x{1, 2, 3};
  auto const wide = rc::broadcast_to(x, rc::shape(2, 3));
  CHECK(wide(1, 2) == 3);
  auto const row = wide(1);
  CHECK(within(row, x));
  CHECK(rc::broadcast_to(rc::expand_dims(x, rc::axis<1>), rc::extents<3, 2>{})(rc::all, 1).strides()[0] == 1);
  static_assert(!writable<decltype(wide(0, 0))> && !writable<decltype(rc::broadcast_to(x, rc::shape(2, 3)))>);
  rc::ndarray<double, 2> m{{1, 2, 3}, {4, 5, 6}};
  auto const copy = rc::reshape(m.T(), rc::shape(6))(rc::range(1, 4));
  CHECK(!within(copy, m));
  CHECK(numbers(copy) == numbers{4, 2, 5});
  static_assert(!writable<decltype(rc::reshape(m.T(), rc::shape(6)))> &&
                writable<decltype(rc::reshape(m, rc::shape(6)))>);
}

TEST_CASE("shapes that do not fit are errors of the views, too") {
  rc::ndarray<double, 2> x(2, 3);
  CHECK(raised([&] { rc::reshape(x, rc::shape(4, 2))(0); }) == "shape_error: reshape: (2, 3) (4, 2)");
  CHECK(raised([&] { rc::squeeze(x, rc::axis<0>)(0); }) == "shape_error: squeeze: (2, 3) (3,)");
  CHECK(raised([&] { rc::broadcast_to(x, rc::shape(2, 4))(0); }) == "shape_error: broadcast_to: (2, 3) (2, 4)");
  CHECK(raised([&] { x.T()(3); }) == "index_error: index 3 is out of range for axis 0 with extent 3");
}

namespace {
template <class V>
constexpr rc::layout layout_of = decltype(std::declval<V>()(rc::ellipsis))::memory;
using rc::layout;
using x_t = rc::ndarray<double, 3>&;
using column_t = rc::tensor<double, rc::dyn, 1>&;
static_assert(layout_of<decltype(rc::reshape(std::declval<x_t>(), rc::shape(6, 4)))> == layout::row_major);
static_assert(layout_of<decltype(rc::permute_dims(std::declval<x_t>(), rc::axis<0, 1, 2>))> == layout::row_major);
static_assert(layout_of<decltype(rc::permute_dims(std::declval<x_t>(), rc::axis<1, 0, 2>))> == layout::rows);
static_assert(layout_of<decltype(rc::permute_dims(std::declval<x_t>(), rc::axis<0, 2, 1>))> == layout::strided);
static_assert(layout_of<decltype(rc::flip(std::declval<x_t>(), rc::axis<0, 1>))> == layout::rows);
static_assert(layout_of<decltype(rc::flip(std::declval<x_t>(), rc::axis<-1>))> == layout::strided);
static_assert(layout_of<decltype(rc::expand_dims(std::declval<x_t>(), rc::axis<1, -1>))> == layout::row_major);
static_assert(layout_of<decltype(std::declval<column_t>().T())> == layout::row_major);
static_assert(layout_of<decltype(rc::squeeze(std::declval<column_t>(), rc::axis<1>))> == layout::row_major);
static_assert(layout_of<decltype(rc::broadcast_to(std::declval<x_t>(), rc::shape(1, 2, 3, 4)))> == layout::strided);
}  // namespace

TEST_CASE("views in constant expressions") {
  static constexpr rc::tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  static_assert(x.T()(2, 1) == 6 && rc::flip(x)(0, 0) == 6 && rc::reshape(x, rc::extents<3, 2>{})(1)(1) == 4);
  constexpr auto changed = [] {
    rc::tensor<float, 2, 3> y = x;
    y.T()(0) = 0.f;
    rc::flip(y)(0, 0) = 9;
    return y;
  }();
  static_assert(changed(0, 0) == 0 && changed(1, 0) == 0 && changed(1, 2) == 9);
}
