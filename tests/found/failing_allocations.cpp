// 18: the n-th allocation fails, for every n until none is left to fail. Nothing leaks, and what was to be assigned
// keeps its value.
#if defined(__cpp_exceptions)
#include "../failing.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "../numbers.hpp"

namespace rc = ricci;
using vector = rc::ndarray<double, 1>;
using matrix = rc::ndarray<double, 2>;
using large = rc::tensor<float, 200, 200>;

namespace {

matrix square(int n) {
  matrix a = rc::ones<double>(rc::shape(n, n));
  for (int k = 0; k < n; ++k) a(k, (3 * k + 1) % n) = k;
  return a;
}
constexpr auto loss = [](auto a, auto b) { return rc::mean(rc::square(rc::tanh(rc::matmul(a, b)))); };
// a product behind a step that has written the other result: packing has to do without memory
constexpr auto beside_product = [](auto x, auto a, auto b) { return std::tuple(x + 1., rc::matmul(a, b)); };
constexpr auto two_results = [](auto a, auto b) { return std::tuple(rc::matmul(a, b), rc::matmul(b, a)); };

}  // namespace

TEST_CASE("18: statements") {
  matrix a = square(80), b = a, y = a, other(3, 3);
  CHECK(fails_cleanly([&] { matrix c = a + b; }) >= 1);
  CHECK(fails_cleanly([&] { (void)rc::eval(rc::exp(rc::matmul(a, b)) + rc::matmul(b, a)); }) >= 2);
  CHECK(fails_cleanly([&] { y = rc::exp(rc::matmul(a, b)) + rc::matmul(b, a); }, y) >= 1);
  y = a;
  CHECK(fails_cleanly([&] { y = rc::matmul(y, y); }, y) >= 1);
  y = a;
  CHECK(fails_cleanly([&] { y = y.T() + 0.; }, y) >= 1);
  CHECK(fails_cleanly([&] { other = a + b; }, other) >= 1);
  y = a;
  CHECK(fails_cleanly([&] { y(rc::all, rc::range(0, 79)) = y(rc::all, rc::range(1, 80)); }, y) == 1);
  y = a;
  CHECK(fails_cleanly([&] { y(y > 1.) = 2.; }, y) >= 1);
  y = a;
  CHECK(fails_cleanly([&] { y(y > 70.) = rc::arange<double>(9); }, y) >= 3);
  y = a;
  rc::tensor<std::int64_t, 3> const rows{5, 1, 5};
  CHECK(fails_cleanly([&] { y(rows) += a(rows); }, y) >= 1);
}

TEST_CASE("18: construction and copies") {
  matrix const a = square(20);
  vector const x = rc::arange<double>(6);
  CHECK(fails_cleanly([&] {
          matrix const b = a, c = rc::concat(b, a), d = rc::stack(x, x);
          auto const e = rc::eval(rc::take(b, rc::arange<std::int64_t>(3), rc::axis<0>));
          auto const f = rc::eval(rc::flip(c(rc::all, 1)) * 2.)(rc::all);
          std::vector<matrix> many(3, a);
          many.push_back(b);
          (void)rc::eval(rc::sum(a, 0));  // an axis named at run time, of an expression, too
          (void)rc::eval(rc::max(a + b, -1));
          (void)vector{1, 2, 3};
          (void)rc::copy(a, rc::cpu{});
        }) >= 15);
  CHECK(fails_cleanly([&] {
          large b = rc::ones<float>(rc::extents<200, 200>{}), c = std::move(b);
          c = b + c;
          b = std::move(c);
          c(0, rc::all) = b(1, rc::all);
        }) >= 3);
}

