// Lowering: the kernels of a plan, which are data, become types. Equal kernels were merged in the plan, so this
// instantiates as much as there are different ones.
#pragma once

#include <utility>

#include <ricci/graph/descriptor.hpp>
#include <ricci/kernel/code.hpp>

namespace ricci::kernel {

using plan::register_kind;

// The registers of kernel K of a plan, those that stay along the innermost loop first.
struct register_order {
  int at[plan::max_registers];
  int before, body;
};
template <class Plan>
constexpr register_order order_of(Plan const& p, int kernel) {
  auto const& k = p.kernels[kernel];
  register_order o{};
  bool fixed[plan::max_registers]{};
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < k.registers; ++i) {
      auto const& r = p.registers[k.first_register + i];
      fixed[i] = r.kind == register_kind::scalar || r.kind == register_kind::constant ||
                 (r.kind == register_kind::load && r.moves == access::fixed);
      if (fixed[i] == (pass == 0)) o.at[o.before + o.body] = i, ++(pass == 0 ? o.before : o.body);
    }
  return o;
}

template <class P, int K>
inline constexpr register_order ordered = order_of(P::plan, K);

// P::plan is a constexpr plan. The elements of a product to which a kernel is the epilogue are one more operand, the
// last.
template <class P, int K, int I>
constexpr auto lower_register() {
  constexpr plan::kernel_t k = P::plan.kernels[K];
  constexpr plan::register_t r = P::plan.registers[k.first_register + I];
  constexpr auto const& all = P::plan.registers;
  constexpr int f = k.first_register;
  if constexpr (r.kind == register_kind::load)
    return load<I, r.type, r.slot, r.moves>{};
  else if constexpr (r.kind == register_kind::scalar)
    return scalar<I, r.type, r.slot>{};
  else if constexpr (r.kind == register_kind::constant)
    return constant<I, r.type, r.slot>{};
  else if constexpr (r.kind == register_kind::product)
    return load<I, r.type, k.slots, access::contiguous>{};
  else if constexpr (r.kind == register_kind::apply && r.count == 1)
    return apply<I, r.type, ir::op_of<r.op>, reg<r.in[0], all[f + r.in[0]].type>>{};
  else if constexpr (r.kind == register_kind::apply && r.count == 2)
    return apply<I, r.type, ir::op_of<r.op>, reg<r.in[0], all[f + r.in[0]].type>,
                 reg<r.in[1], all[f + r.in[1]].type>>{};
  else if constexpr (r.kind == register_kind::apply && r.count == 3)
    return apply<I, r.type, ir::op_of<r.op>, reg<r.in[0], all[f + r.in[0]].type>, reg<r.in[1], all[f + r.in[1]].type>,
                 reg<r.in[2], all[f + r.in[2]].type>>{};
}
template <class P, int I>
constexpr auto lower_sink() {
  constexpr plan::sink_t s = P::plan.sinks[I];
  if constexpr (s.reduction->id == 0)
    return store<s.reg, s.slot, s.type, s.moves>{};
  else
    return reduce<ir::op_of<s.reduction>, s.reg, s.slot, s.type, s.moves>{};
}

template <class P, int K, class = std::make_integer_sequence<int, ordered<P, K>.before>,
          class = std::make_integer_sequence<int, ordered<P, K>.body>,
          class = std::make_integer_sequence<int, P::plan.kernels[K].sinks>>
struct lowered;
template <class P, int K, int... B, int... R, int... S>
struct lowered<P, K, std::integer_sequence<int, B...>, std::integer_sequence<int, R...>,
               std::integer_sequence<int, S...>> {
  static constexpr plan::kernel_t k = P::plan.kernels[K];
  using type = code<k.slots + (k.kind == plan::step_kind::contract ? 1 : 0), k.scalars,
                    before<decltype(lower_register<P, K, ordered<P, K>.at[B]>())...>,
                    body<decltype(lower_register<P, K, ordered<P, K>.at[sizeof...(B) + R]>())...>,
                    sinks<decltype(lower_sink<P, k.first_sink + S>())...>>;
};

}  // namespace ricci::kernel
