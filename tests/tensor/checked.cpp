// Elements with their indices checked, as they are in builds that optimise nothing.
#define RICCI_CHECKED 1
#include <doctest/doctest.h>

#include "../raised.hpp"

namespace rc = ricci;

TEST_CASE("an element outside of its axis is an index_error that names index, axis and extent") {
  rc::ndarray<float, 2> a(3, 4);
  rc::tensor<float, 3> s;
  auto v = a(rc::range(0, 2), rc::range(1, 4));
  CHECK(raised([&] { a(3, 0) = 1; }) == "index_error: index 3 is out of range for axis 0 with extent 3");
  CHECK(raised([&] { a(0, -5) = 1; }) == "index_error: index -5 is out of range for axis 1 with extent 4");
  CHECK(raised([&] { v(2u, 0u) = 1; }) == "index_error: index 2 is out of range for axis 0 with extent 2");
  CHECK(raised([&] { s(3) = 1; }) == "index_error: index 3 is out of range for axis 0 with extent 3");
  CHECK(raised([&] {
          a(-3, -4) = 1;
          v(-1, -1) = 2;
          s(2) = 3;
        }) == "");
  CHECK(a(0, 0) == 1);
  CHECK(a(1, 3) == 2);
  CHECK(s(-1) == 3);
}
