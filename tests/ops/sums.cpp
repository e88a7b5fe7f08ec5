// Sums, counts and largest elements of vectors of plain numbers, conditions and masks, of lengths that leave any rest
// in the chains and lanes of their loops. Also at -O3, where g++ 12 has left elements out.
#include <ricci/ricci.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace rc = ricci;

TEST_CASE("sums of plain numbers of any length") {
  auto const check = [](auto zero) {
    using T = decltype(zero);
    for (rc::index_t n : {1, 7, 16, 31, 64, 100, 128, 1000, 4096, 10000}) {
      rc::ndarray<T, 1> x(n);
      std::int64_t sum = 0, above = 0;
      T largest = 0;
      for (rc::index_t k = 0; k < n; ++k) {
        x(k) = static_cast<T>(k * 7 % 120);
        sum += x(k), above += x(k) > 10, largest = x(k) > largest ? x(k) : largest;
      }
      bool const right = std::int64_t(rc::sum(x)) == sum && rc::eval(rc::sum(x > 10)).item() == above &&
                         rc::eval(rc::max(x)).item() == largest && rc::eval(rc::any(x > 118)).item() == (largest > 118);
      CHECK_MESSAGE(right, n);
    }
  };
  check(std::uint8_t{});
  check(std::int32_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
}

// What is in memory as bytes, and in lanes as something else: lengths around every number of lanes, from any byte on.
TEST_CASE("conditions of any length") {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(),
               numbers[] = {1, nan, -0., 0, 2, -inf, inf, -1, .5};
  bool right = true;
  for (rc::index_t n : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 255, 257, 4099})
    for (rc::index_t first : {0, 1, 3}) {
      rc::index_t const size = n + first + 1;
      rc::ndarray<double, 1> ds(size), es(size), ws(size);
      rc::ndarray<bool, 1> ps(size), qs(size), os(size);
      std::uint64_t random = 1;
      for (rc::index_t k = 0; k < size; ++k) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        ds(k) = numbers[(random >> 33) % 9], es(k) = numbers[(random >> 41) % 9], ws(k) = 9;
        ps(k) = random >> 50 & 1, qs(k) = random >> 51 & 1, os(k) = k % 2;
      }
      rc::ndarray<float, 1> const xs = rc::astype<float>(ds), ys = rc::astype<float>(es);
      rc::ndarray<float, 1> zs = rc::astype<float>(ws);
      auto const part = rc::range(first, first + n);
      auto const p = ps(part), q = qs(part);
      auto const d = ds(part), e = es(part);
      auto const x = xs(part), y = ys(part);
      auto const all_are = [&](auto const& a, auto const& f) {  // and what stands beside them is as it was
        for (rc::index_t k = 0; k < n; ++k) right &= a(first + k) == f(k);
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(a(0))>, bool>)
          right &= a(first + n) == (first + n) % 2 && (first == 0 || a(first - 1) == (first - 1) % 2);
        else
          right &= a(first + n) == 9 && (first == 0 || a(first - 1) == 9);
      };
      os(part) = rc::logical_not(p) & (q | !(p == q));
      all_are(os, [&](auto k) { return !p(k) && (q(k) || p(k) != q(k)); });
      os(part) = x < y;
      all_are(os, [&](auto k) { return x(k) < y(k); });
      os(part) = d >= e;
      all_are(os, [&](auto k) { return d(k) >= e(k); });
      os(part) = rc::isnan(x);
      all_are(os, [&](auto k) { return std::isnan(x(k)); });
      zs(part) = rc::where(p, 3.f, rc::where(x == x, x, 4.f));
      all_are(zs, [&](auto k) { return p(k) ? 3.f : x(k) == x(k) ? x(k) : 4.f; });
      ws(part) = rc::where(p, 3., rc::where(d == d, d, 4.));
      all_are(ws, [&](auto k) { return p(k) ? 3. : d(k) == d(k) ? d(k) : 4.; });
      zs(part) = 9.f;
      zs(part)(p) = 3.f;
      all_are(zs, [&](auto k) { return p(k) ? 3.f : 9.f; });
      std::int64_t trues = 0, less = 0;
      for (rc::index_t k = 0; k < n; ++k) trues += p(k), less += x(k) < y(k);
      right &= std::int64_t(rc::sum(p)) == trues && rc::eval(rc::count_nonzero(x < y)).item() == less;
      right &= rc::eval(rc::any(p)).item() == (trues > 0) && rc::eval(rc::all(p)).item() == (trues == n);
      CHECK_MESSAGE(right, n);
    }
}
TEST_CASE("one condition among many") {
  bool right = true;
  for (rc::index_t at : {0, 1, 4095, 4096, 7000, 9999}) {
    rc::ndarray<bool, 2> ps(100, 100);
    ps = false;
    ps(at / 100, at % 100) = true;
    rc::ndarray<bool, 2> const qs = rc::logical_not(ps);
    right &= rc::eval(rc::any(ps)).item() && !rc::eval(rc::any(ps & qs)).item() && std::int64_t(rc::sum(ps)) == 1;
    right &= !rc::eval(rc::all(qs)).item() && rc::eval(rc::all(ps | qs)).item() && std::int64_t(rc::sum(qs)) == 9999;
    auto const rows = rc::eval(rc::sum(ps, rc::axis<1>)), columns = rc::eval(rc::sum(ps.T(), rc::axis<1>));
    auto const whole_rows = rc::eval(rc::all(qs, rc::axis<1>));
    for (rc::index_t k = 0; k < 100; ++k)
      right &= rows(k) == (k == at / 100) && columns(k) == (k == at % 100) && whole_rows(k) == (k != at / 100);
  }
  CHECK(right);
}
TEST_CASE("conversions between floats and narrow integers") {
  double const inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(),
               numbers[] = {1.9,   -1.9,   nan,    -0.,          inf,          -inf,          127.9,
                            128,   -128.9, -129,   255.5,        256,          1e3,           4e10,
                            -4e10, 32768,  -65536, 2147483520.0, 2147483648.0, -2147483648.0, -.5};
  auto const check = [&](auto real, auto integer) {
    using T = decltype(real);
    using I = decltype(integer);
    bool right = true;
    for (rc::index_t n : {0, 1, 3, 5, 17, 21, 67}) {
      rc::ndarray<T, 1> x(n);
      rc::ndarray<I, 1> i(n);
      for (rc::index_t k = 0; k < n; ++k)
        x(k) = static_cast<T>(numbers[k % 21]), i(k) = rc::scalar::convert<I>(numbers[(k * 5 + 6) % 21]);
      rc::ndarray<I, 1> const to = rc::astype<I>(x + T(0));
      rc::ndarray<T, 1> const from = rc::astype<T>(i) * T(2);
      for (rc::index_t k = 0; k < n; ++k)
        right &= to(k) == rc::scalar::convert<I>(x(k)) && from(k) == static_cast<T>(i(k)) * 2;
    }
    CHECK_MESSAGE(right, sizeof(T), " ", sizeof(I));
  };
  check(float{}, std::int8_t{});
  check(float{}, std::int32_t{});
  check(double{}, std::uint8_t{});
}

