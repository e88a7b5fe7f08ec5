// 18 again, for functions of several results: calls that have a workspace, loops and branches, records, pullbacks. What
// an allocation, a check or a target refuses, it refuses before the first of them is written.
#if defined(__cpp_exceptions)
#include "../failing.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using vector = rc::ndarray<double, 1>;
using matrix = rc::ndarray<double, 2>;

namespace {

// values whose order is not that of their places; more than a call's workspace has room for on the stack
constexpr int many = 3000;
vector mixed(int n) {
  vector x = rc::zeros<double>(rc::shape(n));
  for (int k = 0; k < n; ++k) x(k) = (37 * k) % n;
  return x;
}
template <class Kind = rc::values>
struct pair_of {
  rc::field<Kind, double, rc::dyn> first;
  rc::field<Kind, double, rc::dyn, rc::dyn> second;
};

constexpr auto beside_sorted = [](auto x) { return std::tuple(x + 1., rc::sort(-x)); };
constexpr auto sums_and_sorted = [](auto start, auto rows) {
  return rc::scan([](auto c, auto row) { return std::pair(c + row, rc::sort(c - row)); }, start, rows);
};
constexpr auto either = [](auto x, auto a) {
  auto both = rc::cond(
      rc::sum(x) > 0., [](auto y, auto b) { return std::tuple(rc::cumulative_sum(y), rc::matmul(b, b)); },
      [](auto y, auto b) { return std::tuple(y * 2., b + 1.); }, x, a);
  return std::tuple(x + 1., std::get<0>(both), std::get<1>(both));
};
constexpr auto step = [](auto p, auto x) {
  auto q = p;
  q.first = p.first + rc::matmul(x, p.second);
  q.second = p.second.T() * 2.;
  return q;
};
constexpr auto loss = [](auto x, auto a) {
  auto [last, all] = rc::scan(
      [a](auto c, auto row) {
        auto next = rc::tanh(rc::matmul(c, a) + row);
        return std::pair(next, rc::sum(next));
      },
      x, a);
  return rc::sum(last) + rc::sum(all);
};

}  // namespace

TEST_CASE("18: calls with a workspace") {
  vector const x = mixed(many), sorted = rc::sort(-x);
  vector u = x, v = x, other(3);
  CHECK(fails_cleanly([&] { u = rc::sort(-x); }, u) >= 1);
  CHECK(numbers(u) == numbers(sorted));
  for (auto* target : {&v, &other}) {
    u = x;
    numbers const before(*target);
    CHECK(fails_cleanly([&] { rc::fn(beside_sorted).into(u, *target)(x); }, u) >= 1);
    CHECK(numbers(*target) == numbers(sorted));
  }
  u = x, v = x;
  CHECK(fails_cleanly([&] { rc::fn(beside_sorted).into(u, v)(u); }, u, v) >= 2);
  CHECK(numbers(v) == numbers(sorted));
  u = x, v = x;
  CHECK(fails_cleanly(
            [&] {
              auto f = rc::prepared(rc::fn(beside_sorted));
              f.into(u, v)(x);
            },
            u, v) >= 2);
  CHECK(fails_cleanly([&] { (void)rc::fn(beside_sorted)(x); }) >= 3);
  // in every iteration of a loop
  matrix const rows = rc::stack(x, 2. * x, 3. * x);
  matrix w = rows;
  u = x;
  CHECK(fails_cleanly([&] { rc::fn(sums_and_sorted).into(u, w)(x, rows); }, u, w) >= 2);
  CHECK(numbers(u) == numbers(vector(7. * x)));
  CHECK(numbers(w(2)) == numbers(vector(rc::sort(x))));
}

TEST_CASE("18: calls with a workspace, by several threads") {
  matrix const x = rc::copy(matrix(rc::reshape(mixed(64 * many), rc::shape(64, many))), rc::cpu{.threads = 3});
  matrix y = x;
  vector u = rc::ones<double>(rc::shape(64));
  CHECK(fails_cleanly([&] { y = rc::sort(-x); }, y) >= 1);
  matrix const sorted = y;
  for (int row = 0; row < 64; ++row) {
    CHECK(numbers(sorted(row)) == numbers(vector(rc::sort(-vector(x(row))))));
  }
  y = x;
  auto const both = [](auto a) { return std::tuple(rc::sum(a, rc::axis<1>), rc::sort(-a)); };
  CHECK(fails_cleanly([&] { rc::fn(both).into(u, y)(x); }, u, y) >= 1);
  CHECK(numbers(y) == numbers(sorted));
}

