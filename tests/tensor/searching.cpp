// Results whose shape depends on elements, against loops by hand: few and many elements, ties, NaN, zeros of both
// signs, views.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::index_t;

namespace {

double const not_a_number = std::numeric_limits<double>::quiet_NaN();
// few different numbers, so that there are ties; lengths on both sides of those at which algorithms change
int const lengths[] = {0, 1, 2, 17, 63, 64, 65, 200, 1000};
numbers listed(std::vector<double> const& values) {
  numbers n{};
  n.values = values;
  return n;
}
template <class T>
T element(index_t k) {
  auto const r = static_cast<int>((k * 7919 + 13) % 41);
  if constexpr (!std::is_integral_v<T>)
    return static_cast<T>(r == 5   ? not_a_number
                          : r == 6 ? -0.
                          : r == 7 ? -std::numeric_limits<double>::infinity()
                                   : r % 11 - 4);
  else if constexpr (std::is_same_v<T, bool>)
    return r % 3 == 0;
  else
    return static_cast<T>((r % 11 - 4) * (1 << (8 * sizeof(T) - 5)));
}
template <class T>
rc::ndarray<T, 1> elements(int n) {
  rc::ndarray<T, 1> x(n);
  for (index_t k = 0; k < n; ++k) x(k) = element<T>(k);
  return x;
}

template <class X>
int wrong_sets(X const& x) {
  using T = typename X::value_type;
  using N = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  auto const before = [&](index_t i, index_t k) {
    N const a = N(x(i)), b = N(x(k));
    if (a < b || b < a) return a < b;
    return a == a && b != b ? true : (a != a) == (b != b) && i < k;
  };
  std::vector<index_t> order;
  for (index_t k = 0; k < x.size(); ++k) order.push_back(k);
  std::sort(order.begin(), order.end(), before);
  auto const all = rc::unique_all(x);
  auto const counted = rc::unique_counts(x);
  auto const inverse = rc::unique_inverse(x);
  auto const values = rc::unique_values(x);
  index_t at = -1;
  int wrong = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    index_t const i = order[k];
    bool const is_new = k == 0 || !(N(x(i)) == N(x(order[k - 1])));
    if (is_new) {
      if (++at >= all.values.size()) return -1;
      N const u = N(all.values(at)), v = N(x(i));
      wrong += !(u == v || (u != u && v != v)) || all.indices(at) != i;
    }
    wrong += all.inverse_indices(i) != at;
  }
  std::vector<double> counts(std::size_t(at + 1));
  for (index_t const i : all.inverse_indices) ++counts[std::size_t(i)];
  wrong += all.values.size() != at + 1 || numbers(all.counts) != listed(counts);
  wrong += numbers(counted.counts) != numbers(all.counts) ||
           numbers(inverse.inverse_indices) != numbers(all.inverse_indices);
  for (index_t k = 0; k <= at; ++k) {
    N const a = N(all.values(k)), b = N(values(k)), c = N(counted.values(k));
    wrong += !(a == b || (a != a && b != b)) || !(a == c || (a != a && c != c));
  }
  return wrong + (values.size() != at + 1);
}

}  // namespace

TEST_CASE("nonzero, flatnonzero and argwhere of many lengths") {
  for (int n : lengths)
    for (int kept : {0, 1, 3, 41}) {
      CAPTURE(n);
      CAPTURE(kept);
      rc::ndarray<double, 3> x(2, n, 3);
      for (index_t k = 0; k < x.size(); ++k) x.data()[k] = (k * 7919 + 13) % 41 < kept ? k % 2 ? not_a_number : 1 : -0.;
      std::vector<double> wanted[4], all;
      for (index_t k = 0; k < x.size(); ++k)
        if (x.data()[k] != 0) {
          index_t const at[] = {k / 3 / n, k / 3 % n, k % 3, k};
          for (std::size_t i = 0; i < 4; ++i) wanted[i].push_back(double(at[i]));
          for (std::size_t i = 0; i < 3; ++i) all.push_back(double(at[i]));
        }
      auto const [i, j, k] = rc::nonzero(x);
      CHECK(numbers(i) == listed(wanted[0]));
      CHECK(numbers(j) == listed(wanted[1]));
      CHECK(numbers(k) == listed(wanted[2]));
      CHECK(numbers(rc::flatnonzero(x)) == listed(wanted[3]));
      CHECK(numbers(rc::argwhere(x)) == listed(all));
    }
}

