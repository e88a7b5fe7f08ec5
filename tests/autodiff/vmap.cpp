// vmap: axes, trees, nesting, and what a batch of products becomes.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto cubes = [](auto x) { return rc::sum(x * x * x); };

template <class Kind = rc::values>
struct params {
  rc::field<Kind, double, 3, 2> w;
  rc::field<Kind, double, 2> b;
};
constexpr auto loss = [](auto p, auto x, auto y) { return rc::sum(rc::square(rc::matmul(x, p.w) + p.b - y)); };

params<> some_params() { return {{{1, -2}, {0.5, 3}, {-1, 0.25}}, {0.1, -0.2}}; }
rc::tensor<double, 4, 3> const xs{{1, 2, 3}, {-1, 0, 2}, {0.5, 1, -2}, {3, 3, 1}};
rc::tensor<double, 4, 2> const ys{{1, 0}, {0, 1}, {2, 1}, {-1, 1}};

// the steps of a compiled function of arguments of these types that are matrix products, and how many loops those have
template <class Function, class... A>
constexpr auto products_of() {
  using P = rc::tracing::usual_program<typename Function::transform, decltype(Function::f), A...>;
  struct {
    int steps, loops;
  } r{};
  for (int k = 0; k < P::plan.step_count; ++k)
    if (P::plan.kernels[P::plan.steps[k].kernel].kind == rc::plan::step_kind::contract)
      ++r.steps, r.loops += P::plan.steps[k].loops;
  return r;
}

}  // namespace

TEST_CASE("gradients of each row, and of their sum") {
  rc::ndarray<double, 2> rows(4, 3);
  for (int i = 0; i < 12; ++i) rows(i / 3, i % 3) = i;
  numbers const expected{0, 3, 12, 27, 48, 75, 108, 147, 192, 243, 300, 363};
  CHECK(numbers(rc::vmap(rc::grad(cubes))(rows)) == expected);
  CHECK(numbers(rc::grad([](auto r) { return rc::sum(rc::vmap(cubes)(r)); })(rows)) == expected);
  CHECK(numbers(rc::interpret(rc::vmap(rc::grad(cubes)))(rows)) == expected);
  auto const [value, tangent] = rc::jvp(rc::vmap(cubes))(rows)(rc::ones_like(rows));
  CHECK(numbers(value) == numbers{9, 216, 1071, 3060});
  CHECK(numbers(tangent) == numbers{15, 150, 447, 906});
  auto const [same, pull] = rc::vjp(rc::vmap(cubes))(rows);
  CHECK(numbers(std::get<0>(pull(rc::ones_like(same)))) == expected);
}

TEST_CASE("a batch of constants, for a function that has captured a symbol") {
  rc::tensor<double, 3> const given{1, 2, 3};
  auto const products = [](auto x) {
    return rc::vmap([=](auto row, auto by) { return by * rc::sum(row * x); }, rc::in_axes<1, rc::unbatched>)(
        rc::tensor<double, 3, 2>{{1, 4}, {2, 5}, {3, 6}}, 2.);
  };
  CHECK(numbers(rc::fn(products)(given)) == numbers{28, 64});
  CHECK(numbers(rc::grad([=](auto x) { return rc::sum(products(x)); })(given)) == numbers{10, 14, 18});
  CHECK(numbers(rc::interpret(products)(given)) == numbers{28, 64});
  auto const gradients = [](auto x) {
    auto const f = [=](auto y) { return y * y * rc::sum(x); };
    return std::tuple(rc::vmap(rc::grad(f))(rc::tensor<double, 2>{1, 2}), rc::grad(f)(2.), rc::fn(f)(3.),
                      rc::grad([=](auto y) { return rc::sum(f(y)); })(rc::tensor<double, 2>{1, 2}));
  };
  auto const [each, of_number, value, of_vector] = rc::fn(gradients)(given);
  CHECK(numbers(each) == numbers{12, 24});
  CHECK(numbers(of_number) == numbers{24});
  CHECK(numbers(value) == numbers{54});
  CHECK(numbers(of_vector) == numbers{12, 24});
  auto const by_x = [=](auto x) { return std::get<1>(gradients(x)); };
  CHECK(numbers(rc::grad(by_x)(given)) == numbers{4, 4, 4});
}

