// Derivatives of the functions of one operand (derivatives.hpp).
#include "derivatives.hpp"
#include "list.hpp"

TEST_CASE("derivatives of functions of one operand") {
  operations::for_each(operations::unary_functions{}, [](auto op) { derivatives::check_elementwise(op); });
}
