// `rc::nan_to_num(x)`: numbers in the place of NaN and of infinities.
#pragma once

#include <ricci/core/data_types.hpp>
#include <ricci/ops/complex.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// Operands behind x: what stands for NaN, for inf, and for -inf. They broadcast to x's shape, else it is a compile
// error or a shape_error.
template <int Told>
struct nan_to_num_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "nan_to_num";
  static constexpr bool takes_complex = true, converts_to_first = true;
  template <class... T>
  static constexpr dtype type_of_result(dtype t, T...) {
    return t;
  }
  template <class Context, class... Shapes>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t s, Shapes const&... told) {
    ((s = shapes::broadcast(c, s, told)), ...);
    return s;
  }
  static constexpr double greatest(dtype t) {
    double y = 0;
    with_type(t, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (is_floating(dtype_of<T>)) y = scalar::convert<double>(finfo<T>().max);
    });
    return y;
  }
  template <class Mode, class... V>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x, V... told) {
    auto& g = *x.g;
    dtype const type = x.type();
    if (!is_inexact(type)) {
      shape_t s = x.shape();
      for (shape_t const& of_number : {s, told.shape()...}) {
        ir::graph_context<typename Mode::graph> c{g, ir::facts_of<nan_to_num_t>(), x.shape_id()};
        s = shapes::broadcast(c, s, of_number);
      }
      return ir::broadcast_to(x, ir::intern(g, s));
    }
    if (is_complex(type))
      return complex(record(no_attributes{}, real(x), told...), record(no_attributes{}, imag(x), told...));
    // what is not told stands behind what is
    auto const number = [&](double n) { return ir::literal<Mode>(g, n, type, 0); };
    double const largest = greatest(type);
    ir::value<Mode> const given[] = {ir::cast(told, type)..., number(0)};
    ir::value<Mode> const above = Told == 3 ? given[1 % (Told + 1)] : number(largest),
                          below = Told == 3 ? given[2 % (Told + 1)] : number(-largest);
    return where(isnan(x), given[0], where(isinf(x), where(x > 0., above, below), x));
  }
};
// x with 0 where it is NaN, and the ends of its type where it is infinite; or with other numbers, or tensors that
// broadcast. The type is that of x; of complex numbers both parts are meant; integers stay what they are.
template <class X>
requires operands<X>
constexpr auto nan_to_num(X&& x) { return call_operation<nan_to_num_t<0>>(no_attributes{}, static_cast<X&&>(x)); }
template <class X, class N>
requires operands<X, N>
constexpr auto nan_to_num(X&& x, N&& nan) {
  return call_operation<nan_to_num_t<1>>(no_attributes{}, static_cast<X&&>(x), static_cast<N&&>(nan));
}
template <class X, class N, class P, class M>
requires operands<X, N, P, M>
constexpr auto nan_to_num(X&& x, N&& nan, P&& posinf, M&& neginf) {
  return call_operation<nan_to_num_t<3>>(no_attributes{}, static_cast<X&&>(x), static_cast<N&&>(nan),
                                         static_cast<P&&>(posinf), static_cast<M&&>(neginf));
}

}  // namespace ricci
