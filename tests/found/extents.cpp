// Extents that come from arithmetic are checked where memory is had for them: none is negative, and their product stays
// far below what 64 bits can count. Whatever is refused leaves its target as it was.
#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using vector = rc::ndarray<double, 1>;
using matrix = rc::ndarray<double, 2>;

namespace {
constexpr rc::index_t huge = rc::index_t(1) << 61, big = rc::index_t(1) << 31;
}

TEST_CASE("an extent of -1 beside 0 elements is an error, every way, as in NumPy") {
  auto const rows = [](auto const& x) { return rc::reshape(x, rc::shape(x.shape(0), -1)); };
  auto const columns = [](auto const& x) { return rc::reshape(x, rc::shape(-1, x.shape(1))); };
  rc::ndarray<double, 2> const none(0, 3), some(2, 3);
  CHECK(raised([&] { (void)rc::fn(rows)(none); }) == "shape_error: reshape: (0, 3) (0, -1)");
  CHECK(raised([&] { (void)rc::interpret(rows)(none); }) == "shape_error: reshape: (0, 3) (0, -1)");
  CHECK(raised([&] { (void)rc::eval(rows(none)); }) == "shape_error: reshape: -1 could be any number in (0, -1)");
  CHECK(shape_of(rc::fn(columns)(none)) == numbers{0, 3});
  CHECK(shape_of(rc::interpret(columns)(none)) == numbers{0, 3});
  CHECK(shape_of(rc::eval(columns(none))) == numbers{0, 3});
  CHECK(shape_of(rc::fn(rows)(some)) == numbers{2, 3});
}

TEST_CASE("extents of axes that do not exist") {
  matrix const x(2, 3);
  rc::tensor<double, 2, 3> const fixed{};
  auto const all = [](auto const& of) {
    CHECK(of.shape(-1) == 3);
    CHECK(raised([&] { (void)of.shape(2); }) == "index_error: shape: axis 2 of a tensor of order 2");
    CHECK(raised([&] { (void)of.shape(-3); }) == "index_error: shape: axis -3 of a tensor of order 2");
  };
  all(x);
  all(fixed);
  all(x + 1.);
  all(fixed + 1.);
  all(x(rc::all, rc::range(0, 3)));
  int axis = 5;
  CHECK(raised([&] { (void)rc::interpret([=](auto y) { return y * y.shape(axis); })(x); }) ==
        "index_error: shape: axis 5 of a tensor of order 2");
}

TEST_CASE("14: extents of results") {
  vector const x = rc::ones<double>(rc::shape(1));
  CHECK(raised([&] { vector r = rc::broadcast_to(x, rc::shape(-2)); }) ==
        "value_error: broadcast_to: negative extent in (-2,)");
  CHECK(raised([&] { vector r = rc::broadcast_to(x, rc::shape(huge)); }) ==
        "value_error: too many elements in (2305843009213693952,)");
  CHECK(raised([&] { matrix r = rc::broadcast_to(x, rc::shape(big * 8, big * 8)); }) ==
        "value_error: too many elements in (17179869184, 17179869184)");
  vector y{1, 2, 3};
  auto const view = y(rc::range(0, 3));
  CHECK(raised([&] { y = rc::broadcast_to(x, rc::shape(huge)) + 1.; }) ==
        "value_error: too many elements in (2305843009213693952,)");
  CHECK(raised([&] { y = rc::flip(rc::broadcast_to(x, rc::shape(-1))); }) ==
        "value_error: broadcast_to: negative extent in (-1,)");
  CHECK(numbers(y) == numbers{1, 2, 3});
  CHECK(numbers(view) == numbers{1, 2, 3});
}

