// Where elements are not zero: `auto [rows, columns] = rc::nonzero(m > 9.)`, and the parts that are chosen so. How many
// that are depends on the elements, so the results are tensors of dynamic extents, computed at once.
#pragma once

#include <array>

#include <ricci/tensor/masked.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

// Asked for by its size, so that an error is the first one.
template <class X>
struct shape_depends_on_elements_of {
  static_assert(!is_symbol<X>,
                "a traced function has no results whose shape depends on elements, for these are only known when it "
                "runs: ricci::where chooses between elements, and ricci::bincount and ricci::histogram are told the "
                "shape of their result");
  static_assert(is_symbol<X> || memory_of<X>() == expr::host_memory,
                "on the device there are no results whose shape depends on elements, for these are known too late: "
                "rc::copy(x, rc::cpu{}) brings them to the host");
};
// computed at once, where it is no symbol of a traced function
template <class X>
constexpr auto now(X const& x) {
  if constexpr (is_symbol<X>)
    return x;
  else {
    if constexpr (is_inexact(dtype_of<value_type_of<X>>)) (void)sizeof(derived_by_nobody<X>);
    return eval(x);
  }
}

// where to look for what is not zero: a loop over so many elements is a few instructions
inline constexpr index_t searched_together = 64;

template <class T>
RICCI_INLINE index_t count_nonzero(T const* p, index_t n) {
  std::uint8_t count = 0;
  if (n == searched_together)
    for (index_t k = 0; k < searched_together; ++k) count = std::uint8_t(count + (p[k] != T(0)));
  else
    for (index_t k = 0; k < n; ++k) count = std::uint8_t(count + (p[k] != T(0)));
  return count;
}
// f(first, number, count) for stretches of the n elements at p that follow one another, in which `count` are not zero
template <class T, class F>
void for_each_stretch(T const* p, index_t n, F const& f) {
  for (index_t first = 0; first < n; first += searched_together) {
    index_t const number = n - first < searched_together ? n - first : searched_together;
    if (index_t const count = count_nonzero(p + first, number)) f(first, number, count);
  }
}
template <class T>
index_t count_all_nonzero(T const* p, index_t n) {
  index_t count = 0;
  for_each_stretch(p, n, [&](index_t, index_t, index_t found) { count += found; });
  return count;
}
// The positions of those that are not zero, to `to`: without branches, for nothing could foresee them.
template <class T>
void write_nonzero(T const* p, index_t n, std::int64_t* to) {
  for_each_stretch(p, n, [&](index_t first, index_t number, index_t count) {
    std::int64_t* const stop = to + count;
    if (count == number)
      for (; to < stop; ++to) *to = first++;
    else
      for (; to < stop; ++first) *to = first, to += p[first] != T(0);
  });
}
// Ascending positions as coordinates in a shape of order Rank: axis k of number i goes to to[k][i * step], which may be
// where positions lie that have been read.
template <int Rank>
void write_coordinates(std::int64_t const* positions, index_t n, index_t const* shape, std::int64_t* const* to,
                       index_t step) {
  index_t at[Rank]{}, row = 0;
  for (index_t i = 0; i < n; ++i) {
    index_t const position = positions[i];
    if (position - row >= shape[Rank - 1]) {
      index_t rows = (position - row) / shape[Rank - 1];
      row += rows * shape[Rank - 1];
      for (int k = Rank - 2; rows > 0; --k) {
        index_t const all = at[k] + rows;
        rows = k > 0 ? all / shape[k] : 0;
        at[k] = all - rows * shape[k];
      }
    }
    for (int k = 0; k + 1 < Rank; ++k) to[k][i * step] = at[k];
    to[Rank - 1][i * step] = position - row;
  }
}
// Tensors of indices beside X: by way of it, since where there is no heap compilers must not look into them before they
// are asked for.
template <class X>
struct index_type {
  using type = std::int64_t;
};
template <class X, int Rank = 1>
using indices = ndarray<typename index_type<X>::type, Rank>;
template <class T>
ndarray<T, 1> new_row(index_t n) {
  return ndarray<T, 1>(typename ndarray<T, 1>::raw{}, &n, {});
}
template <class X>
indices<X> new_indices(index_t n) {
  return new_row<typename index_type<X>::type>(n);
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

// Where x, of order R, is not zero: R tensors of order 1 with the coordinates along each axis, in row-major order.
template <class X>
requires(Tensor<X>) auto nonzero(X const& x) {
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  constexpr int rank = rank_of<X>;
  static_assert(rank > 0, "nonzero names axes, and a tensor of order 0 has none");
  auto const& v = storage::stored_value(x);
  index_t const n = storage::count_all_nonzero(v.data(), v.size());
  std::array<storage::indices<X>, rank> found;
  std::int64_t* to[rank];
  for (int k = 0; k < rank; ++k) {
    found[std::size_t(k)] = storage::new_indices<X>(n);
    to[k] = found[std::size_t(k)].data();
  }
  storage::write_nonzero(v.data(), v.size(), to[rank - 1]);
  if constexpr (rank > 1) {
    index_t shape[rank];
    for (int k = 0; k < rank; ++k) shape[k] = v.shape(k);
    storage::write_coordinates<rank>(to[rank - 1], n, shape, to, 1);
  }
  return found;
}
// The same as one tensor, (count, R).
template <class X>
requires(Tensor<X>) auto argwhere(X const& x) {
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  constexpr int rank = rank_of<X>;
  auto const& v = storage::stored_value(x);
  index_t const n = storage::count_all_nonzero(v.data(), v.size()), extents[] = {n, rank};
  using pairs = storage::indices<X, 2>;
  pairs found(typename pairs::raw{}, extents, {});
  if constexpr (rank > 0) {
    std::int64_t* to[rank];
    index_t shape[rank];
    for (int k = 0; k < rank; ++k) to[k] = found.data() + k, shape[k] = v.shape(k);
    // behind what is written before they are read
    std::int64_t* const positions = found.data() + n * (rank - 1);
    storage::write_nonzero(v.data(), v.size(), positions);
    if constexpr (rank > 1) storage::write_coordinates<rank>(positions, n, shape, to, rank);
  }
  return found;
}
// Where x is not zero, as positions among all of its elements in row-major order: (count,).
template <class X>
requires(Tensor<X>) auto flatnonzero(X const& x) {
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  auto const& v = storage::stored_value(x);
  auto found = storage::new_indices<X>(storage::count_all_nonzero(v.data(), v.size()));
  storage::write_nonzero(v.data(), v.size(), found.data());
  return found;
}

// Rows that a condition has chosen: `take` by the name of compress.
struct compressed_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "compress";
  static constexpr int first_index = 1;
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& x, shape_t const& indices) {
    return take_t::shape_of(c, axis, x, indices);
  }
  template <class V>
  static constexpr V record(index_t axis, V x, V indices) {
    return ir::take<compressed_t>(x, indices, axis_from_start(axis, x.rank()));
  }
};

