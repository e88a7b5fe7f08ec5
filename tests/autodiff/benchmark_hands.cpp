// Hand tracking of benchmarks/autodiff beside references that do not come from ricci (references/make.py): 5 points of
// a hand of 22 bones and 7 vertices, each beside its vertex, and each beside its place in a triangle.
#include "../../benchmarks/autodiff/functions.hpp"

#include <doctest/doctest.h>

#include "references.hpp"

namespace {

namespace rc = ricci;

struct tracking {
  double const* at = reference::hand_at;
  std::tuple<rc::tensor<double, 3>, rc::tensor<double, 3>, std::array<rc::tensor<double, 4>, 5>> pose{
      tensor_of<3>(at),
      tensor_of<3>(at + 3),
      {tensor_of<4>(at + 6), tensor_of<4>(at + 10), tensor_of<4>(at + 14), tensor_of<4>(at + 18),
       tensor_of<4>(at + 22)}};
  rc::tensor<double, 22, 4, 4> base = tensor_of<22, 4, 4>(reference::hand_base);
  rc::tensor<double, 88, 7> skin = rc::interpret(bench::skin_of)(tensor_of<22, 4, 4>(reference::hand_inverse),
                                                                 tensor_of<4, 7>(reference::hand_vertices),
                                                                 tensor_of<22, 7>(reference::hand_weights));
  rc::tensor<double, 3, 5> seen = tensor_of<3, 5>(reference::hand_seen);
};
template <rc::index_t... N>
rc::tensor<int, N...> integers(double const* from) {
  return rc::eval(rc::astype<int>(tensor_of<N...>(from)));
}

}  // namespace

TEST_CASE("hand tracking, each point beside a vertex") {
  tracking const t;
  auto const vertex_of = integers<5>(reference::hand_vertex_of);
  auto const [errors, jacobian] = rc::fn(bench::jacobian_of_tracked)(t.pose, t.base, t.skin, vertex_of, t.seen);
  CHECK(numbers(errors).near(numbers_of(reference::hand_value), 1e-12));
  CHECK(shape_of(jacobian) == numbers{26, 3, 5});
  CHECK(numbers(jacobian).near(numbers_of(reference::hand_jacobian), 1e-12));
}

TEST_CASE("hand tracking, each point beside a place of a triangle") {
  tracking const t;
  auto const places = tensor_of<2, 5>(reference::hand_places);
  auto const corners = integers<3, 5>(reference::hand_corners);
  auto const [errors, jacobian, by_places] =
      rc::interpret(bench::jacobian_by_triangles)(t.pose, places, t.base, t.skin, corners, t.seen);
  CHECK(numbers(errors).near(numbers_of(reference::hand_by_triangles_value), 1e-12));
  CHECK(numbers(jacobian).near(numbers_of(reference::hand_by_triangles_jacobian), 1e-12));
  CHECK(numbers(by_places).near(numbers_of(reference::hand_by_places), 1e-12));
}
