// What is not elementwise on the device: values, and first and second derivatives.
#include "operations.hpp"

#include "../ops/structural_cases.hpp"

TEST_CASE("other products on the device") {
  cases::for_each(cases::other_products{}, [](auto c) { on_device::check<decltype(c)>(c.name); });
}
