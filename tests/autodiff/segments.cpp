// Loops whose carries reverse mode keeps every k iterations: derivatives against those written out by hand, for lengths
// that are a multiple of k, that are not, and none; and what is kept, counted.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "../near.hpp"

namespace rc = ricci;

namespace {

// s <- sin(s w + x), and each s squared
template <rc::index_t K>
constexpr auto orbit = [](auto s0, auto xs, auto w) {
  auto const step = [w](auto s, auto x) { return std::tuple(rc::sin(s * w + x), s * s); };
  auto [last, ys] = rc::scan(step, s0, xs, rc::checkpoint_every<K>);
  return rc::sum(last) + rc::sum(ys);
};
// the same by hand: value, and the derivatives by s0, xs, w
std::tuple<double, double, numbers, double> by_hand(double s0, numbers const& xs, double w) {
  std::vector<double> s{s0};
  double value = 0, of_s = 1, of_w = 0;
  for (double x : xs.values) value += s.back() * s.back(), s.push_back(std::sin(s.back() * w + x));
  numbers of_xs = xs;
  for (std::size_t t = xs.values.size(); t-- > 0;) {
    double const d = of_s * std::cos(s[t] * w + xs.values[t]);
    of_xs.values[t] = d, of_w += d * s[t], of_s = d * w + 2 * s[t];
  }
  return {value + s.back(), of_s, of_xs, of_w};
}
template <class X, class Result>
void check_orbit(X const& xs, Result const& result) {
  auto const& [value, gradient] = result;
  auto const [expected, of_s, of_xs, of_w] = by_hand(.3, numbers(xs), .7);
  CHECK(double(value) == doctest::Approx(expected));
  CHECK(double(std::get<0>(gradient)) == doctest::Approx(of_s));
  CHECK(numbers(std::get<1>(gradient)).near(of_xs, 1e-13));
  CHECK(double(std::get<2>(gradient)) == doctest::Approx(of_w));
}

template <class... Every>
constexpr auto powers = [](auto x, auto xs) {
  auto const step = [](auto s, auto v) { return std::tuple(rc::square(s * v), std::tuple{}); };
  return rc::sum(std::get<0>(rc::scan(step, x, xs, Every{}...)));
};
template <rc::index_t K>
using every = rc::checkpoint_every_t<K>;

}  // namespace

TEST_CASE("lengths that show at run time") {
  rc::ndarray<double, 1> const all{.1, -.4, .2, .6, -.3, .5, .7, -.2};
  for (rc::index_t n = 0; n <= 8; ++n) {
    rc::ndarray<double, 1> const xs = all(rc::range(0, n));
    check_orbit(xs, rc::value_and_grad<0, 1, 2>(orbit<3>)(.3, xs, .7));
  }
}
TEST_CASE("no elements at all") { CHECK(rc::fn(orbit<0>)(.3, rc::tensor<double, 0>{}, .7).item() == .3); }
TEST_CASE("one carry of each segment is kept, and one segment beside them") {
  rc::tensor<double, 256> const x = .5;
  rc::tensor<double, 103> const xs = 1.1;
  rc::index_t const carry = 2048, of_xs = 832;
  CHECK(rc::saved(powers<>, x, xs).bytes == 103 * carry + of_xs);
  CHECK(rc::saved(powers<every<10>>, x, xs).bytes == (10 + 1) * carry + of_xs);
  CHECK(rc::saved(powers<every<0>>, x, xs).bytes == (9 + 1) * carry + of_xs);  // segments of 11
  CHECK(rc::count(rc::grad(powers<every<10>>), x, xs).workspace <= (10 + 1 + 10 + 4) * carry);
}
