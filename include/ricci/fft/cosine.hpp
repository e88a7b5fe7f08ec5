// Cosine and sine transforms of types I to IV, as SciPy's: `rc::fft::dct(x)`, `rc::fft::idct(y)`, `rc::fft::dst(x,
// rc::fft::type<3>, rc::axis<0>, rc::fft::ortho)`. II and III are formulas of rfft and irfft of the same length (J.
// Makhoul, A fast cosine transform in one and two dimensions, 1980), I is the rfft of x and its mirror image, IV a
// complex one of twice the length; and so are their derivatives.
//
//   dct I:    y[k] = x[0] + (-1)^k x[n - 1] + 2 sum over 0 < j < n - 1 of x[j] cos(pi j k / (n - 1))
//   dct II:   y[k] = 2 sum over j of x[j] cos(pi k (2 j + 1) / (2 n))
//   dct III:  y[k] = x[0] + 2 sum over j > 0 of x[j] cos(pi j (2 k + 1) / (2 n))
//   dct IV:   y[k] = 2 sum over j of x[j] cos(pi (2 k + 1) (2 j + 1) / (4 n))
//   dst I:    y[k] = 2 sum over j of x[j] sin(pi (k + 1) (j + 1) / (n + 1))
//   dst II:   y[k] = 2 sum over j of x[j] sin(pi (k + 1) (2 j + 1) / (2 n))
//   dst III:  y[k] = (-1)^k x[n - 1] + 2 sum over j < n - 1 of x[j] sin(pi (j + 1) (2 k + 1) / (2 n))
//   dst IV:   y[k] = 2 sum over j of x[j] sin(pi (2 k + 1) (2 j + 1) / (4 n))
#pragma once

#include <ricci/fft/functions.hpp>

