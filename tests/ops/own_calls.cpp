// Calls of a user's own: operations that bring a loop of their own over the last axes of their operands, one with a
// workspace, one with two results. They work like the library's in statements, functions, derivatives, batches and the
// interpreter.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "element_loops.hpp"

namespace rc = ricci;
using namespace own_calls;

namespace {

rc::tensor<double, 3, 3> const a{{0, 2, 1}, {4, 1, 0}, {1, 1, 5}};
rc::tensor<double, 3> const b{3, 5, 7};

}  // namespace

TEST_CASE("a call in statements: broadcast batches, strides, run-time extents, types") {
  auto const x = rc::eval(solve(a, b));
  CHECK(numbers(rc::eval(rc::matmul(a, x))).near({3, 5, 7}));
  CHECK(numbers(rc::eval(solve(a.T(), b) + 0.)).near(numbers(rc::eval(solve(rc::eval(a.T() + 0.), b)))));
  rc::ndarray<float, 2> right(4, 3);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) right(i, k) = float(i + k * k);
  auto const y = rc::eval(solve(a, right));  // one matrix for four right-hand sides; the types promote
  static_assert(std::is_same_v<decltype(y)::value_type, double>);
  CHECK(shape_of(y) == numbers{4, 3});
  for (int i = 0; i < 4; ++i) CHECK(numbers(rc::eval(solve(a, right(i)))).near(numbers(y(i))));
  auto const half = rc::eval(solve(rc::astype<rc::float16>(a), rc::tensor<rc::float16, 3>{3, 5, 7}));  // as float
  static_assert(std::is_same_v<decltype(half)::value_type, rc::float16>);
  for (int k = 0; k < 3; ++k) CHECK(half(k) == rc::float16(x(k)));
  rc::tensor<int, 2, 2> const whole{{2, 0}, {0, 4}};
  CHECK(numbers(rc::eval(solve(whole, rc::tensor<int, 2>{1, 1}))) == numbers{.5, .25});
  rc::ndarray<double, 2> none(0, 0);
  CHECK_THROWS_WITH_AS(rc::eval(solve(none, rc::ndarray<double, 1>(0))), "solve: no equations", rc::value_error);
  CHECK_THROWS_AS(rc::eval(solve(rc::ndarray<double, 2>(2, 3), rc::ndarray<double, 1>(3))), rc::shape_error);
}

TEST_CASE("a call in place, in constants, and with what it reads being made on the way") {
  rc::tensor<double, 3> x = b;
  x = solve(a, x);
  CHECK(numbers(x).near(numbers(rc::eval(solve(a, b)))));
  constexpr auto c = rc::eval(solve(rc::tensor<double, 2, 2>{{0, 2}, {4, 0}}, rc::tensor<double, 2>{2, 8}));
  static_assert(c(0) == 2 && c(1) == 1);
  CHECK(numbers(rc::eval(2. * solve(a + a, b * 2.) - 1.)).near(numbers(rc::eval(2. * solve(a, b) - 1.))));
}

TEST_CASE("derivatives of a call, of their derivatives, batches, the interpreter") {
  auto const f = [](auto m, auto r) { return rc::sum(rc::square(solve(m, r))); };
  auto const slope = [&](auto const& g, auto const& m) {  // along the matrix b b^T
    double const h = 1e-5;
    return (g(rc::eval(m + h * rc::outer(b, b))) - g(rc::eval(m - h * rc::outer(b, b)))) / (2 * h);
  };
  auto const value = [&](auto const& m) { return rc::fn(f)(m, b).item(); };
  auto const by_matrix = rc::grad(f)(a, b);
  CHECK(rc::eval(rc::sum(by_matrix * rc::outer(b, b))).item() == doctest::Approx(slope(value, a)).epsilon(1e-6));
  auto const along = [](auto m, auto r) {
    return rc::jvp([r](auto n) { return rc::sum(rc::square(solve(n, r))); })(m)(rc::outer(r, r));
  };
  CHECK(std::get<1>(rc::fn(along)(a, b)).item() == doctest::Approx(slope(value, a)).epsilon(1e-6));
  auto const second = [&](auto const& m) { return rc::eval(rc::sum(rc::grad(f)(m, b) * rc::outer(b, b))).item(); };
  auto const twice = rc::grad([](auto m, auto r) {
    return rc::sum(rc::grad([](auto n, auto s) { return rc::sum(rc::square(solve(n, s))); })(m, r) * rc::outer(r, r));
  })(a, b);
  CHECK(rc::eval(rc::sum(twice * rc::outer(b, b))).item() == doctest::Approx(slope(second, a)).epsilon(1e-5));

  rc::ndarray<double, 3> many(2, 3, 3);
  many(0) = a;
  many(1) = a + a.T();
  auto const each = rc::vmap(rc::grad(f), rc::in_axes<0, rc::unbatched>)(many, b);
  CHECK(numbers(each(0)).near(numbers(by_matrix)));
  CHECK(numbers(each(1)).near(numbers(rc::grad(f)(rc::eval(a + a.T()), b))));
  CHECK(numbers(rc::interpret(rc::grad(f))(a, b)).near(numbers(by_matrix)));
}

