// What the device context is made of: CUDA under nvcc; under a host compiler Thrust's own systems for the CPU (OMP
// where the compiler has OpenMP, else CPP; THRUST_DEVICE_SYSTEM chooses), so that all but the hardware runs and is
// tested everywhere.
#pragma once

#include <ricci/exec/device/blas.hpp>
#include <ricci/exec/device/error.hpp>

#if RICCI_CALLS_CUDA
#include <ricci/exec/device/cuda_copies.hpp>
#include <ricci/exec/device/cuda_graph.hpp>
#include <ricci/exec/device/cuda_kernels.hpp>
#else

#if !defined(THRUST_DEVICE_SYSTEM)
#if defined(_OPENMP)
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP
#else
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#endif

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>

#include <new>

namespace ricci::exec::device_backend {
inline namespace RICCI_DEVICE_ABI {

inline constexpr bool is_cuda = false;
inline constexpr int max_devices = 16;  // all of them are this machine

inline int device_count() { return max_devices; }
inline void use_device(int) {}

inline void* allocate(int, index_t bytes, int&) {
  return ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(256), std::nothrow);
}
inline void deallocate(int, void* p) { ::operator delete(p, std::align_val_t(256)); }
inline void meet_host() {}  // nothing is recorded
inline void copy_in(int, void* to, void const* from, index_t bytes) {
  __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
}
inline void copy_out(int, void* to, void const* from, index_t bytes) {
  __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
}
inline void copy_within(int, void* to, void const* from, index_t bytes) {
  __builtin_memcpy(to, from, static_cast<std::size_t>(bytes));
}
inline void note_free(int) {}
inline void release_staging(int) {}
inline void clear(int, void* p, index_t bytes) { __builtin_memset(p, 0, static_cast<std::size_t>(bytes)); }
[[noreturn]] inline void raise_allocation(int, index_t) { __builtin_unreachable(); }  // `allocate` only lacks memory

inline auto policy(int) { return thrust::device; }

// what cuBLAS does
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

// f(0), ..., f(n - 1), in any order
template <class F>
void for_each_index(int device, index_t n, F const& f) {
  if (n > 0) thrust::for_each_n(policy(device), thrust::counting_iterator<index_t>(0), n, f);
}

struct segment_of {
  index_t length;
  index_t operator()(index_t i) const { return i / length; }
};
// Of each of `segments` stretches of `length` elements value(i): all of them combined, to results[segment].
template <class V, class Value, class Combine>
void reduce_segments(int device, index_t segments, index_t length, Value const& value, Combine const& combine,
                     V* results) {
  thrust::counting_iterator<index_t> const first(0);
  auto const keys = thrust::make_transform_iterator(first, segment_of{length});
  auto const values = thrust::make_transform_iterator(first, value);
  thrust::reduce_by_key(policy(device), keys, keys + segments * length, values, thrust::make_discard_iterator(),
                        results, thrust::equal_to<index_t>(), combine);
}

}  // namespace RICCI_DEVICE_ABI
}  // namespace ricci::exec::device_backend
#endif
