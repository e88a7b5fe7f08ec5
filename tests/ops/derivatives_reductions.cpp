// Derivatives of reductions (derivatives.hpp).
#include "structural_cases.hpp"

TEST_CASE("derivatives of reductions") { cases::check(cases::reductions{}); }
