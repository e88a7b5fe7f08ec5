// Roots and logarithms of matrices, polar factors, ranges and null spaces, systems by a Cholesky factor, least squares
// with all results: what they are defined by, derivatives, and what has none.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "agrees.hpp"
#include "complex_matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

rc::tensor<double, 3, 3> const a{{4, 1, 2}, {1, 5, 3}, {-2, 3, 6}}, unit{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
auto const root = [](auto m) { return la::sqrtm(m); };
auto const logarithm = [](auto m) { return la::logm(m); };

}  // namespace

// Level `fast`: what `f` of two matrices, the first square, is made of afterwards, by the names of its instructions.
namespace {

using V = rc::ir::value<rc::ir::traced>;
template <class F>
constexpr bool has_become(F const& f, rc::ir::op_facts const* there, rc::ir::op_facts const* gone,
                          rc::level up_to = rc::level::fast, rc::shape_t const& of_m = {2, {3, 3}},
                          rc::shape_t const& of_b = {2, {3, 3}}) {
  rc::ir::graph g{};
  V const x = rc::ir::argument<rc::ir::traced>(g, rc::dtype::float64, of_m, 0),
          y = rc::ir::argument<rc::ir::traced>(g, rc::dtype::float64, of_b, 1);
  V const y0 = f(x, y);
  int id = y0.id;
  if (up_to == rc::level::fast)
    rc::transform::simplify<rc::ir::traced, rc::level::fast>(g, 1, &id, 1);
  else
    rc::transform::simplify<rc::ir::traced, rc::level::stable>(g, 1, &id, 1);
  bool needed[256]{}, is_there = false, is_gone = true;
  rc::transform::mark_needed(g, 1, {&id, 1}, needed);
  for (int k = 1; k < g.size; ++k) {
    is_there = is_there || (needed[k] && rc::ir::same_operation(g.ins[k].op, there));
    is_gone = is_gone && !(needed[k] && rc::ir::same_operation(g.ins[k].op, gone));
  }
  return is_there && is_gone && rc::ir::same_shape(g, g.ins[id].shape, y0.shape_id());
}
constexpr auto const* by_solving = rc::ir::facts_of<rc::solve_matrices_t>();
constexpr auto const* by_inverse = rc::ir::facts_of<la::inv_t>();
constexpr auto const* of_magnitude = rc::ir::facts_of<la::sign_and_log_t>();
constexpr auto const* by_determinant = rc::ir::facts_of<la::det_t>();
constexpr auto inverted = [](V m) { return la::inv_t::record(rc::no_attributes{}, m); };
constexpr auto times = [](V m, V b) { return rc::matmul_t::record(rc::no_attributes{}, m, b); };
constexpr auto product_before = [](V m, V b) { return times(inverted(m), b); };
constexpr auto product_behind = [](V m, V b) { return times(b, inverted(m)); };
constexpr auto determinant_of = [](V m) { return la::det_t::record(rc::no_attributes{}, m); };
static_assert(has_become(product_before, by_solving, by_inverse));
static_assert(has_become(product_behind, by_solving, by_inverse));
static_assert(has_become([](V m, V b) { return times(la::transposed(inverted(m)), b); }, by_solving, by_inverse));
static_assert(has_become(product_before, by_solving, by_inverse, rc::level::fast, {2, {3, 3}}, {1, {3}}));
static_assert(has_become(product_before, by_solving, by_inverse, rc::level::fast, {3, {5, 3, 3}}, {3, {5, 3, 2}}));
static_assert(has_become(product_before, by_solving, by_inverse, rc::level::fast, {3, {5, 3, 3}}, {2, {3, 2}}));
static_assert(has_become(product_behind, by_solving, by_inverse, rc::level::fast, {3, {5, 3, 3}}, {2, {3, 3}}));
static_assert(has_become([](V m, V) { return V(rc::log(determinant_of(m))); }, of_magnitude, by_determinant));
static_assert(has_become([](V m, V) { return V(rc::log(rc::abs(determinant_of(m)))); }, of_magnitude, by_determinant));
// not on a lower level; not one inverse that is applied to a batch; not other readers
static_assert(has_become(product_before, by_inverse, by_solving, rc::level::stable));
static_assert(has_become(product_before, by_inverse, by_solving, rc::level::fast, {2, {3, 3}}, {3, {5, 3, 2}}));
static_assert(has_become([](V m, V b) { return V(inverted(m) * b); }, by_inverse, by_solving));
static_assert(has_become([](V m, V) { return V(rc::sqrt(determinant_of(m))); }, by_determinant, of_magnitude));

}  // namespace

