// Errors that only show at run time: which kind, with what text, and that nothing was written when they came. Built
// without exceptions, the same texts come to a handler.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::dyn;

namespace {

bool is(std::string const& what, char const* kind, char const* part) {
  return what.rfind(std::string(kind) + ": ", 0) == 0 && what.find(part) != std::string::npos;
}
#define CHECK_ERROR(statement, kind, part)                       \
  do {                                                           \
    std::string const what = raised([&] { (void)(statement); }); \
    CAPTURE(what);                                               \
    CHECK(is(what, kind, part));                                 \
  } while (false)

rc::ndarray<double, 2> ones(int m, int n) { return rc::ones<double>(rc::shape(m, n)); }

}  // namespace

TEST_CASE("shapes that do not go together: the operation and both shapes") {
  auto const a = ones(2, 3), b = ones(4, 3);
  CHECK(raised([&] { rc::eval(a + b); }) == "shape_error: add: (2, 3) (4, 3)");
  CHECK(raised([&] { rc::eval(rc::matmul(a, b)); }) == "shape_error: matmul: (2, 3) (4, 3)");
  CHECK_ERROR(rc::eval(rc::exp(a) * 2. - rc::sum(b, rc::axis<1>)), "shape_error", "subtract: (2, 3) (4,)");
  CHECK_ERROR(rc::eval(rc::where(a > 0., a, b)), "shape_error", "where");
  CHECK_ERROR(rc::eval(rc::concat(a, b, rc::axis<1>)), "shape_error", "concat: (2, 3) (4, 3)");
  CHECK_ERROR(rc::eval(rc::concat(a, a, b, a, rc::axis<1>)), "shape_error", "concat: (2, 3) (4, 3)");
  CHECK_ERROR(rc::eval(rc::stack(a, b)), "shape_error", "stack: (2, 3) (4, 3)");
  CHECK_ERROR(rc::eval(rc::reshape(a, rc::shape(4, 2))), "shape_error", "reshape: (2, 3)");
  CHECK_ERROR(rc::eval(rc::reshape(a, rc::shape(-1, 4))), "shape_error", "reshape: (2, 3) (-1, 4)");
  CHECK_ERROR(rc::eval(rc::reshape(a, rc::shape(-1, -1))), "shape_error", "reshape: (2, 3) (-1, -1)");
  CHECK_ERROR(rc::eval(rc::broadcast_to(a, rc::shape(5, 2, 4))), "shape_error", "broadcast_to");
  CHECK_ERROR(rc::eval(rc::squeeze(a, rc::axis<0>)), "shape_error", "squeeze: (2, 3) (1, 3)");
  CHECK_ERROR((a + b).shape(0), "shape_error", "add: (2, 3) (4, 3)");
}

TEST_CASE("and so for traced functions") {
  auto const a = ones(2, 3), b = ones(4, 3);
  auto const f = [](auto x, auto y) { return rc::sum(rc::tanh(x) * y); };
  CHECK(raised([&] { rc::fn(f)(a, b); }) == "shape_error: multiply: (2, 3) (4, 3)");
  CHECK(raised([&] { rc::grad(f)(a, b); }) == "shape_error: multiply: (2, 3) (4, 3)");
  CHECK_ERROR(rc::interpret(f)(a, b), "shape_error", "multiply: (2, 3) (4, 3)");
  CHECK_ERROR(rc::interpret([](auto v) { return rc::matmul(v, v); })(a), "shape_error", "matmul: (2, 3) (2, 3)");
}

