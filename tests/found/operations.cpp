// Faults that were found in what operations mean: arithmetic of integers and conditions, kinks, and derivatives where
// factors are 0, rows overwritten, or branches masked. Each compiled, traced and interpreted.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "numbers.hpp"
#include "raised.hpp"

namespace rc = ricci;

namespace {

constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();

// a statement, a function and its interpretation
template <class F, class... X>
void gives(numbers const& expected, F f, X const&... x) {
  numbers const statement(rc::eval(f(x...))), compiled(rc::fn(f)(x...)), interpreted(rc::interpret(f)(x...));
  INFO(statement, ", ", compiled, " and ", interpreted, " for ", expected);
  CHECK(statement == expected);
  CHECK(compiled == expected);
  CHECK(interpreted == expected);
}

}  // namespace

TEST_CASE("24: integers wrap") {
  rc::tensor<int, 3> const a{highest, lowest, 65536}, b{1, -1, 65536};
  auto const all = [](auto const& p, auto const& q) {
    return rc::stack(p + q, p - q, p * q, -p, rc::square(p), rc::abs(p));
  };
  double const top = highest, bottom = lowest;
  gives({bottom, top, 131072, top - 1, bottom + 1, 0, top, bottom, 0,  //
         -top, bottom, -65536, 1, 0, 0, top, bottom, 65536},
        all, a, b);
  rc::ndarray<int, 1> const dynamic(a), other(b);
  gives({bottom, top, 131072, top - 1, bottom + 1, 0, top, bottom, 0,  //
         -top, bottom, -65536, 1, 0, 0, top, bottom, 65536},
        all, dynamic, other);
  rc::tensor<std::int64_t, 3> const large{std::numeric_limits<std::int64_t>::max(), 1, 4};
  gives(
      {std::ldexp(-1., 63)}, [](auto const& p) { return rc::sum(p(rc::range(0, 2))); }, large);
  gives(
      {-4}, [](auto const& p) { return rc::prod(p); }, large);
  gives(
      {1}, [](auto const& p) { return rc::matmul(p, p) + -16; }, rc::tensor<int, 3>{highest, 4, 0});
  rc::tensor<int, 2, 2> const m{{highest, 1}, {1, 1}};
  gives(
      {2, bottom, bottom, 2}, [](auto const& p) { return rc::matmul(p, p); }, m);
  static_assert(rc::eval(rc::tensor<int, 1>{highest} + 1)(0) == lowest);
}

TEST_CASE("19: integers divided by 0 and by -1") {
  rc::tensor<int, 5> const a{lowest, 1, -7, 0, 7}, b{-1, 0, 0, 0, -1};
  double const bottom = lowest;
  gives(
      {bottom, 0, 0, 0, -7}, [](auto const& p, auto const& q) { return rc::floor_divide(p, q); }, a, b);
  gives(
      {0, 0, 0, 0, 0}, [](auto const& p, auto const& q) { return rc::remainder(p, q); }, a, b);
  rc::tensor<std::int64_t, 5> const c(a), d(b);
  gives(
      {-bottom, 0, 0, 0, -7}, [](auto const& p, auto const& q) { return rc::floor_divide(p, q); }, c, d);
  CHECK(rc::floor_divide(lowest, -1) == lowest);
  static_assert(rc::eval(rc::floor_divide(rc::tensor<int, 2>{lowest, 3}, rc::tensor<int, 2>{-1, 0}))(0) == lowest);
}

TEST_CASE("floats beyond an integer become its end, NaN 0") {
  double const inf = std::numeric_limits<double>::infinity();
  rc::tensor<double, 7> const x{3e9, -3e9, inf, -inf, std::nan(""), 2147483647.5, -2147483648.5};
  double const top = highest, bottom = lowest;
  gives(
      {top, bottom, top, bottom, 0, top, bottom}, [](auto const& p) { return rc::astype<int>(p); }, x);
  gives(
      {top, bottom, top, bottom, 0, top, bottom}, [](auto const& p) { return rc::astype<int>(rc::astype<float>(p)); },
      x);
  auto const wide = rc::eval(rc::astype<std::int64_t>(x * 1e10));
  CHECK(wide(0) == std::numeric_limits<std::int64_t>::max());
  CHECK(wide(1) == std::numeric_limits<std::int64_t>::min());
  gives(
      {1, 0}, [](auto const& p) { return rc::astype<bool>(rc::stack(rc::sum(p) * 0. + 0.5, rc::sum(p) * 0.)); },
      rc::tensor<double, 2>{1, 2});
}