TEST_CASE("any axis in and out") {
  auto const shifted = [](auto x, auto y) { return x + 10. * y; };
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 2> const b{1, 2};
  static_assert(
      std::is_same_v<decltype(rc::vmap(shifted, rc::in_axes<1, rc::unbatched>)(a, b)), rc::tensor<double, 3, 2>>);
  static_assert(std::is_same_v<decltype(rc::vmap(shifted, rc::in_axes<-1, rc::unbatched>, rc::out_axes<1>)(a, b)),
                               rc::tensor<double, 2, 3>>);
  CHECK(numbers(rc::vmap(shifted, rc::in_axes<1, rc::unbatched>)(a, b)) == numbers{11, 24, 12, 25, 13, 26});
  CHECK(numbers(rc::vmap(shifted, rc::in_axes<-1, rc::unbatched>, rc::out_axes<1>)(a, b)) ==
        numbers{11, 12, 13, 24, 25, 26});
  CHECK(numbers(rc::vmap(shifted, rc::in_axes<1, rc::unbatched>, rc::out_axes<-1>)(a, b)) ==
        numbers{11, 12, 13, 24, 25, 26});
  CHECK(numbers(rc::vmap(shifted)(b, 0.5)) == numbers{6, 7});  // a number is the same for all
  CHECK(numbers(rc::vmap(shifted)(rc::eval(a * 1.), b)) == numbers{11, 12, 13, 24, 25, 26});
  // a result that does not depend on the batch, and one that is a plain number
  auto const [constant, number] =
      rc::vmap([](auto, auto y) { return std::tuple(y * 2., 7.); }, rc::in_axes<0, rc::unbatched>)(a, b);
  CHECK(numbers(constant) == numbers{2, 4, 2, 4});
  CHECK(numbers(number) == numbers{7, 7});
  // results of a tuple, each with an axis of its own
  auto const [first, second] =
      rc::vmap([](auto x) { return std::tuple(x, -x); }, rc::in_axes<0>, rc::out_axes<0, 1>)(a);
  CHECK(numbers(first) == numbers{1, 2, 3, 4, 5, 6});
  CHECK(numbers(second) == numbers{-1, -4, -2, -5, -3, -6});
}

TEST_CASE("records: gradients of each example") {
  auto const p = some_params();
  auto const each = rc::vmap(rc::grad(loss), rc::in_axes<rc::unbatched, 0>)(p, xs, ys);
  static_assert(std::is_same_v<decltype(each), params<rc::batched<rc::values, 4>> const>);
  static_assert(std::is_same_v<decltype(each.w), rc::tensor<double, 4, 3, 2>>);
  for (int n = 0; n < 4; ++n) {
    auto const one = rc::grad(loss)(p, rc::tensor<double, 3>(xs(n)), rc::tensor<double, 2>(ys(n)));
    CHECK(numbers(rc::eval(each.w(n))).near(numbers(one.w)));
    CHECK(numbers(rc::eval(each.b(n))).near(numbers(one.b)));
  }
  // several models at once
  params<rc::batched<rc::values, 2>> ensemble;
  ensemble.w(0) = p.w, ensemble.b(0) = p.b;
  ensemble.w(1) = 2. * p.w, ensemble.b(1) = -p.b;
  auto const losses = rc::vmap(loss, rc::in_axes<0, rc::unbatched>)(ensemble, rc::tensor<double, 3>(xs(0)),
                                                                    rc::tensor<double, 2>(ys(0)));
  CHECK(double(losses(0)) ==
        doctest::Approx(double(rc::fn(loss)(p, rc::tensor<double, 3>(xs(0)), rc::tensor<double, 2>(ys(0))))));
  auto const grads = rc::vmap(rc::grad(loss), rc::in_axes<0, rc::unbatched>)(ensemble, xs, ys);
  static_assert(std::is_same_v<decltype(grads), params<rc::batched<rc::values, 2>> const>);
  CHECK(numbers(rc::eval(grads.w(0))).near(numbers(rc::grad(loss)(p, xs, ys).w)));
  // every example under every model
  auto const all =
      rc::vmap(rc::vmap(loss, rc::in_axes<rc::unbatched, 0>), rc::in_axes<0, rc::unbatched>)(ensemble, xs, ys);
  static_assert(std::is_same_v<decltype(all), rc::tensor<double, 2, 4> const>);
  CHECK(double(rc::sum(all(0))) == doctest::Approx(double(rc::fn(loss)(p, xs, ys))));
}