TEST_CASE("indices of traced functions over extents that are only known at run time") {
  auto const x = rc::arange<double>(3);
  CHECK_ERROR(rc::fn([](auto v) { return v(7) * 1.; })(x), "index_error",
              "an index names 8 elements of an axis with extent 3");
  CHECK_ERROR(rc::fn([](auto v) { return v(-4) * 1.; })(x), "index_error", "4 elements");
  CHECK_ERROR(rc::fn([](auto v) { return v(rc::range(1, 7)) * 1.; })(x), "index_error", "7 elements");
  CHECK_ERROR(rc::fn([](auto v) { return v(rc::range(-4, -1)) * 1.; })(x), "index_error", "4 elements");
  CHECK_ERROR(rc::fn([](auto v) { return v(rc::slice<3>(1)) * 1.; })(x), "index_error", "4 elements");
  CHECK_ERROR(rc::fn([](auto v) { return v(rc::range(0, v.shape(0) * 2)) * 1.; })(x), "index_error", "6 elements");
  CHECK_ERROR(rc::fn([](auto v) { return v(rc::range(v.shape(0) - 9, v.shape(0))) * 1.; })(x), "index_error",
              "an index or range starts or stops at -6, before its axis");
  CHECK_ERROR(rc::fn([](auto v) { return v(rc::slice<2>(v.shape(0) - 4)) * 1.; })(x), "index_error",
              "an index or range starts or stops at -1, before its axis");
  CHECK_ERROR(rc::fn([](auto v) {
                v(rc::range(0, 5)) = 1.;
                return v;
              })(x),
              "index_error", "5 elements");
  CHECK_ERROR(rc::grad([](auto v) { return v(0) * v(1) * v(5) * v(2); })(x), "index_error", "6 elements");
  CHECK_ERROR(rc::interpret([](auto v) { return v(7) * 1.; })(x), "index_error",
              "index 7 is out of range for axis 0 with extent 3");
  CHECK_ERROR(rc::interpret([](auto v) { return v(rc::range(1, 7)) * 1.; })(x), "index_error",
              "range(1, 7, 1) lies outside axis 0");
  CHECK(raised([&] { rc::fn([](auto v) { return v(2) + v(-3) + rc::sum(v(rc::range(1, -1))); })(x); }) == "");
  CHECK(rc::fn([](auto v) { return v(rc::range(1, -1)) * 1.; })(rc::arange<double>(1)).size() == 0);
  CHECK(rc::fn([](auto v) { return v(rc::range(2, -1)) * 1.; })(rc::arange<double>(2)).size() == 0);
  rc::ndarray<int, 1> const rows{0, 5};
  auto const gather = [](auto v, auto r) { return rc::sum(rc::take(v, r, rc::axis<0>)); };
  CHECK_ERROR(rc::fn(gather)(x, rows), "index_error", "index 5");
  CHECK_ERROR(rc::grad(gather)(x, rows), "index_error", "index 5");
}

TEST_CASE("tangents, cotangents and parts of another shape") {
  auto const x = rc::arange<double>(3), four = rc::arange<double>(4);
  auto const f = [](auto v) { return v * v; };
  CHECK_ERROR(rc::jvp(f)(x)(four), "shape_error", "(3,) (4,)");
  CHECK_ERROR(rc::vjp(f)(x).second(four), "shape_error", "");
  CHECK_ERROR(rc::fn([](auto v, auto w) {
                v(rc::range(0, 2)) = w;
                return v;
              })(x, four),
              "shape_error", "(2,) (4,)");
}

TEST_CASE("values that do not fit where they are put, and leave it as it was") {
  auto a = ones(2, 3);
  CHECK_ERROR(a(0) = rc::arange<double>(2), "shape_error", "(3,) (2,)");
  CHECK_ERROR(a(rc::all, rc::range(0, 2)) = ones(2, 3), "shape_error", "(2, 2) (2, 3)");
  CHECK_ERROR(a += ones(3, 3), "shape_error", "add: (2, 3) (3, 3)");
  CHECK_ERROR(a = a + rc::matmul(a, a), "shape_error", "matmul: (2, 3) (2, 3)");
  rc::tensor<double, 2, 3> fixed = a;
  CHECK_ERROR(fixed = ones(3, 3) * 5., "shape_error", "(2, 3) (3, 3)");
  rc::tensor<double, dyn, 3> mixed = a;
  CHECK_ERROR(mixed = ones(2, 4) * 5., "shape_error", "");
  CHECK_ERROR((rc::tensor<double, 2, 2>(a)), "shape_error", "");
  CHECK(numbers(a) == numbers{1, 1, 1, 1, 1, 1});
  CHECK(numbers(fixed) == numbers(a));
  CHECK(numbers(mixed) == numbers(a));
  auto g = ones(2, 3);
  auto const f = [](auto x, auto y) { return rc::sum(x * y); };
  CHECK_ERROR(rc::grad(f).into(g)(a, ones(5, 3)), "shape_error", "multiply: (2, 3) (5, 3)");
  CHECK(numbers(g) == numbers(a));
}

