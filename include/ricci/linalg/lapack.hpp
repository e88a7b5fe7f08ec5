// LAPACK for large matrices, where a program links it: RICCI_LINALG_LAPACK says so, which the CMake target
// ricci::lapack does: symmetric eigenvalues and singular values of float and double by divide and conquer
// (linalg/library.hpp). Integers of its interface have 32 bits.
#pragma once

#include <cstdlib>

#include <ricci/core/types.hpp>

#if !defined(RICCI_LINALG_LAPACK) || defined(__CUDACC__)
#undef RICCI_LINALG_LAPACK
#define RICCI_LINALG_LAPACK 0
#endif

namespace ricci::linalg::lapack {

// What became of a call: the result is there; there is none; there was no memory, and nothing is changed.
enum class outcome { done, none, not_run };

#if RICCI_LINALG_LAPACK

extern "C" {
void ssyevd_(char const* jobz, char const* uplo, int const* n, float* a, int const* lda, float* w, float* work,
             int const* lwork, int* iwork, int const* liwork, int* info);
void dsyevd_(char const* jobz, char const* uplo, int const* n, double* a, int const* lda, double* w, double* work,
             int const* lwork, int* iwork, int const* liwork, int* info);
void sgesdd_(char const* jobz, int const* m, int const* n, float* a, int const* lda, float* s, float* u, int const* ldu,
             float* vt, int const* ldvt, float* work, int const* lwork, int* iwork, int* info);
void dgesdd_(char const* jobz, int const* m, int const* n, double* a, int const* lda, double* s, double* u,
             int const* ldu, double* vt, int const* ldvt, double* work, int const* lwork, int* iwork, int* info);
}

struct memory {
  void* p;
  explicit memory(std::size_t bytes) : p(std::malloc(bytes > 0 ? bytes : 1)) {}
  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;
  ~memory() { std::free(p); }
};
// Asks a routine for the size of its workspace, and calls it with one; `call(work, lwork, iwork)` gives its `info`.
template <class T, class Call>
outcome with_workspace(index_t integers, Call const& call) {
  T size = 0;
  memory const iwork(std::size_t(integers) * sizeof(int));
  auto* const of_integers = static_cast<int*>(iwork.p);
  if (!of_integers || call(&size, -1, of_integers) != 0 || !(double(size) < 0x1p30)) return outcome::not_run;
  // (a float holds a size rounded)
  int const n = int(size + size * 0x1p-22f) + 1;
  memory const work(std::size_t(n) * sizeof(T));
  if (!work.p) return outcome::not_run;
  return call(static_cast<T*>(work.p), n, of_integers) == 0 ? outcome::done : outcome::none;
}

// Of a symmetric matrix of n rows in `a`, which is overwritten: its eigenvalues in ascending order in w, and with
// `vectors` their vectors as rows of a.
template <class T>
outcome eigenvalues(T* a, index_t rows, T* w, bool vectors) {
  int const n = int(rows), integers = 5 * n + 3;
  char const job = vectors ? 'V' : 'N', part = 'U';
  return with_workspace<T>(integers, [&](T* work, int lwork, int* iwork) {
    int info = 0;
    if constexpr (sizeof(T) == 4)
      ssyevd_(&job, &part, &n, a, &n, w, work, &lwork, iwork, &integers, &info);
    else
      dsyevd_(&job, &part, &n, a, &n, w, work, &lwork, iwork, &integers, &info);
    return info;
  });
}

// Of a matrix of `high` rows and `wide` columns in `a`, high >= wide, which is overwritten: its singular values in
// descending order in s, and with `left` columns of u, wide or high, these in u and the right vectors as rows of v.
// (LAPACK sees the transposed matrix, whose left vectors are the right ones.)
template <class T>
outcome singular_values(T* a, index_t high, index_t wide, T* s, T* u, index_t left, T* v) {
  int const m = int(wide), n = int(high), ldvt = left > 0 ? int(left) : 1;
  char const job = left == 0 ? 'N' : left == wide ? 'S' : 'A';
  return with_workspace<T>(8 * wide, [&](T* work, int lwork, int* iwork) {
    int info = 0;
    if constexpr (sizeof(T) == 4)
      sgesdd_(&job, &m, &n, a, &m, s, v, &m, u, &ldvt, work, &lwork, iwork, &info);
    else
      dgesdd_(&job, &m, &n, a, &m, s, v, &m, u, &ldvt, work, &lwork, iwork, &info);
    return info;
  });
}

#endif

}  // namespace ricci::linalg::lapack
