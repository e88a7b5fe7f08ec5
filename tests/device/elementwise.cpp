// Elementwise operations on the device: values, and first and second derivatives.
#include "operations.hpp"

#include "../ops/list.hpp"

namespace rc = ricci;

namespace {

template <class... Ops>
void check_all(operations::list<Ops...>) {
  (
      [] {
        bool positive = false;
        if constexpr (Ops::arity == 2) positive = std::isnan(double(Ops::kernel(-1.3, 0.7)));
        on_device::check<derivatives::elementwise_case<Ops>>(Ops::name, Ops::domain.low, Ops::domain.high, positive);
      }(),
      ...);
}

}  // namespace

TEST_CASE("functions of one operand") { check_all(operations::unary_functions{}); }
TEST_CASE("arithmetic of one operand") { check_all(operations::unary_arithmetic{}); }
TEST_CASE("functions of two operands") { check_all(operations::binary_functions{}); }
TEST_CASE("functions of three operands") { check_all(operations::ternary_functions{}); }

TEST_CASE("comparisons, logic, and the other element types") {
  auto const check = [](auto const& a, auto const& b) {
    auto const x = rc::copy(a, rc::device{});
    auto const y = rc::copy(b, rc::device{});
    auto const same = [&](auto const& there, auto const& here) {
      CHECK(derivatives::flat(rc::copy(there, rc::cpu{})) == derivatives::flat(rc::eval(here)));
    };
    operations::for_each(operations::comparisons{}, [&](auto op) { same(rc::eval(op(x, y)), op(a, b)); });
    operations::for_each(operations::list<rc::logical_and_t, rc::logical_or_t, rc::logical_xor_t>{},
                         [&](auto op) { same(rc::eval(op(x, y)), op(a, b)); });
    same(rc::eval(!(x > y)), !(a > b));
    same(rc::eval(x + y * x - y), a + b * a - b);
    same(rc::eval(rc::where(x < y, x, y)), rc::where(a < b, a, b));
    same(rc::eval(rc::astype<float>(x)), rc::astype<float>(a));
    same(rc::eval(rc::astype<std::int64_t>(x)), rc::astype<std::int64_t>(a));
  };
  check(rc::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}, rc::tensor<float, 3>{3, 2, 1});
  check(rc::tensor<double, 4>{1, -2, 3, 0}, rc::tensor<double, 4>{3, -2, 1, 5});
  check(rc::tensor<std::int32_t, 4>{1, -2, 3, 0}, rc::tensor<std::int32_t, 4>{3, -2, 1, 5});
  check(rc::tensor<std::int64_t, 4>{1, -2, 3, 0}, rc::tensor<std::int64_t, 4>{3, -2, 1, 5});
}
