// The method of Levenberg and Marquardt beside SciPy's (least_squares_table.py), on trees of any extents and both
// types.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ops/create.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/optimize.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "least_squares_table.hpp"

namespace rc = ricci;
namespace table = least_squares_table;
using rc::optimize::least_squares;
using rc::optimize::stop;

namespace {

template <std::size_t N>
rc::ndarray<double, 1> vector_of(double const (&values)[N]) {
  rc::ndarray<double, 1> v = rc::zeros<double>(rc::shape(N));
  for (std::size_t k = 0; k < N; ++k) v(rc::index_t(k)) = values[k];
  return v;
}

template <class Kind = rc::values>
struct peaks {
  rc::field<Kind, double, 2> heights, centres, widths;
  rc::field<Kind, double> shift, slope;
  constexpr auto operator()(auto const& x) const {
    auto const at = [&](int k) { return heights(k) * rc::exp(-.5 * rc::square((x - centres(k)) / widths(k))); };
    return at(0) + at(1) + shift + slope * x;
  }
};
constexpr auto misses = [](auto const& model, auto const& x, auto const& y) { return rc::eval(model(x)) - y; };
constexpr auto valley = [](auto const& x) { return rc::stack(10 * (x(1) - rc::square(x(0))), 1 - x(0)); };
constexpr auto meyer = [](auto const& p) {
  rc::tensor<double, 16> y{34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744,
                           8261,  7030,  6005,  5147,  4427,  3820,  3307,  2872};
  auto const t = rc::eval(50 + 5 * rc::arange<double>(rc::extents<16>{}));
  return rc::eval(p(0) * rc::exp(p(1) / (t + p(2))) - y);
};

}  // namespace

TEST_CASE("as SciPy: a record, numbers of different sizes, a curved valley") {
  peaks<> const start{{1, 1}, {2.5, 7}, {1, 1}, 0, 0};
  auto const r = least_squares(misses, start, {}, vector_of(table::x), vector_of(table::y));
  CHECK(numbers(r.x.heights).near({table::peaks_found[0], table::peaks_found[1]}, 1e-6));
  CHECK(numbers(r.x.centres).near({table::peaks_found[2], table::peaks_found[3]}, 1e-6));
  // of either sign
  CHECK(numbers(rc::eval(rc::abs(r.x.widths))).near({-table::peaks_found[4], table::peaks_found[5]}, 1e-6));
  CHECK(r.x.slope.item() == doctest::Approx(table::peaks_found[7]).epsilon(1e-5));
  CHECK(r.value == doctest::Approx(table::peaks_value[0]).epsilon(1e-10));
  CHECK(r.evaluations <= 2 * table::peaks_evaluations[0]);
  CHECK((r.reason == stop::value || r.reason == stop::gradient || r.reason == stop::step));

  auto const v = least_squares(valley, rc::tensor<double, 2>{-1.2, 1}, {.gtol = 1e-12, .ftol = 0, .xtol = 0});
  CHECK(numbers(v.x).near({1, 1}, 1e-9));
  CHECK(v.evaluations <= 2 * table::rosenbrock_evaluations[0]);
  CHECK(v.gradient_norm <= 1e-12);
  CHECK(v.reason == stop::gradient);
  auto const f = least_squares(valley, rc::tensor<float, rc::dyn>{-1.2f, 1}, {});
  CHECK(numbers(f.x).near({1, 1}, 1e-4));

  auto const m = least_squares(meyer, rc::tensor<double, 3>{.02, 4000, 250}, {.gtol = 0, .ftol = 1e-14});
  CHECK(m.value == doctest::Approx(table::meyer_value[0]).epsilon(1e-8));
  CHECK(numbers(m.x).near({table::meyer_found[0], table::meyer_found[1], table::meyer_found[2]}, 1e-2));
  CHECK(m.evaluations <= 2 * table::meyer_evaluations[0]);
}

TEST_CASE("fewer residuals than numbers, numbers without use, residuals of any shape, nothing to do") {
  constexpr auto sum_is_3 = [](auto const& x) { return rc::sum(x(rc::range(0, 3))) - 3; };
  auto const r = least_squares(sum_is_3, rc::tensor<double, 4>{0, 0, 0, 7});
  CHECK(numbers(r.x).near({1, 1, 1, 7}, 1e-7));
  CHECK(r.value < 1e-15);
  constexpr auto of_matrix = [](auto const& w, auto const& x, auto const& y) { return rc::matmul(x, w) - y; };
  rc::ndarray<double, 2> const x{{1, 2}, {3, 4}, {5, 7}}, w{{1, -1}, {2, .5}};
  rc::ndarray<double, 2> const y = rc::matmul(x, w);
  auto const linear =
      least_squares(of_matrix, rc::ndarray<double, 2>(rc::zeros<double>(rc::shape(2, 2))), {.gtol = 1e-12}, x, y);
  CHECK(numbers(linear.x).near(numbers(w), 1e-8));
  constexpr auto squared = [](auto const& p) { return p * p - 2; };
  auto const root = least_squares(squared, 1.);
  CHECK(root.x.item() == doctest::Approx(std::sqrt(2.)).epsilon(1e-8));
  auto const there = least_squares(squared, std::sqrt(2.));
  CHECK(there.steps == 0);
  CHECK(there.evaluations == 1);
}

TEST_CASE("places that are no numbers, ends, and what is refused") {
  constexpr auto logarithm = [](auto const& x) { return rc::log(x) + 3; };  // the first step leads below 0
  auto const r = least_squares(logarithm, rc::tensor<double, 1>{5});
  CHECK(r.x(0) == doctest::Approx(std::exp(-3.)).epsilon(1e-7));
  CHECK(raised([&] { (void)least_squares(logarithm, rc::tensor<double, 1>{-1}); }) ==
        "value_error: optimize::least_squares: at x0 the sum of squares is NaN");
  CHECK(raised([] { (void)least_squares([](auto const& x) { return rc::asin(x); }, rc::tensor<double, 1>{1}); }) ==
        "value_error: optimize::least_squares: at x0 an element of the gradient is infinity");
  CHECK(raised([] {
          (void)least_squares(valley, rc::tensor<double, 2>{1, 2}, {.xtol = -1});
        }) == "value_error: optimize::least_squares: an xtol of at least 0 is expected");
  rc::tensor<double, 2> const far{-1.2, 1};
  CHECK(least_squares(valley, far, {.max_steps = 3}).reason == stop::max_steps);
  CHECK(least_squares(valley, far, {.max_steps = 3}).steps == 3);
  CHECK(least_squares(valley, far, {.max_evaluations = 4}).evaluations == 4);
  CHECK(least_squares(valley, far, {.max_evaluations = 4}).reason == stop::max_evaluations);
  CHECK(least_squares(valley, far, {.gtol = 0, .ftol = 0, .xtol = 1e-3}).reason == stop::step);
  CHECK(std::string(name_of(stop::step)) == "step");
}
