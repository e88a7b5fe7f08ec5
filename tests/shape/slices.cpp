// What an index selects: lengths of ranges with bounds from the end and steps of either sign, and the extents that
// remain.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::dyn;
using rc::shapes::range_length;

namespace {

// start, stop, step, extent; bounds already counted from the start
static_assert(range_length(0, 10, 1, 10) == 10 && range_length(2, 9, 3, 10) == 3 && range_length(2, 8, 3, 10) == 2);
static_assert(range_length(5, 5, 1, 10) == 0 && range_length(7, 3, 1, 10) == 0 && range_length(10, 10, 1, 10) == 0);
static_assert(range_length(9, -1, -1, 10) == 10 && range_length(9, -1, -4, 10) == 3 && range_length(3, 7, -1, 10) == 0);
static_assert(range_length(0, 0, 1, 0) == 0 && range_length(0, 0, -1, 0) == 0);
static_assert(range_length(0, 11, 1, 10) == -1 && range_length(-1, 3, 1, 10) == -1 && range_length(0, 3, 0, 10) == -1);
static_assert(range_length(10, 0, -1, 10) == -1);

template <class E, class... Items>
using selected = typename rc::shapes::indexed<E, Items...>::type;
template <class T, rc::index_t... E>
constexpr bool is = std::is_same_v<T, rc::extents<E...>>;
using e = rc::extents<4, 5, 6>;
using all = rc::all_t;
using values = rc::range_t<rc::index_t, rc::index_t, true>;

static_assert(is<selected<e, int>, 5, 6> && is<selected<e, all, int>, 4, 6> && is<selected<e, int, int, int>>);
static_assert(is<selected<e, rc::ellipsis_t, int>, 4, 5> && is<selected<e, int, rc::ellipsis_t, int>, 5>);
static_assert(is<selected<e, rc::ellipsis_t>, 4, 5, 6> && is<selected<e, int, rc::ellipsis_t, int, int>>);
static_assert(is<selected<e, rc::newaxis_t, all, rc::newaxis_t, int>, 1, 4, 1, 6>);
static_assert(is<selected<e, rc::ellipsis_t, rc::newaxis_t>, 4, 5, 6, 1>);
static_assert(is<selected<e, rc::static_range<1, 3, 1>>, 2, 5, 6> &&
              is<selected<e, all, rc::static_range<0, 5, 2>>, 4, 3, 6>);
static_assert(is<selected<e, rc::static_range<-3, -1, 1>>, 2, 5, 6> &&
              is<selected<e, rc::static_range<3, 0, -1>>, 3, 5, 6>);
static_assert(is<selected<e, values>, dyn, 5, 6> && is<selected<e, rc::window<2, int>>, 2, 5, 6>);
static_assert(is<selected<rc::extents<dyn, 5>, all, int>, dyn> &&
              is<selected<rc::extents<dyn>, rc::static_range<1, 3, 1>>, 2>);
static_assert(is<selected<rc::extents<dyn>, rc::static_range<0, -1, 1>>, dyn>);

// what a view's type still knows of its strides
using rc::layout;
using rc::expr::layout_of_index;
static_assert(layout_of_index<layout::row_major, int>(1) == layout::row_major);
static_assert(layout_of_index<layout::row_major, values>(1) == layout::row_major);
static_assert(layout_of_index<layout::row_major, values, values>(0) == layout::rows);
static_assert(layout_of_index<layout::row_major, all, int>(0) == layout::strided);
static_assert(layout_of_index<layout::row_major, rc::range_t<rc::index_t, rc::index_t, false>>(0) == layout::strided);

}  // namespace

TEST_CASE("a selection by numbers starts, steps and ends where it should") {
  rc::index_t const extents[] = {10, 4};
  rc::expr::number_selection at{extents};
  at.one(rc::range(-2, 0, -3), 0);
  at.one(-1, 1);
  CHECK(at.s.start[0] == 8);
  CHECK(at.s.step[0] == -3);
  CHECK(at.s.length[0] == 3);
  CHECK(at.s.start[1] == 3);
  CHECK(at.s.rank_in == 2);
  CHECK(at.s.rank_out == 1);
}

TEST_CASE("what lies outside its axis is an index_error that names it") {
  rc::ndarray<float, 2> a(10, 4);
  CHECK(raised([&] { a(10); }) == "index_error: index 10 is out of range for axis 0 with extent 10");
  CHECK(raised([&] { a(rc::all, -5); }) == "index_error: index -5 is out of range for axis 1 with extent 4");
  CHECK(raised([&] { a(rc::range(0, 11)); }) == "index_error: range(0, 11, 1) lies outside axis 0 with extent 10");
  CHECK(raised([&] { a(rc::range(0, 4, 0)); }) == "index_error: a range needs a step other than 0");
  CHECK(raised([&] { a(rc::slice<3>(8)); }).rfind("index_error: range(8, 11, 1)", 0) == 0);
  CHECK(raised([&] { a(rc::ellipsis, rc::slice<5>(0)); }).rfind("index_error", 0) == 0);
  CHECK(raised([&] { a(rc::range(10, 10)); }) == "");
}
