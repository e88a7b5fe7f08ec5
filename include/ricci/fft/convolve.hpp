// Convolutions of long vectors, by products of their spectra: `rc::fft::convolve(a, v)`, `rc::fft::correlate(a, v,
// rc::overlap::same)`, with the shapes and conventions of rc::convolve and rc::correlate (ops/convolve.hpp), which sum
// products and are the faster ones where one vector has less than some hundred numbers.
//
// Every element of the result has an error of some roundings of the largest one, about 1e-16 |a| |v| in double:
// elements that are much smaller than others are not exact to their last places, and sums of zeros are not exactly 0.
#pragma once

#include <ricci/fft/functions.hpp>
#include <ricci/ops/convolve.hpp>

namespace ricci::fft {

// A length from n on whose transform is fast: a power of two times 1, 3, 5, 9 or 15.
constexpr index_t fast_length(index_t n) { return n <= 8 ? 8 : length_of_convolution((n + 2) / 2); }

// Number 0 of those that it is told, where it is there, is the length of the transforms.
template <bool Correlates, class Which>
struct convolution_by_spectra : ir::operation_of_kind<ir::op_kind::alias, 0> {
  using by_sums = convolution_of_two<Correlates, Which>;
  static constexpr auto name = by_sums::name;
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype a, dtype b) { return floating_type_for(by_sums::type_of_result(a, b)); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const&, shape_t const& a, shape_t const& b) {
    return by_sums::shape_of(c, no_attributes{}, a, b);
  }
  // a multiple of 64; of a vector without elements 0, which transforms refuse
  template <class Context>
  static constexpr index_t length_in_traces(Context& c, index_t n, index_t m, index_t full) {
    index_t const some = shapes::smaller(c, shapes::smaller(c, n, m), 1);
    return c.times(some, c.times(ir::divide(c.g, c.plus(full, 63), 64), 64));
  }
  template <class V>
  static constexpr V record(axes_and_numbers const& told, V a, V b) {
    auto& g = *a.g;
    ir::graph_context<typename V::mode::graph> c{g, ir::facts_of<convolution_by_spectra>(), a.shape_id(), b.shape_id()};
    shape_t const shape = shape_of(c, told, a.shape(), b.shape());
    dtype const type = type_of_result(a.type(), b.type()), computed = arithmetic_type(type);
    a = ir::cast(ir::cast(a, type), computed), b = ir::cast(ir::cast(b, type), computed);
    index_t const n = a.shape().extent[a.rank() - 1], m = b.shape().extent[b.rank() - 1];
    index_t const full = ir::plus(g, ir::plus(g, n, m), -1);
    index_t const length = !ir::is_symbolic(full) ? fast_length(full)
                           : told.count > 0       ? told.numbers[0]
                                                  : length_in_traces(c, n, m, full);
    if constexpr (Correlates) b = ir::flip(is_complex(computed) ? V(conj(b)) : b, 1 << (b.rank() - 1));
    a = resized(a, a.rank() - 1, length), b = resized(b, b.rank() - 1, length);
    V y{};
    if (is_complex(computed)) {
      auto const spectrum = [](V x) {
        return complex_transform_t::over(x, x.rank() - 1, manner{false, false, by_nothing});
      };
      V const product = spectrum(a) * spectrum(b);
      y = complex_transform_t::over(product, product.rank() - 1, manner{true, false, by_length});
    } else {
      index_t const half = ir::plus(g, ir::divide(g, length, 2), 1);
      auto const spectrum = [&](V x) { return spectrum_t::of(x, half, manner{false, false, by_nothing}); };
      y = from_spectrum_t::of(V(spectrum(a) * spectrum(b)), length, manner{true, true, by_length});
    }
    return ir::cast(ir::stretch(y, y.rank() - 1, by_sums::shift_of(c, n, m), shape.extent[shape.rank - 1]), type);
  }
};

// (..., n), (..., m) -> (..., n + m - 1), or what `rc::overlap` says; integers are taken as double. Of vectors without
// elements there is none: a value_error, or a compile error. In traced functions of dynamic extents the transforms have
// a length that is a multiple of 64, and are slow where that has a large prime factor.
template <bool Correlates, class Usual>
struct convolution_by_spectra_function {
  template <class A, class V, class Which = Usual>
  requires tensor_operands<A, V> RICCI_INLINE constexpr auto operator()(A&& a, V&& v, Which = {}) const {
    using op = convolution_by_spectra<Correlates, Which>;
    if constexpr (requires { index_t(a.shape(-1)) + index_t(v.shape(-1)); }) {
      index_t const n = index_t(a.shape(-1)), m = index_t(v.shape(-1));
      if (n == 0 || m == 0) core::raise<value_error>(core::text() << op::name << ": a vector has no elements");
      return call_operation<op>(attributes_of(axes_t<>{}, fast_length(n + m - 1)), static_cast<A&&>(a),
                                static_cast<V&&>(v));
    } else {
      return call_operation<op>(attributes_of(axes_t<>{}, extents<>{}), static_cast<A&&>(a), static_cast<V&&>(v));
    }
  }
};
struct convolve_t : convolution_by_spectra_function<false, overlap::full_t> {};
struct correlate_t : convolution_by_spectra_function<true, overlap::valid_t> {};
inline constexpr convolve_t convolve{};
inline constexpr correlate_t correlate{};

}  // namespace ricci::fft
