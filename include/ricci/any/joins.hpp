// `rc::concat(list, axis)`, `rc::stack(list, axis)`, `rc::hstack(list)` and `rc::vstack(list)` of a list of tensors
// that is made at run time: a std::vector.
#pragma once

#include <ricci/any/call.hpp>
#include <ricci/core/where_used.hpp>
#include <ricci/ops/join.hpp>

namespace ricci {

namespace at_run_time {
inline namespace RICCI_ABI {

// As many are one instruction; of more, the joined parts are joined.
template <class Use>
value concat_all(std::vector<core::where_used<value, Use>> x, index_t axis) {
  while (x.size() > 1) {
    std::vector<core::where_used<value, Use>> joined;
    for (std::size_t k = 0; k < x.size(); k += ir::max_operands) {
      int const n = int(x.size() - k < ir::max_operands ? x.size() - k : ir::max_operands);
      shape_t s = x[k].shape();
      for (int i = 1; i < n; ++i) s.extent[axis] += x[k + std::size_t(i)].shape().extent[axis];
      joined.push_back(concat_t::joined(&x[k], n, axis, ir::intern(*x[k].g, s)));
    }
    x = static_cast<std::vector<core::where_used<value, Use>>&&>(joined);
  }
  return x[0];
}

}  // namespace RICCI_ABI
}  // namespace at_run_time

inline namespace RICCI_ABI {

// value_error: the list is empty; index_error: there is no such axis; shape_error: the shapes do not go together.
template <class Op, class List>
requires list_of_any<List> any_tensor call_with_list(Op, List const& list, index_t axis) {
  constexpr bool stacks = Op::kind == ir::op_kind::alias;  // recorded as a concat of what has a new axis
  std::size_t const n = std::size_t(list.size());
  if (n == 0) core::raise<value_error>(core::text() << Op::name << ": an empty list of tensors");
  dtype type = at_run_time::as_any(list.data()[0]).dtype();
  shape_t const first = list.data()[0].shape();
  axis = axis_named(Op::name, axis, first.rank + stacks);
  for (std::size_t k = 1; k < n; ++k) {
    any_tensor const& x = at_run_time::as_any(list.data()[k]);
    type = promote(type, x.dtype());
    shape_t const pair[] = {first, x.shape()};
    shapes::type_context c;
    (void)Op::shape_of(c, axis, pair[0], pair[1]);
    if (c.failed) shapes::raise_misfit(Op::name, pair, 2);
  }
  at_run_time::call_recorder t;
  std::vector<core::where_used<at_run_time::value, List>> operands;
  for (std::size_t k = 0; k < n; ++k) {
    at_run_time::value const x = ir::cast(t.operand(list.data()[k]), type);
    operands.push_back(stacks ? ir::expand(x, int(axis)) : x);
  }
  return t.result(at_run_time::concat_all<List>(static_cast<decltype(operands)&&>(operands), axis));
}
template <class Op, class List, index_t A>
requires list_of_any<List> any_tensor call_with_list(Op op, List const& list, axes_t<A>) {
  return call_with_list(op, list, A);
}

// hstack and vstack of such tensors, as operands or in a list; errors are those of concat.
template <class List>
requires list_of_any<List> any_tensor hstack(List const& list) {
  std::vector<any_tensor> parts;
  for (auto const& x : list) parts.push_back(x.order() > 0 ? any_tensor(x) : any_tensor(reshape(x, shape(1))));
  return call_with_list(concat_t{}, parts, parts.empty() || parts[0].order() < 2 ? 0 : 1);
}
template <class List>
requires list_of_any<List> any_tensor vstack(List const& list) {
  std::vector<any_tensor> parts;
  for (auto const& x : list) parts.push_back(x.order() > 1 ? any_tensor(x) : any_tensor(reshape(x, shape(1, -1))));
  return call_with_list(concat_t{}, parts, 0);
}
template <class... X>
requires any_operands<X...> any_tensor hstack(X const&... x) { return hstack(std::vector{any_tensor(x)...}); }
template <class... X>
requires any_operands<X...> any_tensor vstack(X const&... x) { return vstack(std::vector{any_tensor(x)...}); }

}  // namespace RICCI_ABI
}  // namespace ricci