TEST_CASE("tuples, arrays and aggregates") {
  struct pair_of {
    rc::tensor<double, 2, 3> a;
    rc::tensor<double, 2> b;
  };
  auto const f = [](auto p, auto more) {
    auto [a, b] = p;
    return std::array{a * b + more[0], a * b - more[1]};
  };
  pair_of const p{{{1, 2, 3}, {4, 5, 6}}, {10, 100}};
  std::array<rc::tensor<double, 2>, 2> const more{rc::tensor<double, 2>{1, 2}, rc::tensor<double, 2>{3, 4}};
  auto const r = rc::vmap(f)(p, more);
  CHECK(numbers(r[0]) == numbers{11, 21, 31, 402, 502, 602});
  CHECK(numbers(r[1]) == numbers{7, 17, 27, 396, 496, 596});
}

TEST_CASE("nested, and with derivatives in any order") {
  auto const f = [](auto x, auto y) { return rc::sum(rc::sin(x) * y) * rc::sum(x); };
  rc::tensor<double, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 4, 3> const b{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  // every pair of rows
  auto const outer = rc::vmap(rc::vmap(f, rc::in_axes<rc::unbatched, 0>), rc::in_axes<0, rc::unbatched>);
  auto const pairs = outer(a, b);
  static_assert(std::is_same_v<decltype(pairs), rc::tensor<double, 2, 4> const>);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      CHECK(double(pairs(i, j)) ==
            doctest::Approx(double(rc::fn(f)(rc::tensor<double, 3>(a(i)), rc::tensor<double, 3>(b(j))))));
  CHECK(numbers(rc::interpret(outer)(a, b)).near(numbers(pairs), 1e-12));
  // second derivatives in a batch: hessians as the batch of directions of a jvp of a gradient
  auto const g = [](auto x) { return rc::sum(rc::exp(x) * x(rc::range<2, -4, -1>())); };
  auto const forward = [=](auto x, auto t) { return rc::jvp(rc::grad(g))(x)(t).second; };
  auto const backward = [=](auto x, auto ct) { return std::get<0>(rc::vjp(rc::grad(g))(x).second(ct)); };
  auto const in_all_directions = [](auto derivative) {
    return [=](auto x) {
      return rc::vmap(derivative, rc::in_axes<rc::unbatched, 0>)(x, rc::eye<double>(rc::extents<3, 3>{}));
    };
  };
  auto const hessian = in_all_directions(forward);
  auto const reverse = in_all_directions(backward);
  rc::tensor<double, 3> const x{0.1, -0.4, 0.7};
  CHECK(numbers(rc::fn(hessian)(x)).near(numbers(rc::fn(reverse)(x)), 1e-12));
  CHECK(numbers(rc::vmap(hessian)(a)).near(numbers(rc::interpret(rc::vmap(hessian))(a)), 1e-12));
  // the derivative of a batch of derivatives
  auto const total = [=](auto r) { return rc::sum(rc::square(rc::vmap(rc::grad(g))(r))); };
  CHECK(numbers(rc::grad(total)(a)).near(numbers(rc::interpret(rc::grad(total))(a)), 1e-12));
}

TEST_CASE("an interpreted batch may look at its elements") {
  auto const f = [](auto x) { return rc::sum(x) > 4. ? x * 2. : x; };
  rc::tensor<double, 2, 2> const a{{1, 2}, {3, 4}};
  CHECK(numbers(rc::interpret(rc::vmap(f))(a)) == numbers{1, 2, 6, 8});
}

TEST_CASE("a shared matrix: one product for the whole batch") {
  using W = rc::tensor<float, 5, 3>;
  using V = rc::tensor<float, 3, 5>;
  using X = rc::tensor<float, 8, 3>;
  using B = rc::tensor<float, 8, 3, 6>;
  using D = rc::tensor<float, 2, 8, 3>;
  constexpr auto left = rc::vmap(rc::matmul, rc::in_axes<rc::unbatched, 0>);
  constexpr auto right = rc::vmap(rc::matmul, rc::in_axes<0, rc::unbatched>);
  constexpr auto twice = rc::vmap(right, rc::in_axes<0, rc::unbatched>);
  constexpr auto one = [](auto p) { return p.steps == 1 && p.loops == 3; };
  static_assert(one(products_of<decltype(left), W, X>()));
  static_assert(one(products_of<decltype(left), W, B>()));
  static_assert(one(products_of<decltype(right), X, V>()));
  static_assert(one(products_of<decltype(twice), D, V>()));
  // without another step: nothing is copied
  using P = rc::tracing::usual_program<decltype(left)::transform, decltype(left.f), W, X>;
  static_assert(P::plan.step_count == 1 && P::plan.workspace == 0);
}

TEST_CASE("batches of extents that are known when it runs") {
  rc::tensor<double, rc::dyn, 3> rows(4, 3);
  rows = xs;
  rc::tensor<double, rc::dim<"batch">, 2> other(4, 2);
  other = ys;
  auto const both = [](auto x, auto y) { return rc::sum(x) * rc::sum(y); };
  CHECK(numbers(rc::vmap(both)(rows, other)) == numbers{6, 1, -1.5, 0});
  rc::ndarray<double, 2> const five = rc::ones<double>(rc::shape(5, 2));
  CHECK(raised([&] { rc::vmap(both)(rows, five); }) == "shape_error: vmap: (4, 3) (5, 2)");
  CHECK(raised([&] { rc::interpret(rc::vmap(both))(rows, five); }) == "shape_error: vmap: (4, 3) (5, 2)");
  rc::tensor<double, rc::dyn, 3> const none(0, 3);
  CHECK(shape_of(rc::vmap(rc::grad(cubes))(none)) == numbers{0, 3});
  CHECK(shape_of(rc::interpret(rc::vmap(rc::grad(cubes)))(none)) == numbers{0, 3});
  rc::ndarray<double, 2> const many = rc::ones<double>(rc::shape(150, 2));  // more than an instruction has operands
  CHECK(numbers(rc::interpret(rc::vmap(both))(many, many)) == numbers(rc::vmap(both)(many, many)));
}

TEST_CASE("a constant that the function returns is the same for all of the batch") {
  auto const f = [](auto x) { return std::tuple(rc::sum(x), rc::arange<double>(rc::extents<2>{}), 3.); };
  rc::ndarray<double, 2> const batch = rc::ones<double>(rc::shape(3, 4));
  auto const [totals, constants, threes] = rc::vmap(f, rc::in_axes<0>, rc::out_axes<-1>)(batch);
  CHECK(numbers(totals) == numbers{4, 4, 4});
  CHECK(shape_of(constants) == numbers{2, 3});
  CHECK(numbers(constants) == numbers{0, 0, 0, 1, 1, 1});
  CHECK(numbers(threes) == numbers{3, 3, 3});
  auto const interpreted = rc::interpret(rc::vmap(f))(batch);
  CHECK(numbers(std::get<1>(interpreted)) == numbers{0, 1, 0, 1, 0, 1});
}

TEST_CASE("indices of each element stay in their element") {
  rc::tensor<double, 2, 3> const x{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<int, 2, 2> const good{{2, -3}, {0, 0}}, bad{{2, 3}, {0, 0}};
  auto const pick = [](auto row, auto i) { return rc::take(row, i); };
  CHECK(numbers(rc::vmap(pick)(x, good)) == numbers{3, 1, 4, 4});
  CHECK(raised([&] { rc::vmap(pick)(x, bad); }) == "index_error: take: index 3 is out of range for an axis of 3");
}
