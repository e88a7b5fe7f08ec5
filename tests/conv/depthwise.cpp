// Depthwise convolutions, which have kernels of their own where weights say in their type that a channel has one
// feature, against the same with dynamic extents, which go by groups.
#include <doctest/doctest.h>

#include <ricci/conv.hpp>

#include "../near.hpp"

namespace rc = ricci;

namespace {

template <class X>
X filled(X x, double by) {
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = typename X::value_type(std::sin(by * double(k * k)));
  return x;
}
// conv and conv_transpose with their gradients; W static, the general way takes the same of dynamic extents
template <rc::conv_options O, class W, class X>
void compare(X const& x, double tolerance) {
  using T = typename W::value_type;
  constexpr auto forward = [](auto const& a, auto const& b) { return rc::conv<O>(a, b); };
  constexpr auto back = [](auto const& a, auto const& b) { return rc::conv_transpose<O>(a, b); };
  auto const w = filled(W{}, .7);
  rc::ndarray<T, W::rank> const any = w;
  auto const check = [&](auto const& f) {
    check_near(rc::eval(f(x, w)), rc::eval(f(x, any)), tolerance);
    auto const loss = [](auto const& a, auto const& b) {
      return rc::sum(rc::square(std::remove_cvref_t<decltype(f)>{}(a, b)));
    };
    auto const [by_x, by_w] = rc::grad<0, 1>(loss)(x, w);
    auto const [known_x, known_w] = rc::grad<0, 1>(loss)(x, any);
    check_near(by_x, known_x, tolerance * 100);
    check_near(by_w, known_w, tolerance * 100);
  };
  check(forward);
  check(back);
}

}  // namespace

TEST_CASE("as by groups: sequences, images, volumes, few and many channels, views") {
  using how = rc::conv_options;
  compare<how{.pad = 1, .groups = 69}, rc::tensor<float, 3, 3, 1, 69>>(filled(rc::ndarray<float, 4>(2, 7, 6, 69), 1.3),
                                                                       1e-4);
  compare<how{.stride = {2, 3}, .pad = {0, 2}, .dilation = {2, 1}, .groups = 18}, rc::tensor<double, 2, 3, 1, 18>>(
      filled(rc::ndarray<double, 4>(1, 8, 9, 18), 1.3), 1e-11);
  compare<how{.stride = 2, .pad = 1, .groups = 3}, rc::tensor<double, 3, 1, 3>>(
      filled(rc::ndarray<double, 3>(2, 9, 3), 1.3), 1e-11);
  compare<how{.stride = {2, 1, 1}, .pad = 1, .groups = 5}, rc::tensor<double, 3, 2, 3, 1, 5>>(
      filled(rc::ndarray<double, 5>(2, 4, 5, 4, 5), 1.3), 1e-11);
  compare<how{.groups = 2}, rc::tensor<double, 5, 5, 1, 2>>(filled(rc::ndarray<double, 4>(1, 3, 3, 2), 1.3), 1e-11);

  auto const first = filled(rc::ndarray<float, 4>(2, 20, 5, 6), 1.3);
  auto const w = filled(rc::tensor<float, 3, 3, 1, 20>{}, .7);
  rc::ndarray<float, 4> const last = rc::permute_dims(first, rc::axes<0, 2, 3, 1>);
  constexpr how same{.pad = 1, .groups = 20};
  check_near(rc::eval(rc::conv<same>(rc::permute_dims(first, rc::axes<0, 2, 3, 1>), w)),
             rc::eval(rc::conv<same>(last, w)));
}
TEST_CASE("derivatives of second order, and the interpreter") {
  static constexpr rc::conv_options how{.stride = 2, .pad = 1, .groups = 3};
  auto const x = filled(rc::tensor<double, 4, 3, 3>{}, 1.3);
  auto const w = filled(rc::tensor<double, 2, 3, 1, 3>{}, .7);
  auto const f = [](auto const& a, auto const& b) { return rc::sum(rc::sin(rc::conv<how>(a, b))); };
  auto const report = rc::check_grads(f, x, w, {.order = 2});
  CHECK_MESSAGE(report, report.text());
  CHECK(double(rc::interpret(f)(x, w)) == doctest::Approx(double(rc::fn(f)(x, w))));
}