TEST_CASE("10: arithmetic of conditions") {
  auto const conditions = [](auto const& p, auto const& q) {
    auto const c = p > 1.;
    return rc::stack(c + (p > 3.), c * (p > 3.), rc::maximum(c, q), rc::minimum(c, q), c<q, c <= q, c> q, c >= q,
                     c == q, c != q);
  };
  auto const counts = [](auto const& p, auto const& q) {
    auto const c = p > 1.;
    return rc::stack(rc::sum(c), rc::prod(p >= 0.), rc::sum(rc::stack(rc::max(c), rc::min(c), rc::max(q))));
  };
  auto const mixed = [](auto const& p, auto const& q) { return (p > 1.) * 2. + q + (p > 3.) - (p == 2.); };
  auto const check = [&](auto const& x, auto const& b) {
    gives({0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0,
           1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
          conditions, x, b);
    gives({3, 1, 2}, counts, x, b);
    gives({1, 0, 1, 3, 3}, mixed, x, b);
  };
  rc::tensor<double, 5> const x{0, 1, 2, 3, 4};
  rc::tensor<bool, 5> const b{true, false, false, true, false};
  check(x, b);
  check(rc::ndarray<double, 1>(x), rc::ndarray<bool, 1>(b));
  static_assert(std::is_same_v<decltype(rc::eval((x > 1.) * b))::value_type, bool>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::sum(x > 1.)))::value_type, std::int64_t>);
}

TEST_CASE("16: reductions of nothing, every way") {
  rc::ndarray<double, 2> const none(0, 3);
  auto const smallest = [](auto const& a) { return rc::argmin(a, rc::axis<0>); };
  CHECK(raised([&] { rc::eval(smallest(none)); }) == "value_error: argmin: no elements to choose from");
  CHECK(raised([&] { rc::fn(smallest)(none); }) == "value_error: argmin: no elements to choose from");
  CHECK(raised([&] { rc::interpret(smallest)(none); }) == "value_error: argmin: no elements to choose from");
  double const inf = std::numeric_limits<double>::infinity();
  gives(
      {-inf, -inf, -inf}, [](auto const& a) { return rc::max(a, rc::axis<0>); }, none);
  gives(
      {inf, inf, inf}, [](auto const& a) { return rc::min(a, rc::axis<0>); }, none);
  gives(
      {double(lowest)}, [](auto const& a) { return rc::max(rc::astype<int>(a)); }, none);
  gives(
      {0}, [](auto const& a) { return rc::max(a > 0.); }, none);
  gives(
      {}, [](auto const& a) { return rc::argmax(a, rc::axis<1>); }, none);
}

TEST_CASE("numbers that a type does not hold, and signs of zeros, stay what they are where a graph is simplified") {
  float const infinite = std::numeric_limits<float>::infinity();
  rc::tensor<float, 2> const x{0x1p-140f, -0x1p-149f};
  gives(
      {0x1p40, -0x1p31}, [](auto const& a) { return (a * 0x1p90f) * 0x1p90f; }, x);
  gives(
      {infinite, -infinite}, [](auto const& a) { return 1.f / (a * 0.f - -0.f) * rc::sign(a); }, x);
  gives(
      {-infinite, infinite}, [](auto const& a) { return a * (rc::ones_like(a) / -0.f); }, x);
  auto const overflowing = rc::grad([](auto a) { return rc::sum(a * 1e20f * 1e20f); });
  CHECK(numbers(rc::fn(overflowing)(x)) == numbers{infinite, infinite});
  CHECK(numbers(rc::interpret(overflowing)(x)) == numbers{infinite, infinite});
}

