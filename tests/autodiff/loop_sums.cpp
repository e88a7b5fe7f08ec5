// What the iterations of a loop add up on the way back, of a matrix, of what is read elementwise, in parts, and of a
// number: behind the loop or on the way, the gradient is that of the same body written out.
#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr int length = 3, width = 5;

// w: a product; p: two parts, of which one is read twice; c: elementwise; s: a number
constexpr auto body = [](auto h, auto x, auto w, auto p, auto c, auto s) {
  auto const a = rc::tanh(rc::matmul(h, w) + p(0) * x), b = a * p(1) + c * rc::square(h);
  return 0.5 * a + 0.1 * rc::sin(b) * p(0) + s * x;
};
constexpr auto looped = [](auto w, auto p, auto c, auto s, auto xs) {
  auto const step = [=](auto h, auto x) {
    auto const next = body(h, x, w, p, c, s);
    return std::pair(next, next * c);
  };
  auto const [last, ys] = rc::scan(step, 0.3 * c, xs);
  return rc::sum(last) + rc::sum(ys * ys);
};
constexpr auto unrolled = [](auto w, auto p, auto c, auto s, auto xs) {
  auto const y = [=](auto h) { return rc::sum(rc::square(h * c)); };
  auto const at = [=](auto h, int t) { return body(h, xs(t), w, p, c, s); };
  auto const h1 = at(0.3 * c, 0), h2 = at(h1, 1), h3 = at(h2, 2);
  return rc::sum(h3) + (y(h1) + y(h2) + y(h3));
};
template <auto F>
constexpr auto along = [](auto p, auto t, auto w, auto c, auto xs) {
  auto const g = [=](auto x) { return rc::grad<1>(F)(w, x, c, 0.7, xs); };
  return rc::jvp(g)(p)(t).second;
};
// by shifts that the type knows, or by numbers
constexpr int iterations = 20;
template <bool Known>
constexpr auto rolled = [](auto d, auto u) {
  auto const by = [](auto k) {
    if constexpr (Known)
      return k;
    else
      return int(k);
  };
  auto const sum = rc::roll(u, by(rc::known<1>), rc::axis<0>) + rc::roll(u, by(rc::known<-2>), rc::axis<0>) +
                   rc::roll(u, by(rc::known<1>), rc::axis<1>);
  return rc::eval(u + d * (sum * u - 3. * u));
};
template <bool Known>
constexpr auto rolled_in_loop = [](auto d, auto u) {
  auto const last = rc::fori_loop(
      0, iterations, [=](auto, auto s) { return rolled<Known>(d, s); }, u);
  return rc::sum(rc::square(last));
};
constexpr auto rolled_written_out = [](auto d, auto u) {
  auto s = rc::eval(u);
  for (int k = 0; k < iterations; ++k) s = rolled<true>(d, s);
  return rc::sum(rc::square(s));
};
template <class X>
X filled(X x, int first) {
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = .1 * double((first + 5 * k) % 13 - 6);
  return x;
}
constexpr auto agree = [](auto const& a, auto const& b) { return numbers(a).near(numbers(b), 1e-12); };

}  // namespace

TEST_CASE("gradients of all that a body reads") {
  auto const w = filled(rc::tensor<double, width, width>{}, 1);
  auto const p = filled(rc::tensor<double, 2, width>{}, 2);
  auto const c = filled(rc::tensor<double, width>{}, 3);
  auto const xs = filled(rc::tensor<double, length, width>{}, 4);
  auto const g = rc::grad<0, 1, 2, 3, 4>(looped)(w, p, c, 0.7, xs);
  auto const of_all = rc::interpret(rc::grad<0, 1, 2, 3, 4>(unrolled))(w, p, c, 0.7, xs);
  CHECK(agree(std::get<0>(g), std::get<0>(of_all)));
  CHECK(agree(std::get<1>(g), std::get<1>(of_all)));
  CHECK(agree(std::get<2>(g), std::get<2>(of_all)));
  CHECK(std::get<3>(g).item() == doctest::Approx(std::get<3>(of_all).item()).epsilon(1e-12));
  CHECK(agree(std::get<4>(g), std::get<4>(of_all)));
}
TEST_CASE("rolled tensors: a number's gradient is added up on the way, and shifts back are no sums of zeros") {
  auto const u = filled(rc::tensor<double, 6, 5>{}, 1);
  auto const expected = rc::interpret(rc::grad<0, 1>(rolled_written_out))(.01, u);
  auto const check = [&](auto const& g) {
    CHECK(std::get<0>(g).item() == doctest::Approx(std::get<0>(expected).item()).epsilon(1e-12));
    CHECK(agree(std::get<1>(g), std::get<1>(expected)));
  };
  auto const known = rc::grad<0, 1>(rolled_in_loop<true>);
  rc::ndarray<double, 2> const dynamic = u;
  check(known(.01, u));
  check(known(.01, dynamic));
  auto const by_numbers = rc::grad<0, 1>(rolled_in_loop<false>);
  check(by_numbers(.01, dynamic));
  // what is kept are the states of the iterations; the rest is a few tensors
  CHECK(rc::count(by_numbers, .01, dynamic).workspace < (iterations + 12) * 6 * 5 * 8);
}

