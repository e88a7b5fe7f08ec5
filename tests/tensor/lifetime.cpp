// What keeps memory alive: tensors, views and lazy expressions over dynamic tensors share it, so that none of them
// dangles, also when it is returned over locals. A lazy expression is a reference: it reads its operands when it is
// evaluated. Run under the sanitizers, this file is about what it does not touch.
#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

auto expression_over_locals(int n) {
  auto local = rc::arange<double>(n);
  auto twice = 2. * local;
  return twice + local(rc::range(n - 1, -1 - n, -1));
}
auto view_of_a_parameter(rc::ndarray<double, 2> m) { return m(rc::all, 1); }
auto transpose_of_a_parameter(rc::ndarray<double, 2> m) { return m.T(); }
rc::tensor<float, 3> small() { return {2, 4, 6}; }
auto view_of_a_view(int n) {
  auto const v = rc::arange<double>(n)(rc::range(1, n));
  return v(rc::range(0, n - 1, 2));
}
auto reduction_over_a_temporary(int n) { return rc::sum(rc::arange<double>(n) * rc::ones<double>(rc::shape(n))); }
auto axis_named_at_run_time(int n) {
  rc::ndarray<double, 2> const local = rc::ones<double>(rc::shape(n, 2));
  return rc::sum(local, 0);
}

}  // namespace

TEST_CASE("expressions and views outlive the tensors they were made of") {
  auto const e = expression_over_locals(4);
  CHECK(numbers(rc::eval(e)) == numbers{3, 4, 5, 6});
  CHECK(numbers(rc::eval(e)) == numbers{3, 4, 5, 6});  // and again
  CHECK(numbers(view_of_a_parameter({{1, 2}, {3, 4}})) == numbers{2, 4});
  CHECK(numbers(rc::eval(transpose_of_a_parameter({{1, 2}, {3, 4}}))) == numbers{1, 3, 2, 4});
  CHECK(numbers(view_of_a_view(6)) == numbers{1, 3, 5});
  CHECK(double(reduction_over_a_temporary(5)) == 10);
  CHECK(numbers(rc::eval(axis_named_at_run_time(3))) == numbers{3, 3});
}

TEST_CASE("small temporaries move into the expression") {
  auto const e = small() + small() * 2.f;
  CHECK(numbers(rc::eval(e)) == numbers{6, 12, 18});
  auto const nested = rc::sum(rc::exp(small() - small()));
  CHECK(float(nested) == 3.f);
}

TEST_CASE("writing through a view that is all that is left") {
  auto v = rc::zeros<double>(rc::shape(2, 3))(1);
  v(0) = 5;
  v += 1.;
  CHECK(numbers(v) == numbers{6, 1, 1});
}

TEST_CASE("a lazy expression reads its operands when it is evaluated") {
  rc::ndarray<double, 1> x = rc::arange<double>(3);
  rc::tensor<double, 3> y{1, 1, 1};
  auto const e = x + y;
  auto const v = x(rc::range(1, 3));
  x(0) = 100;
  y(1) = 50;
  CHECK(numbers(rc::eval(e)) == numbers{101, 51, 3});
  x += 1.;  // in place: the same memory
  CHECK(numbers(rc::eval(e)) == numbers{102, 52, 4});
  CHECK(numbers(v) == numbers{2, 3});
}

TEST_CASE("a tensor that takes new memory leaves the old to those who look at it") {
  rc::ndarray<double, 1> x = rc::arange<double>(3);
  auto const e = x * 1.;
  auto const v = x(rc::range(0, 2));
  x = rc::arange<double>(10, 15);
  CHECK(numbers(v) == numbers{0, 1});
  CHECK(numbers(rc::eval(e)) == numbers{0, 1, 2});
  CHECK(x.size() == 5);
  x = {};
  x = rc::ndarray<double, 1>{7};
  CHECK(numbers(x) == numbers{7});
}

TEST_CASE("memory is shared while it is looked at, and freed after") {
  rc::ndarray<double, 1> x(8);
  CHECK(x.owner().use_count() == 1);
  {
    auto const v = x(rc::range(0, 4));
    auto const w = v(rc::range(0, 2));
    auto const e = w + x;
    CHECK(x.owner().use_count() == 5);
  }
  CHECK(x.owner().use_count() == 1);
  rc::ndarray<double, 1> const copy = x;
  CHECK(x.owner().use_count() == 1);
}

TEST_CASE("containers of tensors, moved about") {
  std::vector<rc::ndarray<double, 1>> many;
  for (int k = 0; k < 20; ++k) many.push_back(rc::arange<double>(k));
  many.erase(many.begin());
  many.insert(many.begin() + 3, many.back());
  std::swap(many[0], many[1]);
  CHECK(many[3].size() == 19);
  CHECK(many[0].size() == 2);
  CHECK(many[19](18) == 18);
}

TEST_CASE("a pullback owns what it needs") {
  auto const make = [](double scale) {
    rc::ndarray<double, 1> local = rc::arange<double>(1, 4);
    local = local * scale;
    rc::tensor<double, 3> small_local{1, 2, 3};
    return rc::vjp([](auto a, auto b) { return a * rc::exp(a) * b; })(local, small_local).second;
  };
  auto const pull = make(0.5);
  auto const [a, b] = pull(rc::ndarray<double, 1>{1, 0, 0});
  CHECK(a(0) == doctest::Approx(1.5 * std::exp(0.5)));
  CHECK(b(0) == doctest::Approx(0.5 * std::exp(0.5)));
}

TEST_CASE("a derivative waits for its tangents over locals") {
  auto const wait = [] {
    rc::ndarray<double, 1> const local = rc::arange<double>(3);
    return rc::jvp([](auto x) { return x * x; })(rc::eval(local + 1.));
  };
  auto const [y, t] = wait()(rc::ndarray<double, 1>{1, 1, 1});
  CHECK(numbers(t) == numbers{2, 4, 6});
}
