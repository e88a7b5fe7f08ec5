// Values of views, joins, parts and matrix products against plain loops.
#include <doctest/doctest.h>

#include "numbers.hpp"
#include "raised.hpp"
#include "reference.hpp"

namespace rc = ricci;
using reference::array;
using place = reference::index;

namespace {

// the same numbers in place and dynamic
template <class T, rc::index_t... E>
struct both {
  rc::tensor<T, E...> in_place;
  rc::ndarray<T, sizeof...(E)> dynamic;
  both() : dynamic(E...) {
    reference::fill(in_place);
    reference::fill(dynamic);
  }
  // f of each gives what g gives of an index into it
  template <class F>
  void check(F const& f, reference::shape const& s, std::function<double(array const&, place const&)> const& g) const {
    array const x(in_place), expected(s, [&](place const&i) { return g(x, i); });
    CHECK(array(rc::eval(f(in_place))).near(expected, 1e-6));
    CHECK(array(rc::eval(f(dynamic))).near(expected, 1e-6));
    // in a longer expression, where nothing is copied
    array const doubled(s, [&](place const& i) { return 2 * g(x, i) + 1; });
    CHECK(array(rc::eval(2 * f(in_place) + 1)).near(doubled, 1e-6));
    CHECK(array(rc::eval(2 * f(dynamic) + 1)).near(doubled, 1e-6));
  }
};

}  // namespace

#if !defined(RICCI_TEST_BRIEF)  // where elements go is the same everywhere
TEST_CASE("views") {
  both<float, 2, 3, 4> const x;
  x.check([](auto const& a) { return rc::permute_dims(a, rc::axis<2, 0, 1>); }, {4, 2, 3},
          [](array const& a, place const& i) {
            return a({i[1], i[2], i[0]});
          });
  x.check([](auto const& a) { return rc::matrix_transpose(a); }, {2, 4, 3},
          [](array const& a, place const& i) {
            return a({i[0], i[2], i[1]});
          });
  x.check([](auto const& a) { return rc::reshape(a, rc::extents<6, 4>{}); }, {6, 4},
          [](array const& a, place const& i) {
            return a({i[0] / 3, i[0] % 3, i[1]});
          });
  x.check([](auto const& a) { return rc::reshape(rc::matrix_transpose(a), rc::shape(8, -1)); }, {8, 3},
          [](array const& a, place const& i) {
            return a({i[0] / 4, i[1], i[0] % 4});
          });
  x.check([](auto const& a) { return rc::expand_dims(a, rc::axis<1>); }, {2, 1, 3, 4},
          [](array const& a, place const& i) {
            return a({i[0], i[2], i[3]});
          });
  x.check([](auto const& a) { return rc::squeeze(rc::expand_dims(a, rc::axis<0, -1>), rc::axis<0, -1>); }, {2, 3, 4},
          [](array const& a, place const& i) { return a(i); });
  x.check([](auto const& a) { return rc::flip(a, rc::axis<2>); }, {2, 3, 4},
          [](array const& a, place const& i) {
            return a({i[0], i[1], 3 - i[2]});
          });
  x.check([](auto const& a) { return rc::flip(a); }, {2, 3, 4},
          [](array const& a, place const& i) {
            return a({1 - i[0], 2 - i[1], 3 - i[2]});
          });
  x.check([](auto const& a) { return rc::broadcast_to(a, rc::extents<2, 2, 3, 4>{}); }, {2, 2, 3, 4},
          [](array const& a, place const& i) {
            return a({i[1], i[2], i[3]});
          });
  x.check([](auto const& a) { return a(rc::all, rc::range(2, 0, -1), rc::range(0, 4, 3)); }, {2, 2, 2},
          [](array const& a, place const& i) {
            return a({i[0], 2 - i[1], 3 * i[2]});
          });
  x.check([](auto const& a) { return a(1, rc::ellipsis, -1); }, {3},
          [](array const& a, place const& i) {
            return a({1, i[0], 3});
          });
  x.check([](auto const& a) { return a(0, rc::newaxis, rc::all, rc::slice<2>(1)); }, {1, 3, 2},
          [](array const& a, place const& i) {
            return a({0, i[1], i[2] + 1});
          });
}