TEST_CASE("14: sums and products of extents") {
  vector const x = rc::ones<double>(rc::shape(1));
  auto const wide = rc::broadcast_to(x, rc::shape(huge));
  CHECK(raised([&] { vector r = rc::concat(wide, wide); }) ==
        "value_error: too many elements in (4611686018427387904,)");
  CHECK(raised([&] { vector r = rc::concat(wide, wide, wide, wide); }) ==
        "value_error: too many elements in (9223372036854775807,)");
  matrix const one = rc::ones<double>(rc::shape(1, 1));
  auto const plane = rc::broadcast_to(one, rc::shape(big * 2, big * 2));
  CHECK(raised([&] { vector r = rc::reshape(plane, rc::shape(rc::dyn)); }) ==
        "value_error: too many elements in (9223372036854775807,)");
}

TEST_CASE("14: traced functions, their results and their intermediate values") {
  vector const x = rc::ones<double>(rc::shape(4));
  auto const outer = [](auto a, auto b) { return rc::matmul(rc::reshape(a, rc::shape(a.shape(0), 1)), b); };
  matrix const row = rc::ones<double>(rc::shape(1, 4));
  CHECK(numbers(rc::eval(rc::sum(rc::fn(outer)(x, row)))) == numbers{16});
  auto const repeated = [](auto a) {
    return rc::broadcast_to(a, rc::shape(a.shape(0) * a.shape(0) * a.shape(0), a.shape(0)));
  };
  vector const many = rc::zeros<double>(rc::shape(1 << 21));
  CHECK(raised([&] { (void)rc::fn(repeated)(many); }) ==
        "value_error: too many elements in (9223372036854775807, 2097152)");
  matrix target = rc::ones<double>(rc::shape(2, 2));
  CHECK(raised([&] { rc::fn(repeated).into(target)(many); }) ==
        "value_error: too many elements in (9223372036854775807, 2097152)");
  CHECK(numbers(target) == numbers{1, 1, 1, 1});
#if RICCI_EXCEPTIONS
  CHECK(raised([&] { (void)rc::interpret(repeated)(many); }).substr(0, 12) == "value_error:");
#endif
}

TEST_CASE("14: shapes that a caller names") {
  CHECK(raised([] { (void)rc::zeros<float>(rc::shape(2, -3)); }) == "value_error: negative extent in (2, -3)");
  CHECK(raised([] { (void)rc::zeros<float>(rc::shape(huge, 4)); }) ==
        "value_error: too many elements in (2305843009213693952, 4)");
  CHECK(raised([] { (void)vector(-1); }) == "value_error: negative extent in (-1,)");
  CHECK(raised([] { (void)rc::linspace<float>(0, 1, -1); }) == "value_error: negative extent in (-1,)");
  float one = 1;
  CHECK(raised([&] { (void)rc::frombuffer(&one, rc::shape(-1)); }) == "value_error: negative extent in (-1,)");
  CHECK(rc::zeros<float>(rc::shape(0, 7)).size() == 0);
  // a reshape leaves -1 open, and no other
  vector const ten = rc::arange<double>(10);
  CHECK(rc::reshape(ten, rc::shape(-1, 2)).shape(0) == 5);
  CHECK(raised([&] { (void)rc::reshape(ten, rc::shape(-5, 2)); }) == "value_error: negative extent in (-5, 2)");
  CHECK(raised([&] { (void)rc::reshape(ten + 1., rc::shape(-5, -1)); }) == "value_error: negative extent in (-5, -1)");
  auto const reshaped = [](auto x) { return rc::reshape(x, rc::shape(-5, 2)) * 1.; };
  CHECK(raised([&] { (void)rc::fn(reshaped)(ten); }) == "shape_error: reshape: (10,) (-5, 2)");
#if RICCI_EXCEPTIONS
  auto const halved = [](auto x) { return rc::reshape(x, rc::shape(-5, -1)) * 1.; };
  CHECK(raised([&] { (void)rc::interpret(halved)(ten); }) == "shape_error: reshape: (10,) (-5, -1)");
#endif
}

