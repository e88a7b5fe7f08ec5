// Products of MKL and OpenBLAS, which are looked for when the program runs.
#pragma once

#include "table.hpp"

namespace bench {

// row-major; C is (m, n), A is (m, k) or transposed, B is (k, n) or transposed
struct product_shape {
  long m, n, k;
  bool a_is_transposed = false, b_is_transposed = false;
};
// `count` products of matrices that follow each other; one: 1
std::vector<contestant> blas(product_shape, float const* a, float const* b, float* c, long count = 1);
std::vector<contestant> blas(product_shape, double const* a, double const* b, double* c, long count = 1);
// where run.py found a library: "MKL" or "OpenBLAS"
void add_blas(char const* name, char const* path);

}  // namespace bench
