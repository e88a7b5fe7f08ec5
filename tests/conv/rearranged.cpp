// Pixels repeated, and made of channels.
#include <doctest/doctest.h>

#include <ricci/conv.hpp>

#include "../near.hpp"
#include "../raised.hpp"

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
