// Eigen's matrices as tensors and tensors as Eigen's, where they lie:
//
//   auto v = rc::from_eigen(m);            // a view of an Eigen::Matrix, Map, Block ...
//   rc::to_eigen(x) = m * rc::to_eigen(y); // an Eigen::Map of a vector or matrix
//
// Neither keeps memory alive. Vectors are of order 1; extents that Eigen's type knows are in the view's, and the other
// way round.
#pragma once

#include <ricci/ricci.hpp>

#if !defined(EIGEN_CORE_H)
#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#else
#include <eigen3/Eigen/Core>
#endif
#endif

namespace ricci {

namespace eigen {

// Whose elements lie in memory; a column or row has one extent.
template <class M>
concept Direct = requires(M& m) {
  m.data();
  m.innerStride();
  m.outerStride();
  requires bool(std::remove_cvref_t<M>::Flags & Eigen::DirectAccessBit);
};

constexpr index_t extent_of(int n) { return n == Eigen::Dynamic ? dyn : n; }
constexpr int size_for(index_t n) { return n < 0 ? Eigen::Dynamic : static_cast<int>(n); }

template <class M, bool IsVector = bool(M::IsVectorAtCompileTime)>
struct extents_of_matrix {
  using type = extents<extent_of(M::RowsAtCompileTime), extent_of(M::ColsAtCompileTime)>;
};
template <class M>
struct extents_of_matrix<M, true> {
  using type = extents<extent_of(M::SizeAtCompileTime)>;
};

// The matrix with the extents of a type: a column of one extent. Columns lie in Eigen's own order, matrices in ours.
template <class T, class E>
struct matrix_for;
template <class T, index_t N>
struct matrix_for<T, extents<N>> {
  using type = Eigen::Matrix<T, size_for(N), 1>;
};
template <class T, index_t N, index_t M>
struct matrix_for<T, extents<N, M>> {
  using type = Eigen::Matrix<T, size_for(N), size_for(M), M == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
};

}  // namespace eigen

inline namespace RICCI_ABI {

// The elements of m as a view, in any order of memory; of a constant m it cannot be written.
template <class M>
requires eigen::Direct<M> && Element<typename M::Scalar>
auto from_eigen(M& m) {
  using E = typename eigen::extents_of_matrix<std::remove_const_t<M>>::type;
  using pointer = decltype(m.data());
  expr::extent_storage<E> extents;
  expr::stride_storage<E::rank> strides;
  if constexpr (E::rank == 1) {
    extents.set(0, m.size());
    strides.values[0] = m.innerStride();
  } else {
    constexpr int inner = M::IsRowMajor ? 1 : 0;
    extents.set(0, m.rows()), extents.set(1, m.cols());
    strides.values[inner] = m.innerStride(), strides.values[1 - inner] = m.outerStride();
  }
  return view<std::remove_pointer_t<pointer>, E, layout::strided, false>(m.data(), extents, strides);
}
// Of a map or block that is a temporary, which looks at memory of somebody else, the same; a matrix would be gone.
template <class M>
requires eigen::Direct<M> && Element<typename M::Scalar>
auto from_eigen(M const&& m) {
  static_assert(!std::is_base_of_v<Eigen::PlainObjectBase<M>, M>,
                "from_eigen looks at a matrix that is a temporary: give it a name");
  auto named = m;
  return from_eigen(named);
}

// The elements of a vector or matrix, a tensor or a view, as an Eigen::Map, which can be written where they can: a
// plain one where the type says that they lie in row-major order, else one with strides.
template <class X>
requires(Tensor<X>&& requires(X& x) {
  x.data();
  x.stride_values();
}) auto to_eigen(X&& x) {
  using value = std::remove_cvref_t<X>;
  static_assert(value::rank == 1 || value::rank == 2, "Eigen has vectors and matrices: orders 1 and 2");
  static_assert(
      std::is_lvalue_reference_v<X> || !requires { requires value::whole; },
      "to_eigen looks at a tensor that is a temporary: give it a name");
  static_assert(storage::memory_of<value>() == expr::host_memory,
                "Eigen is given tensors of the host: rc::copy(x, rc::cpu{}) brings x there");
  using plain = typename eigen::matrix_for<typename value::value_type, typename value::extents>::type;
  using matrix = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(x.data())>>, plain const, plain>;
  auto const& n = x.extent_values();
  index_t const rows = n[0], columns = value::rank == 2 ? n[value::rank - 1] : 1;
  if constexpr (Contiguous<value>) {
    return Eigen::Map<matrix>(x.data(), rows, columns);
  } else {
    using strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
    auto const s = x.stride_values();
    constexpr bool by_rows = plain::IsRowMajor;
    index_t const down = s.values[0], along = value::rank == 2 ? s.values[value::rank - 1] : rows * down;
    return Eigen::Map<matrix, Eigen::Unaligned, strides>(x.data(), rows, columns,
                                                         by_rows ? strides(down, along) : strides(along, down));
  }
}
// A transpose or flip of what may be written is an expression that knows its view.
template <class X>
requires(Tensor<X>&& requires(X const& x) { x.as_view(); }) auto to_eigen(X const& x) { return to_eigen(x.as_view()); }

}  // namespace RICCI_ABI
}  // namespace ricci
