// What moves, repeats, pads and picks elements, against the index arithmetic of NumPy's definitions: all orders of
// magnitude of extents that matter (0, 1, more), numbers of both signs, dynamic extents; static ones by their types.
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::index_t;

namespace {

double element(index_t i, index_t j) { return double(10 * i + j + 1); }
rc::ndarray<double, 2> matrix(index_t m, index_t n) {
  rc::ndarray<double, 2> x = rc::zeros<double>(rc::shape(m, n));
  for (index_t i = 0; i < m; ++i)
    for (index_t j = 0; j < n; ++j) x(i, j) = element(i, j);
  return x;
}
index_t modulo(index_t a, index_t n) { return n == 0 ? 0 : (a % n + n) % n; }

// how many elements of y are not what `wanted(i, j)` says; -1: another shape
template <class Y, class F>
int wrong(Y const& y, index_t m, index_t n, F const& wanted) {
  if (y.shape(0) != m || y.shape(1) != n) return -1;
  int k = 0;
  for (index_t i = 0; i < m; ++i)
    for (index_t j = 0; j < n; ++j) k += y(i, j) != wanted(i, j);
  return k;
}

}  // namespace

TEST_CASE("roll, repeat, tile, diff, pad and triangles of matrices of dynamic extents") {
  for (index_t const m : {0, 1, 2, 5})
    for (index_t const n : {0, 1, 3, 4}) {
      CAPTURE(m);
      CAPTURE(n);
      auto const x = matrix(m, n);
      auto const at = element;
      for (index_t const s : {-7, -1, 0, 1, 3, 6}) {
        CAPTURE(s);
        CHECK(wrong(rc::eval(rc::roll(x, s, rc::axis<0>)), m, n,
                    [&](index_t i, index_t j) { return at(modulo(i - s, m), j); }) == 0);
        CHECK(wrong(rc::eval(rc::roll(x, rc::shape(s, 1), rc::axis<0, -1>)), m, n,
                    [&](index_t i, index_t j) { return at(modulo(i - s, m), modulo(j - 1, n)); }) == 0);
        CHECK(wrong(rc::eval(rc::roll(x, rc::shape(s, 2), rc::axis<0, 0>)), m, n,
                    [&](index_t i, index_t j) { return at(modulo(i - s - 2, m), j); }) == 0);
        CHECK(wrong(rc::eval(rc::roll(x, rc::shape(s, 1, 3), rc::axis<1, 0, -1>)), m, n,
                    [&](index_t i, index_t j) { return at(modulo(i - 1, m), modulo(j - s - 3, n)); }) == 0);
        CHECK(wrong(rc::eval(rc::roll(x, s)), m, n, [&](index_t i, index_t j) {
                index_t const k = modulo(i * n + j - s, m * n);
                return at(k / n, k % n);
              }) == 0);
        CHECK(wrong(rc::eval(rc::tril(x, s)), m, n, [&](index_t i, index_t j) { return j <= i + s ? at(i, j) : 0; }) ==
              0);
        CHECK(wrong(rc::eval(rc::triu(x, s)), m, n, [&](index_t i, index_t j) { return j >= i + s ? at(i, j) : 0; }) ==
              0);
        index_t const down = s < 0 ? -s : 0, across = s > 0 ? s : 0;
        index_t const length = std::max<index_t>(0, std::min(m - down, n - across));
        auto const d = rc::eval(rc::diagonal(x, s));
        REQUIRE(d.shape(0) == length);
        double sum = 0;
        for (index_t k = 0; k < length; ++k) sum += at(k + down, k + across);
        CHECK(rc::sum(d).item() == sum);
        CHECK(rc::trace(x, s).item() == sum);
        auto const whole = rc::eval(rc::diag(d, s));
        CHECK(wrong(whole, length + down + across, length + down + across, [&](index_t i, index_t j) {
                return i + s == j && i >= down && j >= across ? d(i - down) : 0;
              }) == 0);
      }
      for (index_t const r : {0, 1, 3}) {
        CAPTURE(r);
        CHECK(wrong(rc::eval(rc::repeat(x, r, rc::axis<1>)), m, n * r,
                    [&](index_t i, index_t j) { return at(i, j / r); }) == 0);
        CHECK(wrong(rc::eval(rc::repeat(x, r, rc::axis<0>)), m * r, n,
                    [&](index_t i, index_t j) { return at(i / r, j); }) == 0);
        CHECK(wrong(rc::eval(rc::tile(x, rc::shape(2, r))), 2 * m, n * r,
                    [&](index_t i, index_t j) { return at(i % m, j % n); }) == 0);
        CHECK(wrong(rc::eval(rc::pad(x, rc::shape(r, 0, 1, 2), 7.)), m + r, n + 3,
                    [&](index_t i, index_t j) { return i >= r && j >= 1 && j <= n ? at(i - r, j - 1) : 7; }) == 0);
        if (n > r)
          CHECK(wrong(rc::eval(rc::pad(x, r, rc::reflect, rc::axis<1>)), m, n + 2 * r, [&](index_t i, index_t j) {
                  index_t const k = j < r ? r - j : j - r;
                  return at(i, k < n ? k : 2 * (n - 1) - k);
                }) == 0);
        if (n >= r)
          CHECK(wrong(rc::eval(rc::pad(x, r, rc::symmetric, rc::axis<1>)), m, n + 2 * r, [&](index_t i, index_t j) {
                  index_t const k = modulo(j - r, 2 * n);
                  return at(i, k < n ? k : 2 * n - 1 - k);
                }) == 0);
        if (n >= r)
          CHECK(wrong(rc::eval(rc::pad(x, r, rc::wrap, rc::axis<1>)), m, n + 2 * r,
                      [&](index_t i, index_t j) { return at(i, modulo(j - r, n)); }) == 0);
        if (n > 0)
          CHECK(wrong(rc::eval(rc::pad(x, r, rc::edge, rc::axis<-1>)), m, n + 2 * r,
                      [&](index_t i, index_t j) { return at(i, std::clamp<index_t>(j - r, 0, n - 1)); }) == 0);
      }
      CHECK(wrong(rc::eval(rc::diff(x)), m, std::max<index_t>(n - 1, 0), [](index_t, index_t) { return 1; }) == 0);
      CHECK(wrong(rc::eval(rc::diff<2>(x, rc::axis<0>)), std::max<index_t>(m - 2, 0), n,
                  [](index_t, index_t) { return 0; }) == 0);
    }
}

