// Printing with <<.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <iomanip>
#include <sstream>
#include <string>

namespace rc = ricci;

namespace {

template <class X>
std::string printed(X const& x) {
  std::ostringstream s;
  s << x;
  return s.str();
}

}  // namespace

TEST_CASE("shapes are printed as tuples") {
  rc::ndarray<double, 2> const x(2, 3);
  CHECK(printed(x.shape()) == "(2, 3)");
  CHECK(printed(x.T().shape()) == "(3, 2)");
  CHECK(printed((x + 1.)(0).shape()) == "(3,)");
  CHECK(printed(rc::tensor<int>(7).shape()) == "()");
  CHECK(printed(rc::shape(4, 5)) == "(4, 5)");
  auto const [rows, columns] = x.shape();
  CHECK((rows == 2 && columns == 3 && x.shape() == std::array<rc::index_t, 2>{2, 3}));
  CHECK(printed(rc::zeros<float>(x.shape())(0)) == "[0 0 0]");
}

TEST_CASE("orders 0 to 3") {
  CHECK(printed(rc::tensor<double>(2.5)) == "2.5");
  CHECK(printed(rc::tensor<int, 3>{1, 2, 3}) == "[1 2 3]");
  CHECK(printed(rc::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}) == "[[1 2 3]\n [4 5 6]]");
  CHECK(printed(rc::ndarray<int, 3>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}) == "[[[1 2]\n  [3 4]]\n [[5 6]\n  [7 8]]]");
  CHECK(printed(rc::tensor<bool, 2>{true, false}) == "[true false]");
  CHECK(printed(rc::ndarray<double, 1>(0)) == "[]");
}

TEST_CASE("views and expressions are printed as their values") {
  rc::ndarray<int, 2> const m{{1, 2}, {3, 4}};
  CHECK(printed(m(rc::all, 1)) == "[2 4]");
  CHECK(printed(m.T()) == "[[1 3]\n [2 4]]");
  CHECK(printed(rc::sum(m)) == "10");
  CHECK(printed(m + m > 4) == "[[false false]\n [true true]]");
}

TEST_CASE("long axes are printed in part, from a thousand elements on") {
  CHECK(printed(rc::arange<int>(1001)) == "[0 1 2 ... 998 999 1000]");
  auto const whole = printed(rc::arange<int>(1000));
  CHECK(whole.find("...") == std::string::npos);
  CHECK(whole.find(" 500 ") != std::string::npos);
  CHECK(printed(rc::zeros<int>(rc::shape(400, 3))) ==
        "[[0 0 0]\n [0 0 0]\n [0 0 0]\n ...\n [0 0 0]\n [0 0 0]\n [0 0 0]]");
  // rows without elements are lines, too
  std::string const empty = "[[]\n []\n []\n ...\n []\n []\n []]";
  CHECK(printed(rc::zeros<int>(rc::shape(1001, 0))) == empty);
  CHECK(printed(rc::zeros<int>(rc::shape(1000, 0))).find("...") == std::string::npos);
  CHECK(printed(rc::zeros<int>(rc::shape(0, 1001))) == "[]");
}

TEST_CASE("the stream's own settings hold") {
  std::ostringstream s;
  s << std::fixed << std::setprecision(2) << rc::tensor<double, 2>{1, 2.345} << " and " << 1;
  CHECK(s.str() == "[1.00 2.35] and 1");
}
