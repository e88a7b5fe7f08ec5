// Lanes for a kernel of several types. Registers of the floating type that it mostly computes with, and conditions, are
// SIMD packs, as in a kernel of that type alone; of complex numbers whose parts have that type there is a pack of each
// part. Registers of other types are as many numbers side by side, computed lane by lane in loops of known length,
// which the compiler vectorises.
#pragma once

#include <ricci/exec/cpu/conversions.hpp>
#include <ricci/exec/cpu/lanes.hpp>

#if RICCI_HAS_XSIMD

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Lanes from memory to registers of plain numbers, by as wide moves as those that read them afterwards: where a
// narrower one has just written what a wider one reads, the processor waits for the cache.
template <int Bytes>
RICCI_INLINE void copy_lanes(void* to, void const* from) {
#if defined(__GNUC__) || defined(__clang__)
  constexpr int widest = int(sizeof(simd::pack<float>)), size = Bytes < widest ? Bytes : widest;
  typedef char piece __attribute__((vector_size(size), aligned(1), may_alias));
  static_assert(Bytes % size == 0);
  for (int k = 0; k < Bytes / size; ++k) static_cast<piece*>(to)[k] = static_cast<piece const*>(from)[k];
#else
  __builtin_memcpy(to, from, Bytes);
#endif
}

template <class T>
struct mixed_lanes {
  using own_lanes = simd_lanes<T>;
  static constexpr int width = own_lanes::width;
  template <dtype U>
  static constexpr bool is_own = U == dtype::boolean || U == dtype_of<T>;
  template <class N>
  struct numbers {
    N lane[width];
  };
  template <dtype U>
  static constexpr bool is_pair = U == complex_type(dtype_of<T>);
  template <class N>
  using register_for = std::conditional_t<is_pair<dtype_of<N>>, simd::complex_pack<T>, numbers<N>>;
  struct frame : all_registers<register_for, element_types> {
    typename own_lanes::frame own;
  };
  template <int R, dtype U>
  RICCI_INLINE static auto& at(frame& f) {
    if constexpr (is_own<U>) {
      return own_lanes::template at<R, U>(f.own);
    } else {
      using register_type = register_for<type_of<U>>;
      auto& x = static_cast<registers_of<type_of<U>, register_type>&>(f).at[R];
      if constexpr (lies_as_bytes<register_type>)
        return reinterpret_cast<register_type&>(x);
      else
        return (x);
    }
  }

  template <dtype U>
  RICCI_INLINE static auto load(void const* p, index_t i) {
    if constexpr (is_own<U>) {
      return own_lanes::template load<U>(p, i);
    } else if constexpr (is_pair<U>) {
      return simd::load_parts<T>(static_cast<type_of<U> const*>(p) + i);
    } else {
      numbers<type_of<U>> x;
      copy_lanes<int(sizeof x.lane)>(x.lane, static_cast<type_of<U> const*>(p) + i);
      return x;
    }
  }
  // n elements, the first of them again in the other lanes: no lane computes with what is not there.
  template <dtype U>
  RICCI_INLINE static auto load_first(void const* p, index_t i, index_t n) {
    return gather<U>(p, i, sizeof(type_of<U>), n);
  }
  template <dtype U>
  RICCI_INLINE static auto gather(void const* p, index_t i, index_t stride, index_t n) {
    type_of<U> lane[width];
    char const* const first = static_cast<char const*>(p) + i * stride;
    for (index_t k = 0; k < width; ++k)
      lane[k] = *reinterpret_cast<type_of<U> const*>(first + (k < n ? k : 0) * stride);
    return load<U>(lane, 0);
  }
  template <dtype U>
  RICCI_INLINE static auto splat(type_of<U> x) {
    if constexpr (is_own<U>) {
      return own_lanes::template splat<U>(x);
    } else if constexpr (is_pair<U>) {
      return simd::complex_pack<T>{simd::pack<T>(x.real()), simd::pack<T>(x.imag())};
    } else {
      numbers<type_of<U>> y;
      for (int k = 0; k < width; ++k) y.lane[k] = x;
      return y;
    }
  }
  template <dtype U, class V>
  RICCI_INLINE static void store(V const& x, void* p, index_t i) {
    if constexpr (is_own<U>)
      own_lanes::template store<U>(x, p, i);
    else if constexpr (is_pair<U>)
      simd::store_parts(x, static_cast<type_of<U>*>(p) + i);
    else
      __builtin_memcpy(static_cast<type_of<U>*>(p) + i, x.lane, sizeof x.lane);
  }
  template <dtype U, class V>
  RICCI_INLINE static void store_first(V const& x, void* p, index_t i, index_t n) {
    if constexpr (is_own<U>)
      own_lanes::template store_first<U>(x, p, i, n);
    else
      scatter<U>(x, p, i, sizeof(type_of<U>), n);
  }
  template <dtype U, class V>
  RICCI_INLINE static void scatter(V const& x, void* p, index_t i, index_t stride, index_t n) {
    type_of<U> lane[width];
    store<U>(x, lane, 0);
    for (index_t k = 0; k < n; ++k) *reinterpret_cast<type_of<U>*>(static_cast<char*>(p) + (i + k) * stride) = lane[k];
  }

