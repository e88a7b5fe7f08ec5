// The larger functions of benchmarks/autodiff beside references that do not come from ricci (references/make.py).
#include "../../benchmarks/autodiff/functions.hpp"

#include <doctest/doctest.h>

#include "references.hpp"

TEST_CASE("a mixture of Gaussians, 3 components, 4 points of 3 numbers") {
  auto const& p = reference::mixture_at;
  check_gradient<0, 1, 2, 3>(bench::likelihood<3, 4>, reference::mixture_value, reference::mixture_gradient,
                             tensor_of<3>(p), tensor_of<3, 3>(p + 3), tensor_of<3, 3>(p + 12), tensor_of<3, 3>(p + 21),
                             tensor_of<4, 3>(reference::mixture_data));
}

TEST_CASE("an LSTM of two layers of 3 numbers, 5 rows") {
  auto const& p = reference::lstm_at;
  check_gradient<0, 1, 2>(bench::lstm<5>, reference::lstm_value, reference::lstm_gradient, tensor_of<2, 2, 4, 3>(p),
                          tensor_of<3, 3>(p + 48), tensor_of<2, 2, 3>(p + 57), tensor_of<5, 3>(reference::lstm_data));
}

TEST_CASE("bundle adjustment: the sparse jacobian of 15 errors by 2 cameras, 3 points and 5 weights") {
  auto const& p = reference::bundle_at;
  std::tuple const parameters(tensor_of<2, 11>(p), tensor_of<3, 3>(p + 22), tensor_of<5>(p + 31));
  ricci::tensor<int, 5> const camera_of{0, 1, 0, 1, 0}, point_of{0, 1, 2, 0, 1};
  auto const seen = tensor_of<5, 2>(reference::bundle_data);
  auto const [errors, of_weights] = ricci::fn(bench::reprojection)(parameters, camera_of, point_of, seen);
  numbers all(errors);
  for (double e : numbers(of_weights).values) all.push(e);
  CHECK(all.near(numbers_of(reference::bundle_value), 1e-10));
  auto const j = ricci::sparse_jacobian(bench::reprojection)(parameters, camera_of, point_of, seen);
  CHECK(numbers(j.dense()).near(numbers_of(reference::bundle_jacobian), 1e-10));
  CHECK(j.nonzeros() <= 31 * 5);
}