TEST_CASE("joins and parts") {
  both<double, 3, 4> const x;
  x.check([](auto const& a) { return rc::concat(a, -a, rc::axis<0>); }, {6, 4},
          [](array const& a, place const& i) {
            return i[0] < 3 ? a(i) : -a({i[0] - 3, i[1]});
          });
  x.check([](auto const& a) { return rc::concat(a, a(rc::all, rc::range(0, 1)), a * a, rc::axis<-1>); }, {3, 9},
          [](array const& a, place const& i) {
            double const v = a({i[0], i[1] < 4 ? i[1] : i[1] == 4 ? 0 : i[1] - 5});
            return i[1] < 5 ? v : v * v;
          });
  x.check([](auto const& a) { return rc::stack(a, a + 1., rc::axis<1>); }, {3, 2, 4},
          [](array const& a, place const& i) {
            return a({i[0], i[2]}) + i[1];
          });
  rc::tensor<int, 2, 2> const rows{{2, 0}, {-1, 1}};
  x.check([&](auto const& a) { return rc::take(a, rows, rc::axis<0>); }, {2, 2, 4},
          [](array const& a, place const& i) {
            int const row[] = {2, 0, 2, 1};
            return a({row[2 * i[0] + i[1]], i[2]});
          });
  x.check([&](auto const& a) { return rc::take(a * 3., rows, rc::axis<1>); }, {3, 2, 2},
          [](array const& a, place const& i) {
            int const column[] = {2, 0, 3, 1};
            return 3 * a({i[0], column[2 * i[1] + i[2]]});
          });
  CHECK(raised([&] {
          rc::tensor<int, 1> const outside{3};
          return rc::eval(rc::take(x.dynamic, outside, rc::axis<0>)).size();
        }).starts_with("index_error"));
  // of nothing, and with nothing
  rc::tensor<double, 0, 4> const none;
  CHECK(array(rc::eval(rc::concat(none, x.in_place))).near(array(x.in_place), 0));
  CHECK(rc::eval(rc::stack(none, none)).size() == 0);
  rc::tensor<int, 0> const no_rows;
  CHECK(shape_of(rc::eval(rc::take(x.in_place, no_rows, rc::axis<0>))) == numbers{0, 4});
}
#endif

TEST_CASE("matrix products of all sizes") {
  auto const check = [](auto zero, int m, int k, int n) {
    using T = decltype(zero);
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    rc::ndarray<T, 2> a(m, k), b(k, n), left(k, m), right(n, k);
    reference::fill(a);
    reference::fill(b, 0.83);
    left = rc::matrix_transpose(a), right = rc::matrix_transpose(b);
    array const product({m, n}, [&](place const& i) {
      double s = 0;
      for (int p = 0; p < k; ++p) s += static_cast<double>(a(i[0], p)) * static_cast<double>(b(p, i[1]));
      return s;
    });
    double const tolerance = std::is_same_v<T, float> ? 2e-5 : 1e-12;
    CHECK(array(rc::eval(rc::matmul(a, b))).near(product, tolerance));
    CHECK(array(rc::eval(rc::matmul(rc::matrix_transpose(left), b))).near(product, tolerance));
    CHECK(array(rc::eval(rc::matmul(a, rc::matrix_transpose(right)))).near(product, tolerance));
    array const fused({m, n}, [&](place const& i) { return 1 - 2 * product(i); });
    CHECK(array(rc::eval(T(1) - rc::matmul(a + a, b))).near(fused, 2 * tolerance));
    CHECK(array(rc::eval(T(1) - T(2) * rc::matmul(left.T(), right.T()))).near(fused, 2 * tolerance));
  };
  for (int m : {0, 1, 3, 8, 17, 65})
    for (int k : {0, 1, 4, 33, 130})
      for (int n : {0, 1, 2, 16, 35}) check(double{}, m, k, n);
  // sums of several blocks along k
  for (int m : {3, 7, 12})
    for (int n : {16, 35}) check(double{}, m, 700, n);
  // and all columns are added up in one order
  rc::ndarray<double, 2> const rows = rc::reshape(rc::sin(rc::arange<double>(3 * 700)), rc::shape(3, 700)),
                               column = rc::reshape(rc::cos(rc::arange<double>(700)), rc::shape(700, 1));
  rc::ndarray<double, 2> const equal = rc::broadcast_to(column, rc::shape(700, 35)), sums = rc::matmul(rows, equal);
  CHECK(bool(rc::all(sums == sums(rc::all, rc::range(0, 1)))));
  for (int m : {1, 6, 31, 100})
    for (int k : {1, 7, 64, 300})
      for (int n : {1, 15, 48, 129}) check(float{}, m, k, n);
}

