// An index outside is told of the function that a program called, whatever it is made of, also where it is derived.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>
#include <string>
#include <vector>

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
  CHECK(raised([&] { rc::quantile(x, 1.5); }) == "index_error: quantile: q is not within 0 and 1");
  CHECK(raised([&] { rc::percentile(x, 101); }) == "index_error: percentile: q is not within 0 and 100");
  CHECK(raised([&] { rc::nanquantile(x, -.5); }) == "index_error: nanquantile: q is not within 0 and 1");
  rc::tensor<double, 1> const beyond{1.5}, below{-.5};
  CHECK(raised([&] { rc::eval(rc::quantile(x, beyond)); }) == "index_error: quantile: index 3" + outside + "3");
  CHECK(raised([&] { rc::eval(rc::nanquantile(x, below)); }) == "index_error: nanquantile: index 3" + outside + "3");
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

TEST_CASE("so do they where extents do not go together") {
  rc::ndarray<double, 1> const three{3., 1., 2.}, four{3., 1., 2., 4.};
  rc::ndarray<double, 2> const m = rc::zeros<double>(rc::shape(2, 3)), other = rc::zeros<double>(rc::shape(4, 5));
  places const i{0, 1}, j{0, 1, 1}, negative{0, -1};
  CHECK(raised([&] { rc::eval(rc::logaddexp(three, four)); }) == "shape_error: logaddexp: (3,) (4,)");
  CHECK(raised([&] { rc::eval(rc::nan_to_num(three, four)); }) == "shape_error: nan_to_num: (3,) (4,)");
  CHECK(raised([&] { rc::eval(rc::divmod(three, four).second); }) == "shape_error: divmod: (3,) (4,)");
  CHECK(raised([&] { rc::eval(rc::hstack(m, other)); }) == "shape_error: hstack: (2, 3) (4, 5)");
  CHECK(raised([&] { rc::eval(rc::vstack(three, four)); }) == "shape_error: vstack: (1, 3) (1, 4)");
  std::vector<rc::ndarray<double, 1>> const list{three, four};
  CHECK(raised([&] { rc::vstack(list); }) == "shape_error: vstack: (3,) (4,)");
  CHECK(raised([&] { rc::eval(rc::diff(m, rc::axis<0>, rc::append(other))); }) == "shape_error: diff: (2, 3) (4, 5)");
  CHECK(raised([&] { rc::eval(rc::put_rows<0>(m, i, other)); }) == "shape_error: put_rows: (2, 3) (4, 5)");
  CHECK(raised([&] {
          rc::eval(rc::put_rows<0>(m, places{0, 7}, m));
        }) == "index_error: put_rows: index 7" + outside + "2");
  CHECK(raised([&] { rc::eval(rc::ravel_multi_index(std::tuple(i, j), rc::shape(2, 3))); }) ==
        "shape_error: ravel_multi_index: (2,) (3,)");
  CHECK(raised([&] { rc::eval(rc::bincount(negative, rc::shape(4))); }) ==
        "index_error: bincount: index -1" + outside + "4");
  CHECK(raised([&] { rc::eval(std::get<0>(rc::unravel_index(negative, rc::shape(2, 3)))); }) ==
        "index_error: unravel_index: index -1" + outside + "6");
  CHECK(raised([&] { rc::eval(rc::convolve(three, three(rc::range(0, 0)))); }).rfind("value_error: convolve: ", 0) ==
        0);
  CHECK(raised([&] { rc::top_k(three, 5); }).rfind("value_error: top_k: ", 0) == 0);
  rc::ndarray<double, 1> const none = three(rc::range(0, 0));
  CHECK(raised([&] { rc::eval(rc::quantile(none, .5)); }) ==
        "index_error: quantile: needs 1 elements of an axis with extent 0");
}

TEST_CASE("an operand is told once, however the function runs") {
  rc::ndarray<double, 2> const m = rc::zeros<double>(rc::shape(3, 3));
  auto const halves = [](auto x) { return rc::einops::rearrange<"(a b) c -> a b c">(x, rc::length<"b", 2>); };
  auto const repeated = [](auto x) { return rc::einops::repeat<"a c -> (a b) c">(x, rc::length<"b">(x.shape(0) - 4)); };
  auto const diagonal = [](auto x) { return rc::einsum<"ii->i">(x); };
  std::string const told = "shape_error: rearrange: (3, 3)";
  CHECK(raised([&] { rc::eval(halves(m)); }) == told);
  CHECK(raised([&] { rc::fn(halves)(m); }) == told);
  CHECK(raised([&] { rc::interpret(halves)(m); }) == told);
  for (auto const& error : {raised([&] { rc::fn(repeated)(m); }), raised([&] { rc::interpret(repeated)(m); })})
    CHECK(error.rfind("value_error: repeat: negative extent in (", 0) == 0);
  CHECK(raised([&] { rc::fn(diagonal)(rc::ndarray<double, 2>(m(rc::range(0, 2)))); }) == "shape_error: einsum: (2, 3)");
}

TEST_CASE("a formula that failed leaves its name to nobody") {
  auto const caught = [](auto x, auto y) {
    try {
      (void)rc::logaddexp(x, y);
    } catch (rc::shape_error const&) {
    }
    return x + y;
  };
  rc::ndarray<double, 1> const three{3., 1., 2.}, four{3., 1., 2., 4.};
  CHECK(raised([&] { rc::interpret(caught)(three, four); }) == "shape_error: add: (3,) (4,)");
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
