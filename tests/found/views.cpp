// Faults of indices and views that were found, each under the number of its minimal program.
#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

// What tensors take from the heap is counted.
static int blocks = 0;
[[gnu::noinline]] static void* memory(std::size_t bytes) {
  ++blocks;
  return std::malloc(bytes);
}
[[gnu::noinline]] static void give_back(void* p) { std::free(p); }
void* operator new(std::size_t bytes) { return memory(bytes); }
void operator delete(void* p) noexcept { give_back(p); }
void operator delete(void* p, std::size_t) noexcept { give_back(p); }

TEST_CASE("04: a range backwards on an empty axis is empty") {
  rc::ndarray<double, 1> a(0);
  rc::ndarray<double, 1> const r = a(rc::range(0, -1, -1));
  CHECK(r.shape(0) == 0);
  rc::tensor<double, 0> s;
  auto const q = rc::eval(s(rc::range<0, -1, -1>()));
  CHECK(q.shape(0) == 0);
}

TEST_CASE("20: negative indices of an element count from the end, as everywhere") {
  rc::ndarray<double, 1> a = rc::arange<double>(4);
  CHECK(a.at(-1) == 3);
  CHECK(a(-1) == 3);
  CHECK(rc::fn([](auto x) { return x(-1); })(a).item() == 3);
  rc::ndarray<double, 2> m{{1, 2, 3}, {4, 5, 6}};
  CHECK(m(-1, -1) == 6);
  CHECK(m(-2, 1) == 2);
  CHECK(m(rc::all, rc::range(0, 2))(-1, -2) == 4);
  m(-1, -3) = 9;
  CHECK(numbers(m) == numbers{1, 2, 3, 9, 5, 6});
  constexpr rc::tensor<float, 2, 2> c{{1, 2}, {3, 4}};
  static_assert(c(-1, 0) == 3 && c(0u, 1u) == 2);
}

TEST_CASE("views are updated in place where they are read element for element") {
  rc::ndarray<double, 2> x = rc::ones<double>(rc::shape(5, 6)), y = rc::ones<double>(rc::shape(3, 4));
  auto v = x(rc::range(1, 4), rc::range(1, 5));
  int const before = blocks;
  v += 1;
  v = v * 2 + y;
  v -= y * v;
  x.T()(rc::range(1, 5), rc::range(1, 4)) += y.T();
  CHECK(blocks == before);
  CHECK(double(rc::sum(v)) == 12);
  CHECK(double(rc::sum(x)) == 30);
  x(rc::ndarray<int, 1>{1, -1}) = 3;
  CHECK(blocks == before + 1);  // the index
  CHECK(double(rc::sum(x)) == 54);
  // read at other places: by way of a copy, on the stack where that is small
  auto const shifted = rc::eval(x(rc::range(1, 4), rc::range(2, 6)));
  int const small = blocks;
  v = x(rc::range(1, 4), rc::range(2, 6));
  CHECK(blocks == small);
  CHECK(numbers(v) == numbers(shifted));
  rc::ndarray<double, 2> large = rc::ones<double>(rc::shape(20, 20));
  auto const before_large = blocks;
  large(rc::all, rc::range(0, 19)) = large(rc::all, rc::range(1, 20));
  CHECK(blocks > before_large);
}

TEST_CASE("bug 4: numbers are stacked like tensors of order 0") {
  rc::tensor<double, 3> const y{1, 2, 3}, z = rc::stack(y(1), y(0), y(2));
  CHECK(numbers(z) == numbers{2, 1, 3});
  rc::ndarray<float, 1> const w{1, 2};
  auto const f = rc::eval(rc::stack(w(0), w(1), rc::axis<0>));
  static_assert(std::is_same_v<decltype(f)::value_type, float>);
  CHECK(numbers(f) == numbers{1, 2});
  CHECK(numbers(rc::eval(rc::stack(rc::sum(w), 5))) == numbers{3, 5});
}

TEST_CASE("bug 5: reshape to named extents") {
  using batch = rc::extents<rc::dim<"batch">, 16>;
  rc::tensor<float, rc::dim<"batch">, 4, 4> x(3, 4, 4);
  auto y = rc::eval(rc::reshape(x, batch{}));
  static_assert(std::is_same_v<decltype(y)::extents, batch>);
  CHECK(shape_of(y) == numbers{3, 16});
  // a name that x does not have is what the others leave
  rc::ndarray<float, 2> d(6, 8);
  auto z = rc::eval(rc::reshape(d, batch{}) + y);
  static_assert(std::is_same_v<decltype(z)::extents, batch>);
  CHECK(shape_of(z) == numbers{3, 16});
  CHECK(shape_of(rc::reshape(x, batch{})(1)) == numbers{16});
  auto const f = [](auto a) { return rc::reshape(a, rc::extents<16, rc::dim<"batch">>{}) * 2.f; };
  CHECK(shape_of(rc::fn(f)(x)) == numbers{16, 3});
  CHECK(shape_of(rc::interpret(f)(x)) == numbers{16, 3});
  CHECK(raised([&] {
          rc::eval(rc::reshape(x, rc::extents<rc::dim<"batch">, 8>{}));
        }).rfind("shape_error: reshape", 0) == 0);
  CHECK(raised([&] { rc::eval(rc::reshape(rc::ndarray<float, 1>(17), batch{})); }).rfind("shape_error: reshape", 0) ==
        0);
  CHECK(shape_of(rc::eval(rc::reshape(rc::ndarray<float, 1>(48), rc::extents<rc::dyn, 16>{}))) == numbers{3, 16});
  CHECK(shape_of(rc::eval(rc::broadcast_to(x, rc::extents<2, rc::dim<"batch">, 4, 4>{}))) == numbers{2, 3, 4, 4});
}

TEST_CASE("15: an axis named at run time of a view of a small static tensor") {
  rc::tensor<double, 4, 4> t;
  t = 1.;
  CHECK(numbers(rc::eval(rc::sum(t(rc::range(0, 2), rc::range(0, 3)), 0))) == numbers{2, 2, 2});
}