TEST_CASE("14: shapes that a caller names are checked where they have no memory, too") {
  vector const one{3}, three{1, 2, 3}, none(0);
  for (rc::index_t const n : {-2, -1})
    CHECK(raised([&] { (void)rc::eval(rc::sum(rc::broadcast_to(one, rc::shape(n, n)))); }) ==
          "value_error: broadcast_to: negative extent in (" + std::to_string(n) + ",)");
  CHECK(double(rc::sum(rc::broadcast_to(one, rc::shape(2, 2)))) == 12);
  auto const below = [](auto x, auto y) { return rc::sum(rc::broadcast_to(x, rc::shape(y.shape(0) - 5))); };
  auto const ones = [](auto y) { return rc::sum(rc::ones<double>(rc::shape(y.shape(0) - 5))) + rc::sum(y); };
  CHECK(raised([&] { (void)rc::fn(below)(one, three); }) == "value_error: broadcast_to: negative extent in (-2,)");
  CHECK(raised([&] { (void)rc::fn(ones)(three); }) == "value_error: negative extent in (-2,)");
  CHECK(double(rc::fn(ones)(vector(6))) == 1);
#if RICCI_EXCEPTIONS
  CHECK(raised([&] { (void)rc::interpret(below)(one, three); }) ==
        "value_error: broadcast_to: negative extent in (-2,)");
  CHECK(raised([&] { (void)rc::interpret(ones)(three); }) == "value_error: negative extent in (-2,)");
#endif
  // quotients of extents over 0 are 0, also of an extent by itself and of products by their factors
  auto const quotients = [](auto x, auto y) {
    auto const n = x.shape(0), k = y.shape(0);
    return rc::sum(x) + 100 * (n / n) + 10 * ((n * k) / n) + n % n;
  };
  CHECK(double(rc::fn(quotients)(none, three)) == 0);
  CHECK(double(rc::interpret(quotients)(none, three)) == 0);
  CHECK(double(rc::fn(quotients)(one, three)) == 133);
}

TEST_CASE("22: arange counts integers exactly") {
  using rc::arange;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min(), start = std::int64_t(1) << 62;
  auto const three = arange<std::int64_t>(start, start + 3);
  CHECK(three.size() == 3);
  CHECK(three(2) == start + 2);
  CHECK(arange<std::int64_t>(most - 5, most, 2).size() == 3);
  CHECK(arange<std::int64_t>(least + 5, least, -2).size() == 3);
  CHECK(arange<std::int64_t>(5, 0).size() == 0);
  CHECK(arange<std::int64_t>(0, 5, -1).size() == 0);
  auto const far = arange<std::int64_t>(least, most, most);
  CHECK(far.size() == 3);
  CHECK(far(2) == most - 1);
  CHECK(arange<double>(0, 1, 0.25).size() == 4);
  CHECK(raised([] { (void)arange<std::int64_t>(least, most); }) ==
        "value_error: too many elements in (9223372036854775807,)");
  CHECK(raised([] { (void)arange<double>(0, 1e300); }) == "value_error: too many elements in (9223372036854775807,)");
  CHECK(raised([] { (void)arange<double>(0., std::numeric_limits<double>::quiet_NaN()); }) ==
        "value_error: arange: start, stop and step are numbers, not NaN");
}

TEST_CASE("a tensor whose type names one extent twice has one number for both") {
  using square = rc::tensor<double, rc::dim<"b">, 2, rc::dim<"b">>;
  rc::ndarray<double, 3> const wide = rc::ones<double>(rc::shape(3, 2, 4));
  char const* const wanted = "shape_error: a tensor whose axes 0 and 2 have one name cannot have shape (3, 2, 4)";
  CHECK(raised([] { square(3, 2, 4); }) == wanted);
  CHECK(raised([&] { square x = wide; }) == wanted);
  square x(2, 2, 2);
  auto const elements = x(rc::all, 0);
  x(1, 0, 1) = 5;
  CHECK(raised([&] { x = wide * 2.; }) == wanted);
  CHECK(raised([&] { rc::fn([](auto y) { return y + 1.; }).into(x)(wide); }) == wanted);
  CHECK(shape_of(x) == numbers{2, 2, 2});
  CHECK(numbers(elements) == numbers{0, 0, 0, 5});
}
