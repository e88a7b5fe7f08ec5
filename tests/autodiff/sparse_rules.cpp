// Sparse jacobians of functions with derivative rules of their own, of checkpoints, and of what equations define: none
// of their values depends on the arguments by what was recorded for them alone.
#include "../sparse.hpp"

namespace {

constexpr auto softplus = rc::custom_jvp([](auto x) { return rc::log(1. + rc::exp(x)); },
                                         [](auto x, auto t) {
                                           return std::tuple{rc::log(1. + rc::exp(x)), t * rc::sigmoid(x)};
                                         });
constexpr auto product = rc::custom_vjp([](auto a, auto b) { return a * b; },
                                        [](auto a, auto b) {
                                          return std::tuple{a * b, std::tuple{a, b}};
                                        },
                                        [](auto kept, auto ct) {
                                          auto [a, b] = kept;
                                          return std::tuple{ct * b, ct * a};
                                        });
// a derivative where the function itself has none
constexpr auto rounded = rc::custom_vjp([](auto x) { return rc::floor(x); },
                                        [](auto x) {
                                          return std::tuple{rc::floor(x), std::tuple{}};
                                        },
                                        [](auto, auto ct) { return std::tuple{2. * ct}; });
constexpr auto scaled = rc::custom_jvp([](auto x) { return x * rc::sum(x); },
                                       [](auto x, auto t) {
                                         return std::tuple{x * rc::sum(x), t * rc::sum(x) + x * rc::sum(t)};
                                       });

}  // namespace

TEST_CASE("a rule that is elementwise, static, dynamic, in a loop, behind other operations") {
  auto const j = check(true, softplus, some(7));
  CHECK((j.nonzeros() == 7 && j.colors == 1));
  rc::tensor<double, 3> const x{.5, -1, 2};
  CHECK(rc::sparse_jacobian(softplus)(x).nonzeros() == 3);
  auto const chain = [](auto v) { return product(v(rc::range(1, rc::end)), rc::sin(v(rc::range(0, -1)))); };
  CHECK(check(true, chain, some(6)).nonzeros() == 10);
  auto const steps = rc::sparse_jacobian(rounded)(some(4));
  CHECK(numbers(steps.values) == numbers{2, 2, 2, 2});
  auto const again = [](auto v) {
    return rc::fori_loop(
        0, 3, [](auto, auto h) { return rc::eval(softplus(h)); }, v);
  };
  CHECK(check(true, again, some(5)).nonzeros() == 5);
}

TEST_CASE("a rule that is not, one with several results, a checkpoint") {
  CHECK(check(true, scaled, some(4)).nonzeros() == 16);
  auto const both = [](auto v) {
    auto [sine, square] = rc::checkpoint([](auto a) { return std::tuple(rc::eval(rc::sin(a)), rc::eval(a * a)); })(v);
    return rc::eval(sine * square);
  };
  check(false, both, some(4));
  auto const one = [](auto v) { return rc::checkpoint([](auto a) { return rc::eval(rc::sin(a) * a); })(v); };
  CHECK(check(true, one, some(4)).nonzeros() == 4);
}

TEST_CASE("what equations define depends on all that they capture") {
  auto const root = [](auto a) {
    return rc::custom_root([=](auto z) { return rc::eval(z * z * z + z - a); }, rc::zeros_like(a));
  };
  CHECK(check(false, root, some(3)).nonzeros() == 9);
}

TEST_CASE("second derivatives of a rule") {
  auto const f = [](auto v) { return rc::sum(softplus(v)); };
  rc::tensor<double, 3> const x{.5, -1, 2};
  auto const h = rc::sparse_hessian(f)(x);
  CHECK(numbers(h.dense()).near(numbers(rc::hessian(f)(x)), 1e-12));
}
