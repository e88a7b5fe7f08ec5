// Control flow in traced functions: scan and cond against the same loops and branches of C++, compiled, interpreted,
// derived, batched, nested.
#include <doctest/doctest.h>

#include <tuple>

#include "../near.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto cell = [](auto h, auto x, auto w) { return rc::tanh(rc::matmul(h, w) + x); };
// a recurrent net by scan, and unrolled
constexpr auto scanned = [](auto h0, auto xs, auto w) {
  auto [last, ys] = rc::scan(
      [w](auto h, auto x) {
        auto next = cell(h, x, w);
        return std::tuple(next, rc::sum(next * next));
      },
      h0, xs);
  return rc::sum(last) + rc::sum(ys * ys);
};
constexpr auto unrolled = [](auto h0, auto xs, auto w) {
  auto h = h0;
  auto sum = rc::sum(h0) * 0.;
  for (int t = 0; t < 4; ++t) {
    h = cell(h, xs(t), w);
    sum += rc::square(rc::sum(h * h));
  }
  return rc::sum(h) + sum;
};

template <class T>
T filled(T x, double by) {
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = by * double((k * 7 + 3) % 11 - 5);
  return x;
}
rc::tensor<double, 4, 2> const xs = filled(rc::tensor<double, 4, 2>{}, .1);
rc::tensor<double, 2, 2> const w = filled(rc::tensor<double, 2, 2>{}, .15);
rc::tensor<double, 2> const h0 = filled(rc::tensor<double, 2>{}, .05);

template <class Kind = rc::values>
struct state {
  rc::field<Kind, double, 2> position, velocity;
};

}  // namespace

TEST_CASE("scan: values, derivatives of all kinds, batches") {
  check_near(rc::fn(scanned)(h0, xs, w), rc::fn(unrolled)(h0, xs, w));
  check_near(rc::grad<0, 1, 2>(scanned)(h0, xs, w), rc::grad<0, 1, 2>(unrolled)(h0, xs, w));
  check_near(std::get<1>(rc::jvp(scanned)(h0, xs, w)(h0 * 2., xs * xs, w + 1.)),
             std::get<1>(rc::jvp(unrolled)(h0, xs, w)(h0 * 2., xs * xs, w + 1.)));
  check_near(rc::hessian<2>(scanned)(h0, xs, w), rc::hessian<2>(unrolled)(h0, xs, w));
  auto const [value, pull] = rc::vjp(scanned)(h0, xs, w);
  check_near(pull(2.), std::get<1>(rc::vjp(unrolled)(h0, xs, w))(2.));
  rc::tensor<double, 3, 4, 2> const many = filled(rc::tensor<double, 3, 4, 2>{}, .2);
  auto const axes = rc::in_axes<rc::unbatched, 0, rc::unbatched>;
  check_near(rc::vmap(scanned, axes)(h0, many, w), rc::vmap(unrolled, axes)(h0, many, w));
  check_near(rc::vmap(rc::grad<2>(scanned), axes)(h0, many, w), rc::vmap(rc::grad<2>(unrolled), axes)(h0, many, w));
  auto const all = [axes](auto f) {
    return [axes, f](auto h, auto x, auto m) { return rc::sum(rc::vmap(f, axes)(h, x, m)); };
  };
  check_near(rc::grad<0, 1, 2>(all(scanned))(h0, many, w), rc::grad<0, 1, 2>(all(unrolled))(h0, many, w));
}

TEST_CASE("scan interpreted, and with extents that show at run time, down to none") {
  check_near(rc::interpret(rc::grad<0, 1, 2>(scanned))(h0, xs, w), rc::grad<0, 1, 2>(unrolled)(h0, xs, w));
  check_near(rc::interpret(rc::vmap(scanned, rc::in_axes<0, rc::unbatched, rc::unbatched>))(xs, xs, w),
             rc::vmap(unrolled, rc::in_axes<0, rc::unbatched, rc::unbatched>)(xs, xs, w));
  rc::ndarray<double, 2> const open = xs, none(0, 2);
  rc::ndarray<double, 1> const h = h0;
  check_near(rc::grad<0, 1>(scanned)(h, open, w), rc::grad<0, 1>(unrolled)(h0, xs, w));
  CHECK(rc::fn(scanned)(h, none, w).item() == rc::eval(rc::sum(h)).item());
  CHECK(numbers(rc::grad<2>(scanned)(h, none, w)) == numbers{0, 0, 0, 0});
  auto const sums = [](auto start, auto x) {
    return rc::scan([](auto s, auto v) { return std::pair(s + v, s); }, start, x);
  };
  auto const [total, before] = rc::fn(sums)(0., rc::tensor<double, 4>{1, 2, 3, 4});
  CHECK(total.item() == 10);
  CHECK(numbers(before) == numbers{0, 1, 3, 6});
  CHECK(shape_of(std::get<1>(rc::fn(sums)(0., rc::ndarray<double, 1>(0)))) == numbers{0});
  CHECK(shape_of(std::get<1>(rc::interpret(sums)(0., rc::ndarray<double, 1>(0)))) == numbers{0});
  auto const pairs = [](auto x, auto y) {
    return std::get<1>(rc::scan([](auto s, auto v) { return std::pair(s, std::get<0>(v) * std::get<1>(v)); },
                                rc::sum(x) * 0., std::tuple(x, y)));
  };
  CHECK_THROWS_AS(rc::fn(pairs)(rc::ndarray<double, 1>(3), rc::ndarray<double, 1>(4)), rc::shape_error);
}

