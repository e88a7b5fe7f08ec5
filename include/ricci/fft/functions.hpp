// The transforms of the array API's extension `fft`, along one axis or several:
//
//   rc::fft::fft(x)                               along the last axis; ifft, rfft, irfft, hfft, ihfft
//   rc::fft::rfft(x, 256, rc::axis<0>)            of the first 256 elements, or of zeros behind those that are there
//   rc::fft::fft(x, rc::fft::ortho)               divided by the root of the length; also rc::fft::forward
//   rc::fft::fftn(x), rc::fft::fftn(x, rc::axis<0, 2>), rc::fft::irfftn(x, rc::shape(8, 9), rc::axis<0, 1>), fft2
#pragma once

#include <ricci/fft/calls.hpp>
#include <ricci/fft/resized.hpp>

namespace ricci::fft {

// Which direction is divided by what: the inverse one by n (where nothing is said), both by its root, the forward one.
template <int Forward, int Inverse>
struct normalization {
  template <bool Is_inverse>
  static constexpr index_t of = Is_inverse ? Inverse : Forward;
};
using backward_t = normalization<by_nothing, by_length>;
using ortho_t = normalization<by_its_root, by_its_root>;
using forward_t = normalization<by_length, by_nothing>;
inline constexpr backward_t backward{};
inline constexpr ortho_t ortho{};
inline constexpr forward_t forward{};
template <class T>
inline constexpr bool is_normalization = false;
template <int Forward, int Inverse>
inline constexpr bool is_normalization<normalization<Forward, Inverse>> = true;
template <class T>
concept Normalization = is_normalization<T>;

// What a transform goes from and to along the last of its axes: complex numbers, or real ones and half a spectrum.
enum class between { complex_numbers, real_and_half, half_and_real };
template <between What, bool Inverse>
struct kind {
  static constexpr between what = What;
  static constexpr bool inverse = Inverse;
};

// Of x along axes, the last of which is transformed first where its elements are real, and last where these are wanted.
// Numbers: the lengths, one for each axis. Derived has its name.
template <class Derived, class Kind, class Norm, int Count>
struct transform_of : formula_of_one<Derived> {
  static constexpr between what = Kind::what;
  static constexpr bool inverse = Kind::inverse, takes_complex = what != between::real_and_half;
  static constexpr dtype type_of_result(dtype t) {
    dtype const complex = complex_type_for(t);
    return what == between::half_and_real ? component_type(complex) : complex;
  }
  // the axes in their order; none named: as many of the last ones as it takes, or as there are lengths, or all
  struct axes {
    int count = 0, at[max_rank]{};
    bool fit = true;
    constexpr axes(axes_and_numbers const& a, int rank) {
      count = a.axes.count > 0 ? a.axes.count : Count > 0 ? Count : a.count > 0 ? a.count : rank;
      fit = count <= rank && count > 0 && (Count != 1 || count == 1) && (a.count == 0 || a.count == count) &&
            (a.axes.count == 0 || a.mask(rank) >= 0);
      for (int k = 0; fit && k < count; ++k) at[k] = a.axes.count > 0 ? a.axis(k, rank) : rank - count + k;
    }
  };
  // how long a transform along axis number k is, of elements in such a shape
  template <class Context>
  static constexpr index_t length(Context& c, axes_and_numbers const& a, axes const& on, int k, shape_t const& x) {
    if (a.count > 0) return a.are_known ? a.numbers[k] : dyn;
    index_t const n = x.extent[on.at[k]];
    if (what != between::half_and_real || k + 1 < on.count) return n;
    return n == 0 ? 0 : c.times(2, c.minus(n, 1));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t x) {
    axes const on(a, x.rank);
    if (!on.fit) return c.fail(), x;
    for (int k = 0; k < on.count; ++k) {
      index_t const n = length(c, a, on, k, x);
      if (n == 0 || (a.are_known && n < 0 && n != dyn && !ir::is_symbolic(n))) return c.fail(), x;
      bool const halved = what == between::real_and_half && k + 1 == on.count;
      x.extent[on.at[k]] = halved ? c.plus(half_of(c, n), 1) : n;
    }
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(axes_and_numbers const& a, ir::value<Mode> x) {
    using V = ir::value<Mode>;
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<Derived>(), x.shape_id()};
    dtype const type = type_of_result(x.type()), complex = complex_type_for(x.type());
    axes const on(a, x.rank());
    index_t n[max_rank]{};
    for (int k = 0; k < on.count; ++k) {
      n[k] = length(c, a, on, k, x.shape());
      (void)ir::requested(g, shape_t{1, {n[k]}}, ir::facts_of<Derived>(), 1);
    }
    (void)shape_of(c, a, x.shape());
    constexpr manner plain{inverse, false, Norm::template of<inverse>};
    int const last = on.count - 1, axis = on.at[last];
    index_t const half = ir::plus(g, ir::divide(g, n[last], 2), 1);
    x = ir::cast(x, what == between::real_and_half ? component_type(complex) : complex);
    if constexpr (what == between::real_and_half)
      x = along_last(resized(x, axis, n[last]), axis, [&](V y) { return spectrum_t::of(y, half, plain); });
    for (int k = 0; k < (what == between::complex_numbers ? on.count : last); ++k)
      x = complex_transform_t::over(resized(x, on.at[k], n[k]), on.at[k], plain);
    if constexpr (what == between::half_and_real)
      x = along_last(a.count > 0 ? resized(x, axis, half) : x, axis, [&](V y) {
        return from_spectrum_t::of(y, n[last], manner{inverse, true, plain.division});
      });
    return ir::cast(x, type);
  }
  template <class V, class F>
  static constexpr V along_last(V x, int axis, F const& f) {
    int const last = x.rank() - 1;
    return ir::move_axis(f(ir::move_axis(x, axis, last)), last, axis);
  }
};

// Lengths that are known at run time alone are above 0.
template <Numbers N>
constexpr void expect_lengths(char const* name, N const& lengths) {
  using numbers = std::remove_cvref_t<decltype(numbers_of(lengths))>;
  if constexpr (requires(numbers n) { n.values; }) {
    if constexpr (!numbers::is_symbolic)
      for (index_t k = 0; k < numbers::rank; ++k)
        if (index_t const n = numbers_of(lengths).values[k]; n <= 0) core::raise_length(n, name);
  }
}

// The call operators: x; behind it lengths, axes and a norm, in this order, each of which may be missing.
template <template <class> class Transform>
struct transform_function {
  template <class X, Numbers N, index_t... A, Normalization Norm = backward_t>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& lengths, axes_t<A...> axes,
                                                              Norm = {}) const {
    expect_lengths(Transform<Norm>::name, lengths);
    return Transform<Norm>::call(static_cast<X&&>(x), axes, lengths);
  }
  template <class X, Numbers N, Normalization Norm = backward_t>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& lengths, Norm norm = {}) const {
    return (*this)(static_cast<X&&>(x), lengths, axes_t<>{}, norm);
  }
  template <class X, index_t... A, Normalization Norm = backward_t>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A...> axes, Norm norm = {}) const {
    return (*this)(static_cast<X&&>(x), extents<>{}, axes, norm);
  }
  template <class X, Normalization Norm = backward_t>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, Norm norm = {}) const {
    return (*this)(static_cast<X&&>(x), extents<>{}, axes_t<>{}, norm);
  }
  // anything else
  template <class Call = void>
  constexpr wrong::result operator()(wrong::argument, wrong::argument = {}, wrong::argument = {},
                                     wrong::argument = {}) const {
    static_assert(always_false<Call>,
                  "a Fourier transform takes a tensor, and behind it, in this order, each of which may be missing: the "
                  "length (of several axes rc::shape(m, n)), the axis, as rc::axis<0> or rc::axis<0, 1>, and the norm, "
                  "as rc::fft::ortho");
    return {};
  }
};