TEST_CASE("an extent of its own, row-major operands, threads, what explain and count say") {
  rc::ndarray<double, 2> x(3, 4);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k) x(i, k) = i + k * k;
  CHECK(numbers(rc::eval(differences(x))) == numbers{1, 3, 5, 1, 3, 5, 1, 3, 5});
  CHECK(numbers(rc::eval(differences(x.T()))) == numbers{1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(numbers(rc::eval(differences(differences(2. * x)))) == numbers{4, 4, 4, 4, 4, 4});
  CHECK(numbers(std::get<1>(rc::jvp([](auto t) { return differences(t); })(x)(x * x))) ==
        numbers(rc::eval(differences(x * x))));
  CHECK_THROWS_AS(rc::eval(differences(rc::ndarray<double, 1>(0))), rc::value_error);
  CHECK_THROWS_AS(rc::eval(rc::sum(differences(rc::ndarray<double, 1>(0)))), rc::value_error);

  rc::ndarray<double, 3> many(3000, 3, 3);
  for (int k = 0; k < 3000; ++k) many(k) = a + double(k);
  auto const alone = rc::eval(solve(many, b)), together = rc::eval(solve(many, b), rc::cpu{.threads = 3});
  CHECK(numbers(alone) == numbers(together));

  auto const f = [](auto m, auto r) { return solve(m, r); };
  CHECK(rc::count(f, many, b).operations == 3000 * 18);
  CHECK(std::string(rc::explain(f, many, b).text).find("solve of 3000 x 3 x") != std::string::npos);
}

TEST_CASE("what a call wants row-major is copied only where its last axes lie otherwise") {
  rc::ndarray<double, 3> x(2, 4, 4);
  rc::tensor<double, 4> const y{0, 1, 4, 9};
  for (int i = 0; i < 32; ++i) x(i / 16, i / 4 % 4, i % 4) = i * i;
  auto const steps_and_values = [&](auto const& f, auto const& in, int steps) {
    CHECK(rc::count(f, in).steps == steps);
    CHECK(numbers(rc::fn(f)(in)) == numbers(rc::interpret(f)(in)));
  };
  auto const rows = [](auto t) { return differences(t(rc::all, rc::range(2, 4))); };
  auto const one_row = [](auto t) { return differences(t(-1, 1)); };
  auto const row_many_times = [](auto t) { return differences(rc::broadcast_to(t, rc::shape(3, 4))); };
  auto const part_of_rows = [](auto t) { return differences(t(rc::all, rc::range(0, 4, 2), rc::range(1, 3))); };
  auto const backwards = [](auto t) { return differences(rc::flip(t, rc::axis<1>)); };
  steps_and_values(rows, x, 1);
  steps_and_values(one_row, x, 1);
  steps_and_values(row_many_times, y, 1);
  steps_and_values(part_of_rows, x, 1);
  steps_and_values(backwards, x, 1);
  auto const columns = [](auto t) { return differences(t(0).T()); };
  auto const other_elements = [](auto t) { return differences(t(rc::all, 1, rc::range(0, 4, 2))); };
  auto const reversed = [](auto t) { return differences(rc::flip(t, rc::axis<-1>)); };
  auto const one_many_times = [](auto t) { return differences(rc::broadcast_to(t(1), rc::shape(3))); };
  steps_and_values(columns, x, 2);
  steps_and_values(other_elements, x, 2);
  steps_and_values(reversed, x, 2);
  steps_and_values(one_many_times, y, 2);
  CHECK(numbers(rc::eval(differences(x(0).T()(1)))) == numbers(rc::eval(differences(rc::eval(x(0).T()(1) + 0.)))));
}

TEST_CASE("a call with two results") {
  rc::ndarray<double, 2> x(2, 4);
  for (int k = 0; k < 4; ++k) x(0, k) = k * k, x(1, k) = 3 - k;
  auto const [mean, variance] = moments(x);
  CHECK(numbers(mean).near({3.5, 1.5}));
  CHECK(numbers(variance).near({12.25, 1.25}));
  auto const [m, v] = moments(rc::tensor<float, 3>{1, 2, 3});
  auto const [hm, hv] = moments(rc::tensor<rc::float16, 3>{1000, 2000, 3001});  // computed as float
  CHECK(numbers{double(float(hm.item())), double(float(hv.item()))} == numbers{2000, INFINITY});
  CHECK(m.item() == 2);
  CHECK(v.item() == doctest::Approx(2. / 3));

  auto const of_both = [](auto t) {
    auto const [mu, var] = moments(t * t);
    return rc::sum(mu * var + rc::sqrt(var));
  };
  auto const same = [](auto t) {
    auto const mu = rc::mean(t * t, rc::axis<-1>), var = rc::var(t * t, rc::axis<-1>);
    return rc::sum(mu * var + rc::sqrt(var));
  };
  CHECK(rc::fn(of_both)(x).item() == doctest::Approx(rc::fn(same)(x).item()));
  CHECK(numbers(rc::grad(of_both)(x)).near(numbers(rc::grad(same)(x))));
  CHECK(numbers(rc::hessian(of_both)(x)).near(numbers(rc::hessian(same)(x)), 1e-8));
  CHECK(numbers(rc::jacfwd(of_both)(x)).near(numbers(rc::jacfwd(same)(x))));
  CHECK(numbers(rc::interpret(rc::grad(of_both))(x)).near(numbers(rc::grad(same)(x))));
  CHECK(numbers(rc::vmap(of_both)(x)).near(numbers(rc::vmap(same)(x))));

  // where only one of them is used, or only by a derivative
  auto const variances = [](auto t) { return rc::sum(std::get<1>(moments(t))); };
  CHECK(rc::fn(variances)(x).item() == doctest::Approx(13.5));
  CHECK(numbers(rc::grad(variances)(x)).near(numbers(rc::eval((x - rc::mean(x, rc::axis<1>, rc::keepdims)) / 2.))));
  auto [y, pull] = rc::vjp(variances)(x);
  CHECK(y.item() == doctest::Approx(13.5));
  CHECK(numbers(std::get<0>(pull(1.))).near(numbers(rc::grad(variances)(x))));
}

TEST_CASE("a call that says what a batch of it is") {
  rc::ndarray<double, 3> const x = rc::reshape(rc::arange<double>(1, 9), rc::shape(2, 2, 2));
  auto const f = [](auto t) { return 2. * total(t); };
  rows_summed = 0;
  CHECK(numbers(rc::fn(f)(x)) == numbers{6, 14, 22, 30});
  CHECK(rows_summed == 4);
  CHECK(numbers(rc::vmap(f)(x)) == numbers{6, 14, 22, 30});
  CHECK(numbers(rc::vmap(rc::vmap(f))(x)) == numbers{6, 14, 22, 30});
  CHECK(rows_summed == 4);
  CHECK(numbers(rc::interpret(rc::vmap(f))(x)) == numbers{6, 14, 22, 30});
}

TEST_CASE("results of a call are its own, also where extents are found to be equal behind it") {
  // a and a.T() go together, so that both extents are one: before that, the sums over axes have different ones
  auto const f = [](auto x) {
    auto const [rows, columns] = sums(x);
    return rc::sum(rows * columns) + rc::sum(x * rc::exp(x.T()));
  };
  auto const plainly = [](auto x) {
    return rc::sum(rc::sum(x, rc::axis<1>) * rc::sum(x, rc::axis<0>)) + rc::sum(x * rc::exp(x.T()));
  };
  rc::ndarray<double, 2> const x{{.1, .2, .3}, {.4, .5, .6}, {.7, .8, -.9}};
  CHECK(numbers(rc::grad(f)(x)).near(numbers(rc::grad(plainly)(x))));
  rc::ndarray<double, 3> const xs = rc::stack(x, 2. * x);
  CHECK(numbers(rc::vmap(rc::grad(f))(xs)).near(numbers(rc::vmap(rc::grad(plainly))(xs))));
}

TEST_CASE("folds of a user's own: rows of all lengths, alone and side by side, derivatives") {
  for (int const n : {1, 7, 8, 127, 128, 200}) {
    CAPTURE(n);
    rc::ndarray<double, 2> x(n, 9);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 9; ++k) x(i, k) = (i * 7919 + k * 104729) % 1001;
    rc::ndarray<double, 1> down(9), last(9);
    double low = 1e9, high = 0;
    for (int k = 0; k < 9; ++k) {
      double smallest = 1e9, largest = 0, y = 0;
      for (int i = 0; i < n; ++i) {
        smallest = std::min(smallest, x(i, k)), largest = std::max(largest, x(i, k));
        y = x(i, k) + y / 2;
      }
      low = std::min(low, smallest), high = std::max(high, largest);
      down(k) = largest - smallest, last(k) = y;
    }
    auto const columns = [](auto t) { return peak_to_peak(t, rc::axis<0>); };
    auto const sounds = [](auto t) { return echo(t, rc::axis<0>); };
    CHECK(numbers(rc::eval(columns(x))) == numbers(down));
    CHECK(numbers(rc::interpret(columns)(x)) == numbers(down));
    CHECK(rc::eval(peak_to_peak(rc::reshape(x, rc::shape(9 * n)))).item() == high - low);
    CHECK(numbers(rc::eval(peak_to_peak(x.T()))) == numbers(down));
    CHECK(numbers(rc::eval(echo(x, rc::axis<0>)(-1))) == numbers(last));
    CHECK(numbers(rc::eval(echo(x.T())(rc::all, -1))) == numbers(last));
    CHECK(numbers(rc::interpret(sounds)(x)) == numbers(rc::eval(sounds(x))));
  }
  CHECK_THROWS_WITH_AS(rc::eval(peak_to_peak(rc::ndarray<double, 1>(0))), "peak_to_peak: no elements", rc::value_error);
  rc::ndarray<double, 1> const x = rc::arange<double>(1., 5.);
  CHECK(numbers(rc::grad([](auto t) { return rc::sum(echo(t)); })(x)) == numbers{1.875, 1.75, 1.5, 1});

  rc::ndarray<float, 1> ones(4);
  rc::ndarray<double, 1> half(1), up(4);
  ones = 1.f, half = .5;
  for (int k = 0; k < 4; ++k) up(k) = .1 * (k + 1);
  CHECK(numbers(rc::eval(filter(ones, up))).near({.1, .3, .6, 1}));
  CHECK(numbers(rc::eval(filter(up, half))).near({.5, .6, .68, .772}));
  CHECK(numbers(rc::eval(filter(half, rc::ones<double>(rc::shape(2, 3))))).near({1, 1.5, 1.75, 1, 1.5, 1.75}));
  auto const f = [](auto by, auto t) { return filter(by, t); };
  CHECK(numbers(rc::interpret(f)(up, half)).near({.5, .6, .68, .772}));
}

