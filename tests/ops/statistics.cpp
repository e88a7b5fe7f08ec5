// Statistics against the values that NumPy 2 gives; what is NaN, empty, or misfits.
#include <doctest/doctest.h>

#include <limits>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

double const nothing = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

using vector = rc::ndarray<double, 1>;
// whether all elements are those in row-major order, a NaN being one, to 1e-12
template <class X>
bool is(X const& x, vector const& wanted) {
  vector const y = rc::reshape(x, rc::shape(-1));
  return y.shape(0) == wanted.shape(0) && bool(rc::allclose(y, wanted, 1e-12, 1e-12, rc::equal_nan));
}

}  // namespace

TEST_CASE("statistics of a matrix") {
  rc::ndarray<double, 2> const a{{1, 2, 3}, {4, 5, 7}};
  CHECK(is(rc::var(a, rc::correction(1)), {14. / 3}));
  CHECK(is(rc::std(a, rc::axis<1>, rc::keepdims, rc::correction(.5)), {std::sqrt(.8), std::sqrt(4.2 / 2.25)}));
  CHECK(is(rc::ptp(a, rc::axis<0>), {3, 3, 4}));
  CHECK(rc::count_nonzero(a - 2.).item() == 5);
  CHECK(is(rc::average(a, vector{1, 2, 1}, rc::axis<1>), {2, 5.25}));
  CHECK(is(rc::average(a, a), {104. / 22}));
  CHECK(is(rc::cov(a), {1, 1.5, 1.5, 7. / 3}));
  CHECK(is(rc::corrcoef(a), {1, 1.5 / std::sqrt(7. / 3), 1.5 / std::sqrt(7. / 3), 1}));
  CHECK(is(rc::gradient(a, .5, rc::axis<0>), {6, 6, 8, 6, 6, 8}));
  CHECK(is(rc::gradient(a), {1, 1, 1, 1, 1.5, 2}));
  CHECK(is(rc::trapezoid(a, vector{0, 1, 3}), {6.5, 16.5}));
  CHECK(is(rc::inner(a, a), {14, 35, 35, 90}));
  CHECK(is(rc::kron(a(0), vector{1, 10}), {1, 10, 2, 20, 3, 30}));
  CHECK(is(rc::cumulative_sum(a, rc::axis<0>, rc::include_initial), {0, 0, 0, 1, 2, 3, 5, 7, 10}));
  CHECK(is(rc::cumulative_prod(a(0), rc::include_initial), {1, 1, 2, 6}));
  rc::ndarray<double, 2> const d = a;
  CHECK(is(rc::cumulative_sum(d, 0, rc::include_initial), {0, 0, 0, 1, 2, 3, 5, 7, 10}));
  CHECK(is(rc::cumulative_sum(d, -1, rc::include_initial), {0, 1, 3, 6, 0, 4, 9, 16}));
  auto const begun = [](auto x) { return rc::cumulative_prod(2. * x, 1, rc::include_initial); };
  CHECK(is(begun(d), {1, 2, 8, 48, 1, 8, 80, 1120}));
  CHECK(is(rc::fn(begun)(d), {1, 2, 8, 48, 1, 8, 80, 1120}));
  CHECK(raised([&] { rc::cumulative_sum(d, 2, rc::include_initial); }) ==
        "index_error: cumulative_sum: axis 2 of a tensor of order 2");
}