TEST_CASE("nonzero and compress of conditions, views and expressions") {
  rc::tensor<double, 3, 4> m{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
  auto const [rows, columns] = rc::nonzero(m > 9.);
  CHECK(numbers(rows) == numbers{2, 2});
  CHECK(numbers(columns) == numbers{2, 3});
  auto const [down, right] = rc::nonzero(m.T());
  CHECK(down.size() == 11);
  CHECK(right(0) == 1);
  CHECK(numbers(rc::flatnonzero(m(rc::all, 0))) == numbers{1, 2});
  CHECK(rc::argwhere(rc::tensor<double>(1.)).shape() == std::array<index_t, 2>{1, 0});
  CHECK(rc::argwhere(rc::tensor<double>(0.)).shape() == std::array<index_t, 2>{0, 0});
  CHECK(numbers(rc::compress(rc::tensor<bool, 2>{false, true}, m)) == numbers{4, 5, 6, 7});
  CHECK(numbers(rc::compress(m(0) > 1., m(rc::range(1, 3)), rc::axis<-1>)) == numbers{6, 7, 10, 11});
  rc::ndarray<bool, 1> chosen{false, true, true, false};
  CHECK(numbers(rc::compress(chosen, rc::ndarray<double, 1>{5, 6, 7})) == numbers{6, 7});
  CHECK(numbers(rc::compress(chosen, rc::ndarray<double, 1>{5, 6, 7, 8, 9})) == numbers{6, 7});
  CHECK(raised([&] { rc::compress(chosen, rc::ndarray<double, 1>{5, 6}); }).starts_with("index_error: "));
  CHECK(rc::compress(rc::ndarray<bool, 1>(3), m).shape() == std::array<index_t, 2>{0, 4});
}

TEST_CASE("sets of elements of every type") {
  for (int n : lengths) {
    CAPTURE(n);
    CHECK(wrong_sets(elements<double>(n)) == 0);
    CHECK(wrong_sets(elements<rc::float16>(n)) == 0);
    CHECK(wrong_sets(elements<bool>(n)) == 0);
    CHECK(wrong_sets(elements<std::int32_t>(n)) == 0);
    CHECK(wrong_sets(elements<std::uint8_t>(n)) == 0);
  }
  auto const u = rc::unique_all(rc::tensor<std::int64_t, 2, 2>{{5, -3}, {INT64_MIN, 5}});
  static_assert(decltype(u.inverse_indices)::rank == 2);
  CHECK(numbers(u.inverse_indices) == numbers{2, 1, 0, 2});
  CHECK(numbers(u.counts) == numbers{1, 1, 2});
  CHECK(rc::unique_values(rc::tensor<std::uint32_t, 2>{0xffffffffu, 1})(1) == 0xffffffffu);
  CHECK(numbers(rc::unique_values(rc::tensor<float, 2, 2>{{1, 2}, {3, 1}}.T() * 2.f)) == numbers{2, 4, 6});
  CHECK(rc::unique_all(rc::tensor<double>(3.)).inverse_indices.item() == 0);
  rc::tensor<double, 5> const x{3, 1, 3, not_a_number, 2};
  rc::tensor<int, 2, 2> const y{{1, 5}, {3, 1}};
  CHECK(numbers(rc::intersect1d(x, y)) == numbers{1, 3});
  CHECK(numbers(rc::setdiff1d(y, x)) == numbers{5});
  CHECK(rc::union1d(x, y).size() == 5);
  CHECK(numbers(rc::union1d(y, rc::ndarray<std::uint8_t, 1>(0))) == numbers{1, 3, 5});
}

TEST_CASE("sets of complex numbers stand in the order of both parts") {
  using complex = std::complex<double>;
  double const inf = std::numeric_limits<double>::infinity();
  for (int n : lengths) {
    CAPTURE(n);
    rc::ndarray<complex, 1> x(n);
    for (index_t k = 0; k < n; ++k) x(k) = {double((k * 7919 + 3) % 7 - 3), double((k * 104729 + 5) % 5 - 2)};
    // the same numbers as integers, in that order
    rc::ndarray<std::int64_t, 1> const codes = rc::astype<std::int64_t>(rc::real(x) * 5. + rc::imag(x));
    auto const u = rc::unique_all(x);
    auto const of_codes = rc::unique_all(codes);
    CHECK(rc::array_equal(rc::real(u.values) * 5. + rc::imag(u.values), of_codes.values));
    CHECK(rc::array_equal(u.indices, of_codes.indices));
    CHECK(rc::array_equal(u.inverse_indices, of_codes.inverse_indices));
    CHECK(rc::array_equal(u.counts, of_codes.counts));
    CHECK(rc::array_equal(rc::unique_values(x), u.values));
    CHECK(rc::array_equal(rc::unique_counts(x).counts, u.counts));
    CHECK(rc::array_equal(rc::take(u.values, rc::unique_inverse(x).inverse_indices), x));
    for (int m : {0, 1, 9}) {
      auto const some = rc::eval(x(rc::range(0, n < m ? n : m)) + complex(1, 0));
      CHECK(rc::array_equal(rc::isin(x, some), rc::isin(codes, codes(rc::range(0, n < m ? n : m)) + 5)));
    }
  }
  rc::ndarray<complex, 2> const z{
      {complex(not_a_number, 0), complex(1, -inf), complex(1, not_a_number), complex(-0., 2)},
      {complex(2, -0.), complex(0., 2), complex(not_a_number, 0), complex(2, 0)}};
  auto const u = rc::unique_all(z);  // 2i, 1 - inf i, 2, 1 + nan i, nan, nan
  CHECK(numbers(u.indices) == numbers{3, 1, 4, 2, 0, 6});
  CHECK(numbers(u.counts) == numbers{2, 1, 2, 1, 1, 1});
  CHECK(numbers(u.inverse_indices) == numbers{4, 1, 3, 0, 2, 0, 5, 2});
  CHECK(numbers(rc::eval(rc::isin(z, z))) == numbers{0, 1, 0, 1, 1, 1, 0, 1});
  CHECK(numbers(rc::eval(rc::isin(z, rc::tensor<float, 2>{2, 1}))) == numbers{0, 0, 0, 0, 1, 0, 0, 1});
  CHECK(numbers(rc::eval(rc::isin(rc::tensor<int, 2>{2, 1}, z))) == numbers{1, 0});
  rc::tensor<std::complex<float>, 2> const a{{1, 1}, {0, 2}};
  CHECK(rc::union1d(z, a).size() == 7);
  CHECK(numbers(rc::intersect1d(a, z)) == numbers{0, 2});
  CHECK(numbers(rc::setdiff1d(a, z)) == numbers{1, 1});
}

TEST_CASE("numbers at the limits of what functions take") {
  double const infinite = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();
  rc::ndarray<double, 1> const x = rc::tensor<double, 5>{no_number, .5, 1, 2, infinite};
  auto const y = rc::eval(rc::interp(x, rc::tensor<double, 3>{0, 1, 1}, rc::tensor<double, 3>{5, 6, 7}));
  CHECK(std::isnan(y(0)));
  CHECK((y(1) == 5.5 && y(2) == 7 && y(4) == 7));
  auto const far = rc::geomspace<double>(1e-200, 1e200, 5);
  CHECK(rc::allclose(far, rc::tensor<double, 5>{1e-200, 1e-100, 1, 1e100, 1e200}, 1e-12, 0.));
  CHECK(rc::geomspace<double>(1e-200, 1e-170, 4)(1) == doctest::Approx(1e-190));
  std::uint64_t const big = std::uint64_t(1) << 63;
  CHECK(rc::array_equal(rc::arange<std::uint64_t>(big - 1, big + 2),
                        rc::tensor<std::uint64_t, 3>{big - 1, big, big + 1}));
  CHECK(rc::arange<std::uint64_t>(std::uint64_t(0), big + 2, big / 2).size() == 3);
  CHECK(rc::array_equal(rc::arange<std::int64_t>(-3, 3u, 2), rc::tensor<std::int64_t, 3>{-3, -1, 1}));
  rc::ndarray<std::int64_t, 1> largest(1);
  largest(0) = std::numeric_limits<std::int64_t>::max();
  CHECK(raised([&] { rc::bincount(largest); }) == "value_error: bincount: 9223372036854775807 is too large");
  rc::index_t const none = rc::index_t(1) << 32;
  CHECK(raised([&] { rc::eval(rc::sum(x, none)); }).find("index_error: sum: axis ") == 0);
  CHECK(raised([&] { rc::eval(rc::sort(x, none)); }).find("index_error: sort: axis ") == 0);
  CHECK(raised([&] { rc::eval(rc::take(x, rc::tensor<int, 1>{0}, none)); }).find("index_error: take: axis ") == 0);
  CHECK(raised([&] { rc::eval(rc::cumulative_sum(x, -none)); }).find("index_error: cumulative_sum: axis ") == 0);
  CHECK(raised([&] { rc::eval(rc::argmax(x, ~std::uint64_t(0))); }).find("index_error: argmax: axis ") == 0);
  CHECK(rc::array_equal(rc::diff(rc::tensor<int, 3>{1, 1, 1}, rc::axis<0>, rc::prepend(.5)),
                        rc::tensor<double, 3>{.5, 0, 0}));
  using complex = std::complex<double>;
  CHECK(rc::array_equal(rc::diff(rc::tensor<double, 2>{1, 3}, rc::prepend(complex(0, 7))),
                        rc::tensor<complex, 2>{complex(1, -7), 2}));
  rc::tensor<std::uint8_t, 2> const bytes{44, 3};
  CHECK(raised([&] { rc::eval(rc::isin(bytes, 300)); }).find("value_error") == 0);
  CHECK(raised([&] { rc::eval(rc::searchsorted(bytes, 300)); }).find("value_error") == 0);
  CHECK(raised([&] { rc::eval(rc::digitize(-1, bytes)); }).find("value_error") == 0);
  // which element is wanted is no number of the type of elements
  rc::ndarray<std::int8_t, 1> many(200);
  for (int k = 0; k < 200; ++k) many(k) = std::int8_t(k * 37 % 256 - 128);
  CHECK(rc::eval(rc::partition(many, 199))(199) == 127);
  CHECK(many(rc::eval(rc::argpartition(many, 199))(199)) == 127);
}