TEST_CASE("indices are checked, whatever they name: constants, and rows of nothing") {
  auto const raises = [](auto f, auto const& i, auto const&... x) {
    for (auto const& said : {raised([&] { rc::eval(f(i, x...)); }), raised([&] { rc::fn(f)(i, x...); }),
                             raised([&] { rc::interpret(f)(i, x...); })})
      CHECK(said == "index_error: take: index 7 is out of range for an axis of 3");
  };
  rc::tensor<int, 2> const i{0, 7}, inside{-1, 2};
  auto const of_ones = [](auto const& k) { return rc::take(rc::ones<float>(rc::extents<3>{}), k); };
  auto const columns_of_ones = [](auto const& k) {
    return rc::take(rc::ones<float>(rc::extents<2, 3>{}), k, rc::axis<1>);
  };
  raises(of_ones, i);
  raises(columns_of_ones, i);
  gives({1, 1}, of_ones, inside);
  gives({1, 1, 1, 1}, columns_of_ones, inside);
  rc::ndarray<float, 2> const none(0, 3);
  raises([](auto const& k, auto const& x) { return rc::take(x, k, rc::axis<1>); }, i, none);
}

namespace {

// the product of all x but x[i], x[j], x[k], which differ
double product_without(std::vector<double> const& x, std::size_t i, std::size_t j, std::size_t k) {
  double p = 1;
  for (std::size_t n = 0; n < x.size(); ++n) p *= n == i || n == j || n == k ? 1 : x[n];
  return p;
}

}  // namespace

TEST_CASE("06, 17: derivatives of products, whatever the factors are") {
  auto const product = [](auto x) { return rc::prod(x); };
  auto const weighted = [product](auto x) {
    return rc::sum(rc::hessian(product)(x) * rc::expand_dims(x, rc::axis<0>));
  };
  auto const all = [=](auto x) {
    return std::tuple(rc::grad(product)(x), rc::hessian(product)(x), rc::grad(weighted)(x));
  };
  for (std::vector<double> const& x :
       {std::vector<double>{0, 2, 3}, {0, 0, 3}, {0, 0, 0}, {2, 3, 4, -5}, {7}, {}, {2, 0, 3, 0, 5}}) {
    std::size_t const n = x.size();
    rc::ndarray<double, 1> t(static_cast<rc::index_t>(n));
    for (std::size_t k = 0; k < n; ++k) t.data()[k] = x[k];
    numbers first{}, second{}, third{};
    for (std::size_t i = 0; i < n; ++i) {
      first.values.push_back(product_without(x, i, i, i));
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        second.values.push_back(i == j ? 0 : product_without(x, i, j, j));
        // d/dx[i] of the sum of d2/dx[k]dx[j] x[j]
        for (std::size_t k = 0; k < n; ++k) {
          if (i != j && j != k && k != i) sum += product_without(x, i, j, k) * x[j];
          if (i == j && k != j) sum += product_without(x, k, j, j);
        }
      }
      third.values.push_back(sum);
    }
    auto const [g, h, w] = rc::fn(all)(t);
    CHECK(numbers(g) == first);
    CHECK(numbers(h) == second);
    CHECK(numbers(w) == third);
  }
  // beyond the range of doubles, where the product over the factor is
  double const inf = std::numeric_limits<double>::infinity();
  auto const gradient = rc::grad(product);
  CHECK(numbers(gradient(rc::tensor<double, 3>{1e-200, 1e-200, 3})).near({3e-200, 3e-200, 0}, 1e-14));
  auto const beyond = gradient(rc::tensor<double, 3>{1e200, 1e200, 1e-300});
  CHECK(beyond(0) == doctest::Approx(1e-100));
  CHECK(beyond(2) == inf);
  CHECK(numbers(gradient(rc::tensor<double, 3>{inf, 2, 1})) == numbers{2, inf, inf});
}

TEST_CASE("scans longer than a strip, and in several threads") {
  rc::ndarray<double, 3> x = rc::ones<double>(rc::shape(70, 5, 300));
  for (int threads : {1, 3}) {
    rc::ndarray<double, 3> y = rc::ones<double>(rc::shape(70, 5, 300), rc::cpu{.threads = threads});
    y = rc::cumulative_sum(x, rc::axis<0>) + rc::cumulative_sum(x, rc::axis<1>) + rc::cumulative_sum(x, rc::axis<2>);
    bool right = true;
    for (int i = 0; i < 70; ++i)
      for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 300; ++k) right = right && y(i, j, k) == i + j + k + 3;
    CHECK(right);
  }
  rc::tensor<int, 4> const i{highest, 1, 2, 3};
  CHECK(numbers(rc::eval(rc::cumulative_sum(i))) == numbers{2147483647, 2147483648, 2147483650, 2147483653});
  rc::tensor<double, 2, 3> own{{1, 2, 3}, {4, 5, 6}};
  own = rc::cumulative_sum(own, rc::axis<0>);
  CHECK(numbers(own) == numbers{1, 2, 3, 5, 7, 9});
  own.T() = rc::cumulative_sum(own.T(), rc::axis<0>);
  CHECK(numbers(own) == numbers{1, 3, 6, 5, 12, 21});
}

