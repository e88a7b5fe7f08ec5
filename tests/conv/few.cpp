// Convolutions with one to four results of many channels, which are dot products, against the same with a fifth, which
// goes by tiles; strides, dilations, the transpose.
#include <doctest/doctest.h>

#include <ricci/conv.hpp>

#include "../near.hpp"
#include "checked_numbers.hpp"

namespace rc = ricci;

namespace {

constexpr rc::conv_options strided{.stride = {2, 1}, .pad = {1, 2}, .dilation = {1, 2}};

template <class T>
void compare(double tolerance) {
  for (int few = 1; few <= 4; ++few) {
    auto const x = sample<T>(1, 2, 7, 9, 32);
    auto const w = sample<T>(2, 3, 3, 32, 5);
    rc::ndarray<T, 4> const some = w(rc::all, rc::all, rc::all, rc::range(0, few));
    rc::ndarray<T, 4> const whole = rc::conv<strided>(x, w);
    check_near(rc::eval(rc::conv<strided>(x, some)), rc::eval(whole(rc::all, rc::all, rc::all, rc::range(0, few))),
               tolerance);

    auto const z = sample<T>(3, 2, 4, 5, 32);
    auto const v = sample<T>(4, 3, 2, 5, 32);
    rc::ndarray<T, 4> const part = v(rc::all, rc::all, rc::range(0, few), rc::all);
    rc::ndarray<T, 4> const back = rc::conv_transpose<strided>(z, v);
    check_near(rc::eval(rc::conv_transpose<strided>(z, part)),
               rc::eval(back(rc::all, rc::all, rc::all, rc::range(0, few))), tolerance);
  }
}

}  // namespace

TEST_CASE("as by tiles, float") { compare<float>(1e-4); }
TEST_CASE("as by tiles, double") { compare<double>(1e-12); }
