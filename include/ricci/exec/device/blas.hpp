// The seam to cuBLAS: one call with the arguments of its strided batched product, column-major. Under nvcc that is cuBLAS; on the
// host a plain product with the same arguments, so that what is made of layouts and strides here is tested everywhere.
#pragma once

#include <ricci/exec/device/backend.hpp>

namespace ricci::exec {

// C = op(A) op(B) for `batches` products: column-major (m, k), (k, n), (m, n); the leading extents and the distances between
// products are in elements.
template <class T>
struct blas_product {
  bool transpose_a, transpose_b;
  index_t m, n, k;
  T const* a;
  index_t lda, stride_a;
  T const* b;
  index_t ldb, stride_b;
  T* c;
  index_t ldc, stride_c;
  index_t batches;
};

#if !defined(__CUDACC__)
namespace device_backend {
template <class T>
void multiply(int, blas_product<T> const& p) {
  for (index_t batch = 0; batch < p.batches; ++batch)
    for (index_t j = 0; j < p.n; ++j)
      for (index_t i = 0; i < p.m; ++i) {
        T sum{};
        for (index_t k = 0; k < p.k; ++k) {
          T const x = p.a[batch * p.stride_a + (p.transpose_a ? k + i * p.lda : i + k * p.lda)];
          T const y = p.b[batch * p.stride_b + (p.transpose_b ? j + k * p.ldb : k + j * p.ldb)];
          sum += x * y;
        }
        p.c[batch * p.stride_c + i + j * p.ldc] = sum;
      }
}
}  // namespace device_backend
#endif

// A matrix of a batch as ours are: strides of rows and columns, in elements.
struct matrix_layout {
  index_t rows, columns, row_stride, column_stride, batch_stride;

  // Whether a product can read it as it is: one of its strides is 1 (or belongs to an axis of extent 1), the other one wide enough.
  constexpr bool is_direct() const {
    return (column_is_unit() && (rows == 1 || row_stride >= columns)) || (row_is_unit() && (columns == 1 || column_stride >= rows));
  }
  constexpr bool column_is_unit() const { return column_stride == 1 || columns == 1; }
  constexpr bool row_is_unit() const { return row_stride == 1 || rows == 1; }
};

// C (row-major, dense rows) = A B. In column-major words the transposed of C is the product of those of B and A, so a row-major
// matrix goes in as it is, and one whose columns are dense as transposed.
template <class T>
constexpr blas_product<T> product_of_layouts(T const* a, matrix_layout const& la, T const* b, matrix_layout const& lb, T* c, index_t ldc,
                                             index_t stride_c, index_t batches) {
  auto const leading = [](matrix_layout const& l, bool transposed) {
    index_t const wanted = transposed ? l.column_stride : l.row_stride, least = transposed ? l.rows : l.columns;
    return wanted > least ? wanted : least > 0 ? least : 1;
  };
  auto const transposed = [](matrix_layout const& l) { return !(l.column_is_unit() && (l.rows == 1 || l.row_stride >= l.columns)); };
  bool const ta = transposed(la), tb = transposed(lb);
  return {tb, ta, lb.columns, la.rows, la.columns, b, leading(lb, tb), lb.batch_stride, a, leading(la, ta), la.batch_stride, c, ldc > 0 ? ldc : 1, stride_c, batches};
}

}  // namespace ricci::exec