// Rows shorter than a register, in runs that go along either loop around them.
TEST_CASE("sums of short rows") {
  rc::ndarray<double, 2> x = rc::zeros<double>(rc::shape(1, 1)), centres = x, distances = x;
  rc::ndarray<double, 3> differences = rc::zeros<double>(rc::shape(1, 1, 1));
  for (rc::index_t const n : {1, 5, 70, 131})
    for (rc::index_t const k : {1, 6, 15, 17})
      for (rc::index_t length = 1; length <= 9; ++length) {
        x = rc::reshape(rc::arange<double>(n * length), rc::shape(n, length));
        centres = rc::reshape(3. * rc::arange<double>(k * length), rc::shape(k, length));
        distances = rc::sum(rc::square(x(rc::all, rc::newaxis) - centres), rc::axis<-1>);
        differences = x(rc::all, rc::newaxis) - centres;
        bool right = true;
        for (rc::index_t i = 0; i < n; ++i)
          for (rc::index_t j = 0; j < k; ++j) {
            double sum = 0;
            for (rc::index_t c = 0; c < length; ++c) {
              double const d = double(i * length + c) - 3. * double(j * length + c);
              sum += d * d;
              right = right && differences(i, j, c) == d;
            }
            right = right && distances(i, j) == sum;
          }
        CHECK_MESSAGE(right, n << ' ' << k << ' ' << length);
      }
}

TEST_CASE("07: only the row that stays has a cotangent") {
  rc::tensor<double, 3> const x{1.5, -0.7, 0.3};
  rc::tensor<int, 2> const twice{0, 0}, from_end{-3, 0};
  auto const f = [](auto p, auto i) {
    auto y = p * p;
    y(i) = 5. * p(1);
    return rc::sum(y * y);
  };
  for (auto const& i : {twice, from_end}) {
    CHECK(rc::grad(f)(x, i)(1) == doctest::Approx(-36.372));
    CHECK(rc::interpret(rc::grad(f))(x, i)(1) == doctest::Approx(-36.372));
    auto const [value, tangent] = rc::jvp(f)(x, i)(rc::tensor<double, 3>{0, 1, 0}, rc::zeros_like(i));
    CHECK(tangent.item() == doctest::Approx(-36.372));
  }
  // rows of a matrix along its columns, indices of order 2, as many as are known when it runs
  auto const rows = [](auto p, auto v, auto i) {
    auto y = p;
    y(rc::all, i) = v;
    return y * y;
  };
  auto const pulled = [rows](auto p, auto v, auto i) {
    return rc::grad<1>([rows](auto a, auto b, auto c) { return rc::sum(rows(a, b, c)); })(p, v, i);
  };
  rc::ndarray<double, 2> const p = rc::zeros<double>(rc::shape(2, 3));
  rc::ndarray<double, 3> const v(rc::reshape(rc::arange<double>(8), rc::shape(2, 2, 2)));
  rc::ndarray<int, 2> const i(rc::tensor<int, 2, 2>{{2, 0}, {2, 2}});
  CHECK(numbers(rc::fn(pulled)(p, v, i)) == numbers{0, 2, 0, 6, 0, 10, 0, 14});
  CHECK(numbers(rc::interpret(pulled)(p, v, i)) == numbers{0, 2, 0, 6, 0, 10, 0, 14});
  // each element of a batch with indices of its own
  rc::tensor<double, 2, 2> const xs{{1, 2}, {3, 4}};
  rc::tensor<int, 2, 2> const is{{0, 0}, {1, 0}};
  auto const of_one = rc::grad([](auto r, auto k) {
    auto y = r * 0.;
    y(k) = r;
    return rc::sum(y * y);
  });
  CHECK(numbers(rc::vmap(of_one)(xs, is)) == numbers{0, 4, 6, 8});
}

