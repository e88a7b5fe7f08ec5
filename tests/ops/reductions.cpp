// Values of reductions: of all lengths, along all axes, of any type, of nothing at all; how their errors grow; ties and
// NaN.
#include <doctest/doctest.h>

#include <limits>

#include "numbers.hpp"
#include "reference.hpp"

namespace rc = ricci;
using reference::array;

namespace {

double pseudo_random(int k) { return std::sin(k * 12.9898 + 0.5 * std::sin(k * 78.233)); }

template <class T>
rc::tensor<T, rc::dyn> vector_of(int n) {
  rc::tensor<T, rc::dyn> x(n);
  for (int k = 0; k < n; ++k) x.data()[k] = static_cast<T>(pseudo_random(k));
  return x;
}

constexpr double infinite = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("reductions of vectors of all lengths") {
  for (int n = 0; n < 140; ++n) {
    CAPTURE(n);
    auto const x = vector_of<double>(n);
    auto const y = vector_of<float>(n);
    long double sum = 0, product = 1, squares = 0;
    double largest = -infinite, smallest = infinite;
    int at = 0, negative = 0;
    for (int k = 0; k < n; ++k) {
      double const v = x(k);
      sum += v, product *= v, squares += static_cast<long double>(v) * v;
      if (v > largest) largest = v, at = k;
      smallest = v < smallest ? v : smallest;
      negative += v < 0;
    }
    CHECK(rc::sum(x).item() == doctest::Approx(static_cast<double>(sum)).epsilon(1e-13));
    CHECK(rc::prod(x).item() == doctest::Approx(static_cast<double>(product)).epsilon(1e-13));
    CHECK(rc::sum(x * x).item() == doctest::Approx(static_cast<double>(squares)).epsilon(1e-13));
    CHECK(rc::sum(y).item() == doctest::Approx(static_cast<double>(sum)).epsilon(1e-5));
    CHECK(rc::max(x).item() == largest);
    CHECK(rc::min(x).item() == smallest);
    CHECK(rc::sum(x < 0.).item() == negative);
    CHECK(rc::any(x < 0.).item() == (negative > 0));
    CHECK(rc::all(x < 0.).item() == (negative == n));
    if (n > 0) CHECK(rc::argmax(x).item() == at);
  }
}

// Widths and heights about the lengths at which the loops change: batches, strips of columns, blocks.
TEST_CASE("reductions of matrices along each axis") {
  for (int rows : {1, 2, 7, 63, 64, 65, 130})
    for (int columns : {1, 3, 8, 17, 64, 255, 256, 257, 1030}) {
      CAPTURE(rows);
      CAPTURE(columns);
      rc::tensor<float, rc::dyn, rc::dyn> x(rows, columns);
      for (int k = 0; k < rows * columns; ++k) x.data()[k] = static_cast<float>(pseudo_random(k));
      numbers down{}, across{}, most{}, transposed{};
      for (int j = 0; j < columns; ++j) {
        double s = 0, m = -infinite;
        for (int i = 0; i < rows; ++i) {
          double const v = static_cast<double>(x(i, j));
          s += v, m = v > m ? v : m;
        }
        down.values.push_back(s), most.values.push_back(m);
      }
      for (int i = 0; i < rows; ++i) {
        double s = 0;
        for (int j = 0; j < columns; ++j) s += static_cast<double>(x(i, j));
        across.values.push_back(s);
      }
      CHECK(numbers(rc::eval(rc::sum(x, rc::axis<0>))).near(down, 2e-5));
      CHECK(numbers(rc::eval(rc::sum(x, rc::axis<1>))).near(across, 2e-5));
      CHECK(numbers(rc::eval(rc::max(x, 0))) == most);
      // along an axis of a view, whose elements lie far apart
      CHECK(numbers(rc::eval(rc::sum(rc::matrix_transpose(x), rc::axis<1>))).near(down, 2e-5));
    }
}

TEST_CASE("the error of a sum grows with the logarithm of its length") {
  int const n = sizeof(std::size_t) > 4 ? 10'000'000 : 1'000'000;  // small machines have no 40 MB
  rc::tensor<float, rc::dyn> const x = rc::full<float>(rc::shape(n), 0.1f);
  double const truth = n * static_cast<double>(0.1f), epsilon = std::numeric_limits<float>::epsilon();
  CHECK(std::abs(static_cast<double>(rc::sum(x).item()) - truth) <=
        24 * epsilon * truth);  // log2(n); a plain loop is off by 9 %
  CHECK(std::abs(static_cast<double>(rc::mean(x).item()) - truth / n) <= 24 * epsilon * truth / n);
  // down the columns of a tall matrix
  auto const tall = rc::reshape(x, rc::shape(n / 4, 4));
  CHECK(numbers(rc::eval(rc::sum(tall, rc::axis<0>))).near({truth / 4, truth / 4, truth / 4, truth / 4}, 24 * epsilon));
}

TEST_CASE("reductions of nothing") {
  rc::tensor<double, 0> const none;
  CHECK(rc::sum(none).item() == 0);
  CHECK(rc::prod(none).item() == 1);
  CHECK(rc::max(none).item() == -infinite);
  CHECK(rc::min(none).item() == infinite);
  CHECK(rc::any(none > 0.).item() == false);
  CHECK(rc::all(none > 0.).item() == true);
  CHECK(rc::logsumexp(none).item() == -infinite);
  CHECK(std::isnan(rc::mean(none).item()));
  rc::tensor<double, 3, 0> const rows;
  CHECK(numbers(rc::eval(rc::sum(rows, rc::axis<1>))) == numbers{0, 0, 0});
  CHECK(rc::eval(rc::sum(rows, rc::axis<0>)).size() == 0);
  rc::ndarray<double, 2> const dynamic(0, 3);
  CHECK(numbers(rc::eval(rc::prod(dynamic, rc::axis<0>))) == numbers{1, 1, 1});
  CHECK(rc::eval(rc::softmax(dynamic)).size() == 0);
}

TEST_CASE("formulas: mean, var, std, logsumexp, softmax") {
  rc::tensor<double, 2, 3> const x{{1, 2, 4}, {-1, 0, 1000}};
  CHECK(numbers(rc::eval(rc::mean(x, rc::axis<1>))).near({7. / 3, 333}));
  CHECK(numbers(rc::eval(rc::var(x, rc::axis<0>))).near({1, 1, 248004}));
  CHECK(numbers(rc::eval(rc::std(x, rc::axis<0>, rc::keepdims))).near({1, 1, 498}));
  CHECK(numbers(rc::eval(rc::logsumexp(x, rc::axis<1>)))
            .near({std::log(std::exp(1.) + std::exp(2.) + std::exp(4.)), 1000}));
  double const total = std::exp(-3.) + std::exp(-2.) + 1;
  CHECK(numbers(rc::eval(rc::softmax(x))).near({std::exp(-3.) / total, std::exp(-2.) / total, 1 / total, 0, 0, 1}));
  CHECK(numbers(rc::eval(rc::softmax(x, rc::axis<0>) + 0.))
            .near({1 / (1 + std::exp(-2.)), 1 / (1 + std::exp(-2.)), 0, 1 / (1 + std::exp(2.)), 1 / (1 + std::exp(2.)),
                   1}));
  // far from zero nothing cancels
  rc::tensor<float, rc::dyn> y(1000);
  for (int k = 0; k < 1000; ++k) y(k) = 4096.f + static_cast<float>(k % 2);
  CHECK(rc::var(y).item() == doctest::Approx(0.25).epsilon(1e-6));
  rc::tensor<double, 2> const far{-2000, -2000};
  CHECK(rc::logsumexp(far).item() == doctest::Approx(-2000 + std::log(2.)));
  rc::tensor<double, 2> const gone{-infinite, -infinite}, beyond{infinite, 1};
  CHECK(rc::logsumexp(gone).item() == -infinite);
  CHECK(rc::logsumexp(beyond).item() == infinite);
  // beside an infinite element all others are 0; what inf over inf is nobody knows
  rc::tensor<double, 2, 3> const edges{{1, infinite, 2}, {-infinite, 0, 0}};
  rc::tensor<double, 2, 3> const shares = rc::softmax(edges);
  CHECK((shares(0, 0) == 0 && std::isnan(shares(0, 1)) && shares(0, 2) == 0));
  CHECK((shares(1, 0) == 0 && shares(1, 1) == doctest::Approx(.5) && shares(1, 2) == doctest::Approx(.5)));
  rc::tensor<double, 2> const none = rc::softmax(gone);
  CHECK((std::isnan(none(0)) && std::isnan(none(1))));
}

TEST_CASE("ties and NaN") {
  rc::tensor<double, 5> const ties{1, 3, 3, -2, -2}, broken{1, not_a_number, 3, not_a_number, 7};
  CHECK(rc::argmax(ties).item() == 1);
  CHECK(rc::argmin(ties).item() == 3);
  CHECK(rc::argmax(broken).item() == 1);  // the first NaN, as in NumPy
  CHECK(rc::argmin(broken).item() == 1);
  CHECK(std::isnan(rc::max(broken).item()));
  CHECK(std::isnan(rc::min(broken).item()));
  // wherever it stands in a long row
  for (int at : {0, 3, 15, 16, 40, 98, 99}) {
    rc::tensor<float, rc::dyn> x = vector_of<float>(100);
    x(at) = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(rc::max(x).item()));
    CHECK(std::isnan(rc::min(x).item()));
    CHECK(std::isnan(rc::sum(x).item()));
    CHECK(rc::argmax(x).item() == at);
  }
}

