// Gradients of a batch and batches of gradients, of what is not elementwise (batching.hpp).
#include "batching.hpp"
#include "structural_cases.hpp"

namespace {

template <class... C>
void check_batches(cases::list<C...>) {
  (
      [] {
        INFO("operation ", C::name);
        batching::checker<C>::with_gradients(-2, 2, false);
      }(),
      ...);
}

}  // namespace

TEST_CASE("gradients of batches of reductions") { check_batches(cases::reductions{}); }
TEST_CASE("gradients of batches of views") { check_batches(cases::views{}); }
TEST_CASE("gradients of batches of joins, parts and products") { check_batches(cases::joins_and_products{}); }
