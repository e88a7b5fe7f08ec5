// A kernel as a type: a short program of registers, each made from earlier ones, and sinks that store or reduce some of
// them. Only structure is in it: which operations, on which operands, moving how; no extent, no number, nothing of the
// user's function. So kernels of layers of different width are one instantiation, and nvcc can name them.
//
//   code<2, 1, before<scalar<0, f32, 0>>,
//        body<load<1, f32, 0, contiguous>, apply<2, f32, multiply_t, reg<0, f32>, reg<1, f32>>>,
//        sinks<store<2, 1, f32, contiguous>>>
//
// The first argument of each is its register. What does not change along the innermost loop stands in `before`.
#pragma once

#include <ricci/transform/plan/plan.hpp>

namespace ricci::kernel {

using plan::access;

template <int I, dtype T, int Slot, access A>
struct load {
  static constexpr int index = I, slot = Slot;
  static constexpr dtype type = T;
  static constexpr access moves = A;
  static constexpr bool writes = false;
};
template <int I, dtype T, int Slot>
struct scalar {
  static constexpr int index = I;
  static constexpr dtype type = T;
};
template <int I, dtype T, int Number>
struct constant {
  static constexpr int index = I;
  static constexpr dtype type = T;
};
template <int I, dtype T>
struct reg {};
template <int I, dtype T, class Op, class... Registers>
struct apply {
  static constexpr int index = I;
  static constexpr dtype type = T;
};

template <int Reg, int Slot, dtype T, access A>
struct store {
  static constexpr bool reduces = false, writes = true;
  static constexpr dtype type = T;
  static constexpr access moves = A;
  static constexpr int index = Reg, slot = Slot;
};
template <class Op, int Reg, int Slot, dtype T, access A>
struct reduce {
  static constexpr bool reduces = true, writes = true;
  static constexpr dtype type = T;
  static constexpr access moves = A;
  static constexpr int index = Reg, slot = Slot;
  using operation = Op;
};

template <class... R>
struct before {};
template <class... R>
struct body {};
template <class... S>
struct sinks {};

// The one floating type of all numbers: then whole SIMD batches can be computed at once. `none` where types are mixed.
constexpr dtype common_float(dtype const* types, int n) {
  dtype t = dtype::none;
  for (int k = 0; k < n; ++k) {
    if (types[k] == dtype::boolean) continue;
    if (!has_packs(types[k]) || (t != dtype::none && t != types[k])) return dtype::none;
    t = types[k];
  }
  return t;
}
// Where types are mixed: the floating type of most of them, in which SIMD batches are computed; none where there is no
// such type, more is complex, which is faster number by number, or a reduction is of another type.
constexpr dtype main_float(dtype const* types, int n, dtype const* reduced, int reductions) {
  int count[element_types::size + 1]{}, of_complex = 0;
  for (int k = 0; k < n; ++k) count[int(types[k])] += has_packs(types[k]), of_complex += is_complex(types[k]);
  dtype t = dtype::none;  // of equally many, the larger
  for (int k = 1; k <= element_types::size; ++k)
    if (count[k] > 0 && count[k] >= count[int(t)]) t = static_cast<dtype>(k);
  if (count[int(t)] < of_complex) return dtype::none;
  if (t == dtype::none) return t;
  for (int k = 0; k < reductions; ++k)
    if (reduced[k] != t && reduced[k] != dtype::boolean) return dtype::none;
  return t;
}
// The slots among `moves` that the innermost loop walks through with a stride of their own, as bits.
constexpr std::uint64_t strided_slots(access const* moves, int const* slots, int n) {
  std::uint64_t bits = 0;
  for (int k = 0; k < n; ++k)
    if (moves[k] == access::strided) bits |= std::uint64_t(1) << slots[k];
  return bits;
}

template <class X>
constexpr access moves_of() {
  if constexpr (requires { X::moves; })
    return X::moves;
  else
    return access::fixed;
}
template <class X>
constexpr int slot_of() {
  if constexpr (requires { X::moves; })
    return X::slot;
  else
    return 0;
}

// Whether an instruction of a kernel compiles to machine operations alone, without a call; conversions do.
template <class Register>
inline constexpr bool is_operator = true;
template <int I, dtype T, class Op, class... In>
inline constexpr bool is_operator<apply<I, T, Op, In...>> = requires {
  requires Op::of_operators;
}
|| requires { requires Op::of_instructions; }
|| requires { requires Op::converts; };
template <int Reg, int Slot, dtype T, access A, class Op>
inline constexpr bool is_operator<reduce<Op, Reg, Slot, T, A>> = requires {
  requires Op::of_operators;
};

// Slots: operands in memory; Scalars: run-time constants.
template <int Slots, int Scalars, class Before, class Body, class Sinks>
struct code;
template <int Slots, int Scalars, class... B, class... R, class... S>
struct code<Slots, Scalars, before<B...>, body<R...>, sinks<S...>> {
  static constexpr int slots = Slots, scalars = Scalars, sink_count = sizeof...(S), length = sizeof...(R);
  static constexpr bool of_operators = (is_operator<R> && ...) && (is_operator<S> && ...);
  static constexpr dtype simd_type = [] {
    constexpr dtype types[] = {B::type..., R::type..., S::type...};
    return common_float(types, sizeof...(B) + sizeof...(R) + sizeof...(S));
  }();
  static constexpr dtype mixed_type = [] {
    constexpr dtype types[] = {B::type..., R::type..., S::type...};
    constexpr dtype reduced[] = {(S::reduces ? S::type : dtype::boolean)..., dtype::boolean};
    if (simd_type != dtype::none) return dtype::none;
    return main_float(types, sizeof...(B) + sizeof...(R) + sizeof...(S), reduced, sizeof...(S));
  }();
  static constexpr std::uint64_t strided = [] {
    constexpr access moves[] = {moves_of<R>()..., moves_of<S>()...};
    constexpr int at[] = {slot_of<R>()..., slot_of<S>()...};
    return strided_slots(moves, at, sizeof...(R) + sizeof...(S));
  }();
};

// The slot to which a kernel stores the product as it is; -1 where it does more with it.
template <class Code>
inline constexpr int stores_product = -1;
template <int Slots, int Scalars, int R, dtype T, int Product, int Slot>
inline constexpr int stores_product<code<Slots, Scalars, before<>, body<load<R, T, Product, access::contiguous>>,
                                         sinks<store<R, Slot, T, access::contiguous>>>> =
    Product == Slots - 1 ? Slot : -1;

}  // namespace ricci::kernel
