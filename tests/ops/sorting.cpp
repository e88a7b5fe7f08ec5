// Sorting against std::sort: lengths around those of its runs, ties, NaN, both orders, every axis, views.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "../numbers.hpp"
#include "../raised.hpp"

#include <ricci/any_tensor.hpp>

namespace rc = ricci;

namespace {

double const nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

// few different numbers, so that there are ties; some NaN
double element(int k) {
  int const r = (k * 7919 + 13) % 31;
  return r == 5 ? nan : r == 6 ? inf : r == 7 ? -inf : r == 8 ? -0. : r % 11 - 4;
}
// sums of softmax go along rows or across them, and are rounded by that
bool are_near(numbers const& a, numbers const& b) {
  auto const &x = a.values, &y = b.values;
  bool near = x.size() == y.size();
  for (std::size_t k = 0; near && k < x.size(); ++k) near = std::abs(x[k] - y[k]) <= 1e-15 * (std::abs(y[k]) + 1);
  return near;
}
std::vector<rc::index_t> sorted_positions(std::vector<double> const& x, bool descending) {
  std::vector<rc::index_t> at(x.size());
  std::iota(at.begin(), at.end(), rc::index_t(0));
  auto const less = [](double a, double b) { return a < b || (b != b && a == a); };
  std::sort(at.begin(), at.end(), [&](rc::index_t i, rc::index_t k) {
    double const a = x[std::size_t(descending ? k : i)], b = x[std::size_t(descending ? i : k)];
    return less(a, b) || (!less(b, a) && i < k);  // of equal elements the first
  });
  return at;
}
template <class T>
bool same(T a, T b) {
  return (a == b && std::signbit(a) == std::signbit(b)) || (a != a && b != b);
}

}  // namespace

TEST_CASE("sort and argsort of rows of many lengths") {
  for (int n : {0, 1, 2, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100, 1000}) {
    CAPTURE(n);
    rc::ndarray<double, 1> x(n);
    std::vector<double> values;
    for (int k = 0; k < n; ++k) values.push_back(x(k) = element(k));
    auto const up = rc::eval(rc::sort(x)), down = rc::eval(rc::sort(x, rc::descending));
    auto const at_up = rc::eval(rc::argsort(x)), at_down = rc::eval(rc::argsort(x, rc::descending));
    rc::ndarray<float, 1> const f = rc::astype<float>(x);
    auto const of_floats_up = rc::eval(rc::argsort(f)), of_floats_down = rc::eval(rc::argsort(f, rc::descending));
    auto const wanted_up = sorted_positions(values, false), wanted_down = sorted_positions(values, true);
    int different = 0;
    for (int k = 0; k < n; ++k) {
      auto const i = wanted_up[std::size_t(k)], j = wanted_down[std::size_t(k)];
      different += at_up(k) != i || at_down(k) != j || of_floats_up(k) != i || of_floats_down(k) != j ||
                   !same(up(k), x(i)) || !same(down(k), x(j));
    }
    x = rc::sort(x);
    for (int k = 0; k < n; ++k) different += !same(x(k), up(k));
    CHECK(different == 0);
  }
}

