// What differentiation has beyond grad, jvp and vjp, on the device: each as on the host.
#include "there.hpp"

#include "../raised.hpp"

namespace rc = ricci;

namespace {

rc::tensor<double, 3> const x{.5, 1, 1.5}, y{2, -1, .25};

// tan in two ways: by a rule for tangents, and by one for cotangents
constexpr auto tangents = rc::custom_jvp([](auto a) { return rc::sin(a) / rc::cos(a); },
                                         [](auto a, auto t) {
                                           auto const v = rc::sin(a) / rc::cos(a);
                                           return std::tuple{v, (1. + v * v) * t};
                                         });
constexpr auto cotangents = rc::custom_vjp([](auto a) { return rc::sin(a) / rc::cos(a); },
                                           [](auto a) {
                                             auto const v = rc::sin(a) / rc::cos(a);
                                             return std::tuple{v, v};
                                           },
                                           [](auto v, auto ct) { return std::tuple{(1. + v * v) * ct}; });

}  // namespace

TEST_CASE("rules of one's own and checkpoints there") {
  auto const f = [](auto a, auto b) { return rc::sum(tangents(a) * cotangents(.2 * b) + rc::checkpoint(tangents)(b)); };
  check_there(rc::grad(f), x, y);
  check_there(rc::grad<1>(f), x, y);
}

TEST_CASE("jacobians, hessians, batches there") {
  auto const f = [](auto a, auto b) { return rc::tanh(a) * rc::sum(a * b); };
  check_there(rc::jacfwd(f), x, y);
  check_there(rc::jacrev<1>(f), x, y);
  check_there(rc::hessian([](auto a) { return rc::sum(a * a * a) * rc::max(a); }), x);
  check_there(rc::vmap(rc::grad([](auto a, auto b) { return rc::sum(rc::exp(a) * b); }), rc::in_axes<rc::unbatched, 0>),
              x, rc::tensor<double, 2, 3>{{1, 2, 3}, {4, 5, 6}});
}