TEST_CASE("tile along more axes than a reshape has room for beside them") {
  rc::tensor<int, 1, 2, 1, 1, 2, 1, 1, 3> x;
  for (index_t k = 0; k < x.size(); ++k) x.data()[k] = int(k);
  auto const wanted = [&](auto const& y) {
    int wrong = 0;
    for (index_t i = 0; i < 2; ++i)
      for (index_t j = 0; j < 2; ++j)
        for (index_t k = 0; k < 6; ++k)
          for (index_t l = 0; l < 2; ++l)
            for (index_t m = 0; m < 6; ++m) wrong += y(i, j, 0, 0, k, l, 0, m) != x(0, j, 0, 0, k % 2, 0, 0, m % 3);
    return wrong;
  };
  auto const y = rc::eval(rc::tile(x, rc::extents<2, 1, 1, 1, 3, 2, 1, 2>{}));
  static_assert(decltype(y)::extents::value == rc::extents<2, 2, 1, 1, 6, 2, 1, 6>::value);
  CHECK(wanted(y) == 0);
  rc::ndarray<int, 8> const d = x;
  CHECK(wanted(rc::eval(rc::tile(d, rc::shape(2, 1, 1, 1, 3, 2, 1, 2)))) == 0);
  rc::ndarray<int, 12> const all = rc::tile(d, rc::shape(2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2));
  CHECK((all.shape(0) == 2 && all.shape(11) == 6 &&
         all(1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 5) == x(0, 1, 0, 0, 1, 0, 0, 2)));
  auto const g = rc::grad([](auto p) { return rc::sum(rc::tile(p, rc::extents<2, 1, 1, 1, 3, 2, 1, 2>{})); });
  CHECK(rc::eval(rc::max(g(rc::eval(rc::astype<double>(x))))).item() == 24);
}

