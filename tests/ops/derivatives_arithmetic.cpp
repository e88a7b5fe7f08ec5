// Derivatives of arithmetic and of functions of two and three operands (derivatives.hpp).
#include "derivatives.hpp"
#include "list.hpp"

TEST_CASE("derivatives of arithmetic") {
  operations::for_each(operations::unary_arithmetic{}, [](auto op) { derivatives::check_elementwise(op); });
}
TEST_CASE("derivatives of functions of two operands") {
  operations::for_each(operations::binary_functions{}, [](auto op) { derivatives::check_elementwise(op); });
}
TEST_CASE("derivatives of clip") { derivatives::check_elementwise(ricci::clip); }
