// Sums of complex numbers that lie in a row: their parts are added up as they lie, in lanes in turn.
#pragma once

#include <ricci/exec/cpu/memory.hpp>
#include <ricci/exec/cpu/row.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Whether that is all that a kernel does, by an operation that takes each part for itself.
template <class Code>
inline constexpr bool adds_complex_row = false;

#if RICCI_HAS_XSIMD

template <int Slots, int Scalars, int I, dtype T, int Slot, class Op, int To>
requires(is_complex(T) && requires { requires Op::adds_parts; }) inline constexpr bool adds_complex_row<
    kernel::code<Slots, Scalars, kernel::before<>, kernel::body<kernel::load<I, T, Slot, access::contiguous>>,
                 kernel::sinks<kernel::reduce<Op, I, To, T, access::fixed>>>> = true;

template <class F>
struct complex_accumulator {
  using P = simd::pack<F>;
  P of[4] = {P(F(0)), P(F(0)), P(F(0)), P(F(0))};  // of which every fourth register is added to the same

  // n real numbers
  RICCI_INLINE void add(F const* p, index_t n) {
    P a = of[0], b = of[1], c = of[2], d = of[3];
    index_t i = 0;
    for (; i + 4 * P::size <= n; i += 4 * P::size) {
      a = a + P::load(p + i), b = b + P::load(p + i + P::size);
      c = c + P::load(p + i + 2 * P::size), d = d + P::load(p + i + 3 * P::size);
    }
    for (; i + P::size <= n; i += P::size) a = a + P::load(p + i);
    if (i < n) b = b + simd::load_first(p + i, n - i);
    of[0] = a, of[1] = b, of[2] = c, of[3] = d;
  }
  RICCI_INLINE std::complex<F> total() const {
    P const sum = (of[0] + of[1]) + (of[2] + of[3]);
#if defined(__GNUC__) || defined(__clang__)
    return halved<P::size / 2>(sum);
#else
    alignas(64) F lane[P::size];
    sum.store(lane);
    for (int half = P::size / 2; half > 1; half /= 2)
      for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    return {lane[0], lane[1]};
#endif
  }

 private:
#if defined(__GNUC__) || defined(__clang__)
  // lane k with lane k + Half, and again with half of it, until a real and an imaginary one are left
  template <int Half>
  RICCI_INLINE static std::complex<F> halved(P x) {
    typename P::register_type const v = x.v;
    if constexpr (Half == 1) {
      return {v[0], v[1]};
    } else {
      return [&]<int... L>(std::integer_sequence<int, L...>) RICCI_INLINE_LAMBDA {
        return halved<Half / 2>(x +
                                P(typename P::register_type(__builtin_shufflevector(v, v, ((L + Half) % P::size)...))));
      }
      (std::make_integer_sequence<int, P::size>{});
    }
  }
#endif
};

// Elements [begin, end) of as many rows, as a block (kernel_info.hpp).
template <class Load, class Sink>
RICCI_INLINE void add_complex_rows(char* const* p, index_t begin, index_t end, core::any_element* results, index_t rows,
                                   index_t const* down) {
  using F = component_t<type_of<Load::type>>;
  using C = std::complex<F>;
  char const* from = p[Load::slot];
  char* to = p[Sink::slot];
  complex_accumulator<F> all;
  for (;;) {
    complex_accumulator<F> of_row;
    (results ? all : of_row).add(reinterpret_cast<F const*>(from) + 2 * begin, 2 * (end - begin));
    if (!results) *reinterpret_cast<C*>(to) = of_row.total();
    if (--rows <= 0) break;
    from += down[Load::slot];
    to += down[Sink::slot];
  }
  if (results) results[0].set(all.total());
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