  // Conversions between the own type and narrow integers.
  template <class Op, dtype U, dtype... From>
  static constexpr bool converts_by_lanes = [] {
    if constexpr (requires { Op::converts; })
      return ((U == dtype_of<T> && simd::converts_integers<T, type_of<From>>) || ...) ||
             ((From == dtype_of<T> && simd::converts_integers<T, type_of<U>>) || ...);
    else
      return false;
  }();
  // The real or imaginary part of complex numbers, of which there is a pack.
  template <class Op, dtype... From>
  static constexpr bool reads_parts = [] {
    if constexpr (requires { requires Op::reads_parts; })
      return (is_pair<From> && ...);
    else
      return false;
  }();
  // Selections among numbers as wide as the own ones, whose bits go through packs.
  template <class Op, dtype U>
  static constexpr bool selects_bits = [] {
    if constexpr (requires { requires Op::selects; })
      return !is_own<U> && sizeof(type_of<U>) == sizeof(T);
    else
      return false;
  }();
  template <class N>
  RICCI_INLINE static typename own_lanes::pack as_pack(numbers<N> const& x) {
    typename own_lanes::pack::register_type bits;
    copy_lanes<int(sizeof x.lane)>(&bits, x.lane);
    return typename own_lanes::pack(typename own_lanes::pack::batch(bits));
  }
  template <class Mask, class N>
  RICCI_INLINE static void select_bits(numbers<N>& to, Mask const& condition, numbers<N> const& a,
                                       numbers<N> const& b) {
    auto const bits =
        static_cast<typename own_lanes::pack::register_type>(simd::select(condition, as_pack(a), as_pack(b)).v);
    copy_lanes<int(sizeof to.lane)>(to.lane, &bits);
  }
  // to = the operation of x...
  template <class Op, dtype U, dtype... Types, class To, class... X>
  RICCI_INLINE static void apply(To& to, X const&... x) {
    constexpr bool of_halves = simd::converts_halves && std::is_same_v<T, float>;
    if constexpr (of_halves && U == dtype::float16 && ((Types == dtype::float32) && ...))
      (simd::store_halves(x, to.lane), ...);
    else if constexpr (of_halves && U == dtype::float32 && ((Types == dtype::float16) && ...))
      ((to = simd::load_halves(x.lane)), ...);
    else if constexpr (reads_parts<Op, Types...>)
      to = Op::of_parts(x...);
    else if constexpr (converts_by_lanes<Op, U, Types...>) {
      if constexpr (U == dtype_of<T>)
        ((to = simd::from_integers<T>(x.lane)), ...);
      else
        (simd::to_integers(x, to.lane), ...);
    } else if constexpr (selects_bits<Op, U>)
      select_bits(to, x...);
    else if constexpr (!is_own<U> || !(is_own<Types> && ...))
      to = each<Op, U, Types...>(lanes<Types>(x)...);
    else if constexpr (requires { Op::converts; })
      to = Op::template kernel<type_of<U>>(x...);
    else
      to = Op::kernel(x...);
  }
  template <class Op, dtype U, dtype... Types>
  RICCI_INLINE static auto each(numbers<type_of<Types>> const&... x) {
    numbers<type_of<U>> y;
    for (int k = 0; k < width; ++k) {
      if constexpr (requires { Op::converts; })
        y.lane[k] = Op::template kernel<type_of<U>>(x.lane[k]...);
      else
        y.lane[k] = Op::kernel(x.lane[k]...);
    }
    if constexpr (is_own<U> || is_pair<U>)
      return load<U>(y.lane, 0);
    else
      return y;
  }
  template <dtype U, class V>
  RICCI_INLINE static numbers<type_of<U>> lanes(V const& x) {
    numbers<type_of<U>> y;
    store<U>(x, y.lane, 0);
    return y;
  }

  // of a row's reductions, which are of the own type
  template <class Op, dtype U, class V>
  RICCI_INLINE static type_of<U> across(V const& x) {
    return own_lanes::template across<Op, U>(x);
  }
  template <class V>
  RICCI_INLINE static V first(V const& a, V const& b, index_t n) {
    return own_lanes::first(a, b, n);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
