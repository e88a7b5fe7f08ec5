// Sparse jacobians of which whole parts of the result are derived at once, in reverse mode, by what they read.
#include <algorithm>

#include "../sparse.hpp"

namespace {

using indices = rc::ndarray<int, 1>;
using rows_of_three = rc::tensor<double, rc::dyn, 3>;

// pairs of places, and a number for each pair: one part, four directions
constexpr auto pairs = [](auto parameters, auto from, auto to, auto seen) {
  auto const [places, weights] = parameters;
  auto const p = rc::take(places, from, rc::axis<0>), q = rc::take(places, to, rc::axis<0>);
  return p(rc::all, 0) * q(rc::all, 1) + p(rc::all, 2) * q(rc::all, 2) * weights + q(rc::all, 0) * rc::exp(weights) -
         seen(rc::all, 1);
};
// each element of what is between goes into two results
constexpr auto shared = [](auto x) {
  auto const d = x(rc::all, 0) * x(rc::all, 1) + x(rc::all, 2);
  return d(rc::range(1, rc::end)) * d(rc::range(0, -1));
};
// two parts along the last axis, and one that is read as it is
constexpr auto joined = [](auto x) {
  auto const a = x(0), b = x(1), c = x(2), d = x(3), e = x(4), f = x(5);
  return std::pair(rc::stack(a * b - c * d, e / f + a, rc::axis<-1>), f);
};

constexpr auto by_columns = [](auto f) { return rc::sparse_jacobian<0, rc::compressed::columns>(f); };

template <class J>
void check_pairs(J const& j, rows_of_three const& x, vector const& w, indices const& from, indices const& to) {
  rc::index_t const n = x.shape(0), m = w.size();
  REQUIRE((j.shape(0) == m && j.shape(1) == 3 * n + m && j.colors == 1));
  double most = 0;
  for (rc::index_t k = 0; k < m; ++k) {
    rc::index_t const a = (from(k) + n) % n, b = to(k);
    double want[6] = {x(b, 1), 0, x(b, 2) * w(k), std::exp(w(k)), x(a, 0), x(a, 2) * w(k)};
    if (a == b)
      for (int i = 0; i < 3; ++i) want[i] = want[3 + i] += want[i];
    for (int i = 0; i < 3; ++i) {
      most = std::max(most, std::fabs(j(k, 3 * a + i) - want[i]));
      most = std::max(most, std::fabs(j(k, 3 * b + i) - want[3 + i]));
    }
    double const by_weight = x(a, 2) * x(b, 2) + x(b, 0) * std::exp(w(k));
    most = std::max(most, std::fabs(j(k, 3 * n + k) - by_weight));
    CHECK(j.row_starts(k + 1) - j.row_starts(k) == (a == b ? 4 : 6));
  }
  CHECK(most < 1e-12);
}

}  // namespace

TEST_CASE("rows that are read twice, in one result, and by many") {
  rows_of_three const x(some(5, 3, 0.2));
  vector const w = some(6, 0.9);
  matrix const seen = some(6, 2, 0.4);
  auto prepared = rc::prepared(by_columns(pairs));
  for (auto const& [from, to] : {std::pair(indices{0, 1, 3, 3, -1, 2}, indices{1, 0, 0, 2, 1, 3}),
                                 std::pair(indices{0, 1, 3, 3, -1, 2}, indices{0, 1, 4, 3, 1, 2})}) {
    auto j = prepared(std::tuple(x, w), from, to, seen);
    check_pairs(j, x, w, from, to);
    rows_of_three const twice(2. * x);
    prepared.into(j)(std::tuple(twice, w), from, to, seen);
    check_pairs(j, twice, w, from, to);
  }
}

TEST_CASE("more than are computed at once, by several threads") {
  for (rc::index_t m : {3001, 40000}) {
    rc::index_t const n = 700;
    rows_of_three const x(some(n, 3, 0.2));
    vector const w = some(m, 0.9);
    matrix const seen = some(m, 2, 0.4);
    indices from(m), to(m);
    for (rc::index_t k = 0; k < m; ++k) from(k) = int(k * k % n), to(k) = int((k * k + 1 + k % (n - 1)) % n);
    check_pairs(by_columns(pairs)(std::tuple(x, w), from, to, seen), x, w, from, to);
    auto const many = rc::cpu{.threads = 3};
    check_pairs(by_columns(pairs)(std::tuple(rc::eval(x, many), rc::eval(w, many)), from, to, rc::eval(seen, many)), x,
                w, from, to);
    to(m - 1) = from(m - 1);
    check_pairs(by_columns(pairs)(std::tuple(x, w), from, to, seen), x, w, from, to);
  }
}

TEST_CASE("where derivatives would be added up, colors are taken") {
  rows_of_three const x(some(6, 3, 0.2));
  auto const j = by_columns(shared)(x);
  CHECK((j.nonzeros() == 5 * 6 && j.colors == 6));
  auto const d = [&](int k) { return x(k, 0) * x(k, 1) + x(k, 2); };
  for (int k = 0; k < 5; ++k) {
    CHECK(j(k, 3 * k) == doctest::Approx(x(k, 1) * d(k + 1)));
    CHECK(j(k, 3 * k + 3) == doctest::Approx(x(k + 1, 1) * d(k)));
    CHECK(j(k, 3 * k + 2) == doctest::Approx(d(k + 1)));
  }
}

TEST_CASE("several parts, one of which is what it reads") {
  constexpr rc::index_t n = 4;
  rc::tensor<double, 6, rc::dyn> const x(some(6, n, 0.2));
  auto const j = by_columns(joined)(x);
  CHECK((j.shape(0) == 3 * n && j.nonzeros() == 8 * n && j.colors == 3));
  for (int k = 0; k < n; ++k) {
    CHECK((j(2 * k, k) == x(1, k) && j(2 * k, n + k) == x(0, k) && j(2 * k, 2 * n + k) == -x(3, k)));
    CHECK((j(2 * k + 1, k) == 1 && j(2 * k + 1, 4 * n + k) == doctest::Approx(1 / x(5, k))));
    CHECK(j(2 * k + 1, 5 * n + k) == doctest::Approx(-x(4, k) / (x(5, k) * x(5, k))));
    CHECK(j(2 * n + k, 5 * n + k) == 1);
  }
}
