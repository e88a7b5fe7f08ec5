// Loops whose carries reverse mode keeps every k iterations: the same values and derivatives as without, of less that
// is kept, which is counted.
#include <doctest/doctest.h>

#include <tuple>

#include "../near.hpp"

namespace rc = ricci;

namespace {

// a recurrent net, by scan
template <class... Every>
constexpr auto net = [](auto h, auto xs, auto w) {
  auto [last, ys] = rc::scan(
      [w](auto s, auto x) {
        auto next = rc::tanh(rc::matmul(s, w) + x);
        return std::tuple(next, rc::sum(next * s));
      },
      h, xs, Every{}...);
  return rc::sum(last * last) + rc::sum(ys * ys);
};
template <rc::index_t K>
constexpr auto in_segments = net<rc::checkpoint_every_t<K>>;

template <class... Every>
constexpr auto powers = [](auto x, auto xs) {
  auto const step = [](auto s, auto v) { return std::tuple(rc::square(s * v), std::tuple{}); };
  return rc::sum(std::get<0>(rc::scan(step, x, xs, Every{}...)));
};
template <class... Every>
constexpr auto slope = [](auto x, auto xs) { return rc::sum(rc::square(rc::grad(powers<Every...>)(x, xs))); };

rc::tensor<double, 2> const h{.3, -.4};
rc::tensor<double, 2, 2> const w{{.3, -.2}, {.5, .1}};
template <rc::index_t N>
rc::tensor<double, N, 2> inputs() {
  rc::tensor<double, N, 2> x;
  for (rc::index_t k = 0; k < 2 * N; ++k) x.data()[k] = .1 * double((k * 7 + 3) % 11 - 5);
  return x;
}
template <rc::index_t K, rc::index_t N>
void check_of_length() {
  auto const xs = inputs<N>();
  auto const expected = rc::grad<0, 1, 2>(net<>)(h, xs, w);
  check_near(rc::grad<0, 1, 2>(in_segments<K>)(h, xs, w), expected);
}

}  // namespace

TEST_CASE("lengths that are a multiple, that are not, none") {
  check_of_length<3, 7>();
  check_of_length<3, 2>();
  check_of_length<3, 0>();
  rc::ndarray<double, 1> const dh = h;
  for (rc::index_t n : {0, 1, 2, 3, 4, 6, 8}) {
    rc::ndarray<double, 2> const xs = inputs<8>()(rc::range(0, n));
    check_near(rc::value_and_grad<0, 1, 2>(in_segments<3>)(dh, xs, w), rc::value_and_grad<0, 1, 2>(net<>)(dh, xs, w));
  }
  check_near(rc::interpret(rc::grad<0, 1, 2>(in_segments<3>))(h, inputs<7>(), w),
             rc::grad<0, 1, 2>(net<>)(h, inputs<7>(), w));
}
TEST_CASE("what is kept, counted: one carry of each segment, and what is read anyway") {
  rc::tensor<double, 256> const x = .5;
  rc::tensor<double, 103> const xs = 1.1;
  auto const n_carries = [&](auto const& f) { return (rc::saved(f, x, xs).bytes - 832) / 2048; };  // xs is read
  CHECK(n_carries(powers<>) == 103);
  CHECK(n_carries(powers<rc::checkpoint_every_t<10>>) == 10 + 1);
  CHECK(n_carries(powers<rc::checkpoint_every_t<0>>) == 9 + 1);  // segments of 11
  rc::ndarray<double, 1> const dx = x, dxs = xs;
  CHECK((rc::saved(powers<rc::checkpoint_every_t<10>>, dx, dxs).bytes - 832) / 2048 == 10 + 1);
  // a gradient holds those of one segment beside them
  auto const workspace = [&](auto const& f) { return rc::count(rc::grad<0, 1>(f), x, xs).workspace; };
  CHECK(workspace(powers<>) >= 103 * 2048);
  CHECK(workspace(powers<rc::checkpoint_every_t<10>>) <= (11 + 10 + 8) * 2048);
  // of the second order, too: two arrays of 103 carries, or three of 10 and 1
  CHECK(rc::saved(slope<>, x, xs).bytes >= 2 * 103 * 2048);
  CHECK(rc::saved(slope<rc::checkpoint_every_t<10>>, x, xs).bytes <= (3 * 11 + 2) * 2048);
  check_near(rc::grad<0>(slope<rc::checkpoint_every_t<10>>)(x, xs), rc::grad<0>(slope<>)(x, xs));
}
TEST_CASE("forward mode, batches") {
  auto const xs = inputs<7>();
  constexpr auto f = in_segments<3>;
  check_near(std::get<1>(rc::jvp(f)(h, xs, w)(h * 2., xs * xs, w + 1.)),
             std::get<1>(rc::jvp(net<>)(h, xs, w)(h * 2., xs * xs, w + 1.)));
  rc::tensor<double, 3, 2> const rows{{.3, -.4}, {.1, .8}, {-.5, .2}};
  constexpr auto axes = rc::in_axes<0, rc::unbatched, rc::unbatched>;
  check_near(rc::vmap(rc::grad<0, 2>(f), axes)(rows, xs, w), rc::vmap(rc::grad<0, 2>(net<>), axes)(rows, xs, w));
}
TEST_CASE("loops that count") {
  auto const repeated = []<class... E>(E... every) {
    return [every...](auto x, auto m) {
      return rc::sum(rc::fori_loop(
          2, 9, [m](auto i, auto s) { return rc::sin(rc::matmul(s, m)) * rc::astype<double>(i); }, x, every...));
    };
  };
  auto const bounded = []<class... E>(E... every) {
    return [every...](auto x, auto m, auto n) {
      auto const y = rc::fori_loop(
          1, n, [m](auto i, auto s) { return rc::sin(rc::matmul(s, m)) * rc::astype<double>(i); }, x, rc::at_most<8>,
          every...);
      return rc::sum(rc::while_loop([](auto s) { return rc::sum(s * s) < 9.; }, [](auto s) { return s * 1.5; }, y,
                                    rc::at_most<14>, every...));
    };
  };
  constexpr auto every = rc::checkpoint_every<3>;
  check_near(rc::grad<0, 1>(repeated(every))(h, w), rc::grad<0, 1>(repeated())(h, w));
  for (int n : {0, 2, 6}) check_near(rc::grad<0, 1>(bounded(every))(h, w, n), rc::grad<0, 1>(bounded())(h, w, n));
}
