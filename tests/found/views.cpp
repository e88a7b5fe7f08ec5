// Faults of indices and views that were found, each under the number of its minimal program.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

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
