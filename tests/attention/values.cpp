// Attention and its gradients as JAX has them: sizes of all kinds beside those of blocks, causal, masks, biases,
// lengths.
#include <doctest/doctest.h>

#include <algorithm>

#include <ricci/attention.hpp>

#include "jax_values.hpp"

namespace rc = ricci;

namespace {

template <int Rank, class... N>
rc::ndarray<double, Rank> sample(double seed, N... n) {
  rc::ndarray<double, Rank> x(n...);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = std::sin(seed + 1.7 * double(k) * double(k));
  return x;
}
template <class T>
void check(rc::ndarray<T, 4> const& x, attention_numbers const& of, double tolerance) {
  double sum = 0, weighted = 0, largest = 1;
  for (rc::index_t k = 0; k < x.size(); ++k) {
    sum += double(x.data()[k]), weighted += double(x.data()[k]) * std::cos(double(k));
    largest = std::max(largest, std::abs(double(x.data()[k])));
  }
  REQUIRE(double(x.size()) == of.size);
  tolerance *= largest;
  auto const near = [&](double a, double b, double many) { return std::abs(a - b) <= tolerance * many; };
  CHECK(near(sum, of.sum, std::sqrt(of.size)));
  CHECK(near(weighted, of.weighted, std::sqrt(of.size)));
  CHECK(near(double(x.data()[0]), of.first, 1));
  CHECK(near(double(x.data()[x.size() / 2]), of.middle, 1));
  CHECK(near(double(x.data()[x.size() - 1]), of.last, 1));
}
template <class T, rc::attention_options O, class... B>
void compare(int number, rc::index_t b, rc::index_t h, rc::index_t m, rc::index_t n, rc::index_t d, B const&... bias) {
  CAPTURE(number);
  double const tolerance = sizeof(T) == 4 ? 2e-5 : 1e-12;
  rc::ndarray<T, 4> const q = rc::astype<T>(sample<4>(1, b, h, m, d)), k = rc::astype<T>(sample<4>(2, b, h, n, d)),
                          v = rc::astype<T>(sample<4>(3, b, h, n, d)), dy = rc::astype<T>(sample<4>(4, b, h, m, d));
  attention_values const& of = attention_cases[number];
  rc::ndarray<T, 4> const lazy = rc::attention<O>(q, k, v, bias...);
  check<T>(lazy, of.y, tolerance);
  auto const f = [](auto x, auto y, auto z, auto... w) { return rc::attention<O>(x, y, z, w...); };
  auto const [y, pull] = rc::vjp(f)(q, k, v, bias...);
  check<T>(y, of.y, tolerance);
  auto const g = pull(dy);
  check<T>(std::get<0>(g), of.by_q, tolerance);
  check<T>(std::get<1>(g), of.by_k, tolerance);
  check<T>(std::get<2>(g), of.by_v, tolerance);
}
template <class T>
void all_cases() {
  constexpr rc::attention_options causal{.causal = true}, scaled{.scale = .25}, none{};
  compare<T, none>(0, 2, 3, 5, 7, 4);
  compare<T, none>(1, 1, 2, 70, 131, 33);
  compare<T, none>(2, 1, 1, 1, 1, 1);
  compare<T, causal>(3, 1, 2, 64, 128, 64);
  compare<T, causal>(4, 1, 2, 150, 100, 20);
  compare<T, causal>(5, 1, 2, 65, 257, 16);
  rc::ndarray<bool, 4> const mask = sample<4>(5, 2, 1, 67, 129) > 0.;
  compare<T, none>(6, 2, 2, 67, 129, 8, mask);
  rc::ndarray<T, 3> const bias = rc::astype<T>(2. * sample<3>(5, 2, 67, 129));
  compare<T, none>(7, 2, 2, 67, 129, 8, bias);
  rc::ndarray<T, 3> const square = rc::astype<T>(2. * sample<3>(5, 2, 66, 66));
  compare<T, causal>(8, 2, 2, 66, 66, 8, square);
  rc::ndarray<int, 4> lengths(2, 1, 1, 1);
  lengths.data()[0] = 131, lengths.data()[1] = 2;
  rc::ndarray<bool, 4> const there = rc::arange<int>(140) < lengths;
  compare<T, none>(9, 2, 1, 9, 140, 5, there);
  compare<T, scaled>(10, 1, 1, 130, 3, 40);
}

}  // namespace

TEST_CASE("a query that is NaN reaches its own row, and no hidden place") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  rc::ndarray<float, 2> const q{{nan, 1}, {1, 1}}, k{{1, 0}, {0, 1}, {1, 1}}, v{{1, 2}, {3, 4}, {5, 6}};
  rc::ndarray<bool, 1> const seen{true, true, false}, first{true, false, false};
  constexpr auto masked = [](auto a, auto b, auto c, auto m) { return rc::attention(a, b, c, m); };
  constexpr auto total = [](auto a, auto b, auto c, auto m) { return rc::sum(rc::attention(a, b, c, m)); };
  auto const is_missing = [](auto const& x, int row) { return bool(rc::all(rc::isnan(x(row)))); };
  for (auto const& y : {rc::eval(rc::fn(masked)(q, k, v, seen)), rc::eval(rc::interpret(masked)(q, k, v, seen))}) {
    CHECK(is_missing(y, 0));
    CHECK(bool(rc::all(rc::isfinite(y(1)))));
  }
  rc::ndarray<float, 2> const ones = rc::ones<float>(rc::shape(2, 2));
  rc::ndarray<float, 2> lost = k;
  lost(0, 0) = nan;
  CHECK(is_missing(rc::eval(rc::fn(masked)(ones, lost, v, first)), 1));
  CHECK(is_missing(rc::eval(rc::interpret(masked)(ones, lost, v, first)), 1));
  auto const hidden_is_zero = [](auto const& derivatives) {
    auto const& [dk, dv] = derivatives;
    return bool(rc::all(dk(2) == 0.f)) && bool(rc::all(dv(2) == 0.f));
  };
  CHECK(hidden_is_zero(rc::grad<1, 2>(total)(q, k, v, seen)));
  CHECK(hidden_is_zero(rc::interpret(rc::grad<1, 2>(total))(q, k, v, seen)));
}
TEST_CASE("doubles as in JAX") { all_cases<double>(); }
TEST_CASE("floats") { all_cases<float>(); }
