// Derivative rules of one's own. Where a rule is to be seen at work it is not the derivative of its function: ten times
// that, say. In forward and reverse mode, of both orders, batched, in loops, compiled and interpreted.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

template <class A, class B>
void check_near(A const& a, B const& b) {
  if constexpr (rc::Tensor<A>)
    CHECK_MESSAGE(numbers(a).near(numbers(b), 1e-12), numbers(a), " and ", numbers(b));
  else
    std::apply([&](auto const&... x) { std::apply([&](auto const&... y) { (check_near(x, y), ...); }, b); }, a);
}
// compiled, interpreted
template <class F, class... A>
void check_value(F const& f, numbers const& expected, A const&... a) {
  auto const compiled = rc::eval(f(a...)), interpreted = rc::eval(rc::interpret(f)(a...));
  CHECK_MESSAGE(numbers(compiled).near(expected), numbers(compiled));
  CHECK_MESSAGE(numbers(interpreted).near(expected), numbers(interpreted));
}
template <class F, class... A>
void check_same(F const& f, A const&... a) {
  check_near(f(a...), rc::interpret(f)(a...));
}

constexpr auto softplus = rc::custom_jvp([](auto x) { return rc::log(1. + rc::exp(x)); },
                                         [](auto x, auto t) {
                                           return std::tuple{rc::log(1. + rc::exp(x)), t * rc::sigmoid(x)};
                                         });
// the square of x: by the rule, its derivative is 10 x
constexpr auto square_by_tangent = rc::custom_jvp([](auto x) { return x * x; },
                                                  [](auto x, auto t) { return std::tuple{x * x, 10. * x * t}; });
constexpr auto square_by_cotangent =
    rc::custom_vjp([](auto x) { return x * x; }, [](auto x) { return std::tuple{x * x, x}; },
                   [](auto x, auto ct) { return std::tuple{10. * x * ct}; });
constexpr auto clipped = rc::custom_vjp([](auto x) { return x; }, [](auto x) { return std::tuple{x, std::tuple{}}; },
                                        [](auto, auto ct) { return std::tuple{rc::clip(ct, -1., 1.)}; });

rc::tensor<double, 3> const x3{1, 2, 3};
rc::tensor<double, 2, 3> const x23{{1, 2, 3}, {4, 5, 6}};

// All that there is to derive of a function of one tensor, elementwise, whose value is x^2, its derivative 10 x by the
// rule, and that of that 10.
template <class F>
void check_square(F const& f) {
  auto const of_sum = [f](auto x) { return rc::sum(f(x)); };
  check_value(rc::fn(f), {1, 4, 9}, x3);
  check_value(rc::grad(of_sum), {10, 20, 30}, x3);
  CHECK(numbers(rc::jvp(f)(x3)(rc::tensor<double, 3>{1, 1, 2}).second).near({10, 20, 60}));
  CHECK(numbers(rc::interpret(rc::jvp(f))(x3)(rc::tensor<double, 3>{1, 1, 2}).second).near({10, 20, 60}));
  auto const [y, pull] = rc::vjp(f)(x3);
  CHECK(numbers(y) == numbers{1, 4, 9});
  CHECK(numbers(std::get<0>(pull(rc::tensor<double, 3>{1, 0, 2}))).near({10, 0, 60}));
  // higher orders, by all ways
  check_value(rc::hessian(of_sum), {10, 0, 0, 0, 10, 0, 0, 0, 10}, x3);
  check_value(rc::jacfwd(rc::jacfwd(of_sum)), {10, 0, 0, 0, 10, 0, 0, 0, 10}, x3);
  check_value(rc::grad([f](auto x) { return rc::sum(rc::grad([f](auto z) { return rc::sum(f(z)); })(x)); }),
              {10, 10, 10}, x3);
  // batches: of f, of its derivatives, derivatives of batches
  check_value(rc::vmap(f), {1, 4, 9, 16, 25, 36}, x23);
  check_value(rc::vmap(rc::grad(of_sum)), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::grad([f](auto x) { return rc::sum(rc::vmap(f)(x)); }), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::grad([f](auto x) { return rc::sum(rc::vmap(rc::vmap(f))(x)); }), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::vmap(rc::grad([f](auto x) { return rc::sum(rc::vmap(f)(x)); })), {10, 20, 30, 40, 50, 60}, x23);
  check_value(rc::fn([f](auto x, auto t) {
                return rc::jvp([f](auto z) { return rc::vmap(f)(z); })(x)(t).second;
              }),
              {10, 20, 30, 40, 50, 60}, x23, rc::tensor<double, 2, 3>(rc::ones_like(x23)));
  // of extents that are known when it runs
  rc::ndarray<double, 1> const x = rc::arange<double>(1, 4);
  check_value(rc::grad(of_sum), {10, 20, 30}, x);
  check_value(rc::vmap(rc::grad(of_sum)), {10, 20, 30, 40, 50, 60}, rc::ndarray<double, 2>(x23));
  check_value(rc::grad([f](auto z) { return rc::sum(rc::vmap(f)(z)); }), {10, 20, 30, 40, 50, 60},
              rc::ndarray<double, 2>(x23));
}

}  // namespace