TEST_CASE("products with inverses and logarithms of determinants at level fast, and their derivatives") {
  rc::tensor<double, 3, 2> const b{{1, 2}, {3, 4}, {5, 7}};
  auto const fast = [](auto const& e) { return rc::simplified<rc::level::fast>(e); };
  auto const w = rc::wrt<"a">(a);
  CHECK(numbers(rc::eval(fast(rc::matmul(la::inv(a), b)))).near(numbers(rc::eval(la::solve(a, b))), 1e-14));
  CHECK(numbers(rc::eval(fast(rc::matmul(unit + a, la::inv(a))))).near(numbers(rc::eval(unit + la::inv(a))), 1e-14));
  auto const solved = rc::sum(rc::square(rc::matmul(la::inv(w), b)));
  CHECK(numbers(rc::eval(rc::derivative<"a">(fast(solved))))
            .near(numbers(rc::grad([](auto m, auto r) { return rc::sum(rc::square(la::solve(m, r))); })(a, b)), 1e-13));
  rc::tensor<double, 3, 3> const huge = 1e150 * a, tiny = 1e-150 * a, negative = -1. * a, none = 0. * a;
  double const log_det = std::log(rc::eval(la::det(a)).item()), log_scale = 450 * std::log(10.);
  CHECK(rc::eval(fast(rc::log(la::det(huge)))).item() == doctest::Approx(log_det + log_scale));
  CHECK(rc::eval(fast(rc::log(la::det(tiny)))).item() == doctest::Approx(log_det - log_scale));
  CHECK(rc::eval(fast(rc::log(rc::abs(la::det(negative))))).item() == doctest::Approx(log_det));
  CHECK(std::isnan(rc::eval(fast(rc::log(la::det(negative)))).item()));
  CHECK(rc::eval(fast(rc::log(la::det(none)))).item() == -INFINITY);
  CHECK(numbers(rc::eval(rc::derivative<"a">(fast(rc::log(la::det(w))))))
            .near(numbers(rc::eval(rc::matrix_transpose(la::inv(a)))), 1e-14));
}

