// Convolutions against jax.lax.conv_general_dilated: strides, zeros around images, dilations, groups, no batch, windows
// larger than images; one axis; batches, derivatives, threads, constant expressions.
#include <doctest/doctest.h>

#include <ricci/conv.hpp>

#include "../near.hpp"
#include "../raised.hpp"
#include "checked_numbers.hpp"
#include "jax_values.hpp"

namespace rc = ricci;

namespace {

struct sizes {
  int n, h, w, c, i, j, f;
};
template <rc::conv_options O, class T>
void compare(int at, sizes s, double tolerance) {
  CAPTURE(at);
  int const channels = int(s.c / O.groups);
  auto const x = sample<T>(1, s.n, s.h, s.w, s.c);
  auto const w = sample<T>(2, s.i, s.j, channels, s.f);
  auto const y = rc::eval(rc::conv<O>(x, w));
  check_numbers(y, conv_cases[at].y, tolerance);
  auto const ct = sample<T>(3, int(y.shape(0)), int(y.shape(1)), int(y.shape(2)), int(y.shape(3)));
  auto const [value, back] = rc::vjp([](auto a, auto b) { return rc::conv<O>(a, b); })(x, w);
  auto const [by_x, by_w] = back(ct);
  check_numbers(by_x, conv_cases[at].by_x, tolerance);
  check_numbers(by_w, conv_cases[at].by_w, tolerance);
}
template <class T>
void compare_all(double tolerance) {
  using o = rc::conv_options;
  compare<o{.pad = 1}, T>(0, {2, 9, 11, 3, 3, 3, 5}, tolerance);
  compare<o{.stride = {2, 1}, .pad = {1, 0}}, T>(1, {1, 8, 10, 4, 3, 3, 33}, tolerance);
  compare<o{.stride = {1, 2}, .pad = {2, 1}, .dilation = {2, 3}}, T>(2, {1, 12, 9, 2, 3, 2, 7}, tolerance);
  compare<o{.stride = 2, .pad = {0, 1}, .groups = 2}, T>(3, {2, 7, 7, 6, 3, 3, 4}, tolerance);
  compare<o{.stride = {3, 2}, .pad = {1, 2}, .dilation = {1, 2}, .groups = 4}, T>(4, {1, 5, 6, 4, 2, 3, 4}, tolerance);
  compare<o{}, T>(5, {3, 1, 1, 1, 1, 1, 1}, tolerance);
  compare<o{}, T>(6, {1, 4, 4, 70, 1, 1, 40}, tolerance);
  compare<o{}, T>(7, {1, 3, 3, 2, 5, 5, 2}, tolerance);
  compare<o{.pad = 1}, T>(8, {0, 4, 4, 2, 3, 3, 2}, tolerance);
  compare<o{.stride = 3, .pad = 2, .dilation = {2, 1}}, T>(9, {1, 40, 30, 8, 5, 5, 35}, tolerance);
}

}  // namespace

TEST_CASE("values and cotangents are those of jax, double") { compare_all<double>(1e-13); }
TEST_CASE("values and cotangents are those of jax, float") { compare_all<float>(2e-6); }
