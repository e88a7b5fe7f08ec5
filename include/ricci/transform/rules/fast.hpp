// Rules that reassociate: results differ in rounding. Only on request.
#pragma once

#include <ricci/transform/rules/stable.hpp>

namespace ricci::transform {

// (x * a) * b = x * (a * b)
struct merge_factors {
  using root = multiply_t;
  static constexpr level from = level::fast;
  template <class V>
  static constexpr V apply(V y) {
    V const c = is_literal(y.operand(1)) ? y.operand(1) : y.operand(0);
    V const inner = is_literal(y.operand(1)) ? y.operand(0) : y.operand(1);
    if (!is_literal(c) || !is<multiply_t>(inner)) return V{};
    for (int k = 0; k < 2; ++k)
      if (have_normal_product(inner.operand(k), c))
        return inner.operand(1 - k) * (number_of(inner.operand(k)) * number_of(c));
    return V{};
  }
};
// x / a = x * (1 / a)
struct divide_by_literal {
  using root = divide_t;
  static constexpr level from = level::fast;
  template <class V>
  static constexpr V apply(V y) {
    V const c = y.operand(1);
    if (!is_normal_literal(c) || is_literal(y.operand(0))) return V{};
    int const e = exponent_of(number_of(c));
    return are_normal(-e - 1, -e, c.type()) ? V(y.operand(0) * (1 / number_of(c))) : V{};
  }
};
// sum(x * a) = sum(x) * a
struct factor_out_of_sum {
  using root = sum_t;
  static constexpr level from = level::fast;
  template <class V>
  static constexpr V apply(V y) {
    V const x = y.operand(0);
    if (!is<multiply_t>(x) || y.g->attr(y.id, 1) != 0) return V{};
    for (int k = 0; k < 2; ++k)
      if (is_literal(x.operand(k)))
        return sum_t::over(x.operand(1 - k), int(y.g->attr(y.id, 0))) *
               ir::literal_as(x.operand(k), y.type(), y.shape_id());
    return V{};
  }
};

}  // namespace ricci::transform