// Logarithms and quotients that are infinite or NaN where `where` leaves them out, with something between.
TEST_CASE("23: where masks through views, joins, rows and sums") {
  rc::tensor<double, 4> const x{0., -1., 4, 1};
  rc::tensor<int, 4> const i{0, 2, 2, -1};
  auto const square = rc::extents<2, 2>{};
  auto const moved = [=](auto p, auto) {
    auto const r = rc::reshape(p, square);
    auto const part = rc::range<1, 4>();
    return rc::sum(rc::where(r > 0., rc::reshape(rc::log(2. * p), square), 0.)) +
           rc::sum(rc::where(r.T() > 0., rc::reshape(rc::log(3. * p), square).T(), 0.)) +
           rc::sum(rc::where(rc::flip(p) <= 0., 0., rc::flip(rc::log(4. * p)))) +
           rc::sum(rc::where(p(part) > 0., rc::log(5. * p)(part), 0.));
  };
  auto const summed = [=](auto p, auto) {
    auto const whole = rc::extents<3, 4>{};
    auto const r = rc::reshape(p, square);
    auto const row = rc::min(r, rc::axis<1>) > 0.;
    return rc::sum(rc::where(rc::broadcast_to(p, whole) > 0., rc::broadcast_to(rc::log(2. * p), whole), 0.)) +
           rc::sum(rc::where(row, rc::sum(rc::reshape(rc::log(3. * p), square), rc::axis<1>), 0.)) +
           rc::sum(rc::where(row, rc::prod(1. / r, rc::axis<1>), 0.)) +
           rc::sum(rc::where(p > 0., 2. * rc::log(4. * p), 0.) - rc::where(p > 3., rc::log(4. * p), 0.));
  };
  auto const joined = [=](auto p, auto k) {
    auto const part = rc::range<1, 3>();
    auto h = 0. * p, y = 0. * p;
    h(part) = rc::log(2. * p)(part);
    y(k) = rc::log(3. * p);
    return rc::sum(rc::where(rc::concat(p, p) > 0., rc::concat(rc::log(4. * p), rc::log(5. * p)), 0.)) +
           rc::sum(rc::where(rc::take(p, k) > 0., rc::take(rc::log(6. * p), k), 0.)) +
           rc::sum(rc::where(p > 0., h, 0.)) + rc::sum(rc::where(p > 3., y, 0.));
  };
  auto const check = [&](numbers const& expected, auto f) {
    CHECK(numbers(rc::grad(f)(x, i)).near(expected, 1e-14));
    CHECK(numbers(rc::interpret(rc::grad(f))(x, i)).near(expected, 1e-14));
  };
  check({0, 0, 4 / 4., 4.}, moved);
  check({0, 0, 3 / 4. + 1 / 4. - 1 / 16. + 1 / 4., 3. + 1. - 1 / 4. + 2.}, summed);
  // of y(k) = log the last row at index 2 is log(12), which stays and is chosen
  check({0, 0, 2 / 4. + 2 / 4. + 1 / 4. + 1 / 4., 2. + 1.}, joined);
  rc::ndarray<double, 1> const dynamic(x);
  CHECK(numbers(rc::grad(summed)(dynamic, i)).near({0, 0, 1.1875, 5.75}, 1e-14));
  auto const twice = rc::grad([moved](auto p) { return rc::sum(rc::grad<0>(moved)(p, p)); });
  CHECK(numbers(twice(x)).near({0, 0, -4 / 16., -4.}, 1e-14));
}

TEST_CASE("a number is an index of its own type: elements of half precision do not hold all of them") {
  rc::ndarray<rc::bfloat16, 1> x(600);
  for (int k = 0; k < 600; ++k) x(k) = rc::bfloat16(float(k % 200));
  auto const row = [](auto a, auto i) { return rc::take(a, i); };
  auto const known = [](auto a) { return rc::take(a, 257); };
  for (int const i : {100, 257, 301, 555}) {
    CHECK(float(rc::fn(row)(x, i)) == float(i % 200));
    CHECK(float(rc::interpret(row)(x, i)) == float(i % 200));
    CHECK(float(rc::eval(rc::take(x, i))) == float(i % 200));
    CHECK(float(rc::fn([](auto a, auto k) { return a(k); })(x, i)) == float(i % 200));
  }
  CHECK(float(rc::fn(known)(x)) == 57);
  CHECK(float(rc::interpret(known)(x)) == 57);
}