TEST_CASE("custom_jvp: a rule that neither overflows nor cancels") {
  rc::tensor<double, 3> const x{-1, 0, 800};
  auto const of_sum = [](auto z) { return rc::sum(softplus(z)); };
  double const s = 1 / (1 + std::exp(1.));
  check_value(rc::grad(of_sum), {s, .5, 1}, x);
  check_value(rc::grad([](auto z) { return rc::sum(rc::grad([](auto u) { return rc::sum(softplus(u)); })(z)); }),
              {s * (1 - s), .25, 0}, x);
  // called with tensors and numbers
  CHECK(numbers(softplus(rc::tensor<double, 1>{0})).near({std::log(2.)}));
  CHECK(double(softplus(0.)) == doctest::Approx(std::log(2.)));
  check_value(rc::grad([](auto z) { return softplus(z) * 2.; }), {1}, 0.);
}
TEST_CASE("custom_jvp: all modes, orders and batches") { check_square(square_by_tangent); }
TEST_CASE("custom_vjp: all modes, orders and batches") { check_square(square_by_cotangent); }

TEST_CASE("custom_vjp: what it makes of a cotangent") {
  check_value(rc::grad([](auto x) { return rc::sum(rc::square(clipped(x))); }), {-1, 0, 1},
              rc::tensor<double, 3>{-1, 0, 800});
  // linear where the cotangent is zero
  auto const [y, t] = rc::jvp(clipped)(x3)(rc::tensor<double, 3>{7, 8, 9});
  CHECK(numbers(y) == numbers{1, 2, 3});
  CHECK(numbers(t) == numbers{7, 8, 9});
  check_value(rc::grad([](auto x) { return rc::sum(rc::vmap(clipped)(x) * 3.); }), {1, 1, 1, 1, 1, 1}, x23);
}

namespace {

template <class Kind = rc::values>
struct line {
  rc::field<Kind, double, 3> slope;
  rc::field<Kind, double> offset;
};
// several results, a record, an integer: the cotangents of both results are seen at once
constexpr auto applied_line =
    rc::custom_vjp([](auto p, auto x, auto n) { return std::tuple{p.slope * x + p.offset, rc::sum(x) * n}; },
                   [](auto p, auto x, auto n) {
                     return std::tuple{std::tuple{p.slope * x + p.offset, rc::sum(x) * n}, std::tuple{p, x}};
                   },
                   [](auto kept, auto ct) {
                     auto [p, x] = kept;
                     auto [y, s] = ct;
                     auto of_p = p;
                     of_p.slope = y * x * 2.;
                     of_p.offset = rc::sum(y) + s;
                     return std::tuple{of_p, p.slope * y * s, rc::none};
                   });
constexpr auto tangent_of_line =
    rc::custom_jvp([](auto p, auto x) { return std::pair{p.slope * x + p.offset, rc::sum(x)}; },
                   [](auto p, auto x, auto dp, auto dx) {
                     return std::tuple{std::tuple{p.slope * x + p.offset, rc::sum(x)},
                                       std::tuple{2. * dp.slope * x + p.slope * dx + dp.offset, 3. * rc::sum(dx)}};
                   });
line<> const p{{1, 2, 3}, 4};

}  // namespace

