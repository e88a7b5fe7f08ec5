// Every way to make a tensor: static, named, mixed and dynamic extents, order 0 to 8, from braces, from functions of
// the library, from data of others.
#include <doctest/doctest.h>

#include <ricci/vector.hpp>

#include <array>
#include <list>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::dyn;

namespace {

// in place up to 64 KiB: the elements and nothing else; larger or dynamic ones are a pointer
static_assert(sizeof(rc::tensor<float, 2, 3>) <= 32 && sizeof(rc::tensor<double>) == 8 &&
              sizeof(rc::tensor<bool, 3>) <= 4);
static_assert(sizeof(rc::tensor<float, 128, 128>) == 65536 && sizeof(rc::tensor<float, 128, 129>) == sizeof(void*));
static_assert(sizeof(rc::ndarray<double, 3>) == sizeof(void*) &&
              std::is_same_v<rc::ndarray<double, 2>, rc::tensor<double, dyn, dyn>>);
static_assert(alignof(rc::tensor<float, 16>) == 64 && alignof(rc::tensor<float, 3>) <= 16);
static_assert(std::is_nothrow_move_constructible_v<rc::ndarray<float, 2>>);

// a value-initialised tensor, and one made of braces, in a constant expression
static_assert(rc::tensor<int, 2, 2>{}(1, 1) == 0 && rc::tensor<int, 2, 2>{{1, 2}, {3, 4}}(1, 0) == 3);
static_assert(rc::zeros<float>(rc::extents<2>{})(1) == 0.f && rc::eye<float>(rc::extents<2, 2>{})(1, 1) == 1.f);

}  // namespace

TEST_CASE("elements are zero unless they are given") {
  rc::tensor<float, 2, 3> const in_place;
  rc::tensor<double, 200, 100> const large;
  rc::tensor<float, dyn, 3> const mixed(4, 3);
  rc::tensor<float, rc::dim<"n">, 3> const named(4, 3);
  rc::ndarray<double, 3> const dynamic(4, 5, 6);
  rc::tensor<float> const one;
  for (auto v : in_place) CHECK(v == 0.f);
  CHECK(large(199, 99) == 0);
  CHECK(mixed(3, 2) == 0.f);
  CHECK(named(3, 2) == 0.f);
  CHECK(dynamic(3, 4, 5) == 0.);
  CHECK(one.item() == 0.f);
}

TEST_CASE("shape, size, rank and strides") {
  rc::ndarray<double, 3> const a(4, 5, 6);
  CHECK(a.shape() == std::array<rc::index_t, 3>{4, 5, 6});
  CHECK(a.shape(0) == 4);
  CHECK(a.shape(-1) == 6);
  CHECK(a.size() == 120);
  CHECK(a.rank == 3);
  CHECK(a.strides() == std::array<rc::index_t, 3>{30, 6, 1});
  CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0);
  rc::tensor<double, 4, 5, 6> const b;
  CHECK(b.shape() == a.shape());
  CHECK(b.strides() == a.strides());
  rc::tensor<double> const s = 2.5;
  CHECK(s.size() == 1);
  CHECK(s.shape().empty());
  CHECK(rc::ndarray<float, 2>(2, 3).shape() == rc::shape(2, 3));
  CHECK(rc::shape(3, 2) != rc::ndarray<float, 2>(2, 3).shape());
  static_assert(rc::tensor<int, 2, 3>{}.shape() == rc::shape(2, 3) && rc::tensor<int, 2>{}.shape() != rc::shape(2, 1));
}

TEST_CASE("nested braces, to order 4, for every kind of extents") {
  rc::tensor<float, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  CHECK(numbers(a) == numbers{1, 2, 3, 4, 5, 6});
  rc::ndarray<int, 2> const b{{1, 2}, {3, 4}, {5, 6}};
  CHECK(shape_of(b) == numbers{3, 2});
  CHECK(numbers(b) == numbers{1, 2, 3, 4, 5, 6});
  rc::tensor<double, dyn, 2> const c{{1, 2}};
  CHECK(shape_of(c) == numbers{1, 2});
  rc::ndarray<double, 4> const d{{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}};
  CHECK(shape_of(d) == numbers{1, 2, 2, 2});
  CHECK(d(0, 1, 1, 0) == 7);
  rc::tensor<bool, 3> const e{true, false, true};
  CHECK(numbers(e) == numbers{1, 0, 1});
  rc::ndarray<double, 2> const none = rc::ndarray<double, 2>({});
  CHECK(shape_of(none) == numbers{0, 0});
}

