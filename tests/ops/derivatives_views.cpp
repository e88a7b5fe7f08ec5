// Derivatives of views (derivatives.hpp).
#include "structural_cases.hpp"

TEST_CASE("derivatives of views") { cases::check(cases::views{}); }
