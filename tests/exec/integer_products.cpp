// Products of integers with sums of 32 bits: factors of 8, 16 and 32 bits, with the largest and the smallest numbers,
// extents around those of tiles and of groups along the inner axis, factors of any strides, epilogues, threads; sums
// wrap. And a dense layer of bytes.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

namespace rc = ricci;
using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;

namespace {

// all bits of a type, its ends among them
template <class T>
rc::ndarray<T, 2> matrix(rc::index_t m, rc::index_t n, unsigned seed) {
  rc::ndarray<T, 2> a(m, n);
  unsigned x = seed;
  for (rc::index_t i = 0; i < m * n; ++i) {
    x = x * 1664525u + 1013904223u;
    a.data()[i] = x >> 28 == 0   ? std::numeric_limits<T>::min()
                  : x >> 28 == 1 ? std::numeric_limits<T>::max()
                                 : static_cast<T>(x >> 8);
  }
  return a;
}
template <class T, class A, class B>
rc::ndarray<T, 2> product(A const& a, B const& b) {
  rc::ndarray<T, 2> c(a.shape(0), b.shape(1));
  for (rc::index_t i = 0; i < c.shape(0); ++i)
    for (rc::index_t j = 0; j < c.shape(1); ++j) {
      std::uint64_t sum = 0;
      for (rc::index_t k = 0; k < a.shape(1); ++k)
        sum += static_cast<std::uint64_t>(std::int64_t(a(i, k))) * static_cast<std::uint64_t>(std::int64_t(b(k, j)));
      c(i, j) = static_cast<T>(sum);
    }
  return c;
}
template <class A, class B>
struct factors {
  using a = A;
  using b = B;
};

template <class A, class B>
void all_layouts(rc::index_t m, rc::index_t k, rc::index_t n, int threads = 1) {
  CAPTURE(m);
  CAPTURE(k);
  CAPTURE(n);
  rc::cpu const how{.threads = threads};
  rc::ndarray<A, 2> const a = matrix<A>(m, k, 1), at = rc::eval(a.T());
  rc::ndarray<B, 2> const b = matrix<B>(k, n, 2), bt = rc::eval(b.T());
  auto const times = [](auto const& x, auto const& y) { return rc::matmul(x, y, rc::result<i32>); };
  rc::ndarray<i32, 2> const c = product<i32>(a, b);
  CHECK(rc::array_equal(rc::eval(times(a, b), how), c));
  CHECK(rc::array_equal(rc::eval(times(at.T(), b), how), c));
  CHECK(rc::array_equal(rc::eval(times(a, bt.T()), how), c));
  rc::ndarray<A, 2> apart(2 * m, 2 * k);
  apart(rc::range(0, 2 * m, 2), rc::range(0, 2 * k, 2)) = a;
  CHECK(rc::array_equal(rc::eval(times(apart(rc::range(0, 2 * m, 2), rc::range(0, 2 * k, 2)), bt.T()), how), c));
  rc::ndarray<i32, 1> const row = rc::eval(matrix<i32>(1, n, 3)(0, rc::all));
  CHECK(rc::array_equal(rc::eval(rc::maximum(times(a, b) + row, 0), how), rc::eval(rc::maximum(c + row, 0))));
}

}  // namespace