TEST_CASE("a matrix times a vector, however both lie in memory") {
  auto const check = []<class T>(T, int m, int k) {
    CAPTURE(m);
    CAPTURE(k);
    rc::ndarray<T, 2> wide(m, 2 * k);
    rc::ndarray<T, 1> long_x(2 * k), shift(m), y(m);
    reference::fill(wide, 0.37);
    reference::fill(long_x, 0.71);
    reference::fill(shift, 0.11);
    auto const every_second = rc::range(0, 2 * k, 2);
    auto const product = [&](int column, int row, int step) {
      array const a(wide), x(long_x);
      return array({m}, [&](place const& i) {
        double s = 0;
        for (int p = 0; p < k; ++p) s += a({i[0], column + p * step}) * x({row * p});
        return s;
      });
    };
    double const tolerance = (sizeof(T) == 8 ? 1e-12 : 1e-4) * (k + 1);
    auto const a = wide(rc::all, rc::range(k, 2 * k));
    auto const x = long_x(rc::range(0, k));
    auto const scattered = long_x(every_second);
    auto const near = [&](auto const& result, array const& expected) {
      CHECK(array(rc::eval(result)).near(expected, tolerance));
    };
    near(rc::matmul(a, x), product(k, 1, 1));
    near(rc::matmul(a, scattered), product(k, 2, 1));
    near(rc::matmul(wide(rc::all, every_second), x), product(0, 1, 2));
    rc::ndarray<T, 2> const by_columns = a.T();
    near(rc::matmul(x, by_columns), product(k, 1, 1));
    near(rc::matmul(by_columns.T(), scattered), product(k, 2, 1));
    near(rc::matmul(wide(rc::all, every_second), scattered), product(0, 2, 2));
    near(rc::matmul(by_columns.T(), rc::reshape(rc::eval(x), rc::shape(k, 1)))(rc::all, 0), product(k, 1, 1));
    array const plain = product(k, 1, 1), added(shift);
    array const fused({m}, [&](place const& i) { return 1 - 2 * (plain(i) + added(i)); });
    near(T(1) - T(2) * (rc::matmul(a, x) + shift), fused);
    y = T(1) - T(2) * (rc::matmul(x, by_columns) + shift);
    near(y, fused);
  };
  for (int m : {0, 1, 3, 4, 17, 70, 1100})
    for (int k : {0, 1, 5, 16, 67}) check(double{}, m, k);
  for (int m : {1, 6, 16, 131, 517})
    for (int k : {1, 7, 300}) check(float{}, m, k);
}

TEST_CASE("static matrix products") {
  auto const check = []<rc::index_t M, rc::index_t K, rc::index_t N>(rc::extents<M, K, N>) {
    rc::tensor<float, M, K> a;
    rc::tensor<float, K, N> b;
    reference::fill(a);
    reference::fill(b, 0.83);
    array const product({int(M), int(N)}, [&](place const& i) {
      double s = 0;
      for (int p = 0; p < K; ++p) s += static_cast<double>(a(i[0], p)) * static_cast<double>(b(p, i[1]));
      return s;
    });
    CHECK(array(rc::eval(rc::matmul(a, b))).near(product, 1e-5));
    rc::tensor<float, K> const x = b(rc::all, 0);
    array const column({M}, [&](place const& i) { return product({i[0], 0}); });
    CHECK(array(rc::eval(rc::matmul(a, x))).near(column, 1e-5));
    CHECK(array(rc::eval(rc::matmul(x, a.T()))).near(column, 1e-5));
    // the target is an operand
    if constexpr (M == K && K == N) {
      a = rc::matmul(a, b);
      CHECK(array(a).near(product, 1e-5));
    }
  };
  check(rc::extents<1, 1, 1>{});
  check(rc::extents<2, 3, 4>{});
  check(rc::extents<3, 3, 3>{});
  check(rc::extents<4, 4, 4>{});
  check(rc::extents<5, 9, 7>{});
  check(rc::extents<8, 8, 8>{});
  check(rc::extents<16, 16, 16>{});
  check(rc::extents<3, 0, 2>{});
}

