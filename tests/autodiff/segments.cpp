// Loops whose carries reverse mode keeps every k iterations, and scans of which an iteration is k: derivatives against
// those written out by hand, for lengths that are a multiple of k, that are not, and none; and what is kept, counted.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "../near.hpp"

namespace rc = ricci;

namespace {

// s <- sin(s w + x), and each s squared
template <auto How>
constexpr auto orbit_by = [](auto s0, auto xs, auto w) {
  auto const step = [w](auto s, auto x) { return std::tuple(rc::sin(s * w + x), s * s); };
  auto [last, ys] = rc::scan(step, s0, xs, How);
  return rc::sum(last) + rc::sum(ys);
};
template <rc::index_t K>
constexpr auto orbit = orbit_by<rc::checkpoint_every<K>>;
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

TEST_CASE("an iteration that is several") {
  rc::ndarray<double, 1> const all{.1, -.4, .2, .6, -.3, .5, .7, -.2};
  for (rc::index_t n = 0; n <= 8; ++n) {
    CAPTURE(n);
    rc::ndarray<double, 1> const xs = all(rc::range(0, n));
    check_orbit(xs, rc::value_and_grad<0, 1, 2>(orbit_by<rc::unroll<3>>)(.3, xs, .7));
  }
  rc::tensor<double, 6> const six = all(rc::range(0, 6));
  rc::tensor<double, 7> const seven = all(rc::range(0, 7));
  check_orbit(six, rc::value_and_grad<0, 1, 2>(orbit_by<rc::unroll<3>>)(.3, six, .7));
  check_orbit(seven, rc::value_and_grad<0, 1, 2>(orbit_by<rc::unroll<3>>)(.3, seven, .7));
  check_orbit(seven, rc::value_and_grad<0, 1, 2>(orbit_by<rc::unroll<8>>)(.3, seven, .7));
  check_orbit(seven, rc::interpret(rc::value_and_grad<0, 1, 2>(orbit_by<rc::unroll<3>>))(.3, seven, .7));
  CHECK(rc::fn(orbit_by<rc::unroll<3>>)(.3, rc::tensor<double, 0>{}, .7).item() == .3);
  auto const twice = [](auto f) { return rc::jvp(rc::grad<2>(f)); };
  auto const second = std::get<1>(twice(orbit_by<rc::unroll<3>>)(.3, seven, .7)(1., seven, .5));
  CHECK(double(second) ==
        doctest::Approx(double(std::get<1>(twice(orbit_by<rc::unroll<1>>)(.3, seven, .7)(1., seven, .5)))));
  rc::tensor<double, 2, 7> many;
  many(0) = seven, many(1) = -seven;
  auto const of_all = rc::vmap(rc::grad<2>(orbit_by<rc::unroll<3>>), rc::in_axes<rc::unbatched, 0, rc::unbatched>);
  for (int k = 0; k < 2; ++k)
    CHECK(of_all(.3, many, .7)(k) ==
          doctest::Approx(double(rc::grad<2>(orbit_by<rc::unroll<3>>)(.3, rc::eval(many(k)), .7))));
}
TEST_CASE("what iterations that are several stack, in order, of trees") {
  auto const step = [](auto carry, auto x) {
    auto const [number, sum] = carry;
    auto const [row, factor] = x;
    return std::pair(std::tuple(number + 1, sum + row * factor), std::tuple(number, std::pair(sum, rc::sum(row))));
  };
  rc::tensor<double, 7, 2> rows;
  rc::tensor<float, 7> factors;
  for (int k = 0; k < 7; ++k) rows(k, 0) = k, rows(k, 1) = 10 * k, factors(k) = float(k + 1);
  auto const start = std::tuple(rc::tensor<int>(0), rc::tensor<double, 2>{});
  auto const [last, ys] = rc::scan(step, start, std::tuple(rows, factors), rc::unroll<2>);  // called with tensors
  auto const [one_by_one, zs] = rc::scan(step, start, std::tuple(rows, factors));
  CHECK(int(std::get<0>(last)) == 7);
  CHECK(numbers(std::get<1>(last)) == numbers(std::get<1>(one_by_one)));
  CHECK(numbers(std::get<0>(ys)) == numbers{0, 1, 2, 3, 4, 5, 6});
  CHECK(numbers(std::get<0>(std::get<1>(ys))) == numbers(std::get<0>(std::get<1>(zs))));
  CHECK(numbers(std::get<1>(std::get<1>(ys))) == numbers{0, 11, 22, 33, 44, 55, 66});
}