TEST_CASE("of extents that show when it runs") {
  auto const p = filled(rc::ndarray<double, 2>(2, width), 2);
  auto const c = filled(rc::ndarray<double, 1>(width), 3);
  auto const w = filled(rc::ndarray<double, 2>(width, width), 1), xs = filled(rc::ndarray<double, 2>(length, width), 4);
  auto const g = rc::grad<1, 2>(looped)(w, p, c, 0.7, xs);
  auto const of_all =
      rc::interpret(rc::grad<1, 2>(unrolled))(rc::tensor<double, width, width>(w), rc::tensor<double, 2, width>(p),
                                              rc::tensor<double, width>(c), 0.7, rc::tensor<double, length, width>(xs));
  CHECK(agree(std::get<0>(g), std::get<0>(of_all)));
  CHECK(agree(std::get<1>(g), std::get<1>(of_all)));
}
TEST_CASE("a derivative of such sums") {
  auto const p = filled(rc::tensor<double, 2, width>{}, 2), t = filled(rc::tensor<double, 2, width>{}, 5);
  auto const w = filled(rc::tensor<double, width, width>{}, 1);
  auto const c = filled(rc::tensor<double, width>{}, 3);
  auto const xs = filled(rc::tensor<double, length, width>{}, 4);
  CHECK(agree(rc::fn(along<looped>)(p, t, w, c, xs), rc::interpret(along<unrolled>)(p, t, w, c, xs)));
}

namespace {

// down to the lowest place of x^2 + a: a is in the height, and not in the place; the height is in neither
template <bool While>
constexpr auto lowest = [](auto a) {
  auto const step = [=](auto s) {
    auto const [x, height] = s;
    auto const f = [=](auto y) { return y * y + a; };
    auto const next = x - .25 * rc::grad(f)(x);
    return std::tuple(next, rc::where(f(next) < height, f(next), height));
  };
  auto const start = std::tuple(0. * rc::stop_gradient(a) + 1., 1. + a);
  if constexpr (While)
    return a * a + std::get<0>(rc::while_loop([](auto s) { return std::get<0>(s) > 1e-3; }, step, start));
  else
    return a * a + std::get<0>(rc::fori_loop(
                       0, 8, [=](auto, auto s) { return step(s); }, start));
};
// Three carries change places, so that it takes three iterations until the last one depends on w; a loop in the body,
// and one that stands still.
template <bool Unrolled>
constexpr auto in_turn = [](auto w) {
  auto const inner = [=](auto u, auto v) {
    auto const next = [=](auto p, auto q) { return std::pair(q * .5, p + rc::sin(w * q)); };
    if constexpr (Unrolled) {
      for (int k = 0; k < 2; ++k) std::tie(u, v) = next(u, v);
      return u + v;
    } else {
      auto const [p, q] = rc::fori_loop(
          0, 2, [=](auto, auto s) { return next(std::get<0>(s), std::get<1>(s)); }, std::pair(u, v));
      return p + q;
    }
  };
  auto const step = [=](auto s) {
    auto const [x, y, z, still, none] = s;
    return std::tuple(y, z, x * w + inner(y, z), still, rc::cos(none) + x);
  };
  auto const zero = 0. * rc::stop_gradient(w);
  auto s = std::tuple(zero + 1., zero + .5, zero - .25, w * 2., zero);
  if constexpr (Unrolled)
    for (int k = 0; k < 5; ++k) s = step(s);
  else
    s = rc::fori_loop(
        0, 5, [=](auto, auto all) { return step(all); }, s);
  return std::get<0>(s) * std::get<3>(s) + std::get<1>(s);
};

}  // namespace

TEST_CASE("what no derivative goes through costs none") {
  auto const along = [](auto f) { return [=](auto a) { return rc::jvp(f)(a)(1.).second; }; };
  CHECK(double(rc::fn(along(lowest<true>))(3.)) == 6);
  CHECK(double(rc::grad(lowest<false>)(3.)) == 6);
  CHECK(rc::count(rc::fn(along(lowest<true>)), 3.).operations <= 2);
  CHECK(rc::count(rc::fn(along(lowest<false>)), 3.).operations <= 2);
  CHECK(rc::count(rc::grad(lowest<false>), 3.).operations <= 2);
}

TEST_CASE("what depends on something after some iterations only") {
  double const value = rc::fn(in_turn<true>)(.7).item(), slope = rc::grad(in_turn<true>)(.7).item();
  CHECK(rc::fn(in_turn<false>)(.7).item() == doctest::Approx(value).epsilon(1e-14));
  CHECK(rc::grad(in_turn<false>)(.7).item() == doctest::Approx(slope).epsilon(1e-13));
  CHECK(rc::jvp(in_turn<false>)(.7)(1.).second.item() == doctest::Approx(slope).epsilon(1e-13));
  CHECK(rc::grad(rc::grad(in_turn<false>))(.7).item() ==
        doctest::Approx(rc::grad(rc::grad(in_turn<true>))(.7).item()).epsilon(1e-12));
}