template <class Norm>
struct fft_by : transform_of<fft_by<Norm>, kind<between::complex_numbers, false>, Norm, 1> {
  static constexpr auto name = "fft";
};
template <class Norm>
struct ifft_by : transform_of<ifft_by<Norm>, kind<between::complex_numbers, true>, Norm, 1> {
  static constexpr auto name = "ifft";
};
template <class Norm>
struct rfft_by : transform_of<rfft_by<Norm>, kind<between::real_and_half, false>, Norm, 1> {
  static constexpr auto name = "rfft";
};
template <class Norm>
struct irfft_by : transform_of<irfft_by<Norm>, kind<between::half_and_real, true>, Norm, 1> {
  static constexpr auto name = "irfft";
};
template <class Norm>
struct hfft_by : transform_of<hfft_by<Norm>, kind<between::half_and_real, false>, Norm, 1> {
  static constexpr auto name = "hfft";
};
template <class Norm>
struct ihfft_by : transform_of<ihfft_by<Norm>, kind<between::real_and_half, true>, Norm, 1> {
  static constexpr auto name = "ihfft";
};

// (..., n, ...) -> (..., n, ...): sum over j of x[j] exp(-2 pi i j k / n), and the inverse, with the other sign over n,
// along the last axis or one that is named. Complex numbers of x's precision, float for float. rfft is the first half
// of the spectrum of real numbers, (..., n, ...) -> (..., n / 2 + 1, ...), and irfft makes numbers of it, of which
// there are 2 (m - 1) where no length is given, and takes the imaginary parts of the first and, for even n, the last
// element for 0. hfft is the spectrum, which is real, of half a Hermitian sequence, (..., m, ...) -> (..., 2 (m - 1),
// ...), ihfft its inverse. A length 0, and an axis that is not there, is a compile error or a value_error.
struct fft_t : transform_function<fft_by> {};
inline constexpr fft_t fft{};
struct ifft_t : transform_function<ifft_by> {};
inline constexpr ifft_t ifft{};
struct rfft_t : transform_function<rfft_by> {};
inline constexpr rfft_t rfft{};
struct irfft_t : transform_function<irfft_by> {};
inline constexpr irfft_t irfft{};
struct hfft_t : transform_function<hfft_by> {};
inline constexpr hfft_t hfft{};
struct ihfft_t : transform_function<ihfft_by> {};
inline constexpr ihfft_t ihfft{};