TEST_CASE("quantiles") {
  rc::ndarray<double, 2> const a{{3, 1, 2}, {7, 4, 5}}, b{{1, nothing, 3}, {4, 5, 0}};
  CHECK(is(rc::median(a), {3.5}));
  CHECK(is(rc::median(b, rc::axis<1>, rc::keepdims), {nothing, 4}));
  CHECK(is(rc::quantile(a, .3), {2.5}));
  CHECK(is(rc::quantile(a, vector{0, .25, 1}, rc::axis<1>), {1, 4, 1.5, 4.5, 3, 7}));
  rc::ndarray<double, 2> const infinite{{-inf, -inf, 1}, {2, inf, inf}};
  CHECK(is(rc::quantile(infinite, vector{0, .25, .75, 1}, rc::axis<1>), {-inf, 2, -inf, inf, -inf, inf, 1, inf}));
  CHECK(is(rc::percentile(b, 25, rc::axis<1>), {nothing, 2}));
  for (double const q : {-.1, 1.5, nothing})
    CHECK(raised([&] { rc::eval(rc::quantile(a, q)); }).starts_with("index_error"));
  rc::ndarray<double, 2> const none = rc::zeros<double>(rc::shape(2, 0));
  CHECK(raised([&] { rc::eval(rc::median(none)); }).starts_with("index_error"));
  CHECK(raised([&] { rc::eval(rc::quantile(none, .5, rc::axis<1>)); }).starts_with("index_error"));
  for (int n : {1, 8, 15, 29, 30}) {  // .07 * 100 is more than 7
    vector const x = rc::arange<double>(n);
    CHECK(is(rc::percentile(x, vector{0, 100}), {0, double(n - 1)}));
  }
}

// the numbers are jax.grad's
TEST_CASE("derivatives where elements are equal") {
  auto const of_median = rc::grad([](auto x) { return rc::median(x); });
  auto const of_nanmedian = rc::grad([](auto x) { return rc::nanmedian(x); });
  auto const of_quantile = rc::grad([](auto x) { return rc::quantile(x, .3); });
  vector const pair{1, 1}, three{1, 1, 1}, four{2, 1, 2, 2}, six{1, 3, 3, 2, 3, 0};
  CHECK(is(of_median(pair), {.5, .5}));
  CHECK(is(of_median(three), {0, 1, 0}));
  CHECK(is(of_median(four), {.5, 0, .5, 0}));
  CHECK(is(of_nanmedian(four), {.5, 0, .5, 0}));
  CHECK(is(of_median(six), {0, .5, 0, .5, 0, 0}));
  CHECK(is(of_quantile(three), {.4, .6, 0}));
  CHECK(is(of_quantile(six), {.5, 0, 0, .5, 0, 0}));
  double const least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  CHECK(rc::median(vector{3 * least, 3 * least}).item() == 3 * least);
  CHECK(rc::median(vector{most, most}).item() == most);
}

TEST_CASE("without NaN") {
  rc::ndarray<double, 2> const a{{1, nothing, 3}, {4, nothing, 0}};
  CHECK(is(rc::nansum(a, rc::axis<0>), {5, 0, 3}));
  CHECK(is(rc::nanprod(a, rc::axis<0>), {4, 1, 0}));
  CHECK(is(rc::nanmax(a, rc::axis<0>), {4, nothing, 3}));
  CHECK(is(rc::nanmin(a), {0}));
  CHECK(is(rc::nanmean(a, rc::axis<0>), {2.5, nothing, 1.5}));
  CHECK(is(rc::nanvar(a), {2.5}));
  CHECK(is(rc::nanstd(a, rc::axis<0>), {1.5, nothing, 1.5}));
  rc::ndarray<double, 2> const with_infinite{{1, nothing, inf}, {4, -inf, 0}};
  CHECK(is(rc::nanvar(with_infinite), {nothing}));
  CHECK(is(rc::nanstd(with_infinite, rc::axis<0>), {1.5, nothing, nothing}));
  CHECK(rc::nansum(rc::tensor<int, 3>{1, 2, 3}).item() == 6);
}