TEST_CASE("order 0 comes from a number and is one") {
  rc::tensor<float> s = 3.f;
  CHECK(s.item() == 3.f);
  CHECK(float(s) == 3.f);
  CHECK(int(s) == 3);
  s = 4;
  CHECK(s() == 4.f);
  s() = 5.f;
  CHECK(s.at() == 5.f);
  if (s < 6.f) s = 7.f;
  CHECK(double(s) == 7.);
}

TEST_CASE("order 8, static and dynamic") {
  rc::tensor<int, 1, 2, 1, 2, 1, 2, 1, 2> a;
  rc::ndarray<int, 8> b(1, 2, 1, 2, 1, 2, 1, 2);
  CHECK(b.size() == 16);
  for (int k = 0; k < 16; ++k) a.data()[k] = b.data()[k] = k;
  CHECK(a(0, 1, 0, 0, 0, 1, 0, 1) == 11);
  CHECK(b.at(0, 1, 0, 0, 0, 1, 0, -1) == 11);
  rc::ndarray<int, 8> const c = b + a * 2;
  CHECK(c(0, 1, 0, 1, 0, 1, 0, 1) == 45);
  CHECK(int(rc::sum(c)) == 360);
}

TEST_CASE("zeros, ones, full, empty, eye") {
  auto const z = rc::zeros<float>(rc::extents<2, 3>{});
  static_assert(std::is_same_v<decltype(z), rc::tensor<float, 2, 3> const>);
  auto const d = rc::zeros<float>(rc::shape(2, 3));
  static_assert(std::is_same_v<decltype(d), rc::ndarray<float, 2> const>);
  CHECK(numbers(z) == numbers(d));
  CHECK(numbers(rc::ones<int>(rc::shape(2))) == numbers{1, 1});
  CHECK(numbers(rc::full<double>(rc::extents<2>{}, 7)) == numbers{7, 7});
  CHECK(rc::full<double>(rc::shape(), 7).item() == 7);
  CHECK(rc::empty<double>(rc::shape(4, 5)).size() == 20);
  CHECK(numbers(rc::eye<double>(2)) == numbers{1, 0, 0, 1});
  CHECK(numbers(rc::eye<int>(rc::shape(2, 3))) == numbers{1, 0, 0, 0, 1, 0});
  CHECK(numbers(rc::eye<int>(2, 3)) == numbers{1, 0, 0, 0, 1, 0});
  CHECK(numbers(rc::eye<float>(rc::extents<3, 2>{})) == numbers{1, 0, 0, 1, 0, 0});
  CHECK(rc::zeros<float>(rc::shape(0, 3)).size() == 0);
}

TEST_CASE("arange and linspace") {
  CHECK(numbers(rc::arange<int>(4)) == numbers{0, 1, 2, 3});
  CHECK(numbers(rc::arange<float>(2, 5)) == numbers{2, 3, 4});
  CHECK(numbers(rc::arange<double>(0, 1, 0.25)) == numbers{0, 0.25, 0.5, 0.75});
  CHECK(numbers(rc::arange<std::int64_t>(5, 0, -2)) == numbers{5, 3, 1});
  CHECK(rc::arange<int>(3, 3).size() == 0);
  CHECK(rc::arange<int>(3, 0).size() == 0);
  CHECK(numbers(rc::linspace<double>(0., 1., 5)) == numbers{0, 0.25, 0.5, 0.75, 1});
  CHECK(numbers(rc::linspace<double>(2., 9., 1)) == numbers{2});
  CHECK(rc::linspace<double>(2., 9., 0).size() == 0);
  auto const l = rc::linspace<float>(0.1f, 0.7f, 100);
  CHECK(l(99) == 0.7f);
}

TEST_CASE("like another tensor: its type, extents and, where it has any, its memory's kind") {
  rc::tensor<float, 2, 2> const a{{1, 2}, {3, 4}};
  rc::ndarray<int, 1> const b{1, 2, 3};
  static_assert(std::is_same_v<decltype(rc::zeros_like(a)), rc::tensor<float, 2, 2>>);
  CHECK(numbers(rc::zeros_like(a)) == numbers{0, 0, 0, 0});
  CHECK(numbers(rc::ones_like(b)) == numbers{1, 1, 1});
  CHECK(numbers(rc::full_like(b, 9)) == numbers{9, 9, 9});
  CHECK(numbers(rc::ones_like(a + a)) == numbers{1, 1, 1, 1});
  CHECK(rc::empty_like(b).size() == 3);
  CHECK(rc::zeros_like(b, rc::cpu{.threads = 3}).execution().threads() == 3);
  CHECK(numbers(rc::full_like(b, 4, rc::cpu{.threads = 2})) == numbers{4, 4, 4});
  CHECK(numbers(rc::ones_like(b(rc::range(0, 2)))) == numbers{1, 1});
}