TEST_CASE("18: functions") {
  matrix a = square(80), b = a, p = a, q = a;
  auto const gradient = rc::grad<0, 1>(loss);
  CHECK(fails_cleanly([&] { (void)rc::fn(two_results)(a, b); }) >= 2);
  CHECK(fails_cleanly([&] { (void)gradient(a, b); }) >= 3);
  CHECK(fails_cleanly([&] { gradient.into(p, q)(a, b); }, p, q) >= 1);
  p = a, q = b;
  CHECK(fails_cleanly([&] { gradient.into(p, q)(p, q); }, p, q) >= 1);
  p = a, q = b;
  CHECK(fails_cleanly([&] { rc::fn(two_results).into(p, q)(p, q); }, p, q) >= 2);
  p = a, q = b;
  CHECK(fails_cleanly(
            [&] {
              auto step = rc::prepared(rc::fn(two_results));
              step.into(p, q)(p, q);
            },
            p, q) >= 2);
  CHECK(fails_cleanly([&] { (void)rc::vmap([](auto x) { return rc::sum(rc::exp(x)) * x; })(a); }) >= 1);
}

TEST_CASE("18: products that are packed") {
  // what a thread packs in, it keeps: so one that has packed nothing yet
  auto const in_new_thread = [](auto const& program, auto const&... targets) {
    int failed = 0;
    std::thread([&] { failed = fails_cleanly(program, targets...); }).join();
    return failed;
  };
  vector const x = rc::arange<double>(5), twice = rc::arange<double>(10000) * 1e-3;
  matrix const a = rc::reshape(rc::arange<double>(20 * 5000), rc::shape(20, 5000)) * 1e-3;
  auto const write = [&](auto const& f, auto& u, auto& v, auto const&... args) {
    auto const [first, second] = rc::fn(f)(args...);
    u = 0., v = 0.;
    int const failed = in_new_thread([&] { rc::fn(f).into(u, v)(args...); }, u, v);
    CHECK(numbers(u) == numbers(first));
    CHECK(numbers(v).near(numbers(second)));
    return failed;
  };
  for (int columns : {2, 5, 8, 40}) {
    matrix const b = rc::reshape(rc::arange<double>(5000 * columns), rc::shape(5000, columns)) * 1e-3;
    vector u = x;
    matrix v(20, columns);
    CHECK(write(beside_product, u, v, x, a, b) == 1);
    // a statement that is nothing but the product
    matrix const product = v;
    v = 0.;
    CHECK(in_new_thread([&] { v = rc::matmul(a, b); }, v) == 1);
    CHECK(numbers(v).near(numbers(product)));
  }
  vector u = x, v(20);
  auto const every_second = twice(rc::range(0, 10000, 2));
  CHECK(write(beside_product, u, v, x, a, every_second) == 1);
  vector const product = v;
  v = 0.;
  CHECK(in_new_thread([&] { v = rc::matmul(a, every_second); }, v) == 1);
  CHECK(numbers(v).near(numbers(product)));
}

TEST_CASE("18: derivatives in two steps") {
  matrix const a = square(80);
  CHECK(fails_cleanly([&] {
          auto const [value, pull] = rc::vjp(loss)(a, a);
          auto const again = pull;
          auto const [da, db] = again(1.);
        }) >= 4);
  CHECK(fails_cleanly([&] { (void)rc::jvp(loss)(a, a + 1.)(a, a); }) >= 2);
}

TEST_CASE("18: interpreted functions") {
  matrix const a = square(5);
  CHECK(fails_cleanly([&] { (void)rc::interpret(loss)(a, a); }) >= 10);
  CHECK(fails_cleanly([&] { (void)rc::interpret([](auto x) { return rc::argmax(x, rc::axis<0>); })(a); }) >= 9);
}

TEST_CASE("18: with threads") {
  matrix a = rc::copy(square(256), rc::cpu{.threads = 3}), y = a;
  CHECK(fails_cleanly([&] { y = rc::matmul(y, a) + y; }, y) >= 1);
  y = a;
  CHECK(fails_cleanly([&] { rc::fn(two_results).into(y, a)(y, a); }, y, a) >= 3);
  matrix const column = rc::ones<double>(rc::shape(256, 1)), row = rc::ones<double>(rc::shape(1, 256));
  y = 1.;
  CHECK(fails_cleanly([&] { y += column; }, y) == 1);  // one for all threads, which lies before all that is written
  CHECK(fails_cleanly([&] { y = y * row + column; }, y) >= 1);
}
#endif
