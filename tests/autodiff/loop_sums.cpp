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
