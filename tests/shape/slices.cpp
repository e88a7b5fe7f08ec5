// What an index selects: lengths of ranges with bounds from the end and steps of either sign, and the extents that
// remain.
#include <doctest/doctest.h>

#include <limits>

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
static_assert(range_length(10, 0, -1, 10) == -1 && range_length(10, 10, -1, 10) == -1);
static_assert(range_length(0, -1, -1, 0) == 0 && range_length(-1, -1, -1, 0) == 0 && range_length(-1, 0, 1, 0) == -1);
constexpr rc::index_t far = std::numeric_limits<rc::index_t>::max();
static_assert(range_length(0, 10, far, 10) == 1 && range_length(9, -1, -far - 1, 10) == 1);

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

// ---- every range on small axes, compared with Python's slices where the bounds lie on the axis ----

namespace {

struct taken {
  rc::index_t first, length;  // -1: an error; the first element of nothing is 0
  bool operator==(taken const&) const = default;
};
// What Python says of range(n)[start:stop:step], by its own rule of clamped bounds, in plain steps.
constexpr taken reference(rc::index_t start, rc::index_t stop, rc::index_t step, rc::index_t n) {
  rc::index_t const from = start < 0 ? start + n : start, to = stop < 0 ? stop + n : stop;
  bool const before = step < 0 && n == 0;  // where a range backwards starts on an empty axis
  if (step == 0 || from < (before ? -1 : 0) || from > n || to < -1 || to > n) return {0, -1};
  if (step < 0 && n > 0 && from == n) return {0, -1};
  taken t{0, 0};
  for (rc::index_t k = step < 0 && from == n ? n - 1 : from; step < 0 ? k > to : k < to; k += step)
    if (k >= 0 && k < n && t.length++ == 0) t.first = k;
  return t;
}
template <class F>
constexpr bool for_all_ranges(F const& holds) {
  constexpr rc::index_t steps[] = {1, 2, 3, 5, 100, -1, -2, -3, -5, -100, 0};
  for (rc::index_t n = 0; n <= 4; ++n)
    for (rc::index_t start = -6; start <= 6; ++start)
      for (rc::index_t stop = -6; stop <= 6; ++stop)
        for (rc::index_t const step : steps)
          if (!holds(start, stop, step, n)) return false;
  return true;
}

// types: the extents of a static tensor's part, or `dyn` where it depends on an extent
template <rc::index_t A, rc::index_t B, rc::index_t C>
constexpr bool typed_as_in_python() {
  for (rc::index_t n = 0; n <= 4; ++n)
    if (rc::shapes::typed_length<rc::static_range<A, B, C>>(n) != reference(A, B, C, n).length) return false;
  for (rc::index_t n = 0, known = rc::shapes::typed_length<rc::static_range<A, B, C>>(dyn); n <= 4; ++n)
    if (auto const want = reference(A, B, C, n); want.length >= 0 && known != dyn && known != want.length) return false;
  return true;
}
template <int... K>
constexpr bool typed_as_in_python(std::integer_sequence<int, K...>) {
  return (typed_as_in_python<K % 7 - 3, K / 7 % 7 - 3, (K / 49 < 2 ? K / 49 - 2 : K / 49 - 1)>() && ...);
}
static_assert(typed_as_in_python(std::make_integer_sequence<int, 196>{}));

}  // namespace

TEST_CASE("ranges select what Python's slices do: views, at run time") {
  CHECK(for_all_ranges([](auto start, auto stop, auto step, auto n) {
    auto const want = reference(start, stop, step, n);
    rc::ndarray<int, 1> a(n);
    taken got{0, -1};
    std::string const error = raised([&] {
      auto const v = a(rc::range(start, stop, step));
      got = {v.data() - a.data(), v.shape(0)};
      if (got.length > 1) CHECK(v.strides()[0] == step);
    });
    bool const as_wanted = got == want && error.empty() == (want.length >= 0);
    if (!as_wanted) MESSAGE(start, " ", stop, " ", step, " of ", n, ": ", got.first, " ", got.length, " ", error);
    return as_wanted;
  }));
}