TEST_CASE("quantiles of what is no NaN") {
  rc::ndarray<double, 2> const a{{1, nothing, 3}, {4, 5, 0}, {nothing, nothing, nothing}, {nothing, -inf, nothing}};
  vector const q{0, .25, .5, 1};
  CHECK(is(rc::nanquantile(a, q, rc::axis<1>),
           {1, 0, nothing, -inf, 1.5, 2, nothing, -inf, 2, 4, nothing, -inf, 3, 5, nothing, -inf}));
  CHECK(is(rc::nanpercentile(a, 25), {.25}));
  rc::ndarray<double, 2> const kept = rc::nanquantile(a(rc::range(0, 3)), .5, rc::axis<1>, rc::keepdims);
  CHECK(kept.shape(1) == 1);
  CHECK(is(kept, {2, 4, nothing}));
  CHECK(is(rc::nanquantile(rc::tensor<int, 4>{4, 1, 3, 2}, .5), {2.5}));
  rc::tensor<float, 2, 2> const of_floats{{1, 2}, {float(nothing), 4}};
  static_assert(std::is_same_v<decltype(rc::nanquantile(of_floats, .5))::value_type, float>);
  CHECK(is(rc::nanpercentile(of_floats, 50, rc::axis<0>), {1, 3}));
  for (double const outside : {-.1, 1.5, nothing})
    CHECK(raised([&] { rc::eval(rc::nanquantile(a, outside)); }).starts_with("index_error"));
  CHECK(raised([&] { rc::eval(rc::nanquantile(vector(0), .5)); }).starts_with("index_error"));
  for (int n : {1, 2, 7, 30}) {
    vector x = rc::arange<double>(n);
    x = rc::remainder(x * 7. + 3., 11.);
    CHECK(is(rc::nanquantile(x, q), rc::eval(rc::quantile(x, q))));
    CHECK(is(rc::nanpercentile(x, 50), {rc::median(x).item()}));
    x(rc::range(0, n, 3)) = nothing;
    vector const left = rc::compress(!rc::isnan(x), x);
    if (n > 1) CHECK(is(rc::nanquantile(x, q), rc::eval(rc::quantile(left, q))));
    CHECK(is(rc::nanquantile(x, .5), {rc::nanmedian(x).item()}));
  }
}

TEST_CASE("extrema of what is no NaN, where they are") {
  rc::ndarray<double, 2> const a{{1, nothing, 3}, {4, -inf, 3}};
  CHECK(numbers(rc::eval(rc::nanargmax(a, rc::axis<0>))) == numbers{1, 1, 0});
  CHECK(numbers(rc::eval(rc::nanargmin(a, 1))) == numbers{0, 1});
  CHECK(rc::nanargmax(a).item() == 3);
  CHECK(shape_of(rc::eval(rc::nanargmax(a, rc::axis<1>, rc::keepdims))) == numbers{2, 1});
  CHECK(numbers(rc::unnamed(rc::eval(rc::nanargmin(rc::named<"row, column">(a), rc::axis<"row">)))) ==
        numbers{0, 1, 0});
  CHECK(rc::nanargmax(vector{nothing, -inf, nothing}).item() == 1);
  CHECK(rc::nanargmin(rc::tensor<int, 3>{7, 2, 2}).item() == 1);
  CHECK(rc::nanargmax(rc::tensor<rc::float16, 3>{rc::float16(1.f), rc::float16(float(nothing)), rc::float16(2.f)})
            .item() == 2);
  CHECK(raised([&] { rc::eval(rc::nanargmax(vector{nothing, nothing})); }).starts_with("index_error"));
  rc::ndarray<double, 2> const with_none{{1, nothing}, {nothing, nothing}};
  CHECK(raised([&] { rc::eval(rc::nanargmin(with_none, rc::axis<1>)); }).starts_with("index_error"));
  CHECK(raised([&] { rc::eval(rc::nanargmin(vector(0))); }).starts_with("value_error: nanargmin: "));
  for (int n : {1, 2, 16, 17, 63, 200, 5000}) {
    vector x(n);
    rc::index_t greatest = -1, least = -1;
    for (rc::index_t k = 0; k < n; ++k) {
      x(k) = k % 3 == 1 ? nothing : double((k * 7919 + 13) % 37);
      if (k % 3 == 1) continue;
      if (greatest < 0 || x(k) > x(greatest)) greatest = k;
      if (least < 0 || x(k) < x(least)) least = k;
    }
    CHECK(rc::nanargmax(x).item() == greatest);
    CHECK(rc::nanargmin(x).item() == least);
    rc::ndarray<double, 2> const columns = rc::stack(x, rc::flip(x), rc::axis<1>);
    CHECK(numbers(rc::eval(rc::nanargmax(columns, rc::axis<0>))).values[0] == double(greatest));
  }
}