TEST_CASE("a result that cannot be where it is to go, and others beside it") {
  auto const a = ones(2, 4);
  auto const both = [](auto x) { return std::tuple(x * 5., 3. * x); };
  auto const refused = [&](auto last, char const* text) {
    auto same = ones(2, 4), other = ones(1, 1);
    last = 7.;
    numbers const before(last);
    for (auto* first : {&same, &other}) {  // written where it is, or given other memory
      CHECK(raised([&] { rc::fn(both).into(*first, last)(a); }) == text);
      CHECK(raised([&] { rc::fn(both).into(last, *first)(a); }) == text);
    }
    CHECK(numbers(same) == numbers(a));
    CHECK(other.size() == 1);
    CHECK(numbers(other) == numbers{1});
    CHECK(numbers(last) == before);
  };
  refused(rc::tensor<double, 2, 3>(), "shape_error: into: (2, 3) for a result of shape (2, 4)");
  refused(rc::tensor<double, dyn, 3>(2, 3), "shape_error: a tensor with extent 3 at axis 1 cannot have shape (2, 4)");
  refused(rc::tensor<double, rc::dim<"n">, rc::dim<"n">>(3, 3),
          "shape_error: a tensor whose axes 0 and 1 have one name cannot have shape (2, 4)");
}

TEST_CASE("indices are checked before the first result is written, whichever step reads them") {
  rc::ndarray<double, 1> const x = rc::ones<double>(rc::shape(3)), y = rc::ones<double>(rc::shape(2));
  rc::ndarray<std::int64_t, 1> const inside{0, 2}, outside{0, 7}, first{0, 1};
  rc::ndarray<std::int32_t, 1> const narrow{0, 7};  // converted by a step of its own
  rc::ndarray<double, 1> z(3), five(5), two(2);
  rc::tensor<double, 3> fixed;
  rc::tensor<double, 3> const of_three{1, 1, 1};
  rc::tensor<double, 2> const of_two{1, 1};
  rc::tensor<std::int64_t, 2> const known_outside{0, 7};
  rc::ndarray<double, 2> wide(3, 2), of_nothing(2, 0);
  rc::ndarray<std::int64_t, 1> at(2);
  std::string const assigned = "index_error: assignment to rows: index 7 is out of range for an axis of 3",
                    put_in = "index_error: put_rows: index 7 is out of range for an axis of 3",
                    take = "index_error: take: index 7 is out of range for an axis of 3";
  auto const unwritten = [&](auto const& target, std::string const& error, auto const& statement) {
    numbers const before(target);
    CHECK(raised(statement) == error);
    CHECK(numbers(target) == before);
  };
  // statements: into a tensor, a view, a tensor in place, and two parts of one result
  unwritten(z, put_in, [&] { z = rc::put_rows<0>(x * 5., outside, y); });
  unwritten(z, put_in, [&] { z = rc::put_rows<0>(x * 5., narrow, y); });
  unwritten(z, put_in, [&] { z = rc::put_rows<0>(x * 5., outside * 2 - outside, y); });
  unwritten(wide, put_in, [&] { wide(rc::all, 1) = rc::put_rows<0>(x * 5., outside, y); });
  unwritten(fixed, put_in, [&] { fixed = rc::put_rows<0>(of_three * 5., known_outside, of_two); });
  unwritten(five, take, [&] { five = rc::concat(x + 1., rc::take(x, outside, rc::axis<0>)); });
  // functions: in both orders, with indices as they are and computed
  auto const put = [](auto a, auto i, auto b) {
    auto h = a * 5.;
    h(i) = b;
    return h;
  };
  unwritten(z, assigned, [&] { rc::fn(put).into(z)(x, outside, y); });
  unwritten(z, assigned, [&] { rc::fn(put).into(z)(x, narrow, y); });
  unwritten(fixed, assigned, [&] { rc::fn(put).into(fixed)(of_three, known_outside, of_two); });
  auto const taken = [](auto a, auto i) { return rc::sum(rc::take(a, i, rc::axis<0>)); };
  z = 3.;
  unwritten(z, take, [&] { rc::grad(taken).into(z)(x, outside); });
  auto const both = [](auto a, auto i) { return std::tuple(a + 1., rc::take(a, i, rc::axis<0>)); };
  unwritten(z, take, [&] { rc::fn(both).into(z, two)(x, outside); });
  unwritten(z, take, [&] { rc::fn(both).into(z, two)(x, narrow); });
  auto const indices_too = [](auto a, auto i) {
    auto const j = i * 2 - i;
    return std::tuple(j, a + 1., rc::take(a, j, rc::axis<0>));
  };
  unwritten(at, take, [&] { rc::fn(indices_too).into(at, z, two)(x, outside); });
  unwritten(z, take, [&] { rc::fn(indices_too).into(at, z, two)(x, outside); });
  // many steps, of which the last two refuse
  auto const long_one = [](auto a, auto i, auto j) {
    auto h = a * 2.;
    auto const sums = rc::cumulative_sum(h);
    for (int k = 0; k < 8; ++k) h = rc::cumulative_sum(rc::exp(h * -.1));
    return std::tuple(sums, rc::take(rc::take(h, i, rc::axis<0>), j, rc::axis<0>));
  };
  unwritten(z, take, [&] { rc::fn(long_one).into(z, two)(x, outside, first); });
  unwritten(z, take, [&] { rc::fn(long_one).into(z, two)(x, outside, outside); });  // the first of two
  unwritten(z, "index_error: take: index 7 is out of range for an axis of 2",
            [&] { rc::fn(long_one).into(z, two)(x, inside, outside); });
  unwritten(z, take, [&] { rc::fn(long_one).into(z, two)(x, narrow, first); });
  // nothing to choose from
  auto const search = [](auto a, auto w) { return std::tuple(a + 1., rc::argmax(w, rc::axis<1>)); };
  unwritten(z, "value_error: argmax: no elements to choose from", [&] { rc::fn(search).into(z, at)(x, of_nothing); });
  // and where all is well
  z = rc::put_rows<0>(x * 5., rc::ndarray<std::int32_t, 1>{0, 2}, y);
  CHECK(numbers(z) == numbers{1, 5, 1});
  fixed = rc::put_rows<0>(of_three * 5., rc::tensor<std::int64_t, 2>{0, 1}, of_two);
  CHECK(numbers(fixed) == numbers{1, 1, 5});
  wide(rc::all, 1) = rc::put_rows<0>(x * 5., inside * 1, y);
  CHECK(numbers(wide) == numbers{0, 1, 0, 5, 0, 1});
  rc::fn(put).into(z)(x * 2., inside, y);
  CHECK(numbers(z) == numbers{1, 10, 1});
  rc::fn(indices_too).into(at, z, two)(x * 2., inside);
  CHECK(numbers(at) == numbers{0, 2});
  CHECK(numbers(z) == numbers{3, 3, 3});
  CHECK(numbers(two) == numbers{2, 2});
}

