// Pixels repeated, and made of channels; images of other sizes as PyTorch makes them, and the greatest of sequences.
#include <doctest/doctest.h>

#include <ricci/conv.hpp>

#include "../near.hpp"
#include "../raised.hpp"
#include "checked_numbers.hpp"
#include "torch_values.hpp"

namespace rc = ricci;

TEST_CASE("pixels are repeated along one to three axes") {
  rc::tensor<double, 2, 1> const s{{1}, {2}};
  check_near(rc::eval(rc::upsample<3>(s)), rc::tensor<double, 6, 1>{{1}, {1}, {1}, {2}, {2}, {2}});
  rc::ndarray<double, 3> const x = rc::tensor<double, 2, 2, 1>{{{1}, {2}}, {{3}, {4}}};
  check_near(rc::eval(rc::upsample<1, 2>(x)), rc::tensor<double, 2, 4, 1>{{{1}, {1}, {2}, {2}}, {{3}, {3}, {4}, {4}}});
  auto const sums = [](auto a) { return rc::sum(rc::square(rc::upsample<2, 3>(a))); };
  check_near(rc::grad(sums)(x), rc::eval(12. * x));
  CHECK(rc::check_grads(sums, x, {.order = 2}));
}
TEST_CASE("pixels are made of channels as PyTorch makes them") {
  // torch.pixel_shuffle(torch.arange(16.).reshape(1, 8, 1, 2), 2), with channels last
  rc::ndarray<double, 3> x(1, 2, 8);
  for (int c = 0; c < 8; ++c)
    for (int w = 0; w < 2; ++w) x(0, w, c) = 2 * c + w;
  rc::tensor<double, 2, 4, 2> const expected{{{0, 8}, {2, 10}, {1, 9}, {3, 11}}, {{4, 12}, {6, 14}, {5, 13}, {7, 15}}};
  check_near(rc::eval(rc::pixel_shuffle<2>(x)), expected);
  CHECK(rc::check_grads([](auto a) { return rc::sum(rc::sin(rc::pixel_shuffle<2>(a))); }, x));
  auto const f = [](auto a) { return rc::pixel_shuffle<2>(a); };
  check_near(rc::interpret(f)(x), expected);
  CHECK(raised([] { (void)rc::eval(rc::pixel_shuffle<2>(rc::ndarray<double, 3>(2, 2, 6))); }) ==
        "shape_error: pixel_shuffle: (2, 2, 6)");
}

namespace {
template <class X>
void check_resized(auto const& f, X const& x, pool_values const& expected) {
  check_numbers(rc::eval(f(x)), expected.y, 1e-13);
  auto const weights = [](auto const& y) {
    auto w = rc::eval(rc::zeros_like(y));
    for (rc::index_t k = 0; k < w.size(); ++k) w.data()[k] = sample_at(3, k);
    return w;
  }(rc::eval(f(x)));
  auto const loss = [f](auto const& a, auto const& w) { return rc::sum(f(a) * w); };
  check_numbers(rc::grad(loss)(x, weights), expected.by_x, 1e-13);
}
}  // namespace

TEST_CASE("other sizes as PyTorch makes them") {
  auto const line = [](auto const& x) { return rc::resize<8>(x); };
  auto const grown = [](auto const& x) { return rc::resize<9, 15>(x); };
  auto const shrunk = [](auto const& x) { return rc::resize<3, 4>(x); };
  auto const volume = [](auto const& x) { return rc::resize<5, 2, 3>(x); };
  auto const nearest = [](auto const& x) { return rc::resize_nearest<9, 3>(x); };
  check_resized(line, sample<double>(1, 2, 5, 3), resize_cases[0]);
  check_resized(grown, sample<double>(1, 2, 6, 5, 3), resize_cases[1]);
  check_resized(shrunk, sample<double>(1, 1, 7, 11, 2), resize_cases[2]);
  check_resized(volume, sample<double>(1, 1, 3, 2, 4, 2), resize_cases[3]);
  check_resized(nearest, sample<double>(1, 2, 6, 5, 3), resize_cases[4]);
  rc::tensor<double, 2, 6, 5, 3> const known = sample<double>(1, 2, 6, 5, 3);
  check_resized(grown, known, resize_cases[1]);
  static_assert(std::is_same_v<decltype(rc::eval(grown(known))), rc::tensor<double, 2, 9, 15, 3>>);
  CHECK(rc::check_grads([](auto const& a) { return rc::sum(rc::sin(rc::resize<3, 4>(a))); },
                        sample<double>(1, 1, 4, 3, 2), {.order = 2}));
  rc::tensor<int, 2, 2, 1> const whole{{{1}, {2}}, {{3}, {4}}};
  check_near(rc::eval(rc::resize_nearest<1, 3>(whole)), rc::tensor<int, 1, 3, 1>{{{1}, {1}, {2}}});
}
TEST_CASE("images without pixels are not resized") {
  rc::ndarray<double, 3> const empty(0, 4, 2);
  CHECK(raised([&] { (void)rc::resize<4, 4>(empty); }) == "value_error: resize: an axis of the images has no pixels");
  CHECK(raised([&] { (void)rc::resize_nearest<4, 4>(empty); }) ==
        "value_error: resize_nearest: an axis of the images has no pixels");
  rc::ndarray<double, 4> const none(0, 3, 4, 2);
  CHECK(rc::eval(rc::resize<4, 4>(none)).shape(0) == 0);
}
TEST_CASE("the greatest elements of a channel in their order") {
  rc::ndarray<double, 3> const x =
      rc::tensor<double, 1, 5, 2>{{{3, 1}, {9, 1}, {2, 1}, {7, 5}, {8, 0}}};  // (batch, places, channels)
  check_near(rc::eval(rc::k_max_pool<3>(x)), rc::tensor<double, 1, 3, 2>{{{9, 1}, {7, 1}, {8, 5}}});
  auto const loss = [](auto const& a) { return rc::sum(rc::square(rc::k_max_pool<3>(a))); };
  check_near(rc::grad(loss)(x), rc::tensor<double, 1, 5, 2>{{{0, 2}, {18, 2}, {0, 0}, {14, 10}, {16, 0}}});
  rc::tensor<double, 5, 2> const one = x(0);
  static_assert(std::is_same_v<decltype(rc::eval(rc::k_max_pool<2>(one))), rc::tensor<double, 2, 2>>);
  check_near(rc::vmap([](auto const& a) { return rc::k_max_pool<3>(a); })(x), rc::eval(rc::k_max_pool<3>(x)));
  CHECK(raised([&] { (void)rc::k_max_pool<6>(x); }) == "value_error: k_max_pool: 6 of 5 places");
}