TEST_CASE("close and equal") {
  vector const a{1, nothing, inf, 0}, b{1 + 1e-6, nothing, inf, 1e-9};
  CHECK(rc::count_nonzero(rc::isclose(a, b)).item() == 3);
  CHECK(rc::count_nonzero(rc::isclose(a, b, 0., 1e-8)).item() == 2);
  CHECK(raised([&] { rc::count_nonzero(rc::isclose(a, vector{1, 2})).item(); }).starts_with("shape_error: isclose: "));
  CHECK(bool(rc::allclose(a, b, rc::equal_nan)));
  CHECK(!bool(rc::allclose(vector{1}, vector{-inf})));
  CHECK(!rc::array_equal(a, a));
  CHECK(rc::array_equal(a, a, rc::equal_nan));
  CHECK(!rc::array_equal(vector{1, 2}, vector{1}));
  static_assert(!rc::array_equal(rc::tensor<int, 2>{1, 2}, rc::tensor<int, 1>{1}));
}

TEST_CASE("numbers beside narrow integers that are none of their elements") {
  rc::tensor<std::int8_t, 3> const x{0, 100, 0};
  rc::ndarray<std::int8_t, 1> const d = x;
  auto const both = [&](auto f, vector const& wanted) { return is(f(x), wanted) && is(f(d), wanted); };
  CHECK(both([](auto const& v) { return rc::trapezoid(v, 300); }, {30000}));
  CHECK(both([](auto const& v) { return rc::gradient(v, 300); }, {1. / 3, 0, -1. / 3}));
  CHECK(both([](auto const& v) { return rc::interp(300, rc::tensor<std::int8_t, 3>{1, 2, 3}, v); }, {0}));
  CHECK(both([](auto const& v) { return rc::interp(250, rc::cumulative_sum(v), v + std::int8_t(1)); }, {1}));
  CHECK(both([](auto const& v) { return rc::isclose(v, 0, 0, 200); }, {1, 1, 1}));
  CHECK(both([](auto const& v) { return rc::isclose(v, 256); }, {0, 0, 0}));
  CHECK(both([](auto const& v) { return rc::var(v, rc::correction(-253)); }, {20000. / 3 / 256}));
  CHECK(both([](auto const& v) { return rc::cov(v, rc::correction(-253)); }, {20000. / 3 / 256}));
  CHECK(both([](auto const& v) { return rc::average(v, 256); }, {100. / 3}));
  CHECK(both([](auto const& v) { return rc::ravel_multi_index(std::tuple(v, 300), rc::shape(200, 400)); },
             {300, 40300, 300}));
  CHECK(is(rc::fn([](auto v) { return rc::trapezoid(v, 300); })(d), {30000}));
  // beside what is floating they take its type
  static_assert(std::is_same_v<decltype(rc::trapezoid(rc::tensor<float, 2>{}, .5))::value_type, float>);
  static_assert(
      std::is_same_v<decltype(rc::interp(2, rc::tensor<float, 2>{}, rc::tensor<float, 2>{}))::value_type, float>);
}

TEST_CASE("int64 beside uint64") {
  std::int64_t const large = 9007199254740993;
  rc::tensor<std::int64_t, 4> const i{large, -1, 5, -9223372036854775807};
  rc::tensor<std::uint64_t, 4> const u{9007199254740992u, 18446744073709551615u, 5, 0};
  CHECK(is(i == u, {0, 0, 1, 0}));
  CHECK(is(u != i, {1, 1, 0, 1}));
  CHECK(is(i < u, {0, 1, 0, 1}));
  CHECK(is(u < i, {1, 0, 0, 0}));
  CHECK(is(i >= u, {1, 0, 1, 0}));
  CHECK(is(u >= i, {0, 1, 1, 1}));
  CHECK(is(u <= i, {1, 0, 1, 0}));
  CHECK(is(rc::fn([](auto a, auto b) { return a > b; })(i, u), {1, 0, 0, 0}));
  CHECK(!rc::array_equal(i, u));
}

