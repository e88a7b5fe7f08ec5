// Softmax and its logarithm, along one axis or several: formulas of reductions, expanded where they are recorded.
#pragma once

#include <ricci/ops/composite.hpp>
#include <ricci/ops/core_call.hpp>

namespace ricci {

// The base of both, along the last axis where none is named: `Op` has a formula for the axes of a mask.
template <class Op>
struct softmax_of : refuses_axis_lists, takes_axis_number<Op> {
  using refuses_axis_lists::operator();
  using takes_axis_number<Op>::operator();
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return floating_type_for(t); }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return (*this)(static_cast<X&&>(x), axis<-1>);
  }
  template <class X, index_t... A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...>) const {
    return call_operation<Op>(over_axes<true, A...>{}, static_cast<X&&>(x));
  }
  template <class X, class... Names>
  requires has_axis_names<X>
  constexpr auto operator()(X const& x, axis_names<Names...> names) const { return along_axis_by_name(Op{}, x, names); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    if (a.mask(x.rank) < 0) c.fail();
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    dtype const type = type_of_result(x.type());
    return ir::cast(Op::formula(ir::cast(x, arithmetic_type(type)), a.mask(x.rank())), type);
  }
};

// exp(x) over its sum along the axes, without overflow; the shape stays.
struct softmax_t : softmax_of<softmax_t> {
  using softmax_of::operator();
  static constexpr auto name = "softmax";
  RICCI_WRONG_CALL_OF_OBJECT(
      "softmax takes a tensor, and the axis, the last one where none is named: rc::softmax(x), rc::softmax(x, "
      "rc::axis<0>)")
  template <class V>
  static constexpr V formula(V x, int mask) {
    V const e = exp(x - ir::shift_of(x, mask));
    return e * (1. / ir::reduced<sum_t>(e, mask, true));  // a division for each row, not for each element
  }
};
// Its logarithm, x less the logarithm of the sum of exp(x) along the axes; the shape stays.
struct log_softmax_t : softmax_of<log_softmax_t> {
  using softmax_of::operator();
  static constexpr auto name = "log_softmax";
  RICCI_WRONG_CALL_OF_OBJECT(
      "log_softmax takes a tensor, and the axis, the last one where none is named: rc::log_softmax(x), "
      "rc::log_softmax(x, rc::axis<0>)")
  template <class V>
  static constexpr V formula(V x, int mask) {
    V const shifted = x - ir::shift_of(x, mask);
    return shifted - log(ir::reduced<sum_t>(V(exp(shifted)), mask, true));
  }
};
inline constexpr softmax_t softmax{};
inline constexpr log_softmax_t log_softmax{};

}  // namespace ricci
