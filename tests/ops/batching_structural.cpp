// Batching of what is not elementwise (batching.hpp).
#include "batching.hpp"
#include "structural_cases.hpp"

constexpr auto check = [](auto c) { batching::checker<decltype(c)>::run(c.name, -2, 2, false); };

TEST_CASE("a batch of reductions is as a loop over them") { cases::for_each(cases::reductions{}, check); }
TEST_CASE("a batch of views is as a loop over them") { cases::for_each(cases::views{}, check); }
TEST_CASE("a batch of joins, parts and products is as a loop over them") {
  cases::for_each(cases::joins_and_products{}, check);
}
