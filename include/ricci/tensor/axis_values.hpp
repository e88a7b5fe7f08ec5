// `rc::sort(x, k)`, `rc::softmax(x, k)`, `rc::take(x, indices, k)`: along an axis that is only known at run time, where
// the result has that axis, or others in its place. (Reductions, whose result has none: deferred.hpp.)
#pragma once

#include <ricci/tensor/deferred.hpp>

namespace ricci {

inline namespace RICCI_ABI {

// `rc::take(x, 1, 0)`, as NumPy has it
template <class Op, class Last, class Told, class X, class... Rest>
requires(is_arithmetic<std::remove_cvref_t<Rest>> || ...)  //
    constexpr wrong::result call_along_axis(Op, Last, Told const&, index_t, X&&, Rest&&...) {
  static_assert(
      always_false<Op>,
      "take: along an axis that is a value the indices are a tensor of integers; at one place stands a part of "
      "x, x(1) or x(rc::all, 1)");
  return {};
}
// The elements of x with axis `number` as the last one, side by side: where they lie so already, these. Kernels for
// such rows are the fast ones, and one set of them serves every axis.
template <class X>
constexpr auto with_axis_last(X const& x, int number) {
  using T = value_type_of<X>;
  constexpr int rank = rank_of<X>;
  using extents = dynamic_extents<rank>;
  if constexpr (is_expression<X>) {
    return with_axis_last(held(eval_dynamic(x)), number);
  } else {
    bool lie_so = number == rank - 1;
    expr::extent_storage<extents> from, to;
    expr::stride_storage<rank> strides;
    auto const given = x.stride_values();
    index_t run = 1;
    for (int k = rank - 1; k >= 0; --k) {
      int const axis = k == rank - 1 ? number : k < number ? k : k + 1;
      from.set(k, x.extent_values()[k]), to.set(k, x.extent_values()[axis]);
      strides.values[k] = given.values[axis];
      lie_so = lie_so && given.values[k] == run;
      run *= from[k];
    }
    using rows = view<T const, extents, layout::row_major, true>;
    core::shared_buffer owner;
    if constexpr (X::shared) owner = x.owner();
    if (lie_so) return rows(x.data(), from, owner, x.execution());
    auto const moved =
        eval_dynamic(view<T const, extents, layout::strided, true>(x.data(), to, strides, owner, x.execution()));
    return rows(moved.data(), to, moved.owner(), moved.execution());
  }
}
// The operation runs along the last axis, behind which the one that is meant is moved; what it returns is a view, which
// has it at its place again. `Last` are the attributes for the last axis, `told` those for axis `a`. index_error: there
// is no such axis.
template <class Op, class Last, class Told, class X, class... Rest>
constexpr auto call_along_axis(Op, Last last, Told const& told, index_t a, X&& x, Rest&&... rest) {
  using E = extents_of<X>;
  constexpr int rank = E::rank;
  static_assert(rank > 0, "an axis of a tensor of order 0 does not exist");
  int const number = axis_named(Op::name, a, rank);
  using T = type_of<Op::type_of_result(dtype_of<value_type_of<X>>, dtype_of<value_type_of<Rest>>...)>;
  constexpr int placed = (rank_of<Rest> + ... + (sizeof...(Rest) == 0)), order = rank - 1 + placed;
  if constexpr ((is_symbol<std::remove_cvref_t<X>> || ... || is_symbol<std::remove_cvref_t<Rest>>)) {
    using Mode = typename mode_of<std::remove_cvref_t<X>, std::remove_cvref_t<Rest>...>::type;
    constexpr bool keeps_extents = sizeof...(Rest) == 0 && !requires { Op::lengthens_axis; };
    using result = std::conditional_t<keeps_extents, E, dynamic_extents<order>>;
    auto& g = graph_of(x, rest...);
    return symbol<T, result, Mode>{ir::recorded<Op>(told, lifted<Mode>(g, x, dtype_of<value_type_of<X>>),
                                                    lifted<Mode>(g, rest, dtype_of<value_type_of<Rest>>)...)};
  } else {
    static_assert(!E::is_static, "the axis of a tensor of static extents is a constant: rc::axis<0>");
    auto const y = eval_dynamic(
        make_node(Op{}, last, with_axis_last(held(static_cast<X&&>(x)), number), held(static_cast<Rest&&>(rest))...));
    expr::extent_storage<dynamic_extents<order>> extents;
    expr::stride_storage<order> strides;
    for (int k = 0; k < order; ++k) {
      int const from = k < number ? k : k < number + placed ? rank - 1 + k - number : k - placed;
      extents.set(k, y.extent_values()[from]);
      strides.values[k] = y.stride_values().values[from];
    }
    return view<T, dynamic_extents<order>, layout::strided, true>(const_cast<T*>(y.data()), extents, strides, y.owner(),
                                                                  y.execution());
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci
