// Rules that change no value.
#pragma once

#include <ricci/transform/rules/rule.hpp>

namespace ricci::transform {

// x * 1 = x
struct multiply_by_one {
  using root = multiply_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    if (is_number(y.operand(1), 1)) return y.operand(0);
    return is_number(y.operand(0), 1) ? y.operand(1) : V{};
  }
};
// x / 1 = x
struct divide_by_one {
  using root = divide_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    return is_number(y.operand(1), 1) ? y.operand(0) : V{};
  }
};
// x / 2^k = x * 2^-k
struct divide_by_power_of_two {
  using root = divide_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    V const c = y.operand(1);
    return is_power_of_two(c) && !is_literal(y.operand(0)) ? V(y.operand(0) * (1 / number_of(c))) : V{};
  }
  // one whose reciprocal is as exact as it is itself
  template <class V>
  static constexpr bool is_power_of_two(V x) {
    if (!is_normal_literal(x)) return false;
    double const c = number_of(x);
    bool const has_one_digit = (std::bit_cast<std::uint64_t>(c) & 0xfffffffffffffu) == 0;
    return c > 0 && has_one_digit && are_normal(-exponent_of(c), -exponent_of(c), x.type());
  }
};
// x - 0 = x; -0 - -0 is 0, though
struct subtract_zero {
  using root = subtract_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    return is_number(y.operand(1), 0) && !is_minus_zero(y.operand(1)) ? y.operand(0) : V{};
  }
  template <class V>
  static constexpr bool is_minus_zero(V x) {
    return is_inexact(x.type()) && std::bit_cast<std::uint64_t>(number_of(x)) != 0;
  }
};
// --x = x
struct double_negation {
  using root = negative_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    return is<negative_t>(y.operand(0)) ? y.operand(0).operand(0) : V{};
  }
};
// x + -y = x - y
struct add_negative {
  using root = add_t;
  static constexpr level from = level::exact;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    V const a = y.operand(0), b = y.operand(1);
    if (is<negative_t>(b)) return a - b.operand(0);
    return is<negative_t>(a) ? V(b - a.operand(0)) : V{};
  }
};
// x - -y = x + y
struct subtract_negative {
  using root = subtract_t;
  static constexpr level from = level::exact;
  static constexpr bool of_real_numbers = true;
  template <class V>
  static constexpr V apply(V y) {
    return is<negative_t>(y.operand(1)) ? V(y.operand(0) + y.operand(1).operand(0)) : V{};
  }
};
// (x * 2^i) * 2^j = x * 2^(i+j), both growing, so that nothing is rounded in between
struct merge_powers_of_two {
  using root = multiply_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    V const inner = is_literal(y.operand(1)) ? y.operand(0) : y.operand(1);
    V const c = is_literal(y.operand(1)) ? y.operand(1) : y.operand(0);
    if (!grows(c) || !is<multiply_t>(inner)) return V{};
    for (int k = 0; k < 2; ++k) {
      V const b = inner.operand(k);
      if (grows(b) && have_normal_product(b, c)) return inner.operand(1 - k) * (number_of(b) * number_of(c));
    }
    return V{};
  }
  template <class V>
  static constexpr bool grows(V c) {
    return divide_by_power_of_two::is_power_of_two(c) && number_of(c) >= 1;
  }
};
// where(c, x, x) = x
struct equal_branches {
  using root = where_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    return y.operand(1).id == y.operand(2).id ? y.operand(1) : V{};
  }
};
// a permutation of a permutation is one; where it restores the order, none
struct permuted_twice {
  using root = permute_dims_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    V const x = y.operand(0);
    if (is_literal(x)) return ir::literal_as(x, y.type(), y.shape_id());
    if (!is<permute_dims_t>(x)) return V{};
    index_t axes[max_rank]{};
    for (int k = 0; k < y.rank(); ++k) axes[k] = y.g->attr(x.id, int(y.g->attr(y.id, k)));
    return ir::permute(x.operand(0), axes, y.rank());
  }
};
// broadcast twice is broadcast once; literals have any shape
struct broadcast_twice {
  using root = broadcast_to_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    V const x = y.operand(0);
    if (is_literal(x) || ir::same_shape(*y.g, x.shape_id(), y.shape_id())) return ir::broadcast_to(x, y.shape_id());
    return is<broadcast_to_t>(x) ? ir::broadcast_to(x.operand(0), y.shape_id()) : V{};
  }
};
// a sum over open axes of which some are known by now, or all
struct sum_of_known_axes {
  using root = sum_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    return y.g->attr(y.id, 1) != 0 ? ir::sum_to(y.operand(0), y.shape_id()) : V{};
  }
};
struct reshaped_twice {
  using root = reshape_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    V const x = y.operand(0);
    if (is_literal(x) || ir::same_shape(*y.g, x.shape_id(), y.shape_id())) return ir::reshape(x, y.shape_id());
    return is<reshape_t>(x) ? ir::reshape(x.operand(0), y.shape_id()) : V{};
  }
};
// a slice of a literal, or the whole
struct trivial_slice {
  using root = slice_t;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    V const x = y.operand(0);
    return is_literal(x) ? ir::literal_as(x, y.type(), y.shape_id()) : V{};
  }
};
// Arithmetic on literals, where the result is surely finite. What overflows, divides by zero or makes NaN is left to
// kernels.
template <class Op>
struct fold {
  using root = Op;
  static constexpr level from = level::exact;
  template <class V>
  static constexpr V apply(V y) {
    int const n = y.ins().count;
    for (int k = 0; k < n; ++k)
      if (!is_literal(y.operand(k))) return V{};
    if (!is_floating(y.type()) || !is_floating(y.operand(0).type())) return V{};
    double const a = number_of(y.operand(0)), b = number_of(y.operand(n - 1));
    if (!is_surely_finite(a, b)) return V{};
    // Floats are computed in double, where they cannot overflow. The result is rounded once more, to what they give: a
    // double has more than twice their digits.
    double const r = compute(a, b);
    if (exponent_of(r) >= greatest_exponent(y.type()) && !chooses) return V{};
    return ir::literal<typename V::mode>(*y.g, r, y.type(), y.shape_id());
  }
  // what computes nothing: operands may be infinite or NaN, too
  static constexpr bool chooses =
      std::is_same_v<Op, negative_t> || std::is_same_v<Op, maximum_t> || std::is_same_v<Op, minimum_t>;
  static constexpr bool is_surely_finite(double a, double b) {
    if (chooses) return true;
    int const i = exponent_of(a), k = exponent_of(b);
    if (i > 1023 || k > 1023) return false;
    if constexpr (std::is_same_v<Op, divide_t>)
      return k >= -1022 && i - k < 1023;
    else if constexpr (std::is_same_v<Op, add_t> || std::is_same_v<Op, subtract_t>)
      return i < 1023 && k < 1023;
    else
      return i + k < 1023;
  }
  static constexpr double compute(double a, double b) {
    if constexpr (Op::arity == 2)
      return Op::kernel(a, b);
    else
      return Op::kernel(a);
  }
};

}  // namespace ricci::transform