TEST_CASE("a region stays before its body, whatever is found out or rewritten of its extent and its condition") {
  // how many iterations there are is the extent of the carry, too, which the body says
  auto const rows = [](auto h, auto m) {
    auto [last, sums] = rc::scan([m](auto c, auto row) { return std::pair(rc::matmul(c, m) + row, rc::sum(c)); }, h, m);
    return rc::sum(last) + rc::sum(sums * sums);
  };
  rc::ndarray<double, 1> const h = h0;
  rc::ndarray<double, 2> const m = w;
  auto const [dh, dm] = rc::interpret(rc::grad<0, 1>(rows))(h, m);
  check_near(rc::grad<0, 1>(rows)(h, m), std::tuple(dh, dm));
  auto const [value, pull] = rc::vjp(rows)(h, m);
  check_near(value, rc::interpret(rows)(h, m));
  check_near(pull(1.), std::tuple(dh, dm));
  auto const chosen = [](auto x, auto y) {
    auto z = rc::cond(
        rc::log(rc::sum(rc::exp(x))) > 0., [](auto a, auto b) { return rc::matmul(rc::tanh(a), b); },
        [](auto a, auto) { return 2. * a; }, x, y);
    return rc::sum(z * z);
  };
  check_near(rc::grad<0, 1>(chosen)(h, m), rc::interpret(rc::grad<0, 1>(chosen))(h, m));
}

TEST_CASE("records as carries, what is swapped, integers, loops in loops, calls with tensors") {
  auto const step = [](auto s, auto force) {
    auto next = s;
    next.velocity = s.velocity + .1 * (force - s.position);
    next.position = s.position + .1 * next.velocity;
    return std::pair(next, rc::sum(next.position * next.velocity));
  };
  state<> const start{h0, h0 * 2.};
  auto const [last, work] = rc::scan(step, start, xs);  // at once
  double p[2] = {h0(0), h0(1)}, v[2] = {2 * h0(0), 2 * h0(1)};
  for (int t = 0; t < 4; ++t) {
    double dot = 0;
    for (int k = 0; k < 2; ++k) v[k] += .1 * (xs(t, k) - p[k]), p[k] += .1 * v[k], dot += p[k] * v[k];
    CHECK(work(t) == doctest::Approx(dot));
  }
  CHECK(numbers(last.position).near({p[0], p[1]}));
  auto const final_energy = [step](auto s, auto forces) {
    auto const end = std::get<0>(rc::scan(step, s, forces));
    return rc::sum(end.position * end.position);
  };
  auto const g = rc::grad(final_energy)(start, xs);
  state<> moved = start;
  double const h = 1e-6;
  moved.velocity(1) += h;
  double const up = rc::fn(final_energy)(moved, xs).item();
  moved.velocity(1) -= 2 * h;
  CHECK(g.velocity(1) == doctest::Approx((up - rc::fn(final_energy)(moved, xs).item()) / (2 * h)));

  auto const swap = [](auto a, auto b, auto n) {
    return std::get<0>(rc::scan([](auto c, auto) { return std::pair(std::tuple(std::get<1>(c), std::get<0>(c)), 0.); },
                                std::tuple(a, b), n));
  };
  auto const [x, y] = rc::fn(swap)(h0, h0 * 3., rc::tensor<double, 3>{});
  CHECK(numbers(x) == numbers(rc::eval(h0 * 3.)));
  CHECK(numbers(y) == numbers(h0));

  auto const counted =
      rc::scan([](auto n, auto i) { return std::pair(n * 2 + i, n); }, rc::tensor<int>{1}, rc::tensor<int, 3>{1, 0, 1});
  CHECK(std::get<0>(counted).item() == 13);

  auto const nested = [](auto m, auto c) {  // sums of running products
    return std::get<0>(rc::scan(
        [c](auto s, auto row) {
          auto const inner =
              rc::scan([c](auto product, auto e) { return std::pair(product * e * c, product); }, c, row);
          return std::pair(s + std::get<0>(inner) + rc::sum(std::get<1>(inner)), 0.);
        },
        c * 0., m));
  };
  auto const by_hand = [](auto m, auto c) {
    auto s = c * 0.;
    for (int i = 0; i < 4; ++i) {
      auto prod = c;
      for (int k = 0; k < 2; ++k) s += prod, prod = prod * m(i, k) * c;
      s += prod;
    }
    return s;
  };
  check_near(rc::fn(nested)(xs, 1.5), rc::fn(by_hand)(xs, 1.5));
  check_near(rc::grad<0, 1>(nested)(xs, 1.5), rc::grad<0, 1>(by_hand)(xs, 1.5));
  check_near(rc::jacfwd(rc::grad(nested))(xs, 1.5), rc::jacfwd(rc::grad(by_hand))(xs, 1.5));
}

