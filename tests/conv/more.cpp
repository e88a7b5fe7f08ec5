// Convolutions beyond their values: one axis, static extents, derivatives, batches, views, errors.
#include <doctest/doctest.h>

#include <cstring>

#include <ricci/conv.hpp>

#include "../near.hpp"
#include "../raised.hpp"

namespace rc = ricci;

static constexpr rc::conv_options strided{.stride = {2, 1}, .pad = {1, 2}, .dilation = {2, 1}, .groups = 2};

TEST_CASE("one axis, static extents, by hand") {
  rc::tensor<double, 4, 1> const x{{1}, {2}, {3}, {4}};
  rc::tensor<double, 3, 1, 2> const w{{{1, 0}}, {{0, 1}}, {{-1, 2}}};
  auto const y = rc::eval(rc::conv(x, w));
  static_assert(std::is_same_v<decltype(y), rc::tensor<double, 2, 2> const>);
  check_near(y, rc::tensor<double, 2, 2>{{-2, 8}, {-2, 11}});
  constexpr rc::conv_options two{.stride = 2, .pad = 1};
  check_near(rc::eval(rc::conv<two>(x, w)), rc::tensor<double, 2, 2>{{-2, 5}, {-2, 11}});
  auto const z = rc::eval(rc::conv_transpose<two>(rc::tensor<double, 2, 2>{{1, 2}, {3, 4}}, w));
  check_near(z, rc::tensor<double, 3, 1>{{2}, {3 + 3}, {4}});
}
TEST_CASE("the transpose is the transpose: inner products are the same") {
  constexpr rc::conv_options transposed{
      .stride = {2, 3}, .pad = {1, 0}, .dilation = {1, 2}, .groups = 2, .extra = {1, 2}};
  constexpr rc::conv_options forward{.stride = {2, 3}, .pad = {1, 0}, .dilation = {1, 2}, .groups = 2};
  rc::ndarray<double, 4> z(2, 4, 3, 6), w(3, 2, 2, 6);
  for (rc::index_t k = 0; k < z.size(); ++k) z.data()[k] = std::sin(1.3 * double(k * k));
  for (rc::index_t k = 0; k < w.size(); ++k) w.data()[k] = std::cos(2.1 * double(k * k));
  auto const x = rc::eval(rc::conv_transpose<transposed>(z, w));
  CHECK(x.shape(1) == 8);
  CHECK(x.shape(2) == 11);
  CHECK(x.shape(3) == 4);
  CHECK(double(rc::sum(x * x)) == doctest::Approx(double(rc::sum(z * rc::conv<forward>(x, w)))));
}
TEST_CASE("derivatives") {
  rc::ndarray<double, 4> x(2, 4, 3, 4), w(2, 3, 2, 2);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = std::sin(1.3 * double(k * k));
  for (rc::index_t k = 0; k < w.size(); ++k) w.data()[k] = std::cos(2.1 * double(k * k));
  auto const report =
      rc::check_grads([](auto a, auto b) { return rc::sum(rc::sin(rc::conv<strided>(a, b))); }, x, w, {.order = 2});
  CHECK_MESSAGE(report, report.text());
  rc::ndarray<double, 4> z(1, 2, 3, 2);
  for (rc::index_t k = 0; k < z.size(); ++k) z.data()[k] = std::sin(.7 * double(k * k));
  auto const transposed = rc::check_grads(
      [](auto a, auto b) { return rc::sum(rc::sin(rc::conv_transpose<strided>(a, b))); }, z, w, {.order = 2});
  CHECK_MESSAGE(transposed, transposed.text());
}
TEST_CASE("batches of weights, views, integers") {
  rc::ndarray<float, 4> x(3, 5, 6, 2), w(3, 3, 2, 4);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = float(k % 7) - 3;
  for (rc::index_t k = 0; k < w.size(); ++k) w.data()[k] = float(k % 5) - 2;
  auto const whole = rc::eval(rc::conv(x, w));
  check_near(rc::eval(rc::vmap([](auto a, auto b) { return rc::conv(a, b); }, rc::in_axes<0, rc::unbatched>)(x, w)),
             whole);
  rc::ndarray<float, 4> const first = rc::permute_dims(x, rc::axes<0, 3, 1, 2>);  // channels first
  check_near(rc::eval(rc::conv(rc::permute_dims(first, rc::axes<0, 2, 3, 1>), w)), whole);
  rc::ndarray<int, 4> const xi = rc::astype<int>(x), wi = rc::astype<int>(w);
  check_near(rc::eval(rc::astype<float>(rc::conv(xi, wi))), whole);
}
TEST_CASE("any number of threads gives the same bits") {
  static constexpr rc::conv_options half{.stride = 2, .pad = 1};
  rc::ndarray<float, 4> x(3, 70, 90, 16), w(3, 3, 16, 24);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = float(std::sin(1.3 * double(k % 977)));
  for (rc::index_t k = 0; k < w.size(); ++k) w.data()[k] = float(std::cos(2.1 * double(k % 983)));
  auto const same = [](auto const& y) {
    auto const alone = rc::eval(y, rc::cpu{.threads = 1}), shared = rc::eval(y, rc::cpu{.threads = 3});
    CHECK(double(rc::sum(rc::abs(alone))) > 0);
    return std::memcmp(alone.data(), shared.data(), std::size_t(alone.size()) * sizeof(float)) == 0;
  };
  CHECK(same(rc::conv<half>(x, w)));
  auto const z = rc::eval(rc::conv<half>(x, w));
  CHECK(same(rc::conv_transpose<half>(z, w)));
}
TEST_CASE("what misfits is told") {
  rc::ndarray<float, 4> x(1, 5, 5, 3), w(3, 3, 2, 4);
  CHECK(raised([&] { (void)rc::eval(rc::conv(x, w)); }) == "shape_error: conv: (1, 5, 5, 3) (3, 3, 2, 4)");
  CHECK(raised([&] { (void)rc::eval(rc::conv_transpose(x, w)); }) ==
        "shape_error: conv_transpose: (1, 5, 5, 3) (3, 3, 2, 4)");
}
constexpr rc::tensor<double, 2, 1> in_a_constant() {
  return rc::conv(rc::tensor<double, 3, 1>{{1}, {2}, {4}}, rc::tensor<double, 2, 1, 1>{{{1}}, {{-1}}});
}
TEST_CASE("constant expressions") {
  constexpr auto y = in_a_constant();
  CHECK(y(0, 0) == -1);
  CHECK(y(1, 0) == -2);
}
