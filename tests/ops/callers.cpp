// An index outside is told of the function that a program called, whatever it is made of, also where it is derived.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>
#include <string>

#include "../raised.hpp"

namespace rc = ricci;

namespace {

using places = rc::ndarray<int, 1>;

std::string const outside = " is out of range for an axis of ";

constexpr auto taken = [](auto x, auto i) { return rc::sum(3. * rc::take(x, i)); };
constexpr auto slope = [](auto x, auto i) { return rc::grad(taken)(x, i); };
constexpr auto twice = [](auto x, auto i) { return rc::sum(rc::square(rc::take(x, i))); };
constexpr auto curvature = [](auto x, auto i) { return rc::sum(rc::grad(twice)(x, i)); };

}  // namespace

TEST_CASE("formulas name themselves") {
  rc::ndarray<double, 1> const x{3., 1., 2.};
  places const bad{0, 7};
  CHECK(raised([&] { rc::eval(rc::take(x, bad)); }) == "index_error: take: index 7" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::take_along_axis(x, bad)); }) ==
        "index_error: take_along_axis: index 7" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::quantile(x, 1.5)); }) == "index_error: quantile: index 3" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::percentile(x, 101.)); }) == "index_error: percentile: index 3" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::nanquantile(x, -.5)); }) == "index_error: nanquantile: index 3" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::partition(x, 5)); }) == "index_error: partition: index 5" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::put(x, bad, x(rc::range(0, 2)))); }) == "index_error: put: index 7" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::bincount(bad, rc::shape(4))); }) == "index_error: bincount: index 7" + outside + "4");
  rc::ndarray<double, 1> const none = x(rc::range(0, 0));
  CHECK(raised([&] { rc::eval(rc::interp(x, none, none)); }).rfind("index_error: interp", 0) == 0);
  rc::ndarray<double, 1> const nans = x * (0. / 0.);
  CHECK(raised([&] { rc::eval(rc::nanargmax(nans)); }).rfind("index_error: nanargmax", 0) == 0);
  rc::ndarray<double, 2> const rows = rc::zeros<double>(rc::shape(2, 3));
  rc::ndarray<bool, 1> const longer{true, false, true};
  CHECK(raised([&] { rc::compress(longer, rows); }) == "index_error: compress: index 2" + outside + "2");
  CHECK(raised([&] { rc::compress(longer, none); }).rfind("index_error: compress: index 0", 0) == 0);
}

TEST_CASE("what is written to rows, in a traced function and in its derivatives") {
  rc::ndarray<double, 1> const v{3., 1., 2.};
  places const bad{0, 7};
  auto const written = [](auto x, auto i) {
    x(i) = 2. * x(rc::range(0, 2));
    return rc::sum(x * x);
  };
  auto const added = [](auto x, auto i) {
    x(i).add(x(rc::range(0, 2)));
    return rc::sum(x * x);
  };
  for (auto const& error : {raised([&] { rc::fn(written)(v, bad); }), raised([&] { rc::grad(written)(v, bad); }),
                            raised([&] { rc::fn(added)(v, bad); }), raised([&] { rc::grad(added)(v, bad); })})
    CHECK(error == "index_error: assignment to rows: index 7" + outside + "3");
}

TEST_CASE("so do their derivatives") {
  rc::ndarray<double, 1> const v{3., 1., 2.};
  places const bad{0, 7}, good{0, 2};
  CHECK(raised([&] { rc::grad(taken)(v, bad); }) == "index_error: take: index 7" + outside + "3");
  CHECK(raised([&] { rc::interpret(slope)(v, bad); }) == "index_error: take: index 7" + outside + "3");
  CHECK(raised([&] { rc::grad(curvature)(v, bad); }) == "index_error: take: index 7" + outside + "3");
  rc::ndarray<double, 1> const g = rc::grad(twice)(v, good), wanted{6., 0., 4.};
  CHECK(rc::array_equal(g, wanted));
}
