// Activations beyond those of the core (`relu sigmoid tanh softplus silu gelu gelu_erf softmax log_softmax`), element
// by element, and gated units, which halve an axis. Numbers that are left out have the values of PyTorch.
#pragma once

#include <ricci/ops/composite_functions.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/softmax.hpp>
#include <ricci/ops/statistics.hpp>

namespace ricci::nn {

// A formula of x and perhaps one number, which broadcasts.
template <class Derived>
struct activation {
  static constexpr bool takes_complex = false;
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return floating_type_for(promote_all(t...));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x));
  }
  template <class X, class N>
  requires operands<X, N> RICCI_INLINE constexpr auto operator()(X&& x, N&& n) const {
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x), static_cast<N&&>(n));
  }
  template <class Context, class... N>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, N const&... n) {
    shape_t s = x;
    ((s = shapes::broadcast(c, s, n)), ...);
    return s;
  }
  template <class Mode, class... N>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x, N... n) {
    dtype const type = type_of_result(x.type(), n.type()...), computed = arithmetic_type(type);
    return ir::cast(Derived::formula(ir::cast(x, computed), ir::cast(n, computed)...), type);
  }
};

// x where it is positive, else alpha (exp(x) - 1) (D.-A. Clevert et al., 2015); alpha is 1 where it is left out.
struct elu_t : activation<elu_t> {
  static constexpr auto name = "elu";
  template <class V>
  static constexpr V formula(V x) {
    return formula(x, 1.);
  }
  template <class V, class N>
  static constexpr V formula(V x, N alpha) {
    return where(x > 0., x, alpha * expm1(where(x > 0., 0., x)));
  }
};
// x where it is positive, else alpha (exp(x / alpha) - 1), whose slope is continuous (J. T. Barron, 2017).
struct celu_t : activation<celu_t> {
  static constexpr auto name = "celu";
  template <class V>
  static constexpr V formula(V x) {
    return elu_t::formula(x, 1.);
  }
  template <class V>
  static constexpr V formula(V x, V alpha) {
    return where(x > 0., x, alpha * expm1(where(x > 0., 0., x) / alpha));
  }
};
// An elu with the two numbers that keep mean 0 and variance 1 (G. Klambauer et al., Self-normalizing neural networks,
// 2017).
struct selu_t : activation<selu_t> {
  static constexpr auto name = "selu";
  template <class V>
  static constexpr V formula(V x) {
    return 1.0507009873554805 * elu_t::formula(x, 1.6732632423543772);
  }
};
// x where it is positive, else slope x. With a parameter for the slope, (k) beside (..., k), this is PReLU.
struct leaky_relu_t : activation<leaky_relu_t> {
  static constexpr auto name = "leaky_relu";
  template <class V>
  static constexpr V formula(V x) {
    return formula(x, 0.01);
  }
  template <class V, class N>
  static constexpr V formula(V x, N slope) {
    return where(x > 0., x, slope * x);
  }
};
// x tanh(softplus(x)) (D. Misra, 2019)
struct mish_t : activation<mish_t> {
  static constexpr auto name = "mish";
  template <class V>
  static constexpr V formula(V x) {
    return x * tanh(softplus(x));
  }
};
// x within two numbers, with derivative 0 at the ends, too, as PyTorch has it; NaN stays.
template <class V>
constexpr V within(V x, double least, double most) {
  return where(x <= least, least, where(x >= most, most, x));
}
// Lines in place of sigmoid, silu and tanh: x / 6 + 1 / 2 within 0 and 1, x times that, and x within -1 and 1.
struct hard_sigmoid_t : activation<hard_sigmoid_t> {
  static constexpr auto name = "hard_sigmoid";
  template <class V>
  static constexpr V formula(V x) {
    return within<V>(x / 6. + 0.5, 0., 1.);
  }
};
struct hard_swish_t : activation<hard_swish_t> {
  static constexpr auto name = "hard_swish";
  template <class V>
  static constexpr V formula(V x) {
    return x * within<V>(x / 6. + 0.5, 0., 1.);
  }
};
struct hard_tanh_t : activation<hard_tanh_t> {
  static constexpr auto name = "hard_tanh";
  template <class V>
  static constexpr V formula(V x) {
    return within(x, -1., 1.);
  }
};
// x within 0 and 6
struct relu6_t : activation<relu6_t> {
  static constexpr auto name = "relu6";
  template <class V>
  static constexpr V formula(V x) {
    return within(x, 0., 6.);
  }
};
// x / (1 + |x|)
struct softsign_t : activation<softsign_t> {
  static constexpr auto name = "softsign";
  template <class V>
  static constexpr V formula(V x) {
    return x / (1. + abs(x));
  }
};

// Gated linear units (Y. Dauphin et al., 2016; N. Shazeer, GLU variants improve transformer, 2020): the first half
// along the last axis, times an activation of the second one: (..., 2 n) -> (..., n). glu has the sigmoid, swiglu silu,
// geglu gelu. An odd length is an error.
template <class Derived>
struct gated : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype t) { return floating_type_for(t); }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<Derived>(no_attributes{}, static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t s) {
    if (s.rank == 0) return c.fail(), s;
    index_t& n = s.extent[s.rank - 1];
    n = c.divide_exactly(n, 2);
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<Derived>(), x.shape_id()};
    shape_t const s = shape_of(c, no_attributes{}, x.shape());
    dtype const type = type_of_result(x.type());
    ir::value<Mode> const v = ir::cast(x, arithmetic_type(type));
    int const last = x.rank() - 1;
    index_t const half = s.extent[last];
    ir::value<Mode> const a = ir::stretch(v, last, 0, half), b = ir::stretch(v, last, half, half);
    return ir::cast(ir::value<Mode>(a * Derived::gate(b)), type);
  }
};
struct glu_t : gated<glu_t> {
  static constexpr auto name = "glu";
  template <class V>
  static constexpr V gate(V b) {
    return sigmoid(b);
  }
};
struct swiglu_t : gated<swiglu_t> {
  static constexpr auto name = "swiglu";
  template <class V>
  static constexpr V gate(V b) {
    return silu_t::formula(b);
  }
};
struct geglu_t : gated<geglu_t> {
  static constexpr auto name = "geglu";
  template <class V>
  static constexpr V gate(V b) {
    return gelu_t::formula(b);
  }
};

inline constexpr elu_t elu{};
inline constexpr celu_t celu{};
inline constexpr selu_t selu{};
inline constexpr leaky_relu_t leaky_relu{};
inline constexpr leaky_relu_t prelu{};  // by the name that it has where the slope is a parameter
inline constexpr mish_t mish{};
inline constexpr hard_sigmoid_t hard_sigmoid{};
inline constexpr hard_swish_t hard_swish{};
inline constexpr hard_tanh_t hard_tanh{};
inline constexpr relu6_t relu6{};
inline constexpr softsign_t softsign{};
using ricci::log_softmax;
inline constexpr glu_t glu{};
inline constexpr swiglu_t swiglu{};
inline constexpr geglu_t geglu{};

}  // namespace ricci::nn