TEST_CASE("cond: one of two, derived, batched, in loops") {
  auto const f = [](auto x, auto c) {
    return rc::cond(
        rc::sum(x) > 0., [c](auto t) { return t * c; }, [](auto t) { return rc::exp(t); }, x);
  };
  auto const total = [f](auto x, auto c) { return rc::sum(rc::square(f(x, c))); };
  rc::tensor<double, 2> const up{3, -1}, down{-3, 1};
  CHECK(numbers(rc::fn(f)(up, 2.)) == numbers{6, -2});
  CHECK(numbers(rc::fn(f)(down, 2.)).near(numbers(rc::eval(rc::exp(down)))));
  CHECK(numbers(std::get<0>(rc::grad<0, 1>(total)(up, 2.))).near({24, -8}));
  CHECK(std::get<1>(rc::grad<0, 1>(total)(up, 2.)).item() == doctest::Approx(40.));
  CHECK(numbers(std::get<0>(rc::grad<0, 1>(total)(down, 2.))).near(numbers(rc::eval(2. * rc::exp(2. * down)))));
  CHECK(std::get<1>(rc::grad<0, 1>(total)(down, 2.)).item() == 0);
  CHECK(numbers(rc::hessian(total)(down, 2.)).near({4 * std::exp(-6.), 0, 0, 4 * std::exp(2.)}));
  CHECK(std::get<1>(rc::jvp(total)(up, 2.)(up, 0.)).item() == doctest::Approx(80.));
  rc::tensor<double, 2, 2> both{};
  both(0) = up, both(1) = down;
  auto const batch = rc::vmap(f, rc::in_axes<0, rc::unbatched>)(both, 2.);
  CHECK(numbers(batch(0)) == numbers{6, -2});
  CHECK(numbers(batch(1)).near(numbers(rc::eval(rc::exp(down)))));
  auto const slopes = rc::vmap(rc::grad(total), rc::in_axes<0, rc::unbatched>)(both, 2.);
  CHECK(numbers(slopes(0)).near({24, -8}));
  CHECK(numbers(slopes(1)).near(numbers(rc::eval(2. * rc::exp(2. * down)))));
  CHECK(numbers(rc::interpret(rc::grad(total))(down, 2.)).near(numbers(rc::eval(2. * rc::exp(2. * down)))));

  // only what is taken is computed: the index of the other one would be an error
  auto const element = [](auto x, auto i) {
    return rc::cond(
        rc::max(i) < 2, [x, i] { return rc::sum(rc::take(x, i)); }, [x] { return rc::sum(x) * 0. - 1.; });
  };
  CHECK(rc::fn(element)(up, rc::tensor<int, 1>{1}).item() == -1);
  CHECK(rc::fn(element)(up, rc::tensor<int, 1>{7}).item() == -1);
  CHECK(rc::interpret(element)(up, rc::tensor<int, 1>{7}).item() == -1);

  // Newton's steps while there is something to gain
  auto const root = [](auto a, auto times) {
    return std::get<0>(rc::scan(
        [a](auto x, auto) {
          auto const gap = x * x - a;
          return std::pair(
              rc::cond(
                  rc::abs(gap) > 1e-14, [gap](auto t) { return t - gap / (2. * t); }, [](auto t) { return t + 0.; }, x),
              0.);
        },
        a, times));
  };
  CHECK(rc::fn(root)(2., rc::ndarray<double, 1>(12)).item() == doctest::Approx(std::sqrt(2.)));
  CHECK(rc::grad(root)(2., rc::ndarray<double, 1>(12)).item() == doctest::Approx(.5 / std::sqrt(2.)));
  CHECK(numbers(rc::vmap(rc::grad(root), rc::in_axes<0, rc::unbatched>)(rc::tensor<double, 2>{4, 9},
                                                                        rc::ndarray<double, 1>(12)))
            .near({.25, 1. / 6}));
}