TEST_CASE_TEMPLATE("regions and own calls over elements of 1, 2 and 16 bytes", T, std::uint8_t, rc::float16,
                   std::complex<double>) {
  element_loops::check_regions_and_calls<T>([](auto f, auto const&... x) { return rc::fn(f)(x...); });
}

namespace {

// What docs/operations.md says that rules compute with, each of it once, in the tangent of a call over the only axis of
// its operand.
struct spoken_t : rc::core_call<spoken_t> {
  static constexpr auto name = "spoken";
  static constexpr rc::core_signature core{"(n)->(n)"};
  RICCI_FN run(auto const& c, auto x, auto y) {
    for (rc::index_t k = 0; k < c.extents[0]; ++k) y(k) = x(k);
  }
  template <class V>
  static constexpr V jvp(rc::ir::application<V> const& at, V const* t) {
    using Mode = typename V::mode;
    V const x = at.operand(0);
    auto& g = *x.g;
    constexpr rc::reduction_axes last{1, {-1}, false};
    rc::index_t const n = x.shape().extent[x.rank() - 1];
    V const places = rc::ir::positions<Mode>(g, n), count = rc::ir::number<Mode>(g, rc::ir::plus(g, n, 1), x.type());
    V const first = rc::ir::stretch(x, 0, 0, 1), wide = rc::ir::broadcast_to(first, x.shape_id());
    V const again = rc::ir::joined(0, x.shape_id(), first, rc::ir::stretch(x, 0, 1, rc::ir::minus(g, n, 1)));
    V const turned = rc::ir::move_axis(rc::ir::expand(x, 0), 0, 1);
    V const taken = rc::ir::take(rc::ir::flip(x, 1), rc::ir::cast(places, rc::dtype::int64), 0);
    V const sums = rc::ir::sum_to(wide, first.shape_id()) / (count - 1.) + rc::ir::element_of(x, 0, 0);
    V const halves = rc::ir::reshape(turned, rc::ir::intern(g, x.shape())) + rc::ir::full_like(x, -1.);
    V const none = rc::where(x > 0., rc::ir::zeros_like(x), x) * rc::sum_t::record(last, x);
    return rc::ir::sum_of(V(t[0] * (again + taken + sums + halves + none) * (1. * at.count())), V{});
  }
  template <class V>
  static constexpr void vjp(rc::ir::application<V> const&, V ct, V* out) {
    out[0] = ct;
  }
};
inline constexpr spoken_t spoken{};

}  // namespace

TEST_CASE("what the page says that rules compute with") {
  rc::ndarray<double, 1> const x{1, 2, 4}, ones{1, 1, 1};
  auto const f = [](auto t) { return spoken(t) * 1.; };
  // x + x backwards + twice the first + x - 1
  numbers const expected{1 + 4 + 2 + 1 - 1, 2 + 2 + 2 + 2 - 1, 4 + 1 + 2 + 4 - 1};
  CHECK(numbers(rc::jvp(f)(x)(ones).second) == expected);
  CHECK(numbers(rc::interpret(rc::jvp(f))(x)(ones).second) == expected);
}
