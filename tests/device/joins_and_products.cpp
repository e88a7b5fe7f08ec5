// What is not elementwise on the device: values, and first and second derivatives.
#include "operations.hpp"

#include "../ops/structural_cases.hpp"

namespace {

template <class... C>
void check_on_device(cases::list<C...>) {
  (on_device::check<C>(C::name), ...);
}

}  // namespace

TEST_CASE("joins and products on the device") { check_on_device(cases::joins_and_products{}); }
