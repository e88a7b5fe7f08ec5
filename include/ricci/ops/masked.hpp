// Where a cotangent is exactly 0 because `where` left something out, it stays 0 whatever it is multiplied with: 0 times
// the infinite derivative of a logarithm at 0 would be NaN. Beside `where` itself a selection is kept outside of
// factors (elementwise.hpp); what has gone through views, joins, rows by index, sums of cotangents or sums over axes
// since is found here: linear operations of zeros are zero, so the *support* of a cotangent, where it may be other than
// 0, goes the same way as the cotangent. It is only computed where a factor needs it.
#pragma once

#include <ricci/ops/another_name.hpp>
#include <ricci/ops/index.hpp>

namespace ricci::ir {

// so many instructions are looked at for a mask: cotangents of deep functions are long sums
inline constexpr int most_masks = 32;

template <class Op, class V>
constexpr bool is_a(V x) {
  return x.is(facts_of<Op>());
}
// Whether it is another value times, or over, a literal.
template <class V>
constexpr bool is_scaled(V x) {
  return (is_a<multiply_t>(x) && (is_literal(*x.g, x.operand(0).id) || is_literal(*x.g, x.operand(1).id))) ||
         (is_a<divide_t>(x) && is_literal(*x.g, x.operand(1).id));
}
template <class V>
constexpr V unscaled(V x) {
  return is_literal(*x.g, x.operand(0).id) ? x.operand(1) : x.operand(0);
}

// What an alias is another name of, as cotangents have names of their own under a checkpoint; an element of a batch is
// none of the whole.
template <class V>
constexpr V behind_names(V x) {
  auto const& g = *x.g;
  for (;;) {
    int const same = aliased(g, x.id);
    if (same == 0 || g.ins[same].shape != g.ins[x.id].shape) return x;
    x.id = same;
  }
}
// Whether its zeros follow from `where`s found within `left` instructions.
template <class V>
constexpr bool has_support(V named, int& left) {
  if (--left < 0) return false;
  V const x = behind_names(named);
  if (is_literal(*x.g, x.id)) return is_literal(*x.g, x.id, 0.);
  auto const all_have = [&] {
    for (int k = 0; k < x.ins().count; ++k)
      if (!has_support(x.operand(k), left)) return false;
    return true;
  };
  switch (x.ins().op->kind) {
    using enum op_kind;
    case view:
    case reshape:
    case index:
      return has_support(x.operand(0), left);
    case scatter:
      return has_support(x.operand(0), left) && has_support(x.operand(2), left);
    case assemble:
      return all_have();
    case reduce:
      return is_a<sum_t>(x) && has_support(x.operand(0), left);
    case elementwise:
      if (is_a<negative_t>(x) || is_a<astype_t>(x)) return has_support(x.operand(0), left);
      if (is_scaled(x)) return has_support(unscaled(x), left);
      if (is_a<add_t>(x) || is_a<subtract_t>(x)) return all_have();
      return bool(masked_of(x).condition);
    case argument:
    case literal:
    case number:
    case table:
    case alias:
    case contract:
    case call:
    case part:
    case region:
    case carry:
    case next:
    case yield:
    case loop:
      return false;
  }
  __builtin_unreachable();
}

// The instruction of x on other operands, for elements of another type.
template <class V>
constexpr V again(V x, V const* in, dtype type) {
  auto i = x.ins();
  i.type = type;
  int operands[max_operands]{};
  for (int k = 0; k < i.count; ++k) operands[k] = in[k].id;
  int const id = append_again(*x.g, x.id, i, operands);
  if constexpr (V::mode::runs) x.g->ins[id].run(*x.g, id);
  return {x.g, id};
}

// Where it may be other than 0, as a condition.
template <class V>
constexpr V support_of(V named) {
  V const x = behind_names(named);
  if (is_literal(*x.g, x.id)) return literal<typename V::mode>(*x.g, 0, dtype::boolean, x.shape_id());
  if (is_a<negative_t>(x) || is_a<astype_t>(x)) return support_of(x.operand(0));
  if (is_scaled(x)) return support_of(unscaled(x));
  if (is_a<add_t>(x) || is_a<subtract_t>(x)) return support_of(x.operand(0)) | support_of(x.operand(1));
  if (auto const m = masked_of(x); m.condition) {
    V const chosen = m.holds ? m.condition : V(logical_not(m.condition));
    int left = most_masks;  // of what was masked before, as well
    return has_support(m.rest, left) ? V(chosen & support_of(m.rest)) : chosen;
  }
  V in[max_operands]{};
  bool const rows = x.ins().op->kind == op_kind::index || x.ins().op->kind == op_kind::scatter;
  for (int k = 0; k < x.ins().count; ++k) in[k] = rows && k == 1 ? x.operand(k) : support_of(x.operand(k));
  if (is_a<sum_t>(x)) {
    index_t const attributes[] = {x.g->attr(x.id, 0), x.g->attr(x.id, 1)};
    return record<any_t, typename V::mode>(*x.g, dtype::boolean, x.shape_id(), {&in[0].id, 1}, {attributes, 2});
  }
  bool const adds = x.ins().op->kind == op_kind::scatter && x.g->attr(x.id, 1) != 0;
  if (!adds) return again(x, in, dtype::boolean);
  in[0] = cast(in[0], dtype::int32), in[2] = cast(in[2], dtype::int32);
  return again(x, in, dtype::int32) != 0;
}

// Whether a cotangent was only chosen from, negated or scaled by numbers, so that its zeros are still zeros.
template <class V>
constexpr bool keeps_zeros(V x, V ct) {
  if (x.id == ct.id || is_literal(*x.g, x.id)) return true;
  if (is_a<where_t>(x)) return keeps_zeros(x.operand(1), ct) && keeps_zeros(x.operand(2), ct);
  if (is_a<negative_t>(x) || is_a<astype_t>(x)) return keeps_zeros(x.operand(0), ct);
  return is_scaled(x) && keeps_zeros(unscaled(x), ct);
}

// The n cotangents that an operation has made of ct by multiplying it, zero where ct is masked.
template <class V>
constexpr void keep_masked(V ct, V* made, int n) {
  if (!ct.g->selects || is_literal(*ct.g, ct.id)) return;
  V support{};
  for (int k = 0; k < n; ++k) {
    if (!made[k] || made[k].shape_id() != ct.shape_id() || keeps_zeros(made[k], ct)) continue;
    if (!support) {
      int left = most_masks;
      if (!has_support(ct, left)) return;
      support = support_of(ct);
    }
    made[k] = where(support, made[k], 0.);
  }
}

}  // namespace ricci::ir