TEST_CASE("sort along axes, of views, of other types, in place, in constants") {
  rc::ndarray<float, 3> x(4, 5, 3);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 3; ++k) x(i, j, k) = float((i * 31 + j * 17 + k * 7) % 23);
  auto const y = rc::eval(rc::sort(x, rc::axis<1>));
  auto const flipped = rc::eval(rc::sort(rc::flip(x, rc::axis<1>), rc::axis<1>));
  auto const turned = rc::eval(rc::sort(rc::permute_dims(x, rc::axis<2, 0, 1>)));
  CHECK(numbers(flipped) == numbers(y));
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      CHECK(numbers(y(i, rc::all, k)) == numbers(rc::eval(rc::sort(x(i, rc::all, k)))));
      CHECK(numbers(turned(k, i)) == numbers(y(i, rc::all, k)));
    }
  // columns side by side go through rows of their own, some at once
  for (int n : {2, 40, 1000, 3000})
    for (int m : {1, 3, 4, 17, 50}) {
      if (n * m > 20000) continue;
      rc::ndarray<double, 2> columns(n, m);
      for (rc::index_t k = 0; k < columns.size(); ++k)
        columns.data()[k] = k % 11 == 3 ? -0. : k % 97 == 5 ? std::nan("") : double((k * 7919) % 1009) - 500;
      rc::ndarray<double, 2> const down = rc::sort(columns, rc::axis<0>, rc::descending);
      rc::ndarray<double, 2> const rows = rc::matrix_transpose(rc::eval(rc::sort(rc::eval(columns.T() * 1.))));
      columns = rc::sort(columns, rc::axis<0>);
      CHECK(bool(rc::allclose(columns, rows, 0., 0., rc::equal_nan)));
      CHECK(bool(rc::all(rc::signbit(columns) == rc::signbit(rows))));
      CHECK(bool(rc::all(rc::isnan(down) | (down == rc::sort(down, rc::axis<0>, rc::descending)))));
      CHECK(bool(rc::allclose(down, rc::flip(columns, rc::axis<0>), 0., 0., rc::equal_nan)));
    }
  x(0) = rc::sort(x(0), rc::axis<0>);
  CHECK(numbers(x(0)) == numbers(y(0)));
  rc::tensor<int, 2, 3> whole{{3, -1, 2}, {0, 7, 7}};
  CHECK(numbers(rc::eval(rc::sort(whole))) == numbers{-1, 2, 3, 0, 7, 7});
  whole = rc::sort(whole, rc::axis<0>, rc::descending);
  CHECK(numbers(whole) == numbers{3, 7, 7, 0, -1, 2});
  CHECK(numbers(rc::eval(rc::sort(whole > 2))) == numbers{1, 1, 1, 0, 0, 0});
  constexpr auto c = rc::eval(rc::sort(rc::tensor<double, 3>{3, 1, 2}));
  static_assert(c(0) == 1 && c(1) == 2 && c(2) == 3);
  CHECK(numbers(rc::eval(rc::sort(2. * whole, rc::axis<0>) + 1.)) == numbers{1, -1, 5, 7, 15, 15});
}

TEST_CASE("the gradient of sort goes back to where the elements were") {
  rc::ndarray<double, 1> x(4);
  x = rc::tensor<double, 4>{3, 1, 2, 1};
  auto const g =
      rc::grad([](auto t, auto w) { return rc::sum(rc::sort(t) * w); })(x, rc::tensor<double, 4>{1, 2, 3, 4});
  CHECK(numbers(g) == numbers{4, 1, 3, 2});
}

