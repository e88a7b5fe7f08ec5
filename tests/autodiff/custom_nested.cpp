// Derivative rules of one's own, of trees, in loops and branches, of what is no sum over elements; their errors. A rule
// that is to be seen at work is not the derivative of its function.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../own_rules.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using namespace own_rules;

namespace {

rc::tensor<double, 3> const x3{1, 2, 3};
rc::tensor<double, 2, 3> const x23{{1, 2, 3}, {4, 5, 6}};

template <class Kind = rc::values>
struct line {
  rc::field<Kind, double, 3> slope;
  rc::field<Kind, double> offset;
};
// several results, a record, an integer: the cotangents of both results are seen at once
constexpr auto applied_line = rc::custom_vjp(
    [](auto p, auto x, auto n) {
      return std::tuple{p.slope * x + p.offset, rc::sum(x) * n};
    },
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
constexpr auto tangent_of_line = rc::custom_jvp(
    [](auto p, auto x) {
      return std::pair{p.slope * x + p.offset, rc::sum(x)};
    },
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
    return rc::sum(rc::cond(
        rc::sum(x) > 0., square_by_cotangent, [](auto z) { return z * 1.; }, x));
  };
  check_value(rc::grad(branch), {10, 20, 30}, x3);
  check_value(rc::grad(branch), {1, 1, 1}, rc::tensor<double, 3>{-1, -2, -3});
  check_value(rc::vmap(rc::grad(branch)), {10, 20, 30, 1, 1, 1}, rc::tensor<double, 2, 3>{{1, 2, 3}, {-1, -2, -3}});
}

namespace {

// a cotangent of length 1, whatever it was: of one element of a batch, not of all
constexpr auto normalized = rc::custom_vjp([](auto x) { return x; },
                                           [](auto x) {
                                             return std::tuple{x, std::tuple{}};
                                           },
                                           [](auto, auto ct) { return std::tuple{ct / rc::norm(ct)}; });
}  // namespace

TEST_CASE("a batch of elements, each by the rule for one") {
  rc::tensor<double, 2, 2> const w{{3, 4}, {6, 8}};
  auto const f = [](auto x, auto v) { return rc::sum(rc::vmap(normalized)(x) * v); };
  check_value(rc::grad(f), {.6, .8, .6, .8}, w, w);
  check_value(rc::vmap(rc::grad([](auto x, auto v) { return rc::sum(normalized(x) * v); })), {.6, .8, .6, .8}, w, w);
  check_value(rc::grad([](auto x, auto v) { return rc::sum(normalized(x) * v); }),
              {3 / std::sqrt(125.), 4 / std::sqrt(125.), 6 / std::sqrt(125.), 8 / std::sqrt(125.)}, w, w);
  auto const twice = [](auto x, auto v) { return rc::sum(rc::vmap(rc::vmap(normalized))(x) * v); };
  rc::tensor<double, 1, 2, 2> const u{{{3, 4}, {6, 8}}};
  check_value(rc::grad(twice), {.6, .8, .6, .8}, u, u);
}
TEST_CASE("what only a rule reads is not computed for the value") {
  auto const f = [](auto x, auto y) {
    auto const through = rc::custom_vjp([](auto a, auto) { return a * 2.; },
                                        [](auto a, auto b) {
                                          return std::tuple{a * 2., b};
                                        },
                                        [](auto b, auto ct) {
                                          return std::tuple{ct * b, rc::none};
                                        });
    return through(x, rc::exp(rc::matmul(y, y)));
  };
  auto const g = [](auto x, auto) { return x * 2.; };
  rc::tensor<double, 3, 3> const x{};
  CHECK(rc::count(f, x, x).operations == rc::count(g, x, x).operations);
  CHECK(rc::count(rc::grad([f](auto a, auto b) { return rc::sum(f(a, b)); }), x, x).operations > 9);
}
TEST_CASE("shapes that do not fit, found when it runs") {
  auto const f = [](auto x) {
    auto const wrong = rc::custom_vjp([](auto a, auto) { return rc::sum(a); },
                                      [](auto a, auto) {
                                        return std::tuple{rc::sum(a), a};
                                      },
                                      [](auto a, auto ct) {
                                        return std::tuple{ct * a, ct * rc::concat(a, a)};
                                      });
    return wrong(x, x * 2.);
  };
  CHECK(raised([&] {
          (void)rc::eval(rc::grad(f)(rc::ndarray<double, 1>{1, 2, 3}));
        }) == "shape_error: custom_vjp, the cotangent of argument 1: (3,) (6,)");
  CHECK(raised([&] {
          (void)rc::interpret(rc::grad(f))(rc::ndarray<double, 1>{1, 2, 3});
        }) == "shape_error: custom_vjp, the cotangent of argument 1: (3,) (6,)");
  auto const squared = [](auto x) {
    return rc::sum(rc::custom_jvp([](auto a) { return a; }, [](auto a, auto t) { return std::tuple{a, t * t}; })(x));
  };
  CHECK(raised([&] { (void)rc::interpret(rc::grad(squared))(x3); }) ==
        "value_error: custom_jvp: the rule is not linear in its tangents");
}