TEST_CASE("rules of trees") {
  auto const loss = [](auto q, auto x) {
    auto [y, s] = applied_line(q, x, 2);
    return rc::sum(y) + 5. * s;
  };
  auto const check = [&](auto const& gradient) {
    auto const [of_p, of_x] = gradient(p, x3);
    CHECK(numbers(of_p.slope) == numbers{2, 4, 6});
    CHECK(numbers(of_p.offset) == numbers{8});
    CHECK(numbers(of_x) == numbers{5, 10, 15});
  };
  check(rc::grad<0, 1>(loss));
  check(rc::interpret(rc::grad<0, 1>(loss)));
  // one of the results has no cotangent
  check_value(rc::grad<1>([](auto q, auto x) { return rc::sum(std::get<0>(applied_line(q, x, 2))); }), {0, 0, 0}, p,
              x3);

  auto const other = [](auto q, auto x) {
    auto [y, s] = tangent_of_line(q, x);
    return rc::sum(y) * s;
  };
  auto const [of_p, of_x] = rc::grad<0, 1>(other)(p, x3);  // y = {5, 8, 13}, s = 6
  CHECK(numbers(of_p.slope) == numbers{12, 24, 36});
  CHECK(numbers(of_p.offset) == numbers{18});
  CHECK(numbers(of_x) == numbers{84, 90, 96});
  check_same(rc::grad<1>(other), p, x3);
  check_same(rc::hessian<1>(other), p, x3);
  check_value(rc::vmap(rc::grad<1>(other), rc::in_axes<rc::unbatched, 0>), {84, 90, 96, 147, 162, 177}, p, x23);
}

TEST_CASE("rules in loops and branches") {
  auto const scanned = [](auto h0, auto xs, auto f) {
    auto [last, ys] = rc::scan(
        [f](auto h, auto x) {
          auto const next = f(h) * .1 + x;
          return std::pair(next, rc::sum(f(next)));
        },
        h0, xs);
    return rc::sum(last) + rc::sum(ys);
  };
  auto const unrolled = [](auto h0, auto xs, auto f) {
    auto h = h0;
    auto sum = rc::sum(h0) * 0.;
    for (int t = 0; t < 2; ++t) {
      h = f(h) * .1 + xs(t);
      sum += rc::sum(f(h));
    }
    return rc::sum(h) + sum;
  };
  auto const both = [&](auto f) {
    auto const a = [=](auto h, auto xs) { return scanned(h, xs, f); };
    auto const b = [=](auto h, auto xs) { return unrolled(h, xs, f); };
    check_near(rc::grad<0, 1>(a)(x3, x23), rc::grad<0, 1>(b)(x3, x23));
    check_same(rc::grad<0, 1>(a), x3, x23);
    check_near(rc::jvp(a)(x3, x23)(x3, x23).second, rc::jvp(b)(x3, x23)(x3, x23).second);
    check_near(rc::hessian(a)(x3, x23), rc::hessian(b)(x3, x23));
    check_near(rc::vmap(rc::grad(a), rc::in_axes<0, rc::unbatched>)(x23, x23),
               rc::vmap(rc::grad(b), rc::in_axes<0, rc::unbatched>)(x23, x23));
  };
  both(square_by_tangent);
  both(square_by_cotangent);
  auto const branch = [](auto x) {
    return rc::sum(rc::cond(rc::sum(x) > 0., square_by_cotangent, [](auto z) { return z * 1.; }, x));
  };
  check_value(rc::grad(branch), {10, 20, 30}, x3);
  check_value(rc::grad(branch), {1, 1, 1}, rc::tensor<double, 3>{-1, -2, -3});
  check_value(rc::vmap(rc::grad(branch)), {10, 20, 30, 1, 1, 1}, rc::tensor<double, 2, 3>{{1, 2, 3}, {-1, -2, -3}});
}
