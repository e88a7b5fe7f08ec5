// Convolutions of volumes against PyTorch: strides, padding, dilations, groups, the transpose; derivatives of second
// order, batches, static and dynamic extents, the interpreter, threads.
#include <doctest/doctest.h>

#include <cstring>

#include <ricci/conv.hpp>

#include "../near.hpp"
#include "../raised.hpp"
#include "checked_numbers.hpp"
#include "torch_values.hpp"

namespace rc = ricci;

namespace {

template <class T, class F, class X, class W>
void compare(volume_values const& expected, double tolerance, F const& f, X const& x, W const& w) {
  auto const y = rc::eval(f(x, w));
  check_numbers(y, expected.y, tolerance);
  auto ct = rc::eval(y);
  for (rc::index_t k = 0; k < ct.size(); ++k) ct.data()[k] = T(sample_at(3, k));
  auto const [value, back] = rc::vjp(f)(x, w);
  auto const [by_x, by_w] = back(ct);
  check_numbers(by_x, expected.by_x, tolerance);
  check_numbers(by_w, expected.by_w, tolerance);
}
struct five {
  int n, d, h, w, c;
};
template <class T>
auto sample_of(int seed, five s) {
  return sample<T>(seed, s.n, s.d, s.h, s.w, s.c);
}
template <class T, rc::conv_options O>
void forward(int at, five x, five w, double tolerance) {
  CAPTURE(at);
  compare<T>(
      volume_cases[at], tolerance, [](auto a, auto b) { return rc::conv<O>(a, b); }, sample_of<T>(1, x),
      sample_of<T>(2, w));
}
template <class T, rc::conv_options O>
void transposed(int at, five x, five w, double tolerance) {
  CAPTURE(at);
  compare<T>(
      transposed_cases[at], tolerance, [](auto a, auto b) { return rc::conv_transpose<O>(a, b); }, sample_of<T>(1, x),
      sample_of<T>(2, w));
}
template <class T>
void compare_all(double tolerance) {
  using how = rc::conv_options;
  forward<T, how{.pad = 1}>(0, {2, 5, 6, 7, 3}, {3, 3, 3, 3, 5}, tolerance);
  forward<T, how{.stride = {2, 1, 2}, .pad = {1, 0, 1}}>(1, {1, 6, 5, 8, 4}, {2, 3, 2, 4, 33}, tolerance);
  forward<T, how{.pad = {2, 1, 0}, .dilation = {2, 3, 1}}>(2, {1, 7, 6, 5, 2}, {3, 2, 2, 2, 7}, tolerance);
  forward<T, how{.stride = {1, 2, 1}, .pad = {0, 1, 1}, .groups = 2}>(3, {2, 5, 4, 4, 6}, {2, 2, 3, 3, 4}, tolerance);
  forward<T, how{}>(4, {1, 2, 3, 3, 2}, {1, 1, 1, 2, 3}, tolerance);
  forward<T, how{.stride = {3, 2, 1}, .pad = 1}>(5, {1, 9, 20, 18, 16}, {3, 3, 3, 16, 40}, tolerance);
  transposed<T, how{.stride = {2, 1, 3}, .pad = {1, 0, 1}, .extra = {1, 0, 2}}>(0, {1, 3, 4, 3, 5}, {3, 2, 3, 4, 5},
                                                                                tolerance);
  transposed<T, how{.pad = {0, 1, 0}, .dilation = {2, 1, 1}}>(1, {2, 3, 3, 2, 4}, {2, 3, 2, 3, 4}, tolerance);
}
constexpr rc::conv_options strided{.stride = {2, 1, 1}, .pad = {1, 0, 1}, .groups = 2};
constexpr auto strided_conv = [](auto x, auto w) { return rc::conv<strided>(x, w); };

}  // namespace

TEST_CASE("values and cotangents are those of PyTorch, double") { compare_all<double>(1e-13); }
TEST_CASE("values and cotangents are those of PyTorch, float") { compare_all<float>(2e-6); }
TEST_CASE("derivatives, batches, the interpreter, static extents") {
  auto const x = sample<double>(1, 2, 3, 3, 2, 4);
  auto const w = sample<double>(2, 2, 2, 2, 2, 2);
  auto const report =
      rc::check_grads([](auto a, auto b) { return rc::sum(rc::sin(strided_conv(a, b))); }, x, w, {.order = 2});
  CHECK_MESSAGE(report, report.text());
  auto const whole = rc::eval(strided_conv(x, w));
  check_near(rc::eval(rc::vmap(strided_conv, rc::in_axes<0, rc::unbatched>)(x, w)), whole);
  check_near(rc::interpret(strided_conv)(x, w), whole);
  rc::tensor<double, 2, 3, 3, 2, 4> const fixed = x;
  rc::tensor<double, 2, 2, 2, 2, 2> const weights = w;
  auto const y = rc::eval(rc::conv<strided>(fixed, weights));
  static_assert(std::is_same_v<decltype(y), rc::tensor<double, 2, 2, 2, 3, 2> const>);
  check_near(y, whole);
  rc::ndarray<double, 5> const channels_first = rc::permute_dims(x, rc::axes<0, 4, 1, 2, 3>);
  check_near(rc::eval(strided_conv(rc::permute_dims(channels_first, rc::axes<0, 2, 3, 4, 1>), w)), whole);
  auto const slope = [](auto a, auto b) { return rc::sum(rc::square(strided_conv(a, b))); };
  check_near(rc::interpret(rc::grad(slope))(x, w), rc::grad(slope)(x, w));
}
TEST_CASE("any number of threads gives the same bits") {
  auto const x = sample<float>(1, 2, 8, 30, 30, 8);
  auto const w = sample<float>(2, 3, 3, 3, 8, 24);
  auto const y = rc::conv<rc::conv_options{.pad = 1}>(x, w);
  auto const alone = rc::eval(y, rc::cpu{.threads = 1}), shared = rc::eval(y, rc::cpu{.threads = 3});
  CHECK(std::memcmp(alone.data(), shared.data(), std::size_t(alone.size()) * sizeof(float)) == 0);
}
TEST_CASE("what misfits is told") {
  rc::ndarray<float, 5> x(1, 5, 5, 5, 3), w(3, 3, 3, 2, 4);
  CHECK(raised([&] { (void)rc::eval(rc::conv(x, w)); }) == "shape_error: conv: (1, 5, 5, 5, 3) (3, 3, 3, 2, 4)");
}
