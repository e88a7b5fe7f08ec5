// Tensors of run-time type and order by themselves; that functions do with them what they do with others, the oracle
// says (tests/arrays), which hands each of its cases to them, too.
#include <doctest/doctest.h>

#include <ricci/any_tensor.hpp>

#include <sstream>

#include "../raised.hpp"

namespace rc = ricci;

namespace {

std::string text_of(rc::any_tensor const& a) {
  std::ostringstream s;
  s << a;
  return s.str();
}

}  // namespace

TEST_CASE("an any_tensor knows its type and order, and is seen as a view of them") {
  rc::ndarray<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  rc::any_tensor a = x, of_expression = x + 1.f, number(2.5);
  x(0, 0) = 7;
  CHECK(a.dtype() == rc::dtype::float32);
  CHECK(a.order() == 2);
  CHECK(a.shape(-1) == 3);
  CHECK(a.size() == 6);
  CHECK(a.as<float, 2>()(0, 0) == 1);
  CHECK(of_expression.as<float, 2>()(1, 2) == 7);
  CHECK(number.item<int>() == 2);
  CHECK(rc::any_tensor().size() == 0);
  std::vector<long> const shape{2, 0}, pair{2};
  std::int16_t const numbers[] = {3, 4};
  CHECK(rc::any_tensor(rc::dtype::int16, shape, nullptr).shape(1) == 0);
  CHECK(text_of(rc::any_tensor(rc::dtype::int16, pair, numbers)) == "[3 4]");
  CHECK(text_of(rc::any_tensor()) == "nothing");
  CHECK(raised([&] { a.as<double, 2>(); }) == "value_error: as: a tensor of float32, not float64");
  CHECK(raised([&] { a.as<float, 1>(); }) == "shape_error: as: a tensor of order 2, not 1");
  CHECK(raised([&] { a.item<float>(); }) == "shape_error: item: a tensor of order 2 is no number");
  auto const twice = [](auto const& v) { return v * 2; };
  rc::any_tensor const doubled = rc::visit<rc::type_list<float, std::int32_t>, rc::orders<1, 2>>(twice, a);
  CHECK(text_of(doubled) == "[[2 4 6]\n [8 10 12]]");
  auto const count = [](auto const& v) { return v.size(); };
  CHECK(rc::visit<rc::type_list<float>, rc::orders<0, 2>>(count, a) == 6);
  CHECK(raised([&] { rc::visit<rc::type_list<double>, rc::orders<0, 2>>(count, a); }) ==
        "value_error: visit: float32 of order 2 is not among the types and orders that are visited");
}

TEST_CASE("what types would have shown is raised") {
  rc::any_tensor const a = rc::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}, pair = rc::tensor<float, 2>{1, 2};
  rc::any_tensor const condition = a > 3.f, z = rc::tensor<std::complex<float>, 2>{1, 2};
  CHECK(text_of(a + rc::tensor<int, 3>{1, 0, -1}) == "[[2 2 2]\n [5 5 5]]");
  CHECK(rc::name_of((a + rc::tensor<int, 3>{1, 0, -1}).dtype()) == std::string("float64"));
  CHECK((a + 1).dtype() == rc::dtype::float32);
  CHECK(bool(rc::all((a < 4) == !condition)));
  rc::any_tensor const bits = rc::tensor<int, 3>{1, 2, 6};
  CHECK(text_of(bits & 3) == "[1 2 2]");
  CHECK(text_of(condition & bits) == "[[0 0 0]\n [1 0 0]]");
  CHECK((a & condition).dtype() == rc::dtype::boolean);
  CHECK(text_of(rc::sum(a, -1)) == "[6 15]");
  CHECK(raised([&] { a + pair; }) == "shape_error: add: (2, 3) (2,)");
  CHECK(raised([&] { rc::matmul(a, a); }) == "shape_error: matmul: (2, 3) (2, 3)");
  CHECK(raised([&] { rc::sum(a, rc::axis<2>); }) == "index_error: sum: axis 2 of a tensor of order 2");
  CHECK(raised([&] { rc::sum(a, 2); }) == "index_error: sum: axis 2 of a tensor of order 2");
  CHECK(raised([&] { condition - condition; }) == "value_error: subtract: is not defined for bool");
  CHECK(raised([&] { rc::max(z); }) == "value_error: max: is not defined for complex64");
  CHECK(raised([&] { rc::bitwise_and(a, a); }) == "value_error: bitwise_and: is not defined for float32");
  CHECK(raised([&] { rc::take(a, a); }) == "value_error: take: the indices are integers, and not float32");
  CHECK(raised([&] { a + rc::any_tensor(); }) == "value_error: any_tensor: an any_tensor that holds nothing is given");
}
