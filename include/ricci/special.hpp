// Special functions under SciPy's names, elementwise and with derivatives:
//
//   rc::ndarray<double, 1> d = rc::special::digamma(x);
//   auto [g] = rc::grad([](auto a) { return rc::sum(rc::special::gammaln(a)); })(x);
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/special/bessel.hpp>
#include <ricci/special/elliptic.hpp>
#include <ricci/special/error_functions.hpp>
#include <ricci/special/gamma.hpp>
#include <ricci/special/incomplete_beta.hpp>
#include <ricci/special/incomplete_gamma.hpp>
#include <ricci/special/incomplete_inverses.hpp>
#include <ricci/special/lambertw.hpp>
#include <ricci/special/logarithms.hpp>