TEST_CASE("ranges select what Python's slices do: traced, with an extent that shows when it runs") {
  CHECK(for_all_ranges([](auto start, auto stop, auto step, auto n) {
    if (step == 0) return true;
    auto const want = reference(start, stop, step, n);
    static rc::ir::graph g;
    g = {};
    rc::shape_t const x{1, {rc::ir::dim(g, rc::ir::dim_op::argument, 0, 0)}};
    rc::ir::graph_selection<rc::ir::graph> at{g, x};
    at.one(rc::range(start, stop, step), 0);
    rc::operand_ref const operand{nullptr, &n, nullptr};
    rc::index_t dims[64];
    for (int k = 0; k < g.dim_count; ++k) dims[k] = rc::exec::evaluate(g.dims[k], &operand, nullptr, dims);
    taken got{rc::exec::resolve(at.s.start[0], dims), rc::exec::resolve(at.s.length[0], dims)};
    if (got.length == 0) got.first = 0;
    for (int k = 0; k < g.check_count; ++k)
      if (rc::exec::resolve(g.checks[k].a, dims) < rc::exec::resolve(g.checks[k].b, dims)) got = {0, -1};
    bool const as_wanted = at.failed ? want.length < 0 : got == want;
    if (!as_wanted) MESSAGE(start, " ", stop, " ", step, " of ", n, ": ", got.first, " ", got.length, " ", at.failed);
    return as_wanted;
  }));
}

TEST_CASE("bounds computed from extents: what is negative for all of them counts from the end, as it does known") {
  // -n - 1, -n, n, and n - 1, of which nobody knows whether it is negative; nor what starts backwards whether the axis
  // is empty
  int wrong = 0;
  for (int forms = 0; forms < 16; ++forms)
    for (int step = -2; step < 3; ++step)
      for (rc::index_t n = 0; step != 0 && n < 4; ++n) {
        static rc::ir::graph g;
        g = {};
        rc::symbolic_dim<rc::ir::traced> const extent{&g, rc::ir::dim(g, rc::ir::dim_op::argument, 0, 0)};
        auto const bound = [](int form, auto e) {
          return form == 0 ? e * -1 - 1 : form == 1 ? e * -1 + 0 : e + (2 - form);
        };
        rc::ir::graph_selection<rc::ir::graph> at{g, rc::shape_t{1, {extent.dim}}};
        at.one(rc::range(bound(forms / 4, extent), bound(forms % 4, extent), step), 0);
        rc::operand_ref const operand{nullptr, &n, nullptr};
        rc::index_t dims[64];
        for (int k = 0; k < g.dim_count; ++k) dims[k] = rc::exec::evaluate(g.dims[k], &operand, nullptr, dims);
        taken got{rc::exec::resolve(at.s.start[0], dims), rc::exec::resolve(at.s.length[0], dims)};
        if (got.length == 0) got.first = 0;
        for (int k = 0; k < g.check_count; ++k)
          if (rc::exec::resolve(g.checks[k].a, dims) < rc::exec::resolve(g.checks[k].b, dims)) got = {0, -1};
        bool const unknown = n == 0 && (forms / 4 == 3 || forms % 4 == 3 || step < 0);
        taken const want = unknown ? taken{0, -1} : reference(bound(forms / 4, n), bound(forms % 4, n), step, n);
        if (got == want) continue;
        ++wrong;
        MESSAGE(forms, " step ", step, " of ", n, ": ", got.first, " ", got.length, " not ", want.first, " ",
                want.length);
      }
  CHECK(wrong == 0);
}

TEST_CASE("ranges select what Python's slices do: interpreted") {
  CHECK(for_all_ranges([](auto start, auto stop, auto step, auto n) {
    auto const want = reference(start, stop, step, n);
    rc::ndarray<double, 1> a(n), part;
    for (rc::index_t k = 0; k < n; ++k) a.data()[k] = double(k);
    std::string const error =
        raised([&] { part = rc::interpret([=](auto x) { return x(rc::range(start, stop, step)); })(a); });
    if (want.length < 0) return !error.empty();
    bool right = error.empty() && part.shape(0) == want.length;
    for (rc::index_t k = 0; right && k < want.length; ++k) right = part.data()[k] == double(want.first + k * step);
    return right;
  }));
}

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
