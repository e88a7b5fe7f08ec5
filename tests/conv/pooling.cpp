// Pooling against PyTorch: windows of one to three axes, strides, padding that counts or not, dilations, few and many
// channels, adaptive averages.
#include <doctest/doctest.h>

#include <ricci/conv.hpp>

#include "checked_numbers.hpp"
#include "torch_values.hpp"

namespace rc = ricci;

namespace {

// f of a sample, and the cotangent of it, as the table has them
template <class T, class F, class... N>
void compare(pool_values const& expected, bool has_ties, double tolerance, F const& f, N... n) {
  auto x = sample<T>(1, n...);
  if (has_ties)
    for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = T(std::nearbyint(3 * sample_at(1, k)));
  auto const y = rc::eval(f(x));
  check_numbers(y, expected.y, tolerance);
  auto ct = rc::eval(y);
  for (rc::index_t k = 0; k < ct.size(); ++k) ct.data()[k] = T(sample_at(3, k));
  auto const [value, back] = rc::vjp(f)(x);
  check_numbers(std::get<0>(back(ct)), expected.by_x, tolerance);
}
template <class T, rc::pool_options O, class... N>
void max_case(int at, N... n) {
  CAPTURE(at);
  compare<T>(
      max_cases[at], true, std::is_same_v<T, float> ? 1e-6 : 1e-14, [](auto x) { return rc::max_pool<O>(x); }, n...);
}
template <class T, rc::pool_options O, class... N>
void avg_case(int at, N... n) {
  CAPTURE(at);
  compare<T>(
      avg_cases[at], false, std::is_same_v<T, float> ? 1e-6 : 1e-14, [](auto x) { return rc::avg_pool<O>(x); }, n...);
}
using o = rc::pool_options;
constexpr auto counted = rc::pool_zeros::counted, ignored = rc::pool_zeros::ignored;

template <class T>
void all_of_max() {
  max_case<T, o{.window = 2}>(0, 2, 9, 3);
  max_case<T, o{.window = 5, .stride = 3, .pad = 2}>(1, 2, 30, 20);
  max_case<T, o{.window = {2, 2}}>(2, 2, 8, 9, 5);
  max_case<T, o{.window = {3, 3}, .stride = 2, .pad = 1}>(3, 1, 12, 11, 33);
  max_case<T, o{.window = {3, 3}, .stride = 1, .pad = 1}>(4, 2, 10, 9, 1);
  max_case<T, o{.window = {3, 2}, .stride = {1, 2}, .pad = {1, 0}, .dilation = {2, 3}}>(5, 1, 13, 12, 3);
  max_case<T, o{.window = {2, 2}, .stride = 1, .pad = 1}>(6, 1, 1, 2, 2);
  max_case<T, o{.window = {3, 3}, .stride = 1, .pad = 1}>(7, 1, 40, 50, 17);
  max_case<T, o{.window = {2, 3, 2}, .stride = {2, 1, 2}, .pad = {1, 1, 0}}>(8, 2, 6, 7, 8, 4);
  max_case<T, o{.window = {3, 3, 3}, .stride = {1, 2, 2}, .pad = 1}>(9, 1, 9, 5, 6, 18);
}
template <class T>
void all_of_avg() {
  avg_case<T, o{.window = 2}>(0, 2, 9, 3);
  avg_case<T, o{.window = 5, .stride = 3, .pad = 2, .zeros = counted}>(1, 2, 30, 20);
  avg_case<T, o{.window = 5, .stride = 3, .pad = 2, .zeros = ignored}>(2, 2, 30, 20);
  avg_case<T, o{.window = {2, 2}}>(3, 2, 8, 9, 5);
  avg_case<T, o{.window = {3, 3}, .stride = 2, .pad = 1, .zeros = counted}>(4, 1, 12, 11, 33);
  avg_case<T, o{.window = {3, 3}, .stride = 2, .pad = 1, .zeros = ignored}>(5, 1, 12, 11, 33);
  avg_case<T, o{.window = {3, 3}, .stride = 1, .pad = 1, .zeros = ignored}>(6, 2, 10, 9, 1);
  avg_case<T, o{.window = {3, 2}, .stride = {4, 3}, .pad = {1, 0}, .zeros = counted}>(7, 1, 13, 12, 3);
  avg_case<T, o{.window = {3, 3}, .stride = 1, .pad = 1, .zeros = counted}>(8, 1, 40, 50, 17);
  avg_case<T, o{.window = {2, 3, 2}, .stride = {2, 1, 2}, .pad = {1, 1, 0}, .zeros = ignored}>(9, 2, 6, 7, 8, 4);
}

}  // namespace

TEST_CASE("max_pool as PyTorch's, float") { all_of_max<float>(); }
TEST_CASE("max_pool as PyTorch's, double") { all_of_max<double>(); }
TEST_CASE("avg_pool as PyTorch's, float") { all_of_avg<float>(); }
TEST_CASE("avg_pool as PyTorch's, double") { all_of_avg<double>(); }
TEST_CASE("adaptive averages as PyTorch's") {
  compare<double>(
      adaptive_cases[0], false, 1e-14, [](auto x) { return rc::adaptive_avg_pool<4>(x); }, 2, 10, 3);
  compare<double>(
      adaptive_cases[1], false, 1e-14, [](auto x) { return rc::adaptive_avg_pool<3, 4>(x); }, 1, 7, 11, 18);
  compare<float>(
      adaptive_cases[2], false, 1e-6, [](auto x) { return rc::adaptive_avg_pool<5, 5>(x); }, 2, 3, 5, 2);
  compare<double>(
      adaptive_cases[3], false, 1e-14, [](auto x) { return rc::adaptive_avg_pool<2, 6, 3>(x); }, 1, 5, 6, 7, 3);
}
