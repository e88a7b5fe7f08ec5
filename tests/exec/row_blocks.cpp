// Long plans whose steps are rows over the same elements run block by block; what may not is computed row by row.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

using vector = rc::ndarray<double, 1>;

vector some(rc::index_t n, double seed) {
  vector x(n);
  for (rc::index_t k = 0; k < n; ++k) x(k) = std::sin(seed + 0.37 * double(k)) + 1.2;
  return x;
}
// Turns three numbers again and again, so that it takes many steps. Each has all of them.
constexpr auto turned = [](auto x, auto y, auto z) {
  auto a = rc::eval(rc::sin(x) * y), b = rc::eval(rc::cos(y) + z), c = rc::eval(z * x);
  for (int k = 0; k < 9; ++k) {
    auto const s = rc::sin(a + b + c), t = rc::exp(-rc::abs(b)), u = rc::sqrt(c * c + 1.);
    auto const d = rc::eval(0.5 * a * t + s), e = rc::eval(0.5 * b * s - t), f = rc::eval(rc::tanh(u * s + t * c));
    a = d, b = e, c = f;
  }
  return std::tuple(a, b, c);
};
// the same, of values of which some are read elsewhere in the row, or are one for all
constexpr auto shifted = [](auto x, auto y, auto z) {
  auto const [a, b, c] = turned(x, y, z);
  auto const before = rc::roll(a, 1) * b, behind = rc::flip(b) * a;
  auto const [d, e, f] = turned(before, behind, c * a(0));
  auto const [g, h, i] = turned(rc::roll(d, -3), e, rc::flip(f));
  return std::tuple(g, h * d, i + before);
};

template <class F>
void check(F const& f, rc::index_t n) {
  vector const x = some(n, 0.1), y = some(n, 0.7), z = some(n, 1.9);
  auto const [a, b, c] = rc::fn(f)(x, y, z);
  auto const [p, q, r] = rc::interpret(f)(x, y, z);
  CAPTURE(n);
  CHECK(numbers(a).near(numbers(p), 1e-12));
  CHECK(numbers(b).near(numbers(q), 1e-12));
  CHECK(numbers(c).near(numbers(r), 1e-12));
}

}  // namespace

TEST_CASE("against one operation after another") {
  for (rc::index_t n : {1, 511, 2048, 2049, 5003, 40000}) {
    check(turned, n);
    check(shifted, n);
  }
}

TEST_CASE("into arguments, and by several threads") {
  constexpr rc::index_t n = 70001;
  vector const x = some(n, 0.1), y = some(n, 0.7), z = some(n, 1.9);
  auto const [a, b, c] = rc::fn(turned)(x, y, z);
  vector u = x, v = y, w = z;
  rc::fn(turned).into(u, v, w)(u, v, w);
  CHECK((numbers(u) == numbers(a) && numbers(v) == numbers(b) && numbers(w) == numbers(c)));
  vector k = x, l = y, m = z;
  rc::fn(turned).into(l, m, k)(k, l, m);
  CHECK((numbers(l) == numbers(a) && numbers(m) == numbers(b) && numbers(k) == numbers(c)));
  auto const many = rc::cpu{.threads = 3};
  auto const [d, e, f] = rc::fn(turned)(rc::eval(x, many), rc::eval(y, many), rc::eval(z, many));
  CHECK((numbers(d) == numbers(a) && numbers(e) == numbers(b) && numbers(f) == numbers(c)));
}
