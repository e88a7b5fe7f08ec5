// Rules that keep a formula from overflowing or cancelling. They are tried before a function is derived, so that
// derivatives come from the stable form. Those of functions are of real numbers: of complex ones log(exp(x)) is not x,
// and there is no greatest one.
#pragma once

#include <ricci/ops/complex.hpp>
#include <ricci/ops/softmax.hpp>
#include <ricci/transform/rules/exact.hpp>

namespace ricci::transform {

// x + 0 = x: changes at most the sign of a zero
struct add_zero {
  using root = add_t;
  static constexpr level from = level::stable;
  template <class V>
  static constexpr V apply(V y) {
    if (is_number(y.operand(1), 0)) return y.operand(0);
    return is_number(y.operand(0), 0) ? y.operand(1) : V{};
  }
};
// log(sum(exp(x))) = max + log(sum(exp(x - max)))
struct log_of_sum_of_exp {
  using root = log_t;
  static constexpr level from = level::stable;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    V const s = is<reshape_t>(y.operand(0)) ? y.operand(0).operand(0) : y.operand(0);
    if (!is<sum_t>(s) || !is<exp_t>(s.operand(0)) || y.g->attr(s.id, 1) != 0) return V{};
    V const x = s.operand(0).operand(0);
    if (is_shifted(x)) return V{};
    return ir::reshape(logsumexp_t::formula(x, int(y.g->attr(s.id, 0)), false), y.shape_id());
  }
  // x - max(x): already out of danger
  template <class V>
  static constexpr bool is_shifted(V x) {
    if (!is<subtract_t>(x)) return false;
    V m = behind_views(x.operand(1));
    if (is<where_t>(m)) m = behind_views(m.operand(1));
    if (is<stop_gradient_t>(m)) m = behind_views(m.operand(0));
    return is<max_t>(m);
  }
};
// exp(x) / sum(exp(x)) = softmax(x)
struct exp_over_sum_of_exp {
  using root = divide_t;
  static constexpr level from = level::stable;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    V const e = y.operand(0), s = behind_views(y.operand(1));
    if (!is<exp_t>(e) || !is<sum_t>(s) || s.operand(0).id != e.id || y.g->attr(s.id, 1) != 0) return V{};
    V const x = e.operand(0);
    int const mask = int(y.g->attr(s.id, 0));
    // the sums stand where the axes were
    V const expected = ir::unreduced(s, mask, e.shape_id());
    if (expected.id != y.operand(1).id && !repeats_alike(y.operand(1), expected)) return V{};
    return log_of_sum_of_exp::is_shifted(x) ? V{} : softmax_t::formula(x, mask);
  }
  // whether two ways of broadcasting one value repeat its elements alike: all axes of extent 1 may be dropped
  template <class V>
  static constexpr bool repeats_alike(V a, V b) {
    if (!is<broadcast_to_t>(a) || !is<broadcast_to_t>(b)) return false;
    shape_t const s = a.operand(0).shape(), t = b.operand(0).shape();
    for (int i = s.rank - 1, k = t.rank - 1; i >= 0 || k >= 0; --i, --k) {
      index_t const m = i < 0 ? 1 : s.extent[i], n = k < 0 ? 1 : t.extent[k];
      if (m != n) return false;
    }
    return true;
  }
};
// log(1 + exp(x)) = softplus(x); other log(1 + x) = log1p(x)
struct log_of_one_plus {
  using root = log_t;
  static constexpr level from = level::stable;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    V const s = y.operand(0);
    if (!is<add_t>(s)) return V{};
    V const x = is_number(s.operand(0), 1) ? s.operand(1) : is_number(s.operand(1), 1) ? s.operand(0) : V{};
    if (!x || is_literal(x)) return V{};
    return is<exp_t>(x) ? V(softplus_t{}(x.operand(0))) : V(log1p(x));
  }
};
// log1p(exp(x)) is the same function; what was made stable by hand stays
struct log1p_of_exp {
  using root = log1p_t;
  static constexpr level from = level::stable;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    V const e = y.operand(0);
    if (!is<exp_t>(e) || (is<negative_t>(e.operand(0)) && is<abs_t>(e.operand(0).operand(0)))) return V{};
    return softplus_t{}(e.operand(0));
  }
};
// exp(x) - 1 = expm1(x)
struct exp_minus_one {
  using root = subtract_t;
  static constexpr level from = level::stable;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    return is_number(y.operand(1), 1) && is<exp_t>(y.operand(0)) ? V(expm1(y.operand(0).operand(0))) : V{};
  }
};
// log(exp(x)) = x
struct log_of_exp {
  using root = log_t;
  static constexpr level from = level::stable;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    return is<exp_t>(y.operand(0)) ? y.operand(0).operand(0) : V{};
  }
};

}  // namespace ricci::transform
