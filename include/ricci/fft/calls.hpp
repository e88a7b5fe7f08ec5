// The three calls behind all transforms. Each is linear; the first is its own transpose, the others are each other's
// (real_cores.hpp): a cotangent stands for the linear map to the real part of its product (ops/complex.hpp), so that
// nothing is conjugated.
#pragma once

#include <ricci/fft/real_cores.hpp>

namespace ricci::fft {

// the real type in which a call of type T computes
template <class T>
using real_of = std::conditional_t<std::is_same_v<component_t<T>, float>, float, double>;

// the complex type of a spectrum, and of what it is made of
constexpr dtype complex_type_for(dtype t) { return complex_type(component_type(floating_type_for(t))); }

// Attributes of a transform: whether it is the inverse, what it is divided by, whether it is weighted.
struct attributes {
  index_t at[3];
  constexpr attributes(manner m) : at{m.inverse, m.division, m.weighted} {}
  RICCI_HD static constexpr manner of(index_t const* at) { return {at[0] != 0, at[2] != 0, at[1]}; }
};
template <class V>
constexpr manner manner_of(ir::application<V> const& at, int first) {
  return {at.attr(first) != 0, at.attr(first + 2) != 0, at.attr(first + 1)};
}
RICCI_HD constexpr index_t operations_of(index_t n) {  // the usual count, 5 n log2(n)
  index_t steps = 0;
  while (index_t(1) << steps < n) ++steps;
  return 5 * n * steps;
}
inline constexpr auto has_no_length = "there is no transform of length 0";

// (..., n, ...) along the axis that is attribute 0, complex
struct complex_transform_t : axis_call {
  static constexpr auto name = "fft";
  static constexpr core_signature core{"(n)->(n)"};
  static constexpr bool takes_complex = true, takes_rows = true, refuses_empty_batches = true;
  static constexpr int attributes = 3;
  template <class T>
  using workspace_type = real_of<T>;
  static constexpr dtype operand_type(dtype t) { return complex_type_for(t); }
  static constexpr dtype type_of_result(dtype t) { return operand_type(t); }
  static constexpr index_t workspace(index_t const* n) { return workspace_of(n[0]); }
  static constexpr index_t operations(index_t const* n) { return operations_of(n[0]); }
  static constexpr char const* refuses(index_t const* n) { return n[0] == 0 ? has_no_length : nullptr; }

  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    run_rows(c, 1, rows<std::remove_pointer_t<decltype(x.p)>>{x.p, 0, x.stride[0]},
             rows<std::remove_pointer_t<decltype(y.p)>>{y.p, 0, y.stride[0]});
  }
  static void run_row(auto const& c, index_t count, auto const& x, auto const& y) {
    run_rows(c, count, rows<std::remove_pointer_t<decltype(x.p)>>{x.p, x.stride[0], x.stride[1]},
             rows<std::remove_pointer_t<decltype(y.p)>>{y.p, y.stride[0], y.stride[1]});
  }
  template <class X, class Y>
  RICCI_HD static constexpr void run_rows(auto const& c, index_t count, rows<X> x, rows<Y> y) {
    using E = component_t<Y>;
    index_t const n = c.extents[0];
    in_its_type<E>(n, c.workspace, [&](auto plan, auto* memory) {
      complex_core<E>(plan, n, count, x, y, fft::attributes::of(c.attributes), memory);
    });
  }
  template <class V>
  static constexpr V over(V x, int axis, manner how) {
    fft::attributes const told = how;
    index_t const all[] = {axis, told.at[0], told.at[1], told.at[2]};
    shape_t const shape = x.shape();
    return ir::call<complex_transform_t, typename V::mode>(*x.g, x.type(), &shape, {&x.id, 1}, {all, 4});
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? over(t[0], int(at.attr(0)), manner_of(at, 1)) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = over(ct, int(at.attr(0)), manner_of(at, 1));
  }
};

