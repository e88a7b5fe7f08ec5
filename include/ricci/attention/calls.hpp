// The two calls behind attention, neither of which keeps the scores:
//
//   forward   q (m, d), k (n, d), v (n, e) -> y (m, e) = softmax(q k^T + bias) v, and lse (m): log sum exp of each row
//   backward  these, lse, delta and dy -> the cotangents of q, k and v, with scores computed anew from lse
//
// A bias of minus infinity hides a place, whatever its key is, and a place whose probability is 0 adds nothing,
// whatever its value is: numbers of padding need not be finite. A row of which all places are hidden is 0, with lse
// infinite, so that exp(s - lse) is 0 there, too. Causal: row i sees places 0 to i. What derivatives of higher order
// need is in formulas.hpp. [Rabe, Staats, Self-attention does not need O(n^2) memory, 2021; Dao et al., FlashAttention,
// 2022]
#pragma once

#include <ricci/attention/formulas.hpp>
#include <ricci/ops/core_call.hpp>

namespace ricci::attentions {

// An operand that may not be there, of a run or of a formula.
struct no_bias {
  RICCI_HD constexpr int operator()(index_t, index_t) const { return 0; }
};
template <bool Causal>
RICCI_HD constexpr index_t places_seen(index_t row, index_t places) {
  return Causal && row + 1 < places ? row + 1 : places;
}
template <class T>
RICCI_FN score(auto const& q, auto const& k, auto const& bias, index_t width, index_t i, index_t j) {
  T s = 0;
  for (index_t c = 0; c < width; ++c) s += q(i, c) * k(j, c);
  T const b = T(bias(i, j));
  return b == -std::numeric_limits<T>::infinity() ? b : s + b;
}

template <bool Causal, bool Biased>
struct backward_t;

template <bool Causal, bool Biased>
struct forward_t : core_call<forward_t<Causal, Biased>> {
  static constexpr auto name = "attention";
  static constexpr core_signature core{Biased ? "(m,d),(n,d),(n,e),(m,n)->(m,e),(m)" : "(m,d),(n,d),(n,e)->(m,e),(m)"};
  static constexpr dtype operand_type(dtype t) { return is_floating(t) ? t : dtype::float64; }
  static constexpr index_t operations(index_t const* n) { return 2 * n[0] * n[2] * (n[1] + n[3]) / (Causal ? 2 : 1); }

  RICCI_FN run(auto const& c, auto const& q, auto const& k, auto const& v, auto const&... rest) {
    if constexpr (Biased)
      rows(c.extents, q, k, v, rest...);
    else
      rows(c.extents, q, k, v, no_bias{}, rest...);
  }
  RICCI_FN rows(index_t const* n, auto const& q, auto const& k, auto const& v, auto const& bias, auto const& y,
                auto const& lse) {
    using T = std::remove_cvref_t<decltype(*y.p)>;
    constexpr T infinity = std::numeric_limits<T>::infinity();
    for (index_t i = 0; i < n[0]; ++i) {
      index_t const places = places_seen<Causal>(i, n[2]);
      T largest = -infinity, total = 0;
      for (index_t j = 0; j < places; ++j) {
        T const s = score<T>(q, k, bias, n[1], i, j);
        if (!(s <= largest) && largest == largest) largest = s;  // a NaN stays
      }
      for (index_t c = 0; c < n[3]; ++c) y(i, c) = 0;
      if (largest == -infinity) {
        lse(i) = infinity;
        continue;
      }
      for (index_t j = 0; j < places; ++j) {
        T const p = exp_t::kernel(score<T>(q, k, bias, n[1], i, j) - largest);
        total += p;
        if (p == 0) continue;
        for (index_t c = 0; c < n[3]; ++c) y(i, c) += p * v(j, c);
      }
      for (index_t c = 0; c < n[3]; ++c) y(i, c) /= total;
      lse(i) = largest + log_t::kernel(total);
    }
  }

  template <class V>
  static constexpr V bias_of(ir::application<V> const& at) {
    if constexpr (Biased)
      return at.operand(3);
    else
      return V{};
  }
  // p' = p * (s' - sum of p * s'), of which the sum is that of lse
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* dy) {
    V const q = at.operand(0), k = at.operand(1), v = at.operand(2);
    V const p = probabilities<Causal>(q, k, bias_of(at), at.result(1));
    V const ds = scores_tangent(q, k, t[0], t[1], Biased ? t[3] : V{});
    if (t[2]) dy[0] = matmul_t::product(p, t[2]);
    if (!ds) return;
    V const mean = row_sums(V(p * ds)), hidden_stay = p * (ds - mean);
    dy[0] = ir::sum_of(dy[0], matmul_t::product(hidden_stay, v));
    dy[1] = as_row(mean);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    V const v = at.operand(2), lse = at.result(1);
    V const dy = ct[0] ? ct[0] : ir::zeros_like(at.result(0));
    V delta = as_row(row_sums(V(dy * at.result(0))));
    if (ct[1]) delta = delta - ct[1];  // d lse / d s = p
    V x[7] = {at.operand(0), at.operand(1), v};
    int n = 3;
    if constexpr (Biased) x[n++] = at.operand(3);
    x[n] = lse, x[n + 1] = delta, x[n + 2] = dy;
    V const grads = backward_t<Causal, Biased>::over(at.y.type(), x);
    for (int i = 0; i < 3; ++i) out[i] = V{grads.g, grads.id + i};
    if constexpr (Biased) {
      V const p = probabilities<Causal>(x[0], x[1], x[3], lse);
      out[3] = p * (by_transposed(dy, v) - as_column(delta));
    }
  }
};

