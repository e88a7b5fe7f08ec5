// Steps of a few numbers: where all extents are known and small and every operation is one that the processor has, each
// element is written out as numbers, with no loop and no table. A function of many such steps is then one piece of code
// to the compiler, which keeps the numbers between the steps in registers.
#pragma once

#include <ricci/exec/cpu/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr index_t most_expanded = 16;  // elements that a step runs over

// What a sink that reduces has come to.
template <class Sink, bool = Sink::reduces>
struct number_so_far {
  RICCI_INLINE void clear() {}
  RICCI_INLINE void add(scalar_lanes::frame const&) {}
  RICCI_INLINE void write(char* const*) const {}
};
template <class Sink>
struct number_so_far<Sink, true> {
  using T = type_of<Sink::type>;
  using operation = typename Sink::operation;
  T value;
  RICCI_INLINE void clear() { value = operation::template identity<T>; }
  RICCI_INLINE void add(scalar_lanes::frame& f) {
    value = static_cast<T>(operation::combine(value, scalar_lanes::template at<Sink::index, Sink::type>(f)));
  }
  RICCI_INLINE void write(char* const* p) const { *reinterpret_cast<T*>(p[Sink::slot]) = value; }
};

// Over what step I runs: how many elements, and where each operand is at each of them, from its start in bytes, as the
// loops go that are kept or reduced.
template <class P, int I, bool Reduces>
struct expanded_loops {
  static constexpr plan::step_t step = P::plan.steps[I];
  // The loops that are reduced are [first_reduced, last_reduced).
  static constexpr bool inner_kept = P::plan.kernels[step.kernel].variant == 1 && Reduces;
  static constexpr int first_reduced = step.kept - inner_kept, last_reduced = step.loops - inner_kept;
  static constexpr bool is_reduced(int loop) { return Reduces && loop >= first_reduced && loop < last_reduced; }
  static constexpr index_t count(bool reduced) {
    index_t n = 1;
    for (int l = 0; l < step.loops; ++l)
      if (is_reduced(l) == reduced) n *= P::plan.extents[step.first_extent + l];
    return n;
  }
  template <bool Reduced, int Slots>
  static constexpr auto distances = [] {
    table<index_t, Slots* int(count(Reduced))> t{};
    for (int n = 0; n < int(count(Reduced)); ++n)
      for (int k = 0; k < Slots; ++k) {
        auto const& o = P::plan.operands[step.first_operand + k];
        index_t at = n, elements = 0;
        for (int l = step.loops - 1; l >= 0; --l)
          if (is_reduced(l) == Reduced) {
            index_t const extent = P::plan.extents[step.first_extent + l];
            elements += at % extent * P::plan.strides[o.first_stride + l];
            at /= extent;
          }
        t.at[n * Slots + k] = elements * size_of(o.type);
      }
    return t;
  }();
};
// One element: no program's type is in it, so that programs of numbers share what they write out.
struct one_element {
  static constexpr index_t count(bool) { return 1; }
  template <bool Reduced, int Slots>
  static constexpr table<index_t, Slots> distances{};
};

template <class Loops, class Code>
struct expansion;
template <class Loops, int Slots, int Scalars, class... B, class... R, class... S>
struct expansion<Loops, kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>> {
  static constexpr bool reduces = (S::reduces || ...);
  struct numbers : number_so_far<S>... {};

  template <int... K>
  RICCI_INLINE static void element(std::integer_sequence<int, K...>, char* const* p,
                                   [[maybe_unused]] scalar_value const* scalars, index_t const* distance,
                                   numbers& so_far) {
    row_pointers at;
    ((at.p[K] = p[K] + distance[K]), ...);
    scalar_lanes::frame f;
    (start<scalar_lanes>(B{}, f, at, scalars), ...);
    (compute<scalar_lanes, false, true>(R{}, f, at, 0, 1), ...);
    (static_cast<number_so_far<S>&>(so_far).add(f), ...);
    (store<S>(f, at), ...);
  }
  template <class Sink>
  RICCI_INLINE static void store(scalar_lanes::frame& f, row_pointers const& at) {
    if constexpr (!Sink::reduces) sink<scalar_lanes, false, true>(Sink{}, f, at, 0, 1);
  }
  template <int... K>
  RICCI_INLINE static void run(std::integer_sequence<int, K...> slots, char* const* p,
                               [[maybe_unused]] scalar_value const* scalars) {
    constexpr int kept = int(Loops::count(false)), reduced = int(Loops::count(true));
    constexpr auto const& outer = Loops::template distances<false, Slots>;
    constexpr auto const& inner = Loops::template distances<true, Slots>;
    RICCI_UNROLL(16)
    for (int n = 0; n < kept; ++n) {
      char* const at[] = {p[K] + outer.at[n * Slots + K]..., nullptr};
      numbers so_far;
      (static_cast<number_so_far<S>&>(so_far).clear(), ...);
      RICCI_UNROLL(16)
      for (int r = 0; r < reduced; ++r) element(slots, at, scalars, inner.at + r * Slots, so_far);
      (static_cast<number_so_far<S>&>(so_far).write(at), ...);
    }
  }
};

// Step I written out.
template <class P, int I, class Code, class WithoutLoops = expansion<one_element, Code>>
struct expansion_for {
  static constexpr bool is_one = [] {
    index_t n = 1;
    for (int l = 0; l < P::plan.steps[I].loops; ++l) n *= P::plan.extents[P::plan.steps[I].first_extent + l];
    return n == 1;
  }();
  using type = std::conditional_t<is_one, WithoutLoops, expansion<expanded_loops<P, I, WithoutLoops::reduces>, Code>>;
};
template <class P, int I, class Code>
using expansion_of = typename expansion_for<P, I, Code>::type;

// Whether step I is written out. A row that fills a register is not: there several numbers are one operation.
template <class P, int I>
constexpr bool is_expanded() {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr ((k.kind != plan::step_kind::map && k.kind != plan::step_kind::reduce) || RICCI_UNOPTIMIZED)
    return false;
  else {
    index_t elements = 1;
    for (int l = 0; l < s.loops; ++l) {
      if (ir::is_symbolic(P::plan.extents[s.first_extent + l])) return false;
      elements *= P::plan.extents[s.first_extent + l];
    }
    for (int slot = 0; slot < k.slots; ++slot)
      for (int l = 0; l < s.loops; ++l)
        if (ir::is_symbolic(P::plan.strides[P::plan.operands[s.first_operand + slot].first_stride + l])) return false;
    using code = typename kernel::lowered<P, s.kernel>::type;
    bool const fills_register = s.loops == 1 && code::strided == 0 && elements >= decltype(lanes_of<code>())::width &&
                                decltype(lanes_of<code>())::width > 1;
    return elements <= most_expanded && !fills_register && code::of_operators;
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