TEST_CASE("from data of others") {
  CHECK(numbers(rc::asarray<float>(std::vector{1, 2, 3})) == numbers{1, 2, 3});
  CHECK(numbers(rc::asarray<float>({1.f, 2.f})) == numbers{1, 2});
  int const fixed[] = {4, 5};
  CHECK(numbers(rc::asarray<double>(fixed)) == numbers{4, 5});
  static_assert(std::is_same_v<decltype(rc::asarray(std::vector{1.f})), rc::ndarray<float, 1>>);
  static_assert(std::is_same_v<decltype(rc::asarray(std::array{1.f})), rc::tensor<float, 1>>);
  static_assert(std::is_same_v<decltype(rc::asarray<float>({1, 2.5})), rc::tensor<float, 2>>);
  static_assert(std::is_same_v<decltype(rc::asarray<float>(fixed)), rc::tensor<float, 2>>);
  CHECK(numbers(rc::asarray<double>(std::array{1.5f, 2.5f})) == numbers{1.5, 2.5});
  CHECK(numbers(rc::asarray<int>(std::list<double>{1.9, -1.9})) == numbers{1, -1});
  double const data[] = {1, 2, 3, 4, 5, 6};
  auto const m = rc::asarray<float>(data, rc::shape(2, 3));
  CHECK(shape_of(m) == numbers{2, 3});
  CHECK(m(1, 0) == 4.f);
  auto const s = rc::asarray<double>(data, rc::extents<3, 2>{});
  static_assert(std::is_same_v<decltype(s), rc::tensor<double, 3, 2> const>);
  CHECK(s(1, 0) == 3);
  auto const cast = rc::asarray<int>(m);
  static_assert(std::is_same_v<decltype(cast), rc::ndarray<int, 2> const>);
  CHECK(numbers(cast) == numbers(m));
}

TEST_CASE("a view of memory of others reads and writes it") {
  std::vector<float> memory{1, 2, 3, 4, 5, 6};
  auto v = rc::frombuffer(memory.data(), rc::shape(2, 3));
  CHECK(v(1, 2) == 6.f);
  v(rc::all, 0) = 9.f;
  CHECK(memory == std::vector<float>{9, 2, 3, 9, 5, 6});
  float const* const fixed = memory.data();
  auto const c = rc::frombuffer(fixed, rc::extents<6>{});
  CHECK(float(rc::sum(c)) == 34.f);
}

TEST_CASE("further grids") {
  CHECK(numbers(rc::linspace<double>(0, 1, 4, rc::endpoint{false})) == numbers{0, .25, .5, .75});
  CHECK(numbers(rc::logspace<double>(0, 3, 4)) == numbers{1, 10, 100, 1000});
  CHECK(numbers(rc::logspace<float>(0, 2, rc::extents<2>{}, 2, rc::endpoint{false})) == numbers{1, 2});
  CHECK(numbers(rc::geomspace<double>(-1, -8, 4)) == numbers{-1, -2, -4, -8});
  CHECK(raised([] { (void)rc::geomspace<float>(1, -1, 3); }) ==
        "value_error: geomspace: start and stop have one sign and are not 0");
  CHECK(numbers(rc::tri<int>(2, 3, 1)) == numbers{1, 1, 0, 1, 1, 1});
  CHECK(numbers(rc::indices(rc::shape(2, 2))) == numbers{0, 0, 1, 1, 0, 1, 0, 1});
  static_assert(std::is_same_v<decltype(rc::indices<float>(rc::extents<4>{})), rc::tensor<float, 1, 4>>);
  CHECK(rc::indices(rc::shape(0, 3)).shape(1) == 0);
}

TEST_CASE("memory may be seen by strides of any sign") {
  double memory[] = {1, 2, 3, 4, 5, 6};
  auto columns = rc::frombuffer(memory, rc::shape(3, 2), rc::strides(1, 3));
  CHECK(numbers(columns) == numbers{1, 4, 2, 5, 3, 6});
  columns(0, rc::all) *= 10.;
  CHECK((memory[0] == 10 && memory[3] == 40));
  double const* const last = memory + 5;
  auto const backwards = rc::frombuffer(last, rc::extents<3>{}, rc::strides(-2));
  static_assert(std::is_same_v<decltype(backwards(0)), double const&>);
  CHECK(numbers(backwards) == numbers{6, 40, 2});
  CHECK(numbers(rc::frombuffer(last, rc::shape(2, 2), rc::strides(0, -1))) == numbers{6, 5, 6, 5});
  CHECK(numbers(rc::frombuffer(memory, columns.shape(), columns.strides())) == numbers(columns));
}

