// Patterns of sparse jacobians: of loops and branches.
#include "../sparse.hpp"

TEST_CASE("loops and branches") {
  auto const cell = [](auto h, auto x) { return std::pair(0.5 * h + rc::square(x), h * x); };
  auto const walk = [cell](auto xs) {
    auto [last, ys] = rc::scan(cell, 0.25, xs);
    return rc::concat(ys, rc::reshape(last, rc::shape(1)), rc::axis<0>);
  };
  auto const j = check(true, walk, some(6));
  CHECK(j.nonzeros() == 1 + 2 + 3 + 4 + 5 + 6 + 6);
  // only what is carried: a moving window of two
  auto const window = [](auto xs) {
    auto const step = [](auto before, auto x) { return std::pair(x, x * before); };
    return std::get<1>(rc::scan(step, 1., xs));
  };
  auto const w = check(true, window, some(50));
  CHECK((w.nonzeros() == 99 && w.colors == 2));
  auto const branch = [](auto a, auto b) {
    return rc::cond(
        a(0) > 0., [](auto x, auto y) { return x * y(0); }, [](auto x, auto y) { return rc::flip(x) * y; }, a, b);
  };
  check(false, branch, some(5), some(5, 0.8));
  check(false, branch, vector(-some(5)), some(5, 0.8));
  check<1>(false, branch, some(5), some(5, 0.8));
}

// By columns, as nothing goes backwards through loops of any length. How many numbers are in the pattern.
template <int I = 0, class F, class... A>
rc::index_t check_columns(F const& f, A const&... a) {
  auto const j = rc::sparse_jacobian<I, rc::compressed::columns>(f)(a...);
  numbers const dense(rc::eval(rc::jacfwd<I>(f)(a...)));
  CHECK(numbers(j.dense()).near(dense, 1e-12));
  return j.nonzeros();
}

TEST_CASE("loops of as many iterations as a value says") {
  auto const by_number = [](auto x, auto n) {
    return rc::fori_loop(
        0, n, [](auto, auto y) { return y + rc::square(rc::roll(y, 1)); }, x);
  };
  check_columns(by_number, some(6), 2);
  check_columns(by_number, some(6), 0);
  // each element by itself, until all are small
  auto const by_element = [](auto x, auto s) {
    return rc::while_loop([](auto y) { return rc::max(y) > .1; }, [&](auto y) { return y * .5 * s; }, x);
  };
  CHECK(check_columns(by_element, some(7), .7) == 7);
  CHECK(check_columns<1>(by_element, some(7), .7) == 7);
  auto const two = [](auto x) {
    auto const step = [&](auto const& s) {
      auto const& [a, b, n] = s;
      return std::tuple(a * b, b + x, n + 1);
    };
    auto const last = rc::while_loop([](auto s) { return std::get<2>(s) < 3; }, step, std::tuple(x, rc::square(x), 0));
    return rc::concat(std::get<0>(last), std::get<1>(last), rc::axis<0>);
  };
  CHECK(check_columns(two, some(4)) == 8);
  // rows that the number of the iteration names
  auto const rows = [](auto x, auto n) {
    return rc::fori_loop(
        0, n, [&](auto i, auto y) { return y * x(i); }, x(rc::range(0, 2)));
  };
  check_columns(rows, some(5), 5);
}
