// Conjugate gradients, and their derivatives.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/linalg/cg.hpp>
#include <ricci/ricci.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

// -x'' + a x, where x is 0 beyond both ends
constexpr auto laplacian = [](auto a, auto x) {
  auto y = rc::eval((2. + a) * x);
  y(rc::range(1, rc::end)) -= x(rc::range(0, -1));
  y(rc::range(0, -1)) -= x(rc::range(1, rc::end));
  return y;
};
constexpr auto solution = [](auto a, auto b) {
  return rc::linalg::cg([=](auto x) { return laplacian(a, x); }, b, {.rtol = 1e-13});
};
rc::tensor<double, 3> const a{.5, 1, 2}, b{1, -2, .5};

}  // namespace

TEST_CASE("a solution, at once and in a traced function") {
  auto const x = rc::linalg::cg([](auto v, auto by) { return laplacian(by, v); }, b, {.rtol = 1e-13}, a);
  rc::tensor<double, 3> const back = laplacian(a, x);
  CHECK(numbers(back).near(numbers(b), 1e-12));
  CHECK(numbers(rc::fn(solution)(a, b)).near(numbers(x), 1e-12));
  CHECK(numbers(rc::interpret(solution)(a, b)).near(numbers(x), 1e-12));
}

TEST_CASE("derivatives, as those of a solve with the matrix") {
  auto const loss = [](auto p, auto q) { return rc::sum(rc::sin(solution(p, q))); };
  auto const by_matrix = [](auto p, auto q) {
    return rc::sum(rc::sin(rc::custom_linear_solve([=](auto x) { return laplacian(p, x); }, q)));
  };
  auto const [by_a, by_b] = rc::grad<0, 1>(loss)(a, b);
  auto const [same_a, same_b] = rc::grad<0, 1>(by_matrix)(a, b);
  CHECK(numbers(by_a).near(numbers(same_a), 1e-11));
  CHECK(numbers(by_b).near(numbers(same_b), 1e-11));
  CHECK(numbers(rc::hessian(loss)(a, b)).near(numbers(rc::hessian(by_matrix)(a, b)), 1e-10));
  rc::tensor<double, 2, 3> const rows{{.5, 1, 2}, {3, .2, 1}};
  auto const batch = rc::vmap(rc::grad(loss), rc::in_axes<0, rc::unbatched>)(rows, b);
  for (int k = 0; k < 2; ++k) {
    rc::tensor<double, 3> const row = rows(k);
    CHECK(numbers(batch(k)).near(numbers(rc::interpret(rc::grad(by_matrix))(row, b)), 1e-10));
    CHECK(numbers(batch(k)).near(numbers(rc::interpret(rc::grad(loss))(row, b)), 1e-10));
  }
}

TEST_CASE("unknowns that are numbers, records and long") {
  auto const twice = [](auto x, auto k) { return k * x; };
  CHECK(rc::linalg::cg(twice, 6., {}, 2.).item() == doctest::Approx(3));
  auto const of_pair = [](auto x, auto m) {
    auto const& [u, v] = x;
    return std::tuple(rc::matmul(m, u) + v, u(0) + u(1) + 3. * v);
  };
  rc::tensor<double, 2, 2> const m{{4, 1}, {1, 3}};
  auto const [u, v] = rc::linalg::cg(of_pair, std::tuple(rc::tensor<double, 2>{1, 2}, 3.), {.rtol = 1e-12}, m);
  rc::tensor<double, 2> const top = rc::matmul(m, u) + v;
  CHECK(numbers(top).near(numbers(rc::tensor<double, 2>{1, 2}), 1e-11));
  CHECK(u(0) + u(1) + 3 * double(v) == doctest::Approx(3));
  rc::index_t const n = 10000;
  rc::ndarray<float, 1> const many = rc::linspace<float>(1, 2, n), right = rc::sin(rc::linspace<float>(0, 30, n));
  auto const diagonal = [](auto x, auto d) { return d * x; };
  auto const x = rc::linalg::cg(diagonal, right, {.rtol = 1e-4}, many);
  CHECK(float(rc::max(rc::abs(x - right / many))) < 1e-3f);
}

TEST_CASE("right-hand sides whose squares are no numbers") {
  auto const f = [](auto x, auto k) { return k * x; };
  rc::tensor<double, 3> const k{1, 2, 4};
  for (double const scale : {1e-200, 1., 1e200}) {
    rc::tensor<double, 3> const right = scale * b, x = rc::linalg::cg(f, right, {.rtol = 1e-12}, k);
    CHECK(numbers(rc::eval(x / scale)).near(numbers(rc::eval(b / k)), 1e-11));
  }
  rc::tensor<double, 3> const zero{}, x = rc::linalg::cg(f, zero, {}, k);
  CHECK(numbers(x).near(numbers(zero), 0));
}

TEST_CASE("what is not found is an error that says how far it came") {
  auto const f = [](auto x, auto k) { return k * x; };
  rc::tensor<double, 3> const k{1, 2, 4}, of_both_signs{1, -2, 4};
  CHECK(raised([&] { rc::linalg::cg(f, b, {.rtol = 1e-12, .max_steps = 2}, k); }) ==
        "value_error: cg: has not converged after 2 steps, where the residual is 3.92e-1");
  CHECK(raised([&] { rc::linalg::cg(f, b, {.rtol = 1e-12}, of_both_signs); }) ==
        "value_error: cg: has not converged after 1 steps, where the residual is nan");
  for (rc::linalg::cg_options const& wrong : {rc::linalg::cg_options{.rtol = -5.}, rc::linalg::cg_options{.atol = NAN},
                                              rc::linalg::cg_options{.max_steps = -3}})
    CHECK(raised([&] { rc::linalg::cg(f, b, wrong, k); }) == "value_error: cg: an option is negative or NaN");
  rc::tensor<double, 3> const x = rc::linalg::cg(f, b, {.atol = 10}, k);  // as good as is asked for
  CHECK(numbers(x).near(numbers(rc::tensor<double, 3>{}), 0));
}

TEST_CASE("options that are an argument of a traced function") {
  auto const f = [](auto options, auto right) { return rc::linalg::cg([](auto x) { return 2. * x; }, right, options); };
  rc::tensor<double, 3> const x = rc::fn(f)(rc::linalg::cg_options{.rtol = 1e-8}, b);
  CHECK(numbers(x).near(numbers(rc::eval(b / 2.)), 1e-12));
}