TEST_CASE("nested data is copied, and what is ragged is refused") {
  std::vector<std::vector<double>> const rows{{1, 2, 3}, {4, 5, 6}};
  auto const x = rc::asarray(rows);
  static_assert(std::is_same_v<decltype(x), rc::ndarray<double, 2> const>);
  CHECK((shape_of(x) == numbers{2, 3} && x(1, 0) == 4));
  CHECK((rc::to_vector(x) == rows && rc::to_vector(2. * x.T())[2][1] == 12));
  auto const pairs = rc::asarray<float>(std::vector<std::array<int, 2>>{{1, 2}, {3, 4}}, rc::cpu{.threads = 2});
  static_assert(std::is_same_v<decltype(pairs), rc::tensor<float, rc::dyn, 2> const>);
  CHECK((pairs(1, 0) == 3 && pairs.execution().threads() == 2));
  int const fixed[2][2][1] = {{{1}, {2}}, {{3}, {4}}};
  static_assert(std::is_same_v<decltype(rc::asarray(fixed)), rc::tensor<int, 2, 2, 1>>);
  CHECK(numbers(rc::asarray(fixed)) == numbers{1, 2, 3, 4});
  std::vector<std::vector<bool>> const bits{{true, false}};
  CHECK(rc::to_vector(rc::asarray(bits)) == bits);
  using deep = std::vector<std::vector<std::vector<int>>>;
  CHECK(shape_of(rc::asarray(deep(3))) == numbers{3, 0, 0});
  CHECK(raised([&] {
          (void)rc::asarray(deep{{{1}, {2}}, {{3}, {4, 5}}});
        }) == "shape_error: asarray: ragged: element [1][1] has 2 elements, the first one has 1");
  CHECK(raised([&] {
          (void)rc::asarray(deep{{{1}, {2}}, {{3}}});
        }) == "shape_error: asarray: ragged: element [1] has 1 elements, the first one has 2");
}

TEST_CASE("tensors remember the context of their creation") {
  auto const two = rc::zeros<float>(rc::shape(4), rc::cpu{.threads = 2});
  CHECK(two.execution().threads() == 2);
  CHECK(rc::zeros<float>(rc::shape(4)).execution().threads() == 1);
  CHECK(rc::arange<float>(0, 4, 1, rc::cpu{.threads = 3}).execution().threads() == 3);
  CHECK(rc::arange<float>(0, 4, rc::cpu{.threads = 3}).execution().threads() == 3);
  CHECK(rc::linspace<float>(0, 4, 9, rc::cpu{.threads = 3}).execution().threads() == 3);
  CHECK(rc::eye<float>(3, rc::cpu{.threads = 2}).execution().threads() == 2);
  CHECK(rc::asarray<float>(std::vector{1, 2}, rc::cpu{.threads = 2}).execution().threads() == 2);
  CHECK(rc::zeros<float>(rc::shape(4), rc::like(two)).execution().threads() == 2);
  CHECK(rc::arange<float>(4, rc::like(two(rc::range(0, 2)))).execution().threads() == 2);
  CHECK(rc::zeros_like(rc::ndarray<float, 1>(2), rc::like(two)).execution().threads() == 2);
  CHECK(rc::zeros<float>(rc::shape(4), rc::like(rc::tensor<int, 2>{})).execution().threads() == 1);
  CHECK(rc::eval(rc::ndarray<float, 1>(2) + 1.f, rc::like(two)).execution().threads() == 2);
  CHECK(rc::copy(two, rc::like(rc::ndarray<float, 1>(2))).execution().threads() == 1);
  CHECK(rc::asarray<double>(rc::ndarray<float, 1>(2), rc::like(two)).execution().threads() == 2);
  CHECK(rc::zeros<float>(rc::shape(4), rc::cpu{.threads = 100000}).execution().threads() == 256);
  CHECK(rc::eval(two + 1.f).execution().threads() == 2);
  CHECK(rc::eval(two + 1.f, rc::cpu{.threads = 5}).execution().threads() == 5);
  CHECK(rc::copy(two, rc::cpu{}).execution().threads() == 1);
  CHECK(rc::zeros_like(two).execution().threads() == 2);
  CHECK(rc::ndarray<float, 1>(two).execution().threads() == 2);
}

