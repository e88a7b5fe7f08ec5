// The seam to cuBLAS: one call with the arguments of its strided batched product, column-major. Under nvcc that is
// cuBLAS (cuda.hpp); on the host a plain product with the same arguments (backend.hpp), so that what is made of layouts
// and strides here is tested everywhere.
#pragma once

#include <ricci/core/types.hpp>

namespace ricci::exec {

// C = op(A) op(B) for `batches` products: column-major (m, k), (k, n), (m, n); the leading extents and the distances
// between products are in elements.
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

// A matrix of a batch as ours are: strides of rows and columns, in elements.
struct matrix_layout {
  index_t rows, columns, row_stride, column_stride, batch_stride;

  // Whether a product can read it as it is: one of its strides is 1 (or belongs to an axis of extent 1), the other one
  // wide enough.
  constexpr bool is_direct() const {
    return (column_is_unit() && (rows == 1 || row_stride >= columns)) ||
           (row_is_unit() && (columns == 1 || column_stride >= rows));
  }
  constexpr bool column_is_unit() const { return column_stride == 1 || columns == 1; }
  constexpr bool row_is_unit() const { return row_stride == 1 || rows == 1; }
};

// C (row-major, dense rows) = A B. In column-major words the transposed of C is the product of those of B and A, so a
// row-major matrix goes in as it is, and one whose columns are dense as transposed.
template <class T>
constexpr blas_product<T> product_of_layouts(T const* a, matrix_layout const& la, T const* b, matrix_layout const& lb,
                                             T* c, index_t ldc, index_t stride_c, index_t batches) {
  auto const leading = [](matrix_layout const& l, bool transposed) {
    index_t const wanted = transposed ? l.column_stride : l.row_stride, least = transposed ? l.rows : l.columns;
    return wanted > least ? wanted : least > 0 ? least : 1;
  };
  auto const transposed = [](matrix_layout const& l) {
    return !(l.column_is_unit() && (l.rows == 1 || l.row_stride >= l.columns));
  };
  bool const ta = transposed(la), tb = transposed(lb);
  return {tb,
          ta,
          lb.columns,
          la.rows,
          la.columns,
          b,
          leading(lb, tb),
          lb.batch_stride,
          a,
          leading(la, ta),
          la.batch_stride,
          c,
          ldc > 0 ? ldc : 1,
          stride_c,
          batches};
}

}  // namespace ricci::exec
