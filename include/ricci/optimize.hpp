// Minimisation of functions without constraints, in rc::optimize:
//
//   auto const found = rc::optimize::lbfgs(f, x0, {.gtol = 1e-8}, data);
//   use(found.x, found.value);
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/optimize/lbfgs.hpp>
#include <ricci/optimize/least_squares.hpp>
