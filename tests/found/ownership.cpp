// Who owns what: tensors and views that were moved from, what views and lazy expressions see of an assignment, and what
// a pullback keeps.
#include <doctest/doctest.h>

#include <utility>

#include "../numbers.hpp"

namespace rc = ricci;
using vector = rc::ndarray<double, 1>;
using matrix = rc::ndarray<double, 2>;
using large = rc::tensor<float, 200, 200>;  // static extents, on the heap
using small = rc::tensor<double, 3>;

TEST_CASE("05: a large static tensor that was moved from is zeros") {
  large a = rc::ones<float>(rc::extents<200, 200>{});
  large const b = std::move(a);
  CHECK(b(199, 199) == 1);
  large const c = a;
  CHECK(c(199, 199) == 0);
  CHECK(a.size() == 40000);
  CHECK(float(rc::sum(a + b)) == 40000);

  large d = rc::ones<float>(rc::extents<200, 200>{});
  large e(std::move(d));
  CHECK(float(rc::sum(d)) == 0);  // read
  e = std::move(d);               // by move from what was moved from
  CHECK(float(rc::sum(e)) == 0);
  large f = std::move(e);
  e = 2.f;  // assigned a number, an expression, a copy, by a view, by an element
  CHECK(e(7, 7) == 2);
  large g = std::move(e);
  e = g + g;
  CHECK(e(7, 7) == 4);
  large h = std::move(e);
  e = g;
  CHECK(e(7, 7) == 2);
  large i = std::move(e);
  e(0, rc::all) = 3.f;
  CHECK(float(rc::sum(e)) == 600);
  large j = std::move(e);
  e.at(1, 1) = 5;
  CHECK(float(rc::sum(e)) == 5);
  large k = std::move(e);
  CHECK(*e.begin() == 0);
  large l = std::move(k);
  rc::fn([](auto x) { return x + 1.f; }).into(k)(k);
  CHECK(float(rc::sum(k)) == 40000);
  auto lazy = l * 1.f;
  auto const lazier = std::move(lazy);
  CHECK(float(rc::sum(lazy)) == float(rc::sum(lazier)));
}

TEST_CASE("a large static tensor that was moved from is written in memory of its own, and read without") {
  large a = rc::ones<float>(rc::extents<200, 200>{}), b;
  b = std::move(a);  // exchanged
  a(199, 199) = 7;
  CHECK(a(199, 199) == 7);
  CHECK(float(rc::sum(a)) == 7);
  CHECK(float(rc::sum(b)) == 40000);
  auto const row = b(0);  // who looks at b sees what it becomes; then a is not exchanged
  b = std::move(a);
  CHECK(float(rc::sum(row)) == 0);
  CHECK(float(rc::sum(b)) == 7);
  a(0, 0) = 1;
  CHECK(float(rc::sum(row)) == 0);

  large c = std::move(a), d = std::move(b);
  large const &e = a, &f = b;
  CHECK(e.data() == f.data());  // nothing is made for them by reading
  CHECK(numbers(rc::eval(rc::sum(e + f))) == numbers{0});
  // what may write does not write there
  auto transpose = a.T();
  transpose(3, 2) = 4.f;
  CHECK(a(2, 3) == 4);
  auto const lazy = b + 1.f;
  b(rc::all, 1) = 2.f;
  CHECK(float(rc::sum(lazy)) == 40400);
  large const g = std::move(c);
  large const& h = c;
  CHECK(float(rc::sum(h)) == 0);
  c = d;
  CHECK(c(199, 199) == 7);
}

TEST_CASE("05: small and dynamic tensors that were moved from") {
  small a{1, 2, 3};
  small const b = std::move(a);
  CHECK(numbers(a) == numbers{1, 2, 3});  // as an array
  CHECK(numbers(b) == numbers{1, 2, 3});

  vector c{1, 2, 3};
  vector d = std::move(c);
  CHECK(c.size() == 0);
  CHECK(numbers(vector(c)) == numbers{});
  CHECK(c.begin() == c.end());
  CHECK(numbers(rc::eval(c + 1.)) == numbers{});
  c = d;
  CHECK(numbers(c) == numbers{1, 2, 3});
  vector& itself = c;
  c = std::move(itself);
  CHECK(numbers(c) == numbers{1, 2, 3});
  std::swap(c, d);

  rc::tensor<double, rc::dyn, 3> rows(2, 3);
  auto const other = std::move(rows);
  CHECK(shape_of(rows) == numbers{0, 3});
  CHECK(numbers(rc::eval(rc::sum(rows, rc::axis<0>))) == numbers{0, 0, 0});
  CHECK(rows(rc::all, 1).size() == 0);
  CHECK(shape_of(rc::eval(rc::concat(rows, other))) == numbers{2, 3});
  auto const copy = rows;
  CHECK(copy.size() == 0);
}

