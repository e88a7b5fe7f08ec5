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

namespace {

// Whether what X holds outlives the tensors in place that it was made of.
template <class X>
constexpr bool owns = true;
template <class T, class E>
constexpr bool owns<rc::in_place_leaf<T, E>> = false;
template <class V, class E, rc::layout L>
constexpr bool owns<rc::view<V, E, L, false>> = false;
template <class Op, class Attributes, class... A>
constexpr bool owns<rc::node<Op, Attributes, A...>> = (owns<A> && ...);
template <class Op, class Attributes, class X>
constexpr bool owns<rc::lazy_view<Op, Attributes, X>> = owns<X>;
template <class View, int Axis, class Index>
constexpr bool owns<rc::gathered<View, Axis, Index>> = owns<View>&& owns<Index>;
template <class View, class Mask>
constexpr bool owns<rc::masked<View, Mask>> = owns<View>&& owns<Mask>;

using matrix = rc::tensor<double, 2, 3>;
using pair = rc::tensor<int, 2>;
matrix const numbered{{1, 2, 3}, {4, 5, 6}};

// f(view) for everything that shows a matrix, or a part of it.
template <class F>
void for_each_part(F const& f) {
  f([](auto&& x) { return std::forward<decltype(x)>(x)(1); });
  f([](auto&& x) { return std::forward<decltype(x)>(x)(rc::all, 0); });
  f([](auto&& x) { return std::forward<decltype(x)>(x)(rc::range(1, -1, -1), rc::range<0, 2>()); });
  f([](auto&& x) { return std::forward<decltype(x)>(x)(rc::newaxis, rc::slice<1>(1)); });
  f([](auto&& x) { return std::forward<decltype(x)>(x)(pair{1, 0}); });
  f([](auto&& x) { return std::forward<decltype(x)>(x)(rc::all, rc::eval(pair{1, 0} * 1)); });
  f([](auto&& x) { return std::forward<decltype(x)>(x)(numbered > 2.); });
  f([](auto&& x) { return std::forward<decltype(x)>(x).T(); });
  f([](auto&& x) { return rc::permute_dims(std::forward<decltype(x)>(x), rc::axis<1, 0>); });
  f([](auto&& x) { return rc::flip(std::forward<decltype(x)>(x)); });
  f([](auto&& x) { return rc::reshape(std::forward<decltype(x)>(x), rc::extents<3, 2>{}); });
  f([](auto&& x) { return rc::broadcast_to(std::forward<decltype(x)>(x), rc::extents<2, 2, 3>{}); });
  f([](auto&& x) { return rc::expand_dims(std::forward<decltype(x)>(x), rc::axis<0>); });
  f([](auto&& x) { return rc::take(std::forward<decltype(x)>(x), pair{1, 0}, rc::axis<0>); });
}
// f(make) for everything that gives a matrix which nothing else holds.
template <class F>
void for_each_temporary(F const& f) {
  f([] { return matrix(numbered); });
  f([]() -> matrix const { return numbered; });
  f([] { return rc::flip(matrix(numbered)); });
  f([] { return rc::exp(matrix(numbered)) * 2.; });
  f([] { return rc::matmul(matrix(numbered), rc::tensor<double, 3, 3>(1.)); });
}

// another use of the stack where a temporary was
[[gnu::noinline]] void overwrite_stack() {
  double volatile there[512];
  for (auto& x : there) x = -7;
}

}  // namespace

TEST_CASE("a part of a temporary in place holds nothing that goes with it") {
  for_each_temporary([](auto const& make) {
    auto const whole = rc::eval(make());
    for_each_part([&](auto const& part) {
      auto const x = part(make());
      static_assert(owns<std::remove_const_t<decltype(x)>>);
      overwrite_stack();
      CHECK(numbers(rc::eval(x)) == numbers(rc::eval(part(whole))));
      // and a part of that part
      auto const deep = [](auto&& y) { return std::forward<decltype(y)>(y)(rc::range(0, 1)); };
      static_assert(owns<decltype(deep(part(make())))>);
      static_assert(owns<decltype(rc::flip(part(make())))>);
    });
  });
  static_assert(std::is_same_v<decltype(matrix(numbered)(1, 1)), double>);
  static_assert(std::is_same_v<decltype(matrix(numbered).at(1, 1)), double>);
  static_assert(!owns<decltype(numbered(1))> && !owns<decltype(numbered.T())> && !owns<decltype(numbered(pair{1, 0}))>);
}

TEST_CASE("parts of parts of what is computed are values") {
  matrix const& x = numbered;
  auto const first = rc::matmul(x, x.T())(0)(rc::range(0, 1));
  auto const second = rc::expand_dims(x + x, rc::axis<0>)(0)(rc::range(0, 2))(1);
  auto const third = rc::cross(x(0), x(1))(rc::all, rc::newaxis)(rc::range(0, 2));
  overwrite_stack();
  CHECK(numbers(first) == numbers{14});
  CHECK(numbers(second) == numbers{8, 10, 12});
  CHECK(numbers(third) == numbers{-3, 6});
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
