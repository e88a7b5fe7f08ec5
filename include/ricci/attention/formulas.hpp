// Attention as it is written on paper, of all scores at once: what its derivatives beyond the first gradient are made
// of. With scores s = q k^T + bias, probabilities p = softmax(s), the cotangent dy of p v and delta, the row sums of dy
// * y:
//
//   dp = dy v^T,  ds = p * (dp - delta),  dq = ds k,  dk = ds^T q,  dv = p^T dy
//
// [Dao, Fu, Ermon, Rudra, Re, FlashAttention, 2022, appendix B.2]
#pragma once

#include <limits>

#include <ricci/ops/index.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/select.hpp>

namespace ricci::attentions {

template <class V>
constexpr V by_transposed(V a, V b) {
  return matmul_t::product(a, ir::transposed(b));
}
template <class V>
constexpr V transposed_by(V a, V b) {
  return matmul_t::product(ir::transposed(a), b);
}
// sums of rows, as columns
template <class V>
constexpr V row_sums(V x) {
  return sum_t::record(reduction_axes{1, {-1}, true}, x);
}
template <class V>
constexpr V as_column(V x) {
  return ir::expand(x, x.rank());
}
// of (..., m, 1): (..., m)
template <class V>
constexpr V as_row(V x) {
  shape_t s = x.shape();
  --s.rank;
  return ir::reshape(x, ir::intern(*x.g, s));
}
// the product of two operands moved one after the other: a' b + a b', of which tangents may be missing
template <class V, class F>
constexpr V moved(V da, V b, V a, V db, F const& product) {
  return ir::sum_of(da ? product(da, b) : V{}, db ? product(a, db) : V{});
}

// exp(s - lse): the probabilities from the logarithms of the sums of their rows' exponentials
template <bool Causal, class V>
constexpr V probabilities(V q, V k, V bias, V lse) {
  V s = by_transposed(q, k);
  if (bias) s = where(bias == -std::numeric_limits<double>::infinity(), bias, s + bias);
  if constexpr (Causal) {
    using mode = typename V::mode;
    V const row = ir::positions<mode>(*q.g, s.shape().extent[s.rank() - 2]),
            column = ir::positions<mode>(*q.g, s.shape().extent[s.rank() - 1]);
    V const hidden =
        ir::broadcast_to(ir::literal<mode>(*q.g, -std::numeric_limits<double>::infinity(), s.type(), 0), s.shape_id());
    s = where(ir::broadcast_to(V(ir::expand(column, 0) <= ir::expand(row, 1)), s.shape_id()), s, hidden);
  }
  V const p = exp_t::record(no_attributes{}, V(s - as_column(lse)));
  return where(s == -std::numeric_limits<double>::infinity(), 0., p);  // also where the row's sum is NaN
}
// the tangent of p, or what its cotangent is to s: p * (x - sum of p * x)
template <class V>
constexpr V through_softmax(V p, V x) {
  return p * (x - row_sums(V(p * x)));
}
// the tangent of the scores
template <class V>
constexpr V scores_tangent(V q, V k, V dq, V dk, V dbias) {
  return ir::sum_of(moved(dq, k, q, dk, [](V a, V b) { return by_transposed(a, b); }), dbias);
}

}  // namespace ricci::attentions