TEST_CASE("18: loops, branches and records") {
  vector const x = mixed(90);
  matrix const a = rc::reshape(mixed(90 * 90), rc::shape(90, 90)) * 1e-4;
  vector u = x, v = x, small(3);
  matrix w = a, narrow(1, 2);
  for (double sign : {1., -1.}) {
    vector const y = sign * x;
    u = x, v = x, w = a;
    CHECK(fails_cleanly([&] { rc::fn(either).into(u, v, w)(y, a); }, u, v, w) >= 1);
    u = x, v = x, w = a;
    CHECK(fails_cleanly([&] { rc::fn(either).into(u, v, w)(u, w); }, u, v, w) >= 1);
    small = rc::zeros<double>(rc::shape(3)), narrow = rc::zeros<double>(rc::shape(1, 2)), u = x;
    CHECK(fails_cleanly([&] { rc::fn(either).into(u, small, narrow)(y, a); }, u, small, narrow) >= 3);
  }
  pair_of<> p{x, a}, q{x, a}, r{small, narrow};
  CHECK(fails_cleanly([&] { rc::fn(step).into(q)(p, x); }, q.first, q.second) >= 0);
  q = p;
  CHECK(fails_cleanly([&] { rc::fn(step).into(q)(q, x); }, q.first, q.second) >= 1);
  r = {vector(3), matrix(1, 2)};
  CHECK(fails_cleanly([&] { rc::fn(step).into(r)(p, x); }, r.first, r.second) >= 2);
  CHECK(fails_cleanly([&] { (void)rc::fn(step)(p, x); }) >= 2);
}

TEST_CASE("18: derivatives of loops, pullbacks, and the same interpreted") {
  vector const x = mixed(60);
  matrix const a = rc::reshape(mixed(60 * 60), rc::shape(60, 60)) * 1e-4;
  vector u = x;
  matrix w = a;
  CHECK(fails_cleanly([&] { (rc::grad<0, 1>(loss)).into(u, w)(x, a); }, u, w) >= 1);
  u = x, w = a;
  CHECK(fails_cleanly([&] { (rc::grad<0, 1>(loss)).into(u, w)(u, w); }, u, w) >= 1);
  vector const du = u;
  // what a pullback keeps: on the heap, and, of known extents, in itself
  auto const pulls = [](auto const& f, auto const& from, auto const& by, auto const& same) {
    return fails_cleanly([&] {
      auto const [last, pull] = rc::vjp(f)(from, by);
      auto const again = pull;
      auto const [dx, da] = again(1.);
      bool right = true;
      for (int k = 0; k < dx.size(); ++k) right = right && std::abs(dx(k) - same(k)) < 1e-9;
      if (!right) std::abort();
    });
  };
  CHECK(pulls(loss, x, a, du) >= 4);
  auto const layer = [](auto y, auto b) { return rc::sum(rc::tanh(rc::matmul(y, b))); };
  rc::tensor<double, 6> const few = x(rc::range(0, 6));
  rc::tensor<double, 6, 6> const square = a(rc::range(0, 6), rc::range(0, 6));
  CHECK(pulls(layer, few, square, rc::grad(layer)(few, square)) == 0);
  CHECK(pulls(loss, few, square, rc::grad(loss)(few, square)) == 0);
  CHECK(pulls(layer, x, a, rc::grad(layer)(x, a)) >= 3);
  vector const short_x = x(rc::range(0, 4));
  matrix const short_a = a(rc::range(0, 4), rc::range(0, 4));
  CHECK(fails_cleanly([&] { (void)rc::interpret(loss)(short_x, short_a); }) >= 10);
  CHECK(fails_cleanly([&] { (void)rc::interpret(rc::vjp(loss))(short_x, short_a).second(1.); }) >= 10);
  CHECK(fails_cleanly([&] { (void)rc::interpret(either)(short_x, short_a); }) >= 10);
}

TEST_CASE("18: errors in a loop") {
  vector const x = mixed(5);
  rc::ndarray<std::int64_t, 1> const at{0, 1, 7};
  auto const gathers = [](auto y, auto indices) {
    auto [last, all] = rc::scan(
        [y](auto c, auto i) {
          auto next = c + rc::take(y, rc::stack(i, i, i, i, i));
          return std::pair(next, 2. * next);
        },
        y, indices);
    return std::tuple(y + 1., last, all);
  };
  vector u = x, v = x;
  matrix w = rc::ones<double>(rc::shape(3, 5));
  CHECK(raised([&] { rc::fn(gathers).into(u, v, w)(x, at); }) ==
        "index_error: take: index 7 is out of range for an axis of 5");
  CHECK(numbers(u) == numbers(x));
  CHECK(numbers(v) == numbers(x));
  for (double const e : w) CHECK(e == 1);
}
#endif