TEST_CASE("copies are deep, moves take the memory, and what was moved from can be used again") {
  rc::ndarray<double, 1> a = rc::arange<double>(3);
  auto const* const memory = a.data();
  auto b = a;
  b(0) = 7;
  CHECK(a(0) == 0);
  auto c = std::move(a);
  CHECK(c.data() == memory);
  CHECK(numbers(c) == numbers{0, 1, 2});
  a = b;
  CHECK(numbers(a) == numbers{7, 1, 2});
  a = std::move(c);
  CHECK(a.data() == memory);
  c = rc::arange<double>(2);
  CHECK(numbers(c) == numbers{0, 1});
  auto& self = a;
  a = self;
  CHECK(numbers(a) == numbers{0, 1, 2});
  a = std::move(self);
  CHECK(numbers(a) == numbers{0, 1, 2});
  rc::tensor<float, 3> const d{1, 2, 3};
  auto e = d;
  e(0) = 9;
  CHECK(d(0) == 1);
}

TEST_CASE("the shape of anything is a shape argument") {
  rc::ndarray<double, 2> const x = rc::reshape(rc::arange<double>(6), rc::shape(2, 3));
  rc::tensor<double, 2, 3> const known = x;
  using shape = std::array<rc::index_t, 2>;
  CHECK((x + known).shape() == shape{2, 3});
  CHECK(rc::zeros<bool>(x.shape()).shape() == shape{2, 3});
  CHECK(rc::full<int>(known.shape(), 4).shape() == shape{2, 3});
  CHECK(rc::empty<int>((x + known).shape()).shape() == shape{2, 3});
  CHECK(rc::ones<int>(x(rc::all, rc::range(0, 2)).shape()).shape() == shape{2, 2});
  CHECK(numbers(rc::eye<int>(x.T().shape())) == numbers{1, 0, 0, 1, 0, 0});
  CHECK(rc::zeros<int>(x(x > 2).shape()).shape(0) == 3);
  double elements[] = {1, 2, 3, 4, 5, 6};
  CHECK(rc::asarray<double>(elements, x.shape())(1, 2) == 6);
  CHECK(rc::frombuffer(elements, x.T().shape())(2, 1) == 6);
  CHECK(numbers(rc::eval(rc::reshape(rc::arange<double>(6), x.shape()))) == numbers(x));
  CHECK(numbers(rc::eval(rc::broadcast_to(rc::arange<double>(3), x.shape()))) == numbers{0, 1, 2, 0, 1, 2});
  // an array is a value: what is written to it counts
  auto twice = known.shape();
  twice[0] = 4;
  CHECK(rc::zeros<int>(twice).shape() == shape{4, 3});
  // in a traced function as with tensors
  auto const f = [](auto a, auto v) {
    auto const [rows, columns] = a.shape();
    auto h = rc::zeros<double>(a.shape());
    for (int k = 0; k < 2; ++k)
      h = h + rc::broadcast_to(v, h.shape()) * rc::reshape(rc::reshape(a, rc::shape(-1)), a.shape());
    return h / (rows * columns);
  };
  rc::tensor<double, 3> const v{3, 6, 9};
  numbers const expected{0, 2, 6, 3, 8, 15};
  CHECK(numbers(rc::eval(f(x, v))) == expected);
  CHECK(numbers(rc::fn(f)(x, v)) == expected);
  CHECK(numbers(rc::fn(f)(known, v)) == expected);
  CHECK(numbers(rc::interpret(f)(x, v)) == expected);
}

TEST_CASE("tensors convert between kinds of extents and element types") {
  rc::ndarray<double, 2> const d{{1, 2}, {3, 4}};
  rc::tensor<double, 2, 2> const s = d;
  CHECK(numbers(s) == numbers(d));
  rc::tensor<float, dyn, 2> const m = s;
  CHECK(numbers(m) == numbers(d));
  rc::ndarray<int, 2> const i = d * 1.75;
  CHECK(numbers(i) == numbers{1, 3, 5, 7});
  rc::tensor<double, rc::dim<"n">, 2> const n = d;
  CHECK(n.shape(0) == 2);
}

TEST_CASE("elements are walked in order") {
  rc::ndarray<int, 2> a{{1, 2}, {3, 4}};
  int digits = 0;
  for (int const v : a) digits = 10 * digits + v;
  CHECK(digits == 1234);
  for (auto& v : a) v *= 2;
  CHECK(numbers(a) == numbers{2, 4, 6, 8});
}
