// Complex numbers: made of two real ones, their parts, the conjugate. A derivative is that of JAX: an operation is
// taken as a function of real and imaginary parts, and a cotangent g stands for the linear map of tangents t to the
// real part of g t. So `rc::grad` of a real value is its derivative by the real part minus i times that by the
// imaginary one, and a step of descent goes along the conjugate. (K. Kreutz-Delgado, The complex gradient operator and
// the CR-calculus, 2009.)
#pragma once

#include <ricci/ops/movement.hpp>

RICCI_OPTIMIZED
namespace ricci {

template <class Derived, int Arity>
struct of_complex_numbers : arithmetic<Derived, Arity> {
  static constexpr bool of_operators = true, takes_complex = true;
  static constexpr double ulp = 0;
};

// complex(a, b) is a + b i for real a and b, in the complex type whose components have their type, or a larger one.
struct complex_t : of_complex_numbers<complex_t, 2> {
  static constexpr auto name = "complex";
  static constexpr bool takes_complex = false;
  static constexpr dtype operand_type(dtype t) { return component_type(complex_type(floating_type_for(t))); }
  static constexpr dtype result_type(dtype t) { return complex_type(t); }
  RICCI_FN kernel(auto a, auto b) { return std::complex<decltype(a)>(a, b); }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t);
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out);
};
// The real part; real numbers are their own.
struct real_t : of_complex_numbers<real_t, 1> {
  static constexpr auto name = "real";
  static constexpr dtype result_type(dtype t) { return component_type(t); }
  RICCI_FN kernel(auto x) {
    if constexpr (is_complex_number<decltype(x)>)
      return x.real();
    else
      return x;
  }
  static constexpr bool reads_parts = true;
  RICCI_FN of_parts(auto const& x) { return x.real; }
  template <class V>
  static constexpr V jvp(ir::application<V> const&, V const* t);
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = ir::cast(ct, at.operand(0).type());
  }
};
// The imaginary part; of real numbers 0.
struct imag_t : of_complex_numbers<imag_t, 1> {
  static constexpr auto name = "imag";
  static constexpr dtype result_type(dtype t) { return component_type(t); }
  RICCI_FN kernel(auto x) {
    if constexpr (is_complex_number<decltype(x)>)
      return x.imag();
    else
      return std::remove_cvref_t<decltype(x)>{};
  }
  static constexpr bool reads_parts = true;
  RICCI_FN of_parts(auto const& x) { return x.imag; }
  template <class V>
  static constexpr V jvp(ir::application<V> const&, V const* t);
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out);
};
// a - b i of a + b i; real numbers stay as they are.
struct conj_t : of_complex_numbers<conj_t, 1> {
  static constexpr auto name = "conj";
  RICCI_FN kernel(auto x) {
    if constexpr (is_complex_number<decltype(x)>)
      return decltype(x)(x.real(), -x.imag());
    else
      return x;
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const&, V const* t);
  template <class V>
  static constexpr void vjp(ir::application<V> const&, V ct, V* out);
};
inline constexpr complex_t complex{};
inline constexpr real_t real{};
inline constexpr imag_t imag{};
inline constexpr conj_t conj{};

template <class V>
constexpr V complex_t::jvp(ir::application<V> const& at, V const* t) {
  auto const part = [&](int k) { return t[k] ? t[k] : ir::zeros_like(at.operand(k)); };
  return t[0] || t[1] ? V(complex(part(0), part(1))) : V{};
}
template <class V>
constexpr void complex_t::vjp(ir::application<V> const&, V ct, V* out) {
  out[0] = real(ct);
  out[1] = -imag(ct);
}
template <class V>
constexpr V real_t::jvp(ir::application<V> const&, V const* t) {
  return t[0] ? V(real(t[0])) : V{};
}
template <class V>
constexpr V imag_t::jvp(ir::application<V> const&, V const* t) {
  return t[0] ? V(imag(t[0])) : V{};
}
template <class V>
constexpr void imag_t::vjp(ir::application<V> const& at, V ct, V* out) {
  if (is_complex(at.operand(0).type())) out[0] = complex(ir::zeros_like(ct), V(-ct));
}
template <class V>
constexpr V conj_t::jvp(ir::application<V> const&, V const* t) {
  return t[0] ? V(conj(t[0])) : V{};
}
template <class V>
constexpr void conj_t::vjp(ir::application<V> const&, V ct, V* out) {
  out[0] = conj(ct);
}

namespace ir {

// The number as a literal, or as one that is made of two.
template <class Mode, class C>
constexpr value<Mode> complex_literal(typename Mode::graph& g, std::complex<C> x, dtype type) {
  if (x.imag() == 0 && !__builtin_signbit(x.imag())) return literal<Mode>(g, static_cast<double>(x.real()), type, 0);
  dtype const part = component_type(type);
  return complex(literal<Mode>(g, static_cast<double>(x.real()), part, 0),
                 literal<Mode>(g, static_cast<double>(x.imag()), part, 0));
}

}  // namespace ir

}  // namespace ricci
RICCI_OPTIMIZED_END