namespace ricci::fft {

template <int T>
struct type_t {
  static_assert(T >= 1 && T <= 4, "cosine and sine transforms are of type 1, 2, 3 or 4");
};
template <int T>
inline constexpr type_t<T> type{};

// (Inverse: by whose name errors call it)
template <bool Sine, bool Inverse, int Type, index_t Division>
struct cosine_by : formula_of_one<cosine_by<Sine, Inverse, Type, Division>> {
  static constexpr auto name = Sine ? (Inverse ? "idst" : "dst") : (Inverse ? "idct" : "dct");
  static constexpr bool takes_complex = false;
  static constexpr index_t least = Type == 1 && !Sine ? 2 : 1;  // elements
  static constexpr dtype type_of_result(dtype t) { return floating_type_for(t); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    int const mask = a.mask(x.rank);
    if (x.rank == 0 || mask < 0 || a.axes.count > 1) return c.fail(), x;
    index_t const n = x.extent[a.axes.count == 0 ? x.rank - 1 : a.axis(0, x.rank)];
    if (n >= 0 && n < least) c.fail();
    return x;
  }
  // every second element of the last axis, `count` of them
  template <class V>
  static constexpr V every_second(V x, index_t first, index_t count) {
    return ir::stretch(x, x.rank() - 1, first, count, 2);
  }
  template <class V>
  static constexpr V put_every_second(V x, V part, index_t first) {
    index_t starts[max_rank]{}, steps[max_rank]{};
    for (auto& step : steps) step = 1;
    starts[x.rank() - 1] = first, steps[x.rank() - 1] = 2;
    return ir::update_slice(x, part, starts, steps);
  }
  template <class V>
  static constexpr V backwards(V x) {
    return ir::flip(x, 1 << (x.rank() - 1));
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int) {
    dtype const result = type_of_result(x.type());
    int const last = x.rank() - 1, axis = a.axes.count == 0 ? last : a.axis(0, x.rank());
    ir::needs_elements<cosine_by>(x, axis, least);
    V y = ir::move_axis(ir::cast(x, arithmetic_type(result)), axis, last);
    if constexpr (Type == 1)
      y = first(y);
    else if constexpr (Type == 4)
      y = fourth(y);
    else
      y = Type == 2 ? second(y) : third(y);
    if constexpr (Division != by_nothing) {
      index_t const n = ir::plus(*x.g, y.shape().extent[last], Type != 1 ? 0 : Sine ? 1 : -1);
      V const twice = ir::number<typename V::mode>(*x.g, ir::times(*x.g, n, 2), y.type());
      y = y / (Division == by_length ? twice : V(sqrt(twice)));
    }
    return ir::cast(ir::move_axis(y, last, axis), result);
  }
  // exp(sign pi i k / (2 n)), k <= n / 2
  template <class V>
  static constexpr V turns(V x, index_t n, index_t half, double sign) {
    auto& g = *x.g;
    using mode = typename V::mode;
    V const k = ir::cast(ir::positions<mode>(g, half), x.type());
    V const angle = 1.5707963267948966 * k / ir::number<mode>(g, n, x.type());
    return complex(V(cos(angle)), V(sign * sin(angle)));
  }
  // What makes the transform orthogonal: the element of constant signals, by another factor.
  template <class V>
  static constexpr V first_by(double factor, V x) {
    if constexpr (Division == by_its_root) {
      V const k = ir::positions<typename V::mode>(*x.g, x.shape().extent[x.rank() - 1]);
      V const one = ir::number<typename V::mode>(*x.g, 1, x.type());
      return x * where(k == 0, factor * one, one);
    } else {
      return x;
    }
  }
  // the outermost elements by a factor, all others as they are
  template <class V>
  static constexpr V ends_by(double factor, V x) {
    if constexpr (Division == by_its_root && !Sine) {
      auto& g = *x.g;
      index_t const n = x.shape().extent[x.rank() - 1];
      V const k = ir::positions<typename V::mode>(g, n),
              end = ir::number<typename V::mode>(g, ir::plus(g, n, -1), k.type());
      V const one = ir::number<typename V::mode>(g, 1, x.type());
      return x * where((k == 0) | (k == end), factor * one, one);
    } else {
      return x;
    }
  }
  // x in front of its mirror image, which is a period
  template <class V>
  static constexpr V first(V x) {
    auto& g = *x.g;
    int const last = x.rank() - 1;
    index_t const n = x.shape().extent[last], half = ir::plus(g, n, Sine ? 2 : 0);
    shape_t s = x.shape();
    x = ends_by(1.41421356237309504880, x);
    if constexpr (Sine) {
      s.extent[last] = 1;
      V const zero = ir::literal<typename V::mode>(g, 0., x.type(), ir::intern(g, s));
      s.extent[last] = half;
      x = ir::joined(last, ir::intern(g, s), zero, x, zero);
    }
    index_t const inner = ir::plus(g, half, -2);
    s.extent[last] = ir::plus(g, half, inner);
    V const image = backwards(ir::stretch(x, last, 1, inner));
    x = ir::joined(last, ir::intern(g, s), x, Sine ? V(-image) : image);
    V const spectrum = spectrum_t::of(x, half, manner{false, false, by_nothing});
    if constexpr (Sine)
      return -ir::stretch(V(imag(spectrum)), last, 1, n);
    else
      return ends_by(0.70710678118654752440, V(real(spectrum)));
  }
  // exp(-pi i (step k + start) / (4 n)), k < n
  template <class V>
  static constexpr V quarter_turns(V x, index_t n, double step, double start) {
    using mode = typename V::mode;
    V const k = ir::cast(ir::positions<mode>(*x.g, n), x.type());
    V const angle = 0.78539816339744830962 * (step * k + start) / ir::number<mode>(*x.g, n, x.type());
    return complex(V(cos(angle)), V(-sin(angle)));
  }
  // (2 j + 1) (2 k + 1) = (2 j + 1) + 2 k + 4 j k
  template <class V>
  static constexpr V fourth(V x) {
    auto& g = *x.g;
    int const last = x.rank() - 1;
    index_t const n = x.shape().extent[last];
    V const turned = resized(V(x * quarter_turns(x, n, 2, 1)), last, ir::times(g, n, 2));
    V const spectrum = complex_transform_t::over(turned, last, manner{false, false, by_nothing});
    V const y = ir::stretch(spectrum, last, 0, n) * quarter_turns(x, n, 2, 0);
    return Sine ? V(-2. * imag(y)) : V(2. * real(y));
  }
  template <class V>
  static constexpr V second(V x) {
    auto& g = *x.g;
    int const last = x.rank() - 1, shape = x.shape_id();
    index_t const n = x.shape().extent[last], odd = ir::divide(g, n, 2), even = ir::minus(g, n, odd);
    index_t const half = ir::plus(g, odd, 1);
    V const others = backwards(every_second(x, 1, odd));
    x = ir::joined(last, shape, every_second(x, 0, even), Sine ? V(-others) : others);
    V const spectrum = spectrum_t::of(x, half, manner{false, false, by_nothing});
    V const z = spectrum * turns(x, n, half, -1);
    V const behind = backwards(ir::stretch(V(imag(z)), last, 1, ir::plus(g, even, -1)));
    V const y = first_by(0.70710678118654752440, ir::joined(last, shape, V(2. * real(z)), V(-2. * behind)));
    return Sine ? backwards(y) : y;
  }
  template <class V>
  static constexpr V third(V x) {
    auto& g = *x.g;
    int const last = x.rank() - 1, shape = x.shape_id();
    index_t const n = x.shape().extent[last], odd = ir::divide(g, n, 2), even = ir::minus(g, n, odd);
    index_t const half = ir::plus(g, odd, 1);
    x = first_by(1.41421356237309504880, Sine ? backwards(x) : x);
    // x[k] - i x[n - k], where x[n] is 0
    shape_t s = x.shape();
    s.extent[last] = 1;
    V const zero = ir::literal<typename V::mode>(g, 0., x.type(), ir::intern(g, s));
    s.extent[last] = half;
    V const behind = ir::joined(last, ir::intern(g, s), zero, backwards(ir::stretch(x, last, even, odd)));
    V const spectrum = complex(ir::stretch(x, last, 0, half), V(-behind)) * turns(x, n, half, 1);
    V const y = from_spectrum_t::of(spectrum, n, manner{true, true, by_nothing});
    V const others = backwards(ir::stretch(y, last, even, odd));
    V const zeros = ir::literal<typename V::mode>(g, 0., x.type(), shape);
    return put_every_second(put_every_second(zeros, ir::stretch(y, last, 0, even), 0), Sine ? V(-others) : others, 1);
  }
};

// x; the type (II, where none is said), an axis (the last one) and a norm behind it, in this order.
template <bool Sine, bool Inverse>
struct cosine_function {
  template <class X, int Type, index_t... A, Normalization Norm = backward_t>
  requires(operands<X> && sizeof...(A) <= 1) RICCI_INLINE constexpr auto operator()(X&& x, type_t<Type>,
                                                                                    axes_t<A...> axes,
                                                                                    Norm = {}) const {
    constexpr int which = Inverse && (Type == 2 || Type == 3) ? 5 - Type : Type;
    return cosine_by<Sine, Inverse, which, Norm::template of<Inverse>>::call(static_cast<X&&>(x), axes);
  }
  template <class X, int Type, Normalization Norm = backward_t>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, type_t<Type> t, Norm norm = {}) const {
    return (*this)(static_cast<X&&>(x), t, axes_t<>{}, norm);
  }
  template <class X, index_t... A, Normalization Norm = backward_t>
  requires(operands<X> && sizeof...(A) <= 1) RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...> axes,
                                                                                    Norm norm = {}) const {
    return (*this)(static_cast<X&&>(x), type_t<2>{}, axes, norm);
  }
  template <class X, Normalization Norm = backward_t>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, Norm norm = {}) const {
    return (*this)(static_cast<X&&>(x), type_t<2>{}, axes_t<>{}, norm);
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "a cosine or sine transform takes a tensor, and behind it, in this order, each of which may be missing: the "
      "type, "
      "as rc::fft::type<3>, one axis, as rc::axis<0>, and the norm, rc::fft::ortho")
};
// (..., n, ...) -> (..., n, ...), real numbers along one axis; the inverse of type II is type III over 2 n, and the
// other way round; those of types I and IV are themselves, over 2 (n - 1) of dct, 2 (n + 1) of dst and 2 n. dct I takes
// two elements or more. With `ortho` all are orthogonal: over the root of 2 n, and the element of constant signals over
// that of 2.
struct dct_t : cosine_function<false, false> {};
struct idct_t : cosine_function<false, true> {};
struct dst_t : cosine_function<true, false> {};
struct idst_t : cosine_function<true, true> {};
inline constexpr dct_t dct{};
inline constexpr idct_t idct{};
inline constexpr dst_t dst{};
inline constexpr idst_t idst{};

}  // namespace ricci::fft