TEST_CASE("extrema of NaN have the derivative NaN") {
  vector const x{1, nothing, 2};
  CHECK(is(rc::grad([](auto v) { return rc::max(v); })(x), {nothing, nothing, nothing}));
  CHECK(is(
      rc::grad([](auto v) { return rc::sum(rc::min(v, rc::axis<0>)); })(rc::ndarray<double, 2>{{1, nothing}, {2, 3}}),
      {1, nothing, 0, nothing}));
}

TEST_CASE("numbers for what is none") {
  vector const x{1, nothing, inf, -inf, -0.};
  double const largest = std::numeric_limits<double>::max();
  auto const same = [](auto const& a, auto const& b) { return numbers(rc::eval(a)) == numbers(rc::eval(b)); };
  CHECK(same(rc::nan_to_num(x), vector{1, 0, largest, -largest, 0}));
  CHECK(same(rc::nan_to_num(x, 7), vector{1, 7, largest, -largest, 0}));
  CHECK(same(rc::nan_to_num(x, 7, 8, -9.), vector{1, 7, 8, -9, 0}));
  CHECK(same(rc::nan_to_num(vector{nothing, 2}, vector{3, 4}), vector{3, 2}));
  CHECK(shape_of(rc::eval(rc::nan_to_num(vector(0)))) == numbers{0});
  rc::tensor<float, 2> const of_floats{float(nothing), float(inf)};
  static_assert(std::is_same_v<decltype(rc::nan_to_num(of_floats, 1.))::value_type, float>);
  CHECK(same(rc::nan_to_num(of_floats), vector{0, std::numeric_limits<float>::max()}));
  rc::tensor<rc::float16, 1> const half{rc::float16(float(-inf))};
  CHECK(same(rc::nan_to_num(half), vector{-65504}));
  rc::tensor<rc::bfloat16, 1> const brain{rc::bfloat16(float(inf))};
  CHECK(same(rc::nan_to_num(brain), vector{double(rc::finfo<rc::bfloat16>().max)}));
  rc::tensor<std::complex<double>, 2> const z{{nothing, inf}, {1, nothing}};
  CHECK(same(rc::nan_to_num(z), vector{0, largest, 1, 0}));
  CHECK(same(rc::nan_to_num(z, 3., 4., 5.), vector{3, 4, 1, 3}));
  rc::tensor<int, 2> const i{1, 2};
  static_assert(std::is_same_v<decltype(rc::nan_to_num(i))::value_type, std::int32_t>);
  CHECK(same(rc::nan_to_num(i, rc::tensor<double, 2, 1>{{3}, {4}}), vector{1, 2, 1, 2}));
  auto const f = [](auto v) { return rc::sum(rc::square(rc::nan_to_num(v, 5.))); };
  CHECK(numbers(rc::grad(f)(rc::tensor<double, 2>{nothing, 3})) == numbers{0, 6});
}

TEST_CASE("quotients and what is left") {
  rc::tensor<int, 4> const a{7, -7, 7, -7}, b{2, 2, -2, 0};
  auto const [quotient, rest] = rc::divmod(a, b);
  CHECK(numbers(rc::eval(quotient)) == numbers{3, -4, -4, 0});
  CHECK(numbers(rc::eval(rest)) == numbers{1, 1, -1, 0});
  for (int n : {0, 1, 20}) {
    vector const x = rc::arange<double>(n) * .75 - 3.;
    auto const [whole, left] = rc::divmod(x * 1., vector{.5});
    CHECK(is(whole * .5 + left, x));
    CHECK(bool(rc::all((left >= 0.) & (left < .5))));
  }
  auto const by_number = rc::divmod(a, 4);
  CHECK(numbers(rc::eval(by_number.second)) == numbers{3, 1, 3, 1});
}
