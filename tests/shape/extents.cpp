// Extents in types and the rules of shapes: broadcasting, reductions, products, reshapes. They are pure functions, so
// most is said by static_assert; the same facts are then asked of tensors that only know them at run time.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::dyn;
using rc::shape_t;

// operands of expressions whose types alone are looked at
namespace operands {
using t23 = rc::tensor<float, 2, 3>;
using t3 = rc::tensor<float, 3>;
using t213 = rc::tensor<float, 2, 1, 3>;
using tn3 = rc::tensor<float, rc::dim<"n">, 3>;
using td3 = rc::tensor<float, dyn, 3>;
t23 const& a();
t3 const& row();
t213 const& outer();
tn3 const& named();
td3 const& mixed();
}  // namespace operands
using namespace operands;

namespace {

// ---- extents ----

using e23 = rc::extents<2, 3>;
static_assert(e23::rank == 2 && e23::is_static && e23::size == 6 && e23::extent(1) == 3);
static_assert(rc::extents<>::rank == 0 && rc::extents<>::is_static && rc::extents<>::size == 1);
static_assert(rc::extents<4, 0>::size == 0);
static_assert(rc::extents<dyn, 3>::is_dynamic && rc::extents<dyn, 3>::size == dyn);
static_assert(std::is_same_v<rc::dynamic_extents<3>, rc::extents<dyn, dyn, dyn>>);

static_assert(rc::dim<"n"> == rc::dim<"n"> && rc::dim<"n"> != rc::dim<"m"> && rc::dim<"n"> != rc::dim<"nn">);
static_assert(rc::is_named(rc::dim<"batch">) && !rc::is_named(dyn) && !rc::is_named(7));
static_assert(rc::dim<"a_long_name_of_an_axis"> != rc::dim<"a_long_name_of_another_axis">);
static_assert(rc::dim<"a_b"> != rc::dim<"a-b"> && rc::dim<"a-b"> != rc::dim<"a.b"> &&
              rc::dim<"\u03b1"> != rc::dim<"\u03b2">);
static_assert(std::is_same_v<rc::tensor<float, rc::dim<"n">>, rc::tensor<float, rc::dim<"n">>>);

// ---- rules on the extents of types ----

struct outcome {
  shape_t shape;
  bool failed;
  constexpr bool operator==(outcome const& o) const { return failed == o.failed && (failed || shape == o.shape); }
};
template <class... N>
constexpr shape_t make(N... n) {
  return {static_cast<int>(sizeof...(N)), {n...}};
}
constexpr outcome failure{{}, true};
constexpr outcome fits(shape_t const& s) { return {s, false}; }
template <class F>
constexpr outcome by(F f) {
  rc::shapes::type_context c;
  shape_t const s = f(c);
  return {s, c.failed};
}
constexpr outcome broadcast(shape_t const& a, shape_t const& b) {
  return by([&](auto& c) { return rc::shapes::broadcast(c, a, b); });
}
constexpr outcome matmul(shape_t const& a, shape_t const& b) {
  return by([&](auto& c) { return rc::shapes::matmul(c, a, b); });
}
constexpr outcome reshape(shape_t const& a, shape_t const& to) {
  return by([&](auto& c) { return rc::shapes::reshape(c, a, to); });
}

static_assert(broadcast(make(2, 3), make(3)) == fits(make(2, 3)));
static_assert(broadcast(make(), make(2, 3)) == fits(make(2, 3)));
static_assert(broadcast(make(2, 1), make(1, 3)) == fits(make(2, 3)));
static_assert(broadcast(make(5, 1, 3, 1), make(4, 1, 6)) == fits(make(5, 4, 3, 6)));
static_assert(broadcast(make(0), make(1)) == fits(make(0)) && broadcast(make(1), make(0)) == fits(make(0)));
static_assert(broadcast(make(2, 3), make(4, 3)) == failure && broadcast(make(2), make(0)) == failure);
// {dyn, k > 1} is k, {dyn, 1} and {dyn, dyn} are dyn, and a name beside dyn stays unknown
static_assert(broadcast(make(dyn), make(3)) == fits(make(3)) && broadcast(make(dyn), make(1)) == fits(make(dyn)));
static_assert(broadcast(make(dyn), make(dyn)) == fits(make(dyn)));
static_assert(broadcast(make(rc::dim<"n">), make(rc::dim<"n">)) == fits(make(rc::dim<"n">)));
static_assert(broadcast(make(rc::dim<"n">), make(dyn)) == fits(make(dyn)));
static_assert(broadcast(make(rc::dim<"n">), make(1)) == fits(make(rc::dim<"n">)));

static_assert(matmul(make(8, 16), make(16, 4)) == fits(make(8, 4)) && matmul(make(8, 16), make(17, 4)) == failure);
static_assert(matmul(make(16), make(16, 4)) == fits(make(4)) && matmul(make(8, 16), make(16)) == fits(make(8)));
static_assert(matmul(make(16), make(16)) == fits(make()) && matmul(make(), make(16)) == failure);
static_assert(matmul(make(7, 1, 2, 3), make(5, 3, 4)) == fits(make(7, 5, 2, 4)));
static_assert(matmul(make(2, 0), make(0, 3)) == fits(make(2, 3)));
static_assert(matmul(make(dyn, 16), make(16, dyn)) == fits(make(dyn, dyn)));

static_assert(reshape(make(2, 6), make(3, 4)) == fits(make(3, 4)) && reshape(make(2, 6), make(5, 2)) == failure);
static_assert(reshape(make(2, 6), make(dyn, 4)) == fits(make(3, 4)) && reshape(make(2, 6), make(dyn, 5)) == failure);
static_assert(reshape(make(), make(1, 1)) == fits(make(1, 1)) && reshape(make(0, 3), make(3, 0)) == fits(make(3, 0)));
static_assert(reshape(make(dyn, 3), make(dyn)) == fits(make(dyn)));

// ---- axes ----

constexpr rc::index_t first_last[] = {0, -1}, twice[] = {1, -2}, outside[] = {3};
static_assert(rc::axis_mask(first_last, 2, 3) == 0b101 && rc::axis_mask(twice, 2, 3) == -1);
static_assert(rc::axis_mask(outside, 1, 3) == -1 && rc::axis_mask(nullptr, 0, 3) == 0);
static_assert(rc::shapes::reduced(make(2, 3, 4), 0b101, false) == make(3));
static_assert(rc::shapes::reduced(make(2, 3, 4), 0b101, true) == make(1, 3, 1));
static_assert(rc::reduction_axes{0, {}, false}.mask(3) == 0b111 && rc::reduction_axes{1, {-1}, false}.mask(3) == 0b100);

// ---- the same rules give the extents of expressions ----

template <class X, rc::index_t... E>
constexpr bool has_extents = std::is_same_v<typename std::remove_cvref_t<X>::extents, rc::extents<E...>>;

static_assert(has_extents<decltype(a() + row()), 2, 3> && has_extents<decltype(outer() * a()), 2, 2, 3>);
static_assert(has_extents<decltype(mixed() + a()), 2, 3> && has_extents<decltype(mixed() + row()), dyn, 3>);
static_assert(has_extents<decltype(named() + named()), rc::dim<"n">, 3>);
static_assert(has_extents<decltype(rc::sum(a(), rc::axis<-1>)), 2> && has_extents<decltype(rc::sum(a()))>);
static_assert(has_extents<decltype(rc::sum(outer(), rc::axis<0, 2>, rc::keepdims)), 1, 1, 1>);
static_assert(has_extents<decltype(rc::sum(named(), rc::axis<1>)), rc::dim<"n">>);
static_assert(has_extents<decltype(rc::matmul(named(), a().T())), rc::dim<"n">, 2>);
static_assert(has_extents<decltype(rc::permute_dims(outer(), rc::axis<2, 0, 1>)), 3, 2, 1>);
static_assert(has_extents<decltype(rc::matrix_transpose(outer())), 2, 3, 1>);
static_assert(has_extents<decltype(rc::reshape(a(), rc::extents<3, -1>{})), 3, 2>);
static_assert(has_extents<decltype(rc::reshape(a(), rc::shape(3, 2))), dyn, dyn>);
static_assert(has_extents<decltype(rc::expand_dims(a(), rc::axis<0, -1>)), 1, 2, 3, 1>);
static_assert(has_extents<decltype(rc::squeeze(outer(), rc::axis<1>)), 2, 3>);
static_assert(has_extents<decltype(rc::concat(a(), a(), rc::axis<1>)), 2, 6>);
static_assert(has_extents<decltype(rc::stack(row(), row(), rc::axis<1>)), 3, 2>);
static_assert(has_extents<decltype(rc::broadcast_to(row(), rc::extents<4, 2, 3>{})), 4, 2, 3>);

// ---- concepts ----

static_assert(rc::Tensor<t23> && rc::Tensor<t23 const&> && rc::Tensor<decltype(a() + row())> && !rc::Tensor<float>);
static_assert(rc::TensorOf<t23, float> && !rc::TensorOf<t23, double> && rc::TensorOfRank<t213, 3>);
static_assert(rc::Scalar<rc::tensor<double>> && rc::Vector<t3> && rc::Matrix<td3> && !rc::Matrix<t3>);
static_assert(rc::Differentiable<t3> && !rc::Differentiable<rc::tensor<int, 3>>);
static_assert(rc::rank_of<decltype(rc::sum(a()))> == 0);

}  // namespace