// Lengths about those of lanes and blocks: of equal extrema the first, and the first NaN, in whichever lane they stand.
TEST_CASE("positions of extrema in long rows and columns") {
  auto const first = [](auto const& x, int n, auto const& element) {
    int at = 0;
    for (int k = 0; k < n && element(x, at) == element(x, at); ++k)
      if (element(x, k) > element(x, at) || element(x, k) != element(x, k)) at = k;
    return at;
  };
  for (int n : {1, 15, 63, 64, 65, 130, 4095, 4096, 4097, 9000}) {
    rc::ndarray<float, 1> x(n);
    rc::ndarray<int, 1> i(n);
    rc::ndarray<float, 2> rows(3, n), columns(n, 19);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < 19; ++j) {
        columns(k, j) = static_cast<float>((k * 7 + j * 3) % 23 - 30);
        if (j < 3) rows(j, k) = columns(k, j);
        if (j == 0) i(k) = -(k * 7 % 23);
      }
    for (int at : {n - 1, n / 2, n / 3, 0}) {  // what comes later is equal to what came before, or follows a NaN
      rows(0, at) = 5, columns(at, 18) = 5, i(at) = 7;
      rows(1, at) = columns(at, 1) = std::numeric_limits<float>::quiet_NaN();
      auto const in_row = [](int r) { return [r](auto const& m, int k) { return float(m(r, k)); }; };
      auto const in_column = [](int c) { return [c](auto const& m, int k) { return float(m(k, c)); }; };
      x = rows(0);
      CHECK(rc::argmax(x).item() == at);
      CHECK(rc::argmax(i).item() == at);
      CHECK(numbers(rc::eval(rc::argmax(rows, 1))) ==
            numbers{double(at), double(at), double(first(rows, n, in_row(2)))});
      auto const down = rc::eval(rc::argmax(columns, rc::axis<0>));
      for (int c = 0; c < 19; ++c) CHECK(down(c) == first(columns, n, in_column(c)));
    }
    x = -std::numeric_limits<float>::infinity();
    CHECK(rc::argmax(x).item() == 0);
  }
}