// Rows of few columns are brought together, and reductions run along the axis that lies side by side in memory.
TEST_CASE("reductions of outer axes, of few columns and many, and of transposes") {
  for (rc::index_t n : {1, 2, 3, 10, 31, 32, 33, 100})
    for (rc::index_t m : {1, 2, 5})
      for (rc::index_t rows : {1, 7, 31, 32, 67, 1000}) {
        rc::ndarray<float, 3> x(m, rows, n);
        for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = static_cast<float>(k * 7919 % 10007 - 5000) / 128;
        rc::ndarray<double, 1> sums(n), sizes(n), largest(n);
        rc::ndarray<double, 2> parts(m, n);
        sums = 0, sizes = 0, largest = -1e30, parts = 0;
        for (rc::index_t i = 0; i < m; ++i)
          for (rc::index_t r = 0; r < rows; ++r)
            for (rc::index_t k = 0; k < n; ++k) {
              double const v = double(x(i, r, k));
              sums(k) += v, sizes(k) += std::fabs(v), parts(i, k) += v;
              largest(k) = v > largest(k) ? v : largest(k);
            }
        double const eps = std::numeric_limits<float>::epsilon() * (4 + std::log2(double(m * rows)));
        rc::ndarray<float, 1> const all = rc::sum(x, rc::axis<0, 1>), most = rc::max(x, rc::axis<0, 1>);
        rc::ndarray<float, 2> const each = rc::sum(x, rc::axis<1>);
        auto const turned = rc::permute_dims(x, rc::axis<2, 1, 0>);
        rc::ndarray<float, 1> const back = rc::sum(turned, rc::axis<1, 2>), also = rc::max(turned, rc::axis<1, 2>);
        rc::ndarray<float, 2> const crossed = rc::sum(turned, rc::axis<1>);
        bool right = true;
        for (rc::index_t k = 0; k < n; ++k) {
          double const bound = eps * sizes(k);
          right &= std::fabs(double(all(k)) - sums(k)) <= bound && std::fabs(double(back(k)) - sums(k)) <= bound;
          right &= double(most(k)) == largest(k) && double(also(k)) == largest(k);
          for (rc::index_t i = 0; i < m; ++i)
            right &= std::fabs(double(each(i, k)) - parts(i, k)) <= bound &&
                     std::fabs(double(crossed(k, i)) - parts(i, k)) <= bound;
        }
        CHECK_MESSAGE(right, m, " x ", rows, " x ", n);
      }
  // along axes that lie apart, too, a NaN is the largest of all
  rc::ndarray<float, 2> y(100, 3);
  y = 1.f;
  y(57, 1) = std::numeric_limits<float>::quiet_NaN();
  for (rc::ndarray<float, 1> const& most :
       {rc::ndarray<float, 1>(rc::max(y, rc::axis<0>)), rc::ndarray<float, 1>(rc::min(y.T(), rc::axis<1>))})
    CHECK((most(0) == 1 && std::isnan(most(1)) && most(2) == 1));
}
