// The peers, each where it is found.
#pragma once

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define BENCH_EIGEN 1
#else
#define BENCH_EIGEN 0
#endif

#if BENCH_EIGEN
namespace bench {
using eigen_array = Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64>;
using eigen_matrix = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, Eigen::Aligned64>;
}  // namespace bench
#endif
