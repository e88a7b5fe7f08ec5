// What the CPU makes of the steps of a program, in words (exec/described.hpp).
#pragma once

#include <string>

#include <ricci/exec/cpu/run.hpp>
#include <ricci/exec/described.hpp>
#include <ricci/expr/reify.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

template <class Plan>
constexpr bool moves_strided(Plan const& p, plan::kernel_t const& k) {
  for (int i = 0; i < k.registers; ++i) {
    auto const& r = p.registers[k.first_register + i];
    if (r.kind == plan::register_kind::load && r.moves == plan::access::strided) return true;
  }
  for (int i = 0; i < k.sinks; ++i)
    if (p.sinks[k.first_sink + i].moves == plan::access::strided) return true;
  return false;
}
template <class P, int I>
constexpr char const* loops_on_cpu() {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr (k.kind == plan::step_kind::map)
    return moves_strided(P::plan, k) ? "tiles of a strided loop"
           : s.loops <= 1            ? "one contiguous row"
                                     : "contiguous rows";
  else if constexpr (k.kind == plan::step_kind::reduce)
    return k.variant == 0 ? "reduction along rows" : "reduction of whole rows";
  else if constexpr (k.kind == plan::step_kind::contract)
    return runs_directly<P> && is_small_product<P, I>() ? "matrix product in registers" : "blocked matrix product";
  else
    return nullptr;
}

}  // namespace RICCI_ABI

template <int Memory, Program P>
requires(Memory <= expr::host_memory) struct described<Memory, P> {
  static constexpr auto loops = []<int... I>(std::integer_sequence<int, I...>) {
    return table<char const*, sizeof...(I)>{{loops_on_cpu<P, I>()...}};
  }
  (std::make_integer_sequence<int, P::plan.step_count>{});
  static constexpr auto group_ends = outer_groups<P>.ends;
  static constexpr char const* together = ", where arrays are large, in blocks of their outermost loop:";

  static std::string numbers([[maybe_unused]] dtype type) {
#if RICCI_HAS_XSIMD
    if (is_floating(type))
      return std::string(xsimd::default_arch::name()) + ", " +
             std::to_string(simd::pack<float>::size * size_of(dtype::float32) / size_of(type)) + " lanes of " +
             name_of(type);
#endif
    return "plain numbers";
  }
};

}  // namespace ricci::exec