TEST_CASE("along an axis that is only known at run time") {
  rc::ndarray<double, 3> const x = rc::reshape(rc::sin(7. * rc::arange<double>(0, 24)), rc::shape(2, 3, 4));
  rc::ndarray<int, 2> const at{{1, 0}, {-1, 1}, {0, 0}};
  auto const each = [&]<int... Axis>(std::integer_sequence<int, Axis...>, auto f, auto const&... rest) {
    constexpr bool rounds = std::is_same_v<decltype(f), rc::softmax_t>;
    auto const are_same = [](numbers const& y, numbers const& z) { return rounds ? are_near(y, z) : y == z; };
    auto const one = [&](auto axis, int k) {
      auto const want = rc::eval(f(x, axis, rest...));
      for (int number : {k, k - 3}) {
        auto const y = f(x, number, rest...);
        CHECK(shape_of(y) == shape_of(want));
        CHECK(are_same(numbers(y), numbers(want)));
        // of an expression that is not in row-major order, inside of another one
        CHECK(are_same(
            numbers(rc::eval(1. + f(rc::flip(rc::permute_dims(x, rc::axes<2, 1, 0>)) * 1., number, rest...))),
            numbers(rc::eval(1. + f(rc::eval(rc::flip(rc::permute_dims(x, rc::axes<2, 1, 0>))), axis, rest...)))));
        auto const z = rc::any_tensor(f(rc::any_tensor(x), number, rest...));
        auto const same = rc::any_tensor(f(rc::any_tensor(x), axis, rest...));
        constexpr int order = std::remove_cvref_t<decltype(want)>::rank;
        CHECK(numbers(z.template as<double, order>()) == numbers(same.template as<double, order>()));
      }
    };
    (one(rc::axis<Axis>, Axis), ...);
    CHECK(raised([&] { f(x, 3, rest...); }).rfind("index_error: ", 0) == 0);
    CHECK(raised([&] { f(rc::any_tensor(x), -4, rest...); }).rfind("index_error: ", 0) == 0);
  };
  std::make_integer_sequence<int, 3> const axes{};
  each(axes, rc::sort), each(axes, rc::sort, rc::descending), each(axes, rc::softmax), each(axes, rc::cumulative_sum);
  each(axes, [&](auto const& y, auto axis) { return rc::take(y, at, axis); });
  CHECK(numbers(rc::argsort(x, 1)) == numbers(rc::eval(rc::argsort(x, rc::axis<1>))));
  CHECK(numbers(rc::cumulative_prod(x, -2)) == numbers(rc::eval(rc::cumulative_prod(x, rc::axis<1>))));
  // a function may find the axis from what it is called with
  auto const traced = [](auto y, auto i) {
    int const k = decltype(y)::rank - 2;
    return rc::sum(rc::softmax(y, k) * rc::sort(y, k) * rc::cumulative_sum(y, k)) + rc::sum(rc::take(y, i, k));
  };
  auto const named = [](auto y, auto i) {
    return rc::sum(rc::softmax(y, rc::axis<1>) * rc::sort(y, rc::axis<1>) * rc::cumulative_sum(y, rc::axis<1>)) +
           rc::sum(rc::take(y, i, rc::axis<1>));
  };
  CHECK(numbers(rc::grad(traced)(x, at)) == numbers(rc::grad(named)(x, at)));
  rc::tensor<double, 2, 3, 4> const fixed = x;
  CHECK(numbers(rc::interpret(rc::grad(traced))(fixed, at)) == numbers(rc::interpret(rc::grad(named))(fixed, at)));
}

// np.lexsort and np.polyval of the same numbers
TEST_CASE("the order by several keys, as in NumPy") {
  rc::ndarray<int, 1> const surname{1, 5, 1, 4, 3, 4, 4};
  rc::tensor<double, 7> const name{9, 4, 0, 4, 0, 2, 1};
  numbers const order{2, 0, 4, 6, 5, 3, 1};
  auto const by_both = [](auto const& second, auto const& first) { return rc::lexsort(second, first); };
  CHECK(numbers(rc::eval(by_both(name, surname))) == order);
  CHECK(numbers(rc::fn(by_both)(name, surname)) == order);
  CHECK(numbers(rc::interpret(by_both)(name, surname)) == order);
  CHECK(numbers(rc::eval(rc::lexsort(name, surname, surname > 3))) == numbers{2, 0, 4, 6, 5, 3, 1});
  CHECK(numbers(rc::eval(rc::lexsort(surname, name, surname < 4))) == numbers{6, 5, 3, 1, 2, 4, 0});
  rc::ndarray<float, 2> const rows{{1, 0, 1}, {2, 2, 2}};
  CHECK(numbers(rc::eval(rc::lexsort(rc::tensor<bool, 3>{true, true, false}, rows))) == numbers{1, 2, 0, 2, 0, 1});
  CHECK(rc::eval(rc::lexsort(rc::ndarray<int, 1>(0), rc::ndarray<int, 1>(0))).size() == 0);
  CHECK(raised([&] { rc::eval(rc::lexsort(rc::ndarray<int, 1>(2), surname)); }) == "shape_error: lexsort: (2,) (7,)");
  auto const any = rc::any_tensor(rc::lexsort(rc::any_tensor(name), rc::any_tensor(surname)));
  CHECK(numbers(any.as<std::int64_t, 1>()) == order);
}

