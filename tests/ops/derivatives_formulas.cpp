// Derivatives of functions that are formulas of others, of which each is checked already: one element type does.
#define RICCI_TEST_BRIEF
#include "formula_cases.hpp"

TEST_CASE("derivatives of formulas") { cases::check(cases::formulas{}); }