TEST_CASE("elements and slices outside their axis") {
  auto const a = ones(2, 3);
  rc::tensor<double, 2, 3> const fixed = a;
  CHECK(raised([&] { a.at(2, 0); }) == "index_error: index 2 is out of range for axis 0 with extent 2");
  CHECK(raised([&] { a.at(0, -4); }) == "index_error: index -4 is out of range for axis 1 with extent 3");
  CHECK(raised([&] { fixed.at(0, 3); }) == "index_error: index 3 is out of range for axis 1 with extent 3");
  CHECK(raised([&] { a(1).at(3); }) == "index_error: index 3 is out of range for axis 0 with extent 3");
  CHECK(raised([&] { a.at(-2, -3); }) == "");
  CHECK_ERROR(a(2), "index_error", "index 2");
  CHECK_ERROR(a(rc::all, rc::range(1, 4)), "index_error", "range(1, 4, 1) lies outside axis 1 with extent 3");
  CHECK_ERROR(a(rc::range(0, 2, 0)), "index_error", "step");
  // a size that ran below 0 does not count from the end
  CHECK_ERROR(a(std::size_t(-1)), "index_error", "index 9223372036854775807 is out of range for axis 0");
  CHECK_ERROR(a.at(std::size_t(-1), 0), "index_error", "index 9223372036854775807 is out of range for axis 0");
  CHECK_ERROR(a(rc::range(1, std::size_t(-1))), "index_error", "lies outside axis 0");
  CHECK_ERROR(a(rc::slice<1>(std::size_t(-1))), "index_error", "axis 0");
  CHECK_ERROR(a.shape(rc::index_t(1) << 32), "index_error", "shape: axis 4294967296 of a tensor of order 2");
  CHECK_ERROR(a(rc::slice<3>(0)), "index_error", "axis 0");
  CHECK_ERROR(rc::eval(rc::sum(a, 2)), "index_error", "sum: axis 2");
  CHECK_ERROR(rc::eval(rc::argmax(a, -3)), "index_error", "argmax: axis -3");
  rc::ndarray<int, 1> const rows{0, 5};
  CHECK_ERROR(rc::eval(rc::take(a, rows, rc::axis<0>)), "index_error", "5");
}