TEST_CASE("scans without data, however long: the positions beside a symbol are counted, and no constants") {
  auto const counted = [](auto q) {
    auto const [last, seen] = rc::scan([](auto s, auto i) { return std::pair(s + 1. * i, s); }, q,
                                       rc::arange<std::int64_t>(20000, rc::like(q)));
    return std::tuple(last, seen(-1));
  };
  auto const [last, seen] = rc::fn(counted)(1.);
  CHECK(last.item() == 1 + 19999. * 20000 / 2);
  CHECK(seen.item() == last.item() - 19999);
  auto const known = [](auto q) {
    return std::get<0>(rc::scan([](auto s, auto) { return std::pair(.9999 * s, std::tuple{}); }, q,
                                rc::arange<int>(rc::extents<20000>{}, rc::like(q))));
  };
  CHECK(rc::grad(known)(1.).item() == doctest::Approx(std::pow(.9999, 20000)));
  // as outside of a trace, where integers wrap and steps are no integers
  auto const same = [](auto x) {
    return std::tuple(rc::arange<float>(1, 2, .25, rc::like(x)), rc::arange<std::uint8_t>(250, 260, rc::like(x)),
                      rc::arange<int>(3, -4, -2, rc::like(x)));
  };
  for (auto const& [steps, bytes, down] : {rc::fn(same)(1.), rc::interpret(same)(1.)}) {
    CHECK(numbers(steps) == numbers{1, 1.25, 1.5, 1.75});
    CHECK(numbers(bytes) == numbers{250, 251, 252, 253, 254, 255, 0, 1, 2, 3});
    CHECK(numbers(down) == numbers{3, 1, -1, -3});
  }
}

TEST_CASE("scans by a number of iterations, of which each is given its own") {
  auto const f = [](auto x, auto along) {
    auto const step = [](auto s, auto i) { return std::pair(s * 1.5f + i, rc::sum(s) * i); };
    auto const [a, ys] = rc::scan(step, x, 4);
    auto const [b, zs] = rc::scan(step, x, rc::known<3>);
    auto const [c, ws] = rc::scan(step, x, along.shape(0), rc::unroll<2>);
    auto const [d, vs] = rc::scan(step, x, along.shape(0) - 1, rc::checkpoint_every<2>);
    return std::tuple(a, ys, zs, ws, vs, rc::sum(b) + rc::sum(c) + rc::sum(d));
  };
  rc::tensor<float, 2> const x{1, 2};
  rc::ndarray<float, 1> const five(5);
  for (auto const& [last, ys, zs, ws, vs, sum] : {rc::fn(f)(x, five), rc::interpret(f)(x, five)}) {
    static_assert(std::is_same_v<decltype(zs), rc::tensor<float, 3> const>);  // as i adapts to what it stands beside
    CHECK(numbers(last) == numbers{13.3125, 18.375});
    CHECK(numbers(ys) == numbers{0, 4.5, 17.5, 51.375});
    CHECK(numbers(zs) == numbers{0, 4.5, 17.5});
    CHECK(numbers(ws) == numbers{0, 4.5, 17.5, 51.375, 126.75});
    CHECK(numbers(vs) == numbers(ys));
    CHECK(sum.item() == doctest::Approx(104.34375));
  }
  auto const g = rc::grad([f](auto y, auto ys) { return std::get<5>(f(y, ys)); })(x, five);
  CHECK(numbers(g) == numbers{16.03125, 16.03125});  // 1.5^3 + 1.5^5 + 1.5^4
  // outside of a trace; no iterations where the number is negative
  auto const down = [](auto s, auto i) { return std::pair(s - i, s); };
  auto const [last, path] = rc::scan(down, rc::tensor<double, 2>{1, 2}, rc::known<3>);
  static_assert(std::is_same_v<decltype(path), rc::tensor<double, 3, 2> const>);
  CHECK(numbers(last) == numbers{-2, -1});
  CHECK(numbers(std::get<1>(rc::scan(down, 7., 3))) == numbers{7, 7, 6});
  CHECK(std::get<1>(rc::scan(down, 7., -3)).shape(0) == 0);
}
