// Gradients of a batch and batches of gradients, of what is not elementwise (batching.hpp).
#include "batching.hpp"
#include "structural_cases.hpp"

constexpr auto check = [](auto c) {
  INFO("operation ", c.name);
  batching::checker<decltype(c)>::with_gradients(-2, 2, false);
};

TEST_CASE("gradients of batches of reductions") { cases::for_each(cases::reductions{}, check); }
TEST_CASE("gradients of batches of views") { cases::for_each(cases::views{}, check); }
TEST_CASE("gradients of batches of joins, parts and products") { cases::for_each(cases::joins_and_products{}, check); }