TEST_CASE("products of batches, vectors and integers") {
  rc::ndarray<double, 4> a(2, 1, 3, 4);
  rc::ndarray<double, 3> b(5, 4, 2);
  reference::fill(a);
  reference::fill(b, 0.83);
  array const x(a), y(b);
  array const expected({2, 5, 3, 2}, [&](place const& i) {
    double s = 0;
    for (int p = 0; p < 4; ++p) s += x({i[0], 0, i[2], p}) * y({i[1], p, i[3]});
    return s;
  });
  CHECK(array(rc::eval(rc::matmul(a, b))).near(expected, 1e-12));
  rc::ndarray<double, 1> v(4);
  reference::fill(v, 0.61);
  array const w(v);
  CHECK(array(rc::eval(rc::matmul(a, v)))
            .near(array({2, 1, 3},
                        [&](place const& i) {
                          double s = 0;
                          for (int p = 0; p < 4; ++p) s += x({i[0], 0, i[2], p}) * w({p});
                          return s;
                        }),
                  1e-12));
  CHECK(array(rc::eval(rc::matmul(v, b)))
            .near(array({5, 2},
                        [&](place const& i) {
                          double s = 0;
                          for (int p = 0; p < 4; ++p) s += w({p}) * y({i[0], p, i[1]});
                          return s;
                        }),
                  1e-12));
  CHECK(rc::matmul(v, v).item() ==
        doctest::Approx(w({0}) * w({0}) + w({1}) * w({1}) + w({2}) * w({2}) + w({3}) * w({3})));
  rc::tensor<int, 2, 2> const i{{1, 2}, {3, 4}};
  rc::tensor<std::int64_t, 2, 2> const l{{1, 0}, {-1, 2}};
  rc::tensor<bool, 2, 2> const t{{true, true}, {false, true}};
  CHECK(numbers(rc::eval(rc::matmul(i, i))) == numbers{7, 10, 15, 22});
  CHECK(numbers(rc::eval(rc::matmul(i, l))) == numbers{-1, 4, -1, 8});
  CHECK(numbers(rc::eval(rc::matmul(t, t))) == numbers{1, 1, 0, 1});
  static_assert(std::is_same_v<decltype(rc::eval(rc::matmul(i, l)))::value_type, std::int64_t>);
}

TEST_CASE("products of vectors, norms and activations") {
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 3> const b{1, 0, -1};
  auto const check = [](auto const& x, auto const& y) {
    CHECK(numbers(rc::eval(rc::vecdot(x, y))) == numbers{-2, -2});
    CHECK(numbers(rc::eval(rc::dot(x, y))) == numbers{-2, -2});
    CHECK(rc::eval(rc::vdot(x, 2. * x)).item() == 182);
    CHECK(numbers(rc::eval(rc::outer(y, y))) == numbers{1, 0, -1, 0, 0, 0, -1, 0, 1});
    CHECK(numbers(rc::eval(rc::cross(x, y))) == numbers{-2, 4, -2, -5, 10, -5});
    CHECK(numbers(rc::eval(rc::cross(rc::matrix_transpose(x), rc::matrix_transpose(2. * x), rc::axis<0>))) ==
          numbers{0, 0, 0, 0, 0, 0});
    CHECK(numbers(rc::eval(rc::norm(x, rc::axis<1>))).near({std::sqrt(14.), std::sqrt(77.)}));
    CHECK(numbers(rc::eval(rc::silu(y))).near({1 / (1 + std::exp(-1.)), 0, -1 / (1 + std::exp(1.))}));
    // of jax.nn.gelu, and with approximate=False
    CHECK(numbers(rc::eval(rc::gelu(y))).near({0.8411919906082768, 0, -0.15880800939172324}));
    CHECK(numbers(rc::eval(rc::gelu_erf(y))).near({0.8413447460685429, 0, -0.15865525393145707}));
  };
  check(a, b);
  check(rc::ndarray<double, 2>(a), rc::ndarray<double, 1>(b));
  // far from 0 nothing cancels: gelu(-5) has the digits of the tail
  CHECK(rc::gelu(rc::tensor<double>(-5.)).item() == doctest::Approx(-2.2917961966295044e-07).epsilon(1e-12));
  rc::tensor<int, 3> const u{1, 2, 3}, v{4, 5, 6};
  static_assert(std::is_same_v<decltype(rc::eval(rc::vecdot(u, v)))::value_type, std::int32_t>);
  CHECK(rc::vecdot(u, v).item() == 32);
  CHECK(numbers(rc::eval(rc::cross(u, v))) == numbers{-3, 6, -3});
  rc::ndarray<int, 1> const two(2);
  CHECK(raised([&] { rc::eval(rc::cross(u, two)); }) == "shape_error: cross: (3,) (2,)");
  CHECK(raised([&] { rc::eval(rc::vecdot(two, v)); }) == "shape_error: vecdot: (2,) (3,)");
}
