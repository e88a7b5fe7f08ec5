// Lanes for clang where nothing is optimised. There every operation on a number costs several reads and writes of
// memory, and no attribute says otherwise; but one on a vector of sixteen numbers costs about as many. So registers are
// vectors of the compiler's own: operations whose kernels are made of operators (`of_operators`) are computed on whole
// vectors, all others lane by lane.
#pragma once
#include <ricci/exec/registers.hpp>

#if RICCI_VECTOR_LANES

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

template <class T>
struct vector_lanes {
  static constexpr int width = 16;
  typedef T numbers __attribute__((vector_size(width * sizeof(T))));
  using mask = decltype(numbers{} < numbers{});  // of integers: -1 is true
  typedef std::uint8_t bytes __attribute__((vector_size(width)));
  // those in memory, which may lie anywhere; a template argument would lose its alignment
  typedef numbers stored_numbers __attribute__((aligned(alignof(T)), may_alias));
  typedef bytes stored_bytes __attribute__((aligned(1), may_alias));
  struct frame {
    numbers v[max_registers];
    mask m[max_registers];
  };
  template <dtype U>
  using vector = std::conditional_t<U == dtype::boolean, mask, numbers>;

  template <int R, dtype U>
  RICCI_INLINE static auto& at(frame& f) {
    if constexpr (U == dtype::boolean)
      return f.m[R];
    else
      return f.v[R];
  }
  template <dtype U>
  RICCI_INLINE static stored_numbers const& load(void const* p, index_t i) {
    return *reinterpret_cast<stored_numbers const*>(static_cast<T const*>(p) + i);
  }
  template <dtype U>
  requires(U == dtype::boolean) RICCI_INLINE static mask load(void const* p, index_t i) {
    return __builtin_convertvector(*reinterpret_cast<stored_bytes const*>(static_cast<bool const*>(p) + i), mask) != 0;
  }
  template <dtype U>
  RICCI_INLINE static void store(vector<U> const& x, void* p, index_t i) {
    if constexpr (U == dtype::boolean)
      *reinterpret_cast<stored_bytes*>(static_cast<bool*>(p) + i) = __builtin_convertvector(x & 1, bytes);
    else
      *reinterpret_cast<stored_numbers*>(static_cast<T*>(p) + i) = x;
  }
  template <dtype U>
  RICCI_INLINE static vector<U> splat(type_of<U> x) {
    if constexpr (U == dtype::boolean)
      return mask{} - (x ? 1 : 0);
    else
      return numbers{} + x;
  }
  // the first n lanes, the others zero; n may be all of them
  template <dtype U>
  RICCI_INLINE static vector<U> load_first(void const* p, index_t i, index_t n) {
    return gather<U>(p, i, sizeof(type_of<U>), n);
  }
  template <dtype U>
  RICCI_INLINE static void store_first(vector<U> const& x, void* p, index_t i, index_t n) {
    scatter<U>(x, p, i, sizeof(type_of<U>), n);
  }
  // n elements from i on where elements lie `stride` bytes apart
  template <dtype U>
  RICCI_INLINE static vector<U> gather(void const* p, index_t i, index_t stride, index_t n) {
    type_of<U> lane[width] = {};
    if (stride == sizeof(type_of<U>))
      __builtin_memcpy(lane, static_cast<type_of<U> const*>(p) + i, static_cast<std::size_t>(n * stride));
    else
      for (index_t k = 0; k < n; ++k)
        lane[k] = *reinterpret_cast<type_of<U> const*>(static_cast<char const*>(p) + (i + k) * stride);
    return load<U>(lane, 0);
  }
  template <dtype U>
  RICCI_INLINE static void scatter(vector<U> const& x, void* p, index_t i, index_t stride, index_t n) {
    type_of<U> lane[width];
    store<U>(x, lane, 0);
    if (stride == sizeof(type_of<U>))
      __builtin_memcpy(static_cast<type_of<U>*>(p) + i, lane, static_cast<std::size_t>(n * stride));
    else
      for (index_t k = 0; k < n; ++k)
        *reinterpret_cast<type_of<U>*>(static_cast<char*>(p) + (i + k) * stride) = lane[k];
  }
  // to = the operation of x...
  template <class Op, dtype U, dtype... Types>
  RICCI_INLINE static void apply(vector<U>& to, vector<Types> const&... x) {
    if constexpr (requires { requires Op::of_operators; })
      to = Op::template kernel<vector<Types> const&...>(x...);
    else
      each<Op, U, Types...>(lanes(to), lanes(x)...);
  }
  // Lane by lane, in memory: the compiler would copy a whole vector to read one of it.
  template <class Op, dtype U, dtype... Types, class Lane, class... X>
  RICCI_INLINE static void each(Lane* to, X const*... x) {
    for (int k = 0; k < width; ++k) {
      type_of<U> y;
      if constexpr (requires { Op::converts; })
        y = Op::template kernel<type_of<U>>(static_cast<type_of<Types>>(x[k])...);
      else
        y = Op::kernel(static_cast<type_of<Types>>(x[k])...);
      to[k] = static_cast<Lane>(U == dtype::boolean ? -y : y);
    }
  }
  template <class V>
  RICCI_INLINE static auto* lanes(V& x) {
    using lane = std::remove_cvref_t<decltype(x[0])>;
    return reinterpret_cast<std::conditional_t<std::is_const_v<V>, lane const, lane>*>(&x);
  }
  // two registers combined, or all lanes of one
  template <class Op, dtype U>
  RICCI_INLINE static vector<U> combine(vector<U> const& a, vector<U> const& b) {
    if constexpr (requires { requires Op::of_operators; }) {
      return Op::template combine<vector<U> const&, vector<U> const&>(a, b);
    } else {
      type_of<U> x[width], y[width];
      store<U>(a, x, 0), store<U>(b, y, 0);
      for (int k = 0; k < width; ++k) x[k] = static_cast<type_of<U>>(Op::combine(x[k], y[k]));
      return load<U>(x, 0);
    }
  }
  template <class Op, dtype U>
  RICCI_INLINE static type_of<U> across(vector<U> const& x) {
    type_of<U> lane[width];
    store<U>(x, lane, 0);
    return halved<Op>(lane, width);
  }
  // the first n lanes of a, the others of b
  template <class V>
  RICCI_INLINE static V first(V const& a, V b, index_t n) {
    __builtin_memcpy(&b, &a, static_cast<std::size_t>(n) * (sizeof(V) / width));
    return b;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