TEST_CASE("21: a view that was moved from") {
  vector a = rc::arange<double>(6);
  auto v = a(rc::range(1, 4));
  {
    auto w = std::move(v);
    CHECK(numbers(w) == numbers{1, 2, 3});
  }
  a = vector(2);
  CHECK(v.size() == 0);
  CHECK(numbers(rc::eval(v + 1.)) == numbers{});
  v = 3.;

  matrix m = rc::ones<double>(rc::shape(4, 4));
  auto row = m(rc::range<0, 2>(), rc::range<0, 2>());  // its extents are in its type
  auto const same = std::move(row);
  m = matrix(1, 1);
  CHECK(numbers(row) == numbers{1, 1, 1, 1});
  auto const part = rc::ones<double>(rc::shape(3, 3))(rc::all, 1);
  auto moved = part;
  auto const after = std::move(moved);
  CHECK(shape_of(moved) == numbers{0});
  CHECK(numbers(after) == numbers{1, 1, 1});
}

TEST_CASE("25: views and expressions see what is assigned, by copy and by move") {
  vector a = rc::arange<double>(3), b = rc::full<double>(rc::shape(3), 9.);
  {
    auto const e = a + 1.;
    auto const v = a(rc::range(0, 2));
    a = b;
    CHECK(numbers(rc::eval(e)) == numbers{10, 10, 10});
    a = rc::full<double>(rc::shape(3), 20.);
    CHECK(numbers(rc::eval(e)) == numbers{21, 21, 21});
    CHECK(numbers(v) == numbers{20, 20});
    b(0) = 1;
    a = std::move(b);
    CHECK(numbers(v) == numbers{1, 9});
    CHECK(b.size() == 0);
    rc::fn([](auto x) { return x + rc::flip(x); }).into(a)(a);
    CHECK(numbers(v) == numbers{10, 18});
    a(0) = 5;
    rc::prepared([](auto x) { return rc::flip(x); }).into(a)(a);
    CHECK(numbers(v) == numbers{10, 18});
    a = rc::flip(a);
    CHECK(numbers(v) == numbers{5, 18});
  }
  double const* const before = a.data();
  vector fresh{1, 2, 3};
  double const* const there = fresh.data();
  a = std::move(fresh);  // nobody looks: only pointers change hands
  CHECK(a.data() == there);
  CHECK(a.data() != before);
}

TEST_CASE("25: a square matrix and its transpose, and large static tensors") {
  matrix a{{1, 2}, {3, 4}};
  auto const row = a(0);
  auto const twice = 2. * a;
  a = a.T();
  CHECK(numbers(row) == numbers{1, 3});
  CHECK(numbers(rc::eval(twice)) == numbers{2, 6, 4, 8});
  a = rc::matmul(a, a);
  CHECK(numbers(row) == numbers{7, 15});
  rc::fn([](auto x) { return x.T() + 0.; }).into(a)(a);
  CHECK(numbers(row) == numbers{7, 10});
  a = matrix(3, 3);  // another shape: other memory
  CHECK(numbers(row) == numbers{7, 10});

  large b = rc::ones<float>(rc::extents<200, 200>{});
  auto const first = b(0, rc::all);
  b = rc::full<float>(rc::extents<200, 200>{}, 3.f);
  CHECK(first(5) == 3);
  large moved_from = rc::ones<float>(rc::extents<200, 200>{});
  large const other = std::move(moved_from);
  b = std::move(moved_from);
  CHECK(first(5) == 0);
}

namespace {

template <class Kind = rc::values>
struct weights {
  rc::field<Kind, double, 2, 3> w;
  rc::field<Kind, double, 3> b;
};

// Whether `pull` gives the same before and after `change`, and the same as `expected`.
template <class Pull, class Ct, class Change>
void does_not_change(Pull const& pull, Ct const& cotangent, numbers const& expected, Change const& change) {
  CHECK(numbers(std::get<0>(pull(cotangent))) == expected);
  change();
  CHECK(numbers(std::get<0>(pull(cotangent))) == expected);
}

}  // namespace

