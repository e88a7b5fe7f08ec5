// The registers of a kernel, and what it does with one of each: as plain numbers here, which every context can compute
// with. A context has lanes of its own (exec/cpu/lanes.hpp), which offer the same few operations, so that an element is
// written once.
#pragma once

#include <ricci/exec/geometry.hpp>
#include <ricci/kernel/code.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

using kernel::access;

// Registers of every element type, each as wide as Lanes<T>.
template <class T, class Register>
struct registers_of {
  Register at[max_registers];
};
// As bytes where a register would be cleared before anything is put into it, as complex numbers are.
template <class Register>
inline constexpr bool lies_as_bytes = !__is_trivially_constructible(Register);
template <class T, class Register>
requires lies_as_bytes<Register>
struct registers_of<T, Register> {
  alignas(Register) char at[max_registers][sizeof(Register)];
};
template <template <class> class Lanes, class List>
struct all_registers;
template <template <class> class Lanes, class... T>
struct all_registers<Lanes, type_list<T...>> : registers_of<T, Lanes<T>>... {};

// Of n numbers, a power of two: each combined with that half of them further on, then those, until one is left.
template <class Op, class T>
RICCI_INLINE T halved(T* lane, int n) {
  for (int half = n / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) lane[k] = static_cast<T>(Op::combine(lane[k], lane[k + half]));
  return lane[0];
}

// Registers of plain numbers.
struct scalar_lanes {
  static constexpr int width = 1;
  struct frame : all_registers<std::type_identity_t, element_types> {};  // a short name
  template <int R, dtype T>
  RICCI_INLINE RICCI_HD static constexpr auto& at(frame& f) {
    using register_type = type_of<T>;
    auto& x = static_cast<registers_of<register_type, register_type>&>(f).at[R];
    if constexpr (lies_as_bytes<register_type>)
      return reinterpret_cast<register_type&>(x);
    else
      return (x);
  }
  template <dtype T>
  RICCI_INLINE RICCI_HD static auto load(void const* p, index_t i) {
    return element<T>(static_cast<type_of<T> const*>(p) + i);
  }
  // A condition is a byte that is not 0: loops over bytes are vectorised by g++ 12, most of those over booleans are
  // not.
  template <dtype T>
  RICCI_INLINE RICCI_HD static type_of<T> element(type_of<T> const* p) {
    if constexpr (T == dtype::boolean)
      return *reinterpret_cast<unsigned char const*>(p) != 0;
    else
      return *p;
  }
  template <dtype T>
  RICCI_INLINE RICCI_HD static auto splat(type_of<T> x) {
    return x;
  }
  template <dtype T, class V>
  RICCI_INLINE RICCI_HD static void store(V x, void* p, index_t i) {
    static_cast<type_of<T>*>(p)[i] = x;
  }
  // element i where elements lie `stride` bytes apart
  template <dtype T>
  RICCI_INLINE RICCI_HD static auto gather(void const* p, index_t i, index_t stride, index_t) {
    return element<T>(reinterpret_cast<type_of<T> const*>(static_cast<char const*>(p) + i * stride));
  }
  template <dtype T, class V>
  RICCI_INLINE RICCI_HD static void scatter(V x, void* p, index_t i, index_t stride, index_t) {
    *reinterpret_cast<type_of<T>*>(static_cast<char*>(p) + i * stride) = x;
  }
  // all lanes combined into one number
  template <class Op, dtype T>
  RICCI_INLINE RICCI_HD static type_of<T> across(type_of<T> x) {
    return x;
  }
};

// Lanes of several types, which apply operations by functions of their own.
template <class L>
inline constexpr bool mixes_types = requires {
  typename L::own_lanes;
};

// Operands along a row, in registers of the machine: what is read through a struct is read again after every store.
struct row_pointers {
  char* p[max_slots];
  index_t stride[max_slots];
};
// By constant indices, so that pointers stay in registers; kernels of as many operands share these.
template <bool Gathers, int... K>
RICCI_INLINE void point_at(row_pointers& p, char* const* operands, [[maybe_unused]] index_t const* strides,
                           std::integer_sequence<int, K...>) {
  ((p.p[K] = operands[K]), ...);
  if constexpr (Gathers) ((p.stride[K] = strides[K]), ...);
}
template <int... K>
RICCI_INLINE void advance_by(row_pointers& p, index_t const* bytes, std::integer_sequence<int, K...>) {
  ((p.p[K] += bytes[K]), ...);
}

// ---- one register; these depend on no kernel, so that kernels share them ----