// Both transforms between real numbers and half a spectrum, along the last axis. Derived says which letter of its
// core is the length of the real numbers, which core runs, and which of the two is the other one, its transpose.
template <class Derived>
struct between_real_and_half : core_call<Derived> {
  static constexpr bool takes_rows = true, refuses_empty_batches = true;
  static constexpr int attributes = 3;
  template <class T>
  using workspace_type = real_of<T>;
  static constexpr index_t workspace(index_t const* n) { return real_workspace(n[Derived::length]); }
  static constexpr index_t operations(index_t const* n) { return operations_of(n[Derived::length]) / 2; }
  static constexpr char const* refuses(index_t const* n) { return n[Derived::length] == 0 ? has_no_length : nullptr; }

  RICCI_FN run(auto const& c, auto const& x, auto const& y) {
    run_rows(c, 1, rows<std::remove_pointer_t<decltype(x.p)>>{x.p, 0, x.stride[0]},
             rows<std::remove_pointer_t<decltype(y.p)>>{y.p, 0, y.stride[0]});
  }
  static void run_row(auto const& c, index_t count, auto const& x, auto const& y) {
    run_rows(c, count, rows<std::remove_pointer_t<decltype(x.p)>>{x.p, x.stride[0], x.stride[1]},
             rows<std::remove_pointer_t<decltype(y.p)>>{y.p, y.stride[0], y.stride[1]});
  }
  template <class X, class Y>
  RICCI_HD static constexpr void run_rows(auto const& c, index_t count, rows<X> x, rows<Y> y) {
    using E = component_t<Y>;
    index_t const n = c.extents[Derived::length];
    in_its_type<E>(length_of_complex(n), c.workspace, [&](auto plan, auto* memory) {
      Derived::template run_core<E>(plan, n, count, x, y, fft::attributes::of(c.attributes), memory);
    });
  }
  // of x, whose result is so long along the last axis
  template <class V>
  static constexpr V of(V x, index_t length, manner how) {
    fft::attributes const told = how;
    shape_t shape = x.shape();
    shape.extent[shape.rank - 1] = length;
    return ir::call<Derived, typename V::mode>(*x.g, x.type(), &shape, {&x.id, 1}, {told.at, 3});
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? of(t[0], at.y.shape().extent[at.y.rank() - 1], manner_of(at, 0)) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = Derived::transpose(ct, at.operand(0).shape().extent[at.y.rank() - 1], manner_of(at, 0));
  }
};
// (..., n) -> (..., n / 2 + 1), real to complex
struct spectrum_t : between_real_and_half<spectrum_t> {
  static constexpr auto name = "rfft";
  static constexpr bool takes_complex = false;
  static constexpr core_signature core{"(n)->(k)"};
  static constexpr int length = 0;
  template <class T>
  using types = type_list<T, std::complex<real_of<T>>>;
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  template <class E>
  RICCI_HD static constexpr void run_core(auto const&... a) {
    spectrum_core<E>(a...);
  }
  template <class V>
  static constexpr V transpose(V ct, index_t n, manner how);
};
// (..., n / 2 + 1) -> (..., n), complex to real
struct from_spectrum_t : between_real_and_half<from_spectrum_t> {
  static constexpr auto name = "irfft";
  static constexpr bool takes_complex = true;
  static constexpr core_signature core{"(k)->(n)"};
  static constexpr int length = 1;
  template <class T>
  using types = type_list<T, real_of<T>>;
  static constexpr dtype operand_type(dtype t) { return complex_type_for(t); }
  template <class E>
  RICCI_HD static constexpr void run_core(auto const&... a) {
    from_spectrum_core<E>(a...);
  }
  template <class V>
  static constexpr V transpose(V ct, index_t n, manner how) {
    return spectrum_t::of(ct, n, how);
  }
};
template <class V>
constexpr V spectrum_t::transpose(V ct, index_t n, manner how) {
  return from_spectrum_t::of(ct, n, how);
}

}  // namespace ricci::fft