TEST_CASE("what misfits when it runs") {
  auto const x = matrix(2, 3);
  CHECK(raised([&] { rc::eval(rc::pad(x, 2, rc::reflect)); }).starts_with("index_error"));
  CHECK(raised([&] { rc::eval(rc::pad(x, 3, rc::wrap)); }).starts_with("index_error"));
  CHECK(raised([&] { rc::eval(rc::pad(x, rc::shape(-1, 2))); }).starts_with("value_error"));
  CHECK(raised([&] { rc::eval(rc::repeat(x, -1, rc::axis<0>)); }).starts_with("value_error"));
  rc::ndarray<std::int64_t, 1> const too_often = rc::full<std::int64_t>(rc::shape(4), std::int64_t(1) << 62);
  CHECK(raised([&] { rc::repeat(rc::arange<double>(4), too_often); }).starts_with("value_error"));
}

TEST_CASE("static extents, views, order 3") {
  rc::tensor<int, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
  static_assert(decltype(rc::tile(a, rc::extents<2, 1, 2>{}))::extents::value == rc::extents<2, 2, 6>::value);
  static_assert(decltype(rc::repeat(a, rc::known<3>))::extents::value == rc::extents<18>::value);
  static_assert(decltype(rc::pad(a, rc::extents<1, 2>{}, rc::axis<1>))::extents::value == rc::extents<2, 6>::value);
  static_assert(decltype(rc::diagonal(a, rc::known<-1>))::extents::value == rc::extents<1>::value);
  static_assert(decltype(rc::diff<5>(a))::extents::value == rc::extents<2, 0>::value);
  rc::diagonal(a, 1) = 0;
  CHECK(rc::sum(a).item() == 13);
  auto const [first, second] = rc::unstack(a);
  CHECK(rc::sum(first * second).item() == 4);
  auto [p, q, r] = rc::unstack(a, rc::axis<-1>);
  q = 9;
  CHECK(a(0, 1) == 9);
  CHECK(rc::sum(p + q * r).item() == 32);
  CHECK(rc::ravel(a)(4) == 9);

  rc::ndarray<float, 3> x = rc::zeros<float>(rc::shape(2, 3, 4));
  for (index_t k = 0; k < 24; ++k) rc::ravel(x)(k) = float(k);
  auto const moved = rc::moveaxis(x, rc::axis<0, -1>, rc::axis<-1, 0>);
  CHECK(moved(3, 1, 1) == x(1, 1, 3));
  CHECK(rc::swapaxes(x, rc::axis<0>, rc::axis<2>)(3, 1, 0) == x(0, 1, 3));
  auto const d = rc::eval(rc::diagonal(rc::moveaxis(x, rc::axis<0>, rc::axis<1>), -1, rc::axis<2, 0>));
  REQUIRE(d.shape(1) == 3);  // x[:, k, k + 1]
  CHECK(d(1, 2) == x(1, 2, 3));

  auto const [b, c] = rc::broadcast_arrays(rc::tensor<int, 2, 1>{{1}, {2}}, rc::tensor<double, 3>{1, 2, 3});
  CHECK(rc::eval(b)(1, 2) == 2);
  CHECK(rc::eval(c)(1, 2) == 3);
  auto const [g, h] = rc::meshgrid(rc::tensor<int, 3>{1, 2, 3}, rc::tensor<double, 2>{4, 5}, rc::indexing_ij);
  static_assert(decltype(g)::extents::value == rc::extents<3, 2>::value);
  CHECK(g(2, 1) + h(2, 1) == 8);
  auto const order = rc::eval(rc::argsort(x(1), rc::axis<0>, rc::descending));
  CHECK(rc::eval(rc::take_along_axis(x(1), order, rc::axis<0>))(0, 3) == 23);
  CHECK(rc::eval(rc::take_along_axis(a, rc::tensor<int, 1, 1>{{-1}}))(0, 0) == 3);
}