TEST_CASE("positions of extrema along an axis") {
  rc::tensor<float, 2, 3> const x{{1, 5, 2}, {7, 0, 2}};
  CHECK(numbers(rc::eval(rc::argmax(x, rc::axis<0>))) == numbers{1, 0, 0});
  CHECK(numbers(rc::eval(rc::argmin(x, rc::axis<1>))) == numbers{0, 1});
  CHECK(rc::argmax(x).item() == 3);
  CHECK(shape_of(rc::eval(rc::argmax(x, rc::axis<1>, rc::keepdims))) == numbers{2, 1});
  rc::ndarray<int, 2> const y(rc::astype<int>(x));
  CHECK(numbers(rc::eval(rc::argmax(y, 1))) == numbers{1, 0});
}

TEST_CASE("element types of reductions") {
  rc::tensor<std::int32_t, 3> const i{2147483647, 2147483647, 1};
  rc::tensor<bool, 4> const b{true, false, true, true};
  static_assert(std::is_same_v<decltype(rc::eval(rc::sum(i)))::value_type, std::int64_t>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::prod(b)))::value_type, std::int64_t>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::mean(i)))::value_type, double>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::max(i)))::value_type, std::int32_t>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::any(i)))::value_type, bool>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::argmax(b)))::value_type, std::int64_t>);
  CHECK(rc::sum(i).item() == 4294967295);
  CHECK(rc::sum(b).item() == 3);
  CHECK(rc::prod(b).item() == 0);
  CHECK(rc::mean(i).item() == 1431655765.);
  CHECK(rc::mean(b).item() == 0.75);
  CHECK(rc::max(i).item() == 2147483647);
  CHECK(rc::min(b).item() == false);
  CHECK(rc::all(i).item() == true);
}
