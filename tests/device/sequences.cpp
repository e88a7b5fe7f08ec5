// What runs along an axis on the device, as on the host: positions of extrema and cumulative operations over rows,
// columns and few long rows, whose threads are dealt differently.
#include "there.hpp"

#include <limits>

#include "../ops/element_loops.hpp"

namespace rc = ricci;

#if defined(RICCI_TEST_FULL)
#define SORTED_TYPES float, double, std::int8_t, std::int64_t, std::uint16_t, rc::float16
#define TYPES_WITH_EXTREMA float, double, std::int8_t, std::int64_t, rc::float16
#else  // one of each size, whole, floating and half
#define SORTED_TYPES float, std::int8_t, std::int64_t, rc::float16
#define TYPES_WITH_EXTREMA SORTED_TYPES
#endif

namespace {

// many equal elements, and extrema in several places
template <class T>
auto sample(rc::index_t rows, rc::index_t columns) {
  auto x = rc::zeros<T>(rc::shape(rows, columns));
  for (rc::index_t k = 0; k < rows * columns; ++k)
    x.data()[k] = static_cast<T>(float((k * 7919 + k / 13) % 101) - (std::is_unsigned_v<T> ? 0.f : 50.f));
  return x;
}
// elements at which blocks, tiles and parts begin and end
constexpr rc::index_t lengths[] = {0, 1, 2, 5, 31, 33, 256, 257, 1100, 3840, 3841, 4096, 4097, 9000};

template <class F, class X>
void check_same(F const& f, X const& x) {
  CHECK(elements(f(rc::copy(x, there))) == numbers(f(x)));
}
template <class X>
void check_positions(X const& x) {
  check_same([](auto const& a) { return rc::eval(rc::argmax(a, rc::axis<1>)); }, x);
  check_same([](auto const& a) { return rc::eval(rc::argmin(a.T(), rc::axis<0>)); }, x);
  if (x.shape(1) > 1)
    check_same(
        [](auto const& a) { return rc::eval(rc::argmin(a(rc::all, rc::range(a.shape(1) - 1, 0, -1)), rc::axis<1>)); },
        x);
  auto const columns = rc::eval(x.T());
  check_same([](auto const& a) { return rc::eval(rc::argmax(a, rc::axis<0>)); }, columns);
}

}  // namespace

