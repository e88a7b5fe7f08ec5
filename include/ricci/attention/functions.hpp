// `rc::attention`: softmax(scale q k^T + bias) v, without keeping the scores; the calls are in calls.hpp.
//
//   attention(q, k, v)         (..., m, d), (..., n, d), (..., n, e) -> (..., m, e)
//   attention(q, k, v, mask)   a mask of booleans, true is seen, or a bias that is added to the scores, which
//                              broadcasts to (..., m, n)
//
// What stands before the last two axes is broadcast: batches, heads, groups of heads that share their places.
// [Vaswani et al., Attention is all you need, 2017, section 3.2.1]
#pragma once

#include <ricci/attention/calls.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// scale: what products of queries and keys are multiplied by, 0 for 1 / sqrt(d). causal: query i sees the places 0 to i
// alone, as JAX and PyTorch have it where m and n differ.
struct attention_options {
  double scale = 0;
  bool causal = false;
};

namespace attentions {

template <attention_options O, bool Biased>
struct attention_of : ir::operation_of_kind<ir::op_kind::contract, 255> {
  static constexpr auto name = "attention";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(dtype q, dtype k, dtype v, dtype = dtype::none) {
    dtype const t = promote(promote(q, k), v);
    return is_floating(t) ? t : dtype::float64;
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t q, shape_t k, shape_t v,
                                    shape_t const& bias = {}) {
    if (q.rank < 2 || k.rank < 2 || v.rank < 2) return c.fail(), shape_t{};
    index_t const m = q.extent[q.rank - 2], n = c.same(k.extent[k.rank - 2], v.extent[v.rank - 2]);
    index_t const e = v.extent[v.rank - 1];
    c.same(q.extent[q.rank - 1], k.extent[k.rank - 1]);
    q.rank -= 2, k.rank -= 2, v.rank -= 2;
    shape_t s = shapes::broadcast(c, shapes::broadcast(c, q, k), v);
    s.push(m), s.push(n);
    if constexpr (Biased) {
      s = shapes::broadcast(c, s, bias);
      c.same(s.extent[s.rank - 2], m), c.same(s.extent[s.rank - 1], n);
    }
    s.extent[s.rank - 2] = m, s.extent[s.rank - 1] = e;
    return s;
  }
  template <class V, class... B>
  static constexpr V record(no_attributes, V q, V k, V v, B... bias) {
    using mode = typename V::mode;
    auto& g = *q.g;
    dtype const type = type_of_result(q.type(), k.type(), v.type()), computed = arithmetic_type(type);
    // errors tell two shapes: of queries and places, of places and values, of queries and a bias
    using context = ir::graph_context<typename V::graph_type>;
    V const last[] = {k, bias...};
    context widths{g, ir::facts_of<attention_of>(), q.shape_id(), k.shape_id()};
    context places{g, ir::facts_of<attention_of>(), k.shape_id(), v.shape_id()};
    context c{g, ir::facts_of<attention_of>(), q.shape_id(), last[sizeof...(B)].shape_id()};
    if (q.rank() > 1 && k.rank() > 1 && v.rank() > 1) {
      widths.same(q.shape().extent[q.rank() - 1], k.shape().extent[k.rank() - 1]);
      places.same(k.shape().extent[k.rank() - 2], v.shape().extent[v.rank() - 2]);
    }
    (void)shape_of(c, no_attributes{}, q.shape(), k.shape(), v.shape(), bias.shape()...);
    V x[4] = {ir::cast(q, computed), ir::cast(k, computed), ir::cast(v, computed)};
    V const width = ir::number<mode>(g, q.shape().extent[q.rank() - 1], computed);
    if constexpr (O.scale == 0)
      x[0] = x[0] * (1. / sqrt(width));
    else
      x[0] = x[0] * O.scale;
    (..., (x[3] = bias_of(bias, computed, q.shape().extent[q.rank() - 2], k.shape().extent[k.rank() - 2])));
    return ir::cast(forward_t<O.causal, Biased>::over(computed, x), type);
  }
  // numbers to be added, (..., m, n)
  template <class V>
  static constexpr V bias_of(V bias, dtype type, index_t m, index_t n) {
    if (bias.type() == dtype::boolean) {
      V const hidden = ir::literal<typename V::mode>(*bias.g, -std::numeric_limits<double>::infinity(), type, 0);
      bias = where(bias, ir::zeros_like(hidden), hidden);
    }
    shape_t const from = bias.shape();
    shape_t to{};
    for (int k = 0; k < from.rank - 2; ++k) to.push(from.extent[k]);
    to.push(m), to.push(n);
    return ir::broadcast_to(ir::cast(bias, type), ir::intern(*bias.g, to));
  }
};

template <class B>
inline constexpr bool is_bias = level_of<B> != operand_level::number &&
                                (own_type<B>() == dtype::boolean || is_floating(own_type<B>()));

}  // namespace attentions

// Lazy, as other operations are. A query that sees no place gets zeros, and its derivatives are zeros, too. Extents
// that do not fit are a compile error, at run time a shape_error. Of half precision scores and sums are floats.
template <attention_options O = attention_options{}, class Q, class K, class V>
requires operands<Q, K, V> RICCI_INLINE constexpr auto attention(Q&& q, K&& k, V&& v) {
  return call_operation<attentions::attention_of<O, false>>(no_attributes{}, static_cast<Q&&>(q), static_cast<K&&>(k),
                                                            static_cast<V&&>(v));
}
template <attention_options O = attention_options{}, class Q, class K, class V, class B>
requires operands<Q, K, V, B> RICCI_INLINE constexpr auto attention(Q&& q, K&& k, V&& v, B&& mask_or_bias) {
  static_assert(attentions::is_bias<B>,
                "attention: a mask of booleans, true where a place is seen, or a bias of floating point; a scale and "
                "causal are in the type, rc::attention<rc::attention_options{.causal = true}>(q, k, v)");
  return call_operation<attentions::attention_of<O, true>>(no_attributes{}, static_cast<Q&&>(q), static_cast<K&&>(k),
                                                           static_cast<V&&>(v), static_cast<B&&>(mask_or_bias));
}
RICCI_WRONG_CALL_BY_VALUES(
    attention,
    "attention takes queries, keys and values, all tensors, then a mask or bias; a scale and causal "
    "are in the type: rc::attention<rc::attention_options{.causal = true}>(q, k, v)")

}  // namespace ricci
