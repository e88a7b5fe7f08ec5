// Large matrices by a library, where a program says so: LAPACK (linalg/lapack.hpp), or Eigen, for which one file of the
// program includes <ricci/eigen_decompositions.hpp> and all of them are compiled with RICCI_LINALG_EIGEN=1. Symmetric
// eigenvalues and singular values of float and double go there from the sizes below on, with results as they are
// without it up to rounding and signs of vectors.
#pragma once

#include <ricci/linalg/lapack.hpp>

#if !defined(RICCI_LINALG_EIGEN) || defined(__CUDACC__)
#undef RICCI_LINALG_EIGEN
#define RICCI_LINALG_EIGEN 0
#endif
#if RICCI_LINALG_EIGEN && RICCI_LINALG_LAPACK
#error "large matrices go to LAPACK (RICCI_LINALG_LAPACK, the target ricci::lapack) or to Eigen (RICCI_LINALG_EIGEN)"
#endif

namespace ricci::linalg::library {

inline constexpr bool is_linked = RICCI_LINALG_LAPACK || RICCI_LINALG_EIGEN;
// rows, and the smaller of rows and columns
inline constexpr index_t least_for_eigenvalues = 256, least_for_singular_values = 96;

#if RICCI_LINALG_LAPACK
using lapack::eigenvalues;
using lapack::singular_values;
#elif RICCI_LINALG_EIGEN
// as lapack::eigenvalues and lapack::singular_values
lapack::outcome eigenvalues(float* a, index_t rows, float* w, bool vectors);
lapack::outcome eigenvalues(double* a, index_t rows, double* w, bool vectors);
lapack::outcome singular_values(float* a, index_t high, index_t wide, float* s, float* u, index_t left, float* v);
lapack::outcome singular_values(double* a, index_t high, index_t wide, double* s, double* u, index_t left, double* v);
#endif

}  // namespace ricci::linalg::library
