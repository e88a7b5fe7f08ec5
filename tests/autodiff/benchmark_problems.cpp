// The functions of benchmarks/autodiff at small sizes, beside values and gradients that do not come from ricci: made by
// references/make.py with 60 digits. Here those of vectors and products, and those that nest derivatives;
// benchmark_models.cpp has the others.
#include "../../benchmarks/autodiff/functions.hpp"

#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "references.hpp"

TEST_CASE("functions of a vector: sum of squares, log-sum-exp, least squares, a chain of equations of motion") {
  check_gradient<0>(bench::sum_of_squares, reference::sum_of_squares_value, reference::sum_of_squares_gradient,
                    tensor_of<7>(reference::sum_of_squares_at));
  check_gradient<0>(bench::log_sum_exp, reference::log_sum_exp_value, reference::log_sum_exp_gradient,
                    tensor_of<7>(reference::log_sum_exp_at));
  check_gradient<0>(bench::least_squares<9>, reference::least_squares_value, reference::least_squares_gradient,
                    tensor_of<6>(reference::least_squares_at));
  check_gradient<0>(bench::last_of_chain<4>, reference::chain_value, reference::chain_gradient,
                    tensor_of<5>(reference::chain_at));
}

TEST_CASE("products: their sum, logistic regression, a net of two layers") {
  auto const& at = reference::sum_of_product_at;
  check_gradient<0, 1>(bench::sum_of_product, reference::sum_of_product_value, reference::sum_of_product_gradient,
                       tensor_of<3, 4>(at), tensor_of<4, 2>(at + 12));
  check_gradient<0>(bench::logistic, reference::logistic_value, reference::logistic_gradient,
                    tensor_of<3>(reference::logistic_at), tensor_of<5, 3>(reference::logistic_data),
                    tensor_of<5>(reference::logistic_signs));
  auto const& p = reference::net_at;
  check_gradient<0, 1, 2, 3>(bench::net, reference::net_value, reference::net_gradient, tensor_of<3, 5>(p),
                             tensor_of<5>(p + 15), tensor_of<5, 2>(p + 20), tensor_of<2>(p + 30),
                             tensor_of<4, 3>(reference::net_data), tensor_of<4, 2>(reference::net_labels));
}

TEST_CASE("derivatives of derivatives: a saddle, and where a charged particle lands") {
  constexpr auto const& a = reference::height_at;
  CHECK(numbers{double(bench::rc::fn(bench::height)(a[0], a[1], 1., 1.))}.near(numbers_of(reference::height_value),
                                                                               1e-10));
  auto const gradient = bench::rc::jacfwd<0, 1>(bench::height);
  auto const [by_x, by_y] = gradient(a[0], a[1], 1., 1.);
  CHECK(numbers{double(by_x), double(by_y)}.near(numbers_of(reference::height_gradient), 1e-10));

  auto const first = bench::lowest<2>([](auto x) { return double(bench::rc::fn(bench::height)(x[0], x[1], 1., 1.)); },
                                      [&](auto x) {
                                        auto const [gx, gy] = gradient(x[0], x[1], 1., 1.);
                                        return std::array{double(gx), double(gy)};
                                      },
                                      {1, 0.5});
  auto const [x2, y2] = bench::rc::fn(bench::highest)(first[0], first[1], 1., 1.);
  CHECK(numbers{first[0], first[1], double(x2), double(y2)}.near(numbers_of(reference::saddle_point), 1e-10));

  auto const [end, slope] = bench::rc::jvp(bench::landing)(reference::landing_at[0])(1.);
  CHECK(numbers{double(end)}.near(numbers_of(reference::landing_value), 1e-10));
  CHECK(numbers{double(slope)}.near(numbers_of(reference::landing_gradient), 1e-10));
  auto const w =
      bench::lowest<1>([](auto x) { return double(bench::rc::fn(bench::landing)(x[0])); },
                       [](auto x) { return std::array{double(bench::rc::jvp(bench::landing)(x[0])(1.).second)}; }, {0});
  CHECK(numbers{w[0]}.near(numbers_of(reference::lowest_landing), 1e-8));
}
