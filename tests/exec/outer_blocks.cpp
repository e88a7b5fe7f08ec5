// Steps that share their outermost loop run in blocks of it (exec/cpu/outer_blocks.hpp) where arrays are large. What
// comes out is what the steps make one after another, bit for bit, with any number of threads, and where targets are
// operands.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

template <class X>
X noise(X x, unsigned seed) {
  using T = typename X::value_type;
  for (rc::index_t k = 0; k < x.size(); ++k)
    x.data()[k] = T((seed = seed * 1664525u + 1013904223u) >> 8) / T(1 << 23) - 1;
  return x;
}
using matrix = rc::ndarray<float, 2>;
using cube = rc::ndarray<float, 3>;

// The same rows, few at a time: what fits in caches is not run in blocks.
template <class F>
matrix by_few_rows(F const& f, matrix const& x) {
  matrix y(x.shape(0), x.shape(1));
  for (rc::index_t i = 0; i < x.shape(0); i += 4) {
    rc::index_t const to = i + 4 < x.shape(0) ? i + 4 : x.shape(0);
    matrix const part = x(rc::range(i, to));
    y(rc::range(i, to)) = rc::fn(f)(part);
  }
  return y;
}

constexpr auto softmax = [](auto x) { return rc::softmax(x, rc::axis<1>); };
constexpr auto normalised = [](auto x) {
  auto const d = x - rc::mean(x, rc::axis<1>, rc::keepdims);
  return d * rc::rsqrt(rc::mean(rc::square(d), rc::axis<1>, rc::keepdims) + 1e-5f);
};
// reads its operand again behind the sums, also from the other end
constexpr auto mixed = [](auto x) {
  auto const s = rc::sum(rc::exp(x), rc::axis<1>, rc::keepdims);
  return x / s + rc::max(x, rc::axis<1>, rc::keepdims) * rc::flip(x, rc::axis<1>);
};
// the last step reads rows of others: there is nothing to run in blocks
constexpr auto upside_down = [](auto x) {
  auto const y = x / rc::sum(x, rc::axis<1>, rc::keepdims);
  return y + rc::flip(y / rc::max(y, rc::axis<1>, rc::keepdims), rc::axis<0>);
};

template <class F>
void check_rows(F const& f, rc::index_t rows, rc::index_t columns) {
  CAPTURE(rows);
  CAPTURE(columns);
  matrix const x = noise(matrix(rows, columns), unsigned(rows + columns));
  matrix const expected = by_few_rows(f, x);
  matrix y = rc::fn(f)(x);
  CHECK(rc::all(y == expected));
  y = x;
  y = f(y);  // a statement whose target is an operand
  CHECK(rc::all(y == expected));
  for (int threads : {2, 3, 7}) {
    matrix const z = rc::eval(f(x), rc::cpu{.threads = threads});
    CHECK(rc::all(z == expected));
  }
}

}  // namespace

TEST_CASE("rows that are normalised") {
  for (auto const& [rows, columns] : {std::pair{700, 300}, {257, 1024}, {5000, 33}, {3, 100000}, {2, 17}}) {
    check_rows(softmax, rows, columns);
    check_rows(normalised, rows, columns);
    check_rows(mixed, rows, columns);
  }
}
TEST_CASE("rows that read others are not run in blocks") {
  matrix const x = rc::exp(noise(matrix(900, 200), 5));
  matrix const y = rc::fn(upside_down)(x), a = x / rc::sum(x, rc::axis<1>, rc::keepdims),
               b = a / rc::max(a, rc::axis<1>, rc::keepdims), expected = a + rc::flip(b, rc::axis<0>);
  CHECK(rc::all(y == expected));
  matrix z = x;
  z = upside_down(z);
  CHECK(rc::all(z == expected));
}
// A buffer that is also read backwards, and such that several parts are written to, the last of them first.
constexpr auto turned = [](auto x) {
  auto const t = rc::tanh(x);
  return t / (rc::sum(t * rc::flip(t, rc::axis<1>), rc::axis<1>, rc::keepdims) + 200.f);
};
constexpr auto joined = [](auto x) {
  auto const y = rc::concat(rc::tanh(x), rc::exp(x), rc::axis<1>);
  return y / rc::sum(y, rc::axis<1>, rc::keepdims);
};
constexpr auto padded = [](auto x) {
  auto const y = rc::pad(rc::exp(x), rc::shape(3, 5), rc::reflect, rc::axis<1>);
  return y / rc::sum(y * rc::roll(y, 3, rc::axis<1>), rc::axis<1>, rc::keepdims);
};
template <class F>
void check_other_rows(F const& f, rc::index_t rows, rc::index_t columns) {
  matrix const x = noise(matrix(rows, columns), unsigned(rows * columns));
  matrix const y = rc::fn(f)(x);
  for (rc::index_t i = 0; i < rows; i += 4) {
    auto const some = rc::range(i, i + 4 < rows ? i + 4 : rows);
    matrix const part = x(some);
    CHECK(rc::all(rc::fn(f)(part) == y(some)));
  }
}
TEST_CASE("rows that are turned and joined") {
  for (rc::index_t columns : {128, 1000}) {
    check_other_rows(turned, 3001, columns);
    check_other_rows(joined, 3001, columns);
    check_other_rows(padded, 3001, columns);
  }
}

TEST_CASE("targets that are parts and transposes of operands") {
  matrix const x = noise(matrix(600, 600), 7);
  matrix const expected = rc::fn(softmax)(x);
  matrix y = x;
  y.T() = rc::softmax(y, rc::axis<1>);  // which needs a copy
  CHECK(rc::all(y.T() == expected));
  matrix shifted(601, 600);
  shifted(rc::range(0, 600)) = x;
  shifted(rc::range(1, rc::end)) = rc::softmax(shifted(rc::range(0, 600)), rc::axis<1>);
  CHECK(rc::all(shifted(rc::range(1, rc::end)) == expected));
}
TEST_CASE("sums over the middle axis, and several results") {
  cube const x = noise(cube(64, 40, 70), 9);
  auto const f = [](auto v) {
    auto const e = rc::exp(v - rc::max(v, rc::axis<1>, rc::keepdims));
    auto const s = rc::sum(e, rc::axis<1>, rc::keepdims);
    return std::pair{e / s, rc::sum(rc::square(e / s), rc::axis<1>)};
  };
  auto const [y, q] = rc::fn(f)(x);
  for (rc::index_t k : {0, 31, 63}) {
    cube const one = x(rc::range(k, k + 1));
    auto const [a, b] = rc::fn(f)(one);
    CHECK(rc::all(y(k) == a(0)));
    CHECK(rc::all(q(k) == b(0)));
  }
}
TEST_CASE("gradients of what is normalised") {
  matrix const x = noise(matrix(400, 400), 11), w = noise(matrix(400, 400), 12);
  auto const loss = [](auto a, auto b) { return rc::sum(b * softmax(normalised(a))); };
  matrix const g = rc::grad(loss)(x, w);
  for (rc::index_t i : {0, 1, 200, 399}) {
    matrix const a = x(rc::range(i, i + 1)), b = w(rc::range(i, i + 1));
    CHECK(rc::allclose(rc::grad(loss)(a, b), g(rc::range(i, i + 1)), 1e-5, 1e-6));
  }
}
