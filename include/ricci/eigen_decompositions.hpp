// Eigen's decompositions behind <ricci/linalg.hpp> (linalg/library.hpp), as LAPACK's are behind it where a program
// links that. One file of the program includes this header; it takes g++ a minute, and what follows from it is in
// that file alone. All files of the program are compiled with RICCI_LINALG_EIGEN=1.
//
//   // decompositions.cpp
//   #include <ricci/eigen_decompositions.hpp>
#pragma once

#include <new>

#include <ricci/linalg/library.hpp>

#if !RICCI_LINALG_EIGEN
#error "ricci/eigen_decompositions.hpp: all files of the program are compiled with RICCI_LINALG_EIGEN=1"
#endif

#if __has_include(<Eigen/SVD>)
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#else
#include <eigen3/Eigen/Eigenvalues>
#include <eigen3/Eigen/SVD>
#endif

namespace ricci::linalg::library {

namespace eigen {

template <class T>
using rows_of = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// f(), or `not_run` where Eigen finds no memory
template <class F>
lapack::outcome not_run_without_memory(F const& f) {
#ifdef __cpp_exceptions
  try {
    return f();
  } catch (std::bad_alloc const&) {
    return lapack::outcome::not_run;
  }
#else
  return f();
#endif
}
template <class T>
lapack::outcome eigenvalues_of(T* a, index_t n, T* w, bool vectors) {
  return not_run_without_memory([&] {
    rows_of<T> m(a, n, n);
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> const s(
        m, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
    if (s.info() != Eigen::Success) return lapack::outcome::none;
    Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>(w, n) = s.eigenvalues();
    if (vectors) m = s.eigenvectors().transpose();
    return lapack::outcome::done;
  });
}
template <class T>
lapack::outcome singular_values_of(T* a, index_t high, index_t wide, T* s, T* u, index_t left, T* v) {
  return not_run_without_memory([&] {
    unsigned const vectors = left == 0      ? 0
                             : left == wide ? Eigen::ComputeThinU | Eigen::ComputeThinV
                                            : Eigen::ComputeFullU | Eigen::ComputeFullV;
    Eigen::BDCSVD<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> const d(rows_of<T>(a, high, wide), vectors);
    if (d.info() != Eigen::Success) return lapack::outcome::none;
    Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>(s, wide) = d.singularValues();
    if (left > 0) {
      rows_of<T>(u, high, left) = d.matrixU();
      rows_of<T>(v, wide, wide) = d.matrixV().transpose();
    }
    return lapack::outcome::done;
  });
}

}  // namespace eigen

lapack::outcome eigenvalues(float* a, index_t rows, float* w, bool vectors) {
  return eigen::eigenvalues_of(a, rows, w, vectors);
}
lapack::outcome eigenvalues(double* a, index_t rows, double* w, bool vectors) {
  return eigen::eigenvalues_of(a, rows, w, vectors);
}
lapack::outcome singular_values(float* a, index_t high, index_t wide, float* s, float* u, index_t left, float* v) {
  return eigen::singular_values_of(a, high, wide, s, u, left, v);
}
lapack::outcome singular_values(double* a, index_t high, index_t wide, double* s, double* u, index_t left, double* v) {
  return eigen::singular_values_of(a, high, wide, s, u, left, v);
}

}  // namespace ricci::linalg::library
