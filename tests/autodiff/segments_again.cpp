// Loops in segments under other transforms: the second order, batches, bounds that are values.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "../near.hpp"

namespace rc = ricci;

namespace {

template <class... Every>
constexpr auto powers = [](auto x, auto xs) {
  auto const step = [](auto s, auto v) { return std::tuple(rc::square(s * v), std::tuple{}); };
  return rc::sum(std::get<0>(rc::scan(step, x, xs, Every{}...)));
};
template <rc::index_t K>
constexpr auto slope = [](auto x, auto xs) { return rc::sum(rc::grad(powers<rc::checkpoint_every_t<K>>)(x, xs)); };
// x^(n + 1)
constexpr auto power = [](auto x, auto n) {
  return rc::fori_loop(
      0, n, [=](auto, auto s) { return s * x; }, x, rc::at_most<8>, rc::checkpoint_every<3>);
};
// doubled until it is at least 10
constexpr auto doubled = [](auto x) {
  return rc::while_loop([](auto s) { return s < 10.; }, [](auto s) { return s * 2.; }, x, rc::at_most<7>,
                        rc::checkpoint_every<2>);
};

}  // namespace

TEST_CASE("the second order keeps as little") {
  rc::tensor<double, 256> const x = .5;
  rc::tensor<double, 103> const xs = 1.1;
  // three arrays of 10 carries, and of 1, and the results of the two loops
  CHECK(rc::saved(slope<10>, x, xs).bytes <= (3 * 11 + 2) * 2048 + 832);
  // 4 squarings are x^16 times a product of powers of xs
  rc::tensor<double, 2> const y{1.1, .9};
  rc::tensor<double, 4> const ones = 1.;
  check_near(rc::grad(slope<3>)(y, ones), rc::tensor<double, 2>{240 * std::pow(1.1, 14), 240 * std::pow(.9, 14)},
             1e-11);
}
TEST_CASE("batches") {
  rc::tensor<double, 3> const x{1.1, .9, .5};
  for (int n : {0, 1, 3, 8}) {
    auto const expected = [n](double v) { return (n + 1) * std::pow(v, n); };
    check_near(rc::vmap(rc::grad(power), rc::in_axes<0, rc::unbatched>)(x, n),
               rc::tensor<double, 3>{expected(1.1), expected(.9), expected(.5)});
  }
  check_near(rc::vmap(rc::grad(doubled))(rc::tensor<double, 3>{12, 1, 3}), rc::tensor<double, 3>{1, 16, 4});
}