TEST_CASE_TEMPLATE("roots and logarithms", T, float, double) {
  using C = std::complex<T>;
  double const eps = double(std::numeric_limits<T>::epsilon());
  for (int const n : {0, 1, 2, 3, 5, 10}) {
    CAPTURE(n);
    matrix<T> const b = of_kind<T>(0, n, n), square = rc::matmul(b, b), half = .5 * b, again = la::expm(half);
    matrix<T> const x = la::sqrtm(square), l = la::logm(again), back = la::expm(matrix<T>(la::logm(square)));
    CHECK(residual(square, x, x) < 30);
    CHECK(largest(rc::eval(l - half)) <= 100 * eps * (1 + largest(half)));
    CHECK(largest(rc::eval(back - square)) <= 300 * eps * (1 + largest(square)));
    matrix<C> const c = complex_of_kind<T>(0, n, n), y = la::sqrtm(c), e = la::expm(C(.25) * matrix<C>(c));
    CHECK(size_of_residual(c, y, y) <= 30 * n * eps * size_of(c));
    matrix<C> const z = la::logm(e);
    CHECK(size_of(rc::eval(z - C(.25) * c)) <= 100 * eps * (1 + size_of(c)));
  }
}
TEST_CASE("roots and logarithms that are known, or not there") {
  double const third = 3.14159265358979323846 / 3;
  rc::tensor<double, 2, 2> const turn{{std::cos(third), -std::sin(third)}, {std::sin(third), std::cos(third)}};
  CHECK(numbers(rc::eval(la::logm(turn))).near({0, -third, third, 0}, 1e-15));
  CHECK(numbers(rc::eval(la::sqrtm(turn)))
            .near({std::cos(third / 2), -std::sin(third / 2), std::sin(third / 2), std::cos(third / 2)}, 1e-15));
  rc::tensor<double, 2, 2> const shear{{1, 1e8}, {0, 1}}, negative{{-4, 0}, {0, 9}}, nilpotent{{0, 1}, {0, 0}};
  CHECK(numbers(rc::eval(la::sqrtm(shear))) == numbers{1, .5e8, 0, 1});
  CHECK(numbers(rc::eval(la::logm(shear))).near({0, 1e8, 0, 0}, 1e-4));
  CHECK(numbers(rc::eval(la::sqrtm(rc::eval(0. * unit)))) == numbers(rc::eval(0. * unit)));
  for (auto const& x : {rc::eval(la::sqrtm(negative)), rc::eval(la::logm(negative)), rc::eval(la::sqrtm(nilpotent)),
                        rc::eval(la::logm(nilpotent)), rc::eval(la::logm(rc::eval(INFINITY * shear)))})
    CHECK(std::isnan(x(0, 0)));
  CHECK_THROWS_WITH_AS(la::checked(la::sqrtm(negative)), "sqrtm: NaN at (0, 0)", la::error);
  auto const complex_root = rc::eval(la::sqrtm(rc::astype<std::complex<double>>(negative)));
  CHECK(std::abs(complex_root(0, 0) - std::complex<double>(0, 2)) < 1e-15);
  rc::tensor<double, 2, 2> const tiny{{1e-100, 0}, {0, 1e100}};
  CHECK(rc::eval(la::sqrtm(tiny))(1, 1) == doctest::Approx(1e50));
  CHECK(rc::eval(la::logm(tiny))(0, 0) == doctest::Approx(std::log(1e-100)));
  CHECK_THROWS_WITH_AS(rc::eval(la::logm(rc::ndarray<double, 2>(2, 3))), "logm: (2, 3)", rc::shape_error);
}
TEST_CASE("polar factors") {
  for (auto const& s : {std::pair(3, 3), std::pair(5, 3), std::pair(3, 5), std::pair(20, 18)})
    for (int const kind : {0, 2, 3, 4, 5, 6}) {
      CAPTURE(kinds[kind]);
      CAPTURE(s.first);
      auto const x = of_kind<double>(kind, s.first, s.second);
      auto const [u, p] = la::polar(x);
      CHECK(residual(x, u, p) < 30);
      CHECK(from_orthonormal(s.first < s.second ? matrix<double>(u.T()) : u) < 30);
      double const size = largest(p);
      CHECK(largest(rc::eval(p - p.T())) <= 1e-15 * size);
      CHECK(rc::eval(rc::min(la::eigvalsh(p))).item() >= -1e-14 * size);
    }
  rc::ndarray<double, 2> broken(2, 2);
  broken = NAN;
  CHECK_THROWS_WITH_AS(la::checked(la::polar(broken)), "polar: NaN at (0, 0)", la::error);
  CHECK(la::polar(rc::ndarray<double, 2>(0, 3)).P(2, 2) == 0);
}
TEST_CASE("ranges and null spaces") {
  for (auto const& s : {std::pair(4, 4), std::pair(5, 3), std::pair(3, 5), std::pair(20, 30)})
    for (int const kind : {0, 3, 4}) {
      CAPTURE(kinds[kind]);
      CAPTURE(s.first);
      auto const x = of_kind<double>(kind, s.first, s.second);
      int const rank = kind == 4 ? 0 : kind == 3 ? 1 : s.first < s.second ? s.first : s.second;
      auto const q = la::orth(x), z = la::null_space(x);
      CHECK(q.shape(0) == s.first);
      CHECK(q.shape(1) == rank);
      CHECK(z.shape(0) == s.second);
      CHECK(z.shape(1) == s.second - rank);
      CHECK(from_orthonormal(q) < 30);
      CHECK(from_orthonormal(z) < 30);
      CHECK(largest(rc::eval(rc::matmul(x, z))) < 3e-14 * (1 + largest(x)));
      CHECK(largest(rc::eval(x - rc::matmul(q, rc::matmul(q.T(), x)))) < 3e-14 * (1 + largest(x)));
    }
  rc::tensor<std::complex<double>, 1, 3> const row{{{1, 2}, {0, -1}, {3, 1}}};
  auto const across = la::null_space(row);
  CHECK(across.shape(1) == 2);
  CHECK(largest(rc::eval(rc::abs(rc::matmul(row, across)))) < 1e-14);
  rc::tensor<float, 2, 3> const fixed{{1, 0, 0}, {0, 1e-3f, 0}};
  static_assert(std::is_same_v<decltype(la::null_space(fixed)), rc::tensor<float, 3, rc::dyn>>);
  static_assert(std::is_same_v<decltype(la::orth(fixed)), rc::tensor<float, 2, rc::dyn>>);
  CHECK(la::null_space(fixed).shape(1) == 1);
  CHECK(la::null_space(fixed, .01).shape(1) == 2);
  CHECK_THROWS_WITH_AS(la::orth(rc::eval(NAN * fixed)), "orth: the matrix has elements that are not finite",
                       rc::value_error);
  CHECK_THROWS_WITH_AS(la::orth(fixed, -5.), "orth: a tolerance of 0 or more is expected, not a negative one",
                       rc::value_error);
  CHECK_THROWS_WITH_AS(la::null_space(fixed, NAN), "null_space: a tolerance of 0 or more is expected, not NaN",
                       rc::value_error);
}
TEST_CASE("systems by a Cholesky factor, least squares with all results") {
  rc::tensor<double, 3, 3> const s = rc::matmul(a, a.T());
  rc::tensor<double, 3> const b{1, 2, 3};
  rc::tensor<double, 3, 2> const two{{1, 4}, {2, 5}, {3, 6}};
  rc::tensor<double, 3> const x = la::solve(s, b);
  rc::tensor<double, 3, 3> l = la::cholesky(s), u = la::cholesky(s, rc::upper);
  l(0, 2) = u(2, 0) = NAN;  // not read
  CHECK(numbers(rc::eval(la::cho_solve(l, b))).near(numbers(x), 1e-13));
  CHECK(numbers(rc::eval(la::cho_solve(u, b, rc::upper))).near(numbers(x), 1e-13));
  CHECK(numbers(rc::eval(la::cho_solve(l, two))).near(numbers(rc::eval(la::solve(s, two))), 1e-13));
  CHECK_THROWS_WITH_AS(rc::eval(la::cho_solve(rc::ndarray<double, 2>(2, 3), rc::ndarray<double, 1>(2))),
                       "cho_solve: (2, 3) (2,)", rc::shape_error);

  rc::tensor<double, 4, 2> const m{{1, 1}, {1, 2}, {1, 3}, {1, 4}};
  rc::tensor<double, 4> const y{6, 5, 7, 10};
  auto const [line, residuals, rank, values] = la::lstsq(m, y, la::all_results);  // Strang's line 3.5 + 1.4 t
  CHECK(numbers(line).near({3.5, 1.4}, 1e-13));
  CHECK(residuals.item() == doctest::Approx(4.2));
  CHECK(rank.item() == 2);
  CHECK(numbers(values).near(numbers(rc::eval(la::svdvals(m))), 1e-14));
  CHECK(la::lstsq(m, y, .9, la::all_results).rank.item() == 1);
  // of several matrices and one vector the same, matrix by matrix; also where as many matrices as columns look like one
  auto const each = [&](auto const& many, auto const& of) {
    auto const all = la::lstsq(many, of, la::all_results);
    CHECK(all.residuals.shape(0) == many.shape(0));
    for (int k = 0; k < int(many.shape(0)); ++k) {
      auto const one = la::lstsq(rc::eval(many(k)), of, la::all_results);
      CHECK(numbers(rc::eval(all.x(k))).near(numbers(one.x), 1e-13));
      CHECK(std::abs(double(all.residuals(k)) - one.residuals.item()) < 1e-12);
      CHECK(double(all.rank(k)) == one.rank.item());
    }
  };
  rc::ndarray<double, 3> high(3, 4, 2), square(3, 3, 3);
  for (int k = 0; k < 3; ++k)
    high(k) = double(k) * m + rc::tensor<double, 2>{1, -.5}, square(k) = s + k * rc::eye<double>(3);
  each(high, y);
  each(square, rc::ndarray<double, 1>{1, 2, 3});
}
// np.polyfit of the same numbers
TEST_CASE("polynomials fitted to points") {
  rc::ndarray<double, 1> const x = rc::arange<double>(0, 6), y{0, .8, .9, .1, -.8, -1};
  numbers const cubic{.0870370370370368, -.813492063492062, 1.69312169312169, -.0396825396825349};
  CHECK(numbers(rc::eval(la::polyfit(x, y, rc::known<3>))).near(cubic, 1e-12));
  rc::tensor<double, 6> const fixed = x;
  CHECK(numbers(rc::eval(la::polyfit(fixed, y, rc::known<3>))).near(cubic, 1e-12));
  rc::ndarray<double, 2> const columns = rc::stack(y, x * x - 1., rc::axis<1>);
  CHECK(numbers(rc::eval(la::polyfit(x, columns, rc::known<2>)))
            .near({-.16071428571428586, 1, .5007142857142862, 0, .22142857142857147, -1}, 1e-12));
  CHECK(numbers(rc::eval(rc::polyval(la::polyfit(x, x * x * x, rc::known<3>), x)))
            .near(numbers(rc::eval(x * x * x)), 1e-11));
  CHECK(numbers(rc::eval(la::polyfit(rc::zeros<double>(rc::shape(3)), rc::tensor<double, 3>{1, 2, 6}, rc::known<0>)))
            .near({3}, 1e-14));
  // fewer points than coefficients: the shortest solution of the scaled problem
  CHECK(numbers(rc::eval(la::polyfit(rc::tensor<double, 2>{0, 1}, rc::tensor<double, 2>{0, .8}, rc::known<3>)))
            .near({.8 / 3, .8 / 3, .8 / 3, 0}, 1e-13));
  CHECK_THROWS_WITH_AS(rc::eval(la::polyfit(x, rc::ndarray<double, 1>(5), rc::known<1>)), "polyfit: (6,) (5,)",
                       rc::shape_error);
  // of half precision, whose powers it does not hold, in float
  rc::ndarray<rc::float16, 1> const far = rc::astype<rc::float16>(100. * x), hundredths = rc::astype<rc::float16>(x);
  auto const of_half = rc::eval(rc::astype<double>(la::polyfit(far, hundredths, rc::known<3>)));
  CHECK(numbers(of_half).near({0, 0, .01, 0}, 1e-5));
  agrees(
      "polyfit", [](auto u, auto v) { return la::polyfit(u, v, rc::known<2>); }, x, y);
}
TEST_CASE("derivatives") {
  agrees("sqrtm", root, a);
  agrees("logm", logarithm, a);
  rc::tensor<std::complex<double>, 2, 2> const c{{{1, 1}, {.5, 0}}, {{0, -.25}, {2, -1}}};
  agrees("complex sqrtm", root, c);
  agrees("complex logm", logarithm, c);
  auto const polar = [](auto m) { return std::pair(la::polar(m).U, la::polar(m).P); };
  agrees("polar", polar, a);
  agrees("polar, high", polar, of_kind<double>(0, 4, 2));
  agrees(
      "cho_solve", [](auto m, auto b) { return la::cho_solve(m, b); }, a, of_kind<double>(0, 3, 2));
  agrees(
      "lstsq",
      [](auto m, auto b) {
        auto const r = la::lstsq(m, b, la::all_results);
        return std::tuple(r.x, r.residuals, r.singular_values);
      },
      of_kind<double>(0, 4, 2), of_kind<double>(0, 4, 2, 5));

  rc::ndarray<double, 3> many(2, 3, 3);
  many(0) = a, many(1) = 2. * a;
  auto const g = rc::grad([](auto m) { return rc::sum(rc::square(la::sqrtm(m))); });
  CHECK(numbers(rc::vmap(g)(many)(1)).near(numbers(g(rc::eval(2. * a))), 1e-12));
  CHECK(numbers(rc::interpret(g)(a)).near(numbers(g(a)), 1e-12));
}
TEST_CASE("derivatives at the unit matrix, where all values are equal") {
  auto const at_unit = [](auto f) { return rc::grad([=](auto m) { return f(m)(0, 1); })(unit); };
  CHECK(numbers(at_unit(root)) == numbers{0, .5, 0, 0, 0, 0, 0, 0, 0});
  CHECK(numbers(at_unit(logarithm)).near({0, 1, 0, 0, 0, 0, 0, 0, 0}, 1e-15));
  CHECK(numbers(at_unit([](auto m) { return la::polar(m).U; })).near({0, .5, 0, -.5, 0, 0, 0, 0, 0}, 1e-15));
  CHECK(numbers(at_unit([](auto m) { return la::polar(m).P; })).near({0, .5, 0, .5, 0, 0, 0, 0, 0}, 1e-15));
  rc::tensor<double, 2, 2> const rank_1{{1, 2}, {2, 4}};
  CHECK(std::isnan(rc::grad([](auto m) { return la::polar(rc::matmul(m, 0. * m)).U(0, 0); })(rank_1)(0, 0)));
}