TEST_CASE("polynomials at points") {
  constexpr auto total = [](auto p, auto x) { return rc::sum(rc::polyval(p, x)); };
  rc::ndarray<double, 1> const p{3, 0, 1}, x{5, 0, -1};
  rc::tensor<double, 3> const fixed{3, 0, 1};
  CHECK(numbers(rc::eval(rc::polyval(p, x))) == numbers{76, 1, 4});
  CHECK(numbers(rc::eval(rc::polyval(fixed, rc::tensor<double, 1, 3>{{5, 0, -1}}))) == numbers{76, 1, 4});
  CHECK(double(rc::polyval(fixed, 5)) == 76);
  CHECK(numbers(rc::eval(rc::polyval(rc::ndarray<double, 1>(0), x))) == numbers{0, 0, 0});
  CHECK(numbers(rc::eval(rc::polyval(rc::tensor<double, 0>{}, x))) == numbers{0, 0, 0});
  rc::ndarray<std::int8_t, 1> const narrow{2, 100};
  auto const wrapped = rc::eval(rc::polyval(narrow, narrow));
  static_assert(std::is_same_v<rc::value_type_of<decltype(wrapped)>, std::int8_t>);
  CHECK(numbers(wrapped) == numbers{104, 44});
  rc::ndarray<std::complex<double>, 1> const z{{0, 1}, {2, 0}};
  CHECK(numbers(rc::eval(rc::polyval(z, z))) == numbers{1, 0, 2, 2});
  for (numbers const& by : {numbers(rc::grad<1>(total)(p, x)), numbers(rc::grad<1>(total)(fixed, x)),
                            numbers(rc::interpret(rc::grad<1>(total))(p, x))})
    CHECK(by == numbers{30, 0, -6});
  CHECK(numbers(rc::grad(total)(p, x)) == numbers{26, 4, 3});
  CHECK(numbers(rc::grad(total)(fixed, x)) == numbers{26, 4, 3});
}

TEST_CASE("a part of the order: none before it greater, none behind it less") {
  rc::sorting::before<false> const less{};
  for (int const n : {1, 2, 3, 17, 200})
    for (int const kinds : {2, 1000})
      for (int const k : {0, n / 2, n - 1, -1}) {
        rc::ndarray<double, 2> x(n, 2);
        for (int i = 0; i < 2 * n; ++i) x.data()[i] = i % 19 == 18 ? __builtin_nan("") : (i * 7919) % kinds;
        rc::ndarray<double, 2> const y = rc::partition(x, k, rc::axis<0>), s = rc::sort(x, rc::axis<0>);
        rc::ndarray<std::int64_t, 2> const places = rc::argpartition(x, k, rc::axis<0>);
        rc::index_t const at = k < 0 ? k + n : k;
        int wrong = 0;
        for (int c = 0; c < 2; ++c) {
          double of_y = 0, of_s = 0;
          for (int i = 0; i < n; ++i) {
            wrong += i < at ? less(y(at, c), y(i, c)) : less(y(i, c), y(at, c));
            wrong += less(x(places(i, c), c), y(i, c)) || less(y(i, c), x(places(i, c), c));
            of_y += y(i, c) == y(i, c) ? y(i, c) : .5, of_s += s(i, c) == s(i, c) ? s(i, c) : .5;
          }
          wrong += of_y != of_s || less(y(at, c), s(at, c)) || less(s(at, c), y(at, c));
        }
        CHECK(wrong == 0);
      }
  rc::tensor<double, 3> const v{3, 1, 2};
  CHECK(raised([&] { rc::eval(rc::partition(v, 3)); }) ==
        "index_error: partition: index 3 is out of range for an axis of 3");
  CHECK(numbers(rc::grad([](auto t, auto w) { return rc::sum(rc::partition(t, 1) * w); })(
            v, rc::tensor<double, 3>{1, 10, 100})) == numbers{100, 1, 10});
}
