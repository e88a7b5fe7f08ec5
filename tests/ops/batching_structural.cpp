// Batching of what is not elementwise (batching.hpp).
#include "batching.hpp"
#include "structural_cases.hpp"

namespace {

template <class... C>
void check_batches(cases::list<C...>) {
  (batching::checker<C>::run(C::name, -2, 2, false), ...);
}

}  // namespace

TEST_CASE("a batch of reductions is as a loop over them") { check_batches(cases::reductions{}); }
TEST_CASE("a batch of views is as a loop over them") { check_batches(cases::views{}); }
TEST_CASE("a batch of joins, parts and products is as a loop over them") { check_batches(cases::joins_and_products{}); }