TEST_CASE("09: a pullback owns what it keeps") {
  vector x = rc::arange<double>(4);
  auto const cube = [](auto a) { return a * a * a; };
  auto const [y, pull] = rc::vjp(cube)(x);
  does_not_change(pull, rc::eval(rc::ones_like(x)), {0, 3, 12, 27}, [&] { x = 100.; });
  CHECK(numbers(y) == numbers{0, 1, 8, 27});
  auto const copy = pull;
  auto const moved = std::move(pull);
  CHECK(numbers(std::get<0>(moved(y))) == numbers(std::get<0>(copy(y))));
  CHECK(numbers(std::get<0>(pull(y))) == numbers(std::get<0>(copy(y))));

  small s{1, 2, 3};
  auto const [v, pull_small] = rc::vjp(cube)(s);
  does_not_change(pull_small, small{1, 1, 1}, {3, 12, 27}, [&] { s = 100.; });

  matrix m{{1, 2}, {3, 4}};
  auto part = m(rc::all, 1);  // strided
  auto const [w, pull_view] = rc::vjp(cube)(part);
  does_not_change(pull_view, vector{1, 1}, {12, 48}, [&] { m = 100.; });
  rc::tensor<double, 2, 2> in_place{{1, 2}, {3, 4}};
  auto const [z, pull_column] = rc::vjp(cube)(in_place(rc::all, 1));
  does_not_change(pull_column, rc::tensor<double, 2>{1, 1}, {12, 48}, [&] { in_place = 100.; });
  auto const [e, pull_expression] = rc::vjp(cube)(m + 1.);
  does_not_change(pull_expression, rc::eval(rc::ones_like(m)), {30603, 30603, 30603, 30603}, [&] { m = 0.; });

  large l = rc::full<float>(rc::extents<200, 200>{}, 2.f);
  auto const [u, pull_large] = rc::vjp(cube)(l);
  l = 100.f;
  CHECK(std::get<0>(pull_large(rc::eval(rc::ones_like(l))))(3, 3) == 12);
}

TEST_CASE("09: of mixed arguments, by cotangents of all kinds") {
  matrix x{{1, 2}};
  weights<> p{{{1, 2, 3}, {4, 5, 6}}, {1, 1, 1}};
  double scale = 2;
  std::int64_t power = 3;
  auto const f = [](auto a, auto weights, auto number, auto n) {
    auto [w, b] = weights;
    auto const h = rc::matmul(a, w) * number + b;
    return std::tuple(h * h, a(0, 1) * a(0, 1) * n, a);
  };
  auto const [value, pull] = rc::vjp(f)(x, p, scale, power);
  CHECK(numbers(std::get<0>(value)) == numbers{361, 625, 961});
  matrix const one{{1, 1, 1}};
  auto const check = [&] {
    auto const [dx, dp, dscale, dpower] = pull(std::tuple(one, 1., rc::tensor<double, 1, 2>{{10, 20}}));
    CHECK(numbers(dx) == numbers{4 * (19 + 50 + 93) + 10, 4 * (76 + 125 + 186) + 12 + 20});
    CHECK(numbers(dp.b) == numbers{38, 50, 62});
    CHECK(numbers(dp.w) == numbers{76, 100, 124, 152, 200, 248});
    CHECK(double(dscale) == 2 * (19 * 9 + 25 * 12 + 31 * 15));
  };
  check();
  x = 0., p.w = 0., p.b = 0., scale = 0, power = 0;
  check();
  // a view as one cotangent among others
  matrix const columns{{1, 0}, {1, 0}, {1, 0}};
  auto const by_view = pull(std::tuple(rc::reshape(columns(rc::all, 0), rc::shape(1, 3)), 1., rc::zeros_like(x)));
  CHECK(numbers(std::get<1>(by_view).b) == numbers{38, 50, 62});
}

TEST_CASE("09: only what the other half reads is kept") {
  matrix const x = rc::ones<double>(rc::shape(100, 80));
  constexpr rc::index_t all = 100 * 80 * 8, row = 80 * 8;
  CHECK(rc::vjp([](auto a) { return 2. * rc::sum(a) + 1.; })(x).second.bytes() == 0);
  CHECK(rc::vjp([](auto a) { return rc::exp(a); })(x).second.bytes() == all);
  CHECK(rc::vjp([](auto a, auto b) { return rc::sum(a, rc::axis<0>) * b; })(x, 3.).second.bytes() == row + 64);
  CHECK(rc::vjp([](auto a) { return rc::square(a(5)) + a(6); })(x).second.bytes() == row);  // one row of it
  CHECK(rc::vjp([](auto a) { return rc::square(a(5)) + rc::sin(a(6)); })(x).second.bytes() <= all + row);
}
