// Searches, counts and convolutions against loops by hand: many lengths, ties, NaN, both sides, batches.
#include <algorithm>
#include <limits>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "searching_cases.hpp"

namespace rc = ricci;
using rc::index_t;

namespace {

double const not_a_number = std::numeric_limits<double>::quiet_NaN();
double element(index_t k) {
  auto const r = static_cast<int>((k * 7919 + 13) % 37);
  return r == 5 ? not_a_number : r == 6 ? -0. : r == 7 ? std::numeric_limits<double>::infinity() : r % 9 - 4;
}
bool before(double a, double b) { return a < b || (a == a && b != b); }
rc::ndarray<double, 1> elements(int n) {
  rc::ndarray<double, 1> x(n);
  for (index_t k = 0; k < n; ++k) x(k) = element(k);
  return x;
}
numbers listed(std::vector<double> const& values) {
  numbers n{};
  n.values = values;
  return n;
}
// sum k of all that a and v have in common
double product_sum(rc::ndarray<double, 1> const& a, rc::ndarray<double, 1> const& v, index_t k) {
  double s = 0;
  for (index_t j = 0; j < v.size(); ++j)
    if (k - j >= 0 && k - j < a.size()) s += a(k - j) * v(j);
  return s;
}

}  // namespace

TEST_CASE("derivatives of what counts, and of convolutions") {
  derivatives::checker<cases::convolved>::run(cases::convolved::name, -2, 2, false);
  rc::tensor<double, 4> const points{1, 2, 4, 5}, values{10, 20, 0, 4};
  rc::tensor<double, 3> const between{1.5, 3, 4.5};
  rc::tensor<double, 5> const steps{1, 3, 2, 3, 4};
  auto const [by_x, by_points, by_values, by_steps] =
      rc::grad<0, 1, 2, 3>(cases::followed{})(between, points, values, steps);
  CHECK(numbers(by_x) == numbers{10, -10, 4});  // as jax.grad has it
  CHECK(numbers(by_points) == numbers{-5, 0, 3, -2});
  CHECK(numbers(by_values) == numbers{.5, 1, 1, .5});
  CHECK(numbers(by_steps) == numbers{1, 1112, 0, 0, 10001});
  rc::tensor<int, 4> const places{2, 0, 2, 3};
  rc::tensor<double, 4> const weights{1, 2, 3, 4};
  auto const sums = [](auto w, auto i) { return rc::sum(rc::square(rc::bincount(i, w, rc::extents<4>{}))); };
  CHECK(numbers(rc::grad(sums)(weights, places)) == numbers{8, 4, 8, 8});
  rc::tensor<double, 6> const rest{1, 2, 3, 4, 5, 6};
  CHECK(numbers(rc::fn(cases::counted{})(weights, rest, places)) ==
        numbers(rc::interpret(cases::counted{})(weights, rest, places)));
}

TEST_CASE("searchsorted, digitize and isin of many lengths") {
  for (int n : {0, 1, 2, 3, 7, 64, 100})
    for (int m : {0, 1, 15, 16, 17, 50}) {
      CAPTURE(n);
      CAPTURE(m);
      rc::ndarray<double, 1> sorted = rc::sort(elements(n)), x = elements(m), in_order = rc::sort(x);
      std::vector<double> left, right, found;
      for (double const v : x) {
        index_t less = 0, not_more = 0, equal = 0;
        for (double const s : sorted) less += before(s, v), not_more += !before(v, s), equal += s == v;
        left.push_back(double(less)), right.push_back(double(not_more)), found.push_back(equal > 0);
      }
      CHECK(numbers(rc::eval(rc::searchsorted(sorted, x))) == listed(left));
      CHECK(numbers(rc::eval(rc::searchsorted(sorted, x, rc::side::right))) == listed(right));
      CHECK(numbers(rc::eval(rc::digitize(x, sorted))) == listed(right));
      CHECK(numbers(rc::eval(rc::digitize(x, sorted, rc::side::right))) == listed(left));
      CHECK(numbers(rc::eval(rc::isin(x, rc::flip(sorted)))) == listed(found));
      std::sort(left.begin(), left.end());
      CHECK(numbers(rc::eval(rc::searchsorted(sorted, in_order))) == listed(left));
    }
  // np.digitize of bins that descend
  rc::tensor<double, 3> const down{3, 2, 1};
  rc::tensor<double, 7> const x{0, 1, 2, 2.5, 3, 4, not_a_number};
  CHECK(numbers(rc::eval(rc::digitize(x, down))) == numbers{3, 2, 1, 1, 0, 0, 0});
  CHECK(numbers(rc::eval(rc::digitize(x, down, rc::side::right))) == numbers{3, 3, 2, 1, 1, 0, 0});
}