template <bool Causal, bool Biased>
struct backward_t : core_call<backward_t<Causal, Biased>> {
  static constexpr auto name = "attention_gradients";
  static constexpr core_signature core{Biased ? "(m,d),(n,d),(n,e),(m,n),(m),(m),(m,e)->(m,d),(n,d),(n,e)"
                                              : "(m,d),(n,d),(n,e),(m),(m),(m,e)->(m,d),(n,d),(n,e)"};
  static constexpr dtype operand_type(dtype t) { return is_floating(t) ? t : dtype::float64; }
  static constexpr index_t operations(index_t const* n) {
    return 2 * n[0] * n[2] * (3 * n[1] + 2 * n[3]) / (Causal ? 2 : 1);
  }

  RICCI_FN run(auto const& c, auto const& q, auto const& k, auto const& v, auto const&... rest) {
    if constexpr (Biased)
      pairs(c.extents, q, k, v, rest...);
    else
      pairs(c.extents, q, k, v, no_bias{}, rest...);
  }
  // with `auto` for ten types nvcc 13 ends in an internal error
  template <class Q, class K, class V, class Bias, class Lse, class Delta, class Dy, class Dq, class Dk, class Dv>
  RICCI_FN pairs(index_t const* n, Q const& q, K const& k, V const& v, Bias const& bias, Lse const& lse,
                 Delta const& delta, Dy const& dy, Dq const& dq, Dk const& dk, Dv const& dv) {
    using T = std::remove_cvref_t<decltype(*dq.p)>;
    for (index_t i = 0; i < n[0]; ++i)
      for (index_t c = 0; c < n[1]; ++c) dq(i, c) = 0;
    for (index_t j = 0; j < n[2]; ++j) {
      for (index_t c = 0; c < n[1]; ++c) dk(j, c) = 0;
      for (index_t c = 0; c < n[3]; ++c) dv(j, c) = 0;
    }
    for (index_t i = 0; i < n[0]; ++i)
      for (index_t j = 0; j < places_seen<Causal>(i, n[2]); ++j) {
        T const s = score<T>(q, k, bias, n[1], i, j), p = exp_t::kernel(s - lse(i));
        if (p == 0 || s == -std::numeric_limits<T>::infinity()) continue;  // hidden, also where the row's sum is NaN
        T dp = 0;
        for (index_t c = 0; c < n[3]; ++c) dp += dy(i, c) * v(j, c), dv(j, c) += p * dy(i, c);
        T const ds = p * (dp - delta(i));
        for (index_t c = 0; c < n[1]; ++c) dq(i, c) += ds * k(j, c), dk(j, c) += ds * q(i, c);
      }
  }

  // What its own derivatives are made of. It is a function of q, k, v, bias, delta and dy: lse, which is one of q, k
  // and bias, moves with these.
  template <class V>
  struct parts {
    static constexpr int first = Biased ? 4 : 3;  // lse
    V q, k, v, dy, delta, p, dp, ds;
    constexpr parts(ir::application<V> const& at)
        : q(at.operand(0)),
          k(at.operand(1)),
          v(at.operand(2)),
          dy(at.operand(first + 2)),
          delta(as_column(at.operand(first + 1))),
          p(probabilities<Causal>(q, k, Biased ? at.operand(3) : V{}, at.operand(first))),
          dp(by_transposed(dy, v) - delta),
          ds(p * dp) {}
  };
  template <class V>
  static constexpr void jvp(ir::application<V> const& at, V const* t, V* out) {
    parts<V> const x(at);
    V const tdelta = t[x.first + 1], tdy = t[x.first + 2];
    V const ts = scores_tangent(x.q, x.k, t[0], t[1], Biased ? t[3] : V{});
    V const tp = ts ? through_softmax(x.p, ts) : V{};
    V tdp = moved(tdy, x.v, x.dy, t[2], [](V a, V b) { return by_transposed(a, b); });
    if (tdelta) tdp = ir::sum_of(tdp, ir::broadcast_to(V(-as_column(tdelta)), x.p.shape_id()));
    V const tds = moved(tp, x.dp, x.p, tdp, [](V a, V b) { return V(a * b); });
    auto const after = [](V a, V b) { return transposed_by(a, b); };
    out[0] = moved(tds, x.k, x.ds, t[1], [](V a, V b) { return matmul_t::product(a, b); });
    out[1] = moved(tds, x.q, x.ds, t[0], after);
    out[2] = moved(tp, x.dy, x.p, tdy, after);
  }
  // of cotangents a, b and c of dq, dk and dv: that of ds is a k^T + q b^T, that of p by dv is dy c^T
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V const* ct, V* out) {
    parts<V> const x(at);
    auto const by = [](V a, V b) { return matmul_t::product(a, b); };
    V const of_ds = ir::sum_of(ct[0] ? by_transposed(ct[0], x.k) : V{}, ct[1] ? by_transposed(x.q, ct[1]) : V{});
    V of_p = ct[2] ? by_transposed(x.dy, ct[2]) : V{};
    V of_dy{};
    if (ct[2]) of_dy = by(x.p, ct[2]);
    if (of_ds) {
      V const of_dp = of_ds * x.p;
      of_p = ir::sum_of(of_p, V(of_ds * x.dp));
      of_dy = ir::sum_of(of_dy, by(of_dp, x.v));
      out[2] = transposed_by(of_dp, x.dy);
      out[x.first + 1] = -as_row(row_sums(of_dp));
    }
    out[x.first + 2] = of_dy;
    V const of_s = through_softmax(x.p, of_p);
    out[0] = ir::sum_of(by(of_s, x.k), ct[1] ? by(x.ds, ct[1]) : V{});
    out[1] = ir::sum_of(transposed_by(of_s, x.q), ct[0] ? transposed_by(x.ds, ct[0]) : V{});
    if constexpr (Biased) out[3] = of_s;
  }
};

}  // namespace ricci::attentions
