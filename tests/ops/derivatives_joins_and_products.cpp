// Derivatives of joins and products (derivatives.hpp).
#include "structural_cases.hpp"

TEST_CASE("derivatives of joins and products") { cases::check(cases::joins_and_products{}); }