TEST_CASE("isin of as many as are compared one by one, and of more") {
  for (int n : {1, 3, 4, 31, 32, 33, 40})
    for (int m : {1, 5, 255, 256, 600}) {
      CAPTURE(n);
      CAPTURE(m);
      rc::ndarray<double, 1> const x = elements(m), of = elements(n);  // in no order, NaN and both zeros among them
      rc::ndarray<int, 1> const i = rc::arange<int>(m), places = rc::flip(rc::arange<int>(n)) * 7 - 3;
      rc::ndarray<std::int8_t, 1> const bytes = rc::astype<std::int8_t>(i % 100),
                                        of_bytes = rc::astype<std::int8_t>(places % 50);
      rc::ndarray<bool, 1> const found = rc::isin(x, of), in_places = rc::isin(i, places),
                                 in_bytes = rc::isin(bytes, of_bytes),
                                 every_other = rc::isin(i(rc::range(0, m, 2)), places);
      rc::ndarray<bool, 2> const in_rows =
          rc::vmap([](auto a, auto b) { return rc::isin(a, b); })(rc::stack(x, x + 1.), rc::stack(of, of * 2.));
      int wrong = 0;
      auto const among = [](auto const& numbers, auto v) {
        return std::find(numbers.begin(), numbers.end(), v) != numbers.end();
      };
      for (index_t k = 0; k < m; ++k) {
        wrong += found(k) != among(of, x(k)) || in_places(k) != among(places, i(k)) ||
                 in_bytes(k) != among(of_bytes, bytes(k));
        wrong += k % 2 == 0 && every_other(k / 2) != among(places, i(k));
        bool twice = false;
        for (double const v : of) twice |= 2 * v == x(k) + 1;
        wrong += in_rows(0, k) != among(of, x(k)) || in_rows(1, k) != twice;
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("searches of other types, of numbers, in place of a batch") {
  rc::tensor<int, 4> const sorted{1, 3, 3, 7};
  CHECK(rc::eval(rc::searchsorted(rc::flip(sorted), 3, rc::sorter(rc::argsort(rc::flip(sorted))))).item() == 1);
  CHECK(rc::eval(rc::searchsorted(sorted, 3)).item() == 1);
  CHECK(rc::eval(rc::searchsorted(sorted, 2.5, rc::side::right)).item() == 1);
  rc::tensor<std::uint8_t, 2, 2> const bytes{{0, 3}, {7, 255}};
  CHECK(numbers(rc::eval(rc::searchsorted(sorted, bytes.T(), rc::side::left))) == numbers{0, 3, 1, 4});
  CHECK(numbers(rc::eval(rc::isin(bytes, sorted))) == numbers{0, 1, 1, 0});
  rc::ndarray<int, 1> const many = rc::arange<int>(-50, 50);  // looked up in a table
  auto const found = rc::eval(rc::isin(many, sorted - 2));
  for (int k = 0; k < 100; ++k) CHECK(found(k) == (many(k) == -1 || many(k) == 1 || many(k) == 5));
  auto const f = [](auto s, auto x) { return rc::searchsorted(s, x * 2., rc::side::right); };
  rc::tensor<double, 2, 3> const b{{1, 2, 3}, {2, 3, 4}};
  CHECK(numbers(rc::vmap(f)(b, b)) == numbers{2, 3, 3, 3, 3, 3});
  CHECK(numbers(rc::vmap(f, rc::in_axes<rc::unbatched, 0>)(b(0), b)) == numbers{2, 3, 3, 3, 3, 3});
}

TEST_CASE("bincount and histogram") {
  rc::tensor<int, 6> const i{0, 3, 3, 1, 3, 0};
  rc::tensor<float, 6> const w{1, 2, 3, 4, 5, 6};
  CHECK(numbers(rc::bincount(i)) == numbers{2, 1, 0, 3});
  CHECK(numbers(rc::bincount(i, rc::minlength{6})) == numbers{2, 1, 0, 3, 0, 0});
  CHECK(numbers(rc::bincount(i, w)) == numbers{7, 4, 0, 10});
  CHECK(numbers(rc::bincount(i, i)) == numbers{0, 1, 0, 9});
  CHECK(rc::bincount(rc::ndarray<std::uint8_t, 1>(0)).size() == 0);
  CHECK(numbers(rc::eval(rc::bincount(i, rc::shape(5)))) == numbers{2, 1, 0, 3, 0});
  CHECK(numbers(rc::eval(rc::bincount(i, w, rc::extents<4>{}))) == numbers{7, 4, 0, 10});
  CHECK(raised([&] { rc::bincount(i - 1); }) == "value_error: bincount: -1 is negative");
  CHECK(raised([&] { rc::bincount(i, rc::ndarray<float, 1>(5)); }) == "shape_error: bincount: (6,) (5,)");
  CHECK(raised([&] { rc::eval(rc::bincount(i, rc::shape(3))); }).find("index_error") == 0);
  CHECK(raised([&] { rc::eval(rc::bincount(i - 1, rc::shape(5))); }).find("index_error") == 0);

  rc::ndarray<double, 1> const x{0, .5, 1, 1.5, 2, 3.9, 4, not_a_number, -1};
  auto const [uneven, edges] = rc::histogram(x, rc::tensor<double, 5>{0, 1, 2, 2, 4});
  CHECK(numbers(uneven) == numbers{2, 2, 0, 3});
  auto const [ranged, ranged_edges] = rc::histogram(x, 4, {0, 4});
  CHECK(numbers(ranged) == numbers{2, 2, 1, 2});
  CHECK(numbers(ranged_edges) == numbers{0, 1, 2, 3, 4});
  auto const [dense, dense_edges] = rc::histogram(x, rc::extents<2>{}, {0, 4}, rc::density);
  static_assert(decltype(dense)::extents::is_static);
  CHECK(numbers(dense) == numbers{2. / 7, 1.5 / 7});
  for (rc::interval const wrong : {rc::interval{4, 4}, rc::interval{-std::numeric_limits<double>::infinity(), 1}})
    CHECK(raised([&] { rc::histogram(x, 4, wrong); }).find("value_error") == 0);
  CHECK(raised([&] { rc::histogram(i, 0); }) == "value_error: histogram: there are 0 bins");
  CHECK(raised([&] { rc::histogram(x, 3); }).find("value_error: histogram: among the elements") == 0);
  CHECK(raised([&] {
          rc::histogram(x, rc::tensor<double, 3>{0, 2, 1});
        }) == "value_error: histogram: edges 1 and 2 do not ascend");
  CHECK(raised([&] {
          rc::histogram(x, rc::tensor<double, 3>{0, std::numeric_limits<double>::quiet_NaN(), 6});
        }) == "value_error: histogram: edges 0 and 1 do not ascend");
  rc::tensor<double, 2, 3> const heavy{{1, 2, 4}, {8, 16, 32}}, of_w{{0, 1, 2}, {3, 4, 9}};
  rc::tensor<double, 4> const between{0, 1, 2, 4};
  CHECK(numbers(rc::histogram(of_w, between, rc::weights(heavy)).first) == numbers{1, 2, 28});
  CHECK(numbers(rc::histogram(of_w, 3, rc::weights(heavy)).first) == numbers{7, 24, 32});
  CHECK(rc::histogram(of_w, 1, rc::weights(heavy), rc::density).first(0) == 1. / 9);
  auto const weighed = [&](auto t, auto u, auto e) {
    return rc::sum(rc::histogram(u, e, rc::weights(t)).first * rc::tensor<double, 3>{1, 10, 100});
  };
  CHECK(numbers(rc::grad(weighed)(heavy, of_w, between)) == numbers{1, 10, 100, 100, 100, 0});
  auto const [alike, alike_edges] = rc::histogram(rc::tensor<int, 2, 2>(3), 2);
  CHECK(numbers(alike) == numbers{0, 4});
  CHECK(numbers(alike_edges) == numbers{2.5, 3, 3.5});
  auto const [none, none_edges] = rc::histogram(rc::ndarray<double, 1>(0), 2);
  CHECK(numbers(none) == numbers{0, 0});
  CHECK(numbers(none_edges) == numbers{0, .5, 1});
}

TEST_CASE("convolve and correlate of many lengths") {
  for (int n : {1, 2, 3, 8, 65, 130, 300})
    for (int m : {1, 2, 3, 5, 9, 64, 131}) {
      CAPTURE(n);
      CAPTURE(m);
      rc::ndarray<double, 1> a(n), v(m);
      for (index_t k = 0; k < n; ++k) a(k) = double((k * 7919) % 37);
      for (index_t k = 0; k < m; ++k) v(k) = double((k * 104729) % 31 - 7);
      rc::ndarray<double, 1> const backwards = rc::flip(v);
      index_t const less = n < m ? n : m, more = n < m ? m : n;
      std::vector<double> convolved[3], correlated[3];
      for (index_t k = 0; k < n + m - 1; ++k) {
        index_t const first[] = {0, (less - 1) / 2, less - 1}, length[] = {n + m - 1, more, more - less + 1};
        for (std::size_t i = 0; i < 3; ++i) {
          // np.correlate of a shorter vector with a longer one leaves out as much at the other end
          index_t const skipped = i == 1 && n < m ? less / 2 : first[i];
          if (k >= first[i] && k < first[i] + length[i]) convolved[i].push_back(product_sum(a, v, k));
          if (k >= skipped && k < skipped + length[i]) correlated[i].push_back(product_sum(a, backwards, k));
        }
      }
      CHECK(numbers(rc::eval(rc::convolve(a, v))) == listed(convolved[0]));
      CHECK(numbers(rc::eval(rc::convolve(a, v, rc::overlap::same))) == listed(convolved[1]));
      CHECK(numbers(rc::eval(rc::convolve(a, v, rc::overlap::valid))) == listed(convolved[2]));
      CHECK(numbers(rc::eval(rc::correlate(a, v, rc::overlap::full))) == listed(correlated[0]));
      CHECK(numbers(rc::eval(rc::correlate(a, v, rc::overlap::same))) == listed(correlated[1]));
      CHECK(numbers(rc::eval(rc::correlate(a, v))) == listed(correlated[2]));
    }
  using z = std::complex<double>;
  rc::tensor<z, 2> const a{z(1, 2), z(0, 1)}, v{z(1, 0), z(0, 1)};  // np.correlate conjugates v
  CHECK(numbers(rc::eval(rc::correlate(a, v))) == numbers{2, 2});
  CHECK(numbers(rc::eval(rc::convolve(a, v))) == numbers{1, 2, -2, 2, -1, 0});
  rc::tensor<std::uint8_t, 2> const bytes{200, 100};
  CHECK(numbers(rc::eval(rc::convolve(bytes, bytes))) == numbers{64, 64, 16});
  CHECK(raised([&] { rc::eval(rc::convolve(rc::ndarray<float, 1>(0), bytes)); }).find("value_error") == 0);
}

// A gradient is the transpose of the sums: for weights w, <w, f(t, v)> = <gradient by x, t>, and so for v.
template <class F>
void transposed(F const& f) {
  auto const weighted = [](auto w, auto x, auto v) { return rc::sum(w * F{}(x, v)); };
  for (int n : {1, 2, 5, 70, 131})
    for (int m : {1, 3, 66, 140}) {
      CAPTURE(n);
      CAPTURE(m);
      using vector = rc::ndarray<double, 1>;
      auto const made = [](index_t length, index_t step) {
        vector x(length);
        for (index_t k = 0; k < length; ++k) x(k) = double((k * step) % 17 - 8);
        return x;
      };
      vector const x = made(n, 7919), v = made(m, 104729), tx = made(n, 31), tv = made(m, 37);
      vector const w = made(rc::eval(f(x, v)).size(), 41);
      auto const [by_x, by_v] = rc::grad<1, 2>(weighted)(w, x, v);
      double const along_x = rc::eval(weighted(w, tx, v)).item(), along_v = rc::eval(weighted(w, x, tv)).item();
      CHECK(rc::eval(rc::sum(by_x * tx)).item() == along_x);
      CHECK(rc::eval(rc::sum(by_v * tv)).item() == along_v);
    }
}
TEST_CASE("gradients of convolutions and correlations of many lengths") {
  transposed([](auto const& x, auto const& v) { return rc::convolve(x, v); });
  transposed([](auto const& x, auto const& v) { return rc::convolve(x, v, rc::overlap::same); });
  transposed([](auto const& x, auto const& v) { return rc::correlate(x, v); });
  transposed([](auto const& x, auto const& v) { return rc::correlate(x, v, rc::overlap::same); });
  transposed([](auto const& x, auto const& v) { return rc::correlate(x, v, rc::overlap::full); });
}

TEST_CASE("interp, top_k, what accumulates") {
  rc::tensor<double, 4> const points{1, 2, 4, 5}, values{10, 20, 0, 4};
  rc::ndarray<double, 1> const x{0, 1, 1.5, 2, 3, 4.5, 5, 7};
  CHECK(numbers(rc::eval(rc::interp(x, points, values))) == numbers{10, 10, 15, 20, 10, 2, 4, 4});
  CHECK(rc::eval(rc::interp(2.5, points, values)).item() == 15);
  double const inf = std::numeric_limits<double>::infinity();  // as NumPy: what is finite stays where it is a point
  rc::tensor<double, 4> const some_infinite{-inf, 20, inf, inf};
  CHECK(numbers(rc::eval(rc::interp(x, points, some_infinite))) == numbers{-inf, -inf, -inf, 20, inf, inf, inf, inf});
  rc::tensor<double, 4> const one_missing{10, 20, not_a_number, 4};
  CHECK(rc::eval(rc::interp(2., points, one_missing)).item() == 20);
  CHECK(std::isnan(rc::eval(rc::interp(2.5, points, one_missing)).item()));
  CHECK(rc::eval(rc::interp(x, points, values) - rc::interp(x, points(0, rc::newaxis), values(0, rc::newaxis)))(3) ==
        10);
  CHECK(raised([&] { rc::eval(rc::interp(x, points, x)); }).find("shape_error: interp: ") == 0);
  // the slope at both ends, nothing beyond them
  auto const by = [](auto v, auto p, auto y) { return rc::sum(rc::interp(v, p, y)); };
  CHECK(numbers(rc::grad<0>(by)(rc::ndarray<double, 1>{0, 1, 3, 5, 6}, points, values)) == numbers{0, 10, -10, 4, 0});
  CHECK(numbers(rc::grad<2>(by)(rc::ndarray<double, 1>{5}, points, values)) == numbers{0, 0, 0, 1});
  CHECK(raised([&] {
          rc::ndarray<double, 1> const few{3, 1, 2};
          rc::ndarray<int, 1> const order{1, 2};
          rc::eval(rc::searchsorted(few, 2., rc::sorter(order)));
        }).starts_with("shape_error: searchsorted: "));
  for (index_t n : {1, 2, 3}) {  // static or not, a polynomial at infinity
    rc::ndarray<double, 1> const p = rc::full<double>(rc::shape(n), 2.);
    double const y = rc::eval(rc::polyval(p, inf)).item();
    CHECK(y == (n == 1 ? 2. : inf));
  }
  CHECK(rc::eval(rc::polyval(rc::tensor<double, 2>{2, 2}, inf)).item() == inf);
  for (int n : {1, 2, 5, 33, 200})
    for (int k : {0, 1, 2, 33}) {
      CAPTURE(n);
      CAPTURE(k);
      rc::ndarray<double, 2> rows(2, n);
      for (index_t i = 0; i < 2 * n; ++i) rows.data()[i] = element(i);
      if (k > n) {
        CHECK(raised([&] { rc::top_k(rows, k); }).find("value_error") == 0);
        continue;
      }
      auto const [greatest, places] = rc::top_k(rows, k);
      rc::ndarray<std::int64_t, 2> const order = rc::argsort(rows, rc::descending);
      CHECK(numbers(places) == numbers(order(rc::all, rc::range(0, k))));
      CHECK(greatest.shape() == std::array<index_t, 2>{2, k});
      for (index_t i = 0; i < k; ++i) {
        double const a = greatest(1, i), b = rows(1, order(1, i));
        CHECK((a == b || (a != a && b != b)));
      }
    }
  rc::tensor<float, 2, 5> const m{{3, 1, 4, float(not_a_number), 2}, {-1, -2, 0, 0, 1}};
  auto const most = rc::eval(rc::cumulative_max(m)), least = rc::eval(rc::cumulative_min(m));
  CHECK(numbers(most(rc::all, rc::range<0, 3>())) == numbers{3, 3, 4, -1, -1, 0});
  CHECK(numbers(least(1)) == numbers{-1, -2, -2, -2, -2});
  CHECK((most(0, 4) != most(0, 4) && least(0, 3) != least(0, 3)));
  CHECK(numbers(rc::eval(rc::cumulative_max(rc::astype<std::uint8_t>(m + 3.f), rc::axis<0>)(1, rc::range<0, 3>()))) ==
        numbers{6, 4, 7});
  CHECK(rc::eval(rc::count_nonzero(m)).item() == 8);
  CHECK(numbers(rc::eval(rc::count_nonzero(m > 0.f, rc::axis<1>, rc::keepdims))) == numbers{4, 1});
}