template <class L, int I, dtype T, int Slot, access A>
RICCI_INLINE RICCI_HD void start(kernel::load<I, T, Slot, A>, typename L::frame& f, row_pointers const& p,
                                 scalar_value const*) {
  L::template at<I, T>(f) = L::template splat<T>(*reinterpret_cast<type_of<T> const*>(p.p[Slot]));
}
template <class L, int I, dtype T, int Slot>
RICCI_INLINE RICCI_HD void start(kernel::scalar<I, T, Slot>, typename L::frame& f, row_pointers const&,
                                 scalar_value const* s) {
  L::template at<I, T>(f) = L::template splat<T>(scalar_as<T>(s[Slot]));
}
template <class L, int I, dtype T, int N>
RICCI_INLINE RICCI_HD void start(kernel::constant<I, T, N>, typename L::frame& f, row_pointers const&,
                                 scalar_value const*) {
  L::template at<I, T>(f) = L::template splat<T>(static_cast<type_of<T>>(N));
}

// Elements from i on: all lanes where n is that many, which the compiler knows in the loop over whole batches.
template <class L, bool Gathers, bool Whole, int I, dtype T, int Slot, access A>
RICCI_INLINE RICCI_HD void compute(kernel::load<I, T, Slot, A>, typename L::frame& f, row_pointers const& p, index_t i,
                                   index_t n) {
  if constexpr (Gathers && A == access::strided)
    L::template at<I, T>(f) = L::template gather<T>(p.p[Slot], i, p.stride[Slot], n);
  else if constexpr (Whole)
    L::template at<I, T>(f) = L::template load<T>(p.p[Slot], i);
  else
    L::template at<I, T>(f) = L::template load_first<T>(p.p[Slot], i, n);
}
template <class L, int I, dtype T, class Op, int... In, dtype... Types>
RICCI_INLINE RICCI_HD void evaluate(kernel::apply<I, T, Op, kernel::reg<In, Types>...>, typename L::frame& f) {
  if constexpr ((RICCI_VECTOR_LANES && L::width > 1) || mixes_types<L>)
    L::template apply<Op, T, Types...>(L::template at<I, T>(f), L::template at<In, Types>(f)...);
  else if constexpr (requires { Op::converts; })
    L::template at<I, T>(f) = Op::template kernel<type_of<T>>(L::template at<In, Types>(f)...);
  else
    L::template at<I, T>(f) = Op::kernel(L::template at<In, Types>(f)...);
}
template <class L, bool, bool, int I, dtype T, class Op, class... In>
RICCI_INLINE RICCI_HD void compute(kernel::apply<I, T, Op, In...> a, typename L::frame& f, row_pointers const&, index_t,
                                   index_t) {
  evaluate<L>(a, f);
}

template <class L, bool Gathers, bool Whole, int Reg, int Slot, dtype T, access A>
RICCI_INLINE RICCI_HD void sink(kernel::store<Reg, Slot, T, A>, typename L::frame& f, row_pointers const& p, index_t i,
                                index_t n) {
  auto const& x = L::template at<Reg, T>(f);
  if constexpr (Gathers && A == access::strided)
    L::template scatter<T>(x, p.p[Slot], i, p.stride[Slot], n);
  else if constexpr (Whole)
    L::template store<T>(x, p.p[Slot], i);
  else
    L::template store_first<T>(x, p.p[Slot], i, n);
}
template <class L, class Op, dtype T>
RICCI_INLINE RICCI_HD auto combined(auto a, auto const& b) {
  if constexpr (RICCI_VECTOR_LANES && L::width > 1)
    return L::template combine<Op, T>(a, b);
  else
    return Op::combine(a, b);
}
// A reduction over outer loops adds the row to the one in memory; one along the row is left to block.hpp.
template <class L, bool Gathers, bool Whole, class Op, int Reg, int Slot, dtype T, access A>
RICCI_INLINE RICCI_HD void sink(kernel::reduce<Op, Reg, Slot, T, A>, typename L::frame& f, row_pointers const& p,
                                index_t i, index_t n) {
  if constexpr (A != access::fixed) {
    auto const& x = L::template at<Reg, T>(f);
    if constexpr (Gathers && A == access::strided)
      L::template scatter<T>(combined<L, Op, T>(L::template gather<T>(p.p[Slot], i, p.stride[Slot], n), x), p.p[Slot],
                             i, p.stride[Slot], n);
    else if constexpr (Whole)
      L::template store<T>(combined<L, Op, T>(L::template load<T>(p.p[Slot], i), x), p.p[Slot], i);
    else
      L::template store_first<T>(combined<L, Op, T>(L::template load_first<T>(p.p[Slot], i, n), x), p.p[Slot], i, n);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
