// Linear algebra, with the names of the Python array API's extension, of NumPy, SciPy and JAX, in rc::linalg; what
// stands before the last two axes is a batch:
//
//   auto l = rc::linalg::cholesky(a);                         // lazy, as every operation with one result
//   auto [w, v] = rc::linalg::eigh(a);                        // several results are tensors, computed at once
//   auto x = rc::linalg::solve(a, b);
//   auto [q, r] = rc::linalg::checked(rc::linalg::qr(a));     // an error in place of NaN
//   auto g = rc::grad([](auto m) { return rc::linalg::slogdet(m).logabsdet; })(a);
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/linalg/cg.hpp>
#include <ricci/linalg/checked.hpp>
#include <ricci/linalg/cholesky.hpp>
#include <ricci/linalg/determinant.hpp>
#include <ricci/linalg/eig.hpp>
#include <ricci/linalg/eigh.hpp>
#include <ricci/linalg/expm.hpp>
#include <ricci/linalg/inverse.hpp>
#include <ricci/linalg/lu.hpp>
#include <ricci/linalg/norms.hpp>
#include <ricci/linalg/pinv.hpp>
#include <ricci/linalg/polar.hpp>
#include <ricci/linalg/polyfit.hpp>
#include <ricci/linalg/powers.hpp>
#include <ricci/linalg/qr.hpp>
#include <ricci/linalg/schur.hpp>
#include <ricci/linalg/spaces.hpp>
#include <ricci/linalg/sqrtm.hpp>
#include <ricci/linalg/svd.hpp>
#include <ricci/linalg/triangular.hpp>
