// Sparse hessians, and sparse jacobians of and by records, numbers and tuples.
#include "../sparse.hpp"

namespace {

constexpr auto energy = [](auto x) {
  auto const d = x(rc::range(1, rc::end)) - x(rc::range(0, -1));
  return rc::sum(rc::square(rc::square(d)) + rc::cos(x(rc::range(0, -1))));
};
constexpr auto rosenbrock = [](auto x, auto a) {
  auto const here = x(rc::range(0, -1)), next = x(rc::range(1, rc::end));
  return rc::sum(a * rc::square(next - here * here) + rc::square(1. - here));
};

template <class F, class... A>
auto check_hessian(F const& f, A const&... a) {
  auto const h = rc::sparse_hessian(f)(a...);
  CHECK(numbers(h.dense()).near(numbers(rc::eval(rc::hessian(f)(a...))), 1e-12));
  CHECK(numbers(h.dense()).near(numbers(rc::eval(rc::permute_dims(h.dense(), rc::axes<1, 0>))), 1e-12));
  return h;
}

template <class Kind = rc::values>
struct decay {
  rc::field<Kind, double> rate;
  rc::field<Kind, double, 3> heights;
};

}  // namespace

TEST_CASE("hessians") {
  auto const h = check_hessian(energy, some(12));
  CHECK((h.nonzeros() == 12 + 2 * 11 && h.colors == 3));
  CHECK(check_hessian(energy, rc::tensor<double, 4>(some(4))).nonzeros() == 10);
  auto const r = check_hessian(rosenbrock, some(30), 100.);
  CHECK((r.nonzeros() == 30 + 2 * 29 && r.colors == 3));
  CHECK(rc::sparse_hessian([](auto x) { return rc::sum(3. * x); })(some(5)).nonzeros() == 0);
  auto j = rc::prepared(rc::sparse_hessian(energy));
  for (int k = 0; k < 2; ++k)
    CHECK(numbers(j(some(7, k)).dense()).near(numbers(rc::eval(rc::hessian(energy)(some(7, k)))), 1e-12));
}

TEST_CASE("columns of hessians that mirror each other share colors") {
  // an arrow: all variables with the first, 2 colors where rows are not shared: 40
  auto const arrow = [](auto x) { return rc::sum(rc::square(x) * rc::sin(x(0) * x)); };
  CHECK(check_hessian(arrow, some(40)).colors == 2);
  // neighbours in a grid; by columns alone 7
  auto const grid = [](auto u) {
    auto const d = u(rc::range(1, rc::end), rc::all) - u(rc::range(0, -1), rc::all);
    auto const e = u(rc::all, rc::range(1, rc::end)) - u(rc::all, rc::range(0, -1));
    return rc::sum(rc::square(rc::square(d))) + rc::sum(rc::square(rc::square(e)));
  };
  matrix const u = some(9, 8, 0.3);
  auto const h = rc::sparse_hessian(grid)(u);
  auto const by_columns = rc::sparse_jacobian<0, rc::compressed::columns>(rc::grad(grid))(u);
  MESSAGE("colors of a grid: " << h.colors << ", by columns " << by_columns.colors);
  CHECK(h.colors < by_columns.colors);
  CHECK(numbers(h.dense()).near(numbers(by_columns.dense()), 1e-12));
  CHECK(numbers(h.columns) == numbers(by_columns.columns));
}

TEST_CASE("records, tuples, numbers") {
  decay<> p;
  p.rate = 0.5;
  p.heights = rc::tensor<double, 3>{1, 2, 3};
  rc::tensor<double, 4> const t{0, 1, 2, 3};
  auto const curves = [](auto q, auto times) {
    return std::tuple(rc::exp(-q.rate * times), q.heights(rc::all, rc::newaxis) * rc::exp(-q.rate * times));
  };
  auto const j = rc::sparse_jacobian(curves)(p, t);
  CHECK((j.shape(0) == 4 + 12 && j.shape(1) == 4 && j.nonzeros() == 4 + 12 * 2 && j.colors == 2));
  for (int k = 0; k < 4; ++k) CHECK(j(k, 0) == doctest::Approx(-t(k) * std::exp(-0.5 * t(k))));
  CHECK(j(4 + 4 + 2, 2) == doctest::Approx(std::exp(-1.)));
  CHECK(j(4 + 4 + 2, 1) == 0);
  CHECK(j(4 + 4 + 2, 0) == doctest::Approx(-2 * 2 * std::exp(-1.)));
  // by rows
  auto const sums = [](auto q) { return std::pair(rc::sum(q.heights) * q.rate, q.rate * 2.); };
  auto const s = rc::sparse_jacobian(sums)(p);
  CHECK(numbers(s.dense()).near(numbers{6, 0.5, 0.5, 0.5, 2, 0, 0, 0}, 1e-14));
  // by a number
  auto const n = rc::sparse_jacobian<1>([](auto x, auto rate) { return rate * x; })(t, 0.5);
  CHECK(numbers(n.dense()) == numbers{0, 1, 2, 3});
  // in float, and to double
  rc::tensor<float, 3> const f{1, 2, 3};
  auto const wide = rc::sparse_jacobian([](auto x) { return rc::astype<double>(x) * 2.; })(f);
  static_assert(std::is_same_v<decltype(wide)::value_type, double>);
  CHECK(numbers(wide.values) == numbers{2, 2, 2});
}

TEST_CASE("expressions and views as arguments") {
  matrix const x = some(4, 5, 0.3);
  auto const square = [](auto v) { return v * v; };
  CHECK(numbers(rc::sparse_jacobian(square)(x(rc::all, 1)).values).near(numbers(rc::eval(2. * x(rc::all, 1))), 1e-14));
  CHECK(numbers(rc::sparse_jacobian(square)(x(0) + 1.).values).near(numbers(rc::eval(2. * (x(0) + 1.))), 1e-14));
}
