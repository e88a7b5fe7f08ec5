// Sparse jacobians of records of rows, whose derivatives are recorded component by component.
#include "../sparse.hpp"

namespace {

using indices = rc::ndarray<int, 1>;
using rows_of_two = rc::tensor<double, rc::dyn, 2>;

// springs between places in the plane, each of a length of its own that is a parameter, too
constexpr auto stretched = [](auto parameters, auto from, auto to) {
  auto const [places, lengths] = parameters;
  auto const d = rc::take(places, from, rc::axis<0>) - rc::take(places, to, rc::axis<0>);
  auto const x = d(rc::all, 0), y = d(rc::all, 1);
  auto const length = rc::sqrt(x * x + y * y);
  return std::pair(rc::stack(x * (length - lengths), y * (length - lengths) + 2. * x, rc::axis<1>), 3. * lengths);
};
// of bodies that are seen from one place each: no row depends on two of one component
constexpr auto seen = [](auto parameters, auto of) {
  auto const [places, heights, scale] = parameters;
  auto const p = rc::take(places, of, rc::axis<0>);
  auto const x = p(rc::all, 0), y = p(rc::all, 1);
  return std::tuple(rc::stack(x / heights + y, -y * rc::cos(heights), rc::axis<-1>), 1. - heights * heights, scale * x);
};

constexpr auto by_columns = [](auto f) { return rc::sparse_jacobian<0, rc::compressed::columns>(f); };

template <class Places>
auto problem(Places const& places) {
  return std::tuple(places, some(7, 0.9), 1.5);
}

}  // namespace

TEST_CASE("places that rows name, and numbers of their own") {
  indices const of{3, 0, 1, 3, 2, 4, 4};
  rows_of_two const places(some(5, 2, 0.2));
  auto const j = by_columns(seen)(problem(places), of);
  CHECK((j.shape(0) == 28 && j.shape(1) == 18 && j.colors == 4));
  for (int k = 0; k < 7; ++k) {
    double const x = places(of(k), 0), h = some(7, 0.9)(k);
    CHECK(j(2 * k, 2 * of(k)) == doctest::Approx(1 / h));
    CHECK(j(2 * k, 2 * of(k) + 1) == 1);
    CHECK(j(2 * k, 10 + k) == doctest::Approx(-x / (h * h)));
    CHECK(j(2 * k + 1, 2 * of(k)) == 0);
    CHECK(j(2 * k + 1, 2 * of(k) + 1) == doctest::Approx(-std::cos(h)));
    CHECK(j(14 + k, 10 + k) == doctest::Approx(-2 * h));
    CHECK(j(21 + k, 17) == doctest::Approx(x));
    CHECK(j(21 + k, 2 * of(k)) == doctest::Approx(1.5));
  }
}

TEST_CASE("another pattern, other extents, and a matrix that is written again") {
  rows_of_two const places(some(5, 2, 0.2));
  auto prepared = rc::prepared(by_columns(seen));
  auto j = prepared(problem(places), indices{0, 1, 2, 3, 4, 4, 4});
  auto const* const memory = j.values.data();
  auto const other = j;
  auto twice = problem(rows_of_two(2. * places));
  prepared.into(j)(twice, indices{0, 1, 2, 3, 4, 4, 4});
  CHECK(j.values.data() == memory);
  auto const afresh = by_columns(seen)(twice, indices{0, 1, 2, 3, 4, 4, 4});
  CHECK(numbers(j.dense()) == numbers(afresh.dense()));
  CHECK(numbers(other.dense()) == numbers(prepared(problem(places), indices{0, 1, 2, 3, 4, 4, 4}).dense()));
  prepared.into(j)(twice, indices{4, 4, 4, 3, 2, 1, 0});
  CHECK(numbers(j.dense()) == numbers(by_columns(seen)(twice, indices{4, 4, 4, 3, 2, 1, 0}).dense()));
}

TEST_CASE("rows that depend on two of one component are computed by colors") {
  rows_of_two const places(some(6, 2, 0.2));
  vector const lengths = some(5, 0.7);
  indices const from{0, 1, 2, 3, 5}, to{1, 2, 3, 4, 0};
  auto const j = by_columns(stretched)(std::tuple(places, lengths), from, to);
  CHECK((j.nonzeros() == 5 * 2 * (4 + 1) + 5 && j.colors == 5));
  for (int k = 0; k < 5; ++k) {
    double const x = places(from(k), 0) - places(to(k), 0), y = places(from(k), 1) - places(to(k), 1);
    double const length = std::sqrt(x * x + y * y), by_y = x * y / length, by_x = length + x * x / length - lengths(k);
    CHECK(j(2 * k, 2 * from(k)) == doctest::Approx(by_x));
    CHECK(j(2 * k, 2 * to(k)) == doctest::Approx(-by_x));
    CHECK(j(2 * k, 2 * from(k) + 1) == doctest::Approx(by_y));
    CHECK(j(2 * k + 1, 2 * to(k)) == doctest::Approx(-by_y - 2));
    CHECK(j(2 * k, 12 + k) == doctest::Approx(-x));
    CHECK(j(10 + k, 12 + k) == 3);
  }
}

TEST_CASE("components along the first axis, long rows") {
  // numbers of one kind side by side, more than are computed at once
  constexpr rc::index_t n = 5000;
  auto const f = [](auto p) {
    auto const [x, w] = p;
    auto const square = x(0) * x(0) + x(1) * x(1) + x(2) * x(2);
    auto const root = rc::sqrt(square + w), angle = rc::cos(root) * x(2), other = rc::sin(root) * w;
    return rc::stack(x(0) * angle + other, rc::exp(-square) * x(1) + root * other, w * x(2), rc::axis<0>);
  };
  rc::tensor<double, 3, rc::dyn> x(3, n);
  for (rc::index_t k = 0; k < 3 * n; ++k) x.data()[k] = std::sin(0.7 * double(k)) + 1.2;
  vector const w = some(n, 0.2);
  auto const j = by_columns(f)(std::tuple(x, w));
  CHECK((j.shape(0) == 3 * n && j.nonzeros() == 10 * n && j.colors == 4));
  auto const tangent = rc::jvp(f)(std::tuple(x, w))(std::tuple(rc::tensor<double, 3, rc::dyn>(x * 2.), vector(-w)));
  vector direction(4 * n);
  for (rc::index_t k = 0; k < 3 * n; ++k) direction(k) = 2 * x.data()[k];
  for (rc::index_t k = 0; k < n; ++k) direction(3 * n + k) = -w(k);
  CHECK(numbers(j.matvec(direction)).near(numbers(rc::eval(rc::ravel(tangent.second))), 1e-12));
}