TEST_CASE_TEMPLATE("products of narrow integers", F, factors<i8, i8>, factors<u8, i8>, factors<i16, u8>,
                   factors<i32, i8>) {
  using A = typename F::a;
  using B = typename F::b;
  for (rc::index_t const m : {1, 3, 4, 9})
    for (rc::index_t const k : {1, 6, 35}) {
      all_layouts<A, B>(m, k, 5);
      all_layouts<A, B>(m, k, 64);
    }
  all_layouts<A, B>(50, 300, 70);
  all_layouts<A, B>(37, 2100, 300, 2);  // several blocks along k, two strips
  all_layouts<A, B>(5, 0, 7);
}
TEST_CASE_TEMPLATE("sums wrap in the operands' type", T, i8, std::uint32_t, i32, std::int64_t) {
  rc::ndarray<T, 2> const a = matrix<T>(21, 33, 1), b = matrix<T>(33, 40, 2);
  CHECK(rc::array_equal(rc::eval(rc::matmul(a, b)), product<T>(a, b)));
  CHECK(rc::array_equal(rc::eval(rc::matmul(b.T(), a.T())), rc::eval(product<T>(a, b).T())));
}
TEST_CASE("who else reads a factor, and where") {
  rc::ndarray<i8, 2> const a = matrix<i8>(9, 9, 1), b = matrix<i8>(9, 9, 2);
  rc::ndarray<i32, 2> const wide = rc::eval(rc::astype<i32>(a)), c = product<i32>(a, b);
  auto const with_factor = [](auto x, auto y) {
    auto const p = rc::astype<i32>(x);
    return rc::matmul(p, rc::astype<i32>(y)) + p;
  };
  CHECK(rc::array_equal(rc::fn(with_factor)(a, b), rc::eval(c + wide)));
  auto const twice = [](auto x, auto y) {
    auto const p = rc::astype<i32>(x);
    return rc::matmul(rc::matmul(p, rc::astype<i32>(y)), p.T());
  };
  CHECK(rc::array_equal(rc::fn(twice)(a, b), product<i32>(c, rc::eval(wide.T()))));
  CHECK(rc::array_equal(rc::interpret(twice)(a, b), rc::fn(twice)(a, b)));
  auto const both = [](auto x, auto y) {
    auto const p = rc::astype<i32>(y);
    return std::pair(rc::matmul(rc::astype<i32>(x), p), p);
  };
  auto const [first, second] = rc::fn(both)(a, b);
  CHECK(rc::array_equal(first, c));
  CHECK(rc::array_equal(second, rc::eval(rc::astype<i32>(b))));
  auto const regrouped = [](auto x, auto y) {
    auto const p = rc::reshape(rc::astype<i32>(x), rc::extents<6, 6>{});
    return rc::matmul(p, rc::astype<i32>(y)) + p;
  };
  rc::tensor<i8, 2, 18> of_two;
  rc::tensor<i8, 6, 6> six;
  for (int i = 0; i < 36; ++i) of_two.data()[i] = i8(i * 71), six.data()[i] = i8(i * 53);
  CHECK(rc::array_equal(rc::fn(regrouped)(of_two, six), rc::interpret(regrouped)(of_two, six)));
  rc::tensor<i8, 3, 5, 6> batch;
  rc::tensor<i8, 6, 7> right;
  for (int i = 0; i < 90; ++i) batch.data()[i] = i8(i * 37);
  for (int i = 0; i < 42; ++i) right.data()[i] = i8(i * 91);
  rc::tensor<i32, 3, 5, 7> const all = rc::matmul(batch, right, rc::result<i32>);
  auto const one = [](auto x, auto y) { return rc::matmul(x, y, rc::result<i32>); };
  auto const mapped = rc::vmap(one, rc::in_axes<0, rc::unbatched>)(batch, right);
  for (int k = 0; k < 3; ++k) {
    auto const expected = product<i32>(rc::eval(batch(k)), right);
    CHECK(rc::array_equal(all(k), expected));
    CHECK(rc::array_equal(mapped(k), expected));
  }
  auto const sums = [](auto x, auto ys) {
    return rc::scan([x](auto h, auto y) { return std::pair(h + rc::matmul(x, y, rc::result<i32>), rc::sum(h)); },
                    rc::zeros<i32>(rc::extents<7, 5>{}), ys);
  };
  auto const [last, each] = rc::fn(sums)(rc::eval(right.T()), rc::eval(rc::matrix_transpose(batch)));
  rc::tensor<i32, 7, 5> const expected = rc::eval(rc::sum(rc::matrix_transpose(all), rc::axis<0>));
  CHECK(rc::array_equal(last, expected));
  CHECK(each.shape(0) == 3);
}

// A dense layer, quantised (B. Jacob et al., Quantization and training of neural networks for efficient
// integer-arithmetic-only inference, 2018): activations are bytes with a zero point, weights bytes of one scale for
// each unit, and sums, of 32 bits, are exact.
TEST_CASE("a dense layer of bytes") {
  rc::index_t const batch = 20, inputs = 130, units = 40;
  rc::ndarray<float, 2> x(batch, inputs), w(inputs, units);
  rc::ndarray<float, 1> bias(units);
  for (rc::index_t i = 0; i < x.size(); ++i) x.data()[i] = float(i * 31 % 97) / 97.f;
  for (rc::index_t i = 0; i < w.size(); ++i) w.data()[i] = float(i * 17 % 41 - 20) / 100.f;
  for (rc::index_t i = 0; i < units; ++i) bias(i) = float(i % 3) - 1.f;
  auto const layer = [](auto a, auto b, auto shift) { return rc::relu(rc::matmul(a, b) + shift); };

  static constexpr float x_scale = 1.2f / 255, zero = 30;
  rc::ndarray<u8, 2> const xq = rc::eval(rc::astype<u8>(rc::clip(rc::round(x / x_scale) + zero, 0.f, 255.f)));
  rc::ndarray<float, 1> const w_scale = rc::eval(rc::max(rc::abs(w), rc::axis<0>) / 127.f);
  rc::ndarray<i8, 2> const wq = rc::eval(rc::astype<i8>(rc::round(w / w_scale)));
  rc::ndarray<i32, 1> const offset = rc::eval(i32(zero) * rc::sum(rc::astype<i32>(wq), rc::axis<0>));
  auto const quantised = [](auto a, auto b, auto of_zero, auto scale, auto shift) {
    auto const sums = rc::matmul(a, b, rc::result<i32>) - of_zero;
    return rc::relu(rc::astype<float>(sums) * (x_scale * scale) + shift);
  };
  rc::ndarray<float, 2> const y = rc::fn(quantised)(xq, wq, offset, w_scale, bias), exact = rc::fn(layer)(x, w, bias);
  CHECK(rc::max(rc::abs(y - exact)).item() < .03f);
  // with the numbers that the bytes stand for it is the same layer
  rc::ndarray<float, 2> const xs = rc::eval((rc::astype<float>(xq) - zero) * x_scale),
                              ws = rc::eval(rc::astype<float>(wq) * w_scale);
  CHECK(rc::max(rc::abs(y - rc::fn(layer)(xs, ws, bias))).item() < 1e-5f);
}
