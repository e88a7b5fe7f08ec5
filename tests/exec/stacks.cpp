// Rows that are written in one another: stacks along the last axis, of any number of parts, lengths and sizes of
// elements, computed on the way, and into views.
#include <complex>
#include <cstdint>

#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::index_t;

namespace {

template <class X, class... Parts>
void holds(X const& y, Parts const&... part) {  // y(..., k) is part k
  index_t wrong = 0;
  for (index_t i = 0; i < y.shape(0); ++i)
    for (index_t j = 0; j < y.shape(1); ++j) {
      index_t k = 0;
      ((wrong += y(i, j, k) != part(i, j), ++k), ...);
    }
  CHECK(y.shape(2) == sizeof...(Parts));
  CHECK(wrong == 0);
}
template <class T>
void stacks() {
  for (index_t const rows : {1, 3})
    for (index_t const n : {1, 2, 7, 16, 33, 130, 2100}) {
      CAPTURE(rows);
      CAPTURE(n);
      using matrix = rc::ndarray<T, 2>;
      auto const made = [&](int first) {
        matrix x(rows, n);
        for (index_t i = 0; i < rows; ++i)
          for (index_t j = 0; j < n; ++j) x(i, j) = static_cast<T>(static_cast<int>((first + 7 * i + j) % 101));
        return x;
      };
      matrix const a = made(1), b = made(20), c = made(43), d = made(64), e = made(89);
      holds(rc::eval(rc::stack(a, b, rc::axis<2>)), a, b);
      holds(rc::eval(rc::stack(b, a, c, rc::axis<2>)), b, a, c);
      holds(rc::eval(rc::stack(a, d, c, b, rc::axis<2>)), a, d, c, b);
      holds(rc::eval(rc::stack(a, b, c, d, e, rc::axis<2>)), a, b, c, d, e);
      holds(rc::eval(rc::stack(a, a, rc::axis<2>)), a, a);
      matrix const doubled = a + a;
      holds(rc::eval(rc::stack(a + a, b, rc::axis<2>)), doubled, b);
      rc::ndarray<T, 3> wide = rc::zeros<T>(rc::shape(rows, n, 5));  // a part of each row: the rest stays
      wide(rc::all, rc::all, rc::range(1, 3)) = rc::stack(a, b, rc::axis<2>);
      matrix const none = rc::zeros<T>(rc::shape(rows, n));
      holds(wide, none, a, b, none, none);
      rc::ndarray<T, 3> pair = rc::stack(a, b, rc::axis<2>);  // parts of the result itself
      pair = rc::eval(rc::stack(pair(rc::all, rc::all, 1), pair(rc::all, rc::all, 0), rc::axis<2>));
      holds(pair, b, a);
      pair = rc::stack(pair(rc::all, rc::all, 1), pair(rc::all, rc::all, 0), rc::axis<2>);
      holds(pair, a, b);
    }
}

}  // namespace

TEST_CASE("stacks along the last axis") {
  stacks<std::uint8_t>();
  stacks<std::int16_t>();
  stacks<float>();
  stacks<double>();
  stacks<std::complex<double>>();
}