template <class Norm>
struct fft2_by : transform_of<fft2_by<Norm>, kind<between::complex_numbers, false>, Norm, 2> {
  static constexpr auto name = "fft2";
};
template <class Norm>
struct ifft2_by : transform_of<ifft2_by<Norm>, kind<between::complex_numbers, true>, Norm, 2> {
  static constexpr auto name = "ifft2";
};
template <class Norm>
struct rfft2_by : transform_of<rfft2_by<Norm>, kind<between::real_and_half, false>, Norm, 2> {
  static constexpr auto name = "rfft2";
};
template <class Norm>
struct irfft2_by : transform_of<irfft2_by<Norm>, kind<between::half_and_real, true>, Norm, 2> {
  static constexpr auto name = "irfft2";
};
template <class Norm>
struct fftn_by : transform_of<fftn_by<Norm>, kind<between::complex_numbers, false>, Norm, 0> {
  static constexpr auto name = "fftn";
};
template <class Norm>
struct ifftn_by : transform_of<ifftn_by<Norm>, kind<between::complex_numbers, true>, Norm, 0> {
  static constexpr auto name = "ifftn";
};
template <class Norm>
struct rfftn_by : transform_of<rfftn_by<Norm>, kind<between::real_and_half, false>, Norm, 0> {
  static constexpr auto name = "rfftn";
};
template <class Norm>
struct irfftn_by : transform_of<irfftn_by<Norm>, kind<between::half_and_real, true>, Norm, 0> {
  static constexpr auto name = "irfftn";
};

// The same along two axes, the last ones where none are named, or along several: where neither axes nor lengths are
// named along all, where lengths alone are along as many of the last ones. The half of a spectrum is that of the last
// axis that is named.
struct fft2_t : transform_function<fft2_by> {};
inline constexpr fft2_t fft2{};
struct ifft2_t : transform_function<ifft2_by> {};
inline constexpr ifft2_t ifft2{};
struct rfft2_t : transform_function<rfft2_by> {};
inline constexpr rfft2_t rfft2{};
struct irfft2_t : transform_function<irfft2_by> {};
inline constexpr irfft2_t irfft2{};
struct fftn_t : transform_function<fftn_by> {};
inline constexpr fftn_t fftn{};
struct ifftn_t : transform_function<ifftn_by> {};
inline constexpr ifftn_t ifftn{};
struct rfftn_t : transform_function<rfftn_by> {};
inline constexpr rfftn_t rfftn{};
struct irfftn_t : transform_function<irfftn_by> {};
inline constexpr irfftn_t irfftn{};

}  // namespace ricci::fft