TEST_CASE("numbers below those that stand for extents of a graph") {
  rc::ndarray<double, 1> const x{1, 2, 3};
  for (rc::index_t const low : {std::numeric_limits<rc::index_t>::min(), -(rc::index_t(1) << 62) + 5}) {
    CHECK_ERROR(rc::interpret([=](auto v) { return v(rc::range(low, rc::end)) * 1.; })(x), "index_error", "outside");
    CHECK_ERROR(rc::interpret([=](auto v) { return v(rc::range(0, low)) * 1.; })(x), "index_error", "outside");
    CHECK_ERROR(rc::interpret([=](auto v) { return v(low) * 1.; })(x), "index_error", "out of range");
    CHECK_ERROR(rc::interpret([=](auto v) { return v(~low) * 1.; })(x), "index_error", "out of range");
    CHECK_ERROR(rc::interpret([=](auto v) { return v(rc::slice<2>(low)) * 1.; })(x), "index_error", "elements");
    CHECK_ERROR(rc::interpret([=](auto v) { return rc::roll(v, low); })(x), "value_error", "no extent or shift");
    CHECK_ERROR(rc::interpret([=](auto v) { return rc::broadcast_to(v, rc::shape(low, 3)); })(x), "value_error",
                "no extent or shift");
    CHECK_ERROR(rc::interpret([=](auto v) {
                  return rc::fori_loop(
                      low, low + 3, [](auto, auto y) { return y + 1.; }, v);
                })(x),
                "value_error", "no extent or shift");
  }
}

TEST_CASE("extents that no tensor can have") {
  CHECK_ERROR((rc::ndarray<float, 2>(2, -1)), "value_error", "negative extent in (2, -1)");
  CHECK_ERROR(rc::zeros<float>(rc::shape(-3)), "value_error", "negative extent in (-3,)");
  CHECK_ERROR((rc::ndarray<double, 2>(1LL << 40, 1LL << 40)), "value_error",
              "too many elements in (1099511627776, 1099511627776)");
  CHECK_ERROR((rc::ndarray<double, 3>(1LL << 62, 4, 0)), "value_error", "too many elements");
  CHECK_ERROR((rc::tensor<float, dyn, 3>(2, 4)), "shape_error", "(2, 4)");
}

TEST_CASE("ragged braces") {
  CHECK_ERROR((rc::ndarray<int, 2>{{1, 2}, {3}}), "shape_error", "ragged");
  CHECK_ERROR((rc::ndarray<int, 3>{{{1}, {2}}, {{3}}}), "shape_error", "ragged");
  CHECK_ERROR((rc::tensor<int, 2, 2>{{1, 2}, {3, 4}, {5, 6}}), "shape_error", "(3, 2)");
  CHECK_ERROR((rc::tensor<int, dyn, 2>{{1, 2, 3}}), "shape_error", "(1, 3)");
}

TEST_CASE("arguments outside what is promised") {
  CHECK_ERROR(rc::arange<double>(0, 1, 0.), "value_error", "step");
  CHECK_ERROR(rc::zeros<float>(rc::shape(2), rc::cpu{.threads = 0}), "context_error", "at least one thread, not 0");
  CHECK_ERROR(rc::eval(ones(2, 3) + 1., rc::cpu{.threads = -1}), "context_error", "-1");
  CHECK_ERROR(rc::linspace<double>(0, 1, -1), "value_error", "negative extent");
}

TEST_CASE("names of extents that turn out to differ") {
  rc::tensor<double, rc::dim<"n">> const four(4), five(5);
  CHECK_ERROR(rc::eval(four + five), "shape_error", "(4,) (5,)");
  auto const f = [](auto x, auto y) { return rc::sum(x * y); };
  CHECK_ERROR(rc::fn(f)(four, five), "shape_error", "(4,) (5,)");
}