// The parts of x along an axis where the condition, of order 1, holds. It may be shorter than the axis; where it is
// longer and true behind the axis' end, that is an index_error.
template <class M, class X, index_t Axis = 0>
requires(Tensor<M>&& Tensor<X>) auto compress(M const& condition, X const& x, axes_t<Axis> = {}) {
  static_assert(rank_of<M> == 1, "compress: the condition is of order 1, for it chooses along one axis");
  (void)sizeof(derived_by_nobody<X>);
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  if constexpr (rank_of<X> == 1 && (Axis == 0 || Axis == -1) && std::is_same_v<value_type_of<M>, bool>) {
    using T = value_type_of<X>;
    auto const& chosen = storage::stored_value(condition);
    auto const& v = storage::stored_value(x);
    bool const* const m = chosen.data();
    index_t const all = chosen.size(), n = all < v.size() ? all : v.size();
    for (index_t k = n; k < all; ++k)
      if (m[k]) exec::row_index(k, n, "compress");
    index_t const count = storage::count_of(m, n);
    ndarray<T, 1> found(typename ndarray<T, 1>::raw{}, &count, v.execution());
    storage::for_each_chosen(m, n, v.data(), 1, found.data(), 1, [](T const& from, T& to) { to = from; });
    return found;
  } else {
    return eval(call_operation<compressed_t>(along_axis<Axis>{}, x, flatnonzero(condition)));
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci
RICCI_OPTIMIZED_END