TEST_CASE("the rules of broadcasting hold for extents that are only known at run time") {
  rc::ndarray<double, 2> const column = rc::ones<double>(rc::shape(4, 1)), wide = rc::ones<double>(rc::shape(1, 5)),
                               full = rc::ones<double>(rc::shape(4, 5)), other = rc::ones<double>(rc::shape(3, 5));
  CHECK(shape_of(rc::eval(column + wide)) == numbers{4, 5});
  CHECK(shape_of(rc::eval(full + wide)) == numbers{4, 5});
  CHECK(shape_of(rc::eval(full + full)) == numbers{4, 5});
  CHECK(raised([&] { rc::eval(full + other); }) == "shape_error: add: (4, 5) (3, 5)");
  rc::ndarray<double, 2> const nothing(0, 1), none_wide(0, 5);
  CHECK(shape_of(rc::eval(nothing + wide)) == numbers{0, 5});
  CHECK(shape_of(rc::eval(none_wide + wide)) == numbers{0, 5});
}

TEST_CASE("so do those of products and reshapes") {
  auto const a = rc::ones<float>(rc::shape(8, 16)), b = rc::ones<float>(rc::shape(17, 4)),
             c = rc::ones<float>(rc::shape(16, 4));
  CHECK(raised([&] { rc::eval(rc::matmul(a, b)); }) == "shape_error: matmul: (8, 16) (17, 4)");
  CHECK(shape_of(rc::eval(rc::matmul(a, c))) == numbers{8, 4});
  CHECK(shape_of(rc::eval(rc::reshape(a, rc::shape(4, -1, 2)))) == numbers{4, 16, 2});
  CHECK(raised([&] { rc::eval(rc::reshape(a, rc::shape(5, 5))); }).rfind("shape_error: reshape: (8, 16)", 0) == 0);
  CHECK(raised([&] { rc::eval(rc::reshape(a, rc::shape(5, -1))); }).rfind("shape_error: reshape: (8, 16)", 0) == 0);
}

TEST_CASE("equal names are checked where they meet") {
  rc::tensor<float, rc::dim<"n">> const four(4);
  rc::tensor<float, rc::dim<"n">, 3> const five(5, 3);
  CHECK(raised([&] { rc::eval(rc::matmul(four, five)); }).rfind("shape_error", 0) == 0);
}

TEST_CASE("extents of expressions can be asked without computing them") {
  rc::ndarray<double, 2> const a(4, 5);
  rc::tensor<double, dyn, 1> const column(4, 1);
  CHECK((a + column).shape(0) == 4);
  CHECK((a + column).shape(-1) == 5);
  CHECK(rc::sum(a, rc::axis<0>).shape(0) == 5);
}