TEST_CASE_TEMPLATE("positions of extrema", T, TYPES_WITH_EXTREMA) {
  for (rc::index_t rows : {1, 3, 40})
    for (rc::index_t n : lengths) {
      if (n == 0 || rows * n > 50000) continue;
      INFO(rows, " rows of ", n);
      check_positions(sample<T>(rows, n));
    }
  auto const x = sample<T>(1, 70001);
  CHECK(std::int64_t(rc::argmax(rc::copy(x, there))) == std::int64_t(rc::argmax(x)));
}
TEST_CASE("NaN comes first among extrema, of all that are infinite the first element") {
  for (rc::index_t n : {7, 300, 4096, 4097, 9000}) {
    INFO(n);
    auto x = sample<float>(2, n);
    x(1, n - 2) = x(1, n / 2) = std::numeric_limits<float>::quiet_NaN();
    check_positions(x);
    check_same([](auto const& a) { return rc::eval(rc::nanargmax(a, rc::axis<1>)); }, x);
    check_same([](auto const& a) { return rc::eval(rc::cumulative_max(a, rc::axis<0>)); },
               rc::eval(rc::isnan(x) * 1.f));
    auto const infinite = rc::eval(x * 0.f - std::numeric_limits<float>::infinity());
    check_positions(infinite);
  }
}
TEST_CASE_TEMPLATE("cumulative operations of integers are those of the host", T, std::int32_t, std::int64_t) {
  for (rc::index_t rows : {1, 3, 40})
    for (rc::index_t n : lengths) {
      if (rows * n > 50000) continue;
      INFO(rows, " rows of ", n);
      auto const x = sample<T>(rows, n);
      auto const columns = rc::eval(x.T());
      check_same([](auto const& a) { return rc::eval(rc::cumulative_sum(a, rc::axis<1>)); }, x);
      check_same([](auto const& a) { return rc::eval(rc::cumulative_sum(a, rc::axis<0>)); }, columns);
      check_same([](auto const& a) { return rc::eval(rc::cumulative_prod(a, rc::axis<1>)); }, x);
      check_same([](auto const& a) { return rc::eval(rc::cumulative_max(a, rc::axis<1>)); }, x);
      check_same([](auto const& a) { return rc::eval(rc::cumulative_min(a, rc::axis<0>)); }, columns);
    }
}
TEST_CASE_TEMPLATE("cumulative sums and products of floating numbers, and their gradients", T, float, double) {
  double const tolerance = sizeof(T) == 4 ? 1e-4 : 1e-11;
  for (rc::index_t rows : {1, 40})
    for (rc::index_t n : lengths) {
      if (n == 0 || rows * n > 50000) continue;
      INFO(rows, " rows of ", n);
      auto const x = rc::eval(sample<T>(rows, n) / T(100));
      auto const near_one = rc::eval(T(1) + x / T(n));
      auto const columns = rc::eval(x.T());
      auto const close = [&](auto const& f, auto const& a) {
        CHECK(elements(f(rc::copy(a, there))).near(numbers(f(a)), tolerance));
      };
      close([](auto const& a) { return rc::eval(rc::cumulative_sum(a, rc::axis<1>)); }, x);
      close([](auto const& a) { return rc::eval(rc::cumulative_sum(a, rc::axis<0>)); }, columns);
      close([](auto const& a) { return rc::eval(rc::cumulative_prod(a, rc::axis<1>)); }, near_one);
      close([](auto const& a) { return rc::eval(rc::cumulative_max(a, rc::axis<1>)); }, x);
      auto const gradient = [](auto const& a) {
        return rc::grad([](auto b) {
          return rc::sum(rc::square(rc::cumulative_sum(b, rc::axis<1>)) / 1000 + rc::cumulative_prod(b, rc::axis<1>) +
                         rc::cumulative_max(b, rc::axis<1>));
        })(a);
      };
      CHECK(elements(gradient(rc::copy(near_one, there))).near(numbers(gradient(near_one)), 10 * tolerance));
      auto in_place = rc::copy(x, there);
      in_place = rc::cumulative_sum(in_place, rc::axis<1>);
      CHECK(elements(in_place).near(numbers(rc::eval(rc::cumulative_sum(x, rc::axis<1>))), tolerance));
    }
}
TEST_CASE("sums of floating numbers are the same every time") {
  auto const x = rc::copy(rc::eval(rc::sin(rc::arange<float>(100000))), there);
  CHECK(elements(rc::eval(rc::cumulative_sum(x))) == elements(rc::eval(rc::cumulative_sum(x))));
}
TEST_CASE_TEMPLATE("sorted rows and columns, and their places", T, SORTED_TYPES) {
  for (rc::index_t rows : {1, 3, 40})
    for (rc::index_t n : lengths) {
      if (rows * n > 30000) continue;
      INFO(rows, " rows of ", n);
      auto x = sample<T>(rows, n);
      if constexpr (!std::is_integral_v<T>)
        for (rc::index_t k = 5; k < rows * n; k += 1000) {
          x.data()[k] = std::numeric_limits<float>::quiet_NaN();
          x.data()[k - 4] = T(-0.f);
          x.data()[k - 3] = T(std::numeric_limits<float>::infinity());
        }
      auto const bits = [](auto const& a) { return rc::eval(rc::where(rc::isnan(a), T(77), a)); };
      check_same([](auto const& a) { return rc::eval(rc::argsort(a, rc::axis<1>)); }, x);
      check_same([](auto const& a) { return rc::eval(rc::argsort(a, rc::axis<0>, rc::descending)); }, rc::eval(x.T()));
      check_same([&](auto const& a) { return bits(rc::eval(rc::sort(a, rc::axis<1>, rc::descending))); }, x);
      check_same([&](auto const& a) { return bits(rc::eval(rc::sort(a.T(), rc::axis<0>))); }, x);
      auto in_place = rc::copy(x, there);
      in_place = rc::sort(in_place, rc::axis<1>);
      CHECK(elements(bits(in_place)) == numbers(bits(rc::eval(rc::sort(x, rc::axis<1>)))));
      if (n >= 5) check_same([](auto const& a) { return rc::top_k(a, 5).second; }, x);
    }
}
TEST_CASE("rows that are added and written by index") {
  for (rc::index_t rows : {1, 17, 300, 2000})
    for (rc::index_t inner : {1, 3, 40})
      for (int kind = 0; kind < 3; ++kind) {  // many rows, few, one
        if (rows * inner > 30000) continue;
        INFO(rows, " rows of ", inner, ", ", kind);
        auto const y = sample<double>(rows, inner);
        auto at = rc::zeros<std::int64_t>(rc::shape(rows));
        for (rc::index_t k = 0; k < rows; ++k)
          at(k) = kind == 0 ? (k * k + 7 * k) % 501 - 250 : kind == 1 ? k / 100 % 3 : 2;
        auto const x = sample<double>(501, inner);
        auto const d = rc::copy(x, there), z = rc::copy(y, there);
        auto const i = rc::copy(at, there);
        auto const added = [](auto a, auto const& k, auto const& b) {
          a(k).add(b);
          return a;
        };
        CHECK(elements(added(d, i, z)) == numbers(added(x, at, y)));
        CHECK(elements(rc::eval(rc::put_rows<0>(d, i, z))) == numbers(rc::eval(rc::put_rows<0>(x, at, y))));
        auto const gradient = [](auto const& a, auto const& k, auto const& b) {
          return rc::grad([](auto t, auto j, auto w) { return rc::sum(w * rc::take(t, j, rc::axis<1>)); })(a, k, b);
        };
        CHECK(elements(gradient(rc::eval(d.T()), i, rc::eval(z.T()))) ==
              numbers(gradient(rc::eval(x.T()), at, rc::eval(y.T()))));
      }
  auto const x = sample<double>(3, 700);  // each row has its own
  check_same([](auto const& a) { return rc::grad([](auto b) { return rc::sum(rc::sort(b) * rc::sort(b)); })(a); }, x);
}

TEST_CASE_TEMPLATE("regions and own calls over elements of 1, 2 and 16 bytes", T, std::uint8_t, rc::float16,
                   std::complex<double>) {
  element_loops::check_regions_and_calls<T>([](auto f, auto const&... x) {
    return std::apply([](auto const&... y) { return std::tuple(rc::copy(y, rc::cpu{})...); },
                      rc::fn(f)(rc::copy(x, there)...));
  });
}
