// `rc::concat(list, rc::axis<0>)` and `rc::stack(list)` of a list of tensors of one type that is made at run time: a
// std::vector.
#pragma once

#include <ricci/ops/join.hpp>
#include <ricci/tensor/searching.hpp>

namespace ricci {
inline namespace RICCI_ABI {

// A tensor of dynamic extents, computed at once. value_error: the list is empty; index_error: there is no such axis;
// shape_error: the shapes do not go together.
template <class Op, class List>
requires list_of_tensors<List>
auto join_list(Op, List const& list, index_t axis) {
  using X = std::remove_cvref_t<decltype(list.data()[0])>;
  using T = value_type_of<X>;
  (void)sizeof(derived_by_nobody<X>);
  static_assert(!is_symbol<X>,
                "a traced function joins tensors as operands, a tuple or a std::array: how many there are in a "
                "std::vector is only known when it runs");
  static_assert(is_symbol<X> || storage::memory_of<X>() == expr::host_memory,
                "on the device tensors are joined as operands, a tuple or a std::array; those of a std::vector are "
                "joined on the host");
  constexpr bool stacks = requires { Op::makes_axis; };
  constexpr int rank = rank_of<X> + stacks;
  using joined = ndarray<T, rank>;
  index_t const n = index_t(list.size());
  if (n == 0) core::raise<value_error>(core::text() << Op::name << ": an empty list of tensors");
  int const along = axis_named(Op::name, axis, rank);
  auto const own_shape = [&](index_t k) {
    shape_t s{};
    for (index_t const extent : list.data()[k].shape()) s.push(extent);
    return s;
  };
  auto const shape_of_part = [&](index_t k) {
    shape_t s{};
    auto const extents = list.data()[k].shape();
    for (int i = 0; i < rank; ++i) s.push(stacks && i == along ? 1 : extents[std::size_t(i - (stacks && i > along))]);
    return s;
  };
  shape_t whole = shape_of_part(0);
  for (index_t k = 1; k < n; ++k) {
    shape_t part = shape_of_part(k);
    index_t const length = part.extent[along];
    part.extent[along] = whole.extent[along];
    if (!(part == whole)) shapes::raise_misfit(Op::name, own_shape(0), own_shape(k));
    whole.extent[along] += length;
  }
  index_t outer = 1, inner = 1;
  for (int k = 0; k < along; ++k) outer *= whole.extent[k];
  for (int k = along + 1; k < rank; ++k) inner *= whole.extent[k];
  joined y(typename joined::raw{}, whole.extent, {});
  index_t const row = whole.extent[along] * inner;
  T* to = y.data();
  for (index_t k = 0; k < n; ++k) {
    auto const& part = storage::stored_value(list.data()[k]);
    index_t const own = shape_of_part(k).extent[along] * inner;
    for (index_t i = 0; i < outer; ++i)
      for (index_t j = 0; j < own; ++j) to[i * row + j] = part.data()[i * own + j];
    to += own;
  }
  return y;
}
template <class Op, class List, index_t A>
requires list_of_tensors<List>
auto join_list(Op op, List const& list, axes_t<A>) { return join_list(op, list, A); }

}  // namespace RICCI_ABI
}  // namespace ricci
