// cuBLAS beside the runtime that stands in for CUDA's: strided batched products, column-major, by plain loops.
#pragma once

#include "cuda_runtime.h"

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_EXECUTION_FAILED = 13 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
struct cublasContext {
  cudaStream_t stream = nullptr;
  void* room = nullptr;  // of the caller
};
using cublasHandle_t = cublasContext*;

inline char const* cublasGetStatusName(cublasStatus_t s) {
  return s == CUBLAS_STATUS_SUCCESS        ? "CUBLAS_STATUS_SUCCESS"
         : s == CUBLAS_STATUS_ALLOC_FAILED ? "CUBLAS_STATUS_ALLOC_FAILED"
                                           : "CUBLAS_STATUS_EXECUTION_FAILED";
}
namespace stand_in {
inline cublasStatus_t enter_blas(char const* call) {
  return runtime().enter(call) ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t multiply(char const* call, cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, std::int64_t m,
                        std::int64_t n, std::int64_t k, T const* alpha, T const* a, std::int64_t lda,
                        std::int64_t stride_a, T const* b, std::int64_t ldb, std::int64_t stride_b, T const* beta, T* c,
                        std::int64_t ldc, std::int64_t stride_c, std::int64_t batches) {
  if (auto const e = enter_blas(call)) return e;
  if (h->stream->recorded && !h->room) return CUBLAS_STATUS_ALLOC_FAILED;  // CUDA would make memory a part of the graph
  h->stream->queue([=, factor = *alpha, kept = *beta] {
    for (std::int64_t batch = 0; batch < batches; ++batch)
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < m; ++i) {
          T sum{};
          for (std::int64_t l = 0; l < k; ++l)
            sum += a[batch * stride_a + (ta == CUBLAS_OP_T ? l + i * lda : i + l * lda)] *
                   b[batch * stride_b + (tb == CUBLAS_OP_T ? j + l * ldb : l + j * ldb)];
          T& to = c[batch * stride_c + i + j * ldc];
          to = factor * sum + (kept == T(0) ? T(0) : kept * to);
        }
  });
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace stand_in

inline cublasStatus_t cublasCreate(cublasHandle_t* h) {
  if (auto const e = stand_in::enter_blas("cublasCreate")) return e;
  static auto& contexts = *new std::deque<cublasContext>;
  *h = &contexts.emplace_back();
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t s) {
  if (auto const e = stand_in::enter_blas("cublasSetStream")) return e;
  h->stream = s, h->room = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void* room, std::size_t) {
  if (auto const e = stand_in::enter_blas("cublasSetWorkspace")) return e;
  h->room = room;
  return CUBLAS_STATUS_SUCCESS;
}
template <class... P>
cublasStatus_t cublasSgemmStridedBatched_64(cublasHandle_t h, P... p) {
  return stand_in::multiply<float>("cublasSgemmStridedBatched", h, p...);
}
template <class... P>
cublasStatus_t cublasDgemmStridedBatched_64(cublasHandle_t h, P... p) {
  return stand_in::multiply<double>("cublasDgemmStridedBatched", h, p...);
}