TEST_CASE("counts for each element, what stands before and behind, and other forms") {
  rc::ndarray<double, 2> const x{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<int, 3> const counts{2, 0, 3};
  CHECK(numbers(rc::repeat(x, counts, rc::axis<-1>)) == numbers{1, 1, 3, 3, 3, 4, 4, 6, 6, 6});
  CHECK(numbers(rc::repeat(counts, counts)) == numbers{2, 2, 3, 3, 3});
  CHECK(raised([&] { (void)rc::repeat(x, counts, rc::axis<0>); }) == "shape_error: repeat: (2,) (3,)");
  CHECK(raised([&] {
          (void)rc::repeat(x, rc::tensor<int, 2>{1, -1}, rc::axis<0>);
        }) == "value_error: repeat: a count is -1");
  CHECK(numbers(rc::eval(rc::diff(x, rc::prepend(0.)))) == numbers{1, 1, 1, 4, 1, 1});
  CHECK(numbers(rc::eval(rc::diff<2>(x, rc::axis<0>, rc::prepend(x(rc::range(1, 2))), rc::append(9)))) ==
        numbers{6, 6, 6, 2, 1, 0});
  static_assert(decltype(rc::diff(counts, rc::append(counts)))::extents::value == rc::extents<5>::value);
  CHECK(numbers(rc::flatten(x(rc::all, 1))) == numbers{2, 5});
  static_assert(decltype(rc::atleast_1d(rc::sum(x)))::extents::value == rc::extents<1>::value);
  static_assert(decltype(rc::atleast_2d(counts))::extents::value == rc::extents<1, 3>::value);
  static_assert(decltype(rc::atleast_3d(counts))::extents::value == rc::extents<1, 3, 1>::value);
  CHECK(rc::atleast_3d(x).shape() == std::array<index_t, 3>{2, 3, 1});
}

TEST_CASE("beside and below one another") {
  for (index_t const m : {0, 1, 3})
    for (index_t const n : {0, 1, 4}) {
      auto const x = matrix(m, n), y = matrix(2, n), z = matrix(m, 5);
      CHECK(wrong(rc::eval(rc::vstack(x, y)), m + 2, n,
                  [&](index_t i, index_t j) { return element(i < m ? i : i - m, j); }) == 0);
      CHECK(wrong(rc::eval(rc::hstack(x, z)), m, n + 5,
                  [&](index_t i, index_t j) { return element(i, j < n ? j : j - n); }) == 0);
      rc::ndarray<double, 1> const row = rc::arange<double>(n);
      CHECK(wrong(rc::eval(rc::vstack(x, row)), m + 1, n,
                  [&](index_t i, index_t j) { return i < m ? element(i, j) : double(j); }) == 0);
      CHECK(rc::array_equal(rc::hstack(row, row), rc::concat(row, row)));
      CHECK(rc::array_equal(rc::vstack(row, row + 1.), rc::stack(row, row + 1.)));
    }
  rc::tensor<int, 2, 2> const a{{1, 2}, {3, 4}};
  rc::tensor<int, 2> const v{5, 6};
  static_assert(std::is_same_v<decltype(rc::hstack(a, a))::extents, rc::extents<2, 4>>);
  static_assert(std::is_same_v<decltype(rc::vstack(v, a, v))::extents, rc::extents<4, 2>>);
  CHECK(numbers(rc::eval(rc::vstack(v, a, v))) == numbers{5, 6, 1, 2, 3, 4, 5, 6});
  CHECK(numbers(rc::eval(rc::hstack(rc::unstack(a)))) == numbers{1, 2, 3, 4});
  CHECK(numbers(rc::eval(rc::vstack(std::tuple(v, v + .5)))) == numbers{5, 6, 5.5, 6.5});
  CHECK(numbers(rc::eval(rc::hstack(v, 1.5, rc::sum(v)))) == numbers{5, 6, 1.5, 11});
  CHECK(shape_of(rc::eval(rc::vstack(1, 2))) == numbers{2, 1});
  CHECK(numbers(rc::eval(rc::hstack(a))) == numbers{1, 2, 3, 4});
  rc::tensor<double, 1, 1, 2> const third = 7;
  CHECK(shape_of(rc::eval(rc::hstack(third, third, third))) == numbers{1, 3, 2});
  CHECK(raised([] { rc::eval(rc::vstack(matrix(2, 3), matrix(2, 2))); }).starts_with("shape_error: vstack: "));
  CHECK(raised([] { rc::eval(rc::hstack(matrix(2, 3), matrix(1, 3))); }).starts_with("shape_error: hstack: "));
  auto const f = [](auto x, auto y) { return rc::sum(rc::square(rc::hstack(x, y, x)) * 3.); };
  rc::tensor<double, 2> const x{1, 2};
  auto const [by_x, by_y] = rc::grad<0, 1>(f)(x, 2. * x);
  CHECK(numbers(by_x) == numbers{12, 24});
  CHECK(numbers(by_y) == numbers{12, 24});
}

TEST_CASE("a list of tensors that is made at run time, beside and below one another") {
  for (index_t const m : {0, 1, 3}) {
    std::vector const beside{matrix(m, 2), matrix(m, 0), matrix(m, 3)}, below{matrix(2, m), matrix(0, m), matrix(3, m)};
    CHECK(wrong(rc::hstack(beside), m, 5, [&](index_t i, index_t j) { return element(i, j < 2 ? j : j - 2); }) == 0);
    CHECK(wrong(rc::vstack(below), 5, m, [&](index_t i, index_t j) { return element(i < 2 ? i : i - 2, j); }) == 0);
  }
  std::vector const rows{rc::tensor<int, 2>{1, 2}, rc::tensor<int, 2>{3, 4}};
  CHECK(shape_of(rc::hstack(rows)) == numbers{4});
  CHECK(numbers(rc::hstack(rows)) == numbers{1, 2, 3, 4});
  CHECK(shape_of(rc::vstack(rows)) == numbers{2, 2});
  CHECK(numbers(rc::vstack(rows)) == numbers{1, 2, 3, 4});
  std::vector<rc::tensor<double>> const scalars{rc::tensor<double>(5.), rc::tensor<double>(6.)};
  CHECK(shape_of(rc::hstack(scalars)) == numbers{2});
  CHECK(numbers(rc::hstack(scalars)) == numbers{5, 6});
  CHECK(shape_of(rc::eval(rc::vstack(scalars))) == numbers{2, 1});
  CHECK(numbers(rc::eval(rc::vstack(scalars))) == numbers{5, 6});
  std::vector const uneven{matrix(2, 3), matrix(1, 2)};
  CHECK(raised([&] { rc::hstack(uneven); }).starts_with("shape_error: hstack: "));
  CHECK(raised([&] { rc::vstack(uneven); }).starts_with("shape_error: vstack: "));
  CHECK(raised([] { rc::hstack(std::vector<rc::ndarray<double, 2>>{}); }).starts_with("value_error: hstack: "));
}

TEST_CASE("a list of tensors that is made at run time") {
  for (int const axis : {0, 1, -1}) {
    std::vector<rc::ndarray<double, 2>> parts;
    for (index_t k = 0; k < 4; ++k) parts.push_back(axis == 0 ? matrix(k, 3) : matrix(3, k));
    auto const four = [&](auto along) { return rc::eval(rc::concat(parts[0], parts[1], parts[2], parts[3], along)); };
    rc::ndarray<double, 2> const wanted = axis == 0 ? four(rc::axis<0>) : four(rc::axis<1>);
    CHECK(rc::array_equal(rc::concat(parts, axis), wanted));
    if (axis == 0) CHECK(rc::array_equal(rc::concat(parts), wanted));
    if (axis == 1) CHECK(rc::array_equal(rc::concat(parts, rc::axis<1>), wanted));
    CHECK(raised([&] { rc::stack(parts); }).starts_with("shape_error: stack: "));
  }
  std::vector const rows{rc::tensor<int, 2>{1, 2}, rc::tensor<int, 2>{3, 4}, rc::tensor<int, 2>{5, 6}};
  static_assert(std::is_same_v<decltype(rc::stack(rows)), rc::ndarray<std::int32_t, 2>>);
  CHECK(numbers(rc::stack(rows)) == numbers{1, 2, 3, 4, 5, 6});
  CHECK(numbers(rc::stack(rows, 1)) == numbers{1, 3, 5, 2, 4, 6});
  CHECK(numbers(rc::concat(rows)) == numbers{1, 2, 3, 4, 5, 6});
  rc::ndarray<double, 2> const m = matrix(2, 3);
  std::vector const columns{m.T()(0), m.T()(2)};  // views
  CHECK(numbers(rc::stack(columns, rc::axis<-1>)) == numbers{m(0, 0), m(0, 2), m(1, 0), m(1, 2)});
  std::vector const scalars{rc::tensor<double>(1.), rc::tensor<double>(2.)};
  CHECK(numbers(rc::stack(scalars)) == numbers{1, 2});
  CHECK(raised([&] { rc::concat(scalars); }).starts_with("index_error: concat: axis 0"));
  CHECK(raised([&] { rc::concat(rows, 1); }).starts_with("index_error: concat: axis 1"));
  CHECK(raised([&] { rc::concat(std::vector<rc::ndarray<int, 1>>{}); }) ==
        "value_error: concat: an empty list of tensors");
  std::vector const misfits{matrix(2, 3), matrix(2, 2)};
  CHECK(raised([&] { rc::concat(misfits); }).starts_with("shape_error: concat: "));
}

TEST_CASE("turned by quarters") {
  for (index_t const m : {0, 1, 3})
    for (index_t const n : {0, 1, 4}) {
      auto x = matrix(m, n);
      auto const at = element;
      CHECK(wrong(rc::eval(rc::rot90(x)), n, m, [&](index_t i, index_t j) { return at(j, n - 1 - i); }) == 0);
      CHECK(wrong(rc::eval(rc::rot90(x, rc::known<2>)), m, n,
                  [&](index_t i, index_t j) { return at(m - 1 - i, n - 1 - j); }) == 0);
      CHECK(wrong(rc::eval(rc::rot90(x, rc::known<-1>)), n, m,
                  [&](index_t i, index_t j) { return at(m - 1 - j, i); }) == 0);
      CHECK(wrong(rc::eval(rc::rot90(x, rc::known<4>)), m, n, at) == 0);
      CHECK(rc::array_equal(rc::rot90(x, rc::known<3>), rc::rot90(x, rc::known<1>, rc::axis<1, 0>)));
      CHECK(rc::array_equal(rc::rot90(rc::rot90(rc::rot90(x + 1.), rc::known<5>), rc::known<-6>), x + 1.));
    }
  rc::tensor<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  static_assert(std::is_same_v<decltype(rc::rot90(x))::extents, rc::extents<3, 2>>);
  CHECK(numbers(rc::eval(rc::rot90(x))) == numbers{3, 6, 2, 5, 1, 4});
  rc::rot90(x)(0) = 0;
  CHECK(numbers(x) == numbers{1, 2, 0, 4, 5, 0});
  rc::ndarray<double, 3> const y = rc::reshape(rc::arange<double>(24), rc::shape(2, 3, 4));
  CHECK(shape_of(rc::eval(rc::rot90(y, rc::known<1>, rc::axis<-1, 0>))) == numbers{4, 3, 2});
  CHECK(rc::eval(rc::rot90(y, rc::known<1>, rc::axis<1, 2>))(1, 0, 2) == y(1, 2, 3));
}

TEST_CASE("positions, coordinates, and what is put there") {
  rc::ndarray<double, 2> const x{{1, 2, 3}, {4, 5, 6}};
  auto const [i, j] = rc::unravel_index(rc::tensor<int, 3>{5, 0, 3}, x.shape());
  CHECK(numbers(rc::eval(i)) == numbers{1, 0, 1});
  CHECK(numbers(rc::eval(j)) == numbers{2, 0, 0});
  CHECK(numbers(rc::eval(rc::ravel_multi_index(std::tuple(i, j), x.shape()))) == numbers{5, 0, 3});
  CHECK(numbers(rc::eval(rc::ravel_multi_index(rc::nonzero(x > 4.), rc::shape(2, 3)))) == numbers{4, 5});
  CHECK(raised([&] { rc::eval(std::get<1>(rc::unravel_index(rc::tensor<int, 1>{-1}, x.shape()))); }) ==
        "index_error: unravel_index: index -1 is out of range for an axis of 6");
  CHECK(numbers(rc::eval(rc::put(x, rc::tensor<int, 2>{-1, 1}, rc::tensor<int, 2>{8, 9}))) ==
        numbers{1, 9, 3, 4, 5, 8});
  CHECK(numbers(rc::eval(rc::put_along_axis(x, rc::tensor<int, 1, 3>{{1, 0, 1}}, 0, rc::axis<0>))) ==
        numbers{1, 0, 3, 0, 5, 0});
  CHECK(raised([&] { rc::eval(rc::put(x, rc::tensor<int, 2>{0, 1}, x(0))); }) == "shape_error: put: (2,) (3,)");
}

TEST_CASE("windows that move along axes are views of all their elements") {
  for (index_t const m : {1, 2, 5})
    for (index_t const n : {0, 1, 4, 7})
      for (index_t width = 0; width <= n; ++width) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(width);
        auto const x = matrix(m, n);
        auto const windows = rc::sliding_window_view(x, width);
        CHECK(wrong(rc::eval(windows(m - 1)), n - width + 1, width,
                    [&](index_t i, index_t j) { return element(m - 1, i + j); }) == 0);
        CHECK(wrong(rc::eval(windows(0, rc::range(0, rc::end, 2)) * 1.), (n - width + 2) / 2, width,
                    [&](index_t i, index_t j) { return element(0, 2 * i + j); }) == 0);
        CHECK(wrong(rc::eval(rc::sliding_window_view(x.T() * 1., width, rc::axis<0>)(rc::all, m - 1)), n - width + 1,
                    width, [&](index_t i, index_t j) { return element(m - 1, i + j); }) == 0);
      }
  rc::tensor<double, 3, 4> const x{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  auto const squares = rc::sliding_window_view(x, rc::extents<2, 3>{}, rc::axis<0, 1>);
  static_assert(std::is_same_v<decltype(rc::eval(squares)), rc::tensor<double, 2, 2, 2, 3>>);
  CHECK(wrong(rc::eval(squares(1, 0)), 2, 3, [&](index_t i, index_t j) { return x(1 + i, j); }) == 0);
  // the derivative of an element counts the windows that reach it
  auto const counts = rc::grad([](auto const& y) { return rc::sum(rc::sliding_window_view(y, 3)); })(matrix(2, 5));
  CHECK(wrong(counts, 2, 5, [](index_t, index_t j) { return 1. + double(std::min<index_t>({j, 4 - j, 2})); }) == 0);
  CHECK(raised([&] { return rc::eval(rc::sliding_window_view(matrix(2, 3), 4)); }) ==
        "index_error: sliding_window_view: needs 4 elements of an axis with extent 3");
  auto const narrow = matrix(2, 3);
  CHECK(raised([&] { return rc::sliding_window_view(narrow, 4).shape(0); }) ==
        "index_error: sliding_window_view: needs 4 elements of an axis with extent 3");
  rc::ndarray<double, 1> const three(3);
  CHECK(raised([&] { return rc::eval(rc::pad(three, 5, rc::reflect)); }) ==
        "index_error: pad: needs 6 elements of an axis with extent 3");
  CHECK(raised([&] { return rc::eval(rc::pad(three, -7, 0.)); }) == "value_error: pad: negative extent in (-11,)");
}

TEST_CASE("equal parts of an axis are views") {
  auto x = matrix(6, 4);
  auto const [a, b, c] = rc::split<3>(x);
  CHECK(wrong(rc::eval(b), 2, 4, [](index_t i, index_t j) { return element(i + 2, j); }) == 0);
  auto const [left, right] = rc::split<2>(c, rc::axis<-1>);
  CHECK(wrong(rc::eval(right - left), 2, 2,
              [](index_t i, index_t j) { return element(i + 4, j + 2) - element(i + 4, j); }) == 0);
  rc::tensor<float, 2, 6> const y{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}};
  static_assert(std::is_same_v<decltype(rc::eval(std::get<1>(rc::split<3>(y, rc::axis<1>)))), rc::tensor<float, 2, 2>>);
  auto const by_halves = rc::grad([](auto const& z) {
    auto const [p, q] = rc::split<2>(z, rc::axis<1>);
    return rc::sum(p * q);
  })(x);
  CHECK(wrong(by_halves, 6, 4, [](index_t i, index_t j) { return element(i, (j + 2) % 4); }) == 0);
  CHECK(raised([&] { return rc::eval(std::get<0>(rc::split<4>(x))); }).starts_with("shape_error: split"));
}
