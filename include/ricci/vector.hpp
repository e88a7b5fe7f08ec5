// Tensors as (nested) vectors: `std::vector<std::vector<double>> rows = rc::to_vector(x)`. The other way round is
// `rc::asarray(rows)`, which needs no header beside ricci.hpp.
#pragma once

#include <ricci/ricci.hpp>

#include <vector>

namespace ricci {

namespace vectors {

template <class T, int Rank>
struct nested {
  using type = std::vector<typename nested<T, Rank - 1>::type>;
};
template <class T>
struct nested<T, 0> {
  using type = T;
};
// The elements at p in row-major order; p is behind them then.
template <class T, int Rank>
auto copied(T const*& p, index_t const* extents) {
  typename nested<T, Rank>::type to;
  if constexpr (Rank == 1) {
    to.assign(p, p + *extents);
    p += *extents;
  } else {
    to.reserve(std::size_t(*extents));
    for (index_t k = 0; k < *extents; ++k) to.push_back(copied<T, Rank - 1>(p, extents + 1));
  }
  return to;
}

}  // namespace vectors

inline namespace RICCI_ABI {

// A copy of a tensor or the value of an expression, of order 1 or more: a std::vector of std::vectors, as deep as x has
// axes.
template <class X>
requires(Tensor<X>) auto to_vector(X const& x) {
  static_assert(rank_of<X> > 0, "to_vector: a tensor of order 0 is a number, x.item()");
  static_assert(!is_symbol<X>, "to_vector copies elements, which a traced function does not know");
  static_assert(storage::memory_of<X>() == expr::host_memory,
                "to_vector copies tensors of the host: rc::copy(x, rc::cpu{}) brings x there");
  auto const& v = storage::stored_value(x);
  auto const extents = v.shape();
  value_type_of<X> const* p = v.data();
  return vectors::copied<value_type_of<X>, rank_of<X>>(p, extents.data());
}

}  // namespace RICCI_ABI
}  // namespace ricci
